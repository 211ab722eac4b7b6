//! A folder of plain UI dumps.
//!
//! `*.xml`, or `*.json` as `maestro hierarchy` prints it, in the order of the numbers in their names, are the layouts of
//! one trace; a file with several dumps stands for as many of them. `events.json` beside them says what was done between
//! them:
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
//!
//! A file that cannot be read keeps its place: the trace ends before it and another begins after it, and the events that
//! led to it and from it are left out.

use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;

use super::ImportError;
use super::folder::Folder;
use super::recording::Recording;
use super::state::State;
use super::tape::{Broken, Frame, Reel, Take, Tape};
use droidmux_gui::{DeviceSetting, Dump, Event, EventKind, Layout, WidgetId, read_dumps};
use droidmux_record::{Batch, Insertion, Purpose, Role, Test, Work};
use droidmux_words::printable;

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
    /// The parts between the screens that are missing; one if none is.
    parts: Vec<Reel>,
    inserted: Option<Insertion>,
    /// Not everything that the folder tells of is in the parts.
    is_broken: bool,
}

pub(super) fn read(folder: &Folder) -> Result<Recording, ImportError> {
    let mut broken = Broken::default();
    let mut app = None;
    for sub in ["", "seed"] {
        // Broken ones are reported when the trace is read.
        app = app.or(script(folder, sub).ok().flatten());
    }
    let mut tape = Tape::new(folder, app.as_ref().map_or("", |script| &script.app), "");
    let alone = read_trace(&mut tape, &mut broken, "")?;
    let seed = read_trace(&mut tape, &mut broken, "seed")?;
    let mut mutants = Vec::new();
    for sub in folder.list("", "")?.into_iter().filter(|sub| sub.starts_with("mutant")) {
        mutants.extend(read_trace(&mut tape, &mut broken, &sub)?);
    }
    if tape.recording.counts.states == 0 {
        let lacking = folder.lacks("a dump (*.xml, *.json)", "uiautomator");
        // A folder of something else may have JSON files, too.
        let is_meant = |name: &String| {
            name.ends_with(".xml") || name.ends_with(".json") && name.contains(|c: char| c.is_ascii_digit())
        };
        let meant = folder.list("", "")?.iter().any(is_meant);
        return Err(broken.remarks(true).err().filter(|_| meant).unwrap_or(lacking));
    }
    let seed_alone = if mutants.is_empty() { seed.as_ref().map(TraceFolder::copy) } else { None };
    for trace in alone.into_iter().chain(seed_alone) {
        keep_trace(&mut tape, trace);
    }
    for mutant in mutants {
        let kept = match &seed {
            Some(seed) if !seed.is_broken && !mutant.is_broken => {
                let kept = keep_pair(&mut tape, seed, &mutant);
                broken.pass(kept)?.is_some()
            }
            Some(seed) => {
                let whose = if seed.is_broken { &seed.name } else { &mutant.name };
                let remark = format!("{}: not compared: not all of {whose}/ can be read", mutant.name);
                tape.recording.remarks.push(remark);
                false
            }
            None => {
                let remark = format!("{}: there is no seed/ to compare it with", mutant.name);
                tape.recording.remarks.push(remark);
                false
            }
        };
        if !kept {
            keep_trace(&mut tape, mutant);
        }
    }
    // A screen alone can be read and looked at; a script that fits none of them is a mistake of who wrote it.
    let nothing = tape.recording.runs.is_empty() && !broken.has_dumps();
    let remarks = broken.remarks(nothing)?;
    tape.recording.remarks.splice(0..0, remarks);
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
fn read_trace(
    tape: &mut Tape<'_>,
    broken: &mut Broken,
    sub: &str,
) -> Result<Option<TraceFolder>, ImportError> {
    let file = file_in(sub, EVENTS);
    let read = script(tape.folder, sub);
    let is_there = !matches!(read, Ok(None));
    let script = broken.pass(read)?.flatten();
    let frames = read_frames(tape, broken, sub, script.as_ref())?;
    if frames.iter().all(Option::is_none) {
        return Ok(None);
    }
    let Some(script) = script else {
        let what = if is_there { "cannot be read" } else { "is missing" };
        let remark = format!("{file} {what}: {} dumps without the events between them", frames.len());
        tape.recording.remarks.push(remark);
        return Ok(None);
    };
    if script.events.len() + 1 != frames.len() {
        let message = format!("{} events do not fit {} dumps", script.events.len(), frames.len());
        broken.pass::<()>(Err(ImportError::field(&file, "events", message)))?;
        return Ok(None);
    }
    let name = if sub.is_empty() { "dumps" } else { sub }.to_owned();
    let inserted = script.inserted.map(|i| Insertion { pivot: i.pivot, length: i.length });
    let left_out = tape.recording.counts.left_out;
    let parts = read_parts(tape, broken, &file, &frames, &script.events)?;
    let is_broken = tape.recording.counts.left_out > left_out;
    Ok(Some(TraceFolder { name, parts, inserted, is_broken }))
}

/// The screens of a trace in their order; `None` for one that cannot be read.
fn read_frames(
    tape: &mut Tape<'_>,
    broken: &mut Broken,
    sub: &str,
    script: Option<&Script>,
) -> Result<Vec<Option<Arc<Frame>>>, ImportError> {
    let names = tape.folder.list(sub, "")?;
    let is_dump = |name: &&String| name.ends_with(".xml") || (name.ends_with(".json") && *name != EVENTS);
    let mut frames = Vec::new();
    for name in names.iter().filter(is_dump) {
        let file = file_in(sub, name);
        let Some(dumps) = broken.pass(read_file(tape, &file))? else {
            frames.push(None);
            continue;
        };
        let several = dumps.len() > 1;
        for (n, dump) in dumps.into_iter().enumerate() {
            let file = if several { format!("{file}, dump {}", n + 1) } else { file.clone() };
            let activity = script.and_then(|s| s.activities.get(frames.len())).map_or("", String::as_str);
            tape.degraded(&file, &dump);
            let state = State::of_dump(dump.layout, &tape.recording.app, activity);
            frames.push(Some(tape.add_frame(&file, file.clone(), state)?));
        }
    }
    Ok(frames)
}

fn read_file(tape: &Tape<'_>, file: &str) -> Result<Vec<Dump>, ImportError> {
    read_dumps(&tape.folder.read(file)?, &tape.recording.app)
        .map_err(|source| ImportError::Dump { file: file.to_owned(), source })
}

/// The events with the screens before and after them, cut where one of these is missing or the event is impossible.
fn read_parts(
    tape: &mut Tape<'_>,
    broken: &mut Broken,
    file: &str,
    frames: &[Option<Arc<Frame>>],
    events: &[ScriptEvent],
) -> Result<Vec<Reel>, ImportError> {
    let mut parts: Vec<Reel> = Vec::new();
    let mut going_on = false;
    for (n, (event, pair)) in events.iter().zip(frames.windows(2)).enumerate() {
        let [before, after] = pair else { continue };
        tape.recording.counts.events += 1;
        let (Some(before), Some(after)) = (before, after) else {
            let side = if before.is_none() { "from" } else { "to" };
            let kind = printable(&event.event);
            tape.leave_out(format!(
                "{file}: event {} ({kind}) leads {side} a screen that cannot be read",
                n + 1
            ));
            going_on = false;
            continue;
        };
        let performed = event.event(&before.state.layout);
        let performed =
            performed.map_err(|fault| ImportError::field(file, format!("events[{n}]"), fault.to_string()));
        let Some(performed) = broken.pass(performed)? else {
            tape.leave_out(format!("{file}: event {} is impossible", n + 1));
            going_on = false;
            continue;
        };
        if !going_on {
            parts.push(Reel { start: before.clone(), takes: Vec::new() });
            going_on = true;
        }
        let take = Take::exact(performed, after.clone(), String::new()).resolved(&before.state.layout);
        parts.last_mut().into_iter().for_each(|reel| reel.takes.push(take.clone()));
    }
    Ok(parts)
}

fn keep_trace(tape: &mut Tape<'_>, trace: TraceFolder) {
    let several = trace.parts.len() > 1;
    for (n, reel) in trace.parts.iter().enumerate() {
        let name = if several { format!("{}, part {}", trace.name, n + 1) } else { trace.name.clone() };
        tape.keep_trace(name, reel);
    }
}

fn keep_pair(tape: &mut Tape<'_>, seed: &TraceFolder, mutant: &TraceFolder) -> Result<(), ImportError> {
    let file = file_in(&mutant.name, EVENTS);
    let wrong = |message: String| ImportError::field(&file, "inserted", message);
    let Some(insertion) = mutant.inserted else {
        return Err(wrong("not there: which events were inserted is unknown".to_owned()));
    };
    let ([seed], [reel]) = (seed.parts.as_slice(), mutant.parts.as_slice()) else {
        return Err(wrong("a trace without events cannot be compared".to_owned()));
    };
    let (seed_events, events) = (seed.takes.len(), reel.takes.len());
    let (pivot, length) = (usize::from(insertion.pivot), usize::from(insertion.length));
    if pivot == 0 || pivot > seed_events || length == 0 || events != seed_events + length {
        return Err(wrong(format!("{pivot} and {length} do not fit {seed_events} and {events} events")));
    }
    let mut turns = Vec::new();
    tape.play(seed, &mut turns);
    tape.play(reel, &mut turns);
    let events = |reel: &Reel| reel.takes.iter().map(|take| take.event.clone()).collect();
    let tests = vec![
        Test { role: Role::Seed, events: events(seed) },
        Test { role: Role::Mutant(insertion), events: events(reel) },
    ];
    tape.keep(
        mutant.name.clone(),
        Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests }),
        turns,
    );
    Ok(())
}

impl TraceFolder {
    fn copy(&self) -> Self {
        let Self { name, parts, inserted, is_broken } = self;
        Self { name: name.clone(), parts: parts.clone(), inserted: *inserted, is_broken: *is_broken }
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
