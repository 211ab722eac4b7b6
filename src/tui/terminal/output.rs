//! Frames on their way to the terminal.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use tokio::sync::mpsc as async_mpsc;

/// A thread that writes frames, so that a slow link holds up nothing but the frames.
pub struct Writer {
    frames: std::sync::mpsc::Sender<Vec<u8>>,
    written: async_mpsc::UnboundedReceiver<io::Result<()>>,
    /// Frames handed over and not yet written.
    pending: usize,
}

impl Writer {
    /// A writer to standard output.
    pub fn stdout() -> io::Result<Self> {
        // A file of its own: the standard handle would cut frames at line ends.
        let mut terminal = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let (frames, queue) = std::sync::mpsc::channel::<Vec<u8>>();
        let (done, written) = async_mpsc::unbounded_channel();
        std::thread::Builder::new().name("terminal-writer".into()).spawn(move || {
            for frame in queue {
                let result = terminal.write_all(&frame);
                let failed = result.is_err();
                if done.send(result).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Self { frames, written, pending: 0 })
    }

    /// True while a frame is being written: drawing further ones would only queue them up.
    pub fn is_busy(&self) -> bool {
        self.pending > 0
    }

    pub fn write(&mut self, frame: Vec<u8>) {
        if self.frames.send(frame).is_ok() {
            self.pending += 1;
        }
    }

    /// Waits until a frame is written; for ever when none is under way.
    pub async fn written(&mut self) -> io::Result<()> {
        if self.pending == 0 {
            return std::future::pending().await;
        }
        match self.written.recv().await {
            Some(result) => {
                self.pending -= 1;
                result
            }
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}
