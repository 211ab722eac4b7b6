//! A tunnel to the ADB server of another host: an `ssh -N -L` that is started, watched, and started again.
//!
//! In: where the server is. Out: connections to it through a socket of this host, or why there are none.
//!
//! Invariants: `ssh` never asks anything (no password, no unknown host key: `BatchMode`); it ends with this process, even
//! when that is killed; while it is down nobody waits for it, except for its first attempt; the socket is in a folder that
//! only this user can look into.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ssh_words::Said;
use super::stream::Stream;
use crate::DeviceErrorKind;
use droidmux_file::Temporary;
use droidmux_record::SshPlace;

/// Another program in place of `ssh`.
const PROGRAM: &str = "DROIDMUX_SSH";
/// The wait before `ssh` is started again: the first, and the longest.
const FIRST_RETRY: Duration = Duration::from_millis(250);
const LAST_RETRY: Duration = Duration::from_secs(15);
/// A tunnel that was open for this long was sound: the next attempt comes soon.
const SOUND: Duration = Duration::from_secs(10);
/// How often the socket is looked for until it is there.
const LOOK: Duration = Duration::from_millis(20);
/// How long the reason is waited for when a connection was closed at once.
const REASON: Duration = Duration::from_millis(300);
/// The longest line of `ssh` that is read.
const MOST_SAID: u64 = 64 << 10;
/// What a socket's path may be long (`sun_path`), with room for the name that `ssh` uses at first.
const LONGEST_SOCKET: usize = 90;

/// Starts its arguments as a command that ends when standard input does: a pipe from this process, which the system
/// closes however this process ends. What it started in turn ends with it, since all are one process group.
const LEASHED: &str = "exec 3<&0; \"$@\" </dev/null 3<&- & c=$!; \
                       { read -r _ <&3; kill 0; } >/dev/null 2>&1 & w=$!; \
                       exec 3<&-; wait \"$c\"; s=$?; kill \"$w\" 2>/dev/null; exit \"$s\"";

/// A tunnel; it is taken down when this is dropped.
#[derive(Debug)]
pub(super) struct Tunnel {
    /// What the host is called in errors.
    host: String,
    socket: PathBuf,
    state: watch::Receiver<State>,
    said: Arc<Mutex<Said>>,
    _folder: Temporary,
    _end: DropGuard,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// The first attempt is under way.
    First,
    Open,
    /// In words; another attempt is under way or will be.
    Down(String),
}

impl Tunnel {
    /// Begins to keep a tunnel to port `adb` of that host's loopback address; needs a runtime.
    ///
    /// # Errors
    /// When there can be no socket for it.
    pub(super) fn open(host: &str, to: &SshPlace, adb: u16) -> io::Result<Self> {
        let folder = Temporary::new("tunnel")?;
        let socket = folder.path().join("adb");
        if socket.as_os_str().len() > LONGEST_SOCKET {
            let folder = folder.path().display();
            return Err(io::Error::other(format!(
                "{folder} is too long a name for a socket: set TMPDIR to a shorter folder"
            )));
        }
        let said = Arc::new(Mutex::new(Said::of(to, adb)));
        let (sender, state) = watch::channel(State::First);
        let end = CancellationToken::new();
        let keeper = Keeper {
            words: command(to, adb, &socket),
            socket: socket.clone(),
            said: said.clone(),
            state: sender,
        };
        let over = end.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = over.cancelled() => {}
                () = keeper.keep() => {}
            }
        });
        Ok(Self { host: host.to_owned(), socket, state, said, _folder: folder, _end: end.drop_guard() })
    }

    /// A connection to the server.
    pub(super) async fn connect(&self) -> Result<Stream, DeviceErrorKind> {
        let mut state = self.state.clone();
        let known = state.wait_for(|state| *state != State::First).await.map(|state| state.clone());
        match known {
            Ok(State::Down(why)) => return Err(self.unreachable(why)),
            Ok(State::Open | State::First) => {}
            Err(_) => return Err(self.unreachable("the tunnel has ended".into())),
        }
        Stream::unix(&self.socket).await.map_err(|_| {
            let state = self.state.borrow().clone();
            match state {
                State::Down(why) => self.unreachable(why),
                State::First | State::Open => self.unreachable("the tunnel has just ended".into()),
            }
        })
    }

    /// Why a connection that began then was closed before anything came over it, where `ssh` said so.
    pub(super) async fn reason(&self, began: Instant) -> Option<DeviceErrorKind> {
        let asked = Instant::now();
        while asked.elapsed() < REASON {
            let refused = self.said.lock().unwrap_or_else(PoisonError::into_inner).refused_since(began);
            if let Some(why) = refused {
                return Some(self.unreachable(why));
            }
            if let State::Down(why) = &*self.state.borrow() {
                return Some(self.unreachable(why.clone()));
            }
            tokio::time::sleep(LOOK).await;
        }
        None
    }

    fn unreachable(&self, why: String) -> DeviceErrorKind {
        DeviceErrorKind::Unreachable { host: self.host.as_str().into(), why: why.into() }
    }
}

/// Keeps one `ssh` running.
struct Keeper {
    words: Vec<String>,
    socket: PathBuf,
    said: Arc<Mutex<Said>>,
    state: watch::Sender<State>,
}

impl Keeper {
    async fn keep(self) {
        let mut retry = FIRST_RETRY;
        loop {
            let opened = self.once().await;
            if opened.is_some_and(|at| at.elapsed() >= SOUND) {
                retry = FIRST_RETRY;
            }
            tokio::time::sleep(retry).await;
            retry = (retry * 2).min(LAST_RETRY);
        }
    }

    /// Runs `ssh` until it ends; since when the tunnel was open, if it was.
    async fn once(&self) -> Option<Instant> {
        // `ssh` is told to replace it; one that is left over must not count as open.
        let _ = std::fs::remove_file(&self.socket);
        let mut child = match self.spawn() {
            Ok(child) => child,
            Err(error) => {
                self.down(format!("ssh does not run: {error}"));
                return None;
            }
        };
        // Held as long as it is to run: to wait for a child would close it.
        let _leash = child.stdin.take();
        self.said().clear();
        let heard = child.stderr.take().map(|stderr| tokio::spawn(hear(stderr, self.said.clone())));
        let opened = tokio::select! {
            () = self.there() => Some(Instant::now()),
            _ = child.wait() => None,
        };
        if opened.is_some() {
            self.state.send_replace(State::Open);
            let _ = child.wait().await;
        }
        // A process that `ssh` left behind may keep the pipe open for ever.
        if let Some(heard) = heard {
            let _ = tokio::time::timeout(REASON, heard).await;
        }
        let why = self.said().in_words();
        self.down(why);
        opened
    }

    fn spawn(&self) -> io::Result<Child> {
        let program = std::env::var(PROGRAM).ok().filter(|name| !name.is_empty());
        let mut command = Command::new("/bin/sh");
        command.args(["-c", LEASHED, "tunnel"]).arg(program.as_deref().unwrap_or("ssh")).args(&self.words);
        // Ctrl-C is meant for the cockpit: the tunnel is needed until the devices are put back.
        command.process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    }

    /// Ready when the socket is there: `ssh` makes it once the other host has let it in.
    async fn there(&self) {
        while !self.socket.exists() {
            tokio::time::sleep(LOOK).await;
        }
    }

    fn down(&self, why: String) {
        self.state.send_replace(State::Down(why));
    }

    fn said(&self) -> std::sync::MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The arguments of `ssh`.
fn command(to: &SshPlace, adb: u16, socket: &Path) -> Vec<String> {
    let options = [
        "BatchMode=yes",
        "ExitOnForwardFailure=yes",
        "ConnectTimeout=15",
        "ServerAliveInterval=5",
        "ServerAliveCountMax=3",
        "StreamLocalBindUnlink=yes",
        "StreamLocalBindMask=0177",
        // Not a channel of another `ssh`, which would end with that one, and would not tell us.
        "ControlMaster=no",
        "ControlPath=none",
        "ForwardAgent=no",
        "ForwardX11=no",
        "RequestTTY=no",
        "PermitLocalCommand=no",
        // What a port that refuses is told at.
        "LogLevel=INFO",
    ];
    let mut words: Vec<String> = vec!["-N".into()];
    words.extend(options.iter().flat_map(|option| ["-o".to_owned(), (*option).to_owned()]));
    words.extend(["-L".into(), format!("{}:127.0.0.1:{adb}", socket.display())]);
    if let Some(port) = to.port {
        words.extend(["-p".into(), port.to_string()]);
    }
    words.extend(["--".into(), to.destination()]);
    words
}

/// Takes in what `ssh` says, line by line.
async fn hear(stderr: ChildStderr, said: Arc<Mutex<Said>>) {
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut lines).take(MOST_SAID).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let line = String::from_utf8_lossy(&line);
                said.lock().unwrap_or_else(PoisonError::into_inner).take(line.trim_end());
            }
        }
    }
}
