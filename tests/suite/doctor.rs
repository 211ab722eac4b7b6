//! The doctor, as a command and in a running lab, on simulated devices in several conditions.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, LeaseNote, Patience};
use droidmux::lab::SessionEnd;
use droidmux::proto::{CheckVerdict, CheckView, DeviceHealth, Reply, Request, Subject};
use droidmux::record::SessionId;
use droidmux::sim::{Condition, Fault, LinkState, Phone, Refusal, SimLab, SimOptions, apps};
use droidmux_testutils::write_shell_script;
use serde_json::Value;

use crate::care::ward::{Ward, small};
use crate::ports::free_address;
use crate::program::keep_to_schema;
use crate::trial_app::app;

/// A program `adb` of this version.
fn put_adb(folder: &Path, version: &str) {
    let script = format!("echo 'Android Debug Bridge version {version}'\n");
    write_shell_script(folder.join("adb"), &script);
}

/// A file that simulated phones accept as an agent's jar.
fn put_jar(folder: &Path) -> String {
    let jar = folder.join("u2.jar");
    std::fs::write(&jar, b"PK\x03\x04 no classes").unwrap();
    jar.to_str().unwrap().to_owned()
}

/// Runs `doctor --json` with this server and this `PATH`; its exit code and its checks as `(subject, check, verdict)`.
fn doctor(folder: &Path, port: u16, more: &[&str]) -> (i32, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(["doctor", "--json"]).args(more).arg("--store").arg(folder.join("store"));
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder);
    }
    for name in ["ANDROID_HOME", "ANDROID_SDK_ROOT"] {
        command.env_remove(name);
    }
    command.env("ADB_SERVER_SOCKET", format!("tcp:{port}")).env("PATH", folder.join("bin"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    keep_to_schema("doctor.schema.json", std::slice::from_ref(&object));
    (output.status.code().unwrap(), object)
}

/// The verdict on a check, of a particular device if one is named.
fn verdict<'a>(object: &'a Value, device: Option<&str>, name: &str) -> &'a str {
    let found = object["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["check"] == name && check["device"].as_str() == device);
    found.unwrap_or_else(|| panic!("no {name} in {object:#}"))["verdict"].as_str().unwrap()
}

/// Not on the workers: the simulated devices live on them.
async fn examined(folder: &Path, lab: &SimLab, more: &[&str]) -> (i32, Value) {
    let (folder, port) = (folder.to_owned(), lab.server_addr().port());
    let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
    let run = move || {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        doctor(&folder, port, &more)
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

async fn lab(options: SimOptions) -> SimLab {
    SimLab::start(SimOptions { apps: vec![app()], strict: true, ..options }).await.unwrap()
}

#[test]
fn without_any_adb_it_says_so_and_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let (code, object) = doctor(folder.path(), free_address().port(), &[]);
    assert_eq!(code, 1);
    assert_eq!(object["verdict"], "bad");
    let expected = [
        ("server", "bad"),
        ("program", "bad"),
        ("database", "good"),
        ("size", "skipped"),
        ("endpoint", "skipped"),
    ];
    for (name, expected) in expected {
        assert_eq!(verdict(&object, None, name), expected, "{name}");
    }
    assert!(!folder.path().join("store").exists(), "nothing is made");
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_are_told_apart_by_how_they_are() {
    let lab = lab(SimOptions { devices: 4, adb_keyboard: true, ..SimOptions::with_apps(apps::all()) }).await;
    let device = |serial: &str| lab.device(serial).unwrap();
    device("sim-2").set_state(LinkState::Unauthorized);
    device("sim-3").with_phone(|phone| phone.set_setting("global", "display_size_forced", Some("480,800")));
    device("sim-4").inject(Fault::DumpNullRoot, None);
    let folder = tempfile::tempdir().unwrap();
    put_adb(&folder.path().join("bin"), "1.0.41");
    let jar = put_jar(folder.path());
    let (code, object) = examined(folder.path(), &lab, &["--agent", &jar]).await;
    assert_eq!(code, 1, "{object:#}");
    let expected = [
        (None, "server", "good"),
        (None, "versions", "good"),
        (Some("sim-1"), "API level", "good"),
        (Some("sim-1"), "display", "good"),
        (Some("sim-1"), "animations", "good"),
        (Some("sim-1"), "keyboard", "good"),
        (Some("sim-1"), "agent", "good"),
        (Some("sim-1"), "dumps by uiautomator", "good"),
        (Some("sim-1"), "dumps by the agent", "good"),
        (Some("sim-1"), "text entry", "good"),
        (Some("sim-1"), "storage", "good"),
        (Some("sim-1"), "battery", "good"),
        (Some("sim-2"), "authorised", "bad"),
        (Some("sim-3"), "display", "doubtful"),
        (Some("sim-4"), "agent", "good"),
        (Some("sim-4"), "dumps by uiautomator", "bad"),
        (Some("sim-4"), "dumps by the agent", "bad"),
    ];
    for (device, name, expected) in expected {
        assert_eq!(verdict(&object, device, name), expected, "{device:?} {name}\n{object:#}");
    }
    let of_second = object["checks"].as_array().unwrap().iter().filter(|check| check["device"] == "sim-2");
    assert_eq!(of_second.count(), 1, "a device that takes no commands is asked nothing");
    assert_eq!(lab.device("sim-1").unwrap().file("/data/local/tmp/droidmux.lease"), None, "no lease stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_version_of_adb_is_told_of_before_it_restarts_the_server() {
    let lab = lab(SimOptions::with_apps(apps::all())).await;
    let folder = tempfile::tempdir().unwrap();
    put_adb(&folder.path().join("bin"), "1.0.39");
    let (code, object) = examined(folder.path(), &lab, &[]).await;
    assert_eq!((code, verdict(&object, None, "versions")), (1, "bad"), "{object:#}");
    // Without an agent and ADBKeyBoard only ASCII can be typed.
    assert_eq!(verdict(&object, Some("sim-1"), "text entry"), "doubtful");
    assert_eq!(verdict(&object, Some("sim-1"), "agent"), "skipped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_of_others_is_not_dumped() {
    let lab = lab(SimOptions::with_apps(apps::all())).await;
    let device = AdbDevice::new(Server::at(lab.server_addr()), "sim-1");
    let patience = Patience::of(Duration::from_secs(30));
    let clock = device.noted(&patience).await.unwrap().clock;
    let note = LeaseNote {
        owner: "ann@bench".into(),
        lab: "another".into(),
        session: "s7".into(),
        taken: clock,
        expires: clock + 600,
        token: "t".into(),
        ..LeaseNote::default()
    };
    device.exchange_note(None, &note.line(), Duration::ZERO, &patience).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (code, object) = examined(folder.path(), &lab, &[]).await;
    assert_eq!(code, 0, "{object:#}");
    assert_eq!(verdict(&object, Some("sim-1"), "dumps by uiautomator"), "skipped");
    assert_eq!(verdict(&object, Some("sim-1"), "battery"), "good");
    assert!(object.to_string().contains("ann@bench, s7"), "{object:#}");
    let after = device.noted(&patience).await.unwrap();
    assert_eq!(after.note(), Some(note), "the lease of others stays");
}

/// The check of this name on the only device.
fn check<'a>(object: &'a Value, name: &str) -> &'a Value {
    let checks = object["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["check"] == name && check["device"] == "sim-1");
    found.unwrap_or_else(|| panic!("no {name} in {object:#}"))
}

/// Tools are tried in ways that do nothing, and say which switch of which maker is to be moved.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_phone_refuses_is_known_in_seconds_and_without_changing_anything() {
    let refuses = Refusal::of;
    let says = |command: &str, says: &str, code| Refusal {
        says: says.to_owned(),
        code,
        on_stdout: true,
        ..Refusal::of(command)
    };
    let cases = [
        ("Xiaomi", vec![refuses("settings put")], "settings put", "bad", "USB debugging (Security settings)"),
        (
            "OPPO",
            vec![says("settings put system", "Security exception: no", 0)],
            "settings put",
            "bad",
            "permission monitoring",
        ),
        ("vivo", vec![refuses("input")], "input", "bad", "on vivo"),
        ("HUAWEI", vec![says("input", "input: operation not permitted", 0)], "input", "bad", "on Huawei"),
        ("Samsung", vec![refuses("pm clear")], "pm clear", "bad", "Auto Blocker"),
        (
            "Acme",
            vec![refuses("pm clear"), refuses("input"), refuses("settings")],
            "pm clear",
            "bad",
            "administrator",
        ),
        ("Acme", vec![says("input", "input: inaccessible or not found", 127)], "input", "bad", "restart"),
        ("Acme", vec![says("am", "cmd: Can't find service: activity", 20)], "am", "bad", "by hand"),
        ("Acme", vec![says("input tap", "input: permission denied", 1)], "input tap", "bad", "administrator"),
        (
            "Acme",
            vec![says("wm", "/system/bin/sh: wm: not found", 127)],
            "wm",
            "doubtful",
            "its system lacks it",
        ),
        (
            "Acme",
            vec![says("cmd package", "cmd: Can't find service: package", 20)],
            "cmd",
            "doubtful",
            "too old",
        ),
        (
            "Acme",
            vec![says("screencap", "Capturing failed.", 1)],
            "screencap",
            "bad",
            "`[run] screens = \"never\"`",
        ),
        ("Meizu", vec![refuses("logcat")], "log", "doubtful", "Advanced log output"),
    ];
    for (maker, refusals, name, expected, remedy) in cases {
        let lab = lab(SimOptions::with_apps(apps::all())).await;
        let device = lab.device("sim-1").unwrap();
        device.with_phone(|phone| phone.set_property("ro.product.manufacturer", maker));
        refusals.into_iter().for_each(|refusal| device.inject(Fault::Refuses(refusal), None));
        let state = || {
            let settings = |phone: &Phone| ["global", "system", "secure"].map(|space| phone.settings(space));
            let phone = device.with_phone(|phone| (settings(phone), phone.focus().window));
            (phone, device.file("/data/local/tmp/droidmux-settings"))
        };
        let before = state();
        let folder = tempfile::tempdir().unwrap();
        let began = Instant::now();
        let (code, object) = examined(folder.path(), &lab, &[]).await;
        assert!(began.elapsed() < Duration::from_secs(10), "{maker} {name}: {:?}", began.elapsed());
        assert_eq!(code, i32::from(expected == "bad"), "{maker} {name}: {object:#}");
        let check = check(&object, name);
        assert_eq!(check["verdict"], expected, "{maker} {name}: {object:#}");
        assert!(check["remedy"].as_str().unwrap().contains(remedy), "{maker} {name}: {check:#}");
        assert!(state() == before, "{maker} {name}: nothing is changed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battery_that_is_not_there_is_no_complaint() {
    let lab = lab(SimOptions::with_apps(apps::all())).await;
    lab.device("sim-1").unwrap().suffer(&Condition::NoBattery);
    let folder = tempfile::tempdir().unwrap();
    let (code, object) = examined(folder.path(), &lab, &[]).await;
    let battery = check(&object, "battery");
    assert_eq!((code, &battery["verdict"]), (0, &"skipped".into()), "{object:#}");
    assert!(battery["said"].as_str().unwrap().contains("there is none"), "{battery:#}");
    for tool in ["settings put", "input", "input tap", "pm clear", "am", "wm", "cmd", "screencap", "log"] {
        assert_eq!(check(&object, tool)["verdict"], "good", "{tool}: {object:#}");
    }
}

/// The check with this name on a device.
fn of<'a>(checks: &'a [CheckView], serial: &str, name: &str) -> &'a CheckView {
    let subject = Subject::Device(serial.to_owned());
    let found = checks.iter().find(|check| check.subject == subject && check.name == name);
    found.unwrap_or_else(|| panic!("no {name} of {serial} in {checks:#?}"))
}

/// A busy lab answers, too: a session's device is left to the session, the other one is dumped.
#[tokio::test(flavor = "multi_thread")]
async fn a_running_lab_examines_what_its_sessions_leave() {
    let sim = SimLab::start(SimOptions { devices: 2, ..SimOptions::with_apps(apps::all()) }).await.unwrap();
    let ward = Ward::new(&sim).await;
    let mut definition = small(100_000);
    definition.lab.serials = vec!["sim-1".into()];
    let examines = async {
        ward.steps(3).await;
        ward.becomes("sim-2", |health| *health == DeviceHealth::Idle).await;
        let mut viewer = ward.lab.viewer();
        viewer.requests.send(Request::Examine).await.unwrap();
        let began = Instant::now();
        let found = loop {
            assert!(began.elapsed() < Duration::from_secs(120), "{:#?}", ward.lab.hub().doctor());
            viewer.requests.send(Request::Doctor).await.unwrap();
            match viewer.replies.recv().await.unwrap() {
                Reply::Doctor(found) if found.at_ms > 0 && !found.running => break found,
                Reply::Doctor(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                other => panic!("{other:?}"),
            }
        };
        let busy = of(&found.checks, "sim-1", "dumps by uiautomator");
        assert_eq!(busy.verdict, CheckVerdict::Skipped, "{busy:?}");
        assert!(busy.said.contains("s1 works on it"), "{busy:?}");
        assert_eq!(of(&found.checks, "sim-1", "battery").verdict, CheckVerdict::Good);
        let idle = of(&found.checks, "sim-2", "dumps by uiautomator");
        assert_eq!((idle.verdict, idle.ms.is_some()), (CheckVerdict::Good, true), "{idle:?}");
        assert!(ward.says("doctor: "), "{}", ward.log().join("\n"));
        ward.becomes("sim-2", |health| *health == DeviceHealth::Idle).await;
        viewer.requests.send(Request::Stop(SessionId(1))).await.unwrap();
    };
    let outcome = ward.run(&definition, examines).await;
    assert_eq!(outcome.end, SessionEnd::Stopped);
    assert!(!ward.log().iter().any(|line| line.contains("sick")), "{}", ward.log().join("\n"));
}
