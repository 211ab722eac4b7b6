//! Text from outside made safe for a terminal.

use std::borrow::Cow;

/// The text with everything replaced that could move a cursor, start an escape sequence or change the order of
/// characters: C0 controls become their pictures (`␛` for escape, `␊` for a line feed), C1 controls, line separators
/// and bidirectional overrides become `U+FFFD`. Joiners that emoji and many scripts need stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(picture).collect())
}

/// The same for text of several lines, whose line feeds stay.
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// JSON in which everything that [`printable`] replaces is escaped: its meaning is unchanged, and no terminal obeys it.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    // Between the values there are line feeds, and no other control characters.
    let is_escaped = |char: char| char != '\n' && is_harmful(char);
    if !json.chars().any(is_escaped) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for char in json.chars() {
        if !is_escaped(char) {
            safe.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
    }
    Cow::Owned(safe)
}

fn is_harmful(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn picture(char: char) -> char {
    match char {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(char)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        char if is_harmful(char) => '\u{fffd}',
        char => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_what_terminals_obey() {
        let cases = [
            ("plain Größe 한 👩‍👧", "plain Größe 한 👩‍👧"),
            ("a\x1b[31mb", "a␛[31mb"),
            ("two\nlines\ttab\0", "two␊lines␉tab␀"),
            ("\u{9b}x\u{202e}y\u{7f}", "\u{fffd}x\u{fffd}y␡"),
        ];
        for (text, expected) in cases {
            assert_eq!(printable(text), expected);
        }
        assert!(matches!(printable("clean"), Cow::Borrowed(_)));
        assert_eq!(printable_lines("a\x1bb\nc\u{9b}"), "a␛b\nc\u{fffd}");
    }

    #[test]
    fn json_says_the_same_and_holds_nothing_that_terminals_obey() {
        let said = "a\u{7f}b\u{9b}31m\u{202e}c\u{2028}\u{feff}\u{e0041}\n\u{1b}[0m größe 😀";
        let value = serde_json::json!({ "said": said, said: [1] });
        for json in [value.to_string(), format!("{value:#}")] {
            let safe = printable_json(&json);
            assert!(!safe.chars().any(|char| char != '\n' && is_harmful(char)), "{safe:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).expect("JSON"), value);
            assert!(safe.contains("größe 😀") && safe.contains("\\udb40\\udc41"), "{safe}");
        }
        assert!(matches!(printable_json("{\"a\": \"é\"}"), Cow::Borrowed(_)));
    }
}
