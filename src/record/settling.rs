//! How a screen is found to be at rest: what a session wants, and what became of it after each act.

use serde::{Deserialize, Serialize};

/// How a session waits for screens to come to rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SettlingChoice {
    /// Swiftly where only exploration depends on it, strictly for whatever a finding rests on.
    #[default]
    Swift,
    /// Strictly throughout.
    Strict,
}

/// How the screen after an act was found to be at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Settling {
    /// It was not: no two dumps in a row were equal, and the last one was taken.
    Restless,
    /// Strictly: two dumps in a row were equal, after as long a rest as the device asks for.
    Strict,
    /// Swiftly: the dump shows what this event has led to before.
    Expected,
    /// Swiftly: nothing moved for a quiet time after the dump.
    Quiet,
    /// Strictly, after a swift look that showed the same.
    Verified,
    /// Strictly, after a swift look that showed something else: it was premature.
    Premature,
}

impl Settling {
    /// From two dumps in a row: whether they were equal.
    pub fn strict(equal: bool) -> Self {
        if equal { Self::Strict } else { Self::Restless }
    }

    /// The screen had come to rest as far as anybody could tell.
    pub fn is_settled(self) -> bool {
        self != Self::Restless
    }

    /// A swift look was enough.
    pub fn is_swift(self) -> bool {
        matches!(self, Self::Expected | Self::Quiet)
    }

    /// A swift look that was checked by a strict one, and whether it was premature.
    pub fn checked(self) -> Option<bool> {
        match self {
            Self::Verified => Some(false),
            Self::Premature => Some(true),
            Self::Restless | Self::Strict | Self::Expected | Self::Quiet => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores of earlier formats hold a truth value in its place.
    #[test]
    fn what_was_settled_or_not_before_reads_as_strict_or_restless() {
        for (before, now) in [(false, Settling::Restless), (true, Settling::Strict)] {
            let bytes = postcard::to_stdvec(&before).expect("bytes");
            assert_eq!(postcard::from_bytes::<Settling>(&bytes), Ok(now));
            assert_eq!(now.is_settled(), before);
        }
    }
}
