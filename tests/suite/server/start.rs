//! Sessions that are started, stopped and continued from a cockpit, on a server and in a run without one.

use std::fs;
use std::path::Path;

use super::fixture::{Site, steps};
use super::terminal::Cockpit;

/// A session of the repository as `sessions/notes.toml`, and one with an error in its fourth line.
fn write_sessions(site: &Site) {
    let sessions = site.folder.path().join("sessions");
    fs::create_dir_all(&sessions).expect("made");
    let ready = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/notes-monkey.toml");
    let text = fs::read_to_string(ready).expect("read");
    fs::write(sessions.join("notes.toml"), text).expect("written");
    let wrong = "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[run]\nmax-event = 3\n";
    fs::write(sessions.join("wrong.toml"), wrong).expect("written");
}

fn field(session: &serde_json::Value, name: &str) -> String {
    session[name].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_session_is_started_stopped_and_gone_on_with_from_a_cockpit_on_a_server() {
    let site = Site::new(2);
    write_sessions(&site);
    let mut cockpit = Cockpit::open(&site, &["attach"], &[]);
    cockpit.wait_for_text("No session yet");

    // What is wrong with a file is shown at its place, before it is started and after.
    cockpit.press_past_digest("c", "Start a session");
    cockpit.wait_for_text("line 4: unknown field");
    cockpit.press("wrong\r");
    cockpit.wait_for_text("sessions/wrong.toml:4: unknown field");
    cockpit.wait_for_text("4 | max-event = 3");
    cockpit.press("\x15notes\t");
    cockpit.wait_for_text("[ ]");
    // The second device, and a limit that the session does not reach before it is stopped.
    cockpit.press("\x1b[B \t100000\r");
    cockpit.wait_for_text("s1 has begun");
    let sessions = site.wait_for("steps", |sessions| steps(sessions) > 5);
    assert_eq!(sessions[0]["max_events"], 100_000, "{sessions:?}");

    cockpit.press("S");
    cockpit.wait_for_text("Stop the session?");
    cockpit.press("\r");
    let stopped = site.wait_for("its stop", |sessions| field(&sessions[0], "state") == "stopped");
    cockpit.wait_for_text("r go on");
    cockpit.press("r");
    site.wait_for("further steps", |sessions| {
        field(&sessions[0], "state") == "running" && steps(sessions) > steps(&stopped)
    });

    // The same from the palette, with its arguments: it ends by itself.
    cockpit.press(":start sessions/notes.toml events=60\r");
    cockpit.wait_for_text("s2 has begun");
    site.wait_for("the end of the second", |sessions| {
        sessions.iter().any(|session| field(session, "session") == "s2" && field(session, "state") == "done")
    });
    cockpit.press(":resume s2\r");
    cockpit.wait_for_text("s2 is over");
    cockpit.press("q");
    cockpit.wait_for_end();
    let (code, said) = site.run(&["session", "stop", "s1"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_run_without_a_server_starts_further_sessions_and_leaves_them_to_be_gone_on_with() {
    let site = Site::bare();
    write_sessions(&site);
    let run = ["run", "sessions/notes.toml", "--steady", "--devices", "2", "--seed", "1"];
    let mut cockpit = Cockpit::open(&site, &run, &[]);
    cockpit.wait_for_text("org.droidmux.notes");
    cockpit.press(":start sessions/notes.toml devices=sim-1 events=100000\r");
    cockpit.wait_for_text("s2 has begun");
    cockpit.wait_for_text("2 Session s2");
    // One of the first session's devices is given up to the second, which has a higher priority.
    cockpit.press("++");
    cockpit.wait_for_text("2 sessions, 2 running");
    cockpit.press("q");
    cockpit.wait_for_text("leaving the cockpit stops each");
    cockpit.press("\r");
    cockpit.wait_for_end();
    let resume = ["run", "--resume", "s2", "--headless", "--for", "3s"];
    let (code, said) = site.run(&resume);
    // On a slow machine, no test may come to its end in this time: then it was in vain.
    assert!(matches!(code, Some(0 | 1 | 3 | 130)), "{code:?} {said}");
    assert!(said.contains("s2 ended"), "{said}");
}
