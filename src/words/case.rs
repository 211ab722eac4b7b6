//! Texts compared without regard to case.
//!
//! In: a text in any language. Out: the same for all spellings of it that differ in case alone. Invariant: it does not
//! depend on a locale, so that İ, I, i and ı are one letter: which of them belong together, languages disagree on.

/// The text in small letters, each i with or without a dot as the same one.
pub fn folded(text: &str) -> String {
    const DOT_ABOVE: char = '\u{307}';
    let small = text.chars().flat_map(char::to_lowercase);
    small.filter(|c| *c != DOT_ABOVE).map(|c| if c == 'ı' { 'i' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_whatever_their_case() {
        for (one, other, same) in [
            ("Milk", "MILK", true),
            ("İstavrit", "istavrit", true),
            ("ISTAVRIT", "İSTAVRİT", true),
            ("Ispanak", "ıspanak", true),
            ("Äpfel", "äPFEL", true),
            ("Молоко", "МОЛОКО", true),
            ("milk", "milks", false),
            ("a", "ä", false),
        ] {
            assert_eq!(folded(one) == folded(other), same, "{one} {other}");
        }
    }
}
