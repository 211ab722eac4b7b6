//! What people say of what real apps show by themselves: bugs that nobody planted, or false alarms.
//!
//! In: a file in which each line of a session with all defects off is judged once, by reading the app, with the reason. Out:
//! whether a finding is a bug of the app's own. What is not judged yet counts as a false alarm.

use serde::{Deserialize, Serialize};

use super::BenchError;

/// All judgements.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgements {
    #[serde(default, rename = "line")]
    lines: Vec<Judgement>,
}

/// A judgement on what an app shows.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The app's package.
    pub app: String,
    /// The key of the finding.
    pub key: String,
    /// Its title, for whoever reads the file.
    #[serde(default)]
    pub title: String,
    /// What it is.
    pub is: Judged,
    /// Where in the app, and why.
    pub reason: String,
}

/// What something that an app shows by itself is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "judged"))]
#[serde(rename_all = "kebab-case")]
pub enum Judged {
    /// A bug of the app.
    Bug,
    /// The app is right.
    FalseAlarm,
}

/// Those that come with droidmux.
const SHIPPED: &str = include_str!("../apps/judgements.toml");

impl Judgements {
    /// Those that come with droidmux.
    ///
    /// # Errors
    /// When the file is broken, which a test excludes.
    pub fn shipped() -> Result<Self, BenchError> {
        Self::read(SHIPPED)
    }

    /// Reads a file of judgements.
    ///
    /// # Errors
    /// When it is no such file, or a judgement has no reason.
    pub fn read(text: &str) -> Result<Self, BenchError> {
        let read: Self = toml::from_str(text).map_err(|error| BenchError::Judgements(error.to_string()))?;
        match read.lines.iter().find(|line| line.reason.trim().is_empty()) {
            Some(line) => Err(BenchError::Judgements(format!("{}: no reason for {:?}", line.app, line.key))),
            None => Ok(read),
        }
    }

    /// What is said of this finding of an app.
    pub fn of(&self, app: &str, key: &str) -> Option<&Judgement> {
        self.lines.iter().find(|line| line.app == app && line.key == key)
    }

    pub(super) fn is_bug(&self, app: &str, key: &str) -> bool {
        self.of(app, key).is_some_and(|line| line.is == Judged::Bug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_needs_its_reason() {
        let with = |reason: &str| {
            format!("[[line]]\napp = \"a.b\"\nkey = \"k\"\nis = \"bug\"\nreason = \"{reason}\"\n")
        };
        let read = Judgements::read(&with("A.b() forgets it")).expect("read");
        assert!(read.is_bug("a.b", "k") && !read.is_bug("a.b", "l") && !read.is_bug("a.c", "k"));
        for wrong in [with(" "), "[[line]]\napp = \"a.b\"\n".to_owned(), "[[lines]]".to_owned()] {
            assert!(Judgements::read(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_shipped_file_can_be_read() {
        Judgements::shipped().expect("judgements");
    }
}
