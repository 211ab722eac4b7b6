//! The ranges of numbers: one definition of each range, however the number is given, in a session file or as an option.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use droidmux_record::outside;
use droidmux_sim::SimLab;
use droidmux_technique::visiondroid::PICTURE;

/// Events of a session. So high that nobody reaches the limit, and so low that no sum of them overflows.
pub(super) const EVENTS: RangeInclusive<u64> = 1..=1_000_000_000_000;
/// Devices of a session.
pub(super) const DEVICES: RangeInclusive<u32> = 1..=SimLab::MAX_DEVICES as u32;

/// The number given as an option.
///
/// # Errors
/// In words, when it is not a number, or out of range.
pub(super) fn events(text: &str) -> Result<u64, String> {
    number(text, &EVENTS)
}

/// Reads a number of devices.
pub(super) fn devices(text: &str) -> Result<u32, String> {
    number(text, &DEVICES)
}

/// Reads the size of a picture.
pub(super) fn picture(text: &str) -> Result<u32, String> {
    number(text, &PICTURE)
}

/// A number in a range.
///
/// # Errors
/// In words, when it is not a number, or out of range.
pub(super) fn number<T>(text: &str, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr<Err: Display> + PartialOrd + Display,
{
    let number = text.parse().map_err(|error: T::Err| error.to_string())?;
    outside(&number, range).map_or(Ok(number), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_take_what_session_files_take() {
        for (text, expected) in [
            ("1", Ok(1)),
            ("1000000000000", Ok(1_000_000_000_000)),
            ("0", Err("goes from 1 to 1000000000000, not 0")),
            ("2305843009213693952", Err("goes from 1 to 1000000000000, not 2305843009213693952")),
            ("18446744073709551615", Err("goes from 1 to 1000000000000, not 18446744073709551615")),
            ("18446744073709551616", Err("number too large to fit in target type")),
            ("-1", Err("invalid digit found in string")),
        ] {
            assert_eq!(events(text), expected.map_err(str::to_owned), "{text}");
        }
        assert_eq!(devices("65"), Err("goes from 1 to 64, not 65".into()));
        assert_eq!(picture("255"), Err("goes from 256 to 8192, not 255".into()));
    }
}
