//! Days as `2026-03-31`.

use std::fmt;

/// A day of the Gregorian calendar. Days are ordered chronologically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    pub year: u32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
}

/// The day, when there is one.
pub(crate) fn read_date(text: &str) -> Option<Date> {
    parts(text).filter(|date| (1..=length(date.year, date.month)).contains(&date.day))
}

/// As [`read_date`], but days that a month does not have run on into the next, as Java's calendar
/// does unless told otherwise.
pub(crate) fn lenient_date(text: &str) -> Option<Date> {
    let mut date = parts(text)?;
    let length = length(date.year, date.month);
    if date.day > length {
        date = Date { month: date.month % 12 + 1, day: date.day - length, ..date };
    }
    Some(date)
}

/// Year of four digits, month 1 to 12, day 1 to 31.
fn parts(text: &str) -> Option<Date> {
    let mut parts = text.trim().split('-');
    let mut part = |digits: usize| {
        let part = parts.next().filter(|p| p.len() == digits && p.bytes().all(|b| b.is_ascii_digit()))?;
        part.parse::<u32>().ok()
    };
    let date = Date { year: part(4)?, month: part(2)?, day: part(2)? };
    let whole = parts.next().is_none() && (1..=12).contains(&date.month) && (1..=31).contains(&date.day);
    whole.then_some(date)
}

fn length(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read() {
        for (text, strict, lenient) in [
            ("2026-03-31", Some("2026-03-31"), Some("2026-03-31")),
            (" 2028-02-29 ", Some("2028-02-29"), Some("2028-02-29")),
            ("2026-02-31", None, Some("2026-03-03")),
            ("2026-04-31", None, Some("2026-05-01")),
            ("2026-13-01", None, None),
            ("2026-1-1", None, None),
            ("２０２６-01-01", None, None),
            ("-2026-01-01", None, None),
            ("2026-01-01-01", None, None),
            ("", None, None),
        ] {
            let told = |date: Option<Date>| date.map(|date| date.to_string());
            assert_eq!(told(read_date(text)).as_deref(), strict, "{text:?}");
            assert_eq!(told(lenient_date(text)).as_deref(), lenient, "{text:?}");
        }
    }
}
