//! Keys and mouse, without spinning when the terminal goes away.
//!
//! crossterm's own stream reads for ever, at full speed, from a terminal that was hung up. Here a
//! thread waits for the terminal itself: a hang-up ends the input, and crossterm is called only
//! when there is something to parse.

use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::mpsc;

/// Events that may wait; the reading thread waits beyond that.
const QUEUE: usize = 256;

/// The terminal's input.
pub struct Input {
    events: mpsc::Receiver<io::Result<Event>>,
    /// Dropped with this, which ends the thread.
    _stop: PipeWriter,
}

impl Input {
    /// Standard input, or the controlling terminal when that is something else.
    pub fn open() -> io::Result<Self> {
        let terminal = match io::stdin().is_terminal() {
            true => io::stdin().as_fd().try_clone_to_owned()?,
            false => File::open("/dev/tty")?.into(),
        };
        let (stopped, stop) = io::pipe()?;
        let (parsed, events) = mpsc::channel(QUEUE);
        std::thread::Builder::new().name("terminal-input".into()).spawn(move || {
            let failed = read(&terminal, &stopped, &parsed).err();
            if let Some(error) = failed {
                // Nobody listens any more when this fails.
                let _ = parsed.blocking_send(Err(error));
            }
        })?;
        Ok(Self { events, _stop: stop })
    }

    /// The next event; `None` when the terminal is gone. May be dropped and called again.
    pub async fn next(&mut self) -> Option<io::Result<Event>> {
        self.events.recv().await
    }
}

/// Reads until the terminal hangs up or nobody listens.
fn read(
    terminal: &OwnedFd,
    stopped: &PipeReader,
    parsed: &mpsc::Sender<io::Result<Event>>,
) -> io::Result<()> {
    loop {
        let mut watched = [PollFd::new(terminal, PollFlags::IN), PollFd::new(stopped, PollFlags::IN)];
        match poll(&mut watched, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        let [terminal, stopped] = watched.map(|fd| fd.revents());
        if !stopped.is_empty() || terminal.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return Ok(());
        }
        while event::poll(Duration::ZERO)? {
            if parsed.blocking_send(Ok(event::read()?)).is_err() {
                return Ok(());
            }
        }
    }
}
