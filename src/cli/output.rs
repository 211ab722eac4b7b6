//! Writing to standard output.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;
use serde_json::json;

use droidmux_words::printable_json;

/// Writes a whole output at once. A reader that went away (`| head`) is not an error.
///
/// # Errors
///
/// When standard output cannot be written for another reason, such as a full disk.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// JSON on one line. Anything a terminal would obey is escaped, since it contains texts from apps.
pub(super) fn json_line(value: &impl Serialize) -> String {
    format!("{}\n", printable_json(&json!(value).to_string()))
}

/// JSON on several lines, as safe as [`json_line`].
pub(super) fn json_block(value: &impl Serialize) -> String {
    format!("{}\n", printable_json(&format!("{:#}", json!(value))))
}
