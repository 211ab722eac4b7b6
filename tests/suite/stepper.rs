//! A person leads a finding's test over the wire: `droidmux step`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use droidmux::device::adb::Server;
use droidmux::lab::{Lab, SessionEnd, SessionEvent, SessionOptions, rederive, stepper, track};
use droidmux::proto::{
    Reply, Request, RowOrigin, RowState, Shows, StepSubject, StepperView, ViewerEnd, ViolationPart,
};
use droidmux::record::{FindingId, SessionId, Slot, StepOrder};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::Store;
use droidmux::technique::planner;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::care::ward::brisk;
use crate::program::{droidmux, keep_to_schema};
use crate::shrink::{mutants, padded};
use crate::store::fixture::options;

const LAB: [&str; 3] = ["--lab", "sim", "--steady"];

/// What `step` prints as JSON, each line checked against the schema.
fn lines(said: &str) -> Vec<Value> {
    let lines: Vec<Value> = said
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    keep_to_schema("commands.schema.json#/$defs/step", &lines);
    lines
}

/// The state of each row in one word: `done`, or for a row that a person added, `added done`.
fn states(line: &Value) -> Vec<String> {
    let rows = line["rows"].as_array().expect("rows");
    let word = |row: &Value| {
        let (origin, state) = (row["origin"].as_str().unwrap(), row["state"].as_str().unwrap());
        if origin == "added" { format!("added {state}") } else { state.to_owned() }
    };
    rows.iter().map(word).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mutant_is_led_to_its_violation_with_one_event_left_out_and_one_put_in() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, finding) = padded(folder).await;

    // The first of two inserted turns of the screen is left out, and a turn by the person is inserted.
    let orders = "skip,insert rotate,next,back,violation,end,leave";
    let arguments = [&["step", finding.as_str(), "--json", "--orders", orders][..], &LAB].concat();
    let (code, said) = droidmux(folder, &arguments);
    let lines = lines(&said);
    let [opening, skipped, added, next, back, violation, end, last] = lines.as_slice() else {
        panic!("{} lines: {said}", lines.len())
    };
    assert_eq!(code, 1, "{said}");

    // Paused at the pivot: five events are done as recorded, and the next one is announced before it happens.
    assert_eq!(opening["next_row"], 5);
    assert_eq!(opening["next"]["event"], "rotate");
    assert_eq!(states(opening)[..6], ["done", "done", "done", "done", "done", "next"]);
    assert_eq!(opening["rows"][4]["origin"], "test");
    assert_eq!(opening["rows"][4]["recorded"], opening["rows"][4]["live"]);
    assert_eq!(opening["rows"][5]["origin"], "inserted");
    assert_eq!(opening["rows"][5]["seed"], Value::Null);
    assert_eq!(opening["rows"][10]["seed"], opening["rows"][10]["event"], "behind the inserted trace");
    assert_eq!(opening["violation"]["reached"], false);
    assert_eq!(
        opening["seed_effect"]["missing"],
        Value::Array(Vec::new()),
        "before the pivot all is as in the seed"
    );

    assert_eq!(states(skipped)[4..7], ["done", "skipped", "next"]);
    assert_eq!(states(added)[4..8], ["done", "skipped", "added done", "next"]);
    assert_eq!(states(next)[4..9], ["done", "skipped", "added done", "done", "next"]);
    assert_eq!(states(back), states(added), "the event is undone");
    assert_eq!(back["live"], added["live"]);
    assert!(next["t"]["back_ms"].as_u64().unwrap() > 0, "how long the way back takes is told");

    assert_eq!(violation["violation"]["reached"], true);
    assert_eq!(
        (&added["violation"]["shows"], &violation["violation"]["shows"]),
        (&Value::Null, &"again".into())
    );
    let parts = violation["violation"]["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| part["came"] == false), "{parts:?}");
    assert!(parts.iter().all(|part| part["context"].is_string()));
    assert_eq!((&end["next_row"], &last["type"]), (&Value::Null, &"stepped".into()));

    // The result is a session like any other: rederived from its turns, and a test that shows the same.
    let session = last["session"].as_str().unwrap();
    let (_, verified) = droidmux(folder, &["store", "verify", "--rederive"]);
    assert!(!verified.contains(&format!("{session} ")), "{verified}");
    let replay = ["replay", &finding, "--stepped", session, "--times", "1", "--json"];
    let (code, said) = droidmux(folder, &[&replay[..], &LAB].concat());
    let summary: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!((code, &summary["findings"][0]["confirmation"]["shown"]), (1, &1.into()), "{summary}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_types_orders_and_reads_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, finding) = padded(folder).await;
    let said = typed(folder, &finding, "look\ninsert click Nobody\nlanes\n\ninsert click 99999\nviolation\n");
    for part in [
        // Both lanes, with the inserted events marked and the next one pointed at.
        ">+   6 ",
        "next: rotate",
        // The list of widgets, and what was not understood.
        "no widget is called \"Nobody\"",
        "there is no widget 99999",
        "(click)",
        "the violation: ",
        "is missing again",
        "(back takes about ",
        "recorded as s2",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    for (orders, words) in [("jump", "there is no order \"jump\""), ("to 0", "from 1")] {
        let (code, said) = droidmux(folder, &[&["step", &finding, "--orders", orders][..], &LAB].concat());
        assert!(code == 2 && said.contains(words), "{orders}: {said}");
    }
    let (code, said) = droidmux(folder, &["replay", &finding, "--stepped", "s1"]);
    assert!(code == 2 && said.contains("s1 did not step through"), "{said}");
    let (code, said) = droidmux(folder, &["step", "s1-00000000"]);
    assert!(code == 2 && said.contains("there is no finding"), "{said}");
}

/// Runs `replay --paused`, which is `step`, with these lines on its standard input.
fn typed(folder: &Path, finding: &str, lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(["replay", finding, "--paused"]).args(LAB).arg("--store").arg(folder.join("store"));
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("its input").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A lab of simulated devices on the store with the padded finding.
struct Stage {
    lab: Lab,
    sim: SimLab,
    finding: FindingId,
    _tracking: DropGuard,
}

impl Stage {
    async fn new(folder: &Path, devices: u16) -> Self {
        let (_, finding) = padded(folder).await;
        Self::on(folder, &finding, devices).await
    }

    /// On the store in this folder, which holds the finding.
    async fn on(folder: &Path, finding: &str, devices: u16) -> Self {
        let sim = SimOptions { devices, steady: true, strict: true, ..SimOptions::with_apps(apps::all()) };
        let sim = SimLab::start(sim).await.unwrap();
        let lab = Lab::with_terms("stage", Store::open(&folder.join("store"), options()).unwrap(), brisk());
        let stop = CancellationToken::new();
        tokio::spawn(track(lab.roster().clone(), Server::at(sim.server_addr()), true, stop.clone()));
        Self { lab, sim, finding: finding.parse().unwrap(), _tracking: stop.drop_guard() }
    }

    fn view(&self, session: SessionId) -> StepperView {
        self.lab.stepper(session).unwrap().expect("a test is led")
    }

    /// Waits for the test's next question.
    async fn asked(&self, session: SessionId) -> u32 {
        let asked = tokio::time::timeout(Duration::from_secs(60), self.lab.asked(session)).await;
        asked.expect("it asks in time").expect("it is not over")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_whose_device_is_lost_comes_to_where_it_was_on_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new(folder.path(), 2).await;
    let opened = stepper::open(stage.lab.store(), &stage.finding, None, false).unwrap();
    let (events, mut told) = mpsc::channel(64);
    let options = SessionOptions { most_devices: 1, events: Some(events), ..SessionOptions::default() };
    let lab = stage.lab.clone();
    let running = tokio::spawn(async move { lab.run(opened, options).await });
    let Some(SessionEvent::Began(session)) = told.recv().await else { panic!("it did not begin") };
    tokio::spawn(async move { while told.recv().await.is_some() {} });

    for (question, order) in [(0, StepOrder::Skip), (1, StepOrder::Next)] {
        assert_eq!(stage.asked(session).await, question);
        assert!(stage.lab.order(session, order));
    }
    assert_eq!(stage.asked(session).await, 2);
    let before = stage.view(session);
    assert_eq!((before.attempt, before.question), (1, Some(2)));
    stage.sim.device(&before.device).expect("the device").unplug();
    // The loss shows at the next act; the other device is given the same orders, including this one.
    assert!(stage.lab.order(session, StepOrder::Next));
    assert_eq!(stage.asked(session).await, 3);
    let after = stage.view(session);
    assert!(after.attempt > 1 && after.device != before.device, "{} {}", after.attempt, after.device);
    let states: Vec<RowState> = after.rows.iter().map(|row| row.state).collect();
    let done = [RowState::Skipped, RowState::Done, RowState::Done, RowState::Next];
    assert_eq!(states.get(5..9), Some(&done[..]), "{states:?}");

    assert!(stage.lab.order(session, StepOrder::Leave));
    let outcome = running.await.unwrap().unwrap();
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert_eq!(stage.lab.asked(session).await, None, "it is over");
    assert!(!stage.lab.order(session, StepOrder::Next));
    let make = |record: &droidmux::record::SessionRecord, id| planner(&record.definition, id, record.rng);
    let report = rederive(stage.lab.store(), &make).unwrap();
    let own = format!("{session} ");
    assert!(report.problems.iter().all(|problem| !problem.at.contains(&own)), "{:?}", report.problems);
}

/// The next matching reply.
async fn reply<T>(viewer: &mut ViewerEnd, wanted: impl Fn(Reply) -> Option<T>) -> T {
    let found = async {
        loop {
            if let Some(found) = wanted(viewer.replies.recv().await.expect("the lab is there")) {
                return found;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), found).await.expect("a reply in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_opens_the_stepper_and_gives_orders() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new(folder.path(), 1).await;
    let mut viewer = stage.lab.viewer();
    let finding =
        |id: FindingId| Request::OpenStepper { subject: StepSubject::Finding(id), serial: None, after: None };
    let nobody = finding("s1-00000000".parse().unwrap());
    viewer.requests.send(nobody).await.unwrap();
    let why = reply(&mut viewer, |reply| match reply {
        Reply::Refused { why, .. } => Some(why),
        _ => None,
    });
    assert!(why.await.contains("there is no finding"));

    let open = finding(stage.finding.clone());
    viewer.requests.send(open).await.unwrap();
    let opened = reply(&mut viewer, |reply| match reply {
        Reply::Opened(_, session) => Some(session),
        Reply::Refused { why, .. } => panic!("{why}"),
        _ => None,
    });
    let session = opened.await;
    assert_eq!(stage.asked(session).await, 0);
    let asks = viewer
        .view
        .wait_for(|view| view.sessions.iter().any(|shown| shown.id == session && shown.asks == Some(0)));
    tokio::time::timeout(Duration::from_secs(60), asks).await.expect("it shows in time").unwrap();
    viewer.requests.send(Request::Stepper(session)).await.unwrap();
    let view = reply(&mut viewer, |reply| match reply {
        Reply::Stepper(_, view) => view,
        _ => None,
    });
    let view = view.await;
    assert_eq!((view.question, view.next_row), (Some(0), Some(5)));
    assert_eq!(view.live, view.recorded);

    let leave = Request::Order { session, order: StepOrder::Leave };
    viewer.requests.send(leave.clone()).await.unwrap();
    let over = viewer
        .view
        .wait_for(|view| view.sessions.iter().any(|shown| shown.id == session && shown.state.is_over()));
    tokio::time::timeout(Duration::from_secs(60), over).await.expect("it ends in time").unwrap();
    assert_eq!(stage.lab.asked(session).await, None);
    viewer.requests.send(leave).await.unwrap();
    let why = reply(&mut viewer, |reply| match reply {
        Reply::Refused { why, .. } => Some(why),
        _ => None,
    });
    assert_eq!(why.await, "the test waits for no order");
}

/// Opens the stepper and returns the session that leads the test.
async fn opened(viewer: &mut ViewerEnd, subject: StepSubject, after: Option<SessionId>) -> SessionId {
    viewer.requests.send(Request::OpenStepper { subject, serial: None, after }).await.unwrap();
    let session = reply(viewer, |reply| match reply {
        Reply::Opened(_, session) => Some(session),
        Reply::Refused { why, .. } => panic!("{why}"),
        _ => None,
    });
    session.await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_goes_on_in_another_session_and_tests_without_a_violation_are_led() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::new(folder.path(), 1).await;
    let mut viewer = stage.lab.viewer();
    let first = opened(&mut viewer, StepSubject::Finding(stage.finding.clone()), None).await;
    for (question, order) in [(0, StepOrder::Skip), (1, StepOrder::Next)] {
        assert_eq!(stage.asked(first).await, question);
        assert!(stage.lab.order(first, order));
    }
    assert_eq!(stage.asked(first).await, 2);
    assert!(stage.lab.order(first, StepOrder::Leave));
    assert_eq!(stage.lab.asked(first).await, None);

    // The mutant is the finding's; its seed has no violation.
    let found = stage.finding.session;
    let subject = |test| StepSubject::Test { session: found, slot: Slot(0), test, key: String::new() };
    for (subject, after, question, name, row) in [
        (subject(1), Some(first), 2, stage.finding.to_string(), Some(7)),
        (subject(0), None, 0, format!("j0/0 of {found}"), Some(10)),
    ] {
        let session = opened(&mut viewer, subject, after).await;
        assert_eq!(stage.asked(session).await, question, "{name}");
        let view = stage.view(session);
        assert_eq!((view.name, view.next_row), (name, row));
        assert!(stage.lab.order(session, StepOrder::RunToEnd));
        assert_eq!(stage.asked(session).await, question + 1);
        let shows = stage.view(session).violation.shows;
        assert_eq!(shows.is_some(), after.is_some(), "{shows:?}");
        assert!(stage.lab.order(session, StepOrder::Leave));
        assert_eq!(stage.lab.asked(session).await, None);
    }
}

/// A finding is seen in two mutants: the selected one is opened, with its own lanes and its own evidence.
#[tokio::test(flavor = "multi_thread")]
async fn of_mutants_that_share_a_key_the_one_that_is_meant_is_led() {
    let folder = tempfile::tempdir().unwrap();
    let (session, finding) = mutants(folder.path(), &[0, 2]).await;
    let stage = Stage::on(folder.path(), &finding, 1).await;
    let key = stage.lab.store().finding(&stage.finding).unwrap().expect("it is there").verdict.key;
    let mut viewer = stage.lab.viewer();
    let test = |test, key: &str| StepSubject::Test { session, slot: Slot(0), test, key: key.to_owned() };
    let first = StepSubject::Finding(stage.finding.clone());
    for (opens, subject, name, inserted) in [
        (first.clone(), first.clone(), finding.clone(), 5),
        (test(1, &key), first, finding.clone(), 5),
        (test(2, &key), test(2, &key), format!("{finding} in j0/2"), 3),
        // The cursor was on one of its steps.
        (test(2, ""), test(2, &key), format!("{finding} in j0/2"), 3),
    ] {
        let led = opened(&mut viewer, opens, None).await;
        assert_eq!(stage.asked(led).await, 0, "{name}");
        let view = stage.view(led);
        let rows = view.rows.iter().filter(|row| row.origin == RowOrigin::Inserted).count();
        assert_eq!((&view.subject, &view.name, rows), (&subject, &name, inserted));
        assert!(stage.lab.order(led, StepOrder::RunToViolation));
        assert_eq!(stage.asked(led).await, 1);
        let violation = stage.view(led).violation;
        assert_eq!(violation.shows, Some(Shows::Again), "{violation:?}");
        let missing = |part: &ViolationPart| part.came == Some(false);
        assert!(violation.parts.iter().any(missing), "its own screens are looked at: {:?}", violation.parts);
        assert!(stage.lab.order(led, StepOrder::Leave));
        assert_eq!(stage.lab.asked(led).await, None);
    }
}
