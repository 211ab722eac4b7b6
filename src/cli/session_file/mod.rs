//! Session files: read strictly, so that a typing error is reported instead of ignored.
//!
//! In: a session file and the files it names. Out: the complete definition of a session: the content of the other files
//! is part of it, so that changing them later changes nothing. Or what is wrong, with the line of the session file.

mod agent;
mod complaints;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod inputblaster;
mod line;
mod llm;
mod pbfdroid;
mod settings;
#[cfg(test)]
mod tests;
mod visiondroid;

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::specification_file;
use complaints::complaints;
use droidmux_file as file;
use droidmux_record::SessionDefinition;
pub(super) use line::{line_at, line_of};
pub use llm::UsualLlm;
pub(super) use llm::usual_complaint;
use pbfdroid::ReadFile;

/// Larger files are not session files.
const MOST_BYTES: u64 = 1 << 20;

/// What is wrong with a session file, and where.
#[derive(Debug, Error)]
pub enum SessionFileError {
    /// The file is not there, not open to this user, or larger than 1 MiB.
    #[error("{path}: {source}")]
    Unreadable {
        /// The session file, as it was named.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not TOML, or it has an unknown field or a value that cannot be used; or this applies to a file that it
    /// names.
    #[error("{path}:{line}: {what}")]
    Wrong {
        /// The session file, as it was named.
        path: PathBuf,
        /// The line to look at, from 1.
        line: usize,
        /// What is wrong there and what would do.
        what: String,
    },
}

/// Reads and checks a session file; `usual` holds the configuration's settings for language models.
///
/// # Errors
/// When the file cannot be read, is larger than 1 MiB, or contains something that cannot be used.
pub fn read_session(path: &Path, usual: &UsualLlm) -> Result<SessionDefinition, SessionFileError> {
    let unreadable = |source| SessionFileError::Unreadable { path: path.into(), source };
    let text = file::text(file::read(path, MOST_BYTES).map_err(unreadable)?).map_err(|error| {
        SessionFileError::Wrong { path: path.into(), line: error.line, what: error.what() }
    })?;
    parse_session(path, &text, usual, &specification_file::read_text)
}

/// Checks the text of a session file. `path` is for messages, and paths in the file are relative to its folder.
pub(super) fn parse_session(
    path: &Path,
    text: &str,
    usual: &UsualLlm,
    read: ReadFile<'_>,
) -> Result<SessionDefinition, SessionFileError> {
    let wrong = |line, what| SessionFileError::Wrong { path: path.into(), line, what };
    let mut definition: SessionDefinition = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        wrong(line, explain_unknown(error.message()))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let completed = llm::complete(&mut definition, text, usual).err();
    let complaint = match completed.or_else(|| complaints(&definition).into_iter().next()) {
        None => {
            let frozen = pbfdroid::freeze(&mut definition, folder, read);
            let frozen = frozen.and_then(|()| agent::freeze(&mut definition, folder));
            frozen.and_then(|()| llm::freeze(&mut definition, folder)).err()
        }
        complaint => complaint,
    };
    match complaint {
        Some((place, what)) => Err(wrong(line_of(text, &place), what)),
        None => Ok(definition),
    }
}

/// Serde's "unknown field `x`, expected one of …" with the nearest name put first.
pub(super) fn explain_unknown(message: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let known = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let Some((given, candidates)) = names.split_first().filter(|_| known) else { return message.into() };
    let nearest = droidmux_gui::nearest(given, candidates.iter().copied());
    match nearest {
        Some(name) => format!("{message} (did you mean `{name}`?)"),
        None => message.into(),
    }
}
