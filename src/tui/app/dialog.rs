//! Dialogs over the screens: help, the palette, questions and lines to fill in.

use tui_input::InputRequest;

use super::choice::{Choice, devices};
use super::{App, Effect, Entry, Prompt, RecordingForm, Screen, StartField, StartForm};
use crate::command::{self, Argument, Command};
use crate::filter;
use crate::keymap::Key;
use crate::list::List;
use crate::theme::Role;
use crossterm::event::KeyCode;
use droidmux_proto::{Digest, RecorderOrder, Request, StepSubject};
use droidmux_record::{FindingId, FindingState, SessionId};

/// Longest line a person may type.
const MAX_INPUT: usize = 500;

pub enum Dialog {
    Help(List),
    Palette {
        input: Prompt,
        list: List,
    },
    /// Filters the findings, or searches the layout or the exchanges.
    Filter(Prompt),
    /// Steps to be found again.
    Bookmarks(List),
    /// Where in the trace to go.
    Goto(Prompt),
    /// Which session of the store to open.
    Open(Prompt),
    /// The session to be started.
    Start(Box<StartForm>),
    /// The words that the steps of the trace must hold.
    TraceFilter(Prompt),
    /// A note to a mark, or the finding that duplicates are of.
    Note {
        findings: Vec<FindingId>,
        state: FindingState,
        input: Prompt,
    },
    /// The device on which a test is stepped through; the first row is any. With what was ordered in the session
    /// `after`.
    Device {
        subject: StepSubject,
        after: Option<SessionId>,
        input: Prompt,
        list: List,
    },
    /// The event that is inserted into a stepped test.
    Insert(Prompt),
    /// What is to be recorded.
    Recording(Box<RecordingForm>),
    /// A text for the recorder.
    Entry(Entry, Prompt),
    /// Asks before what was recorded is dropped.
    Drop(RecorderOrder),
    /// Asks before a session is stopped.
    Stop(SessionId),
    /// Asks before the cockpit is left when these sessions end with it.
    Quit(Vec<SessionId>),
    /// What happened while nobody looked.
    Digest(Box<Digest>, List),
}

impl Dialog {
    pub fn input(&self) -> Option<&Prompt> {
        match self {
            Self::Palette { input, .. }
            | Self::Filter(input)
            | Self::Goto(input)
            | Self::Open(input)
            | Self::TraceFilter(input)
            | Self::Note { input, .. }
            | Self::Device { input, .. }
            | Self::Insert(input)
            | Self::Entry(_, input) => Some(input),
            Self::Recording(form) => Some(&form.input),
            Self::Start(form) => form.input(),
            Self::Help(_)
            | Self::Stop(_)
            | Self::Quit(_)
            | Self::Digest(..)
            | Self::Bookmarks(_)
            | Self::Drop(_) => None,
        }
    }

    fn input_mut(&mut self) -> Option<&mut Prompt> {
        match self {
            Self::Palette { input, .. }
            | Self::Filter(input)
            | Self::Goto(input)
            | Self::Open(input)
            | Self::TraceFilter(input)
            | Self::Note { input, .. }
            | Self::Device { input, .. }
            | Self::Insert(input)
            | Self::Entry(_, input) => Some(input),
            Self::Recording(form) => Some(&mut form.input),
            Self::Start(form) => form.input_mut(),
            Self::Help(_)
            | Self::Stop(_)
            | Self::Quit(_)
            | Self::Digest(..)
            | Self::Bookmarks(_)
            | Self::Drop(_) => None,
        }
    }

    /// What the person is asked to do, for the line above the input.
    pub fn prompt(&self) -> &'static str {
        match self {
            Self::Help(_) => "Help",
            Self::Palette { .. } => "Command",
            Self::Filter(_) => "Filter",
            Self::Bookmarks(_) => "Bookmarks",
            Self::Goto(_) => "Go to step",
            Self::Open(_) => "Open session",
            Self::Start(_) => "Start a session",
            Self::TraceFilter(_) => "Show only steps with",
            Self::Note { state, .. } => match state {
                FindingState::New => "Mark as new again",
                FindingState::True => "Mark as a true bug",
                FindingState::FalseAlarm => "Mark as a false alarm",
                FindingState::Duplicate => "Mark as a duplicate (say of which)",
                FindingState::Promoted => "Put among the reported",
                FindingState::Demoted => "Put among the suspicious",
            },
            Self::Device { after: None, .. } => "Step through it on which device?",
            Self::Device { after: Some(_), .. } => "Go on from here on which device?",
            Self::Insert(_) => "Insert (click, edit TEXT, back …) on the chosen widget",
            Self::Recording(form) => form.asks.prompt(),
            Self::Entry(entry, _) => entry.prompt(),
            Self::Drop(RecorderOrder::Leave) => "Leave the recording?",
            Self::Drop(_) => "Start over?",
            Self::Stop(_) => "Stop the session?",
            Self::Quit(_) => "Leave and stop?",
            Self::Digest(..) => "Since you left",
        }
    }
}

/// A line of the palette.
#[derive(Clone, Debug)]
pub struct PaletteRow {
    pub command: &'static Command,
    /// What the command is given.
    pub argument: Option<String>,
}

/// The lines of the palette for what was typed: commands that apply on the screen, best first; after the name of a
/// command that takes something, what it may be given.
pub fn palette_rows(app: &App, typed: &str) -> Vec<PaletteRow> {
    let here: Vec<&'static Command> =
        command::offered(app).filter(|command| command.scope.is_on(app.screen)).collect();
    if let Some((name, rest)) = typed.trim_start().split_once(' ')
        && let Some(command) = here.iter().find(|command| command.name == name)
        && let Some(argument) = command::argument(command)
    {
        return argument_rows(app, command, argument, rest.trim());
    }
    let text = |command: &&'static Command| format!("{} {}", command.name, command.what);
    let mut found = filter::matching(typed, &here, text);
    // Anyone who types a name means it.
    let typed = typed.trim();
    found.sort_by_key(|&n| (here[n].name != typed, !here[n].name.starts_with(typed)));
    found.into_iter().map(|n| PaletteRow { command: here[n], argument: None }).collect()
}

fn argument_rows(
    app: &App,
    command: &'static Command,
    argument: &'static Argument,
    typed: &str,
) -> Vec<PaletteRow> {
    let values = (argument.values)(app);
    let row = |value: String| PaletteRow { command, argument: Some(value) };
    let mut found: Vec<String> = filter::matching(typed, &values, Clone::clone)
        .into_iter()
        .filter_map(|n| values.get(n).cloned())
        .collect();
    let takes_any = argument.any || values.is_empty();
    if takes_any && !typed.is_empty() && !found.iter().any(|value| value == typed) {
        found.push(typed.to_owned());
    }
    found.into_iter().map(row).collect()
}

impl App {
    /// Handles a key that is for the text of a dialog.
    pub(super) fn type_into_dialog(&mut self, key: Key) {
        let Some(input) = self.dialog.as_mut().and_then(Dialog::input_mut) else { return };
        let request = match (key.code, key.ctrl, key.alt) {
            (KeyCode::Char(c), false, false) if input.value().len() < MAX_INPUT => {
                InputRequest::InsertChar(c)
            }
            (KeyCode::Backspace, false, false) => InputRequest::DeletePrevChar,
            (KeyCode::Backspace, ..) | (KeyCode::Char('w'), true, false) => InputRequest::DeletePrevWord,
            (KeyCode::Delete, ..) => InputRequest::DeleteNextChar,
            (KeyCode::Left, true, _) | (KeyCode::Char('b'), _, true) => InputRequest::GoToPrevWord,
            (KeyCode::Right, true, _) | (KeyCode::Char('f'), _, true) => InputRequest::GoToNextWord,
            (KeyCode::Left, ..) => InputRequest::GoToPrevChar,
            (KeyCode::Right, ..) => InputRequest::GoToNextChar,
            (KeyCode::Home, ..) | (KeyCode::Char('a'), true, false) => InputRequest::GoToStart,
            (KeyCode::End, ..) | (KeyCode::Char('e'), true, false) => InputRequest::GoToEnd,
            (KeyCode::Char('u'), true, false) => InputRequest::DeleteFromStart,
            (KeyCode::Char('k'), true, false) => InputRequest::DeleteTillEnd,
            _ => return,
        };
        input.handle(request);
        self.typed();
    }

    pub(super) fn paste(&mut self, text: &str) {
        let Some(input) = self.dialog.as_mut().and_then(Dialog::input_mut) else { return };
        for c in text.chars().filter(|c| !c.is_control()).take(MAX_INPUT) {
            if input.value().len() < MAX_INPUT {
                input.handle(InputRequest::InsertChar(c));
            }
        }
        self.typed();
    }

    /// Applies what was typed as it is typed.
    fn typed(&mut self) {
        match &mut self.dialog {
            Some(Dialog::Device { list, .. }) => *list = List::default(),
            Some(Dialog::Recording(form)) => form.list = List::default(),
            Some(Dialog::Palette { list, input }) => {
                *list = List::default();
                if input.value() == "start " {
                    self.ask_session_files();
                }
            }
            Some(Dialog::Start(form)) => {
                form.fault = None;
                if form.field == StartField::File {
                    form.files = List::default();
                }
            }
            Some(Dialog::Filter(input)) => {
                let value = input.value().to_string();
                match self.screen {
                    Screen::Session if self.searches_trace() => self.session.sought = value,
                    Screen::Session => self.session.search = value,
                    Screen::Transcripts => self.transcripts.search = value,
                    Screen::Lab => self.lab.filter = value,
                    Screen::Model => {
                        self.map.filter = value;
                        self.map.sort();
                    }
                    Screen::Log => self.log.search = value,
                    Screen::Findings | Screen::Stepper | Screen::Recorder => {
                        self.findings.filter = value;
                        self.filter_findings();
                        // While typing, the best match is what is meant.
                        self.findings.table = List::default();
                    }
                }
            }
            _ => {}
        }
    }

    /// Enter.
    pub fn accept_dialog(&mut self) {
        match self.dialog.take() {
            Some(Dialog::Palette { input, list }) => {
                let rows = palette_rows(self, input.value());
                let Some(row) = usize::try_from(list.cursor).ok().and_then(|n| rows.get(n)) else { return };
                match (command::argument(row.command), &row.argument) {
                    (Some(argument), Some(value)) => (argument.run)(self, value),
                    _ => (row.command.run)(self),
                }
            }
            Some(Dialog::Filter(_)) if self.screen == Screen::Session => self.search_session(true),
            Some(Dialog::Filter(_)) if self.screen == Screen::Transcripts => self.search_transcripts(true),
            Some(Dialog::Filter(_)) if self.screen == Screen::Log => self.search_log(true),
            Some(Dialog::Bookmarks(list)) => self.go_to_bookmark(list.cursor),
            Some(Dialog::Start(form)) => self.accept_start(form),
            Some(Dialog::TraceFilter(input)) => self.hold_words(input.value()),
            Some(Dialog::Goto(input)) => self.go_to_step(input.value()),
            Some(Dialog::Open(input)) => match input.value().trim().parse() {
                Ok(session) => self.open_stored(session),
                Err(_) => self.say(format!("`{}` is no session: s12", input.value().trim()), Role::Warn),
            },
            Some(Dialog::Note { findings, state, input }) => {
                if let Err(complaint) = self.mark(&findings, state, input.value()) {
                    self.say(complaint.to_string(), Role::Warn);
                    self.dialog = Some(Dialog::Note { findings, state, input });
                }
            }
            Some(device @ Dialog::Device { .. }) => self.choose_device(device),
            Some(Dialog::Insert(input)) => self.insert_event(input.value()),
            Some(Dialog::Recording(form)) => self.answer_recording(form),
            Some(Dialog::Entry(entry, input)) => self.take_entry(entry, input.value()),
            Some(Dialog::Drop(order)) => self.record(order),
            Some(Dialog::Stop(session)) => {
                self.effect(Effect::Send(Request::Stop(session)));
                self.say(format!("{session} ends after the acts under way"), Role::Warn);
            }
            Some(Dialog::Quit(_)) => self.effect(Effect::Quit),
            Some(Dialog::Help(_) | Dialog::Filter(_) | Dialog::Digest(..)) | None => {}
        }
    }

    /// Opens the palette for what a command takes.
    pub fn ask_argument(&mut self, command: &str) {
        if command == "start" {
            self.ask_session_files();
        }
        self.dialog = Some(Dialog::Palette { input: format!("{command} ").into(), list: List::default() });
    }

    /// Puts the palette's line under the cursor into its text, or goes to the next field of a form.
    pub fn complete(&mut self) {
        if self.next_field(true) {
            return;
        }
        let Some(Dialog::Palette { input, list }) = &self.dialog else { return };
        let rows = palette_rows(self, input.value());
        let Some(row) = usize::try_from(list.cursor).ok().and_then(|n| rows.get(n)) else { return };
        let text = match &row.argument {
            Some(value) => format!("{} {value}", row.command.name),
            None if command::argument(row.command).is_some() => format!("{} ", row.command.name),
            None => row.command.name.to_owned(),
        };
        if text == "start " {
            self.ask_session_files();
        }
        self.dialog = Some(Dialog::Palette { input: text.into(), list: List::default() });
    }

    /// Goes to the field before, in a form.
    pub fn complete_back(&mut self) {
        self.next_field(false);
    }

    /// Escape: undoes what was typed for a filter.
    pub fn cancel_dialog(&mut self) {
        if let Some(Dialog::Filter(_)) = self.dialog.take() {
            match self.screen {
                Screen::Session if self.searches_trace() => self.session.sought.clear(),
                Screen::Session => self.session.search.clear(),
                Screen::Transcripts => self.transcripts.search.clear(),
                Screen::Lab => self.lab.filter.clear(),
                Screen::Model => {
                    self.map.filter.clear();
                    self.map.sort();
                }
                Screen::Log => self.log.search.clear(),
                Screen::Findings | Screen::Stepper | Screen::Recorder => {
                    self.findings.filter.clear();
                    self.filter_findings();
                }
            }
        }
    }

    /// Leaves the cockpit, after a question if sessions end with it. Anyone who asks twice means it.
    pub fn leave(&mut self) {
        let under_way = self.view.sessions.iter().filter(|session| !session.state.is_over());
        let ending: Vec<_> = under_way.map(|session| session.id).collect();
        let asks = self.options.home.ends_with_cockpit() && !self.lab_gone && !ending.is_empty();
        if asks && !matches!(self.dialog, Some(Dialog::Quit(_))) {
            self.dialog = Some(Dialog::Quit(ending));
        } else {
            self.effect(Effect::Quit);
        }
    }

    /// Moves the cursor of a dialog's list.
    pub fn move_in_dialog(&mut self, delta: i64) {
        let len = match &self.dialog {
            Some(Dialog::Palette { input, .. }) => palette_rows(self, input.value()).len() as u64,
            Some(Dialog::Device { input, .. }) => {
                Choice::matching(input.value(), &devices(self)).len() as u64
            }
            Some(Dialog::Recording(form)) => form.choices(self).len() as u64,
            Some(Dialog::Help(_) | Dialog::Digest(..)) => u64::MAX,
            Some(Dialog::Bookmarks(_)) => self.bookmarks.rows.len() as u64,
            Some(Dialog::Start(form)) => self.start_rows(form),
            _ => return,
        };
        let list = match &mut self.dialog {
            Some(
                Dialog::Palette { list, .. }
                | Dialog::Device { list, .. }
                | Dialog::Help(list)
                | Dialog::Digest(_, list)
                | Dialog::Bookmarks(list),
            ) => Some(list),
            Some(Dialog::Recording(form)) => Some(&mut form.list),
            Some(Dialog::Start(form)) => match form.field {
                StartField::File => Some(&mut form.files),
                StartField::Devices => Some(&mut form.devices),
                StartField::Events | StartField::Time => None,
            },
            _ => None,
        };
        if let Some(list) = list {
            list.move_by(delta, len);
        }
    }
}
