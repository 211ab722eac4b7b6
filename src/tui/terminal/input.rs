//! What comes from the terminal, without spinning when it goes away.
//!
//! A thread waits for the terminal's bytes and reads them; nobody else does, so no key waits in a buffer that
//! only further input would empty. A hang-up ends the input.

use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::mpsc;

use super::keys::{Heard, Parser};

/// Events that may wait; the reading thread waits beyond that.
const QUEUE: usize = 256;
/// Bytes read at once.
const CHUNK: usize = 4096;

/// The terminal's input.
pub struct Input {
    heard: mpsc::Receiver<io::Result<Heard>>,
    /// Dropped with this, which ends the thread.
    stop: PipeWriter,
}

impl Input {
    /// Standard input, or the controlling terminal when that is something else.
    pub fn open() -> io::Result<Self> {
        let terminal = match io::stdin().is_terminal() {
            true => io::stdin().as_fd().try_clone_to_owned()?,
            false => File::open("/dev/tty")?.into(),
        };
        let (stopped, stop) = io::pipe()?;
        let (parsed, heard) = mpsc::channel(QUEUE);
        std::thread::Builder::new().name("terminal-input".into()).spawn(move || {
            let failed = read(&terminal, &stopped, &parsed).err();
            if let Some(error) = failed {
                // Sending fails only when nobody listens any more.
                let _ = parsed.blocking_send(Err(error));
            }
        })?;
        Ok(Self { heard, stop })
    }

    /// Leaves what comes to another program: nothing is heard until this is opened again.
    pub fn pause(&mut self) -> io::Result<()> {
        let (_, nothing) = mpsc::channel(1);
        self.heard = nothing;
        // The thread ends with the pipe that it had.
        self.stop = io::pipe()?.1;
        Ok(())
    }

    /// What comes next; `None` when the terminal is gone. May be dropped and called again.
    pub async fn next(&mut self) -> Option<io::Result<Heard>> {
        self.heard.recv().await
    }
}

/// Reads until the terminal hangs up or nobody listens.
fn read(
    terminal: &OwnedFd,
    stopped: &PipeReader,
    parsed: &mpsc::Sender<io::Result<Heard>>,
) -> io::Result<()> {
    let mut parser = Parser::default();
    let mut bytes = [0; CHUNK];
    loop {
        let mut watched = [PollFd::new(terminal, PollFlags::IN), PollFd::new(stopped, PollFlags::IN)];
        let patience = parser.patience().and_then(|patience| Timespec::try_from(patience).ok());
        let ready = match poll(&mut watched, patience.as_ref()) {
            Ok(ready) => ready,
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        };
        let [terminal_says, stopped_says] = watched.map(|fd| fd.revents());
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if !stopped_says.is_empty() || terminal_says.intersects(gone) {
            return Ok(());
        }
        let heard = match ready {
            0 => parser.finish(),
            _ => match rustix::io::read(terminal, &mut bytes) {
                Ok(0) => return Ok(()),
                Ok(length) => parser.feed(bytes.get(..length).unwrap_or_default()),
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => continue,
                Err(error) => return Err(error.into()),
            },
        };
        for heard in heard {
            if parsed.blocking_send(Ok(heard)).is_err() {
                return Ok(());
            }
        }
    }
}
