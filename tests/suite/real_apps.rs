//! A real app's APK in the framework lab, used by the clients that people use: genuine adb, and uiautomator2.
//!
//! Runs if the APK is there (`benches/apks/README.md` says where it is from; `DROIDMUX_APKS` names its folder, and the
//! corpus may have it), the host has been built and the client is installed, and reports otherwise that it was skipped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use droidmux::gui::{Point, read_dump};

use crate::adb_genuine::{Adb, is_installed};
use crate::corpus::corpus;
use crate::framework::host;
use crate::python_clients::python_with;

const APK: &str = "activitydiary.apk";
const PACKAGE: &str = "de.rampro.activitydiary.debug";
const MAIN: &str = "de.rampro.activitydiary.ui.main.MainActivity";

/// The APK, if it is at hand.
fn apk() -> Option<PathBuf> {
    let folder = match std::env::var_os("DROIDMUX_APKS") {
        Some(folder) => PathBuf::from(folder),
        None => corpus("apks")?,
    };
    let apk = folder.join(APK);
    if !apk.is_file() {
        println!("skipped: no {}; benches/apks/README.md says where it is from", apk.display());
        return None;
    }
    Some(apk)
}

/// A lab that serves the app; it ends with this.
struct Serving {
    child: Child,
    port: u16,
    adb: Adb,
}

impl Serving {
    fn start(apk: &Path, host: &Path, home: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(["sim", "--json", "--no-adbd", "--framework-host"]).arg(host).arg("--apk").arg(apk);
        for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env(name, home);
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("droidmux runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let doors: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let address: std::net::SocketAddr =
            doors["server"].as_str().expect("a door").parse().expect("an address");
        let mut adb = Adb::new(address.port(), false);
        adb.serial = Some("sim-1".into());
        Self { child, port: address.port(), adb }
    }

    fn shell(&self, command: &str) -> String {
        self.adb.text(&["shell", command])
    }

    /// The middle of the first widget with this text or description.
    fn find(&self, label: &str) -> Option<Point> {
        let said = self.adb.text(&["exec-out", "uiautomator dump /dev/tty"]);
        let end = said.rfind('>').map_or(0, |at| at + 1);
        let dump = read_dump(said.get(..end).unwrap_or_default().as_bytes()).expect("a dump");
        let is = |text: &str| text == label;
        let mut widgets = dump.layout.widgets();
        widgets
            .find(|widget| is(widget.text()) || is(widget.description()))
            .map(|widget| widget.bounds().center())
    }

    fn tap(&self, label: &str) {
        let at = self.find(label).unwrap_or_else(|| panic!("no {label:?}"));
        self.shell(&format!("input tap {} {}", at.x, at.y));
    }

    fn focus(&self) -> String {
        self.shell("dumpsys window displays | grep mCurrentFocus")
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Interrupted, so that it ends its hosts.
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
        let _ = self.child.wait();
    }
}

#[test]
fn clients_use_a_real_app_as_on_a_phone() {
    let Some(apk) = apk() else { return };
    let Some(host) = host() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let phone = Serving::start(&apk, &host, home.path());
    if is_installed() {
        by_adb(&phone, &apk, home.path());
    }
    if let Some(python) = python_with(&["adbutils", "uiautomator2"]) {
        by_uiautomator2(&phone, &python, home.path());
    }
}

fn by_adb(phone: &Serving, apk: &Path, folder: &Path) {
    let start = format!("am start -W -n {PACKAGE}/{MAIN}");
    assert!(phone.shell(&start).contains("Status: ok"));
    assert!(phone.focus().contains(&format!("u0 {PACKAGE}/{MAIN}")), "{}", phone.focus());
    phone.tap("Cinema");
    phone.shell("input swipe 540 1500 540 900 300; input swipe 540 900 540 1500 300");
    phone.tap("Open Navigation");
    phone.tap("Settings");
    assert!(phone.focus().contains("SettingsActivity"), "{}", phone.focus());
    phone.shell("input keyevent KEYCODE_BACK");
    phone.tap("Add Activity");
    phone.shell("input text Reading");
    assert!(phone.find("Reading").is_some());
    phone.shell("input keyevent 4; input keyevent 4; input keyevent 4");
    phone.shell(&start);

    // What is not there, or is not for everybody, is told in the tool's words.
    assert!(phone.shell(&format!("am start -n {PACKAGE}/.None 2>&1; true")).contains("does not exist"));
    let closed = phone.shell(&format!(
        "am start -n {PACKAGE}/{} --es a b 2>&1; true",
        MAIN.replace("main.Main", "history.History")
    ));
    assert!(closed.contains("Permission Denial"), "{closed}");
    let asked = phone.shell(&format!("pm grant {PACKAGE} android.permission.CAMERA 2>&1; true"));
    assert!(asked.contains("has not requested permission"), "{asked}");
    const WRITE: &str = "android.permission.WRITE_EXTERNAL_STORAGE";
    for (verb, granted) in [("grant", true), ("revoke", false)] {
        phone.shell(&format!("pm {verb} {PACKAGE} {WRITE}"));
        let dumped = phone.shell(&format!("dumpsys package {PACKAGE}"));
        assert!(dumped.contains(&format!("{WRITE}: granted={granted}")), "{verb}: {dumped}");
    }
    // A deep link of another app's, and what the system tells all.
    assert!(
        !phone.shell("am start -a android.intent.action.VIEW -d https://example.org/x").contains("Error")
    );
    assert!(!phone.focus().contains(PACKAGE), "{}", phone.focus());
    phone.shell("input keyevent 4");
    assert!(
        phone
            .shell("am broadcast -a android.intent.action.TIME_SET")
            .contains("Broadcast completed: result=0")
    );

    let picture = phone.adb.ok(&["exec-out", "screencap", "-p"]);
    assert_eq!(image::load_from_memory(&picture).expect("a picture").into_rgba8().dimensions(), (1080, 1920));
    let (sent, back) = (folder.join("sent.txt"), folder.join("back.txt"));
    std::fs::write(&sent, "some text").expect("a file");
    phone.adb.ok(&["push", &sent.to_string_lossy(), "/sdcard/Download/sent.txt"]);
    phone.adb.ok(&["pull", "/sdcard/Download/sent.txt", &back.to_string_lossy()]);
    assert_eq!(std::fs::read_to_string(&back).expect("a file"), "some text");
    assert!(
        phone.shell("logcat -d").contains("ActivityManager")
            && phone.shell("logcat -d -b crash").trim().is_empty()
    );

    // Replaced by itself it keeps its data; removed it has none.
    phone.shell(&start);
    phone.tap("Swimming");
    let apk = apk.to_string_lossy();
    assert!(phone.adb.text(&["install", "-r", &apk]).contains("Success"));
    phone.shell(&start);
    assert!(phone.find("Swimming").is_some() && phone.find("<No Activity>").is_none());
    assert!(phone.adb.text(&["uninstall", PACKAGE]).contains("Success"));
    assert!(!phone.shell("pm list packages").contains(PACKAGE));
    assert!(phone.adb.text(&["install", &apk]).contains("Success"));
    assert!(phone.shell(&start).contains("Status: ok"));
    assert!(phone.find("<No Activity>").is_some());
}

fn by_uiautomator2(phone: &Serving, python: &str, home: &Path) {
    let script = format!("{}/tests/python/real_app.py", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(python)
        .args([&script, &phone.port.to_string(), "sim-1"])
        .envs([("HOME", home), ("TMPDIR", home)])
        .env("ANDROID_ADB_SERVER_PORT", phone.port.to_string())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_SERIAL")
        .stdin(Stdio::null())
        .output()
        .expect("Python runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}
