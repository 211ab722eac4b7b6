//! A lab server with its own folder and its own simulated devices.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(240);

/// Ends its server when dropped.
pub struct Site {
    pub folder: tempfile::TempDir,
}

impl Site {
    /// A folder of its own without a server.
    pub fn bare() -> Self {
        // Socket paths must be short.
        Self { folder: tempfile::Builder::new().prefix("dm").tempdir_in("/tmp").expect("a folder") }
    }

    /// A server with this many simulated devices.
    pub fn new(devices: u16) -> Self {
        let site = Self::bare();
        site.start(devices);
        site
    }

    pub fn start(&self, devices: u16) {
        let devices = devices.to_string();
        let (code, said) = self.run(&["lab", "start", "--lab", "sim", "--steady", "--devices", &devices]);
        assert_eq!(code, Some(0), "{said}");
    }

    /// The program, with nothing from this machine.
    pub fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.envs(self.environment());
        command
    }

    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let folder = self.folder.path().display().to_string();
        let folders = ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"];
        let mut variables: Vec<_> = folders.map(|name| (name, folder.clone())).to_vec();
        variables.push(("XDG_RUNTIME_DIR", format!("{folder}/run")));
        variables.push(("USER", "ann".into()));
        variables
    }

    /// The exit code and all output.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } = self.program().args(arguments).output().expect("it runs");
        (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    }

    /// The same in the background, printing nothing.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.program();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("it runs")
    }

    /// A session of the repository in the background: its command is detached, and the server runs it.
    pub fn session(&self, name: &str, events: u64) -> Child {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions").join(name);
        let (file, events) = (file.display().to_string(), events.to_string());
        self.spawn(&["run", &file, "--json", "--seed", "1", "--max-events", &events])
    }

    /// The sessions as listed by `lab ls --json`.
    pub fn sessions(&self) -> Vec<Value> {
        let (code, said) = self.run(&["lab", "ls", "--json"]);
        assert_eq!(code, Some(0), "{said}");
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Waits until the sessions are as wanted, and returns them.
    pub fn wait_for(&self, what: &str, mut holds: impl FnMut(&[Value]) -> bool) -> Vec<Value> {
        let began = Instant::now();
        loop {
            let sessions = self.sessions();
            if holds(&sessions) {
                return sessions;
            }
            assert!(began.elapsed() < PATIENCE, "{what} does not come: {sessions:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The server's process.
    pub fn process(&self) -> i32 {
        let (_, said) = self.run(&["lab", "status", "--json"]);
        let status: Value = serde_json::from_str(said.trim()).expect("JSON");
        status["process"].as_i64().and_then(|id| i32::try_from(id).ok()).expect("a process")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.program().args(["lab", "stop"]).output();
    }
}

/// Steps recorded in the first session.
pub fn steps(sessions: &[Value]) -> u64 {
    sessions.first().and_then(|session| session["steps"].as_u64()).unwrap_or(0)
}
