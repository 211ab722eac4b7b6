//! Starting sessions from a viewer: which files there are, what is to be run, and what is wrong with it.

use serde::{Deserialize, Serialize};

/// A session to be started from a file on the lab's host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The session file, as a person named it.
    pub file: String,
    /// The folder that a relative path begins at; the lab's own if none of that name exists.
    pub folder: String,
    /// The devices to run on, by their serials; empty for any.
    pub serials: Vec<String>,
    /// Events at most, instead of the file's limit.
    pub max_events: Option<u64>,
    /// Seconds after which no further test begins.
    pub for_s: Option<u64>,
}

/// A session file that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFileView {
    /// As a person names it from the folder.
    pub path: String,
    /// Technique, app and limits in words; empty if something is wrong with it.
    pub words: String,
    /// Why it cannot be run.
    pub fault: Option<StartFault>,
}

/// Why a session cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFault {
    /// What is wrong, in words, with what would be accepted.
    pub what: String,
    /// Its position, if it is in a file.
    pub place: Option<FilePlace>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePlace {
    /// The file as it was named.
    pub path: String,
    /// From 1.
    pub line: u64,
    /// What the line says.
    pub text: String,
}

impl From<String> for StartFault {
    fn from(what: String) -> Self {
        Self { what, place: None }
    }
}
