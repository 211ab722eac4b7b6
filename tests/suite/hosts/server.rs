//! A genuine nats-server on a port of its own, with files of its own.

use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::ports::free_port;

/// How long it may take to listen.
const SOON: Duration = Duration::from_secs(20);

pub struct NatsServer {
    pub port: u16,
    child: Option<Child>,
    folder: tempfile::TempDir,
    /// What its configuration has besides its port and its files.
    more: String,
}

/// Whether there is one; says so when there is none.
pub fn is_installed() -> bool {
    let found = Command::new(program()).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped: nats-server is not installed");
    }
    found
}

/// Debian has it among the daemons, which are not on everybody's path.
fn program() -> PathBuf {
    let usual = PathBuf::from("/usr/sbin/nats-server");
    if usual.is_file() { usual } else { "nats-server".into() }
}

impl NatsServer {
    pub fn start() -> Self {
        Self::with("")
    }

    /// With more in its configuration.
    pub fn with(more: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Self { port: free_port(), child: None, folder, more: more.to_owned() };
        server.begin();
        server
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// What it has written down so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Kills it as `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
    }

    /// Starts it again on the same port, with the files that it had or without them.
    pub fn again(&mut self, keeps_files: bool) {
        if !keeps_files {
            let _ = std::fs::remove_dir_all(self.folder.path().join("files"));
        }
        self.begin();
    }

    fn begin(&mut self) {
        let files = self.folder.path().join("files");
        let configuration = format!(
            "listen: \"127.0.0.1:{}\"\njetstream {{ store_dir: \"{}\" }}\n{}\n",
            self.port,
            files.display(),
            self.more
        );
        let path = self.folder.path().join("nats.conf");
        std::fs::write(&path, configuration).expect("written");
        let log = std::fs::File::create(self.folder.path().join("log")).expect("a log");
        let child = Command::new(program()).arg("-c").arg(&path).stdout(Stdio::null()).stderr(log).spawn();
        self.child = Some(child.expect("nats-server starts"));
        let began = Instant::now();
        let address: SocketAddr = ([127, 0, 0, 1], self.port).into();
        while TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_err() {
            assert!(began.elapsed() < SOON, "nats-server does not listen\n{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
