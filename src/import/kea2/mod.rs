//! Kea2's result folder.
//!
//! `kea2 run` leaves `res_STAMP/` with `output_STAMP/steps.log`: a line of JSON for each event of its monkey (`Monkey`: what
//! Fastbot did, and the widget it did it to), each command of a script (`Script`: a request to uiautomator2), and each
//! property that began, passed or failed (`ScriptInfo`). Beside it lie `crash-dump.log` (`crashes`), and above it
//! `bug_report_config.json`, which names the app, and `result_STAMP.json`, which counts what became of each property.
//!
//! It keeps no screens. So a screen here is the one widget that the next event acts on, and the recording is *blind*:
//! crashes and ANRs are judged, and what Kea2 says of its properties is passed on; nothing else can be.

mod crashes;
mod step;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::ImportError;
use super::folder::Folder;
use super::recording::Recording;
use super::state::State;
use super::tape::{Broken, Frame, Reel, Take, Tape};
use crashes::Crash;
use droidmux_gui::{Event, LayoutBuilder};
use droidmux_words::printable;
use step::{Done, Step};

const STEPS: &str = "steps.log";
/// What cannot be judged, said once.
const BLIND: &str = "degraded: Kea2 keeps no screens, only the widget of each event: neither relations nor comparisons \
                     are judged, only its crashes and ANRs";

/// `bug_report_config.json`.
#[derive(Debug, Default, Deserialize)]
struct Config {
    #[serde(default, rename = "packageNames")]
    packages: Vec<String>,
}

/// What became of a property, in `result_STAMP.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Property {
    executed: u64,
    fail: u64,
    error: u64,
}

/// An event of the log, before it is known what screen it led to.
struct Entry {
    event: Event,
    before: Arc<Frame>,
    tag: String,
    /// Which of the monkey's events, from 1.
    number: u64,
}

pub(super) fn read(folder: &Folder) -> Result<Recording, ImportError> {
    let logs = logs(folder)?;
    if logs.is_empty() {
        return Err(folder.lacks("output_*/steps.log", "Kea2"));
    }
    let mut broken = Broken::default();
    let mut crashes: BTreeMap<&String, Vec<Crash>> = BTreeMap::new();
    for log in &logs {
        let file = beside(log, "crash-dump.log");
        let text = folder.has(&file).then(|| folder.text(&file)).transpose();
        crashes
            .insert(log, broken.pass(text)?.flatten().map(|text| crashes::read(&text)).unwrap_or_default());
    }
    let app = match app(folder, &mut broken, &logs)? {
        app if app.is_empty() => crashes.values().flatten().next().map(Crash::package).unwrap_or_default(),
        app => app,
    };
    let mut tape = Tape::new(folder, &app, "");
    tape.recording.is_blind = true;
    tape.recording.remarks.push(BLIND.to_owned());
    if app.is_empty() {
        tape.recording
            .remarks
            .push("no bug_report_config.json names the app: no crash is one of it".to_owned());
    }
    for log in &logs {
        properties(&mut tape, &mut broken, log)?;
        let text = broken.pass(folder.text(log))?;
        let Some(text) = text else { continue };
        read_log(&mut tape, log, &text, crashes.remove(log).unwrap_or_default())?;
    }
    tape.recording.counts.degraded = tape.recording.counts.states;
    let remarks = broken.remarks(tape.recording.counts.states == 0)?;
    tape.recording.remarks.extend(remarks);
    Ok(tape.finish())
}

/// The logs of steps in the folder, whichever of Kea2's folders it is.
fn logs(folder: &Folder) -> Result<Vec<String>, ImportError> {
    let join =
        |above: &str, name: &str| if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
    let mut places = vec![String::new()];
    for result in folder.list("", "")?.into_iter().filter(|name| name.starts_with("res_")) {
        places.push(result);
    }
    for above in places.clone() {
        let outputs = folder.list(&above, "")?;
        places
            .extend(outputs.iter().filter(|name| name.starts_with("output_")).map(|name| join(&above, name)));
    }
    places.sort();
    let logs = places.iter().map(|place| join(place, STEPS));
    Ok(logs.filter(|log| folder.has(log)).collect())
}

/// A file in the folder of a log.
fn beside(log: &str, name: &str) -> String {
    log.strip_suffix(STEPS).map_or_else(|| name.to_owned(), |place| format!("{place}{name}"))
}

/// The folder above that of a log, as a prefix of names in it.
fn above(log: &str) -> String {
    let mut parts: Vec<&str> = log.split('/').collect();
    parts.truncate(parts.len().saturating_sub(2));
    parts.iter().map(|part| format!("{part}/")).collect()
}

fn app(folder: &Folder, broken: &mut Broken, logs: &[String]) -> Result<String, ImportError> {
    const CONFIG: &str = "bug_report_config.json";
    for file in logs.iter().flat_map(|log| [format!("{}{CONFIG}", above(log)), beside(log, CONFIG)]) {
        if !folder.has(&file) {
            continue;
        }
        let config: Option<Config> = broken.pass(folder.json(&file))?;
        if let Some(package) = config.and_then(|config| config.packages.into_iter().next()) {
            return Ok(package);
        }
    }
    Ok(String::new())
}

/// Passes on what Kea2 says of its properties.
fn properties(tape: &mut Tape<'_>, broken: &mut Broken, log: &str) -> Result<(), ImportError> {
    let above = above(log);
    let place = if above.is_empty() { "" } else { above.trim_end_matches('/') };
    let names = tape.folder.list(place, ".json")?;
    for name in names.iter().filter(|name| name.starts_with("result_")) {
        let file = format!("{above}{name}");
        let results: Option<BTreeMap<String, Property>> = broken.pass(tape.folder.json(&file))?;
        let bad = results.into_iter().flatten().filter(|(_, property)| property.fail + property.error > 0);
        for (name, Property { executed, fail, error }) in bad {
            let name = printable(&name).into_owned();
            let remark =
                format!("Kea2 says of property {name}: {fail} of {executed} runs failed, {error} broke off");
            tape.recording.remarks.push(remark);
        }
    }
    Ok(())
}

fn read_log(tape: &mut Tape<'_>, log: &str, text: &str, crashes: Vec<Crash>) -> Result<(), ImportError> {
    let mut crashes = crashes;
    let mut open: Vec<Entry> = Vec::new();
    let mut part = 1;
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{log}, line {}", n + 1);
        let step = match Step::read(line) {
            Ok(step) => step,
            Err(why) => {
                tape.recording.remarks.push(format!("left out: {place}: {}", printable(&why)));
                Step::stop()
            }
        };
        let (tag, number) = (step.tag(), step.number);
        match step.done {
            Done::Event { kind, data, widget } => {
                tape.recording.counts.events += 1;
                let before = frame(tape, &place, &step.activity, widget.as_ref())?;
                let receiver = widget.and_then(|_| {
                    let first = before.state.layout.widgets().next()?;
                    Some(before.state.layout.selector(first.id()))
                });
                let event = Event { kind, receiver, data };
                open.push(Entry { event, before, tag, number });
            }
            Done::Said(remark) => tape.recording.remarks.push(format!("{place}: {remark}")),
            Done::Nothing => {}
            Done::Stop => end(tape, (log, &mut part), &mut open, &mut crashes, false)?,
            Done::Other(reason) => {
                tape.recording.counts.events += 1;
                tape.leave_out(reason);
                end(tape, (log, &mut part), &mut open, &mut crashes, false)?;
            }
        }
    }
    end(tape, (log, &mut part), &mut open, &mut crashes, true)?;
    for crash in crashes {
        let remark = format!("{log}: no event goes with {}", printable(&crash.signal.headline));
        tape.recording.remarks.push(remark);
    }
    Ok(())
}

/// The screen before an event, as far as it is known.
fn frame(
    tape: &mut Tape<'_>,
    place: &str,
    activity: &str,
    widget: Option<&step::Widget>,
) -> Result<Arc<Frame>, ImportError> {
    let mut builder = LayoutBuilder::new();
    if let Some(widget) = widget {
        builder.open(widget.new_widget(&tape.recording.app));
    }
    let app = tape.recording.app.clone();
    let mut state = State::of_dump(builder.finish(), &app, activity);
    state.package = app;
    tape.add_frame(place, place.to_owned(), state)
}

/// Keeps the events up to here as a trace, with the crashes that came with them: all that are left when `last`.
fn end(
    tape: &mut Tape<'_>,
    (log, part): (&str, &mut u32),
    open: &mut Vec<Entry>,
    crashes: &mut Vec<Crash>,
    last: bool,
) -> Result<(), ImportError> {
    let entries = std::mem::take(open);
    let Some(first) = entries.first() else { return Ok(()) };
    let name = format!("{log}, part {part}");
    *part += 1;
    let nothing = frame(tape, &format!("after {name}"), "", None)?;
    let start = first.before.clone();
    let after: Vec<Arc<Frame>> =
        entries.iter().skip(1).map(|entry| entry.before.clone()).chain([nothing]).collect();
    let mut takes = Vec::new();
    for (entry, after) in entries.into_iter().zip(after) {
        let layout = entry.before.state.layout.clone();
        takes.push((Take::exact(entry.event, after, entry.tag).resolved(&layout), entry.number));
    }
    let highest = takes.last().map_or(0, |(_, number)| *number);
    let now: Vec<Crash> =
        crashes.extract_if(.., |crash| last || crash.step.is_some_and(|step| step <= highest)).collect();
    for crash in now {
        let at = crash.step.unwrap_or(u64::MAX);
        let place = takes.iter().rposition(|(_, number)| *number <= at).unwrap_or(0);
        takes.get_mut(place).into_iter().for_each(|(take, _)| take.signals.push(crash.signal.clone()));
    }
    let takes = takes.into_iter().map(|(take, _)| take).collect();
    tape.keep_trace(name, &Reel { start, takes });
    Ok(())
}
