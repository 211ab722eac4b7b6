//! Texts cut to a number of characters.
//!
//! In: a text of any length. Out: its beginning. Invariant: no character is cut in two.

use std::borrow::Cow;

/// At most this many characters of a text.
#[inline]
pub fn beginning(text: &str, characters: usize) -> &str {
    // A text has no more characters than bytes.
    if text.len() <= characters {
        return text;
    }
    text.char_indices().nth(characters).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// At most this many characters of a text, and an ellipsis when there are more.
pub fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    let head = beginning(text, characters);
    if head.len() < text.len() { Cow::Owned(format!("{head}…")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_between_characters() {
        for (text, characters, head, short) in [
            ("", 0, "", ""),
            ("tea", 3, "tea", "tea"),
            ("tea", 2, "te", "te…"),
            ("tea", 0, "", "…"),
            ("Größe", 4, "Größ", "Größ…"),
            ("Größe", 5, "Größe", "Größe"),
            ("한글", 1, "한", "한…"),
            ("🫖", 1, "🫖", "🫖"),
        ] {
            assert_eq!((beginning(text, characters), &*shortened(text, characters)), (head, short), "{text}");
        }
    }
}
