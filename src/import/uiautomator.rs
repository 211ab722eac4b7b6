//! A folder of plain UI dumps.
//!
//! `*.xml`, in the order of the numbers in their names, are the layouts of one trace. `events.json`
//! beside them says what was done between them:
//!
//! ```json
//! { "app": "com.example", "activities": ["com.example.Main", "com.example.Main"],
//!   "events": [{ "event": "click", "widget": 3 }] }
//! ```
//!
//! Event n acts on dump n; the widget is its number in document order from 0, as `droidmux dump
//! --json` prints it; `text` is the text of an edit, the value of a setting, or how many seconds
//! were waited. Kinds of events are named as in reports: `relaunch`, `set-dark`. With the sub-folders
//! `seed` and `mutant…` each holding a trace, the mutants are compared with the seed; a mutant's
//! `events.json` then has `"inserted": { "pivot": K, "length": M }`: M events inserted before the seed's
//! event K (from 1).

use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;

use super::ImportError;
use super::folder::Folder;
use super::recording::Recording;
use super::state::State;
use super::tape::{Frame, Reel, Take, Tape};
use droidmux_gui::{DeviceSetting, Event, EventKind, Layout, WidgetId, read_dump};
use droidmux_record::{Batch, Choice, Explore, Goal, Insertion, Purpose, Role, Test, Work};

const EVENTS: &str = "events.json";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    #[serde(default)]
    app: String,
    /// One for each dump; if there are fewer, the remaining dumps have none.
    #[serde(default)]
    activities: Vec<String>,
    events: Vec<ScriptEvent>,
    #[serde(default)]
    inserted: Option<Inserted>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptEvent {
    event: String,
    #[serde(default)]
    widget: Option<u32>,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inserted {
    pivot: u16,
    length: u16,
}

/// A trace folder as read.
struct TraceFolder {
    name: String,
    reel: Reel,
    inserted: Option<Insertion>,
}

pub(super) fn read(folder: &Folder) -> Result<Recording, ImportError> {
    let app = ["", "seed"].into_iter().find_map(|sub| script(folder, sub).transpose()).transpose()?;
    let mut tape = Tape::new(folder, app.as_ref().map_or("", |script| &script.app), "");
    let alone = read_trace(&mut tape, "")?;
    let seed = read_trace(&mut tape, "seed")?;
    let mut mutants = Vec::new();
    for sub in folder.list("", "")?.into_iter().filter(|sub| sub.starts_with("mutant")) {
        mutants.extend(read_trace(&mut tape, &sub)?);
    }
    if tape.recording.counts.states == 0 {
        return Err(folder.lacks("a dump (*.xml)", "uiautomator"));
    }
    for trace in
        alone.into_iter().chain(if mutants.is_empty() { seed.as_ref().map(TraceFolder::copy) } else { None })
    {
        keep_trace(&mut tape, trace);
    }
    for mutant in mutants {
        match &seed {
            Some(seed) => keep_pair(&mut tape, seed, mutant)?,
            None => {
                let remark = format!("{}: there is no seed/ to compare it with", mutant.name);
                tape.recording.remarks.push(remark);
                keep_trace(&mut tape, mutant);
            }
        }
    }
    Ok(tape.finish())
}

fn file_in(sub: &str, name: &str) -> String {
    if sub.is_empty() { name.to_owned() } else { format!("{sub}/{name}") }
}

fn script(folder: &Folder, sub: &str) -> Result<Option<Script>, ImportError> {
    let file = file_in(sub, EVENTS);
    if folder.has(&file) { folder.json(&file).map(Some) } else { Ok(None) }
}

/// The trace in a sub-folder; `None` when it has no dumps, or no events to go with them.
fn read_trace(tape: &mut Tape<'_>, sub: &str) -> Result<Option<TraceFolder>, ImportError> {
    let script = script(tape.folder, sub)?;
    let mut frames = Vec::new();
    for name in tape.folder.list(sub, ".xml")? {
        let activity =
            script.as_ref().and_then(|s| s.activities.get(frames.len())).map_or("", String::as_str);
        frames.push(read_frame(tape, &file_in(sub, &name), activity)?);
    }
    let Some(start) = frames.first().cloned() else { return Ok(None) };
    let file = file_in(sub, EVENTS);
    let Some(script) = script else {
        let remark = format!("{file} is missing: {} dumps without the events between them", frames.len());
        tape.recording.remarks.push(remark);
        return Ok(None);
    };
    if script.events.len() + 1 != frames.len() {
        let message = format!("{} events do not fit {} dumps", script.events.len(), frames.len());
        return Err(ImportError::field(&file, "events", message));
    }
    let mut takes = Vec::new();
    for (n, (event, pair)) in script.events.iter().zip(frames.windows(2)).enumerate() {
        let [before, after] = pair else { continue };
        let event = event
            .event(&before.state.layout)
            .map_err(|fault| ImportError::field(&file, format!("events[{n}]"), fault.to_string()))?;
        takes.push(Take::exact(event, after.clone(), String::new()).resolved(&before.state.layout));
        tape.recording.counts.events += 1;
    }
    let inserted = script.inserted.map(|i| Insertion { pivot: i.pivot, length: i.length });
    let name = if sub.is_empty() { "dumps" } else { sub }.to_owned();
    Ok(Some(TraceFolder { name, reel: Reel { start, takes }, inserted }))
}

fn read_frame(tape: &mut Tape<'_>, file: &str, activity: &str) -> Result<Arc<Frame>, ImportError> {
    let dump = read_dump(&tape.folder.read(file)?)
        .map_err(|source| ImportError::Dump { file: file.to_owned(), source })?;
    for note in dump.notes.iter().filter(|note| note.is_degrading()) {
        tape.recording.remarks.push(format!("{file}: {note}"));
    }
    tape.add_frame(file, file.to_owned(), State::of_dump(dump.layout, activity))
}

fn keep_trace(tape: &mut Tape<'_>, trace: TraceFolder) {
    let events = u32::try_from(trace.reel.takes.len()).unwrap_or(u32::MAX);
    let mut turns = Vec::new();
    tape.play(&trace.reel, &mut turns);
    let work = Work::Explore(Explore::new(Goal::Mine, Choice::Random, events));
    tape.keep(trace.name, work, turns);
}

fn keep_pair(tape: &mut Tape<'_>, seed: &TraceFolder, mutant: TraceFolder) -> Result<(), ImportError> {
    let file = file_in(&mutant.name, EVENTS);
    let wrong = |message: String| ImportError::field(&file, "inserted", message);
    let Some(insertion) = mutant.inserted else {
        return Err(wrong("not there: which events were inserted is unknown".to_owned()));
    };
    let (seed_events, events) = (seed.reel.takes.len(), mutant.reel.takes.len());
    let (pivot, length) = (usize::from(insertion.pivot), usize::from(insertion.length));
    if pivot == 0 || pivot > seed_events || length == 0 || events != seed_events + length {
        return Err(wrong(format!("{pivot} and {length} do not fit {seed_events} and {events} events")));
    }
    let mut turns = Vec::new();
    tape.play(&seed.reel, &mut turns);
    tape.play(&mutant.reel, &mut turns);
    let events = |reel: &Reel| reel.takes.iter().map(|take| take.event.clone()).collect();
    let tests = vec![
        Test { role: Role::Seed, events: events(&seed.reel) },
        Test { role: Role::Mutant(insertion), events: events(&mutant.reel) },
    ];
    tape.keep(mutant.name, Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests }), turns);
    Ok(())
}

impl TraceFolder {
    fn copy(&self) -> Self {
        Self { name: self.name.clone(), reel: self.reel.clone(), inserted: self.inserted }
    }
}

/// Why an event of the script cannot have been performed.
#[derive(Debug, Error)]
enum Impossible {
    #[error("`{0}` is no event")]
    Event(String),
    #[error("the dump has no widget {0}")]
    Widget(u32),
    #[error("{0} needs a widget")]
    NoWidget(String),
}

impl ScriptEvent {
    fn event(&self, before: &Layout) -> Result<Event, Impossible> {
        let kind = kind(&self.event).ok_or_else(|| Impossible::Event(self.event.clone()))?;
        let on_widget = !kind.is_navigation() && !matches!(kind, EventKind::Enter | EventKind::Wait);
        let receiver = match self.widget {
            Some(widget) if before.get(WidgetId(widget)).is_some() => Some(before.selector(WidgetId(widget))),
            Some(widget) => return Err(Impossible::Widget(widget)),
            None if on_widget => return Err(Impossible::NoWidget(self.event.clone())),
            None => None,
        };
        Ok(Event { kind, receiver, data: self.text.clone() })
    }
}

fn kind(name: &str) -> Option<EventKind> {
    let settings = [
        DeviceSetting::Dark,
        DeviceSetting::Language,
        DeviceSetting::FontSize,
        DeviceSetting::Network,
        DeviceSetting::Clock,
    ];
    let set = || settings.map(EventKind::Set).into_iter().find(|kind| kind.name() == name);
    EventKind::named(name).or_else(set)
}
