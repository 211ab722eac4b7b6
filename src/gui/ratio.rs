//! String similarity.

use droidmux_words::number::real;

/// The most characters of each string that are compared; beyond them, only the lengths count.
const LONGEST: usize = 4096;

/// The Levenshtein ratio, 0.0 to 1.0: `2·m / (|a| + |b|)` with m the length of the longest common
/// subsequence, that is `(|a| + |b| − d) / (|a| + |b|)` where d counts a substitution as 2, as the
/// `Levenshtein.ratio` that Genie calls does. Two empty strings are equal.
///
/// Bit-parallel (Hyyrö 2004): 64 characters of `a` a step for each of `b`.
pub fn ratio(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let total = a.len() + b.len();
    let (short, long) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
    let common = common_subsequence(cut(short), cut(long));
    2.0 * real(common) / real(total)
}

/// The name that is most like a mistyped one, for "did you mean"; `None` when none is near.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|name| (ratio(given, name), name))
        .filter(|(likeness, _)| *likeness >= 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn cut(text: &[char]) -> &[char] {
    text.get(..LONGEST).unwrap_or(text)
}

/// The length of the longest common subsequence.
fn common_subsequence(pattern: &[char], text: &[char]) -> usize {
    if pattern.is_empty() {
        return 0;
    }
    let words = pattern.len().div_ceil(64);
    let masks = Masks::of(pattern, words);
    // A zero bit is a character of the pattern matched by the subsequence so far.
    let mut state = vec![u64::MAX; words];
    for &char in text {
        let Some(mask) = masks.get(char) else { continue };
        let mut carry = false;
        for (v, &m) in state.iter_mut().zip(mask) {
            let u = *v & m;
            let (sum, first) = v.overflowing_add(u);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *v = sum | (*v & !m);
        }
    }
    // Bits past the pattern are in no mask, so the last step of each round sets them again.
    state.iter().map(|v| v.count_zeros() as usize).sum()
}

/// The places at which each character of the pattern occurs, as bits.
struct Masks {
    chars: Vec<char>,
    bits: Vec<u64>,
    words: usize,
    /// Number in `chars` + 1 for ASCII, 0 where absent.
    ascii: [u16; 128],
}

impl Masks {
    fn of(pattern: &[char], words: usize) -> Self {
        let mut chars = pattern.to_vec();
        chars.sort_unstable();
        chars.dedup();
        let mut ascii = [0; 128];
        for (n, &char) in chars.iter().enumerate() {
            if let Some(slot) = ascii.get_mut(char as usize) {
                *slot = u16::try_from(n + 1).unwrap_or(u16::MAX);
            }
        }
        let mut masks = Self { bits: vec![0; chars.len() * words], chars, words, ascii };
        for (at, &char) in pattern.iter().enumerate() {
            if let Some(n) = masks.number(char) {
                masks.bits[n * words + at / 64] |= 1 << (at % 64);
            }
        }
        masks
    }

    fn number(&self, char: char) -> Option<usize> {
        match self.ascii.get(char as usize) {
            Some(0) => None,
            Some(&n) => Some(n as usize - 1),
            None => self.chars.binary_search(&char).ok(),
        }
    }

    fn get(&self, char: char) -> Option<&[u64]> {
        let start = self.number(char)? * self.words;
        self.bits.get(start..start + self.words)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The textbook table.
    fn naive(a: &[char], b: &[char]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for &x in a {
            let mut diagonal = 0;
            for (n, &y) in b.iter().enumerate() {
                let above = row[n + 1];
                row[n + 1] = if x == y { diagonal + 1 } else { above.max(row[n]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn known_ratios() {
        let cases = [
            ("", "", 1.0),
            ("abc", "", 0.0),
            ("abc", "abc", 1.0),
            ("kitten", "sitting", 8.0 / 13.0),
            ("Cinema", "Cleaning", 6.0 / 14.0),
            ("한국어", "한국", 4.0 / 5.0),
        ];
        for (a, b, expected) in cases {
            assert!((ratio(a, b) - expected).abs() < 1e-9, "{a} {b}: {}", ratio(a, b));
        }
    }

    proptest! {
        #[test]
        fn equals_the_textbook(a in "[a-d한é]{0,200}", b in "[a-d한é]{0,200}") {
            let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(common_subsequence(&x, &y), naive(&x, &y));
            prop_assert_eq!(ratio(&a, &b), ratio(&b, &a));
        }
    }
}
