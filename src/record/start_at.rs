//! The moment that a session sets its devices' clocks to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A date and a time of day on the device's own clock, in whatever zone the device is: `2026-03-01T09:00` in session
/// files. Stored as seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartAt(i64);

/// Why a text is no such moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date and a time from 2000 to 2089, like 2026-03-01T09:00, not {0:?}")]
pub struct StartAtError(String);

const DAY: i64 = 86_400;

/// Days from the first of March of the year 0 to the first of January of 1970.
const TO_1970: i64 = 719_468;

/// Days of four hundred years.
const ERA: i64 = 146_097;

impl StartAt {
    /// Seconds since 1970-01-01 00:00 where the device's clock is UTC's; elsewhere, the zone's distance is to be taken
    /// off.
    pub fn seconds(self) -> i64 {
        self.0
    }

    fn read(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T')?;
        let number = |part: &str, digits: usize| {
            let sound = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<i64>().ok().filter(|_| sound)
        };
        let (year, rest) = date.split_once('-')?;
        let (month, day) = rest.split_once('-')?;
        let (hour, minute) = time.split_once(':')?;
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        let (hour, minute) = (number(hour, 2)?, number(minute, 2)?);
        let sound = (2000..2090).contains(&year) && (1..=12).contains(&month) && hour < 24 && minute < 60;
        let read = Self(days(year, month, day) * DAY + hour * 3_600 + minute * 60);
        // A day that there is not is another one.
        (sound && read.date() == (year, month, day)).then_some(read)
    }

    /// Year, month and day.
    fn date(self) -> (i64, i64, i64) {
        let shifted = self.0.div_euclid(DAY) + TO_1970;
        let (era, day) = (shifted.div_euclid(ERA), shifted.rem_euclid(ERA));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let next = i64::from(month > 9);
        (year + era * 400 + next, month + 3 - 12 * next, day)
    }
}

/// Days since 1970. Years begin with March here, so that the day that some have more is their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - TO_1970
}

impl FromStr for StartAt {
    type Err = StartAtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::read(text).ok_or_else(|| StartAtError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for StartAt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let minutes = self.0.rem_euclid(DAY) / 60;
        write!(out, "{year:04}-{month:02}-{day:02}T{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl Serialize for StartAt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for StartAt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return i64::deserialize(deserializer).map(Self);
        }
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_counted_and_printed() {
        for (text, seconds) in [
            ("2000-01-01T00:00", 946_684_800),
            ("2000-02-29T23:59", 951_868_740),
            ("2024-03-05T10:00", 1_709_632_800),
            ("2026-03-01T09:00", 1_772_355_600),
            ("2089-12-31T00:00", 3_786_825_600),
        ] {
            let at: StartAt = text.parse().expect(text);
            assert_eq!((at.seconds(), at.to_string().as_str()), (seconds, text));
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "2026-03-01",
            "2026-03-01 09:00",
            "2026-02-29T09:00",
            "2026-13-01T09:00",
            "2026-03-01T24:00",
            "2026-03-01T09:60",
            "1999-12-31T09:00",
            "2090-01-01T00:00",
            "2026-3-1T9:00",
            "2026-03-01T09:00Z",
            "+026-03-01T09:00",
        ] {
            assert!(text.parse::<StartAt>().is_err(), "{text}");
        }
    }
}
