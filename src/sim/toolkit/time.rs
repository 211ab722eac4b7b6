//! Points in time, and how apps and logs write them.

/// Milliseconds since 1970-01-01 00:00 UTC; simulated phones live in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Moment {
    /// Year, month (1 to 12) and day of the month.
    pub fn date(self) -> (u64, usize, u64) {
        let mut days = self.0 / DAY;
        let mut year = 1970;
        while days >= days_in(year) {
            days -= days_in(year);
            year += 1;
        }
        let mut month = 1;
        for length in lengths(year) {
            if days < length {
                break;
            }
            days -= length;
            month += 1;
        }
        (year, month, days + 1)
    }

    /// Whole days since 1970-01-01.
    pub fn day(self) -> u64 {
        self.0 / DAY
    }

    /// The same time of day this many days later.
    #[must_use]
    pub fn plus_days(self, days: u64) -> Moment {
        Moment(self.0.saturating_add(days.saturating_mul(DAY)))
    }

    /// `Fri, 6 Mar`
    pub fn day_text(self) -> String {
        let (_, month, day) = self.date();
        let weekday = usize::try_from(self.0 / DAY % 7).unwrap_or(0);
        let weekday = WEEKDAYS.get(weekday).unwrap_or(&"");
        format!("{weekday}, {day} {}", MONTHS.get(month - 1).unwrap_or(&""))
    }

    /// `10:06`
    pub fn clock_text(self) -> String {
        let minutes = self.0 % DAY / MINUTE;
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }

    /// `03-06 10:06:00.000`, as logcat writes it.
    pub fn log_text(self) -> String {
        let (_, month, day) = self.date();
        let (seconds, ms) = (self.0 / 1000 % 60, self.0 % 1000);
        format!("{month:02}-{day:02} {}:{seconds:02}.{ms:03}", self.clock_text())
    }

    /// The moment that [`Moment::log_text`] writes like this, in this year.
    pub fn of_log_text(text: &str, year: u64) -> Option<Moment> {
        let (date, time) = text.split_once(' ')?;
        let (month, day) = date.split_once('-')?;
        let (clock, ms) = time.split_once('.')?;
        let mut clock = clock.split(':').map(|part| part.parse::<u64>().ok());
        let mut part = |below: u64| clock.next().flatten().filter(|part| *part < below);
        let (hours, minutes, seconds) = (part(24)?, part(60)?, part(60)?);
        let ms: u64 = ms.parse().ok().filter(|ms| *ms < 1_000)?;
        let (month, day) = (month.parse::<usize>().ok()?, day.parse::<u64>().ok()?);
        let months = lengths(year);
        let length = months.get(month.checked_sub(1)?)?;
        let in_year =
            months.iter().take(month - 1).sum::<u64>() + day.checked_sub(1).filter(|d| d < length)?;
        let days = (1970..year).map(days_in).sum::<u64>() + in_year;
        Some(Moment(days * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms))
    }

    /// How long ago `earlier` was: `just now`, `3 min` or `2 h`.
    pub fn since_text(self, earlier: Moment) -> String {
        match self.0.saturating_sub(earlier.0) / MINUTE {
            0 => "just now".into(),
            minutes @ 1..=59 => format!("{minutes} min"),
            minutes => format!("{} h", minutes / 60),
        }
    }
}

/// Days of each month.
fn lengths(year: u64) -> [u64; 12] {
    [31, days_in(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

fn days_in(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_dates() {
        let cases = [
            (0, "Thu, 1 Jan", "00:00", "01-01 00:00:00.000"),
            (951_782_400_000, "Tue, 29 Feb", "00:00", "02-29 00:00:00.000"),
            (1_772_791_567_089, "Fri, 6 Mar", "10:06", "03-06 10:06:07.089"),
            (1_798_761_599_999, "Thu, 31 Dec", "23:59", "12-31 23:59:59.999"),
        ];
        for (ms, day, clock, log) in cases {
            let moment = Moment(ms);
            assert_eq!((moment.day_text().as_str(), moment.clock_text().as_str()), (day, clock), "{ms}");
            assert_eq!(moment.log_text(), log);
            assert_eq!(Moment::of_log_text(log, moment.date().0), Some(moment));
        }
        for none in
            ["", "03-06", "03-06 10:06", "13-01 00:00:00.000", "02-29 00:00:00.000", "01-01 24:00:00.000"]
        {
            assert_eq!(Moment::of_log_text(none, 2026), None, "{none}");
        }
    }

    #[test]
    fn counts_days() {
        for (ms, later, day) in
            [(0, 0, 0), (DAY - 1, 0, 0), (DAY, 0, 1), (DAY - 1, 2, 2), (5, u64::MAX, 213_503_982_334)]
        {
            assert_eq!(Moment(ms).plus_days(later).day(), day, "{ms} + {later}");
        }
    }

    #[test]
    fn writes_durations() {
        let now = Moment(10 * 60 * MINUTE);
        for (ago, text) in [(0, "just now"), (59_999, "just now"), (60_000, "1 min"), (7_200_000, "2 h")] {
            assert_eq!(now.since_text(Moment(now.0 - ago)), text);
        }
    }
}
