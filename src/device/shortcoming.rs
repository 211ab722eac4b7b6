//! What a device cannot tell, for as long as that lasts: sessions go on without it, and people are told.

use std::fmt;

/// Something that a session does without on a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shortcoming {
    /// Its log cannot be read, or nothing is written to it; says why, and what to do.
    Log {
        /// In the device's words where it has any.
        why: String,
        /// Which switch to move, on a phone of this maker.
        remedy: String,
    },
    /// It says that the on-screen keyboard is up, whatever is done: nobody closes it any more.
    Keyboard,
    /// Its battery is not watched: why.
    Battery(String),
}

impl Shortcoming {
    /// Two or three words for a list of devices.
    pub fn brief(&self) -> &'static str {
        match self {
            Self::Log { .. } => "no log",
            Self::Keyboard => "keyboard not told",
            Self::Battery(_) => "no battery",
        }
    }

    /// Whether it is worth a word about what a session found: something may have been missed.
    pub fn may_cost_findings(&self) -> bool {
        matches!(self, Self::Log { .. } | Self::Keyboard)
    }
}

impl fmt::Display for Shortcoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log { why, remedy } => write!(
                f,
                "no log: {why}; crashes are told by their dialog and by the process that is gone, without their stack ({remedy})"
            ),
            Self::Keyboard => f.write_str(
                "it always says that the keyboard is up: it is not closed any more before touches, until that changes",
            ),
            Self::Battery(why) => write!(f, "its battery is not watched: {why}"),
        }
    }
}
