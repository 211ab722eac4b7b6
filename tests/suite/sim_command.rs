//! `droidmux sim` as a person runs it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

fn droidmux(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.arg("sim").args(args);
    command
}

fn output(args: &[&str]) -> Output {
    droidmux(args).output().expect("droidmux runs")
}

#[test]
fn apps_are_listed_with_their_defects_and_traps() {
    let text = String::from_utf8_lossy(&output(&["--list"]).stdout).into_owned();
    let json = String::from_utf8_lossy(&output(&["--list", "--json"]).stdout).into_owned();
    let apps = droidmux::sim::apps::all();
    assert_eq!(json.lines().count(), apps.len());
    for (app, line) in apps.iter().zip(json.lines()) {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(value["package"], app.package());
        assert!(text.contains(app.package()));
        let listed = |what: &str| value[what].as_array().expect("a list").clone();
        assert_eq!(listed("defects").len(), app.defects().len());
        assert_eq!(listed("traps").len(), app.traps().len());
        for (trap, listed) in app.traps().iter().zip(listed("traps")) {
            assert_eq!((&listed["id"], &listed["what"]), (&trap.id.into(), &trap.what.into()));
            assert!(text.contains(trap.id) && text.contains(trap.what), "{}", trap.id);
        }
        for (defect, listed) in app.defects().iter().zip(listed("defects")) {
            assert_eq!((&listed["id"], &listed["kind"]), (&defect.id.into(), &defect.kind.name().into()));
            for part in [defect.id, defect.kind.name(), defect.what, defect.seed] {
                assert!(text.contains(part), "{part}");
            }
        }
    }
}

#[test]
fn there_is_enough_to_find_and_enough_to_be_fooled_by() {
    let apps = droidmux::sim::apps::all();
    let count = |things: fn(&droidmux::sim::SimApp) -> usize| apps.iter().map(things).sum::<usize>();
    let (defects, traps) = (count(|app| app.defects().len()), count(|app| app.traps().len()));
    assert!(apps.len() >= 12 && defects >= 40 && traps >= 10, "{} apps, {defects}, {traps}", apps.len());
}

#[test]
fn mistakes_are_said_with_their_exit_code() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its address").port().to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let unknown_kind = file("bad.toml", "[[fault]]\nkind = \"rebot\"\n");
    let stranger = file("stranger.toml", "[[fault]]\nkind = \"half-open\"\ndevices = [\"sim-9\"]\n");
    for (args, code, words) in [
        (vec!["--defects", "nonsense"], 2, "known: diary."),
        (vec!["--devices", "0"], 2, "--devices"),
        (vec!["--latency", "fast"], 2, "none, typical"),
        (vec!["--adbd-port", "65535", "--devices", "2"], 2, "65535 is too high"),
        (vec!["--no-adbd", "--adbd-port", "1"], 2, "--adbd-port"),
        (vec!["--faults", &unknown_kind], 2, "bad.toml:2: unknown variant `rebot`"),
        (vec!["--faults", &stranger], 2, "fault 1 (half-open): there is no device \"sim-9\""),
        (vec!["--faults", "/none.toml"], 2, "/none.toml: "),
        (vec!["--port", &port], 3, "choose another port"),
    ] {
        let output = output(&args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

/// Ends the program even when the test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_serves_until_it_is_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let faults = folder.path().join("f.toml");
    std::fs::write(&faults, "seed = 3\n[[fault]]\nkind = \"slow\"\nms = 1\n").expect("a file");
    let faults = faults.display().to_string();
    let child = droidmux(&["--devices", "2", "--json", "--faults", &faults])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut running = Running(child.expect("droidmux runs"));
    let mut line = String::new();
    let stdout = running.0.stdout.take().expect("its output");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let doors: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(doors["devices"].as_array().map(Vec::len), Some(2));
    let mut server =
        TcpStream::connect(doors["server"].as_str().expect("an address")).expect("the server door");
    server
        .write_all(b"0014host:transport:sim-2")
        .and_then(|()| server.write_all(b"000cexec:no-such"))
        .expect("a request");
    let mut answer = String::new();
    server.read_to_string(&mut answer).expect("an answer");
    assert_eq!(answer, "OKAYOKAY/system/bin/sh: no-such: inaccessible or not found\n");
    TcpStream::connect(doors["devices"][1]["adbd"].as_str().expect("an address")).expect("the adbd door");

    let pid = rustix::process::Pid::from_child(&running.0);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("interrupted");
    let ended = running.0.wait().expect("it ends");
    assert_eq!(ended.code(), Some(0));
    let mut said = String::new();
    running.0.stderr.take().expect("its messages").read_to_string(&mut said).expect("text");
    assert_eq!(
        said,
        "droidmux: fault 1 of sim-2: slow (rule 1, request 1, seed 3)\ndroidmux: not simulated: sim-2: no-such\n"
    );
}

#[test]
fn its_log_tells_why_a_phone_went_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let faults = folder.path().join("f.toml");
    std::fs::write(&faults, "seed = 3\n[[fault]]\nkind = \"reboot\"\nms = 60000\n").expect("a file");
    let log = folder.path().join("sim.log");
    std::fs::write(&log, "from before\n").expect("a file");
    let (faults, log_name) = (faults.display().to_string(), log.display().to_string());
    let child = droidmux(&["--json", "--faults", &faults, "--log", &log_name])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut running = Running(child.expect("droidmux runs"));
    let mut line = String::new();
    let stdout = running.0.stdout.take().expect("its output");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let doors: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let mut server =
        TcpStream::connect(doors["server"].as_str().expect("an address")).expect("the server door");
    server
        .write_all(b"0014host:transport:sim-1")
        .and_then(|()| server.write_all(b"000dshell:input x"))
        .expect("a request");
    let mut answer = Vec::new();
    // However the stream ends: the phone is gone by then.
    let _ = server.read_to_end(&mut answer);
    let pid = rustix::process::Pid::from_child(&running.0);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("interrupted");
    assert_eq!(running.0.wait().expect("it ends").code(), Some(0));
    let said = std::fs::read_to_string(&log).expect("a log");
    // That it serves is said while it already does.
    assert!(said.contains("the simulated lab serves"), "{said}");
    let mut rest = said.as_str();
    for words in [
        "from before",
        "fault 1 of sim-1: reboot",
        "the connection to the device changes",
        "the simulated lab ends: it was told to",
    ] {
        let at = rest.find(words).unwrap_or_else(|| panic!("{words}: {said}"));
        rest = &rest[at..];
    }
    let nowhere = folder.path().join("none/sim.log").display().to_string();
    let output = output(&["--log", &nowhere]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
}
