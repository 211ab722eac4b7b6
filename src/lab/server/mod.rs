//! The lab server: lets viewers and commands in over a Unix socket.
//!
//! In: a lab, an endpoint, connections. Out: views, replies and what commands write, to each
//! connection through an outbox of its own.
//!
//! Invariants: only processes of this user and of root are let in; a connection that does not greet within 5 s is
//! dropped, and so is a viewer that says nothing for 5 s; nothing in the lab waits for a connection; changes that
//! read-only viewers ask for are refused here, not in the viewer.

mod command;
mod endpoint;
mod outbox;
mod viewer;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use command::{CommandOutput, PANICKED};
pub use endpoint::{Endpoint, EndpointError};

use super::Lab;
use super::journal::now_ms;
use droidmux_proto::greeting::{self, GreetingError, Hello, Purpose, Welcome};
use droidmux_record::IncidentKind;

/// How long a connection may take to say who it is.
const GREETING: Duration = Duration::from_secs(5);
/// Between two attempts to accept when the system has no descriptors left.
const BREATH: Duration = Duration::from_millis(200);
/// Connections at the same time.
const MOST_CONNECTIONS: u32 = 256;

/// Carries out commands of the command line inside the server.
#[async_trait]
pub trait Commands: Send + Sync + 'static {
    /// Runs a command to its end and gives its exit code. `interrupt` is cancelled when the person wants it to end; it
    /// does not end just because its output is no longer read.
    async fn carry_out(
        &self,
        args: Vec<String>,
        folder: String,
        output: CommandOutput,
        interrupt: CancellationToken,
    ) -> u8;
}

/// What all connections share.
struct Shared {
    lab: Lab,
    commands: Arc<dyn Commands>,
    since_ms: u64,
    /// Viewers and commands connected now.
    connected: AtomicU32,
    /// Of these, the viewers that people look at.
    viewers: AtomicU32,
    stop: CancellationToken,
}

/// Serves until `stop` is cancelled; connections end then, too.
pub async fn serve(lab: Lab, listener: UnixListener, commands: Arc<dyn Commands>, stop: CancellationToken) {
    let shared = Arc::new(Shared {
        lab,
        commands,
        since_ms: now_ms(),
        connected: AtomicU32::new(0),
        viewers: AtomicU32::new(0),
        stop,
    });
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = shared.stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let shared = shared.clone();
                tasks.spawn(async move { shared.receive(stream).await });
            }
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    tasks.close();
    tasks.wait().await;
}

impl Shared {
    async fn receive(self: Arc<Self>, mut stream: UnixStream) {
        let others = self.connected.fetch_add(1, Ordering::SeqCst);
        let hello = tokio::time::timeout(GREETING, self.meet(&mut stream, others)).await;
        match hello {
            Ok(Ok(hello)) => self.clone().attend(stream, hello).await,
            Ok(Err(error)) => tracing::info!("a connection was turned away: {error}"),
            Err(_) => tracing::info!("a connection did not say who it is"),
        }
        self.connected.fetch_sub(1, Ordering::SeqCst);
    }

    async fn meet(&self, stream: &mut UnixStream, others: u32) -> Result<Hello, GreetingError> {
        if !endpoint::is_ours(stream)? {
            return Err(GreetingError::Io(io::ErrorKind::PermissionDenied.into()));
        }
        let hello = greeting::receive(stream).await?;
        if others >= MOST_CONNECTIONS {
            let why = format!("{others} viewers are connected already");
            greeting::refuse(stream, &why).await?;
            return Err(GreetingError::Refused(why));
        }
        greeting::welcome(stream, &self.welcome()).await?;
        Ok(hello)
    }

    fn welcome(&self) -> Welcome {
        Welcome {
            droidmux: env!("CARGO_PKG_VERSION").into(),
            lab: self.lab.hub().name(),
            store: self.lab.store().folder().display().to_string(),
            process: std::process::id(),
            since_ms: self.since_ms,
            viewers: self.viewers.load(Ordering::SeqCst),
        }
    }

    async fn attend(self: Arc<Self>, stream: UnixStream, hello: Hello) {
        let Hello { name, purpose, .. } = hello;
        match purpose {
            Purpose::View { read_only } => {
                if self.viewers.fetch_add(1, Ordering::SeqCst) == 0 {
                    self.lab.hub().happened("", IncidentKind::Came);
                }
                self.lab.hub().viewers(self.viewers.load(Ordering::SeqCst));
                tracing::info!("{name} attached{}", if read_only { ", read-only" } else { "" });
                let ended = viewer::attend(&self.lab, stream, read_only, &self.stop).await;
                tracing::info!("{name} left: {ended}");
                if self.viewers.fetch_sub(1, Ordering::SeqCst) == 1 {
                    self.lab.hub().happened("", IncidentKind::Left);
                }
                self.lab.hub().viewers(self.viewers.load(Ordering::SeqCst));
            }
            Purpose::Ask => drop(viewer::attend(&self.lab, stream, false, &self.stop).await),
            Purpose::Command { args, folder } => {
                tracing::info!("{name} asks for `{}`", args.join(" "));
                command::attend(self.commands.clone(), stream, args, folder, &self.stop).await;
            }
        }
    }
}
