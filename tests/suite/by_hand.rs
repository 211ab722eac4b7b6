//! Hand-made tests on the simulated lab, and stores that hold a session of them.

use std::path::Path;
use std::sync::Arc;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, Gesture, Patience};
use droidmux::gui::{Event, EventKind, Layout};
use droidmux::record::{
    Act, FindingId, Job, JobRun, Judgement, Layouts, ReplaySettings, SessionDefinition, SessionId,
    SessionRecord, Slot, StepPlace, Test, Turn, Work,
};
use droidmux::store::{Store, StoreOptions};

use crate::device::GRANTED;
use crate::sessions::Bench;
use crate::store::fixture::{append, finished, options, session};

/// The events for doing this on a fresh app: labels of widgets to tap, `rotate`, `back`.
pub async fn events(bench: &Bench, app: &str, script: &str) -> Vec<Event> {
    let device = AdbDevice::new(Server::at(bench.sim.server_addr()), "sim-1");
    let patience = Patience::default();
    device.prepare(&patience).await.unwrap();
    device.begin(app, GRANTED, &patience).await.unwrap();
    let mut events = Vec::new();
    for word in script.split(", ") {
        let layout = device.layout(10, &patience).await.unwrap().layout;
        let (event, gesture) = match word {
            "rotate" => (Event::global(EventKind::Rotate), Gesture::Rotate),
            "back" => (Event::global(EventKind::Back), Gesture::Key(droidmux::device::Key::Back)),
            label => tap(&layout, label),
        };
        device.perform(&gesture, &patience).await.unwrap();
        events.push(event);
    }
    device.restore(&patience).await.unwrap();
    events
}

fn tap(layout: &Layout, label: &str) -> (Event, Gesture) {
    let labelled = layout.widgets().find(|widget| widget.text() == label || widget.description() == label);
    let widget = labelled.unwrap_or_else(|| panic!("nothing is labelled {label:?} on {layout:?}"));
    let takes = std::iter::once(widget)
        .chain(widget.ancestors())
        .find(|widget| layout.events().contains(&(EventKind::Click, widget.id())))
        .unwrap_or(widget);
    let event = Event::on(EventKind::Click, layout.selector(takes.id()));
    (event, Gesture::Tap(takes.bounds().center()))
}

/// Runs these tests once as one batch; returns the run and what the session's oracles say about it.
pub async fn run(bench: &Bench, definition: &SessionDefinition, tests: Vec<Test>) -> (JobRun, Judgement) {
    let finding = FindingId { session: SessionId(1), key: 0 };
    let replay = Some(ReplaySettings { finding, key: String::new(), times: 1, tests });
    let definition = SessionDefinition { replay, ..definition.clone() };
    let (outcome, runs) = bench.run(&definition, 1).await;
    let judgement = bench.lab.store().judgement(outcome.session, Slot(0)).unwrap().unwrap();
    (JobRun::clone(&runs[0]), judgement)
}

/// A store in this folder with one session of these runs, as if it had planned them itself.
pub async fn keep(
    folder: &Path,
    definition: &SessionDefinition,
    runs: Vec<(JobRun, Work, Judgement)>,
    layouts: &dyn Layouts,
) -> (Store, SessionId) {
    let store = Store::open(folder, StoreOptions { ..options() }).unwrap();
    let record = SessionRecord { definition: definition.clone(), ..session() };
    let id = store.create_session(&record).unwrap();
    for (slot, (mut run, work, mut judgement)) in (0..).zip(runs) {
        run.job = Job { slot: Slot(slot), work, ..run.job };
        judgement.verdicts.iter_mut().for_each(|verdict| verdict.slot = Slot(slot));
        store.put_job(id, &run.job).unwrap();
        let mut turns = append(id, slot, 0, run.turns.clone());
        for turn in &mut turns.turns {
            // Screenshots stay where they were taken.
            if let droidmux::record::Observation::Seen(seen) = &mut turn.observation {
                seen.screenshot = None;
            }
        }
        let seen = run.turns.iter().filter_map(|turn| turn.observation.seen());
        let hashes: std::collections::BTreeSet<_> = seen.map(|seen| seen.screen.layout).collect();
        turns.layouts =
            hashes.into_iter().filter_map(|hash| layouts.layout(hash)).collect::<Vec<Arc<Layout>>>();
        turns.steps = places(&run);
        store.append(turns).await.unwrap();
        store.finish_job(id, &finished(&run)).unwrap();
        store.put_judgement(id, Slot(slot), &judgement).unwrap();
    }
    (store, id)
}

/// Where the steps of a run are in its session's log.
fn places(run: &JobRun) -> Vec<StepPlace> {
    let (mut test, mut event, mut steps) = (0, 0, Vec::new());
    let is_step = |turn: &Turn| matches!(turn.act, Act::Reset | Act::Perform(_));
    for (number, turn) in (0..).zip(&run.turns).filter(|(_, turn)| is_step(turn)) {
        (test, event) = if turn.act == Act::Reset { (test + 1, 0) } else { (test, event + 1) };
        let device = run.device.serial.clone();
        steps.push(StepPlace { slot: run.job.slot, attempt: 1, turn: number, test: test - 1, event, device });
    }
    steps
}
