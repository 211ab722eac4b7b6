//! Numbers as people write them.

use std::fmt::Write;

/// A text with the digits of any script as ASCII ones.
pub(crate) fn ascii_digits(text: &str) -> String {
    // The zeros of scripts whose digits follow each other.
    const ZEROS: [u32; 6] = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
    let digit = |char: char| {
        let place = ZEROS.iter().find_map(|zero| u32::from(char).checked_sub(*zero).filter(|n| *n < 10));
        place.and_then(|n| char::from_digit(n, 10)).unwrap_or(char)
    };
    text.chars().map(digit).collect()
}

/// A whole number without a sign, leading zeros allowed; `None` for anything else and for one
/// beyond a million million.
pub(crate) fn read_whole(text: &str) -> Option<u64> {
    let text = ascii_digits(text.trim());
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|number| *number <= 1_000_000_000_000)
}

/// A number with sign, point and power of ten if it has some: `-0.5`, `1e3`; `None` for anything
/// else and for one beyond a million million.
pub(crate) fn read_decimal(text: &str) -> Option<f64> {
    let text = ascii_digits(text.trim());
    let known = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let number: f64 = text.bytes().all(known).then(|| text.parse().ok()).flatten()?;
    (number.abs() <= 1e12).then_some(number)
}

/// Two decimals, and never a negative zero: `-0.50`, `0.00`.
pub(crate) fn money(amount: f64) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{amount:.2}");
    if text == "-0.00" { "0.00".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        for (text, whole, decimal) in [
            ("7", Some(7), Some(7.0)),
            (" 007 ", Some(7), Some(7.0)),
            ("７０", Some(70), Some(70.0)),
            ("٣", Some(3), Some(3.0)),
            ("-0.5", None, Some(-0.5)),
            ("1e3", None, Some(1000.0)),
            ("1e99", None, None),
            ("99999999999999999999", None, None),
            ("", None, None),
            ("inf", None, None),
            ("NaN", None, None),
            ("0x10", None, None),
            ("1,5", None, None),
        ] {
            assert_eq!((read_whole(text), read_decimal(text)), (whole, decimal), "{text:?}");
        }
    }

    #[test]
    fn money_has_two_decimals() {
        for (amount, text) in [(-0.5, "-0.50"), (-0.0, "0.00"), (1.0 / 3.0, "0.33")] {
            assert_eq!(money(amount), text);
        }
    }
}
