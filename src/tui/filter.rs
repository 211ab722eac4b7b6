//! Filters of lists.
//!
//! In: what a person typed, and the text of each row. Out: the rows that pass, best first.
//!
//! A row passes if it contains every word typed: either as it is, or with letters left out inside one of its words
//! (`rnm` is in `rename`). Letters scattered over several words are no match: otherwise every long row would pass.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Characters of a row that are searched.
const MAX_HAYSTACK: usize = 512;
/// How many characters a word with letters left out may span, for each one typed.
const MOST_STRETCH: u32 = 2;
/// How much more a word found as it was typed is worth than one with letters left out.
const WHOLE: u32 = 10_000;

/// The rows that match, best first; rows that match equally well keep their own order. An empty pattern matches all
/// rows. Words of the pattern must all match, in any order.
pub fn matching<T>(pattern: &str, rows: &[T], text: impl Fn(&T) -> String) -> Vec<usize> {
    if pattern.trim().is_empty() {
        return (0..rows.len()).collect();
    }
    let mut words = Words::of(pattern);
    let mut scored: Vec<(usize, u32)> = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        let text: String = text(row).chars().take(MAX_HAYSTACK).collect();
        scored.extend(words.score(&text).map(|score| (n, score)));
    }
    scored.sort_by_key(|&(n, score)| (std::cmp::Reverse(score), n));
    scored.into_iter().map(|(n, _)| n).collect()
}

/// The words typed.
struct Words {
    /// Each as it must stand there, and as it may stand with letters left out.
    atoms: Vec<(Atom, Atom)>,
    matcher: Matcher,
    characters: Vec<char>,
    places: Vec<u32>,
}

impl Words {
    fn of(pattern: &str) -> Self {
        let atom = |word: &str, kind| Atom::new(word, CaseMatching::Smart, Normalization::Smart, kind, false);
        let atoms = pattern
            .split_whitespace()
            .map(|word| (atom(word, AtomKind::Substring), atom(word, AtomKind::Fuzzy)));
        Self {
            atoms: atoms.collect(),
            matcher: Matcher::new(Config::DEFAULT),
            characters: Vec::new(),
            places: Vec::new(),
        }
    }

    /// How well a text matches; `None` if a word is not in it.
    fn score(&mut self, text: &str) -> Option<u32> {
        let Self { atoms, matcher, characters, places } = self;
        let mut sum = 0_u32;
        for (whole, loose) in atoms {
            let found = match whole.score(Utf32Str::new(text, characters), matcher) {
                Some(score) => Some(WHOLE + u32::from(score)),
                None => text
                    .split_whitespace()
                    .filter_map(|word| {
                        places.clear();
                        let score = loose.indices(Utf32Str::new(word, characters), matcher, places)?;
                        is_dense(places).then_some(u32::from(score))
                    })
                    .max(),
            };
            sum = sum.saturating_add(found?);
        }
        Some(sum)
    }
}

/// The letters stand close to one another.
fn is_dense(places: &[u32]) -> bool {
    let typed = u32::try_from(places.len()).unwrap_or(u32::MAX);
    match (places.iter().min(), places.iter().max()) {
        (Some(first), Some(last)) => last - first < typed.saturating_mul(MOST_STRETCH),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_matched_fuzzily() {
        let rows = ["wrong picture deleted", "rename has no effect", "picture kept"];
        let cases: [(&str, &[usize]); 5] = [
            ("", &[0, 1, 2]),
            ("picture", &[2, 0]),
            ("rnm", &[1]),
            ("deleted wrong", &[0]),
            ("nothing like it", &[]),
        ];
        for (pattern, expected) in cases {
            let mut found = matching(pattern, &rows, |row| (*row).to_string());
            found.sort_unstable();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn letters_scattered_over_a_row_are_no_match() {
        let rows = [
            "s1-1a2b3c40 genie crash org.diary the app crashed: NullPointerException",
            "s1-1a2b3c41 genie genie org.diary clicking the rack makes a short title vanish",
            "s2-77aa0001 genie org.files.manager category shows another chapter",
            "s3-00000001 odin org.notes credits are a side show",
        ];
        let cases: [(&str, &[usize]); 4] =
            [("crash", &[0]), ("chapter", &[2]), ("genie crash", &[0]), ("cgdr", &[])];
        for (pattern, expected) in cases {
            assert_eq!(matching(pattern, &rows, |row| (*row).to_string()), expected, "{pattern}");
        }
    }
}
