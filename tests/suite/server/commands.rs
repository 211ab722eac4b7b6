//! Commands that the server carries out, because it holds the store.

use std::path::Path;
use std::time::{Duration, Instant};

use super::fixture::{Site, steps};
use crate::ports::free_address;
use crate::program::json_lines;

#[test]
fn commands_go_through_the_server_and_say_the_same() {
    let site = Site::new(2);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/notes-monkey.toml").display().to_string();
    let arguments = ["run", &file, "--json", "--steady", "--seed", "3", "--max-events", "400"];
    let (through, said) = site.run(&arguments);
    let (findings, list) = site.run(&["findings", "--json"]);
    let (code, stats) = site.run(&["store", "stats"]);
    assert_eq!(code, Some(0), "{stats}");
    let (code, second) = site.run(&["lab", "serve", "--lab", "sim"]);
    assert_eq!(code, Some(3), "{second}");
    assert!(second.contains("is in use by process"), "{second}");
    let (code, elsewhere) = site.run(&["findings", "s9-00000000"]);
    assert_eq!(code, Some(2), "{elsewhere}");
    assert!(elsewhere.contains("there is no finding s9-00000000"), "{elsewhere}");

    // A session that the server has is reported and left out; paths are relative to the caller.
    let archive = site.folder.path().join("out.tar.zst").display().to_string();
    let (code, exported) = site.run(&["store", "export", "s1", "-o", &archive]);
    assert_eq!(code, Some(0), "{exported}");
    let (code, imported) = site.run(&["store", "import", &archive, "--json"]);
    let imported: serde_json::Value = serde_json::from_str(&imported).expect("JSON");
    assert_eq!((code, &imported["sessions"]), (Some(0), &serde_json::json!([])), "{imported}");
    let (was, is) = (&imported["present"][0]["was"], &imported["present"][0]["is"]);
    assert!(was == "s1" && is == "s1", "{imported}");

    let (code, said_stop) = site.run(&["lab", "stop"]);
    assert_eq!((code, said_stop.as_str()), (Some(0), "stopped; its sessions go on when it starts again\n"));
    // The same without a server.
    assert_eq!(site.run(&["findings", "--json"]), (findings, list));
    let alone = tempfile::tempdir().expect("a folder");
    let store = alone.path().display().to_string();
    let (code, directly) = site.run(&[&arguments[..], &["--store", &store]].concat());
    assert_eq!(through, code);
    let without_times = |text: &str| {
        let mut lines = json_lines(text);
        for line in &mut lines {
            let line = line.as_object_mut().expect("an object");
            line.remove("t");
            line.remove("device");
        }
        lines
    };
    assert_eq!(without_times(&said), without_times(&directly));
}

#[test]
fn sessions_are_paused_stepped_preferred_and_stopped_from_the_command_line() {
    let site = Site::new(1);
    let mut first = site.session("notes-genie.toml", 100_000);
    site.wait_for("a session", |sessions| steps(sessions) > 5);
    let told = |arguments: &[&str], expected: &str| {
        let (code, said) = site.run(&[&["session"], arguments].concat());
        assert!(code == Some(0) && said.contains(expected), "{arguments:?}: {said}");
    };
    told(&["pause", "s1"], "s1 is paused");
    let mut paused = 0;
    // The act under way is finished first.
    site.wait_for("rest", |sessions| {
        let before = std::mem::replace(&mut paused, steps(sessions));
        std::thread::sleep(Duration::from_millis(500));
        before == paused
    });
    told(&["step", "s1", "3"], "performs 3");
    site.wait_for("three acts", |sessions| steps(sessions) == paused + 3);
    told(&["resume", "s1"], "s1 runs");

    // The only device goes to the session with the higher priority.
    let mut second = site.session("diary-genie.toml", 100_000);
    site.wait_for("the second", |sessions| sessions.len() == 2);
    told(&["priority", "s2", "5"], "s2 has priority 5");
    site.wait_for("steps of the second", |sessions| sessions[1]["steps"].as_u64() > Some(20));
    let left = steps(&site.sessions());
    site.wait_for("more of them", |sessions| sessions[1]["steps"].as_u64() > Some(100));
    assert!(steps(&site.sessions()) <= left + 1, "the first waits");

    told(&["stop", "s2"], "s2 has ended");
    site.wait_for("the first again", |sessions| steps(sessions) > left + 20);
    told(&["stop", "s1"], "s1 has ended");
    let listed = |sessions: &[serde_json::Value]| {
        let pair = |session: &serde_json::Value| (session["session"].clone(), session["state"].clone());
        sessions.iter().map(pair).collect::<Vec<_>>()
    };
    assert_eq!(listed(&site.sessions()), [("s1".into(), "stopped".into()), ("s2".into(), "stopped".into())]);
    // What is removed is no longer listed.
    let (code, said) = site.run(&["store", "remove", "s2"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(listed(&site.sessions()), [("s1".into(), "stopped".into())]);
    let (code, said) = site.run(&["session", "pause", "s7"]);
    assert!(code == Some(2) && said.contains("not running here"), "{said}");
    for run in [&mut first, &mut second] {
        assert_eq!(run.wait().expect("it ended").code(), Some(130));
    }
}

#[test]
fn hooks_are_run_with_what_happened() {
    let folder = tempfile::Builder::new().prefix("dm").tempdir_in("/tmp").expect("a folder");
    let site = Site { folder };
    let config = site.folder.path().join("droidmux");
    std::fs::create_dir_all(&config).expect("made");
    let told = site.folder.path().join("told").display().to_string();
    let hook = format!(
        "[hooks]\non-finding = 'echo \"$DROIDMUX_FINDING $DROIDMUX_APP $DROIDMUX_TIER $DROIDMUX_CONFIRMED\" >> {told}'\n"
    );
    std::fs::write(config.join("config.toml"), hook).expect("written");
    site.start(2);
    let mut run = site.session("notes-monkey.toml", 1_500);
    assert_eq!(run.wait().expect("it ended").code(), Some(1));
    let began = Instant::now();
    let lines = loop {
        let lines = std::fs::read_to_string(&told).unwrap_or_default();
        if lines.lines().any(|line| line.ends_with(" org.droidmux.notes reported 1")) {
            break lines;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{lines}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(lines.lines().all(|line| line.starts_with("s1-")), "{lines}");
}

#[test]
fn without_an_adb_server_the_start_says_so_and_what_to_do() {
    let folder = tempfile::Builder::new().prefix("dm").tempdir_in("/tmp").expect("a folder");
    let site = Site { folder };
    let address = free_address();
    let mut command = site.program();
    command.env("ADB_SERVER_SOCKET", format!("tcp:{address}")).args(["lab", "start"]);
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    let alarm = format!("no ADB server answers at {address}; start one with `adb start-server`");
    assert!(said.contains("alarm: adb: the ADB server does not answer") && said.contains(&alarm), "{said}");
    assert!(said.contains("1 warnings and errors"), "{said}");
}

#[test]
fn hooks_that_run_or_wait_when_the_server_stops_are_not_lost() {
    let folder = tempfile::Builder::new().prefix("dm").tempdir_in("/tmp").expect("a folder");
    let site = Site { folder };
    let config = site.folder.path().join("droidmux");
    std::fs::create_dir_all(&config).expect("made");
    let path = |name: &str| site.folder.path().join(name);
    let (begun, told) = (path("begun"), path("told"));
    let hook = format!(
        "[hooks]\non-trouble = 'echo x > {}; sleep 1; echo \"$DROIDMUX_EVENT\" >> {}'\n",
        begun.display(),
        told.display()
    );
    std::fs::write(config.join("config.toml"), hook).expect("written");
    // That nobody listens at this address is an error.
    let address = free_address();
    let mut command = site.program();
    command.env("ADB_SERVER_SOCKET", format!("tcp:{address}")).args(["lab", "start"]);
    assert!(command.output().expect("it runs").status.success());
    let began = Instant::now();
    while !begun.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "the hook is not called");
        std::thread::sleep(Duration::from_millis(10));
    }
    let (code, said) = site.run(&["lab", "stop"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        std::fs::read_to_string(&told).is_ok_and(|told| told.contains("warning") || told.contains("error"))
    );
}
