//! Internet radio: stations, a player at the foot of the list, a history.
//!
//! Modelled on Transistor ("Fully Automated Functional Fuzzing" and "Property-Based Fuzzing") and
//! RadioDroid (both too). One station plays at a time; one that is deleted while it plays goes on until it
//! is paused.

use stations::{History, Player, Station, StationId, Stations};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
    Throwable, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod pages;
mod stations;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.radio",
    label: "Radio",
    version_name: "4.0.7",
    version_code: 92,
    activities: &[MAIN, EDIT, HISTORY, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "MainActivity";
const EDIT: &str = "EditStationActivity";
const HISTORY: &str = "HistoryActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const INDICATOR_STAYS: Defect = Defect {
    id: "radio.indicator-stays",
    kind: DefectKind::InconsistentState,
    what: "a station renamed while it plays stays marked as playing when it is paused",
    seed: "Fully Automated Functional Fuzzing: Transistor, the playing indicator stays after rename and pause",
};
const HISTORY_MISSES: Defect = Defect {
    id: "radio.history-misses",
    kind: DefectKind::WrongDisplay,
    what: "the history misses stations that do not tell what they play, such as added ones",
    seed: "Fully Automated Functional Fuzzing: RadioDroid, the history of stations misses items that the track history has",
};
const HISTORY_LONG_PRESS: Defect = Defect {
    id: "radio.history-long-press",
    kind: DefectKind::Crash,
    what: "a long touch on a track of the history crashes the app",
    seed: "Property-Based Fuzzing: RadioDroid, long pressing the radio information in the history causes a crash",
};
const NEXT_KEY: Defect = Defect {
    id: "radio.next-key",
    kind: DefectKind::Crash,
    what: "the keyboard's next key in the name of a station crashes the app",
    seed: "Property-Based Fuzzing: Transistor, pressing the keyboard's next key while editing causes a crash",
};
const UNDO_COPY: Defect = Defect {
    id: "radio.undo-copy",
    kind: DefectKind::InconsistentState,
    what: "undoing the deletion of the playing station brings it back without its playing mark",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, inconsistent GUI state; Property-Based Fuzzing: ActivityDiary, recovery after deletion",
};
const SLEEP_FORGETS: Defect = Defect {
    id: "radio.sleep-forgets",
    kind: DefectKind::FunctionLost,
    what: "the station that plays is gone from the foot of the list after the screen was off",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: playing ends when the screen goes off, and its place is lost",
};
const DEFECTS: &[Defect] =
    &[INDICATOR_STAYS, HISTORY_MISSES, HISTORY_LONG_PRESS, NEXT_KEY, UNDO_COPY, SLEEP_FORGETS];

const TRAPS: &[Trap] = &[
    Trap {
        id: "radio.history-cap",
        what: "the history keeps three stations: playing a fourth pushes the oldest out",
    },
    Trap {
        id: "radio.one-at-a-time",
        what: "playing a station takes the mark from the one that played before",
    },
    Trap { id: "radio.undo-left", what: "the offer to undo a deletion goes when the app leaves the screen" },
];

/// The radio, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Radio::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Radio {
    stations: Stations,
    player: Player,
    history: History,
    only_favourites: bool,
    show_tracks: bool,
    /// What was deleted last and its place, while it can be brought back.
    undo: Option<(usize, Station)>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Play(StationId),
    PlayPause,
    Star(StationId),
    Menu(StationId),
    New,
    Edit(StationId),
    NextField,
    Save,
    Delete(StationId),
    Undo,
    Favourites(bool),
    History,
    Tab(&'static str),
    HistoryMenu(usize),
    TrackMenu(usize),
    Replay(usize),
    RemoveStation(usize),
    RemoveTrack(usize),
    ClearHistory,
    ToggleTracks,
    Settings,
    About,
}

impl Radio {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            stations: Stations::new(),
            player: Player::default(),
            history: History::default(),
            only_favourites: false,
            show_tracks: true,
            undo: None,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Play(station) if self.player.on && self.player.station == Some(station) => self.pause(),
            Action::Play(station) => self.play(station),
            Action::PlayPause if self.player.on => self.pause(),
            Action::PlayPause => self.resume(),
            Action::Star(station) => self.stations.change(station, |s| s.favourite = !s.favourite),
            Action::Menu(station) => pages::menu(station, ctx),
            Action::New => ctx.start(EDIT, ""),
            Action::Edit(station) => ctx.start(EDIT, station.0),
            Action::NextField if self.errs(&NEXT_KEY, true) => ctx.crash(no_focus()),
            Action::NextField => ctx.focus(pages::URL),
            Action::Save => self.save(ctx),
            Action::Delete(station) => self.undo = self.stations.remove(station),
            Action::Undo => self.bring_back(undo),
            Action::Favourites(only) => self.only_favourites = only,
            Action::History => ctx.start(HISTORY, ""),
            Action::Tab(tab) => ctx.save("tab", tab),
            Action::HistoryMenu(at) => ctx.popup(vec![
                ("Play".into(), Action::Replay(at)),
                ("Remove".into(), Action::RemoveStation(at)),
            ]),
            Action::TrackMenu(_) if self.errs(&HISTORY_LONG_PRESS, true) => ctx.crash(no_station()),
            Action::TrackMenu(at) => ctx.popup(vec![("Remove".into(), Action::RemoveTrack(at))]),
            Action::Replay(at) => {
                let name = self.history.stations.get(at);
                match name.and_then(|name| self.stations.named(name)).map(|station| station.id) {
                    Some(station) => self.play(station),
                    None => ctx.toast("This station was deleted or renamed"),
                }
            }
            Action::RemoveStation(at) => remove(&mut self.history.stations, at),
            Action::RemoveTrack(at) => remove(&mut self.history.tracks, at),
            Action::ClearHistory => self.history = History::default(),
            Action::ToggleTracks => self.show_tracks = !self.show_tracks,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn play(&mut self, station: StationId) {
        let Some(found) = self.stations.get(station) else { return };
        let (name, songs) = (found.name.clone(), found.songs);
        // Each time a station is started it plays its next song.
        let song = songs.get(found.plays % songs.len().max(1)).copied();
        self.stations.change(station, |station| station.plays += 1);
        self.player = Player {
            station: Some(station),
            name: name.clone(),
            on: true,
            marked: Some(station),
            began_as: name.clone(),
            song,
        };
        // The wrong history is written when the first track is reported.
        let misses = song.is_none() && self.history.stations.first() != Some(&name);
        if !self.errs(&HISTORY_MISSES, misses) {
            self.history.note(&name);
        }
        if let Some(song) = song {
            self.history.note_track(song, &name);
        }
    }

    fn resume(&mut self) {
        self.player.on = true;
        self.player.marked = self.player.station;
    }

    fn pause(&mut self) {
        self.player.on = false;
        // The wrong player looks for the row to unmark by the name it began with.
        let renamed = self.stations.named(&self.player.began_as).is_none();
        if !self.errs(&INDICATOR_STAYS, renamed && self.player.marked.is_some()) {
            self.player.marked = None;
        }
    }

    fn bring_back(&mut self, undo: Option<(usize, Station)>) {
        let Some((at, mut station)) = undo else { return };
        if self.errs(&UNDO_COPY, true) {
            station.id = self.stations.new_id();
        }
        self.stations.restore(at, station);
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let (name, url) = (ctx.field(pages::NAME).trim().to_owned(), ctx.field(pages::URL).trim().to_owned());
        if name.is_empty() {
            return ctx.toast("A station needs a name");
        }
        match ctx.page().argument_number().map(StationId) {
            Some(id) => {
                if self.player.station == Some(id) {
                    self.player.name.clone_from(&name);
                }
                self.stations.change(id, |station| (station.name, station.url) = (name, url));
            }
            None => self.stations.add(&name, &url, &[]),
        }
        ctx.finish();
    }
}

fn remove<T>(list: &mut Vec<T>, at: usize) {
    if at < list.len() {
        list.remove(at);
    }
}

fn no_focus() -> Throwable {
    Throwable {
        class: "java.lang.IllegalStateException",
        message: "focus search returned a view that wasn't able to take focus!".into(),
        frames: vec![
            "android.widget.TextView.onEditorAction(TextView.java:6412)",
            "org.droidmux.radio.EditStationActivity.onEditorAction(EditStationActivity.java:78)",
        ],
    }
}

fn no_station() -> Throwable {
    Throwable {
        class: "java.lang.NullPointerException",
        message: "Attempt to read from field 'java.lang.String StationUuid' on a null object reference"
            .into(),
        frames: vec![
            "org.droidmux.radio.TrackHistoryAdapter.openMenu(TrackHistoryAdapter.java:143)",
            "org.droidmux.radio.TrackHistoryAdapter$1.onLongClick(TrackHistoryAdapter.java:96)",
        ],
    }
}

impl App for Radio {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            EDIT => pages::edit(page),
            HISTORY => pages::history(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::list(self),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Hidden => {
                self.undo = None;
                if self.errs(&SLEEP_FORGETS, self.player.station.is_some()) {
                    // The page that goes takes the player with it, which the service would need.
                    self.player = Player::default();
                }
            }
            Input::Opened { again: false } if ctx.page().activity() == EDIT => {
                let id = ctx.page().argument_number().map(StationId);
                if let Some(station) = id.and_then(|id| self.stations.get(id)) {
                    ctx.set_field(pages::NAME, &station.name);
                    ctx.set_field(pages::URL, &station.url);
                }
            }
            _ => {}
        }
    }

    fn keeps_running(&self) -> bool {
        self.player.on
    }

    fn on_back(&mut self, _ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        false
    }

    fn process_died(&mut self) {
        // What plays last is kept; nothing plays any more.
        self.player = Player { on: false, marked: None, ..std::mem::take(&mut self.player) };
        self.undo = None;
    }
}
