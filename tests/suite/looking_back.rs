//! What a viewer asks about a session that ended before the lab began.

use std::time::Duration;

use droidmux::lab::Lab;
use droidmux::proto::{Lens, Reply, Request, Sought, StepView, ViewerEnd};
use droidmux::record::{FindingId, SessionId, Slot};
use droidmux::sim::{SimOptions, apps};
use droidmux::store::Store;

use crate::sessions::Bench;
use crate::shrink::padded;
use crate::store::fixture::options;

async fn ask(viewer: &mut ViewerEnd, request: Request) -> Reply {
    viewer.requests.send(request).await.unwrap();
    let reply = tokio::time::timeout(Duration::from_secs(60), viewer.replies.recv()).await;
    reply.expect("an answer in time").expect("an answer")
}

/// The rows of a lens.
async fn rows(viewer: &mut ViewerEnd, session: SessionId, lens: Lens) -> Vec<(u64, StepView)> {
    match ask(viewer, Request::Trace { session, lens, from: 0, limit: 1_000 }).await {
        Reply::Trace { len, steps, .. } => {
            assert_eq!(len, steps.len() as u64);
            steps
        }
        other => panic!("{other:?}"),
    }
}

async fn seek(
    viewer: &mut ViewerEnd,
    session: SessionId,
    lens: Lens,
    from: u64,
    sought: Sought,
) -> Option<u64> {
    let request = Request::SeekStep { session, lens, from, backwards: false, sought };
    match ask(viewer, request).await {
        Reply::SoughtStep { row, .. } => row,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_is_opened_and_its_finding_verdict_and_steps_lead_to_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (session, finding) = padded(folder.path()).await;
    let finding: FindingId = finding.parse().unwrap();
    let store = Store::open(&folder.path().join("store"), options()).unwrap();
    let lab = Lab::new("later", store.clone());
    let mut viewer = lab.viewer();
    assert!(viewer.view.borrow().sessions.is_empty());
    viewer.requests.send(Request::Open(session)).await.unwrap();
    let opened = viewer.view.wait_for(|view| view.sessions.iter().any(|shown| shown.id == session));
    let opened = tokio::time::timeout(Duration::from_secs(60), opened).await.expect("in time").unwrap();
    let view = opened.sessions[0].clone();
    drop(opened);
    assert!(view.state.is_over() && view.steps > 20 && view.verdicts > 0, "{view:?}");

    // One of three tests: a seed, a mutant, the seed again.
    let slot = store.finding(&finding).unwrap().unwrap().verdict.slot;
    let mutant = Lens::Test { slot, test: 1 };
    let steps = rows(&mut viewer, session, mutant.clone()).await;
    assert!(steps.len() > 10 && steps.iter().all(|(_, step)| (step.slot, step.test) == (slot, 1)));
    let serial = steps[0].1.device.clone();
    assert_eq!(rows(&mut viewer, session, Lens::Device(serial)).await.len() as u64, view.steps);
    assert!(rows(&mut viewer, session, Lens::Device("none".into())).await.is_empty());
    let inserted =
        seek(&mut viewer, session, mutant.clone(), 0, Sought::Inserted).await.expect("an insertion");
    let at = |row: u64| steps.iter().find(|(number, _)| *number == row).map(|(_, step)| step).expect("a row");
    assert!(at(inserted).inserted && inserted > 0 && !at(inserted - 1).inserted);
    let words = Sought::Words("PICTURE OF CINEMA".into());
    let named = seek(&mut viewer, session, mutant.clone(), 0, words).await.expect("the picture");
    assert!(at(named).receiver.contains("Picture of Cinema"), "{:?}", at(named));
    let there = seek(&mut viewer, session, mutant.clone(), 0, Sought::Step(at(named).seq)).await;
    assert_eq!(there, Some(named));

    // From the test, the steps that contain words, wherever in a step these are.
    let held = rows(&mut viewer, session, mutant.clone().holding("cinema picture")).await;
    assert!(held.iter().any(|(_, step)| step.receiver.contains("Picture of Cinema")), "{held:?}");
    assert!(held.len() < steps.len() && held.iter().zip(0..).all(|((row, _), n)| *row == n), "{held:?}");
    assert!(rows(&mut viewer, session, mutant.clone().holding("no such thing")).await.is_empty());

    // From the test to its verdict, and from there to the step at which the violation shows.
    let reply = ask(&mut viewer, Request::FindVerdict { session, slot, test: 1 }).await;
    let Reply::FoundVerdict { row: Some(verdict), .. } = reply else { panic!("{reply:?}") };
    let reply = ask(&mut viewer, Request::Verdicts { session, from: verdict, limit: 1 }).await;
    let Reply::Verdicts { verdicts, .. } = reply else { panic!("{reply:?}") };
    assert_eq!((verdicts[0].outcome.as_str(), verdicts[0].test), ("violation", 1));
    let reply = ask(&mut viewer, Request::FindEvidence { session, verdict }).await;
    let Reply::FoundEvidence { row: Some(step), .. } = reply else { panic!("{reply:?}") };
    // Another oracle may object to an earlier step.
    let first = seek(&mut viewer, session, Lens::All, 0, Sought::Violation).await;
    let from_there = seek(&mut viewer, session, Lens::All, step, Sought::Violation).await;
    assert!(first.is_some_and(|first| first <= step) && from_there == Some(step), "{first:?} {from_there:?}");
    let shown =
        steps.iter().find(|(_, shown)| shown.seq == step).map(|(_, step)| step).expect("of the mutant");
    let effect = &store.finding(&finding).unwrap().unwrap().verdict.evidence.effects()[0].clone();
    assert_eq!(shown.layout, Some(effect.layouts[3]), "where the effect is missing");
    let reply = ask(&mut viewer, Request::FindVerdict { session, slot: Slot(9_999), test: 0 }).await;
    assert!(matches!(reply, Reply::FoundVerdict { row: None, .. }), "{reply:?}");
    let reply = ask(&mut viewer, Request::Open(SessionId(77))).await;
    assert!(matches!(reply, Reply::Refused { .. }), "{reply:?}");
    lab.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_asked_for_by_a_viewer_tells_which_finding_it_is_of() {
    let folder = tempfile::tempdir().unwrap();
    let (_, finding) = padded(folder.path()).await;
    let finding: FindingId = finding.parse().unwrap();
    let store = Store::open(&folder.path().join("store"), options()).unwrap();
    let mut bench =
        Bench::new(SimOptions { devices: 1, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    bench.lab.close();
    bench.lab = Lab::new("later", store);
    bench.take_in().await;
    let mut viewer = bench.lab.viewer();
    viewer.requests.send(Request::Replay { finding: finding.clone(), times: 1 }).await.unwrap();
    let over = viewer.view.wait_for(|view| view.sessions.iter().any(|shown| shown.state.is_over()));
    drop(tokio::time::timeout(Duration::from_secs(120), over).await.expect("in time").unwrap());
    let reply = ask(&mut viewer, Request::Findings).await;
    let Reply::Findings(rows) = reply else { panic!("{reply:?}") };
    let of =
        |session: u32| rows.iter().find(|row| row.id.session == SessionId(session)).map(|row| &row.replays);
    assert_eq!(
        (of(finding.session.0), of(finding.session.0 + 1)),
        (Some(&None), Some(&Some(finding.clone())))
    );
    let unknown = FindingId { session: SessionId(9), key: 1 };
    for request in [Request::Replay { finding: unknown.clone(), times: 1 }, Request::Shrink(unknown)] {
        let reply = ask(&mut viewer, request).await;
        assert!(
            matches!(&reply, Reply::Refused { why, .. } if why.contains("is not in the store")),
            "{reply:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recheck_asked_for_by_a_viewer_comes_to_its_finding() {
    let folder = tempfile::tempdir().unwrap();
    let (session, finding) = padded(folder.path()).await;
    let finding: FindingId = finding.parse().unwrap();
    let store = Store::open(&folder.path().join("store"), options()).unwrap();
    let lab = Lab::new("later", store.clone());
    let mut viewer = lab.viewer();
    let before = viewer.view.borrow().findings_version;
    let reply = ask(&mut viewer, Request::Finding(finding.clone())).await;
    assert!(matches!(&reply, Reply::Finding(detail) if detail.rechecks.is_empty()), "{reply:?}");

    let reply = ask(&mut viewer, Request::Recheck(finding.clone())).await;
    let Reply::Rechecked(of, words) = reply else { panic!("{reply:?}") };
    assert!(of == finding && words.contains("genie"), "{words}");
    let changed = viewer.view.wait_for(|view| view.findings_version > before);
    drop(tokio::time::timeout(Duration::from_secs(60), changed).await.expect("in time").unwrap());
    let reply = ask(&mut viewer, Request::Finding(finding.clone())).await;
    let Reply::Finding(detail) = reply else { panic!("{reply:?}") };
    let said: Vec<_> = detail.rechecks.iter().map(|said| (said.oracle.as_str(), said.agrees)).collect();
    assert_eq!(said.len(), 5, "{said:?}");
    assert!(said.contains(&("genie", true)), "{said:?}");
    assert_eq!(store.rechecks(session).unwrap().len(), 5);

    let unknown = FindingId { session: SessionId(9), key: 1 };
    let reply = ask(&mut viewer, Request::Recheck(unknown)).await;
    assert!(matches!(&reply, Reply::Refused { why, .. } if why.contains("is not in the store")), "{reply:?}");
    lab.close();
}
