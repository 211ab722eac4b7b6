//! Texts of apps and of people on a line of the account.

use std::fmt::Write;

/// The most characters of one text; of longer ones the number of characters is told.
const MOST: usize = 160;

/// What stands for the text of a password field.
pub const REDACTED: &str = "•••";

/// A secret shorter than this would hide half of what is shown.
const SHORTEST_SECRET: usize = 3;

/// Texts typed into password fields: the account never holds them, wherever the app shows them again.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Keeps this text secret from now on.
    pub fn add(&mut self, text: &str) {
        if text.chars().count() >= SHORTEST_SECRET && !self.0.iter().any(|secret| secret == text) {
            self.0.push(text.to_owned());
        }
    }

    /// The text without what is secret.
    pub fn redacted(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), REDACTED))
    }
}

/// A text as it stands on a line: without quotation marks where its ends are seen without them.
pub fn bare(text: &str) -> String {
    let plain = text.trim().len() == text.len() && !text.starts_with('"') && !text.contains(" | ");
    if plain { escaped(text, "") + &length(text) } else { quoted(text) }
}

/// A text in quotation marks, on one line.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"{}", escaped(text, "\""), length(text))
}

/// The beginning of a text with everything escaped that is not seen, or is seen as something else: control
/// characters, characters without a width, blanks other than the ordinary one; and what stands in `more`.
fn escaped(text: &str, more: &str) -> String {
    let mut out = String::with_capacity(text.len().min(2 * MOST));
    for c in text.chars().take(MOST) {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if more.contains(c) => out.extend(['\\', c]),
            c if is_unseen(c) => {
                // Writing to a string never fails.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// How long a text is, where not all of it is told.
fn length(text: &str) -> String {
    let length = text.chars().count();
    if length > MOST { format!("… ({length} characters)") } else { String::new() }
}

/// Whether a character is not seen, or is seen as something else.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_keep_to_their_line_and_show_what_is_not_seen() {
        for (text, told, in_marks) in [
            ("milk", "milk", "\"milk\""),
            (" milk", "\" milk\"", "\" milk\""),
            ("a\nb\u{200b}", "a\\nb\\u{200b}", "\"a\\nb\\u{200b}\""),
            ("say \"hi\"", "say \"hi\"", "\"say \\\"hi\\\"\""),
            ("\"", "\"\\\"\"", "\"\\\"\""),
            ("a | b", "\"a | b\"", "\"a | b\""),
            ("c:\\x", "c:\\\\x", "\"c:\\\\x\""),
            ("\u{202e}x", "\\u{202e}x", "\"\\u{202e}x\""),
        ] {
            assert_eq!((bare(text).as_str(), quoted(text).as_str()), (told, in_marks), "{text:?}");
        }
        let long = "a".repeat(4_800);
        assert!(bare(&long).ends_with("… (4800 characters)"), "{}", bare(&long));
    }

    #[test]
    fn secrets_are_never_told() {
        let mut secrets = Secrets::default();
        secrets.add("hunter2");
        secrets.add("ab");
        assert_eq!(secrets.redacted("my hunter2, about"), "my •••, about");
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_line(text in any::<String>()) {
            for told in [bare(&text), quoted(&text)] {
                prop_assert!(!told.chars().any(char::is_control), "{told:?}");
                prop_assert!(told.chars().count() <= 10 * MOST + 40);
            }
        }
    }
}
