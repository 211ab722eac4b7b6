//! The gate every act passes: where a session is paused or stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What acts may do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Any number of acts.
    Run,
    /// No act until the mode changes.
    Pause,
    /// This many acts, then pause; not 0.
    Step(u32),
    /// No act ever again: no later call leaves this mode.
    Stop,
}

/// One session's gate; clones share it.
#[derive(Clone, Debug)]
pub struct Gate {
    mode: watch::Sender<Mode>,
    cancel: CancellationToken,
    /// No further test begins.
    last_tests: Arc<AtomicBool>,
}

impl Gate {
    /// An open gate whose stop also ends everything waiting on `cancel`.
    pub fn new(cancel: CancellationToken) -> Self {
        Self { mode: watch::Sender::new(Mode::Run), cancel, last_tests: Arc::default() }
    }

    /// What the next act will find here.
    pub fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    /// Holds back every further act; those under way finish. No effect on a stopped session.
    pub fn pause(&self) {
        self.change(|_| Mode::Pause);
    }

    /// Lets acts through again, as many as come. No effect on a stopped session.
    pub fn resume(&self) {
        self.change(|_| Mode::Run);
    }

    /// Lets this many acts through, on whatever device, and no more.
    pub fn step(&self, acts: u32) {
        self.change(|mode| match (mode, acts) {
            (_, 0) => Mode::Pause,
            (Mode::Step(left), acts) => Mode::Step(left.saturating_add(acts)),
            (_, acts) => Mode::Step(acts),
        });
    }

    /// Final: lets no further act through and cancels what is being waited for.
    pub fn stop(&self) {
        self.mode.send_replace(Mode::Stop);
        self.cancel.cancel();
    }

    /// Final: tests that are under way go on, and none begins.
    pub fn let_no_test_begin(&self) {
        self.last_tests.store(true, Ordering::Relaxed);
    }

    /// Whether a test may begin.
    pub fn lets_tests_begin(&self) -> bool {
        !self.last_tests.load(Ordering::Relaxed)
    }

    /// Cancelled by [`stop`](Self::stop), or by whoever opened the gate.
    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Waits while paused. False when the session is stopping.
    pub async fn pass(&self) -> bool {
        let mut mode = self.mode.subscribe();
        loop {
            let mut passed = None;
            self.mode.send_if_modified(|mode| match *mode {
                Mode::Run => {
                    passed = Some(true);
                    false
                }
                Mode::Stop => {
                    passed = Some(false);
                    false
                }
                Mode::Step(left) => {
                    passed = Some(true);
                    *mode = if left > 1 { Mode::Step(left - 1) } else { Mode::Pause };
                    true
                }
                Mode::Pause => false,
            });
            if let Some(passed) = passed {
                return passed;
            }
            // Fails only without a gate, and this is one.
            if mode.wait_for(|mode| *mode != Mode::Pause).await.is_err() {
                return false;
            }
        }
    }

    /// Receives every change of mode.
    pub(super) fn watch(&self) -> watch::Receiver<Mode> {
        self.mode.subscribe()
    }

    fn change(&self, to: impl Fn(Mode) -> Mode) {
        self.mode.send_if_modified(|mode| {
            let now = if *mode == Mode::Stop { Mode::Stop } else { to(*mode) };
            let changed = *mode != now;
            *mode = now;
            changed
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
        gate.step(2);
        assert!(gate.pass().await && gate.pass().await);
        assert_eq!(gate.mode(), Mode::Pause);
        gate.stop();
        gate.step(1);
        gate.resume();
        gate.pause();
        assert!(!gate.pass().await);
        assert!(gate.cancelled().is_cancelled());
    }
}
