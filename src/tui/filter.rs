//! Fuzzy filters of lists.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Characters of a row that are searched.
const MAX_HAYSTACK: usize = 512;

/// The rows that match, best first; in their own order where they match equally well, and all of
/// them for an empty pattern. Words of the pattern must all match, in any order.
pub fn matching<T>(pattern: &str, rows: &[T], text: impl Fn(&T) -> String) -> Vec<usize> {
    if pattern.trim().is_empty() {
        return (0..rows.len()).collect();
    }
    let pattern = Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut characters = Vec::new();
    let mut scored: Vec<(usize, u32)> = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        let text: String = text(row).chars().take(MAX_HAYSTACK).collect();
        if let Some(score) = pattern.score(Utf32Str::new(&text, &mut characters), &mut matcher) {
            scored.push((n, score));
        }
    }
    scored.sort_by_key(|&(n, score)| (std::cmp::Reverse(score), n));
    scored.into_iter().map(|(n, _)| n).collect()
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
}
