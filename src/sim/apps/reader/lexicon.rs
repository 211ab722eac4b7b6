//! The words, in dictionaries that can be turned off.

pub(super) const DICTIONARIES: [&str; 2] = ["Gardening", "Programming"];

/// Word, dictionary, meaning; sorted by dictionary, then by word.
pub(super) const WORDS: [(&str, usize, &str); 12] = [
    ("dibber", 0, "A pointed stick that makes holes for seeds."),
    ("loam", 0, "Earth of sand, silt and clay."),
    ("mulch", 0, "What is spread around plants."),
    ("sow", 0, "To scatter seeds."),
    ("sow-thistle", 0, "A weed with yellow flowers."),
    ("trowel", 0, "A small tool for digging."),
    ("C", 1, "A language close to the machine."),
    ("C#", 1, "A language of its own runtime."),
    ("C++", 1, "A language that grew from another."),
    ("closure", 1, "A function and what it captured."),
    ("heap", 1, "Memory that is taken piece by piece."),
    ("stack", 1, "What grows with each call."),
];

/// How words are compared with what is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matching {
    /// Character by character, case not counted.
    Exact,
    /// Letters and digits only.
    Letters,
}

pub(super) fn word(word: usize) -> &'static str {
    WORDS.get(word).map_or("", |word| word.0)
}

/// The words of these dictionaries.
pub(super) fn words(enabled: [bool; 2]) -> Vec<usize> {
    let is_on = |word: &usize| WORDS.get(*word).is_some_and(|word| enabled.get(word.1) == Some(&true));
    (0..WORDS.len()).filter(is_on).collect()
}

/// Those among these words that begin with the query.
pub(super) fn look_up(words: Vec<usize>, query: &str, matching: Matching) -> Vec<usize> {
    let key = |text: &str| {
        let text = text.trim().to_lowercase();
        match matching {
            Matching::Exact => text,
            Matching::Letters => text.chars().filter(|c| c.is_alphanumeric()).collect(),
        }
    };
    let query = key(query);
    words.into_iter().filter(|n| key(word(*n)).starts_with(&query)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_up_by_how_words_begin() {
        let cases = [
            ("c", Matching::Exact, vec!["C", "C#", "C++", "closure"]),
            ("C#", Matching::Exact, vec!["C#"]),
            ("c#", Matching::Letters, vec!["C", "C#", "C++", "closure"]),
            ("sow-", Matching::Exact, vec!["sow-thistle"]),
            ("zz", Matching::Letters, vec![]),
        ];
        for (query, matching, expected) in cases {
            let found: Vec<&str> =
                look_up(words([true, true]), query, matching).into_iter().map(word).collect();
            assert_eq!(found, expected, "{query} {matching:?}");
        }
    }
}
