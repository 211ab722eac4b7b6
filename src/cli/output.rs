//! Writing to standard output.

use std::io::{self, ErrorKind, Write};

use serde_json::Value;

use crate::gui::printable_json;

/// Writes a whole output at once. A reader that went away (`| head`) is no error.
///
/// # Errors
///
/// When standard output cannot be written for another reason, a full disk for one.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// JSON on one line. What a terminal would obey is escaped: texts of apps are in it.
pub(super) fn json_line(value: &Value) -> String {
    format!("{}\n", printable_json(&value.to_string()))
}

/// JSON on many lines, safe like [`json_line`].
pub(super) fn json_block(value: &Value) -> String {
    format!("{}\n", printable_json(&format!("{value:#}")))
}
