//! Numbers as people type them and apps show them, compared by their value.
//!
//! In: a text from outside. Out: the number that it spells, if it does. Invariant: each value has exactly one [`Decimal`].

/// A finite decimal number: each value has exactly one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    /// The power of ten that the last digit counts.
    power: i64,
}

/// The most digits in an exponent: no app shows a number with more.
const MOST_EXPONENT: usize = 6;

impl Decimal {
    /// The number that a whole text is, outer blanks aside: a sign, digits (in groups of three between
    /// commas, if any), decimals after a point, an exponent; ASCII or full-width. `None` for all else.
    pub fn read(text: &str) -> Option<Self> {
        let text: String = text.trim().chars().map(narrow).collect();
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(&text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = ungrouped(whole)?;
        if !is_digits(decimals) || whole.is_empty() && decimals.is_empty() {
            return None;
        }
        let all = format!("{whole}{decimals}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), power: 0 });
        }
        let zeros = all.len() - all.trim_end_matches('0').len();
        let power = exponent + i64::try_from(zeros).ok()? - i64::try_from(decimals.len()).ok()?;
        Some(Self { negative: text.starts_with('-'), digits: digits.to_owned(), power })
    }

    /// The number cut, and rounded, to this many decimals; `None` where it has no more of them.
    pub fn cut(&self, decimals: usize) -> Option<[Self; 2]> {
        let surplus = usize::try_from(-self.power - i64::try_from(decimals).ok()?).ok().filter(|n| *n > 0)?;
        let kept = self.digits.len().checked_sub(surplus).map_or("", |kept| &self.digits[..kept]);
        let next = self.digits.len().checked_sub(surplus).and_then(|kept| self.digits.as_bytes().get(kept));
        let up = next.is_some_and(|digit| *digit >= b'5');
        let power = -i64::try_from(decimals).ok()?;
        let number = |digits: String| {
            let zeros = digits.len() - digits.trim_end_matches('0').len();
            let digits = digits.trim_matches('0').to_owned();
            if digits.is_empty() {
                return Some(Self { negative: false, digits, power: 0 });
            }
            Some(Self { negative: self.negative, digits, power: power + i64::try_from(zeros).ok()? })
        };
        let rounded = if up { increased(kept) } else { kept.to_owned() };
        Some([number(kept.to_owned())?, number(rounded)?])
    }

    /// A text with every word of it that is this number in another spelling replaced by this one.
    pub fn respelled(&self, text: &str, spelling: &str) -> String {
        let words = text.split_inclusive(char::is_whitespace).map(|word| {
            let bare = word.trim().trim_matches(|c| "()[]=:;,!?".contains(c));
            match Self::read(bare) {
                Some(number) if number == *self => word.replacen(bare, spelling, 1),
                _ => word.to_owned(),
            }
        });
        words.collect()
    }
}

/// Digits after the point.
pub fn decimals(text: &str) -> usize {
    let text: String = text.trim().chars().map(narrow).collect();
    text.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count())
}

/// Digits as a whole number, and one more.
fn increased(digits: &str) -> String {
    let nines = digits.len() - digits.trim_end_matches('9').len();
    let (head, zeros) = (&digits[..digits.len() - nines], "0".repeat(nines));
    match head.char_indices().next_back().zip(head.chars().next_back().and_then(|c| c.to_digit(10))) {
        Some(((at, _), digit)) => format!("{}{}{zeros}", &head[..at], digit + 1),
        None => format!("1{zeros}"),
    }
}

/// True for a number whose spelling says more than its value: a code with leading zeros.
pub fn is_code(text: &str) -> bool {
    let text = text.trim();
    text.len() > 1 && text.starts_with('0') && is_digits(text)
}

/// Full-width digits and signs as the usual ones.
pub fn narrow(c: char) -> char {
    match c {
        '\u{ff10}'..='\u{ff19}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff0e}' => {
            char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
        }
        _ => c,
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let fits = !digits.is_empty() && is_digits(digits) && digits.len() <= MOST_EXPONENT;
    if fits { text.parse().ok() } else { None }
}

/// The digits before the point, without the commas between groups.
fn ungrouped(whole: &str) -> Option<String> {
    let mut groups = whole.split(',');
    let first = groups.next().filter(|first| is_digits(first))?;
    let rest: Vec<&str> = groups.collect();
    let sound = rest.iter().all(|group| group.len() == 3 && is_digits(group));
    let grouped = rest.is_empty() || (1..=3).contains(&first.len());
    (sound && grouped).then(|| format!("{first}{}", rest.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_their_values() {
        let cases: [&[&str]; 4] = [
            &["72.5", "72.5e0", "7.25e1", "725e-1", "+72.50", "0072.5", " 72.5 ", "７２．５", "72.5E+0"],
            &["1000", "1,000", "1e3", "1000.", "1,000.00", "+1E03"],
            &["0", "-0", "0.00", "0e7", "000"],
            &[".5", "0.5", "5e-1"],
        ];
        for spellings in cases {
            for (one, other) in
                spellings.iter().flat_map(|one| spellings.iter().map(move |other| (one, other)))
            {
                assert!(Decimal::read(one).is_some(), "{one}");
                assert_eq!(Decimal::read(one), Decimal::read(other), "{one} {other}");
            }
        }
        for (one, other) in
            [("5", "-5"), ("7", "70"), ("1,000", "1"), ("1e3", "1"), ("0.05", "0.5"), ("1e400", "1e401")]
        {
            assert_ne!(Decimal::read(one), Decimal::read(other), "{one} {other}");
        }
        for text in [
            "",
            ".",
            "+",
            "e5",
            "1e",
            "1e1.5",
            "1e9999999",
            "1,00",
            "1000,000",
            ",000",
            "1.2.3",
            "--1",
            "0x10",
            "1 000",
            "٧",
            "12 kg",
        ] {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
    }

    #[test]
    fn other_spellings_are_found_among_words() {
        for (text, expected) in [
            ("Sum: 7.0 EUR", "Sum: 7 EUR"),
            ("(7e0), +7; 70 7a", "(7), 7; 70 7a"),
            ("no number", "no number"),
        ] {
            assert_eq!(Decimal::read("07").expect("a number").respelled(text, "7"), expected);
        }
    }

    #[test]
    fn numbers_are_cut_and_rounded() {
        for (text, decimals, cut, rounded) in [
            ("72.123456", 1, "72.1", "72.1"),
            ("72.996", 2, "72.99", "73"),
            ("0.05", 1, "0", "0.1"),
            ("-9.99", 1, "-9.9", "-10"),
            ("0.001", 1, "0", "0"),
        ] {
            let number = |text| Decimal::read(text).expect("a number");
            assert_eq!(number(text).cut(decimals), Some([number(cut), number(rounded)]), "{text}");
        }
        assert_eq!(Decimal::read("72.1").and_then(|number| number.cut(1)), None);
        assert_eq!(Decimal::read("7200").and_then(|number| number.cut(1)), None);
        assert_eq!(["72.10 ", "72", "７．５"].map(super::decimals), [2, 0, 1]);
    }

    #[test]
    fn codes_keep_their_zeros() {
        for (text, code) in
            [("007", true), ("0", false), ("0.5", false), ("70", false), ("00", true), ("", false)]
        {
            assert_eq!(is_code(text), code, "{text}");
        }
    }
}
