//! Sizes and ages as a person writes and reads them.

use std::time::Duration;

use thiserror::Error;

use droidmux_words::number::{real, whole};

const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

/// A text that is no size.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no size; sizes look like `20GiB` or `500MiB`")]
pub(super) struct NoSize {
    text: String,
}

/// A text that is no age.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no age; ages look like `30d`, `12h` or `90m`")]
pub(super) struct NoAge {
    text: String,
}

/// `3.2 MiB`
pub(super) fn bytes(count: u64) -> String {
    let mut size = real(count);
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{size:.1} {}", UNITS[unit]) }
}

/// `20GiB`, `512MiB`, `1.5TiB` as bytes.
pub(super) fn parse_bytes(text: &str) -> Result<u64, NoSize> {
    let wrong = || NoSize { text: text.to_owned() };
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(unit);
    let power = UNITS.iter().position(|known| *known == unit).ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let bytes = number * 1024_f64.powi(i32::try_from(power).unwrap_or(0));
    if !(0.0..=1e15).contains(&bytes) {
        return Err(wrong());
    }
    // Within the range just checked, rounding affects only a fraction of a byte.
    Ok(whole(bytes))
}

/// `30d`, `12h`, `90m` as a duration.
pub(super) fn parse_age(text: &str) -> Result<Duration, NoAge> {
    const MOST: u64 = 100 * 365 * 86_400;
    let wrong = || NoAge { text: text.to_owned() };
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let seconds = match unit {
        "d" => 86_400,
        "h" => 3_600,
        "m" => 60,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let age = number.checked_mul(seconds).filter(|age| *age <= MOST).ok_or_else(wrong)?;
    Ok(Duration::from_secs(age))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_easily() {
        let cases =
            [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (5 << 20, "5.0 MiB"), (3 << 29, "1.5 GiB")];
        for (count, expected) in cases {
            assert_eq!(bytes(count), expected);
        }
    }

    #[test]
    fn sizes_and_ages_are_understood_or_refused() {
        for (text, expected) in [("20GiB", Some(20 << 30)), ("1.5 KiB", Some(1536)), ("0B", Some(0))] {
            assert_eq!(parse_bytes(text).ok(), expected, "{text}");
        }
        for text in ["", "20", "20GB", "GiB", "-1GiB", "infTiB", "1e30TiB", "20 gib"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
        for (text, hours) in [("30d", 720), ("12h", 12), ("120m", 2)] {
            assert_eq!(parse_age(text).ok(), Some(Duration::from_secs(hours * 3_600)), "{text}");
        }
        for text in ["", "d", "30", "3w", "-1d", "99999999999999999999d", "40000d", "1é"] {
            assert!(parse_age(text).is_err(), "{text}");
        }
    }
}
