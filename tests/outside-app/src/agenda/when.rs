//! How days and times are written.

use droidmux::sim::toolkit::Moment;

use super::events::Timing;

/// Minutes of a day.
pub(super) const DAY: u64 = 1440;
/// When an event that takes all day is taken to begin.
pub(super) const NINE: u64 = 540;

/// What there is to choose, in minutes.
pub(super) const REMINDERS: [Option<u64>; 6] = [None, Some(0), Some(10), Some(30), Some(60), Some(DAY)];
pub(super) const LENGTHS: [u64; 6] = [15, 30, 45, 60, 90, 120];

/// A time of day: `16:05`, or `4:05 PM`.
pub(super) fn clock(minutes: u64, twelve: bool) -> String {
    let (hours, minutes) = (minutes / 60 % 24, minutes % 60);
    if !twelve {
        return format!("{hours:02}:{minutes:02}");
    }
    let half = if hours < 12 { "AM" } else { "PM" };
    let hours = if hours.is_multiple_of(12) { 12 } else { hours % 12 };
    format!("{hours}:{minutes:02} {half}")
}

/// `16:00 - 17:00`
pub(super) fn span(timing: &Timing, twelve: bool) -> String {
    if timing.all_day {
        return "All day".to_owned();
    }
    format!("{} - {}", clock(timing.start, twelve), clock(timing.start + timing.length, twelve))
}

pub(super) fn day_text(day: u64) -> String {
    Moment(0).plus_days(day).day_text()
}

/// A day as it is called today.
pub(super) fn day_name(day: u64, today: u64) -> String {
    let text = day_text(day);
    if day == today {
        format!("Today, {text}")
    } else if day == today + 1 {
        format!("Tomorrow, {text}")
    } else if day + 1 == today {
        format!("Yesterday, {text}")
    } else {
        text
    }
}

pub(super) fn reminder_text(reminder: Option<u64>) -> String {
    match reminder {
        None => "No reminder".to_owned(),
        Some(0) => "At the start".to_owned(),
        Some(60) => "1 hour before".to_owned(),
        Some(DAY) => "1 day before".to_owned(),
        Some(minutes) => format!("{minutes} minutes before"),
    }
}

pub(super) fn length_text(minutes: u64) -> String {
    match minutes {
        60 => "1 hour".to_owned(),
        120 => "2 hours".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_times() {
        for (minutes, short, long) in [
            (0, "00:00", "12:00 AM"),
            (605, "10:05", "10:05 AM"),
            (720, "12:00", "12:00 PM"),
            (1439, "23:59", "11:59 PM"),
            (1440, "00:00", "12:00 AM"),
        ] {
            assert_eq!((clock(minutes, false).as_str(), clock(minutes, true).as_str()), (short, long));
        }
    }
}
