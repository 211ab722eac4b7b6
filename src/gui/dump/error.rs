//! Why a dump could not be read, and where.

use std::fmt;

use serde::{Deserialize, Serialize};

use droidmux_words::printable;

use super::{MAX_BYTES, MAX_DEPTH, MAX_DUMPS, MAX_WIDGETS};

/// How much of a text that is not a dump is quoted, in characters.
const QUOTED: usize = 80;

/// A place in the dump's text after decoding to UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// From 0.
    pub byte: usize,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// A dump that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault} (at {position})")]
pub struct DumpError {
    /// Where it shows, counted in the decoded text.
    pub position: Position,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing of it was read.
    #[error("the dump has {bytes} bytes; the limit is {MAX_BYTES}")]
    TooLarge {
        /// How many it has.
        bytes: usize,
    },
    /// No bytes, or only blanks.
    #[error("the dump is empty")]
    Empty,
    /// Contains the first line, which is often the dump command's own complaint.
    #[error("no <hierarchy> element: this is no UI dump; it begins `{beginning}`")]
    NoHierarchy {
        /// The first line, shortened.
        beginning: String,
    },
    /// The XML reader's message.
    #[error("malformed XML: {0}")]
    Syntax(String),
    /// Something that is neither a value nor a brace.
    #[error("malformed JSON")]
    Json,
    /// The connection was cut, or the dump was read while it was written.
    #[error("the dump breaks off inside <{element}>; take it again")]
    Truncated {
        /// What is still open: `hierarchy`, `node`, or `a tag` cut in two.
        element: String,
    },
    /// Deeper than any screen made by people.
    #[error("widgets are nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// More than a screen shows; comparing such layouts would take minutes.
    #[error("more than {MAX_WIDGETS} widgets")]
    TooMany,
    /// More than a device has.
    #[error("more than 200 windows")]
    TooManyWindows,
    /// A file of many screens that somebody strung together.
    #[error("more than {MAX_DUMPS} dumps in one file")]
    TooManyDumps,
}

impl Position {
    /// Line and column of a byte offset; an offset past the end or inside a character counts as
    /// the last place before it.
    pub(super) fn of(text: &str, byte: usize) -> Self {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = text.get(..byte).unwrap_or("");
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Self { byte, line, column }
    }
}

impl DumpError {
    /// For a text in which no dump begins.
    pub(super) fn no_dump(text: &str) -> Self {
        let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else {
            return Self::at_start(Fault::Empty);
        };
        let quoted: String = line.trim().chars().take(QUOTED).collect();
        let offset = line.as_ptr() as usize - text.as_ptr() as usize;
        Self::new(text, offset, Fault::NoHierarchy { beginning: printable(&quoted).into_owned() })
    }

    pub(super) fn new(text: &str, byte: usize, fault: Fault) -> Self {
        Self { position: Position::of(text, byte), fault }
    }

    pub(super) fn at_start(fault: Fault) -> Self {
        Self { position: Position { byte: 0, line: 1, column: 1 }, fault }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}, byte {}", self.line, self.column, self.byte)
    }
}
