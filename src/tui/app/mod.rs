//! The cockpit's state and how it changes.
//!
//! In: messages (keys, the lab's views and replies, work done elsewhere). Out: effects. [`update`] does no I/O and has
//! no clock; `tui::view` only reads. What is on screen decides what is fetched: after every message the state is
//! adjusted to the panes as they are laid out, and whatever is visible and missing is asked for.

mod answering;
mod arrangement;
mod asked;
mod back;
mod bookmarks;
mod cache;
mod choice;
mod device_choice;
mod dialog;
mod difference;
pub mod digest;
mod fetch;
mod findings;
mod groups;
mod jump;
mod lab;
pub mod log;
mod map;
mod marks;
mod message;
mod prompt;
mod recorder;
mod recording_form;
mod replies;
mod scene;
mod session;
mod sort;
mod start;
mod stepper;
mod theming;
mod tiers;
mod trace;
mod transcripts;
mod update;
mod widths;

use std::sync::Arc;

use ratatui::layout::Rect;

pub use arrangement::Arrangement;
pub use asked::Asked;
pub use bookmarks::Bookmarks;
pub use cache::Cache;
pub use choice::{Choice, devices};
pub use dialog::{Dialog, PaletteRow, palette_rows};
pub use findings::{FindingsScreen, Half};
pub use lab::LabScreen;
pub use log::LogScreen;
pub use map::MapScreen;
pub use message::{Effect, Msg, SaveError};
pub use prompt::Prompt;
pub use recorder::{Entry, RecorderScreen};
pub use recording_form::RecordingForm;
pub use session::{SessionScreen, ShownPanes};
pub use start::{StartField, StartForm};
pub use stepper::StepperScreen;
pub use tiers::Row;
pub use transcripts::TranscriptsScreen;
pub use update::update;

use super::glyphs::{self, Glyphs};
use super::keymap::{Key, Keymap};
use super::list::List;
use super::options::TuiOptions;
use super::pane::Pane;
use super::theme::{DEFAULT_THEME, Role, Theme};
use super::tour::Tour;
use back::Place;
use difference::Difference;
use droidmux_proto::{Connection, LabView, SessionFileView, SessionView};
use droidmux_record::SessionId;
use jump::Awaited;

/// The screens, by their number keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    #[default]
    Lab,
    Session,
    Findings,
    Stepper,
    Transcripts,
    Model,
    Recorder,
    Log,
}

/// A lab in the first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostTab {
    pub name: String,
    /// This lab is the one on screen.
    pub front: bool,
    pub reachable: bool,
    /// Findings not looked at.
    pub unseen: u64,
}

/// Everything the cockpit knows of a lab.
pub struct App {
    pub options: TuiOptions,
    pub theme: Theme,
    pub glyphs: &'static Glyphs,
    pub keymap: Keymap,
    /// The keys pressed of a command that takes several.
    pub pending: Vec<Key>,
    /// The whole terminal.
    pub area: Rect,
    pub view: Arc<LabView>,
    pub screen: Screen,
    /// The pane with the focus, by screen.
    focus: [Pane; 8],
    /// The pane that fills its screen.
    pub enlarged: Option<Pane>,
    pub dialog: Option<Dialog>,
    pub devices: List,
    pub tiles: List,
    pub lab: LabScreen,
    pub session: SessionScreen,
    pub findings: FindingsScreen,
    pub stepper: StepperScreen,
    pub transcripts: TranscriptsScreen,
    pub map: MapScreen,
    pub recorder: RecorderScreen,
    pub log: LogScreen,
    pub cache: Cache,
    pub asked: Asked,
    /// What happened before this person came is mentioned, not shown: they asked for a session.
    aside: bool,
    /// Steps to be found again.
    pub bookmarks: Bookmarks,
    /// What differs between two steps.
    pub difference: Difference,
    /// Where the person stood before each step into something, the last one at the end.
    back: Vec<Place>,
    /// A step led straight into a detail: Esc leaves it and its screen at once.
    landed: bool,
    /// What to go to once the lab shows its session.
    awaited: Option<Awaited>,
    /// Where the guided tour stands, while one is given.
    pub tour: Option<Tour>,
    /// The latest message to the person.
    pub status: Option<(String, Role)>,
    /// What was wrong with the configuration: themes and keys.
    pub problems: Vec<String>,
    pub lab_gone: bool,
    /// The connection to the lab.
    pub connection: Connection,
    /// All labs of the cockpit by name, this one among them; empty when there is only one.
    pub hosts: Vec<HostTab>,
    /// The session files that can be chosen, as the lab last said.
    pub session_files: Vec<SessionFileView>,
    /// The arrangement as it was last kept.
    kept: Arrangement,
    outbox: Vec<Effect>,
}

impl Screen {
    pub const ALL: [Screen; 8] = [
        Screen::Lab,
        Screen::Session,
        Screen::Findings,
        Screen::Stepper,
        Screen::Transcripts,
        Screen::Model,
        Screen::Recorder,
        Screen::Log,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lab => "Lab",
            Self::Session => "Session",
            Self::Findings => "Findings",
            Self::Stepper => "Stepper",
            Self::Transcripts => "Transcripts",
            Self::Model => "Model",
            Self::Recorder => "Recorder",
            Self::Log => "Log",
        }
    }

    /// Its name when there is little room.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Lab => "Lab",
            Self::Session => "Sess",
            Self::Findings => "Find",
            Self::Stepper => "Step",
            Self::Transcripts => "Talk",
            Self::Model => "Model",
            Self::Recorder => "Rec",
            Self::Log => "Log",
        }
    }

    /// The command that leads to this screen.
    pub fn command(self) -> &'static str {
        match self {
            Self::Lab => "lab",
            Self::Session => "session",
            Self::Findings => "findings",
            Self::Stepper => "stepper",
            Self::Transcripts => "transcripts",
            Self::Model => "model",
            Self::Recorder => "recorder",
            Self::Log => "log",
        }
    }
}

impl App {
    /// The cockpit before anything has happened. Faults of themes and keys are kept as problems
    /// and told on screen.
    pub fn new(options: TuiOptions) -> Self {
        let name = options.theme.as_deref().unwrap_or(DEFAULT_THEME);
        let (theme, mut problems) = Theme::load(name, options.theme_folder.as_deref(), options.colours);
        if let Some(place) = options.places.get("theme") {
            problems.iter_mut().for_each(|problem| *problem = format!("{problem} ({place})"));
        }
        let (keymap, conflicts) = Keymap::new(&options.keys, &options.places);
        problems.extend(conflicts);
        let awaited = options.opens.map(Awaited::session);
        let aside = options.opens.is_some();
        let help = keymap.keys_of("help").first().map_or_else(|| "the help".into(), ToString::to_string);
        let which = match problems.len() {
            0 | 1 => String::new(),
            n => format!("1 of {n} ({help} has all): "),
        };
        let arranged = options.arrangement.clone();
        let arranged_at_first = arranged.clone();
        let first = if arranged.lab.table { Pane::Sessions } else { Pane::Tiles };
        let status = problems.first().map(|problem| (format!("{which}{problem}"), Role::Warn));
        let tour = options.tour.then(Tour::default);
        Self {
            glyphs: if options.ascii { &glyphs::ASCII } else { &glyphs::UNICODE },
            options,
            theme,
            keymap,
            pending: Vec::new(),
            area: Rect::default(),
            view: Arc::default(),
            screen: Screen::default(),
            focus: [
                first,
                Pane::Trace,
                Pane::Table,
                Pane::Lanes,
                Pane::Exchanges,
                Pane::States,
                Pane::Live,
                Pane::Log,
            ],
            enlarged: None,
            dialog: None,
            devices: List::default(),
            tiles: List::default(),
            lab: LabScreen { arrangement: arranged.lab, ..LabScreen::default() },
            session: SessionScreen { shown: arranged.session, ..SessionScreen::default() },
            findings: FindingsScreen::arranged(arranged.findings.widths),
            stepper: StepperScreen::default(),
            transcripts: TranscriptsScreen::default(),
            map: MapScreen::default(),
            recorder: RecorderScreen::default(),
            log: LogScreen::default(),
            cache: Cache::default(),
            asked: Asked::default(),
            aside,
            bookmarks: Bookmarks::default(),
            difference: Difference::default(),
            back: Vec::new(),
            landed: false,
            awaited,
            tour,
            status,
            problems,
            lab_gone: false,
            connection: Connection::Up,
            hosts: Vec::new(),
            session_files: Vec::new(),
            kept: arranged_at_first,
            outbox: Vec::new(),
        }
    }

    /// How the lab stands among those of the first line.
    pub fn tab(&self, front: bool) -> HostTab {
        HostTab {
            name: self.view.name.clone(),
            front,
            reachable: self.connection == Connection::Up && !self.lab_gone,
            unseen: self.findings.unseen,
        }
    }

    /// The pane that keys act on.
    pub fn focus(&self) -> Pane {
        self.focus[self.screen as usize]
    }

    pub fn set_focus(&mut self, pane: Pane) {
        self.focus[self.screen as usize] = pane;
        if self.enlarged.is_some() {
            self.enlarged = Some(pane);
        }
    }

    /// Goes to a screen; what was open on the one before is closed.
    pub fn show(&mut self, screen: Screen) {
        self.enlarged = None;
        self.dialog = None;
        self.pending.clear();
        self.landed = false;
        self.screen = screen;
    }

    /// Makes this the current session: the selected one of the Lab screen, and that of the Session and
    /// Transcripts screens.
    pub fn open_session(&mut self, id: Option<SessionId>) {
        if self.session.id != id {
            let shown = self.session.shown;
            self.session = SessionScreen { id, shown, ..SessionScreen::default() };
            self.transcripts = TranscriptsScreen::default();
            let view = self.view.clone();
            self.take_view(view);
            self.settle_sessions();
        }
    }

    /// The session of the Session screen, while the lab has it.
    pub fn current_session(&self) -> Option<&SessionView> {
        let id = self.session.id?;
        self.view.sessions.iter().find(|session| session.id == id)
    }

    /// The session that commands mean: the selected tile's on the Lab screen, else the open one.
    pub fn meant_session(&self) -> Option<&SessionView> {
        match (self.screen, self.focus()) {
            (Screen::Lab, Pane::Devices) => {
                let device = self.device_at(self.devices.cursor)?;
                self.view.sessions.iter().find(|session| Some(session.id) == device.session)
            }
            (Screen::Lab, _) => self.session_at(self.tiles.cursor),
            _ => self.current_session(),
        }
    }

    pub fn say(&mut self, text: impl Into<String>, role: Role) {
        self.status = Some((text.into(), role));
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        self.outbox.push(effect);
    }

    /// The list of a pane with its length; `None` for panes without one.
    pub fn list_mut(&mut self, pane: Pane) -> Option<(&mut List, u64)> {
        let len = self.len(pane);
        let list = match pane {
            Pane::Devices => &mut self.devices,
            Pane::Tiles | Pane::Sessions => &mut self.tiles,
            Pane::Tree => &mut self.session.tree,
            Pane::Trace => &mut self.session.trace,
            Pane::Verdicts => &mut self.session.verdicts,
            Pane::Difference => &mut self.difference.list,
            Pane::Table => &mut self.findings.table,
            Pane::Why => &mut self.findings.why,
            Pane::Compare => &mut self.findings.compare,
            Pane::Lanes => &mut self.stepper.lanes,
            Pane::Account => &mut self.stepper.account,
            Pane::Widgets => &mut self.stepper.widgets,
            Pane::Beside => &mut self.stepper.beside,
            Pane::Talk | Pane::Exchanges => &mut self.transcripts.list,
            Pane::Exchange => &mut self.transcripts.text,
            Pane::States => &mut self.map.list,
            Pane::Way => &mut self.map.text,
            Pane::Live => &mut self.recorder.live,
            Pane::Performed => &mut self.recorder.performed,
            Pane::Draft => &mut self.recorder.draft,
            Pane::Log => &mut self.log.list,
            Pane::Doctor => &mut self.log.doctor.list,
            Pane::Picture | Pane::Asking | Pane::Sent | Pane::Growth | Pane::Screen => return None,
        };
        Some((list, len))
    }

    /// How many rows a pane's list has.
    pub fn len(&self, pane: Pane) -> u64 {
        let len = match pane {
            Pane::Devices => self.lab.devices.len(),
            Pane::Tiles | Pane::Sessions => self.lab.shown.len(),
            Pane::Tree => self.shown_layout().map_or(0, |layout| layout.len()),
            Pane::Trace => return self.session.steps.len(),
            Pane::Verdicts => return self.session.verdict_log.len(),
            Pane::Difference => self.difference_half().map_or(0, |half| half.shown.len()),
            Pane::Table => self.findings.shown.len(),
            Pane::Why => self.findings.why_lines.len(),
            Pane::Compare => self.findings.compare_len,
            Pane::Lanes => self.stepper.view.as_ref().map_or(0, |view| view.rows.len()),
            Pane::Account => self.stepper.account_lines.len(),
            Pane::Widgets => self.stepped_layout().map_or(0, |layout| layout.len()),
            Pane::Beside => self.beside_half().map_or(0, |half| half.shown.len()),
            Pane::Talk | Pane::Exchanges => return self.transcripts.lines.len(),
            Pane::Exchange => self.transcripts.text_lines.len(),
            Pane::States => self.map.shown.len(),
            Pane::Way => self.map.text_lines.len(),
            Pane::Live => self.recorder.shown.len(),
            Pane::Performed => self.recorder.view.as_ref().map_or(0, |view| view.events.len()),
            Pane::Draft => self.recorder.draft_lines.len(),
            Pane::Log => return self.log.rows.len(),
            Pane::Doctor => self.log.doctor.lines.len(),
            Pane::Picture | Pane::Asking | Pane::Sent | Pane::Growth | Pane::Screen => 0,
        };
        len as u64
    }
}
