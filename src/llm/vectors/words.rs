//! The words of a text and of a name.

/// Words of a text at most.
const MOST_WORDS: usize = 200;
/// Characters of a word that count.
const MOST_CHARS: usize = 60;

/// The words in lower case, split at everything that is neither letter nor digit, between letters
/// and digits, and at the capitals of names: `edtFirstName2` gives edt, first, name, 2; `HTTPServer`
/// gives http, server. The first 200.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(char) = chars.next() {
        if words.len() == MOST_WORDS {
            return words;
        }
        if !char.is_alphanumeric() && !is_mark(char) {
            finish(&mut words, &mut word);
            before = None;
            continue;
        }
        if before.is_some_and(|before| is_border(before, char, chars.peek().copied())) {
            finish(&mut words, &mut word);
        }
        word.push(char);
        before = Some(char);
    }
    finish(&mut words, &mut word);
    words
}

/// A new word begins at `char`.
fn is_border(before: char, char: char, after: Option<char>) -> bool {
    let hump = before.is_lowercase() && char.is_uppercase();
    // The last capital of several belongs to what follows.
    let after_capitals =
        before.is_uppercase() && char.is_uppercase() && after.is_some_and(char::is_lowercase);
    hump || after_capitals || before.is_numeric() != char.is_numeric() && !is_mark(char)
}

/// Vowel signs and accents of their own belong to the letter before.
fn is_mark(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
}

fn finish(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(word.chars().take(MOST_CHARS).flat_map(char::to_lowercase).collect());
        word.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split() {
        let cases: [(&str, &[&str]); 10] = [
            ("", &[]),
            ("edtFirstName2", &["edt", "first", "name", "2"]),
            ("HTTPServer", &["http", "server"]),
            ("org.notes:id/search_src_text", &["org", "notes", "id", "search", "src", "text"]),
            ("MainActivity", &["main", "activity"]),
            ("Trip to Köln, 3km", &["trip", "to", "köln", "3", "km"]),
            ("ID", &["id"]),
            ("e\u{301}te\u{301}", &["e\u{301}te\u{301}"]),
            ("出発地 → 到着地", &["出発地", "到着地"]),
            ("ΣΊΣΥΦΟΣ", &["σίσυφοσ"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
        assert_eq!(words(&"a ".repeat(1_000)).len(), MOST_WORDS);
        assert_eq!(words(&"x".repeat(1_000))[0].len(), MOST_CHARS);
    }
}
