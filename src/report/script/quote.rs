//! Texts as literals of the languages that scripts are written in.

use droidmux_words::printable;

/// A word of a POSIX shell.
pub(super) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A string of Python, JSON, or YAML in double quotes: they share these escapes.
pub(super) fn double(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            ' '..='~' => quoted.push(char),
            char if printable(char.encode_utf8(&mut [0; 4])) != char.to_string() => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    quoted.push_str(&format!("\\u{unit:04x}"));
                }
            }
            char => quoted.push(char),
        }
    }
    quoted + "\""
}

/// A string of Kotlin, in which `$` begins a template.
pub(super) fn kotlin(text: &str) -> String {
    double(text).replace('$', "\\$")
}

/// A line of a comment: nothing in it ends the comment.
pub(super) fn comment(text: &str) -> String {
    printable(text).replace("*/", "* /")
}

/// The value of an attribute in a dump.
pub(super) fn attribute(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            char => safe.push(char),
        }
    }
    safe
}
