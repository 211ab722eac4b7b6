//! The gate every act passes: where a session is paused or stopped.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What acts may do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Run,
    Pause,
    Stop,
}

/// One session's gate; clones share it.
#[derive(Clone, Debug)]
pub struct Gate {
    mode: watch::Sender<Mode>,
    cancel: CancellationToken,
}

impl Gate {
    /// An open gate whose stop also ends everything waiting on `cancel`.
    pub fn new(cancel: CancellationToken) -> Self {
        Self { mode: watch::Sender::new(Mode::Run), cancel }
    }

    pub fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    pub fn pause(&self) {
        self.change(Mode::Run, Mode::Pause);
    }

    pub fn resume(&self) {
        self.change(Mode::Pause, Mode::Run);
    }

    /// Final: lets no further act through and cancels what is being waited for.
    pub fn stop(&self) {
        self.mode.send_replace(Mode::Stop);
        self.cancel.cancel();
    }

    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Waits while paused. False when the session is stopping.
    pub async fn pass(&self) -> bool {
        let mut mode = self.mode.subscribe();
        match mode.wait_for(|mode| *mode != Mode::Pause).await {
            Ok(mode) => *mode == Mode::Run,
            Err(_) => false,
        }
    }

    fn change(&self, from: Mode, to: Mode) {
        self.mode.send_if_modified(|mode| {
            let fits = *mode == from;
            if fits {
                *mode = to;
            }
            fits
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pausing_holds_acts_and_stopping_is_final() {
        let gate = Gate::new(CancellationToken::new());
        assert!(gate.pass().await);
        gate.pause();
        let waiting = tokio::spawn({
            let gate = gate.clone();
            async move { gate.pass().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        gate.resume();
        assert!(waiting.await.unwrap());
        gate.stop();
        gate.resume();
        gate.pause();
        assert!(!gate.pass().await);
        assert!(gate.cancelled().is_cancelled());
    }
}
