//! The ranges of numbers: one definition of each range, however the number is given, in a session file or as an option.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use droidmux_record::outside;
use droidmux_sim::SimLab;
use droidmux_technique::visiondroid::PICTURE;

/// Events of a session. So high that nobody reaches the limit, and so low that no sum of them overflows.
pub(super) const EVENTS: RangeInclusive<u64> = 1..=1_000_000_000_000;
/// Devices of a session.
pub(super) const DEVICES: RangeInclusive<u32> = 1..=SimLab::MAX_DEVICES as u32;

/// Why a text is not a number that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum NumberError {
    /// In the words of what reads such numbers.
    #[error("{0}")]
    NoNumber(String),
    /// The range, and the number.
    #[error("{0}")]
    Outside(String),
}

/// The number given as an option.
///
/// # Errors
/// When it is not a number, or out of range.
pub(super) fn events(text: &str) -> Result<u64, NumberError> {
    number(text, &EVENTS)
}

/// Reads a number of devices.
pub(super) fn devices(text: &str) -> Result<u32, NumberError> {
    number(text, &DEVICES)
}

/// Reads the size of a picture.
pub(super) fn picture(text: &str) -> Result<u32, NumberError> {
    number(text, &PICTURE)
}

/// A number in a range.
///
/// # Errors
/// When it is not a number, or out of range.
pub(super) fn number<T>(text: &str, range: &RangeInclusive<T>) -> Result<T, NumberError>
where
    T: FromStr<Err: Display> + PartialOrd + Display,
{
    let number = text.parse().map_err(|error: T::Err| NumberError::NoNumber(error.to_string()))?;
    outside(&number, range).map_or(Ok(number), |what| Err(NumberError::Outside(what)))
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
            assert_eq!(
                events(text).map_err(|error| error.to_string()),
                expected.map_err(str::to_owned),
                "{text}"
            );
        }
        assert_eq!(devices("65"), Err(NumberError::Outside("goes from 1 to 64, not 65".into())));
        assert_eq!(picture("255"), Err(NumberError::Outside("goes from 256 to 8192, not 255".into())));
    }
}
