//! The two ends of a shell's stream: what it reads and what it prints.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::SimDevice;
use crate::service::Duplex;

/// How a shell's stream is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Both outputs merged, no exit code.
    Raw,
    /// Shell protocol version 2: packets of id, length (u32 LE) and bytes.
    Packets,
}

/// Which output of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fd {
    Out,
    Err,
}

const STDIN: u8 = 0;
const STDOUT: u8 = 1;
const STDERR: u8 = 2;
const EXIT: u8 = 3;
const CLOSE_STDIN: u8 = 4;

/// Output is sent at the latest when this much is waiting.
const FLUSH_AT: usize = 64 << 10;
/// The longest packet accepted.
const MAX_PACKET: usize = 1 << 20;
/// The most input that may wait to be read by a command.
const MAX_INPUT: usize = 64 << 20;

/// A shell's stream; output is gathered and sent before every wait.
pub(crate) struct Console<'a> {
    device: Arc<SimDevice>,
    stream: &'a mut Box<dyn Duplex>,
    framing: Framing,
    /// Whether there is a person at a terminal: echo, prompts, CR LF.
    pub(super) terminal: bool,
    received: BytesMut,
    input: BytesMut,
    input_ended: bool,
    pending: Vec<u8>,
    /// The peer is gone, and what is printed is lost.
    detached: bool,
}

impl<'a> Console<'a> {
    pub(crate) fn new(
        device: Arc<SimDevice>,
        stream: &'a mut Box<dyn Duplex>,
        framing: Framing,
        terminal: bool,
    ) -> Self {
        let (received, input, pending) = Default::default();
        let (input_ended, detached) = (false, false);
        Console { device, stream, framing, terminal, received, input, input_ended, pending, detached }
    }

    /// Goes on without the peer, which is gone.
    pub(super) fn detach(&mut self) {
        (self.detached, self.input_ended) = (true, true);
        self.input.clear();
        self.pending.clear();
    }

    /// Prints to one of the outputs.
    ///
    /// # Errors
    /// The peer is gone, or the device was lost by a scripted fault.
    pub(crate) async fn print(&mut self, fd: Fd, bytes: &[u8]) -> io::Result<()> {
        if self.detached {
            return Ok(());
        }
        if let Some(allowed) = self.device.allowance(bytes.len()) {
            self.frame(fd, bytes.get(..allowed).unwrap_or(bytes));
            self.flush().await?;
            self.device.unplug();
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        for chunk in bytes.chunks(FLUSH_AT) {
            self.frame(fd, chunk);
            if self.pending.len() >= FLUSH_AT {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Sends all that was printed.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        if !self.pending.is_empty() {
            self.stream.write_all(&self.pending).await?;
            self.stream.flush().await?;
            self.pending.clear();
        }
        Ok(())
    }

    /// Sends what is left and, where the framing has it, the exit code.
    pub(crate) async fn exit(mut self, code: i32) -> io::Result<()> {
        if self.framing == Framing::Packets {
            let code = u8::try_from(code & 0xff).unwrap_or(u8::MAX);
            self.packet(EXIT, &[code]);
        }
        self.flush().await
    }

    /// Waits, with all output sent; ends early when the peer goes away.
    pub(crate) async fn sleep(&mut self, time: Duration) -> io::Result<()> {
        if time.is_zero() {
            return Ok(());
        }
        self.flush().await?;
        let deadline = tokio::time::Instant::now() + time;
        loop {
            let room = !self.input_ended && self.input.len() < MAX_PACKET;
            tokio::select! {
                () = tokio::time::sleep_until(deadline) => return Ok(()),
                filled = self.fill(), if room => filled?,
            }
        }
    }

    /// All input until its end.
    ///
    /// # Errors
    /// The peer is gone, or sends more than a shell keeps.
    pub(crate) async fn read_to_end(&mut self) -> io::Result<BytesMut> {
        self.flush().await?;
        while !self.input_ended {
            if self.input.len() > MAX_INPUT {
                return Err(io::Error::other("too much input"));
            }
            self.fill().await?;
        }
        Ok(std::mem::take(&mut self.input))
    }

    /// `count` bytes of input; fewer when it ends.
    pub(crate) async fn read_up_to(&mut self, count: u64) -> io::Result<BytesMut> {
        self.flush().await?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        while self.input.len() < count && !self.input_ended {
            self.fill().await?;
        }
        let taken = count.min(self.input.len());
        Ok(self.input.split_to(taken))
    }

    /// Some input, at least a byte; `None` at its end.
    pub(super) async fn read_some(&mut self) -> io::Result<Option<BytesMut>> {
        self.flush().await?;
        while self.input.is_empty() && !self.input_ended {
            self.fill().await?;
        }
        Ok((!self.input.is_empty()).then(|| std::mem::take(&mut self.input)))
    }

    /// Puts input back that is not used.
    pub(super) fn unread(&mut self, bytes: &[u8]) {
        let mut all = BytesMut::from(bytes);
        all.extend_from_slice(&self.input);
        self.input = all;
    }

    /// A line of input without its end, and whether it had one; at most this long.
    pub(super) async fn read_line(&mut self, most: usize) -> io::Result<(String, bool)> {
        self.flush().await?;
        loop {
            let end = self.input.iter().position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let line = self.input.split_to(end);
                self.input.advance(1);
                return Ok((String::from_utf8_lossy(&line).into_owned(), true));
            }
            if self.input_ended || self.input.len() > most {
                let line = std::mem::take(&mut self.input);
                return Ok((String::from_utf8_lossy(&line).into_owned(), false));
            }
            self.fill().await?;
        }
    }

    /// Whether the person typed ^C, or the peer of a raw stream closed its side: the end of a
    /// command that would go on for ever.
    pub(super) fn is_interrupted(&self) -> bool {
        const INTERRUPT: u8 = 3;
        let typed = self.terminal && self.input.contains(&INTERRUPT);
        typed || (self.framing == Framing::Raw && self.input_ended)
    }

    /// Reads once from the stream. Safe to cancel.
    async fn fill(&mut self) -> io::Result<()> {
        let target = match self.framing {
            Framing::Raw => &mut self.input,
            Framing::Packets => &mut self.received,
        };
        if self.stream.read_buf(target).await? == 0 {
            // A raw stream may be closed in one direction; with packets, id 4 does that.
            if self.framing == Framing::Packets && !self.input_ended {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.input_ended = true;
        }
        self.unpack()
    }

    fn unpack(&mut self) -> io::Result<()> {
        while let [id, a, b, c, d, ..] = *self.received {
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            if length > MAX_PACKET {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if self.received.len() < length + 5 {
                return Ok(());
            }
            self.received.advance(5);
            let bytes = self.received.split_to(length);
            match id {
                STDIN if !self.input_ended => self.input.extend_from_slice(&bytes),
                CLOSE_STDIN => self.input_ended = true,
                // Window sizes mean nothing here, and unknown packets are for the future.
                _ => {}
            }
        }
        Ok(())
    }

    fn frame(&mut self, fd: Fd, bytes: &[u8]) {
        let id = match fd {
            // A terminal has one output only.
            Fd::Err if !self.terminal => STDERR,
            _ => STDOUT,
        };
        if !self.terminal {
            self.packet(id, bytes);
            return;
        }
        let mut lines = Vec::with_capacity(bytes.len() + 16);
        for &byte in bytes {
            if byte == b'\n' && lines.last() != Some(&b'\r') {
                lines.push(b'\r');
            }
            lines.push(byte);
        }
        self.packet(id, &lines);
    }

    fn packet(&mut self, id: u8, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if self.framing == Framing::Packets {
            self.pending.push(id);
            self.pending.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
        }
        self.pending.extend_from_slice(bytes);
    }
}
