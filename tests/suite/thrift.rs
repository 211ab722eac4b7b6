//! The demo over SSH: what its screens write, and how soon keys show. These are measurements, for people.

use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use crate::shaped::{Shaped, Way};

fn demo(home: &std::path::Path, way: Way, more: &[(&str, &str)]) -> Shaped {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(["demo", "--max-events", "60000"]);
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMPDIR"] {
        command.env(name, home);
    }
    for (name, value) in more {
        command.env(name, value);
    }
    Shaped::run(command, 40, 120, way)
}

const SSH: (&str, &str) = ("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22");

/// `cargo test --test suite thrift -- --ignored --nocapture`; seconds per screen given by `THRIFT_SECONDS`.
#[test]
#[ignore = "a measurement of minutes"]
fn bytes_a_second_of_every_screen_of_the_demo() {
    let seconds = std::env::var("THRIFT_SECONDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let home = tempfile::tempdir().expect("a folder");
    let demo = demo(home.path(), Way::SLOW, &[SSH]);
    demo.wait_for_text("sim-1");
    for (key, screen) in [
        ("1", "Lab"),
        ("2", "Session"),
        ("3", "Findings"),
        ("4", "Stepper"),
        ("5", "Transcripts"),
        ("6", "Model"),
        ("7", "Recorder"),
        ("8", "Log"),
    ] {
        demo.press(key);
        std::thread::sleep(Duration::from_secs(3));
        let rate = demo.rate_over(Duration::from_secs(seconds));
        println!("{screen}: {rate:.0} bytes a second over {seconds} s");
        assert!(rate <= 6_300.0, "{screen}: {rate}");
    }
}

/// The time from a key to its echo on the demo's Lab page over the slow link.
#[test]
#[ignore = "a measurement of minutes"]
fn echoes_of_the_demo_over_a_slow_link() {
    let home = tempfile::tempdir().expect("a folder");
    let way = Way::SLOW;
    let demo = demo(home.path(), way, &[SSH]);
    demo.wait_for_text("sim-1");
    std::thread::sleep(Duration::from_secs(10));
    demo.press(":");
    demo.wait_for_text("> ");
    let mut took = Vec::new();
    let mut typed = String::new();
    for c in "qxqxqxqxqxqxqxqxqxqx".chars() {
        std::thread::sleep(Duration::from_millis(730));
        typed.push(c);
        let began: Instant = demo.press(&c.to_string());
        took.push(demo.wait_for_text(&format!("> {typed}")) - began);
    }
    took.sort();
    println!("echoes: {took:?}, {:?} there and back", way.round_trip());
}
