//! What a dump can show of a text that was typed.
//!
//! In: a text as it was typed, and one that a page shows. Out: whether anything of the first can be seen, and whether the
//! second shows it. Dumps hold a dot for each half of what lies beyond U+FFFF, and nothing for controls; pages show no
//! invisible characters.

use droidmux_account::quote::is_unseen;
use droidmux_gui::lone_surrogate;

/// True when nothing of a text could be seen on a page: blanks, marks without a letter, invisible characters.
pub(super) fn says_nothing(text: &str) -> bool {
    !text.chars().any(|c| is_kept(c) && is_seen(c))
}

/// True for a character that shows by itself.
pub(super) fn is_seen(c: char) -> bool {
    let combines = matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}');
    let fills = matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}');
    !c.is_whitespace() && !combines && !fills && !is_unseen(c)
}

/// A text as dumps hold it where they hold no characters beyond U+FFFF: a dot for each of their halves.
fn dotted(text: &str) -> String {
    let mut dotted = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Halves of surrogate pairs, which texts of ours keep as private characters.
            c if lone_surrogate(c).is_some() => dotted.push(c),
            c if u32::from(c) > 0xffff => dotted.push_str(".."),
            c => dotted.push(c),
        }
    }
    dotted
}

/// True when a text of a page may be a dump of an input that dumps cannot hold: dots for what lies beyond U+FFFF, for
/// controls and for lone halves of surrogate pairs.
pub(super) fn is_dump_of(shown: &str, input: &str) -> bool {
    let dumped = |c: char| if is_kept(c) || c.is_whitespace() && !c.is_control() { c } else { '.' };
    shown != input && shown == dotted(input).chars().map(dumped).collect::<String>()
}

/// Characters that dumps hold as they are: no controls, no halves of surrogate pairs, nothing that
/// is replaced.
fn is_kept(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && c != '\u{fffd}' && lone_surrogate(c).is_none()
}

/// True when a text of a page shows an input whole: its parts between what dumps cannot hold, one
/// after the other, whatever their case.
pub(super) fn carries(shown: &str, input: &str) -> bool {
    let shown = dotted(shown).to_lowercase();
    let mut rest = shown.as_str();
    let input = dotted(input).to_lowercase();
    let mut parts = input.split(|c| !is_kept(c)).filter(|part| !part.is_empty());
    parts.all(|part| match rest.find(part) {
        Some(at) => {
            rest = rest.get(at + part.len()..).unwrap_or_default();
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_cannot_be_lost() {
        for (text, nothing) in [
            ("\u{301}", true),
            (" \u{3000}\t", true),
            ("\u{200b}\u{feff}", true),
            ("\u{2800}\u{fe0f}", true),
            ("e\u{301}", false),
            ("\u{202e}a", false),
            ("-", false),
        ] {
            assert_eq!(says_nothing(text), nothing, "{text:?}");
        }
    }

    #[test]
    fn dumps_hold_dots() {
        for (shown, input, expected) in [
            ("..London", "😀London", true),
            ("Groceries.x", "Groceries\0x", true),
            ("a.b", "a\u{10d83d}b", true),
            ("London", "😀London", false),
            ("a b", "a b", false),
            ("a.b", "a-b", false),
        ] {
            assert_eq!(is_dump_of(shown, input), expected, "{shown:?} {input:?}");
        }
    }

    #[test]
    fn what_shows_an_input() {
        for (shown, input, carried) in [
            ("Hello Ann!", "Ann", true),
            ("Hello ANN!", "Ann", true),
            ("Ann", "Ann😀", false),
            ("Ann😀", "Ann😀", true),
            // Dumps hold a dot for each half.
            ("Ann.. Lee", "Ann😀 Lee", true),
            ("Ann. Lee", "Ann😀 Lee", false),
            ("Ann?Lee", "Ann\u{10d83d}Lee", true),
            ("Ann Lee", "Ann\nLee", true),
            ("Lee Ann", "Ann\nLee", false),
            ("AnnLee", "Ann\u{200b}Lee", false),
            ("Ann", "  Ann  ", true),
        ] {
            assert_eq!(carries(shown, input), carried, "{shown:?} {input:?}");
        }
    }
}
