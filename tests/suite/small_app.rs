//! An APK as a build tool makes it, through the whole lab: translated by `droidmux sim --apk`, used by genuine adb.
//!
//! Runs if `tests/small-app/build` has made the app (AppCompat, Material, fragments, a service, pickers, Kotlin, all
//! shrunk by R8) and the framework lab is built, and reports otherwise that it was skipped.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use droidmux::gui::read_dump;

use crate::adb_genuine::{Adb, is_installed};
use crate::framework::host;

const PACKAGE: &str = "org.droidmux.ledger";

/// A lab that serves the app; it ends with this.
struct Serving {
    child: Child,
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
        Self { child, adb }
    }

    fn shell(&self, command: &str) -> String {
        self.adb.text(&["shell", command])
    }

    /// The texts and descriptions on the screen, each with its middle.
    fn labels(&self) -> Vec<(String, (i32, i32))> {
        self.shell("uiautomator dump /sdcard/w.xml");
        let dump = read_dump(self.shell("cat /sdcard/w.xml").as_bytes()).expect("a dump");
        let mut labels = Vec::new();
        for widget in dump.layout.widgets() {
            let middle = widget.bounds().center();
            for label in [widget.text(), widget.description()] {
                labels.push((label.to_owned(), (middle.x, middle.y)));
            }
        }
        labels
    }

    fn find(&self, label: &str) -> (i32, i32) {
        let labels = self.labels();
        let found = labels.iter().find(|(text, _)| text == label);
        found.unwrap_or_else(|| panic!("no {label:?} in {labels:?}")).1
    }

    fn tap(&self, label: &str) {
        let (x, y) = self.find(label);
        self.shell(&format!("input tap {x} {y}"));
    }

    fn type_into(&self, label: &str, text: &str) {
        self.tap(label);
        self.shell(&format!("input text {text}"));
    }

    fn shows(&self, label: &str) -> bool {
        self.labels().iter().any(|(text, _)| text == label)
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
fn an_app_of_todays_libraries_is_used_by_genuine_adb() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let apk = folder.join("target/small-app/ledger.apk");
    if !apk.is_file() {
        println!("skipped: no {}; tests/small-app/build", apk.display());
        return;
    }
    let Some(host) = host().filter(|_| is_installed()) else { return };
    let home = tempfile::tempdir().expect("a folder");
    let phone = Serving::start(&apk, &host, home.path());
    phone.shell(&format!("am start -n {PACKAGE}/.MainActivity"));
    assert!(phone.shows("Nothing is written down yet"));

    phone.tap("Add entry");
    phone.tap("SAVE");
    assert!(phone.shows("A title is needed"));
    phone.type_into("Title", "Bread");
    phone.type_into("Amount", "42");
    // The day is chosen in a dialog of Material's own, the file in the system's picker.
    phone.tap("DAY");
    phone.tap("Fri, Mar 15");
    phone.tap("OK");
    phone.tap("ATTACH");
    phone.tap("Notes.txt");
    phone.tap("SAVE");
    assert!(phone.shows("Bread + Notes.txt"));

    // A service adds up on a thread of its own.
    phone.tap("More options");
    phone.tap("Total");
    assert!(phone.shows("42") && phone.shows("Total"));
    phone.tap("OK");

    let (x, y) = phone.find("Bread + Notes.txt");
    phone.shell(&format!("input swipe {x} {y} {x} {y} 900"));
    assert!(phone.shows("Nothing is written down yet"));
    phone.tap("UNDO");
    assert!(phone.shows("Bread + Notes.txt"));

    // What was saved outlives its process.
    phone.shell(&format!("am force-stop {PACKAGE}; am start -n {PACKAGE}/.MainActivity"));
    assert!(phone.shows("Bread + Notes.txt"));
    assert_eq!(phone.shell("logcat -d -b crash").trim(), "");
}
