//! What a device serves, whichever door the request came through.
//!
//! In: a service name as both doors carry it (`shell,v2,raw:ls`, `sync:`, …) and a stream of
//! bytes. Out: the service's bytes on that stream until it ends.
//!
//! Invariants: every request is an occasion for a fault; the stream ends at once when the device is
//! unplugged; every read of a structured message has a deadline; lengths that come from outside are
//! capped before memory is taken.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::SimDevice;
use super::agent;
use super::fault::Trouble;
use super::phone::DROIDBOT_PORT;
use super::shell::{self, Console, Framing};
use super::watcher;

mod install;
mod power;
mod reverse;
mod sync;

pub(super) use power::reboot;

/// The features both doors announce. Neither compression nor delayed acknowledgement: a new adb
/// would use them unasked.
pub(super) const FEATURES: &str = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,apex,abb_exec";

/// A read inside a started message takes at most this long.
const READ_WITHIN: Duration = Duration::from_secs(30);
const LINGER: Duration = Duration::from_secs(2);
/// The exit code of a shell that was killed.
const KILLED: i32 = 137;
const MAX_LINGER_BYTES: usize = 16 << 20;

/// A stream of bytes in both directions.
pub(super) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A service name understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Service {
    Shell {
        framing: Framing,
        terminal: bool,
        script: String,
    },
    Sync,
    /// `abb_exec:` (raw) and `abb:` (framed): a command without a shell in between.
    Direct {
        framing: Framing,
        words: Vec<String>,
    },
    Framebuffer,
    /// A port that a program on the device listens on.
    Tcp(u16),
    Reverse(String),
    Reboot,
    /// `root:`, `remount:` and the like, with the text they are refused with.
    Refused(&'static str),
}

impl Service {
    /// `None` when a device has no such service.
    pub(super) fn parse(name: &str) -> Option<Service> {
        let (head, rest) = name.split_once(':').unwrap_or((name, ""));
        let mut options = head.split(',');
        let service = match options.next()? {
            "shell" => {
                let options: Vec<&str> = options.collect();
                let framing = if options.contains(&"v2") { Framing::Packets } else { Framing::Raw };
                let asked = options.contains(&"pty") || (rest.is_empty() && !options.contains(&"raw"));
                Service::Shell { framing, terminal: asked, script: rest.to_owned() }
            }
            "exec" => Service::Shell { framing: Framing::Raw, terminal: false, script: rest.to_owned() },
            "sync" => Service::Sync,
            "abb_exec" => Service::Direct { framing: Framing::Raw, words: zero_separated(rest) },
            "abb" => Service::Direct { framing: Framing::Packets, words: zero_separated(rest) },
            "framebuffer" => Service::Framebuffer,
            "tcp" => Service::Tcp(rest.parse().ok()?),
            "reverse" => Service::Reverse(rest.to_owned()),
            "reboot" => Service::Reboot,
            "root" => Service::Refused("adbd cannot run as root in production builds\n"),
            "unroot" => Service::Refused("adbd not running as root\n"),
            "remount" => Service::Refused("Not running as root. Try \"adb root\" first.\n"),
            "disable-verity" | "enable-verity" => {
                Service::Refused("verity cannot be disabled/enabled - USER build\n")
            }
            _ => return None,
        };
        Some(service)
    }

    /// False when the device refuses to open it: nothing listens on the port.
    pub(super) fn opens_on(&self, device: &SimDevice) -> bool {
        match self {
            Service::Tcp(port) => {
                device.agent_on(*port).is_some()
                    || *port == DROIDBOT_PORT && device.phone().is_watched_by_droidbot()
            }
            _ => true,
        }
    }

    /// Serves until the service ends, the peer goes away or the device is unplugged.
    pub(super) async fn run(self, device: Arc<SimDevice>, mut stream: Box<dyn Duplex>) {
        let Some(session) = device.session() else { return };
        let trouble = device.request();
        stream = trouble.on(stream);
        tokio::select! {
            biased;
            () = session.cancelled() => {}
            ended = self.attend(&device, &mut stream, &trouble) => {
                // An error means that the peer is gone or talks nonsense: closing is the answer.
                if ended.is_ok() {
                    let _ = tokio::time::timeout(LINGER, linger(&mut stream)).await;
                }
            }
        }
    }

    /// Serves a request, together with what is wrong with it.
    async fn attend(
        self,
        device: &Arc<SimDevice>,
        stream: &mut Box<dyn Duplex>,
        trouble: &Trouble,
    ) -> io::Result<()> {
        if !trouble.wait.is_zero() {
            tokio::time::sleep(trouble.wait).await;
        }
        if trouble.replaces_service() {
            return trouble.replace_service(stream).await;
        }
        let Service::Shell { framing, .. } = self else { return self.serve(device, stream).await };
        let shells = device.shells();
        tokio::select! {
            biased;
            // Whatever it was writing stays as it is, as after a kill.
            () = shells.cancelled() => Console::new(Arc::clone(device), stream, framing, false).exit(KILLED).await,
            ended = self.serve(device, stream) => ended,
        }
    }

    async fn serve(self, device: &Arc<SimDevice>, stream: &mut Box<dyn Duplex>) -> io::Result<()> {
        match self {
            Service::Shell { framing, terminal, script } => {
                let mut console = Console::new(Arc::clone(device), stream, framing, terminal);
                let code = if script.trim().is_empty() {
                    shell::interact(device, &mut console).await?
                } else {
                    shell::run(device, &mut console, &script).await?
                };
                console.exit(code).await
            }
            Service::Direct { framing, words } => {
                let mut console = Console::new(Arc::clone(device), stream, framing, false);
                let code = install::direct(device, &mut console, &words).await?;
                console.exit(code).await
            }
            Service::Sync => sync::serve(device, stream).await,
            Service::Framebuffer => power::framebuffer(device, stream).await,
            Service::Tcp(port) if device.agent_on(port).is_none() => watcher::serve(device, stream).await,
            Service::Tcp(port) => agent::serve(device, stream, port).await,
            Service::Reverse(request) => reverse::serve(device, stream, &request).await,
            Service::Reboot => {
                power::reboot(device);
                Ok(())
            }
            Service::Refused(text) => stream.write_all(text.as_bytes()).await,
        }
    }
}

/// Reads to the end what the peer still sends: closing a socket with unread bytes resets it, and
/// the peer could lose what it has not read yet.
async fn linger(stream: &mut Box<dyn Duplex>) -> io::Result<()> {
    stream.shutdown().await?;
    let mut left = MAX_LINGER_BYTES;
    let mut buffer = vec![0; 4_096];
    while left > 0 {
        match stream.read(&mut buffer).await? {
            0 => break,
            read => left = left.saturating_sub(read),
        }
    }
    Ok(())
}

fn zero_separated(text: &str) -> Vec<String> {
    text.split('\0').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Reads exactly `N` bytes within the deadline; `None` when the stream ends before the first.
async fn read_array<const N: usize>(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    let read = async {
        let mut at = 0;
        while at < N {
            match stream.read(&mut bytes[at..]).await? {
                0 if at == 0 => return Ok(false),
                0 => return Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
                read => at += read,
            }
        }
        Ok(true)
    };
    let whole: bool =
        tokio::time::timeout(READ_WITHIN, read).await.map_err(|_| io::ErrorKind::TimedOut)??;
    Ok(whole.then_some(bytes))
}

/// Reads `length` bytes within the deadline.
async fn read_vec(stream: &mut (impl AsyncRead + Unpin), length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let read = stream.read_exact(&mut bytes);
    tokio::time::timeout(READ_WITHIN, read).await.map_err(|_| io::ErrorKind::TimedOut)??;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_names_are_understood() {
        let shell = |framing, terminal, script: &str| {
            Some(Service::Shell { framing, terminal, script: script.to_owned() })
        };
        for (name, expected) in [
            ("shell,v2,TERM=xterm,raw:echo hi", shell(Framing::Packets, false, "echo hi")),
            ("shell,v2,TERM=xterm-256color,pty:", shell(Framing::Packets, true, "")),
            ("shell,v2,TERM=xterm:pm 'install'", shell(Framing::Packets, false, "pm 'install'")),
            ("shell:ls a:b", shell(Framing::Raw, false, "ls a:b")),
            ("shell:", shell(Framing::Raw, true, "")),
            ("exec:screencap '-p'", shell(Framing::Raw, false, "screencap '-p'")),
            ("sync:", Some(Service::Sync)),
            ("reverse:forward:tcp:1;tcp:2", Some(Service::Reverse("forward:tcp:1;tcp:2".into()))),
            ("tcp:9008", Some(Service::Tcp(9_008))),
            ("tcp:99999", None),
            ("tcp:9008:host", None),
            ("nosuch:x", None),
            ("", None),
        ] {
            assert_eq!(Service::parse(name), expected, "{name}");
        }
        let words = vec!["package".to_owned(), "install".into(), "-S".into(), "8".into()];
        assert_eq!(
            Service::parse("abb_exec:package\0install\0-S\08\0"),
            Some(Service::Direct { framing: Framing::Raw, words })
        );
    }
}
