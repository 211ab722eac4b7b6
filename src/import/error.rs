//! Why a recording could not be read.

use std::io;

use crate::gui::DumpError;

/// Says which file, and where in it. Files are named as seen from the recording's folder.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{file}: {source}")]
    Io { file: String, source: io::Error },
    #[error("{file}: not a folder; give the folder the tool wrote its recording to")]
    NotAFolder { file: String },
    #[error("{file}: {what} is missing; is this a {tool} recording?")]
    Missing { file: String, what: &'static str, tool: &'static str },
    /// The message of the JSON reader holds line, column and field.
    #[error("{file}: {message}")]
    Json { file: String, message: String },
    #[error("{file}: {source}")]
    Dump { file: String, source: DumpError },
    #[error("{file}: field `{field}`: {message}")]
    Field { file: String, field: String, message: String },
    #[error("{file}: {bytes} bytes are more than the limit of {limit}")]
    TooLarge { file: String, bytes: u64, limit: u64 },
    #[error("{file}: more than {limit} {what}")]
    TooMany { file: String, what: &'static str, limit: usize },
    #[error("{file}: the path `{path}` leads out of the recording's folder")]
    Outside { file: String, path: String },
}

impl ImportError {
    pub(super) fn field(file: &str, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Field { file: file.to_owned(), field: field.into(), message: message.into() }
    }
}
