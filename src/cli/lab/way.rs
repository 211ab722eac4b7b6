//! Ways to a lab server: the socket on this host, or `ssh` to another one.

use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::pin::Pin;
use std::process::Stdio;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::{Timeout, timeout};

use crate::bring_up::store_path;
use crate::folders;
use droidmux_lab::server::Endpoint;
use droidmux_proto::greeting::{GreetingError, Hello, Purpose};
use droidmux_proto::{Reach, ViewerEnd, Wire, connect, connect_later};
use droidmux_record::SshPlace;
use droidmux_store::host_name;
use droidmux_words::printable;

/// The program that makes the connection to another host; `DROIDMUX_SSH` names another one.
const SSH: &str = "ssh";
/// The program to run there; `DROIDMUX_REMOTE` names another one.
const REMOTE: &str = "droidmux";

/// Where a lab is: `local`, or `ssh://[user@]host[:port]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabAddress {
    Here,
    Ssh { host: String, port: Option<u16> },
}

/// A text that is no [`LabAddress`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no place; say `local` or `ssh://[user@]host[:port]`")]
pub struct NoPlace {
    text: String,
}

impl FromStr for LabAddress {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "local" {
            return Ok(Self::Here);
        }
        let usage = || NoPlace { text: text.to_owned() };
        let place = text.strip_prefix("ssh://").ok_or_else(usage)?.trim_end_matches('/');
        let to = SshPlace::read(place).ok_or_else(usage)?;
        Ok(Self::Ssh { host: to.destination(), port: to.port })
    }
}

/// The address of the server for a store on this host.
///
/// # Errors
/// When there is no home folder, or the socket's path is too long.
pub(crate) fn endpoint(store: Option<PathBuf>) -> color_eyre::Result<Endpoint> {
    Ok(Endpoint::of(&folders::state()?, &store_path(store)?)?)
}

/// Connects a viewer to the lab at this place.
///
/// # Errors
/// When it cannot be reached, or refuses this viewer.
pub(crate) async fn view(
    place: &LabAddress,
    store: Option<PathBuf>,
    purpose: Purpose,
) -> color_eyre::Result<ViewerEnd> {
    reach(place, store, &hello(purpose)).await?.map_err(|error| match (place, error) {
        (LabAddress::Here, GreetingError::Io(error)) if is_absent(&error) => {
            color_eyre::eyre::eyre!("no lab server runs here; `droidmux lab start` starts one")
        }
        (LabAddress::Ssh { host, .. }, error) => color_eyre::Report::new(error)
            .wrap_err(format!("{host} cannot be reached; `ssh {host} droidmux lab status` may say why")),
        (_, error) => error.into(),
    })
}

/// The same when there are several labs: one on another host that cannot be reached is tried again later.
///
/// # Errors
/// When a lab refuses this viewer, or none runs here.
pub(crate) async fn view_among(
    place: &LabAddress,
    store: Option<PathBuf>,
    purpose: Purpose,
) -> color_eyre::Result<ViewerEnd> {
    let LabAddress::Ssh { host, port } = place else { return view(place, store, purpose).await };
    let hello = hello(purpose);
    match reach(place, store.clone(), &hello).await? {
        Err(GreetingError::Io(error)) => {
            let way = Ssh { host: host.clone(), port: *port, store, again: AtomicBool::new(true) };
            Ok(connect_later(way, hello, host, error))
        }
        reached => Ok(reached?),
    }
}

async fn reach(
    place: &LabAddress,
    store: Option<PathBuf>,
    hello: &Hello,
) -> color_eyre::Result<Result<ViewerEnd, GreetingError>> {
    Ok(match place {
        LabAddress::Here => connect(Socket(endpoint(store)?), hello.clone()).await,
        LabAddress::Ssh { host, port } => {
            let way = Ssh { host: host.clone(), port: *port, store, again: AtomicBool::new(false) };
            connect(way, hello.clone()).await
        }
    })
}

/// True when no server is listening.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// How this process introduces itself.
pub(crate) fn hello(purpose: Purpose) -> Hello {
    let user = std::env::var("USER").unwrap_or_else(|_| "somebody".into());
    Hello { droidmux: env!("CARGO_PKG_VERSION").into(), name: format!("{user}@{}", host_name()), purpose }
}

/// The socket on this host.
pub(crate) struct Socket(pub(crate) Endpoint);

#[async_trait]
impl Reach for Socket {
    async fn reach(&self) -> io::Result<Box<dyn Wire>> {
        Ok(Box::new(self.0.connect().await?))
    }
}

/// `ssh HOST droidmux lab proxy`.
struct Ssh {
    host: String,
    port: Option<u16>,
    store: Option<PathBuf>,
    /// The first connection may ask for a password; later ones come while the cockpit has the
    /// terminal.
    again: AtomicBool,
}

#[async_trait]
impl Reach for Ssh {
    async fn reach(&self) -> io::Result<Box<dyn Wire>> {
        let again = self.again.swap(true, Ordering::SeqCst);
        let named = |variable: &str, usual: &str| {
            std::env::var(variable).ok().filter(|name| !name.is_empty()).unwrap_or_else(|| usual.to_owned())
        };
        let mut command = Command::new(named("DROIDMUX_SSH", SSH));
        command.args(["-T", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"]);
        // Without a timeout, a host that accepts the connection but says nothing would keep us waiting for minutes.
        command.args(["-o", "ConnectTimeout=20"]);
        if again {
            // Ctrl-C and the like are meant for the cockpit.
            command.args(["-o", "BatchMode=yes"]).process_group(0);
        }
        if let Some(port) = self.port {
            command.args(["-p", &port.to_string()]);
        }
        command.arg("--").arg(&self.host).arg(named("DROIDMUX_REMOTE", REMOTE)).args(["lab", "proxy"]);
        if again {
            // A viewer that reconnects must not undo `lab stop`.
            command.arg("--no-start");
        }
        if let Some(store) = &self.store {
            // The far side runs a shell.
            let quoted = store.to_string_lossy().replace('\'', "'\\''");
            command.args(["--store", &format!("'{quoted}'")]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let ((input, output), said) = pipes.ok_or_else(|| io::Error::other("ssh has no pipes"))?;
        let answered = Arc::new(AtomicBool::new(again));
        let told = tokio::spawn(tell(said, Arc::clone(&answered)));
        Ok(Box::new(Pipes { input, output, answered, told: Some(told), last_words: None, _child: child }))
    }
}

/// Relays what ssh prints: to standard error until the far side has answered; from then on to the log, since the
/// cockpit has the terminal.
async fn tell(mut said: ChildStderr, answered: Arc<AtomicBool>) {
    let mut piece = [0; 4_096];
    while let Ok(read @ 1..) = said.read(&mut piece).await {
        let text = String::from_utf8_lossy(piece.get(..read).unwrap_or_default()).into_owned();
        for line in text.lines().map(printable) {
            if answered.load(Ordering::SeqCst) {
                tracing::warn!("ssh: {line}");
            } else {
                // Nobody reads a terminal that was hung up.
                let _ = writeln!(io::stderr(), "{line}");
            }
        }
    }
}

/// How long the end of a connection waits for ssh's last messages: a process that ssh left behind may keep the pipe
/// open for ever.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Both pipes of a process as one stream; the process ends with it.
struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
    answered: Arc<AtomicBool>,
    told: Option<JoinHandle<()>>,
    last_words: Option<Pin<Box<Timeout<JoinHandle<()>>>>>,
    _child: Child,
}

impl Pipes {
    /// Ready when all of ssh's messages have been relayed, or when nothing more is waited for.
    fn poll_last_words(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(told) = self.told.take() {
            self.last_words = Some(Box::pin(timeout(LAST_WORDS, told)));
        }
        match &mut self.last_words {
            Some(words) => words.as_mut().poll(cx).map(|_| self.last_words = None),
            None => Poll::Ready(()),
        }
    }
}

impl AsyncRead for Pipes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        match Pin::new(&mut self.output).poll_read(cx, buf) {
            Poll::Ready(Ok(())) if buf.filled().len() > before => {
                self.answered.store(true, Ordering::SeqCst);
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Ok(())) => self.poll_last_words(cx).map(Ok),
            other => other,
        }
    }
}

impl AsyncWrite for Pipes {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.input).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.input).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.input).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_options_are_no_hosts() {
        let ssh = |host: &str, port| Some(LabAddress::Ssh { host: host.into(), port });
        let cases = [
            ("local", Some(LabAddress::Here)),
            ("ssh://bench3", ssh("bench3", None)),
            ("ssh://ann@bench3.lab:2222/", ssh("ann@bench3.lab", Some(2222))),
            ("ssh://[fe80::1%eth0]:22", ssh("fe80::1%eth0", Some(22))),
            ("ssh://[::1]", ssh("::1", None)),
            ("ssh://ann@[::1]:2222", ssh("ann@::1", Some(2222))),
            ("ssh://::1", None),
            ("ssh://[::1", None),
            ("ssh://[::1]x", None),
            ("ssh://[]", None),
            ("ssh://@bench3", None),
            ("ssh://-l@bench3", None),
            ("ssh://[-oProxyCommand=sh]", None),
            ("ssh://-oProxyCommand=sh", None),
            ("ssh://a b", None),
            ("ssh://bench3:x", None),
            ("ssh://", None),
            ("bench3", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<LabAddress>().ok(), expected, "{text}");
        }
    }
}
