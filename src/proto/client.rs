//! A viewer's connection to a lab elsewhere: it is re-established when it breaks.
//!
//! In: a way to reach the lab (a socket, an `ssh` process), a hello. Out: a [`ViewerEnd`] like that of a lab in the
//! same process, and the state of the connection.
//!
//! Invariants: requests and replies on a broken connection are lost and never repeated automatically (the viewer asks
//! again for what it still wants); the wait between attempts doubles up to a limit; a lab that refuses (version,
//! rights) is not asked again.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{SinkExt, StreamExt};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::codec::Framed;

use super::frame::{self, FrameError, MOST_FROM_LAB};
use super::greeting::{GreetingError, Hello, greet};
use super::link::{Connection, Link, ViewerEnd};
use super::{LabView, Reply, Request, ToLab, ToViewer};

const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long a lab may take to answer the greeting.
const GREETING: Duration = Duration::from_secs(20);
/// How often the viewer says that it is alive; the lab drops it after 5 s of silence.
const ALIVE: Duration = Duration::from_millis(1_500);
/// A lab from which nothing arrives for this long, not even part of a message, is out of reach.
const SILENCE: Duration = Duration::from_secs(15);

/// A stream of bytes to a lab.
pub trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

/// A way to reach a lab.
#[async_trait]
pub trait Reach: Send + Sync + 'static {
    /// Opens a connection.
    async fn reach(&self) -> io::Result<Box<dyn Wire>>;
}

/// Connects a viewer; the connection lives as long as the [`ViewerEnd`].
///
/// # Errors
/// When the lab cannot be reached at the first attempt; later breaks are repaired.
pub async fn connect(way: impl Reach, hello: Hello) -> Result<ViewerEnd, GreetingError> {
    let (wire, welcome) = meet(&way, &hello).await?;
    let (viewer, pump) = ends(&welcome.lab, Connection::Up);
    tokio::spawn(pump.keep_up(way, hello, Ok(wire)));
    Ok(viewer)
}

/// A viewer of a lab that could not be reached, and why: attempts continue until it can. Until then it has this name.
pub fn connect_later(way: impl Reach, hello: Hello, name: &str, error: io::Error) -> ViewerEnd {
    let (mut viewer, pump) = ends(name, Connection::Down { why: error.to_string(), retry_s: 0 });
    // Its initial value counts as a change.
    viewer.connection.mark_changed();
    tokio::spawn(pump.keep_up(way, hello, Err(Break::Io(error))));
    viewer
}

fn ends(name: &str, connection: Connection) -> (ViewerEnd, Pump) {
    let (view_in, view) = watch::channel(Arc::new(LabView { name: name.into(), ..LabView::default() }));
    let (state_in, state) = watch::channel(connection);
    let Link { viewer, lab } = Link::over(view, state);
    (viewer, Pump { view: view_in, state: state_in, requests: lab.requests, replies: lab.replies })
}

async fn meet(
    way: &impl Reach,
    hello: &Hello,
) -> Result<(Box<dyn Wire>, super::greeting::Welcome), GreetingError> {
    let mut wire = way.reach().await?;
    match tokio::time::timeout(GREETING, greet(&mut wire, hello)).await {
        Ok(welcome) => Ok((wire, welcome?)),
        Err(_) => Err(GreetingError::Io(io::ErrorKind::TimedOut.into())),
    }
}

/// What a failed attempt to connect means.
fn unreached(error: io::Error) -> Break {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Break::NoServer,
        _ => Break::Io(error),
    }
}

struct Pump {
    view: watch::Sender<Arc<LabView>>,
    state: watch::Sender<Connection>,
    requests: mpsc::Receiver<Request>,
    replies: mpsc::Sender<Reply>,
}

/// Why a connection ended.
enum Ended {
    /// The viewer is done.
    Left,
    Broke(Break),
}

/// Why there is no connection, for now.
#[derive(Debug, Error)]
enum Break {
    #[error("no lab server runs there")]
    NoServer,
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What came is no message.
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error("the lab closed the connection")]
    Closed,
    #[error("no word from the lab for {} s", .0.as_secs())]
    Silent(Duration),
}

impl Pump {
    /// Carries messages over the wire, and reconnects it; without a wire, there is the reason why there is none.
    async fn keep_up(mut self, way: impl Reach, hello: Hello, mut wire: Result<Box<dyn Wire>, Break>) {
        loop {
            let ended = match wire {
                Ok(wire) => self.carry(wire, SILENCE).await,
                Err(why) => Ended::Broke(why),
            };
            let mut why = match ended {
                Ended::Left => return,
                Ended::Broke(why) => why,
            };
            let mut wait = FIRST_WAIT;
            wire = loop {
                if !self.pause(wait, &why.to_string()).await {
                    return;
                }
                wait = (wait * 2).min(LONGEST_WAIT);
                match meet(&way, &hello).await {
                    Ok((wire, _)) => break Ok(wire),
                    Err(GreetingError::Io(error)) => why = unreached(error),
                    Err(final_word) => {
                        self.state.send_replace(Connection::Refused(final_word.to_string()));
                        return;
                    }
                }
            };
            self.state.send_replace(Connection::Up);
        }
    }

    /// Waits before the next attempt; false when the viewer has left. Requests made meanwhile are
    /// lost.
    async fn pause(&mut self, wait: Duration, why: &str) -> bool {
        let until = Instant::now() + wait;
        self.state.send_replace(Connection::Down { why: why.to_owned(), retry_s: wait.as_secs() });
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(until) => return true,
                request = self.requests.recv() => if request.is_none() {
                    return false;
                },
            }
        }
    }

    async fn carry(&mut self, wire: Box<dyn Wire>, silence: Duration) -> Ended {
        let wire = Counted { wire, read: Arc::default() };
        let (read, mut noted) = (wire.read.clone(), 0);
        let mut frames = Framed::new(wire, frame::codec(MOST_FROM_LAB));
        let mut alive = tokio::time::interval(ALIVE);
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        loop {
            let word = tokio::select! {
                request = self.requests.recv() => match request {
                    Some(request) => Some(ToLab::Request(request)),
                    None => return Ended::Left,
                },
                content = frames.next() => {
                    heard = Instant::now();
                    let content = match content {
                        Some(Ok(content)) => content,
                        Some(Err(error)) => return Ended::Broke(error.into()),
                        None => return Ended::Broke(Break::Closed),
                    };
                    match frame::decode::<ToViewer>(&content) {
                        Ok(message) => self.take(message).await,
                        Err(error) => return Ended::Broke(error.into()),
                    }
                }
                _ = alive.tick() => Some(ToLab::Alive),
                () = tokio::time::sleep_until(heard + silence) => {
                    let so_far = read.load(Ordering::Relaxed);
                    if so_far == noted {
                        return Ended::Broke(Break::Silent(silence));
                    }
                    // A large message on its way over a slow link.
                    (noted, heard) = (so_far, Instant::now());
                    continue;
                }
            };
            let Some(word) = word else { continue };
            let sent = match frame::encode(&word) {
                Ok(content) => frames.send(content).await,
                Err(error) => Err(io::Error::other(error)),
            };
            if let Err(error) = sent {
                return Ended::Broke(error.into());
            }
        }
    }

    async fn take(&mut self, message: ToViewer) -> Option<ToLab> {
        match message {
            ToViewer::View(view) => {
                self.view.send_replace(Arc::from(view));
                return Some(ToLab::Seen);
            }
            // Fails when the viewer has left, which shows in its requests.
            ToViewer::Reply(reply) => drop(self.replies.send(reply).await),
            ToViewer::Resync(lost) => drop(self.replies.send(Reply::Resync(lost)).await),
            ToViewer::Alive | ToViewer::Output { .. } | ToViewer::Exit(_) | ToViewer::Began(_) => {}
        }
        None
    }
}

/// A wire that counts what is read from it.
struct Counted {
    wire: Box<dyn Wire>,
    read: Arc<AtomicU64>,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.wire).poll_read(cx, buf);
        let read = buf.filled().len().saturating_sub(before);
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        polled
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.wire).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.wire).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.wire).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn a_message_may_take_longer_than_a_silence() {
        const SILENCE: Duration = Duration::from_secs(2);
        let (near, mut far) = tokio::io::duplex(1 << 20);
        let (viewer, mut pump) = ends("before", Connection::Up);
        let slow = LabView { name: "after".repeat(20), ..LabView::default() };
        let content = frame::encode(&ToViewer::View(Box::new(slow))).expect("a frame");
        let length = u32::try_from(content.len()).expect("short").to_be_bytes();
        let bytes = [&length[..], &content[..]].concat();
        let speaking = async move {
            let piece = bytes.len().div_ceil(30);
            for piece in bytes.chunks(piece) {
                far.write_all(piece).await.expect("the viewer listens");
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
            // Silence from here on.
            far
        };
        let (ended, _far) = tokio::join!(pump.carry(Box::new(near), SILENCE), speaking);
        let why = match ended {
            Ended::Broke(why) => why.to_string(),
            Ended::Left => "the viewer left".into(),
        };
        assert_eq!(why, "no word from the lab for 2 s");
        assert_eq!(viewer.view.borrow().name, "after".repeat(20));
    }
}
