//! Cockpits that commands open, and the server that a cockpit starts.

use std::fs;
use std::time::{Duration, Instant};

use super::fixture::Site;
use super::terminal::Cockpit;

/// The state and the parent of a process; `None` when it is gone.
fn of_process(process: i32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Nobody waits for a server that a cockpit has started: when it ends it is a zombie until the cockpit ends, too.
#[test]
fn a_server_that_a_cockpit_started_is_told_as_ended_when_it_is_stopped() {
    let site = Site::bare();
    // Nobody listens where an ADB server did: it makes no difference to the lab's own server.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("tcp:{}", listener.local_addr().expect("its address"));
    drop(listener);
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
