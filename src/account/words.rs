//! The few natural-language words that relations need, read from a data file.

use std::sync::LazyLock;

const FILE: &str = include_str!("words.txt");

/// What a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Takes back what was done.
    Undo,
    /// Affects everything at once.
    All,
    /// Looks for something.
    Search,
    /// Leaves what was entered behind.
    Leave,
    /// Takes something away for good.
    Remove,
    /// The answer that is not yes.
    Refuse,
    /// Reads anew what is shown.
    Renew,
}

static WORDS: LazyLock<Vec<(Meaning, Vec<String>)>> =
    LazyLock::new(|| FILE.lines().filter_map(line).collect());

/// `undo de: rückgängig, widerrufen`
fn line(line: &'static str) -> Option<(Meaning, Vec<String>)> {
    let (head, words) = line.split_once(':')?;
    let meaning = match head.split_whitespace().next()? {
        "undo" => Meaning::Undo,
        "all" => Meaning::All,
        "search" => Meaning::Search,
        "leave" => Meaning::Leave,
        "remove" => Meaning::Remove,
        "refuse" => Meaning::Refuse,
        "renew" => Meaning::Renew,
        _ => return None,
    };
    Some((meaning, words.split(',').map(|word| word.trim().to_lowercase()).collect()))
}

/// Whether a text has a word of this meaning in it, in any language.
pub fn says(text: &str, meaning: Meaning) -> bool {
    let text = text.to_lowercase();
    let words = WORDS.iter().filter(|(of, _)| *of == meaning).flat_map(|(_, words)| words);
    words.into_iter().any(|word| holds_word(&text, word))
}

/// Whether a word stands in a text by itself, both written in one case. Scripts without blanks between words have it
/// anywhere.
pub fn holds_word(text: &str, word: &str) -> bool {
    let joined = word
        .chars()
        .any(|c| ('\u{3040}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7a3}').contains(&c));
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let after = text[at + word.len()..].chars().next().is_some_and(char::is_alphanumeric);
        joined || !(before || after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_every_language_and_stand_alone() {
        for (text, meaning, says_it) in [
            ("UNDO", Meaning::Undo, true),
            ("Rückgängig machen", Meaning::Undo, true),
            ("元に戻す", Meaning::Undo, true),
            ("OK", Meaning::Undo, false),
            ("View", Meaning::Undo, false),
            ("Delete all notes?", Meaning::All, true),
            ("Small", Meaning::All, false),
            ("Alle löschen", Meaning::All, true),
            ("清空回收站", Meaning::All, true),
            ("Search notes…", Meaning::Search, true),
            ("Researchers", Meaning::Search, false),
            ("Navigate up", Meaning::Leave, true),
            ("REFRESH", Meaning::Renew, true),
            ("Neu laden", Meaning::Renew, true),
            ("Refreshments", Meaning::Renew, false),
            ("ABBRECHEN", Meaning::Leave, true),
            ("Feedback", Meaning::Leave, false),
            ("menu delete", Meaning::Remove, true),
            ("Notiz löschen", Meaning::Remove, true),
            ("删除此便签", Meaning::Remove, true),
            ("Deleted notes", Meaning::Remove, false),
            ("Non", Meaning::Refuse, true),
            ("Note", Meaning::Refuse, false),
        ] {
            assert_eq!(says(text, meaning), says_it, "{text}");
        }
    }

    #[test]
    fn every_line_of_the_file_is_read() {
        let lines = FILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert_eq!(lines.count(), WORDS.len());
        assert!(WORDS.iter().all(|(_, words)| words.iter().all(|word| !word.is_empty())));
    }
}
