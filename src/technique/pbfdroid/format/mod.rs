//! PBFDroid's published JSON: what data manipulation functions an app has, and which of its widgets
//! are never touched at random.
//!
//! In: the text of a file. Out: the functions or key views as data, or what is wrong and where;
//! and the other way round.
//!
//! Invariants: a type, action, relation or operator that is not known is an error with its place. A field that PBFDroid
//! does not read is ignored here, too, and [`unread_fields`] reports it; one that closely resembles a missing
//! field is an error. A function that contradicts itself (it names a widget that is not defined) is read all the same,
//! says so in its `fault`, and leaves the others usable. What is written reads back as equal data, and a published file
//! that is read and written is an equal JSON value.

mod fault;
mod fields;
mod key_view;
mod read;
#[cfg(test)]
mod tests;
mod unread;
mod write;

use serde_json::{Value, json};
use thiserror::Error;

use droidmux_record::{Dmf, KeyView};
pub use fault::{fault, key_view_fault};
use fields::Fields;
pub use unread::{Unread, unread_fields};

/// Larger files are not specifications.
pub const MOST_BYTES: usize = 4 << 20;
/// Functions or key views of a file.
const MOST_ENTRIES: usize = 1_000;

/// What is wrong with a file, and where in it.
#[derive(Debug, Error)]
pub enum FormatError {
    /// It is not parsed at all.
    #[error("{file}: has {bytes} bytes; a specification has at most {MOST_BYTES}")]
    TooLarge {
        /// As it was named.
        file: String,
        /// The size of its text.
        bytes: usize,
    },
    /// The message has the line.
    #[error("{file}:{}: is no JSON: {source}", source.line())]
    NoJson {
        /// As it was named.
        file: String,
        /// What the parser said, with line and column.
        source: serde_json::Error,
    },
    /// A field is missing, or says something that is not known.
    #[error("{file}: {place}: {what}")]
    Wrong {
        /// As it was named.
        file: String,
        /// Where in the file: the function, and the part of it, counted from 1.
        place: String,
        /// What is wrong there, and what would do.
        what: String,
    },
}

/// Reads `{"dmfs": […]}`. `file` is only for messages.
///
/// # Errors
///
/// When the text is too large, is not JSON, or says something that is not understood.
pub fn read_dmfs(file: &str, text: &str) -> Result<Vec<Dmf>, FormatError> {
    let value = parse(file, text)?;
    let root = Fields::root(file, &value, &["dmfs"])?;
    root.required("dmfs")?;
    let dmfs = root.list("dmfs", MOST_ENTRIES)?;
    dmfs.iter().enumerate().map(|(number, value)| read::dmf(file, number, value)).collect()
}

/// The text of a file with these functions.
pub fn write_dmfs(dmfs: &[Dmf]) -> String {
    let dmfs: Vec<Value> = dmfs.iter().map(write::dmf).collect();
    format!("{:#}\n", json!({ "dmfs": dmfs }))
}

/// Reads `{"keyviews": [{"view": "<node … />"}]}`. `file` is only for messages.
///
/// # Errors
///
/// As [`read_dmfs`].
pub fn read_key_views(file: &str, text: &str) -> Result<Vec<KeyView>, FormatError> {
    let value = parse(file, text)?;
    let root = Fields::root(file, &value, &["keyviews"])?;
    root.required("keyviews")?;
    let views = root.list("keyviews", MOST_ENTRIES)?.iter().enumerate();
    views
        .map(|(number, value)| {
            let fields = Fields::new(file, format!("key view {}", number + 1), value, &["view"])?;
            fields.required("view")?;
            key_view::read(&fields.text("view")?).map_err(|fault| fields.wrong("view", &fault.to_string()))
        })
        .collect()
}

/// The text of a file with these key views.
pub fn write_key_views(views: &[KeyView]) -> String {
    let views: Vec<Value> = views.iter().map(|view| json!({ "view": key_view::write(view) })).collect();
    format!("{:#}\n", json!({ "keyviews": views }))
}

/// The JSON value of a text; its depth is limited by the parser.
fn parse(file: &str, text: &str) -> Result<Value, FormatError> {
    if text.len() > MOST_BYTES {
        return Err(FormatError::TooLarge { file: file.to_owned(), bytes: text.len() });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|source| FormatError::NoJson { file: file.to_owned(), source })
}
