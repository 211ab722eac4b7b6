//! Two texts told side by side, so that a person sees in what they differ.
//!
//! In: two texts of an app of which something says that they are not the same. Out: both in quotation marks; where they
//! look alike, with what is different about them: characters that are not seen, blanks, the direction of writing, letters
//! of another script, capital letters, an end that did not fit.
//!
//! Invariants: texts that differ are never told in the same words; texts that plainly differ are told as always.

use super::quote::is_unseen;
use super::sentence::quoted;
use droidmux_words::printable;
use unicode_normalization::UnicodeNormalization;

/// Characters that are shown of the place where texts differ.
const SHOWN: usize = 12;

/// Both texts in quotation marks, told apart.
pub fn apart(one: &str, other: &str) -> (String, String) {
    let (first, second) = differences(one, other);
    (quoted(one) + &first, quoted(other) + &second)
}

/// What is to be said behind each of two texts, wherever they are quoted: nothing while they plainly differ.
pub fn differences(one: &str, other: &str) -> (String, String) {
    let (mut first, mut second) = (String::new(), String::new());
    let looks_alike = quoted(one) == quoted(other) || skeleton(one) == skeleton(other);
    if one == other || !looks_alike {
        return (first, second);
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let at = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let at_of = |text: &[char], at: usize| text.get(at).copied();
    let (Some(a), Some(b)) = (at_of(&one, at), at_of(&other, at)) else {
        return (with(&one, at), with(&other, at));
    };
    // One of a letter and a mark, the other a letter with its mark.
    let marked = |text: &[char]| at_of(text, at + 1).is_some_and(is_mark);
    match (hides(a), hides(b)) {
        (true, _) => first = with(&one, at),
        (false, true) => second = with(&other, at),
        (false, false) if marked(&one) != marked(&other) => match marked(&one) {
            true => first = with(&one, at + 1),
            false => second = with(&other, at + 1),
        },
        (false, false) => {
            let (of_first, of_second) = (foreign(a), foreign(b));
            if of_first || !of_second {
                first = with(&one, at);
            }
            if of_second || !of_first {
                second = with(&other, at);
            }
        }
    }
    (first, second)
}

/// ` with a zero-width space at its end`.
fn with(text: &[char], at: usize) -> String {
    let Some(&c) = text.get(at) else { return String::new() };
    // What was the same before may not have fitted.
    let place = if at == 0 {
        "at its beginning".to_owned()
    } else if text.iter().skip(at).all(|other| *other == c) {
        "at its end".to_owned()
    } else {
        let before: String = text.iter().take(at).skip(at.saturating_sub(SHOWN)).collect();
        match before.trim().is_empty() || before.chars().all(is_unseen) {
            true => format!("as character {}", at + 1),
            false => format!("after {}", quoted(&before)),
        }
    };
    let what = match text.iter().skip(at).take_while(|other| **other == c).count() {
        many @ 2.. if hides(c) => format!("{many} times {}", name(c)),
        _ => name(c),
    };
    format!(" with {what} {place}")
}

/// Whether a character is not seen, or changes only how others are seen.
fn hides(c: char) -> bool {
    is_unseen(c) || c.is_whitespace() || is_mark(c)
}

/// What a character is called.
fn name(c: char) -> String {
    let known = match c {
        ' ' => "a blank",
        '\n' | '\r' => "a line break",
        '\t' => "a tab",
        '\u{a0}' | '\u{202f}' => "a no-break space",
        '\u{ad}' => "a soft hyphen",
        '\u{200b}' => "a zero-width space",
        '\u{200c}' => "a zero-width non-joiner",
        '\u{200d}' => "a zero-width joiner",
        '\u{200e}' => "a left-to-right mark",
        '\u{200f}' | '\u{61c}' => "a right-to-left mark",
        '\u{202a}' | '\u{202d}' | '\u{2066}' => "a change of direction to left-to-right",
        '\u{202b}' | '\u{202e}' | '\u{2067}' => "a change of direction to right-to-left",
        '\u{202c}' | '\u{2068}' | '\u{2069}' => "an end of a change of direction",
        '\u{2060}' | '\u{feff}' => "a zero-width no-break space",
        '\u{fffd}' => "a replacement character",
        c if c.is_whitespace() => "an unusual blank",
        c if c.is_control() => "a control character",
        c if is_mark(c) => "a combining mark",
        c if is_unseen(c) => "an invisible character",
        c => return letter(c),
    };
    match c {
        ' ' | '\n' | '\t' => known.to_owned(),
        c => format!("{known} (U+{:04X})", u32::from(c)),
    }
}

fn letter(c: char) -> String {
    let shown = printable(&c.to_string()).into_owned();
    let script = match c {
        '\u{370}'..='\u{3ff}' => "Greek",
        '\u{400}'..='\u{52f}' => "Cyrillic",
        '\u{530}'..='\u{58f}' => "Armenian",
        '\u{ff01}'..='\u{ff5e}' => "full-width",
        c if c.is_ascii_digit() => return format!("the digit '{shown}'"),
        c if c.is_uppercase() => return format!("a capital '{shown}'"),
        c if c.is_lowercase() => return format!("a small '{shown}'"),
        c if c.is_ascii() => return format!("'{shown}'"),
        c => return format!("'{shown}' (U+{:04X})", u32::from(c)),
    };
    format!("a {script} '{shown}' (U+{:04X})", u32::from(c))
}

/// Of no letter of a plain text.
fn foreign(c: char) -> bool {
    !c.is_ascii() && plain(c).is_some()
}

/// Marks that are put on the letter before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// A text as it looks from afar: equal for texts that a person takes for the same.
fn skeleton(text: &str) -> String {
    let seen = text.nfd().filter(|c| (!is_unseen(*c) || c.is_whitespace()) && !is_mark(*c));
    let mut out = String::new();
    let mut blank = false;
    for c in seen {
        if c.is_whitespace() {
            blank = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
        }
        match plain(c) {
            Some(plain) => out.push(plain),
            None => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// The plain character that one is taken for.
fn plain(c: char) -> Option<char> {
    const LIKE: [(&str, char); 34] = [
        ("аАΑα", 'a'),
        ("ВΒ", 'b'),
        ("сСϲ", 'c'),
        ("ԁ", 'd'),
        ("еЕΕ", 'e'),
        ("һНΗ", 'h'),
        ("іІΙ", 'i'),
        ("јЈ", 'j'),
        ("КкΚκ", 'k'),
        ("МΜ", 'm'),
        ("Ν", 'n'),
        ("оОΟο", 'o'),
        ("рРΡρ", 'p'),
        ("ԛ", 'q'),
        ("ѕЅ", 's'),
        ("ТΤ", 't'),
        ("υ", 'u'),
        ("ν", 'v'),
        ("ԝ", 'w'),
        ("хХΧχ", 'x'),
        ("уУΥ", 'y'),
        ("Ζ", 'z'),
        ("0", 'o'),
        ("1I|", 'l'),
        ("‘’ʼ′‛`´", '\''),
        ("“”„″", '"'),
        ("‐‑‒–—−", '-'),
        ("․", '.'),
        ("‚", ','),
        ("：", ':'),
        ("；", ';'),
        ("∕⁄", '/'),
        ("∗", '*'),
        ("∼", '~'),
    ];
    if let '\u{ff01}'..='\u{ff5e}' = c {
        let narrow = char::from_u32(u32::from(c) - 0xfee0)?;
        return Some(narrow.to_ascii_lowercase());
    }
    LIKE.iter().find(|(like, _)| like.contains(c)).map(|(_, plain)| *plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_looks_alike_is_told_apart() {
        for (one, other, told) in [
            ("milk", "bread", ("'milk'", "'bread'")),
            ("milk", "milk", ("'milk'", "'milk'")),
            ("Milk\u{200b}", "Milk", ("'Milk' with a zero-width space (U+200B) at its end", "'Milk'")),
            (
                "Milk",
                "\u{200f}Milk",
                ("'Milk'", "'Milk' with a right-to-left mark (U+200F) at its beginning"),
            ),
            ("Oat milk", "Oat  milk", ("'Oat milk'", "'Oat milk' with a blank after 'Oat'")),
            ("Milk", " Milk", ("'Milk'", "'Milk' with a blank at its beginning")),
            ("Milk  ", "Milk", ("'Milk' with 2 times a blank at its end", "'Milk'")),
            ("Oat\nmilk", "Oat milk", ("'Oat milk' with a line break after 'Oat'", "'Oat milk'")),
            (
                "Oat\u{a0}milk",
                "Oat milk",
                ("'Oat milk' with a no-break space (U+00A0) after 'Oat'", "'Oat milk'"),
            ),
            (
                "milk",
                "Milk",
                ("'milk' with a small 'm' at its beginning", "'Milk' with a capital 'M' at its beginning"),
            ),
            ("Мilk", "Milk", ("'Мilk' with a Cyrillic 'М' (U+041C) at its beginning", "'Milk'")),
            (
                "Caf\u{e9}",
                "Cafe\u{301}",
                ("'Caf\u{e9}'", "'Cafe\u{301}' with a combining mark (U+0301) at its end"),
            ),
            ("Cafe", "Cafe\u{301}", ("'Cafe'", "'Cafe\u{301}' with a combining mark (U+0301) at its end")),
            ("it's", "it’s", ("'it's'", "'it’s' with '’' (U+2019) after 'it'")),
            (
                "No 10",
                "No 1O",
                ("'No 10' with the digit '0' at its end", "'No 1O' with a capital 'O' at its end"),
            ),
        ] {
            let seen = |text: String| -> String {
                text.chars().filter(|c| !is_unseen(*c) && *c != '\u{fffd}').collect()
            };
            let (first, second) = apart(one, other);
            assert_eq!((seen(first).as_str(), seen(second).as_str()), told, "{one:?} {other:?}");
        }
        let (long, longer) = ("a".repeat(300), format!("{}b", "a".repeat(300)));
        let (first, second) = apart(&long, &longer);
        assert!(second.starts_with(&first) && second.contains("with a small 'b' at its end"), "{second}");
    }

    proptest! {
        #[test]
        fn different_texts_are_told_in_different_words(one in "[ aA\u{200b}\u{200f}\u{301}\u{430}x\n]{0,6}", other in "[ aA\u{200b}\u{200f}\u{301}\u{430}x\n]{0,6}") {
            let (first, second) = apart(&one, &other);
            prop_assert_eq!(one == other, first == second, "{} {}", first, second);
        }
    }
}
