//! Leaving the cockpit, and the commands that go on from there.

use std::sync::Arc;

use super::Cockpit;
use crate::app::Msg;
use crate::{Home, TuiOptions};
use droidmux_proto::SessionState;
use droidmux_testutils::fixtures::FakeLab;

/// If the lab lives in the cockpit's process, leaving stops what is under way there.
#[test]
fn leaving_asks_where_sessions_end_with_the_cockpit() {
    let kept = || Home::Here { store: Some("/data/night".into()) };
    let done = |cockpit: &mut Cockpit| {
        let mut view = cockpit.lab.view();
        view.sessions.iter_mut().for_each(|session| session.state = SessionState::Done);
        cockpit.tell(Msg::View(Arc::new(view)));
    };
    // (where the lab lives, whether all sessions have ended, keys, what follows)
    let cases = [
        (Home::Server, false, "q", "Quit"),
        (Home::Passing, false, "q", "Quit"),
        (kept(), true, "q", "Quit"),
        (kept(), false, "q", ""),
        (kept(), false, "q esc", ""),
        (kept(), false, "q enter", "Quit"),
        (kept(), false, "q q", "Quit"),
        (kept(), false, "ctrl-c ctrl-c", "Quit"),
        (kept(), false, ": q u i t enter", ""),
    ];
    for (home, over, keys, expected) in cases {
        let options = TuiOptions { images: false, home: home.clone(), ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(80, 24, FakeLab::new(1_234), options);
        if over {
            done(&mut cockpit);
        }
        cockpit.press(keys);
        assert_eq!(cockpit.effects.join("; "), expected, "{home:?} after {keys}");
        if keys == "q" && expected.is_empty() {
            let screen = cockpit.screen();
            for words in ["s1, s2 live in this process", "droidmux run --resume s1 --store /data/night"] {
                assert!(screen.contains(words), "{words} is not in\n{screen}");
            }
        }
    }
}

/// What is copied works in a shell: it names the store, and if there is none, nothing is copied.
#[test]
fn the_command_that_replays_is_one_that_works() {
    let cases = [
        (Home::Here { store: Some("/d".into()) }, "droidmux replay s1-1a2b3c40 --times 3 --store /d"),
        (Home::Passing, ""),
    ];
    for (home, expected) in cases {
        let options = TuiOptions { images: false, home: home.clone(), ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(200, 60, FakeLab::new(100), options);
        cockpit.press("3 Y");
        let copied = if expected.is_empty() { String::new() } else { format!("Copy({expected:?})") };
        assert_eq!(cockpit.effects.join("; "), copied, "{home:?}");
        cockpit.press("enter G");
        let screen = cockpit.screen();
        assert_eq!(screen.contains("droidmux replay"), home != Home::Passing, "{screen}");
        assert_eq!(screen.contains("demo --store FOLDER"), home == Home::Passing, "{screen}");
    }
}
