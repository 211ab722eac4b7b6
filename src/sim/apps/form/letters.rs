//! Kinds of characters that code written for plain text meets sooner or later.

/// One that takes two UTF-16 units, as most emoji do.
pub(crate) fn is_beyond_plane(char: char) -> bool {
    char.len_utf16() == 2 && !is_half_pair(char)
}

/// Half a surrogate pair.
pub(crate) fn is_half_pair(char: char) -> bool {
    matches!(char, '\u{10d800}'..='\u{10dfff}')
}

/// A mark that stands on the letter before it.
pub(crate) fn is_mark(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// One that shows nothing: zero width, direction marks, soft hyphen, byte order mark.
pub(crate) fn is_unseen(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// One that sets the writing direction: the marks, embeddings, overrides and isolates.
pub(crate) fn is_reordering(char: char) -> bool {
    matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What a text looks like: in lower case, without what shows nothing, look-alikes of Latin letters
/// taken for them. Texts that cannot be told apart give the same result.
pub(crate) fn skeleton(text: &str) -> String {
    let seen = text.chars().filter(|char| !is_unseen(*char) && !is_mark(*char));
    let small = seen.flat_map(char::to_lowercase).map(latin);
    small.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The Latin letter a Cyrillic, Greek or full-width one looks like.
fn latin(char: char) -> char {
    match char {
        'а' | 'α' => 'a',
        'с' => 'c',
        'е' => 'e',
        'і' | 'ι' => 'i',
        'ј' => 'j',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'х' => 'x',
        'у' => 'y',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_have_one_skeleton() {
        for (text, expected) in [
            ("Bern", "bern"),
            ("Be\u{200b}rn", "bern"),
            ("B\u{435}rn", "bern"),
            ("Ｂｅｒｎ", "bern"),
            ("\u{202e}Bern", "bern"),
            (" St  Gallen", "st gallen"),
            ("Zürich", "zürich"),
        ] {
            assert_eq!(skeleton(text), expected, "{text:?}");
        }
    }

    #[test]
    fn kinds() {
        type Kind = fn(char) -> bool;
        let cases: [(Kind, &str, &str); 5] = [
            (is_beyond_plane, "😀𝒳", "aé日\u{10d83d}"),
            (is_half_pair, "\u{10d83d}\u{10de00}", "😀a"),
            (is_mark, "\u{301}\u{20dd}", "eaé"),
            (is_unseen, "\u{200b}\u{feff}\u{202e}", "a "),
            (is_reordering, "\u{200f}\u{202e}\u{2067}", "\u{200b}אa"),
        ];
        for (kind, yes, no) in cases {
            assert!(yes.chars().all(kind) && !no.chars().any(kind), "{yes:?} {no:?}");
        }
    }
}
