//! Writing to standard output.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;
use serde_json::json;
use unicode_width::UnicodeWidthStr;

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

/// Cells in columns, each line with a remark behind it.
pub(super) fn table<const N: usize>(lines: &[([String; N], String)]) -> String {
    let mut widths = [0; N];
    for (cells, _) in lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = cell.width().max(*width);
        }
    }
    let mut text = String::new();
    for (cells, remark) in lines {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
        }
        line.push_str(remark);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
