//! What comes from the lab unasked, late or not at all.

use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::{App, Effect, Msg, Screen, update};
use droidmux_proto::{LabView, Reply, Request, SessionState, StepView};
use droidmux_record::SessionId;
use droidmux_testutils::fixtures::{FakeLab, lab_view, layout, step};

#[test]
fn following_lets_go_when_scrolled_and_holds_on_otherwise() {
    let mut cockpit = Cockpit::new(200, 60, 1_000);
    cockpit.press("2");
    let grow = |cockpit: &mut Cockpit, steps: u64| {
        cockpit.lab.steps = steps;
        let view = cockpit.lab.view();
        cockpit.tell(Msg::View(Arc::new(view)));
    };
    grow(&mut cockpit, 1_003);
    assert_eq!(cockpit.app.session.trace.cursor, 1_002);
    cockpit.press("k");
    grow(&mut cockpit, 1_010);
    assert_eq!(cockpit.app.session.trace.cursor, 1_001);
    cockpit.press("f");
    assert_eq!(cockpit.app.session.trace.cursor, 1_009);
}

#[test]
fn new_findings_are_announced_and_badged() {
    let mut cockpit = Cockpit::new(120, 40, 100);
    let mut findings = cockpit.lab.findings.clone();
    // A reported one and an explained one.
    findings.truncate(7);
    findings.remove(3);
    cockpit.tell(Msg::Reply(Reply::Findings(findings)));
    assert_eq!(cockpit.effects, Vec::<String>::new(), "the first list is no news, nor is one that shrank");
    let view = LabView { findings_version: 2, ..cockpit.lab.view() };
    cockpit.tell(Msg::View(Arc::new(view)));
    let announced: Vec<&String> =
        cockpit.effects.iter().filter(|told| told.starts_with("Announce")).collect();
    assert_eq!(announced.len(), 1, "only what is reported rings: {:?}", cockpit.effects);
    assert!(announced[0].starts_with("Announce(\"reported s1-1a2b3c43: Rotation"), "{announced:?}");
    assert!(
        cockpit.screen().lines().next().unwrap_or_default().contains("Findings ●1"),
        "{}",
        cockpit.screen()
    );
    cockpit.press("3");
    assert!(!cockpit.screen().lines().next().unwrap_or_default().contains("Findings] ●"));
}

#[test]
fn lost_replies_are_asked_for_again_and_refusals_are_not() {
    let mut app = App::new(Default::default());
    let layouts: Vec<_> = FakeLab::new(0).layouts;
    let mut sent = Vec::new();
    let mut tell = |app: &mut App, msg: Msg| {
        let effects = crate::app::update(app, msg);
        sent = effects
            .into_iter()
            .map(|effect| format!("{effect:?}"))
            .filter(|e| e.contains("Findings"))
            .collect();
        sent.len()
    };
    assert_eq!(tell(&mut app, Msg::Resize(80, 24)), 1);
    assert_eq!(tell(&mut app, Msg::View(Arc::new(lab_view(11, &layouts)))), 0, "asked once");
    assert_eq!(tell(&mut app, Msg::Lapsed), 1, "asked again when the reply never came");
    let refused = Reply::Refused { request: Request::Findings, why: "the store is closed".into() };
    assert_eq!(tell(&mut app, Msg::Reply(refused)), 0);
    assert_eq!(tell(&mut app, Msg::View(Arc::new(lab_view(12, &layouts)))), 0, "not asked again");
}

#[test]
fn replies_for_another_session_are_passed_over() {
    let mut cockpit = Cockpit::new(200, 60, 100);
    cockpit.press("2");
    let mut foreign = step(50, &cockpit.lab.layouts);
    foreign.event = "foreign".into();
    cockpit.tell(Msg::Reply(Reply::Steps { session: SessionId(9), from: 50, steps: vec![foreign] }));
    assert!(!cockpit.screen().contains("foreign"));
}

/// A lab that steps three times between any request and its answer: the newest layout is old when
/// it comes.
#[test]
fn following_a_fast_session_keeps_the_latest_layout_and_asks_for_one_at_a_time() {
    let mut lab = FakeLab::new(0);
    // Every step has a layout of its own, so that nothing is known before it is asked for.
    lab.layouts =
        (0..200).map(|n| Arc::new(layout(&format!("FrameLayout\n  TextView 'step {n}'")))).collect();
    let mut app = App::new(Default::default());
    let mut sent = update(&mut app, Msg::Resize(200, 60));
    app.screen = Screen::Session;
    let (mut shown, mut under_way) = (Vec::new(), Vec::new());
    for round in 1..40_u64 {
        let mut view = lab_view(0, &[]);
        view.sessions.truncate(1);
        let steps = round * 3;
        view.sessions[0].steps = steps;
        let recent = (steps.saturating_sub(12)..steps).map(|seq| StepView {
            layout: Some(lab.layouts[seq as usize].hash()),
            failed: false,
            ..step(seq, &[])
        });
        view.sessions[0].recent = recent.collect();
        let mut next = update(&mut app, Msg::View(Arc::new(view)));
        // What was asked for before these steps is answered only now.
        for effect in std::mem::take(&mut sent) {
            let Effect::Send(request @ Request::Layout(_)) = effect else { continue };
            let reply = lab.answer(&request).expect("a layout");
            next.extend(update(&mut app, Msg::Reply(reply)));
        }
        under_way.push(next.iter().filter(|e| matches!(e, Effect::Send(Request::Layout(_)))).count());
        sent = next;
        let pictured = app.session.pictured.as_ref().map(|step| step.seq);
        let text = app.shown_layout().map(|layout| layout.widgets().last().map(|w| w.text().to_owned()));
        shown.push((app.session.trace.cursor, pictured, text.flatten()));
    }
    assert!(under_way.iter().all(|&asked| asked <= 1), "{under_way:?}");
    for (cursor, pictured, text) in &shown[1..] {
        let pictured = pictured.expect("a step is shown");
        assert_eq!(text.as_ref(), Some(&format!("step {pictured}")), "at {cursor}");
        assert!(cursor - pictured <= 3, "{pictured} is shown while {cursor} is the newest");
    }
}

#[test]
fn the_first_session_that_has_not_ended_is_selected_on_arrival() {
    // (states when the cockpit opens, tile selected)
    let paused = || SessionState::Paused("by hand".into());
    let cases = [
        (vec![SessionState::Done, SessionState::Failed("no device".into()), SessionState::Running], 2),
        (vec![SessionState::Stopped, paused(), SessionState::Running], 1),
        (vec![SessionState::Done, SessionState::Done, SessionState::Done], 0),
    ];
    for (states, expected) in cases {
        let mut view = lab_view(0, &[]);
        for (session, state) in view.sessions.iter_mut().zip(states) {
            session.state = state;
        }
        let mut app = App::new(TuiOptions::default());
        update(&mut app, Msg::View(Arc::new(LabView::default())));
        update(&mut app, Msg::View(Arc::new(view.clone())));
        assert_eq!(app.tiles.cursor, expected);
        // What happens later leaves the choice to the person.
        view.sessions.iter_mut().for_each(|session| session.state = SessionState::Done);
        update(&mut app, Msg::View(Arc::new(view)));
        assert_eq!(app.tiles.cursor, expected);
    }
}

#[test]
fn a_session_that_is_removed_vanishes_from_every_screen() {
    // (state of the first session, whether its screen is left when the lab has it no more)
    let cases = [(SessionState::Done, true), (SessionState::Stopped, true), (SessionState::Running, false)];
    for (state, left) in cases {
        let mut view = lab_view(0, &[]);
        view.sessions[0].state = state.clone();
        let (first, second) = (view.sessions[0].id, view.sessions[1].id);
        let mut app = App::new(TuiOptions::default());
        update(&mut app, Msg::Resize(120, 40));
        update(&mut app, Msg::View(Arc::new(view.clone())));
        app.open_session(Some(first));
        app.show(Screen::Session);
        view.sessions.remove(0);
        update(&mut app, Msg::View(Arc::new(view)));
        assert_eq!(app.screen == Screen::Lab, left, "{state:?}");
        assert_eq!(app.status.is_some(), left, "{state:?}");
        assert_ne!(app.session.id == Some(first), left, "{state:?}");
        app.show(Screen::Lab);
        assert_eq!(
            app.meant_session().map(|session| session.id),
            Some(second),
            "the one after it is selected"
        );
    }
}
