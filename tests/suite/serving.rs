//! An APK in the framework lab, behind a door for genuine adb.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use droidmux::gui::{Point, read_dump};

use crate::adb_genuine::Adb;

/// A lab that serves the app; it ends with this.
pub struct Serving {
    child: Child,
    /// Of its ADB server.
    pub port: u16,
    pub adb: Adb,
}

impl Serving {
    pub fn start(apk: &Path, host: &Path, home: &Path) -> Self {
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

    pub fn shell(&self, command: &str) -> String {
        self.adb.text(&["shell", command])
    }

    /// The middle of the first widget with this text or description.
    pub fn find(&self, label: &str) -> Option<Point> {
        let said = self.adb.text(&["exec-out", "uiautomator dump /dev/tty"]);
        let end = said.rfind('>').map_or(0, |at| at + 1);
        let dump = read_dump(said.get(..end).unwrap_or_default().as_bytes()).expect("a dump");
        let is = |text: &str| text == label;
        let mut widgets = dump.layout.widgets();
        widgets
            .find(|widget| is(widget.text()) || is(widget.description()))
            .map(|widget| widget.bounds().center())
    }

    pub fn tap(&self, label: &str) {
        let at = self.find(label).unwrap_or_else(|| panic!("no {label:?}"));
        self.shell(&format!("input tap {} {}", at.x, at.y));
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
