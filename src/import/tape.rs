//! Combining states and events into job runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::event::{Deed, EventFile};
use super::folder::Folder;
use super::recording::{Recorded, Recording};
use super::state::{State, StateFile};
use super::{ImportError, clock};
use droidmux_gui::{Dump, Event, Layout, LayoutHash, Resolution};
use droidmux_record::{
    Act, AppBuild, Choice, DeviceInfo, Explore, Goal, Job, JobRun, Observation, Screen, Seen, Signal, Slot,
    Turn, Work,
};

/// The folders that may hold the states of an exploration: DroidBot's and Genie's, Kea's.
pub(super) const STATES: [&str; 2] = ["states", "all_states"];
/// The most states kept from one recording.
const MAX_STATES: usize = 100_000;

/// A screen of the recording.
#[derive(Debug)]
pub(super) struct Frame {
    /// The tool's own name for the state.
    pub name: String,
    pub state: State,
    pub hash: LayoutHash,
}

/// A step: an event and the screen it led to.
#[derive(Clone, Debug)]
pub(super) struct Take {
    pub event: Event,
    pub resolution: Option<Resolution>,
    pub after: Arc<Frame>,
    /// Contains the time.
    pub tag: String,
    /// Crashes and ANRs that came with it.
    pub signals: Vec<Signal>,
}

/// One test or trace.
#[derive(Clone, Debug)]
pub(super) struct Reel {
    pub start: Arc<Frame>,
    pub takes: Vec<Take>,
}

/// Reads each state once and collects the contents of the recording.
pub(super) struct Tape<'a> {
    pub folder: &'a Folder,
    pub device: DeviceInfo,
    pub recording: Recording,
    frames: BTreeMap<String, Arc<Frame>>,
    /// Why events were left out, and how many for each reason.
    reasons: BTreeMap<String, u64>,
    /// A file with a state could not be read.
    lost_states: bool,
}

impl<'a> Tape<'a> {
    pub(super) fn new(folder: &'a Folder, app: &str, serial: &str) -> Self {
        let recording = Recording { app: app.to_owned(), ..Recording::default() };
        let device = DeviceInfo { serial: serial.to_owned(), ..DeviceInfo::default() };
        Self {
            folder,
            device,
            recording,
            frames: BTreeMap::new(),
            reasons: BTreeMap::new(),
            lost_states: false,
        }
    }

    /// A state file, read when it is first asked for.
    pub(super) fn frame(&mut self, file: &str) -> Result<Arc<Frame>, ImportError> {
        if let Some(frame) = self.frames.get(file) {
            return Ok(frame.clone());
        }
        let read: StateFile = self.folder.json(file)?;
        let state = read.state(file)?;
        self.add_frame(file, read.state_str, state)
    }

    pub(super) fn add_frame(
        &mut self,
        file: &str,
        name: String,
        state: State,
    ) -> Result<Arc<Frame>, ImportError> {
        if self.frames.len() >= MAX_STATES {
            let (file, limit) = (file.to_owned(), MAX_STATES);
            return Err(ImportError::TooMany { file, what: "states", limit });
        }
        let hash = self.recording.layouts.add(state.layout.clone());
        let frame = Arc::new(Frame { name, state, hash });
        self.frames.insert(file.to_owned(), frame.clone());
        self.recording.counts.states += 1;
        Ok(frame)
    }

    /// Remarks on what a tool cannot see on a screen.
    pub(super) fn degraded(&mut self, file: &str, dump: &Dump) {
        self.recording.counts.degraded += u64::from(dump.is_degraded());
        for note in dump.notes.iter().filter(|note| note.is_degrading()) {
            self.recording.remarks.push(format!("degraded: {file}: {note}"));
        }
    }

    pub(super) fn leave_out(&mut self, reason: impl Into<String>) {
        self.recording.counts.left_out += 1;
        *self.reasons.entry(reason.into()).or_default() += 1;
    }

    /// The traces in `events/` and [`STATES`]: events form one trace as long as each begins in the state the previous
    /// one led to and the app is not stopped.
    pub(super) fn explore(&mut self) -> Result<(), ImportError> {
        let folder = self.states_folder()?;
        let states = self.read_states(folder)?;
        let mut broken = Broken::default();
        let mut reel: Option<(Reel, String)> = None;
        for name in self.folder.list("events", ".json")? {
            let read = self.folder.json::<EventFile>(&format!("events/{name}"));
            let Some(event) = broken.pass(read)? else {
                self.leave_out("their file is broken");
                self.end(reel.take());
                continue;
            };
            self.recording.counts.events += 1;
            let before = states.get(&event.start_state);
            let (Some(before), Some(after)) = (before, states.get(&event.stop_state)) else {
                let whole = if self.lost_states { "that can be read " } else { "" };
                self.leave_out(format!("a state they name has no file {whole}in {folder}/"));
                self.end(reel.take());
                continue;
            };
            let deed = event.deed(&before.state);
            let follows = reel.as_ref().is_some_and(|(_, last)| *last == event.start_state);
            if !follows {
                self.end(reel.take());
            }
            let performed = match deed {
                Deed::Stop => {
                    self.end(reel.take());
                    continue;
                }
                Deed::Other(reason) => {
                    self.leave_out(reason);
                    self.end(reel.take());
                    continue;
                }
                Deed::Start if reel.is_none() => {
                    let start = Reel { start: after.clone(), takes: Vec::new() };
                    reel = Some((start, event.stop_state));
                    continue;
                }
                Deed::Start => Event::global(droidmux_gui::EventKind::Launch),
                Deed::Event(event) => event,
            };
            let fresh = || (Reel { start: before.clone(), takes: Vec::new() }, String::new());
            let (reel, last) = reel.get_or_insert_with(fresh);
            let take = Take::exact(performed, after.clone(), event.tag).resolved(&before.state.layout);
            reel.takes.push(take);
            *last = event.stop_state;
        }
        self.end(reel);
        self.recording.remarks.extend(broken.remarks(self.recording.counts.events == 0)?);
        Ok(())
    }

    /// The folder with the states: if there are several, the first that contains any.
    fn states_folder(&self) -> Result<&'static str, ImportError> {
        for folder in STATES {
            if !self.folder.list(folder, ".json")?.is_empty() {
                return Ok(folder);
            }
        }
        let [first, ..] = STATES;
        Ok(STATES.into_iter().find(|folder| self.folder.has(folder)).unwrap_or(first))
    }

    /// All states of a folder by their names; if several have the same name, the first counts.
    fn read_states(&mut self, folder: &str) -> Result<BTreeMap<String, Arc<Frame>>, ImportError> {
        let mut states = BTreeMap::new();
        let mut broken = Broken::default();
        for name in self.folder.list(folder, ".json")? {
            if let Some(frame) = broken.pass(self.frame(&format!("{folder}/{name}")))? {
                states.entry(frame.name.clone()).or_insert(frame);
            }
        }
        let remarks = broken.remarks(states.is_empty())?;
        self.lost_states |= !remarks.is_empty();
        self.recording.remarks.extend(remarks);
        Ok(states)
    }

    /// Keeps a trace if it has steps.
    fn end(&mut self, reel: Option<(Reel, String)>) {
        let Some((reel, _)) = reel.filter(|(reel, _)| !reel.takes.is_empty()) else { return };
        let name = format!("trace from {}", reel.takes.first().map_or("", |take| &take.tag));
        self.keep_trace(name, &reel);
    }

    /// Keeps a trace that is compared with no other.
    pub(super) fn keep_trace(&mut self, name: String, reel: &Reel) {
        let events = u32::try_from(reel.takes.len()).unwrap_or(u32::MAX);
        let work = Work::Explore(Explore::new(Goal::Mine, Choice::Random, events));
        let mut turns = Vec::new();
        self.play(reel, &mut turns);
        self.keep(name, work, turns);
    }

    /// The turns of a test: a reset and its steps.
    pub(super) fn play(&self, reel: &Reel, turns: &mut Vec<Turn>) {
        let at = |tag: &str| clock::millis(tag);
        let first = reel.takes.first().map_or(0, |take| at(&take.tag));
        turns.push(self.turn(Act::Reset, (None, Vec::new()), &reel.start, first));
        for take in &reel.takes {
            let act = Act::Perform(take.event.clone());
            let seen = (take.resolution, take.signals.clone());
            turns.push(self.turn(act, seen, &take.after, at(&take.tag)));
        }
    }

    fn turn(
        &self,
        act: Act,
        (resolution, signals): (Option<Resolution>, Vec<Signal>),
        frame: &Frame,
        at_ms: u64,
    ) -> Turn {
        let screen = Screen {
            layout: frame.hash,
            package: frame.state.package.clone(),
            activity: frame.state.activity.clone(),
            in_app: self.recording.app.is_empty() || frame.state.package == self.recording.app,
            rotation: frame.state.layout.rotation(),
            keyboard: false,
        };
        let seen = Seen {
            screen,
            settling: droidmux_record::Settling::Strict,
            dumps: 2,
            toast: None,
            hears_toasts: false,
            resolution,
            signals,
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        };
        Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms, took_ms: 0 }
    }

    /// Adds a run, numbered in the order of reading.
    pub(super) fn keep(&mut self, name: String, work: Work, turns: Vec<Turn>) -> &mut Recorded {
        let runs = &mut self.recording.runs;
        let job = Job { slot: Slot(runs.len() as u64), rng: 0, work };
        let app = AppBuild { package: self.recording.app.clone(), ..AppBuild::default() };
        let run = JobRun { job, attempt: 1, device: self.device.clone(), app, turns };
        let at = runs.len();
        runs.push(Recorded { name, run, published: None });
        &mut runs[at]
    }

    pub(super) fn finish(mut self) -> Recording {
        let remark = |(reason, count): (String, u64)| format!("{count} events left out: {reason}");
        self.recording.remarks.extend(self.reasons.into_iter().map(remark));
        self.recording.finish()
    }
}

/// Broken files of a recording: a tool that was killed leaves one behind, and the others are still worth reading.
#[derive(Default)]
pub(super) struct Broken(Vec<ImportError>);

impl Broken {
    /// What was read; `None` for a file that is wrong or cannot be read. What is wrong with the folder stays an error.
    pub(super) fn pass<T>(&mut self, read: Result<T, ImportError>) -> Result<Option<T>, ImportError> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(
                error @ (ImportError::Missing { .. }
                | ImportError::NotAFolder { .. }
                | ImportError::TooMany { .. }),
            ) => Err(error),
            Err(error) => {
                self.0.push(error);
                Ok(None)
            }
        }
    }

    /// True when one of them was to be a dump.
    pub(super) fn has_dumps(&self) -> bool {
        self.0.iter().any(|error| matches!(error, ImportError::Dump { .. }))
    }

    /// The remarks to make. The first of the errors when there was nothing else.
    pub(super) fn remarks(self, nothing_else: bool) -> Result<Vec<String>, ImportError> {
        let mut errors = self.0.into_iter();
        match errors.next() {
            Some(first) if nothing_else => Err(first),
            first => Ok(first.into_iter().chain(errors).map(|error| format!("left out: {error}")).collect()),
        }
    }
}

impl Take {
    /// A step whose event was made from the very layout it acted on.
    pub(super) fn exact(event: Event, after: Arc<Frame>, tag: String) -> Self {
        Self { resolution: None, event, after, tag, signals: Vec::new() }
    }

    /// The same, with how its receiver is found on the layout before.
    pub(super) fn resolved(mut self, before: &Layout) -> Self {
        self.resolution = self.event.receiver.as_ref().map(|selector| before.resolve(selector));
        self
    }
}
