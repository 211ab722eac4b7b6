//! Which parts of a text last, and which pass with time.
//!
//! In: a text that an app shows. Out: whether it is a date, a time or a duration, and which part of it will be the same
//! tomorrow.
//!
//! Invariants: the answer depends on the text alone; names of days and months are known in English only, which at most
//! costs a match.

/// True for texts that pass with time: dates, clock times, durations, counts with units.
pub fn is_passing_value(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count();
    let joined = text.as_bytes().windows(3).any(|w| {
        w[0].is_ascii_digit() && matches!(w[1], b':' | b'.' | b'/' | b'-' | b',') && w[2].is_ascii_digit()
    });
    numbers > 0 && (joined || words(text).any(is_time_word))
}

/// The part of a text that lasts: digits become `0`, words of dates and times `@`; at most 60 characters.
pub fn lasting(text: &str) -> String {
    let mut lasting: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        lasting.push(if is_time_word(bare) { "@".into() } else { without_digits(word) });
    }
    lasting.join(" ").chars().take(60).collect()
}

fn without_digits(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        match c.is_numeric() {
            true if out.ends_with('0') => {}
            true => out.push('0'),
            false => out.push(c),
        }
    }
    out
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
}

/// Names of days and months, halves of the day, units of time.
fn is_time_word(word: &str) -> bool {
    const NAMES: [&str; 19] = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "may", "jun", "jul",
        "aug", "sep", "oct", "nov", "dec",
    ];
    const TAILS: [&str; 12] =
        ["", "s", "day", "sday", "nesday", "rsday", "urday", "uary", "ch", "il", "e", "y"];
    const LATE_TAILS: [&str; 4] = ["ust", "tember", "ober", "ember"];
    const UNITS: [&str; 14] = [
        "am", "pm", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "hour", "hours",
        "week", "ago",
    ];
    let word = word.to_ascii_lowercase();
    let named = word.get(..3).filter(|head| NAMES.contains(head)).is_some_and(|_| {
        let tail = word.get(3..).unwrap_or_default();
        TAILS.contains(&tail) || LATE_TAILS.contains(&tail)
    });
    named || UNITS.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_what_lasts() {
        let cases = [
            ("Cinema", "Cinema"),
            ("Sat, 2.22.20: 0 sec", "@ 0.0.0: 0 @"),
            ("2020 Week 10: 0 sec", "0 @ 0: 0 @"),
            ("March 2020: 12 min", "@ 0: 0 @"),
            ("Item 12", "Item 0"),
            ("Marching band", "Marching band"),
        ];
        for (text, expected) in cases {
            assert_eq!(lasting(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_and_durations_pass() {
        let cases = [
            ("Sat, 2.22.20: 0 sec", true),
            ("12:05", true),
            ("2020 Week 10", true),
            ("3 minutes ago", true),
            ("Item 12", false),
            ("Cinema", false),
            ("Sunday roast", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_passing_value(text), expected, "{text}");
        }
    }
}
