//! What keeps a session from asking a model at all. That a model does not answer one question is
//! no error but a [`crate::record::Unanswered`].

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// A member of `[llm]` that cannot be used.
    #[error("`[llm] {field}`: {why}")]
    Setting { field: &'static str, why: String },
    #[error(
        "the environment variable {name}, which `[llm] key-env` names, {why}; export it with the endpoint's key, or leave `key-env` out if the endpoint takes none"
    )]
    Key { name: String, why: &'static str },
    #[error("{}: {why}", path.display())]
    Recording { path: PathBuf, why: String },
    #[error("{}:{line}: {why}", path.display())]
    RecordingLine { path: PathBuf, line: usize, why: String },
    #[error("the HTTP client cannot be made: {0}")]
    Http(String),
}
