//! What prevents a session from asking a model at all. When a model does not answer one question, that is not an error
//! but a [`droidmux_record::Unanswered`].

use std::path::PathBuf;

/// What has to be fixed before a session can ask anything.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// A member of `[llm]` that cannot be used.
    #[error("`[llm] {field}`: {why}")]
    Setting {
        /// The setting's key in the file, e.g. `base-url`.
        field: &'static str,
        /// What is wrong with the value.
        why: String,
    },
    /// There is no key to send.
    #[error(
        "the environment variable {name}, which `[llm] key-env` names, {why}; export it with the endpoint's key, or leave `key-env` out if the endpoint takes none"
    )]
    Key {
        /// The variable's name.
        name: String,
        /// What is wrong with its value, which is never shown.
        why: &'static str,
    },
    /// A recording as a whole cannot be read or written.
    #[error("{}: {why}", path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A line of a recording cannot be used.
    #[error("{}:{line}: {why}", path.display())]
    RecordingLine {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The HTTP library's message, e.g. about certificates.
    #[error("the HTTP client cannot be made: {0}")]
    Http(String),
}
