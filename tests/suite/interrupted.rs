//! Sessions that are interrupted and continued, in one process: what is compared before they continue, and why they are
//! refused.

use droidmux::technique::GenieSettings;
use std::time::Duration;

use droidmux::lab::{Lab, LabError, SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use droidmux::proto::{LogLens, Reply, Request, SessionState, SessionView};
use droidmux::record::{Act, Handling, Job, SessionDefinition, SessionId, Slot};
use droidmux::sim::{SimOptions, apps};
use droidmux::store::Finished;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::sessions::{Bench, session};

fn short() -> SessionDefinition {
    let mut definition = session("notes-monkey.toml");
    definition.run.max_events = 160;
    definition.settings.change(|genie: &mut GenieSettings| genie.episode_events = 10);
    definition.run.patience = 1;
    definition
}

async fn bench(devices: u16) -> Bench {
    Bench::new(SimOptions { devices, steady: true, ..SimOptions::with_apps(apps::all()) }).await
}

/// Runs a session and stops it in the middle.
async fn interrupt(bench: &Bench) -> SessionId {
    let (id, stop) = (SessionId(1), CancellationToken::new());
    let options = SessionOptions { rng: 3, stop: stop.clone(), ..SessionOptions::default() };
    let (hub, watched) = (bench.lab.hub().clone(), stop.clone());
    tokio::spawn(async move {
        while hub.steps(id) < 60 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        watched.cancel();
    });
    let outcome = bench.lab.run(short(), options).await.unwrap();
    assert_eq!(outcome.end, SessionEnd::Stopped);
    id
}

async fn refusal(bench: &Bench, id: SessionId) -> String {
    let error = bench.lab.resume(id, SessionOptions::default()).await.err();
    error.map(|error| error.to_string()).unwrap_or_default()
}

/// Records other builds for all finished runs of a session.
fn rewrite(bench: &Bench, id: SessionId, change: impl Fn(&mut Finished)) {
    let store = bench.lab.store();
    for run in store.runs(id) {
        let run = run.unwrap();
        let mut finished = Finished {
            slot: run.job.slot,
            attempt: run.attempt,
            device: run.device.clone(),
            app: run.app.clone(),
        };
        change(&mut finished);
        store.finish_job(id, &finished).unwrap();
    }
}

type Told = Vec<(Slot, Vec<Act>)>;

async fn listen(mut events: mpsc::Receiver<SessionEvent>) -> Told {
    let mut told = Vec::new();
    while let Some(event) = events.recv().await {
        if let SessionEvent::Absorbed { run, .. } = event {
            told.push((run.job.slot, run.turns.iter().map(|turn| turn.act.clone()).collect()));
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_was_stopped_goes_on_and_tells_all_of_itself() {
    let undisturbed = {
        let bench = bench(2).await;
        let (events, listener) = mpsc::channel(64);
        let options = SessionOptions { rng: 3, events: Some(events), ..SessionOptions::default() };
        let (outcome, told) = tokio::join!(bench.lab.run(short(), options), listen(listener));
        (outcome.unwrap(), told)
    };
    let bench = bench(2).await;
    let id = interrupt(&bench).await;
    let stopped = bench.lab.store().session(id).unwrap().unwrap();
    assert!(stopped.ended_ms.is_some() && !stopped.over);
    let (events, listener) = mpsc::channel(64);
    let options = SessionOptions { events: Some(events), retell: true, ..SessionOptions::default() };
    let (outcome, told) = tokio::join!(bench.lab.resume(id, options), listen(listener));
    let outcome = outcome.unwrap();
    assert_eq!(told, undisturbed.1);
    assert_eq!((outcome.end, outcome.progress), (undisturbed.0.end, undisturbed.0.progress));
    assert_eq!(outcome.steps, bench.lab.store().step_count(id).unwrap());

    // The log that viewers see has all verdicts and the last steps.
    let view = bench.lab.hub().snapshot().sessions[0].clone();
    let judged = bench.lab.store().jobs(id).map(|job| job.unwrap().slot);
    let verdicts = judged.map(|slot| bench.lab.store().judgement(id, slot).unwrap().unwrap().verdicts.len());
    assert_eq!(view.verdicts, verdicts.sum::<usize>() as u64);
    assert_eq!((view.steps, view.recent.len()), (outcome.steps, 12));

    let record = bench.lab.store().session(id).unwrap().unwrap();
    assert!(record.over && record.resumed.len() == 1 && !record.resumed[0].accepted_builds);
    let said = refusal(&bench, id).await;
    assert!(said.contains("s1 is over (complete)"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_against_going_on_is_said() {
    let bench = bench(1).await;
    let said = refusal(&bench, SessionId(9)).await;
    assert!(said.contains("s9"), "{said}");

    let id = interrupt(&bench).await;
    let store = bench.lab.store();
    let record = store.session(id).unwrap().unwrap();
    let other = droidmux::record::SessionRecord { planner_version: 99, ended_ms: None, ..record.clone() };
    store.update_session(id, &other).unwrap();
    assert_eq!(bench.lab.unended().unwrap().len(), 1, "as if it had been killed");
    let said = refusal(&bench, id).await;
    assert!(said.contains("planned by version 99 of its planner"), "{said}");
    store.update_session(id, &record).unwrap();
    assert!(bench.lab.unended().unwrap().is_empty());

    let job = store.job(id, Slot(2)).unwrap().unwrap();
    store.put_job(id, &Job { rng: job.rng + 1, ..job.clone() }).unwrap();
    let said = refusal(&bench, id).await;
    assert!(said.contains("job s1 j2 comes out differently"), "{said}");
    store.put_job(id, &job).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn other_builds_stop_a_session_unless_they_are_accepted() {
    let bench = bench(1).await;
    let id = interrupt(&bench).await;

    rewrite(&bench, id, |finished| finished.device.build = "before/the/update".into());
    let said = refusal(&bench, id).await;
    assert!(said.contains("sim-1: its system is ") && said.contains("before/the/update"), "{said}");

    rewrite(&bench, id, |finished| finished.app.version_code += 1);
    let error = bench.lab.resume(id, SessionOptions::default()).await.err();
    assert!(matches!(error, Some(LabError::NoneFits(_))), "the device comes first: {error:?}");

    let options = SessionOptions { accept_builds: true, ..SessionOptions::default() };
    let outcome = bench.lab.resume(id, options).await;
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}; {:?}", bench.lab.roster().states()));
    assert_eq!(outcome.end, SessionEnd::Complete);
    let record = bench.lab.store().session(id).unwrap().unwrap();
    let accepted: Vec<bool> = record.resumed.iter().map(|resumption| resumption.accepted_builds).collect();
    assert_eq!(accepted, [false, false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_was_updated_stops_its_session() {
    let bench = bench(1).await;
    let id = interrupt(&bench).await;
    rewrite(&bench, id, |finished| finished.app.version_name = "0.9-before".into());
    let said = refusal(&bench, id).await;
    assert!(said.contains("0.9-before") && said.contains("--accept-builds"), "{said}");
    let record = bench.lab.store().session(id).unwrap().unwrap();
    assert!(!record.over && record.ending.is_some_and(|ending| ending.contains("0.9-before")));
}

/// It does not give up while a test takes its devices away.
fn patient() -> SessionDefinition {
    let mut definition = short();
    definition.run.patience = 3_600;
    definition
}

/// Waits until the first session is shown as wanted.
async fn shown(lab: &Lab, what: &str, holds: impl Fn(&SessionView) -> bool) -> SessionView {
    let mut view = lab.hub().subscribe();
    let seen = async {
        loop {
            let now = view.borrow_and_update().clone();
            if let Some(session) = now.sessions.first().filter(|session| holds(session)) {
                return session.clone();
            }
            view.changed().await.unwrap();
        }
    };
    let seen = tokio::time::timeout(Duration::from_secs(60), seen).await;
    seen.unwrap_or_else(|_| panic!("{what} does not come: {:?}", lab.hub().snapshot().sessions))
}

/// What a viewer asked for has been done.
async fn ask(lab: &Lab, requests: impl IntoIterator<Item = Request>) {
    let mut viewer = lab.viewer();
    for request in requests.into_iter().chain([Request::Log { lens: LogLens::default(), from: 0, limit: 0 }])
    {
        viewer.requests.send(request).await.unwrap();
    }
    let reply = viewer.replies.recv().await;
    assert!(matches!(reply, Some(Reply::Log { .. })), "{reply:?}");
}

type Outcome = JoinHandle<Result<SessionOutcome, LabError>>;

fn begin(bench: &Bench, definition: SessionDefinition) -> Outcome {
    let lab = bench.lab.clone();
    tokio::spawn(async move { lab.run(definition, SessionOptions { rng: 3, ..Default::default() }).await })
}

/// The lab ends and begins again, without devices; its session continues.
async fn restart(bench: &mut Bench, session: Outcome) -> Outcome {
    assert!(bench.lab.halt(Duration::from_secs(60)).await);
    assert_eq!(session.await.unwrap().unwrap().end, SessionEnd::Stopped);
    bench.lab.close();
    bench.lab = Lab::new("again", bench.lab.store().clone());
    let unended = bench.lab.unended().unwrap();
    assert_eq!(unended.len(), 1);
    let (lab, id) = (bench.lab.clone(), unended[0].0);
    let given = SessionOptions { keep_pause: true, ..SessionOptions::default() };
    tokio::spawn(async move { lab.resume(id, given).await })
}

fn by_hand(session: &SessionView) -> bool {
    session.state == SessionState::Paused("by hand".into())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_by_hand_and_a_priority_outlive_the_lab() {
    let mut bench = bench(2).await;
    let (id, store) = (SessionId(1), bench.lab.store().clone());
    let session = begin(&bench, patient());
    shown(&bench.lab, "a step", |session| session.steps > 20).await;
    // Single steps end in a pause, and already are one.
    ask(&bench.lab, [Request::Step { session: id, acts: 2 }, Request::Priority { session: id, priority: 5 }])
        .await;
    assert_eq!(store.handling(id).unwrap(), Handling { paused: true, priority: 5 });

    let session = restart(&mut bench, session).await;
    let back = shown(&bench.lab, "the pause", by_hand).await;
    assert_eq!(back.priority, 5);
    let log = bench.lab.hub().log();
    assert!(log.iter().any(|row| row.line.text == "paused by hand, as it was before"), "{log:?}");
    assert_eq!(store.step_count(id).unwrap(), back.steps, "it performs nothing");

    // What is undone is gone as well.
    bench.take_in().await;
    ask(&bench.lab, [Request::Resume(id)]).await;
    assert_eq!(store.handling(id).unwrap(), Handling { paused: false, priority: 5 });
    shown(&bench.lab, "more steps", |session| session.steps > back.steps).await;
    let session = restart(&mut bench, session).await;
    bench.take_in().await;
    assert_eq!(session.await.unwrap().unwrap().end, SessionEnd::Complete);
    assert_eq!(store.handling(id).unwrap(), Handling::default(), "it ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_for_want_of_a_device_is_over_when_the_lab_begins_again() {
    let mut bench = bench(1).await;
    bench.lab.roster().update(&[], |serial| panic!("{serial} is not listed"));
    let session = begin(&bench, patient());
    shown(&bench.lab, "the want", |session| matches!(&session.state, SessionState::Paused(why) if why.starts_with("waiting for a device"))).await;
    assert_eq!(bench.lab.store().handling(SessionId(1)).unwrap(), Handling::default());
    let session = restart(&mut bench, session).await;
    bench.take_in().await;
    assert_eq!(session.await.unwrap().unwrap().end, SessionEnd::Complete);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_session_waits_for_its_devices_without_an_end() {
    let mut bench = bench(1).await;
    let (id, store) = (SessionId(1), bench.lab.store().clone());
    let session = begin(&bench, patient());
    shown(&bench.lab, "a step", |session| session.steps > 0).await;
    ask(&bench.lab, [Request::Pause(id)]).await;
    let mut record = store.session(id).unwrap().unwrap();
    record.definition.run.patience = 0;
    store.update_session(id, &record).unwrap();

    let session = restart(&mut bench, session).await;
    shown(&bench.lab, "the pause", by_hand).await;
    bench.take_in().await;
    let leased = async {
        while bench.lab.hub().snapshot().devices.iter().all(|device| device.session != Some(id)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), leased).await.expect("a lease");
    assert!(bench.lab.halt(Duration::from_secs(60)).await);
    assert_eq!(session.await.unwrap().unwrap().end, SessionEnd::Stopped);
}
