//! How the process of an app ends, and what the phone writes of it.
//!
//! In: an app in front, and a way to end. Out: the home screen, and the lines that a real phone writes.

use droidmux_sim_toolkit::Throwable;

use super::{Front, Phone};

/// A way for a process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Somebody kills it, and nobody says why: the log only has that it is gone.
    Silent,
    /// The system takes its memory, and says so.
    LowMemory,
    /// An exception in Java that nobody catches.
    Exception,
    /// A crash in native code of which no stack is written.
    Native,
}

impl End {
    /// Its name in fault files.
    pub fn name(self) -> &'static str {
        match self {
            End::Silent => "silent",
            End::LowMemory => "low-memory",
            End::Exception => "exception",
            End::Native => "native",
        }
    }
}

impl Phone {
    /// Ends the process of the app in front this way; nothing on the home screen.
    pub(super) fn end_front(&mut self, end: End) {
        if !matches!(self.front, Front::App(_)) {
            return;
        }
        let package = self.front.package().to_owned();
        let (time, pid) = (self.clock.now_ms(), self.pid_of(&package).unwrap_or_default());
        match end {
            End::Exception => {
                let throwable = Throwable {
                    class: "java.lang.IllegalStateException",
                    message: "not ready".into(),
                    frames: Vec::new(),
                };
                return self.crash(&package, &throwable);
            }
            End::Silent => self.log.gone(time, &package, pid, 9),
            End::LowMemory => {
                self.log.out_of_memory(time, &package, pid);
                self.log.gone(time, &package, pid, 9);
            }
            End::Native => {
                self.log.faulted(time, &package, pid);
                self.log.gone(time, &package, pid, 11);
            }
        }
        self.drop_process(&package);
        self.front = Front::Home;
        self.launcher = self.new_launcher();
    }
}
