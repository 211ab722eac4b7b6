//! Crashes, ANRs and ends without a word, and whose they are.

use serde::{Deserialize, Serialize};

/// A crash, an ANR or an end that nothing explains, seen on the device, in any process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// What happened to the process.
    pub kind: SignalKind,
    /// As the log names it; empty if it does not.
    pub process: String,
    /// The exception with its message, the ANR's reason, or what is known of an end: one line.
    pub headline: String,
    /// The stack as logged, at most 64 lines; of an ANR with the main thread's frames, where they could be read.
    pub stack: Vec<String>,
}

/// What ended or froze a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignalKind {
    /// An uncaught exception or a native crash, including one that the app's own reporter caught.
    Crash,
    /// It did not respond within the system's time limit ("isn't responding").
    Anr,
    /// The process in front ended, and nothing says why: no crash, no killer, no doing of the session.
    Ended,
}

impl SignalKind {
    /// What it did to the app, as the end of a sentence about it: `crashed`.
    pub fn deed(self) -> &'static str {
        match self {
            Self::Crash => "crashed",
            Self::Anr => "stopped responding",
            Self::Ended => "ended without a word",
        }
    }
}

impl Signal {
    /// The line that the framework lab puts into the stack of a crash that is its own fault.
    pub const LAB_FAULT: &str = "The fault is the framework lab's, not the app's.";

    /// True when the framework lab says that the fault is its own.
    pub fn is_of_lab(&self) -> bool {
        self.stack.iter().any(|line| line.trim() == Self::LAB_FAULT)
    }

    /// True when the process belongs to this app: its name is the package, or the package followed by a colon and a
    /// service's name. If the log names no process (an app's own crash reporter took the exception), the stack decides.
    pub fn is_of(&self, package: &str) -> bool {
        if self.process.is_empty() {
            return self
                .stack
                .iter()
                .filter_map(|line| line.trim().strip_prefix("at "))
                .any(|frame| is_frame_of(frame, package));
        }
        match self.process.strip_prefix(package) {
            Some(rest) => !package.is_empty() && (rest.is_empty() || rest.starts_with(':')),
            None => false,
        }
    }
}

/// True for a method of the app's own code: in its package, or in the package's first two parts (build
/// variants such as `org.app.debug` keep the code in `org.app`).
pub fn is_frame_of(method: &str, package: &str) -> bool {
    let mut parts = package.splitn(3, '.');
    let (Some(first), Some(second)) = (parts.next(), parts.next()) else { return false };
    let rest = method.strip_prefix(first).and_then(|rest| rest.strip_prefix('.'));
    rest.and_then(|rest| rest.strip_prefix(second)).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_belong_to_the_app_they_are_named_after() {
        for (process, frame, app, expected) in [
            ("org.app", "", "org.app", true),
            ("org.app:sync", "", "org.app", true),
            ("org.app:", "", "org.app", true),
            ("org.app2", "", "org.app", false),
            ("org.app.pro", "", "org.app", false),
            ("org.ap", "", "org.app", false),
            ("com.android.vending", "", "org.app", false),
            ("system_server", "", "org.app", false),
            ("org.app", "", "", false),
            // A named process is judged by its name alone.
            ("com.android.vending", "at org.app.Main.run(Main.java:1)", "org.app", false),
            ("", "", "org.app", false),
            ("", "\tat org.app.Main.run(Main.java:1)", "org.app.debug", true),
            ("", "at org.app2.Main.run(Main.java:1)", "org.app", false),
            ("", "at android.os.Handler.run(Handler.java:1)", "org.app", false),
            ("", "at org.app.Main.run(Main.java:1)", "", false),
        ] {
            let stack = vec![frame.to_owned()];
            let headline = "x.Y".to_owned();
            let signal = Signal { kind: SignalKind::Crash, process: process.into(), headline, stack };
            assert_eq!(signal.is_of(app), expected, "{process:?} {frame:?} of {app:?}");
        }
    }
}
