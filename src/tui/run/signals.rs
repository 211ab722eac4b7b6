//! The signals that a cockpit answers: it ends, draws anew for another size, or takes its terminal back.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals the loop listens to.
pub(super) struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
    resize: Signal,
    resume: Signal,
}

/// What a signal means to the loop.
pub(super) enum Caught {
    End,
    Resize,
    Resume,
}

impl Signals {
    pub(super) fn new() -> std::io::Result<Self> {
        let resume = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            resize: signal(SignalKind::window_change())?,
            resume: signal(resume)?,
        })
    }

    pub(super) async fn next(&mut self) -> Caught {
        tokio::select! {
            _ = self.hangup.recv() => Caught::End,
            _ = self.terminate.recv() => Caught::End,
            _ = self.interrupt.recv() => Caught::End,
            _ = self.resize.recv() => Caught::Resize,
            _ = self.resume.recv() => Caught::Resume,
        }
    }
}
