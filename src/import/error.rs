//! Why a recording could not be read.

use std::io;

use droidmux_gui::DumpError;

/// Says which file, and where in it. Files are named as seen from the recording's folder.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system does not allow a file or folder to be read.
    #[error("{file}: {source}")]
    Io {
        /// As seen from the recording's folder.
        file: String,
        /// The system's message.
        source: io::Error,
    },
    /// The path given for a recording is a file, or does not exist.
    #[error("{file}: not a folder; give the folder the tool wrote its recording to")]
    NotAFolder {
        /// As it was given.
        file: String,
    },
    /// A file without which the recording cannot be read.
    #[error("{file}: {what} is missing; is this a {tool} recording?")]
    Missing {
        /// The folder it was looked for in.
        file: String,
        /// What such a recording must contain: a file, or files of a certain kind.
        what: &'static str,
        /// The tool whose recordings contain it.
        tool: &'static str,
    },
    /// The JSON reader's message includes line, column and field.
    #[error("{file}: {message}")]
    Json {
        /// As seen from the recording's folder.
        file: String,
        /// What the reader says.
        message: String,
    },
    /// A dump that is not a valid layout.
    #[error("{file}: {source}")]
    Dump {
        /// As seen from the recording's folder.
        file: String,
        /// What is wrong with it, and where.
        source: DumpError,
    },
    /// A field whose value makes no sense.
    #[error("{file}: field `{field}`: {message}")]
    Field {
        /// As seen from the recording's folder.
        file: String,
        /// Its name, or the path to it.
        field: String,
        /// What is wrong with the value.
        message: String,
    },
    /// Nothing in the file was read.
    #[error("{file}: {bytes} bytes are more than the limit of {limit}")]
    TooLarge {
        /// As seen from the recording's folder.
        file: String,
        /// Bytes it has.
        bytes: u64,
        /// Bytes that a file of this kind may have.
        limit: u64,
    },
    /// A cap on what one file or folder may hold.
    #[error("{file}: more than {limit} {what}")]
    TooMany {
        /// As seen from the recording's folder.
        file: String,
        /// What there are too many of, in the plural.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
    /// A path in a file that must not be followed.
    #[error("{file}: the path `{path}` leads out of the recording's folder")]
    Outside {
        /// The file that holds it.
        file: String,
        /// As it is written there.
        path: String,
    },
}

impl ImportError {
    pub(super) fn field(file: &str, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Field { file: file.to_owned(), field: field.into(), message: message.into() }
    }
}
