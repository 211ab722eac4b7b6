//! Text from outside made safe for a terminal.

use std::borrow::Cow;

/// The text with everything replaced that could move a cursor, start an escape sequence or turn
/// the order of characters around: C0 controls become their pictures (`␛` for escape, `␊` for a
/// line feed), C1 controls, line separators and bidirectional overrides become `U+FFFD`. Joiners
/// that emoji and many scripts need stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(picture).collect())
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
    }
}
