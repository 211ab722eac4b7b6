//! What faults do to one request's stream.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

use super::{Fault, Struck};
use crate::service::Duplex;
use droidmux_sim_toolkit::platform::scramble;

/// The most random bytes of one stream.
const MAX_GARBAGE: usize = 16 << 20;

/// What is wrong with one request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// The wait before anything is done.
    pub(crate) wait: Duration,
    drop_after: Option<usize>,
    mute: bool,
    garbage: Option<(usize, u64)>,
}

impl Trouble {
    /// Adds a fault; those that do not concern a stream change nothing.
    pub(crate) fn add(&mut self, struck: &Struck) {
        match struck.fault {
            Fault::Slow(time) => self.wait += time,
            Fault::Jitter(most) => {
                let span = u64::try_from(most.as_micros()).unwrap_or(u64::MAX).saturating_add(1);
                self.wait += Duration::from_micros(struck.draw % span);
            }
            Fault::Drop(bytes) => self.drop_after = Some(bytes),
            Fault::HalfOpen => self.mute = true,
            Fault::Garbage(bytes) => self.garbage = Some((bytes, struck.draw)),
            _ => {}
        }
    }

    /// Whether the request's service must not be served at all.
    pub(crate) fn replaces_service(&self) -> bool {
        self.mute || self.garbage.is_some()
    }

    /// Does what is wrong in place of the service.
    pub(crate) async fn replace_service(&self, stream: &mut Box<dyn Duplex>) -> io::Result<()> {
        if let Some((bytes, draw)) = self.garbage {
            stream.write_all(&garbage(bytes.min(MAX_GARBAGE), draw)).await?;
            return stream.flush().await;
        }
        // Until the peer gives up.
        let mut ignored = [0; 4_096];
        while stream.read(&mut ignored).await? > 0 {}
        Ok(())
    }

    /// The stream as the service gets it.
    pub(crate) fn on(&self, stream: Box<dyn Duplex>) -> Box<dyn Duplex> {
        match self.drop_after {
            Some(left) => Box::new(Breaking { inner: stream, left }),
            None => stream,
        }
    }
}

/// Random bytes, the same for the same draw.
pub(crate) fn garbage(count: usize, draw: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(count + 8);
    let mut number = draw;
    while bytes.len() < count {
        number = scramble(number);
        bytes.extend(number.to_le_bytes());
    }
    bytes.truncate(count);
    bytes
}

/// A stream that breaks after some bytes of output.
struct Breaking {
    inner: Box<dyn Duplex>,
    left: usize,
}

impl AsyncRead for Breaking {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Breaking {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.left == 0 {
            // What was sent before must arrive before the stream ends.
            let flushed = Pin::new(&mut self.inner).poll_flush(cx);
            return flushed.map(|_| Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let wanted = bytes.get(..self.left.min(bytes.len())).unwrap_or(bytes);
        let written = ready!(Pin::new(&mut self.inner).poll_write(cx, wanted))?;
        self.left = self.left.saturating_sub(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
