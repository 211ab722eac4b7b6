//! A genuine `sshd` on a loopback port, for one user with one key, and a line to it that can be slow or cut.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::fixture::Site;
use crate::ports::free_port;
use droidmux_testutils::write_shell_script;

/// Where Debian and others keep it; ordinary users do not have that folder in their path.
const SSHD: [&str; 3] = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd"];
/// Bytes that go over the line in one piece.
const PIECE: usize = 1_024;

/// Ends with the test.
pub struct Sshd {
    daemon: Child,
    program: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl Sshd {
    /// Serves the lab of this site; `None`, with a message, if there is no OpenSSH.
    pub fn start(site: &Site) -> Option<Self> {
        let environment = site.environment();
        let named = environment.iter().filter(|(name, _)| name.starts_with("XDG_"));
        let set: Vec<String> = named.map(|(name, value)| format!("{name}={value}")).collect();
        Self::with(&format!("SetEnv {}\n", set.join(" ")))
    }

    /// With these lines of configuration as well.
    pub fn with(more: &str) -> Option<Self> {
        let sshd = SSHD.map(PathBuf::from).into_iter().find(|path| path.exists());
        let has = |tool: &str| Command::new(tool).arg("-?").stderr(Stdio::null()).status().is_ok();
        let Some(sshd) = sshd.filter(|_| has("ssh") && has("ssh-keygen")) else {
            println!("skipped: OpenSSH's server and client are not installed (Debian: openssh-server)");
            return None;
        };
        let separation = Path::new("/run/sshd");
        if rustix::process::geteuid().is_root() && !separation.exists() {
            // The system creates it when it starts the server; without it, none starts as root.
            if let Err(error) = std::fs::create_dir(separation) {
                println!("skipped: {} is missing and cannot be made: {error}", separation.display());
                return None;
            }
        }
        let folder = tempfile::Builder::new().prefix("dm").tempdir_in("/tmp").expect("a folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        for key in ["host", "user"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &path(key)])
                .status()
                .expect("ssh-keygen runs");
            assert!(made.success());
        }
        std::fs::rename(path("user.pub"), path("authorized")).expect("renamed");
        let port = free_port();
        let config = format!(
            "ListenAddress 127.0.0.1:{port}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\n\
             StrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             PermitRootLogin prohibit-password\nPrintMotd no\nMaxStartups 100\n{more}",
            path("host"),
            path("authorized"),
        );
        std::fs::write(path("sshd_config"), config).expect("written");
        let mut daemon = serve(&sshd, folder.path());
        let said = || std::fs::read_to_string(path("log")).unwrap_or_default();
        assert!(answers(&mut daemon, port), "sshd does not start: {}", said());
        let started = Self { daemon, program: sshd, folder, port };
        started.write_client();
        Some(started)
    }

    /// Kills the server; what is open stays open. It can be [`Sshd::revive`]d.
    pub fn kill(&mut self) {
        self.daemon.kill().expect("killed");
        self.daemon.wait().expect("its end");
    }

    /// Starts it again, at the same port and with the same keys.
    pub fn revive(&mut self) {
        self.daemon = serve(&self.program, self.folder.path());
        assert!(answers(&mut self.daemon, self.port), "sshd is back");
    }

    /// Takes the key away from those who come from now on, or gives it back.
    pub fn let_in(&self, let_in: bool) {
        let path = |name: &str| self.folder.path().join(name);
        let (from, to) = if let_in { ("locked", "authorized") } else { ("authorized", "locked") };
        std::fs::rename(path(from), path(to)).expect("renamed");
    }

    /// A way to it on an IPv6 loopback address if there is one.
    pub fn line(&self) -> Line {
        Line::to(SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)))
    }

    /// What `droidmux attach` needs in its environment to find it.
    pub fn environment(&self) -> [(&'static str, String); 2] {
        let ssh = self.folder.path().join("ssh").display().to_string();
        [("DROIDMUX_SSH", ssh), ("DROIDMUX_REMOTE", env!("CARGO_BIN_EXE_droidmux").into())]
    }

    /// `ssh` with nothing of the user's own.
    fn write_client(&self) {
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        let config = format!(
            "IdentityFile {}\nIdentitiesOnly yes\nUserKnownHostsFile {}\nGlobalKnownHostsFile none\n\
             StrictHostKeyChecking accept-new\n",
            path("user"),
            path("known")
        );
        std::fs::write(path("config"), config).expect("written");
        write_shell_script(path("ssh"), &format!("exec ssh -F {} \"$@\"\n", path("config")));
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

fn serve(sshd: &Path, folder: &Path) -> Child {
    let log = std::fs::File::create(folder.join("log")).expect("a log");
    let mut command = Command::new(sshd);
    command.args(["-D", "-e", "-f"]).arg(folder.join("sshd_config"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("sshd runs")
}

fn answers(daemon: &mut Child, port: u16) -> bool {
    let began = Instant::now();
    while daemon.try_wait().expect("its state").is_none() {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return true;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "sshd does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// A relay to a port that may be slow, be cut, and be out of order.
pub struct Line {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Bytes a second in each direction; 0 is no limit.
    rate: AtomicU64,
    /// Nobody gets through.
    down: AtomicBool,
    carried: AtomicU64,
    open: Mutex<Vec<TcpStream>>,
}

impl Line {
    fn to(far: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv6Addr::LOCALHOST, 0))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::<State>::default();
        let shared = state.clone();
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                // Held until it is among those that a cut ends.
                let mut open = shared.open.lock().unwrap_or_else(PoisonError::into_inner);
                if shared.down.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(far) = TcpStream::connect(far) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().expect("a handle"), to.try_clone().expect("a handle"));
                    let state = shared.clone();
                    std::thread::spawn(move || carry(from, to, &state));
                }
                open.extend([near, far]);
            }
        });
        Self { address, state }
    }

    /// As `--to` takes it.
    pub fn url(&self) -> String {
        format!("ssh://{}", self.address)
    }

    /// From now on, this many bytes per second.
    pub fn slow_down(&self, rate: u64) {
        self.state.rate.store(rate, Ordering::SeqCst);
    }

    /// Cuts what is open; later connections are cut at once while it is down.
    pub fn cut(&self, down: bool) {
        self.state.down.store(down, Ordering::SeqCst);
        for stream in self.state.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub fn mend(&self) {
        self.state.down.store(false, Ordering::SeqCst);
    }

    /// Bytes so far, in both directions.
    pub fn carried(&self) -> u64 {
        self.state.carried.load(Ordering::SeqCst)
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, state: &State) {
    let mut piece = [0; PIECE];
    while let Ok(read @ 1..) = from.read(&mut piece) {
        state.carried.fetch_add(read as u64, Ordering::SeqCst);
        let rate = state.rate.load(Ordering::SeqCst);
        if rate > 0 {
            std::thread::sleep(Duration::from_secs_f64(read as f64 / rate as f64));
        }
        if to.write_all(&piece[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
