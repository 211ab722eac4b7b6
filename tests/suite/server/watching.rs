//! Cockpits opened by commands, and the server that a cockpit starts.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::fixture::Site;
use super::terminal::Cockpit;
use crate::ports::free_address;

/// The state and the parent of a process; `None` when it is gone.
fn of_process(process: i32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it may contain anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Nobody waits for a server that a cockpit has started: when it ends, it is a zombie until the cockpit ends, too.
#[test]
fn a_server_that_a_cockpit_started_is_told_as_ended_when_it_is_stopped() {
    let site = Site::bare();
    // The ADB server is gone: it makes no difference to the lab's own server.
    let address = format!("tcp:{}", free_address());
    let mut cockpit = Cockpit::open(&site, &[], &[("ADB_SERVER_SOCKET", &address)]);
    cockpit.wait_for_text("No session yet");
    let server = site.process();
    assert_eq!(of_process(server).map(|(_, parent)| parent), Some(cockpit.process()), "the cockpit's own");
    let began = Instant::now();
    let (code, said) = site.run(&["lab", "stop"]);
    assert_eq!((code, said.as_str()), (Some(0), "stopped; its sessions go on when it starts again\n"));
    assert!(began.elapsed() < Duration::from_secs(20), "it was waited for: {:?}", began.elapsed());
    assert!(matches!(of_process(server), Some(('Z' | 'X', _)) | None), "{:?}", of_process(server));
    cockpit.wait_for("what the cockpit says of it", |cockpit| cockpit.screen().contains("broke"));
    assert!(!cockpit.has_ended());
    cockpit.press("q");
    cockpit.wait_for_end();
    assert_eq!(of_process(server), None);
}

/// `replay --watch` shows the replay, not what happened while nobody was watching; that is a key away.
#[test]
fn a_replay_that_is_watched_is_what_the_cockpit_shows() {
    let site = Site::new(2);
    let mut first = Cockpit::open(&site, &["attach"], &[]);
    first.wait_for_text("No session yet");
    first.press("q");
    first.wait_for_end();
    // Two sessions end while nobody is watching, the second of which a cockpit would open by itself.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/notes-monkey.toml").display().to_string();
    for seed in ["3", "4"] {
        let (code, said) = site.run(&["run", &file, "--json", "--seed", seed, "--max-events", "400"]);
        assert!(matches!(code, Some(0 | 1)), "{said}");
    }
    let (_, said) = site.run(&["findings"]);
    let id = said.split_whitespace().find(|word| word.starts_with("s1-"));
    let id = id.unwrap_or_else(|| panic!("the first session found nothing: {said}"));

    let mut cockpit = Cockpit::open(&site, &["replay", id, "--watch", "--times", "50"], &[]);
    cockpit.wait_for_text("things happened since you left: D tells them");
    cockpit.wait_for_text("s3 ");
    let screen = cockpit.screen();
    assert!(!screen.contains("Since you left") && !screen.contains("s2 "), "{screen}");
    cockpit.press("D");
    cockpit.wait_for_text("Since you left");
    cockpit.wait_for_text("2 sessions ended");
    cockpit.press("\x1b");
    cockpit.wait_for("the replay", |cockpit| !cockpit.screen().contains("Since you left"));
    cockpit.press("q");
    cockpit.wait_for_end();
    let sessions = site.sessions();
    assert_eq!(sessions.len(), 3, "{sessions:?}");
}
