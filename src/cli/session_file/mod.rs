//! Session files: read strictly, so that a typing error is reported instead of ignored.
//!
//! In: a session file and the files it names. Out: the complete definition of a session: the content of the other files
//! is part of it, so that changing them later changes nothing. Or what is wrong, with the line of the session file.

mod agent;
mod apk;
mod complaints;
mod fixtures;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod hosts;
mod line;
mod llm;
mod named_path;
mod settings;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::specification_file;
use complaints::complaints;
use droidmux_file as file;
use droidmux_record::{NamedFile, SessionDefinition};
use droidmux_technique::{complete, kinds, names};
use line::KeyPath;
pub(super) use line::{line_at, line_of};
pub use llm::UsualLlm;
pub(super) use llm::usual_complaint;
pub use settings::settings_table;

/// Reads a file that a session file names.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

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
    let misread = |error: toml::de::Error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        wrong(line, explain(error.message(), text.lines().nth(line - 1).unwrap_or_default()))
    };
    let mut definition: SessionDefinition = toml::from_str(text).map_err(misread)?;
    if let Some((name, what)) = unknown_table(&definition) {
        return Err(wrong(line_of(text, &[name]), explain_unknown(&what)));
    }
    for kind in kinds() {
        kind.read(text, &mut definition.settings).map_err(misread)?;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let completed = llm::complete(&mut definition, text, usual).err();
    let complaint = match completed.or_else(|| complaints(&definition).into_iter().next()) {
        None => {
            let frozen = freeze(&mut definition, folder, read);
            let frozen = frozen.and_then(|()| agent::freeze(&mut definition, folder));
            let frozen = frozen.and_then(|()| apk::freeze(&mut definition, folder));
            let frozen = frozen.and_then(|()| fixtures::freeze(&mut definition, folder));
            let frozen = frozen.and_then(|()| hosts::freeze(&mut definition, folder));
            frozen.and_then(|()| llm::freeze(&mut definition, folder)).err()
        }
        complaint => complaint,
    };
    match complaint {
        Some((place, what)) => Err(wrong(line_of(text, &place), what)),
        None => {
            complete(&mut definition);
            Ok(definition)
        }
    }
}

/// A table or key that is neither common to all techniques nor any technique's, with what there is. Where the session's
/// technique is not there, its table cannot be either: then only the technique is complained of.
fn unknown_table(definition: &SessionDefinition) -> Option<(String, String)> {
    if !names().contains(&definition.technique.name()) {
        return None;
    }
    let tables: Vec<&str> = kinds().into_iter().map(|kind| kind.name).collect();
    let unknown = definition.settings.names().find(|name| !tables.contains(name))?;
    let known = SessionDefinition::KEYS.iter().copied().chain(tables);
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    Some((unknown.to_owned(), format!("unknown field `{unknown}`, expected one of {}", known.join(", "))))
}

/// Makes the content of the files that the settings name a part of the definition; `folder` is the session file's.
fn freeze(
    definition: &mut SessionDefinition,
    folder: &Path,
    read: ReadFile<'_>,
) -> Result<(), (KeyPath, String)> {
    let named = |path: &str| {
        let path = folder.join(path);
        NamedFile { path: path.display().to_string(), text: read(&path) }
    };
    droidmux_technique::freeze(definition, &named).map_err(|complaint| (complaint.at, complaint.what))
}

/// What the reader says of a line, with what would do where that is known.
fn explain(message: &str, line: &str) -> String {
    match message {
        // `[app]` beside `app = …`.
        "duplicate key" if line.trim_start().starts_with("[app") || line.trim_start().starts_with("app") => {
            format!("{message}: `app` is a package, or a table with `package`, not both")
        }
        message => explain_unknown(message),
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
