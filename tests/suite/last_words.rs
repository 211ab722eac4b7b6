//! What an app says when it crashes, hangs or ends, and what the phone says of it: through the wire, in all the words.

use std::time::Duration;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, Gesture, Key, Manner, Observed, Patience};
use droidmux::lab::{SessionEnd, SessionOutcome};
use droidmux::record::{SessionDefinition, Signal, SignalKind, Technique, Tier};
use droidmux::sim::{Condition, End, Fault, FaultPlan, FaultRule, SimLab, SimOptions, apps};

use crate::device::{fresh, step};
use crate::sessions::Bench;
use crate::trial_app::{PACKAGE, app};

fn patience() -> Patience {
    Patience::of(Duration::from_secs(30))
}

async fn lab() -> (SimLab, AdbDevice) {
    let options =
        SimOptions { devices: 1, steady: true, apps: vec![app()], strict: true, ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a simulated lab");
    let device = AdbDevice::new(Server::at(lab.server_addr()), "sim-1");
    device.prepare(&patience()).await.expect("prepared");
    (lab, device)
}

async fn look(device: &AdbDevice) -> Observed {
    device.observe(&Manner::Strict, 10, &patience()).await.expect("observed")
}

fn told(signals: &[Signal]) -> Vec<(SignalKind, String)> {
    let own = signals.iter().filter(|signal| signal.is_of(PACKAGE));
    own.map(|signal| (signal.kind, signal.headline.clone())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_end_is_told_as_what_it_is_and_once() {
    use SignalKind::{Crash, Ended};
    let (lab, device) = lab().await;
    let sim = &lab.devices()[0];
    for (end, expected) in [
        (End::Silent, Some((Ended, "was killed by signal 9 (SIGKILL), and nothing says why"))),
        (End::LowMemory, None),
        (End::Exception, Some((Crash, "java.lang.IllegalStateException: not ready"))),
        (End::Native, Some((Crash, "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR)"))),
    ] {
        fresh(&device).await;
        sim.suffer(&Condition::AppEnds(end));
        let signals = told(&look(&device).await.signals);
        match expected {
            None => assert_eq!(signals, [], "{end:?}"),
            Some((kind, words)) => {
                let [(told, headline)] = signals.as_slice() else { panic!("{end:?}: {signals:?}") };
                assert!(*told == kind && headline.contains(words), "{end:?}: {signals:?}");
            }
        }
        assert_eq!(told(&look(&device).await.signals), [], "{end:?}, a second time");
        // The system's reason is told in the log.
        let remarks = device.remarks().join("\n");
        assert_eq!(remarks.contains("ended by the system: low memory"), end == End::LowMemory, "{remarks}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_session_does_itself_ends_nothing() {
    let (lab, device) = lab().await;
    let quiet = |name: &str, observed: Observed| assert_eq!(told(&observed.signals), [], "{name}");
    fresh(&device).await;
    fresh(&device).await;
    quiet("reset", look(&device).await);
    quiet("relaunch", step(&device, Gesture::Relaunch(PACKAGE.into())).await);
    quiet("home", step(&device, Gesture::Key(Key::Home)).await);
    quiet("kill", step(&device, Gesture::Kill(PACKAGE.into())).await);
    quiet("launch", step(&device, Gesture::Launch(PACKAGE.into())).await);
    // Behind another app nobody wonders.
    step(&device, Gesture::Key(Key::Home)).await;
    lab.devices()[0].with_phone(|phone| phone.kill_in_background(PACKAGE));
    quiet("killed behind", look(&device).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_an_app_count_by_its_process_alone() {
    let (lab, device) = lab().await;
    let sim = &lab.devices()[0];
    let dart =
        "[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: Bad state: No element";
    fresh(&device).await;
    sim.with_phone(|phone| phone.write_log_of(PACKAGE, 'E', "flutter", dart));
    assert_eq!(told(&look(&device).await.signals), [(SignalKind::Crash, "Bad state: No element".to_owned())]);
    // A shell writes the same.
    device.shell(&format!("log -p e -t flutter '{dart}'"), &patience()).await.expect("written");
    let fatal = "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid 90 (Thread-2), pid 88 (org.other)";
    device.shell(&format!("log -p f -t libc '{fatal}'"), &patience()).await.expect("written");
    assert_eq!(told(&look(&device).await.signals), []);
    // Of a process whose number nobody told, libc's short name says whose it is.
    let fatal = fatal.replace("pid 88 (org.other)", "pid 89 (m.example.trial)");
    device.shell(&format!("log -p f -t libc '{fatal}'"), &patience()).await.expect("written");
    assert_eq!(told(&look(&device).await.signals), [(SignalKind::Crash, fatal)]);
}

/// A few hundred events at most, without anything that takes long.
fn session(technique: Technique, app: &str, max_events: u64) -> SessionDefinition {
    let mut definition = SessionDefinition::new(technique, app);
    definition.run.max_events = max_events;
    definition.run.screens = droidmux::record::ScreenPolicy::Never;
    definition
}

async fn ended(technique: Technique, devices: u16, rule: FaultRule) -> SessionOutcome {
    let faults = FaultPlan::new(3, vec![rule]);
    let options = SimOptions { devices, steady: true, faults, ..SimOptions::with_apps(apps::all()) };
    let bench = Bench::new(options).await;
    bench.run(&session(technique, "org.droidmux.notes", 150), 1).await.0
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_ends_at_each_start_ends_the_session_with_that_finding() {
    let cases = [
        (Technique::Monkey, 1, End::Exception),
        (Technique::Genie, 3, End::Silent),
        (Technique::Odin, 2, End::Native),
        (Technique::Neutral, 1, End::Silent),
    ];
    let sessions = cases.into_iter().map(|(technique, devices, end)| async move {
        let name = technique.name().to_owned();
        let outcome = ended(technique, devices, FaultRule::new(Fault::EndsAtStart(end))).await;
        assert_eq!(outcome.end, SessionEnd::Complete, "{name}");
        assert_eq!(outcome.vain, None, "{name}");
        assert!(outcome.steps < 60, "{name}: {} steps", outcome.steps);
        let [finding] = outcome.findings.as_slice() else { panic!("{name}: {:?}", outcome.findings) };
        assert_eq!(finding.tier, Tier::Reported, "{name}");
        assert!(finding.verdict.title.contains("at its start"), "{name}: {}", finding.verdict.title);
        let summary = outcome.progress.summary.join("\n");
        assert!(summary.contains("the app cannot be tested"), "{name}: {summary}");
    });
    futures_util::future::join_all(sessions).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_sometimes_fails_ends_nothing() {
    let rule = FaultRule::new(Fault::EndsAtStart(End::Exception)).chance(0.4);
    let outcome = ended(Technique::Monkey, 2, rule).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(outcome.progress.events > 40, "{:?}", outcome.progress);
    assert!(outcome.findings.iter().any(|finding| finding.verdict.title.contains("at its start")));
    assert!(!outcome.progress.summary.join("\n").contains("cannot be tested"));
}
