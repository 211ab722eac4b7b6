//! Days and weeks, and the streaks that they make.

use std::collections::BTreeSet;

use droidmux::sim::toolkit::Moment;

/// How often a habit is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Frequency {
    #[default]
    Daily,
    /// Monday to Friday.
    Weekdays,
    /// Once a week.
    Weekly,
}

impl Frequency {
    pub(super) const ALL: [Self; 3] = [Self::Daily, Self::Weekdays, Self::Weekly];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Daily => "Every day",
            Self::Weekdays => "Weekdays",
            Self::Weekly => "Once a week",
        }
    }

    pub(super) fn of(number: u64) -> Self {
        match number {
            1 => Self::Weekdays,
            2 => Self::Weekly,
            _ => Self::Daily,
        }
    }

    pub(super) fn number(self) -> u64 {
        match self {
            Self::Daily => 0,
            Self::Weekdays => 1,
            Self::Weekly => 2,
        }
    }

    pub(super) fn is_due(self, day: u64) -> bool {
        self != Self::Weekdays || column(day, false) < 5
    }

    /// A streak in words.
    pub(super) fn told(self, streak: u64) -> String {
        let unit = if self == Self::Weekly { "week" } else { "day" };
        if streak == 1 { format!("1 {unit}") } else { format!("{streak} {unit}s") }
    }
}

/// The place of a day in its week, from 0.
pub(super) fn column(day: u64, from_sunday: bool) -> u64 {
    // The first of January 1970 was a Thursday.
    (day + if from_sunday { 4 } else { 3 }) % 7
}

fn week(day: u64) -> u64 {
    (day + 3) / 7
}

/// The present streak and the best one. What is still to be done breaks no streak, and neither does what was skipped.
pub(super) fn streaks(
    frequency: Frequency,
    done: &BTreeSet<u64>,
    skipped: &BTreeSet<u64>,
    today: u64,
) -> (u64, u64) {
    let Some(first) = done.first().copied() else { return (0, 0) };
    let (mut run, mut best) = (0, 0);
    if frequency == Frequency::Weekly {
        let weeks = |days: &BTreeSet<u64>| days.iter().map(|day| week(*day)).collect::<BTreeSet<u64>>();
        let (done, skipped) = (weeks(done), weeks(skipped));
        for at in week(first)..=week(today) {
            if done.contains(&at) {
                run += 1;
            } else if !skipped.contains(&at) && at < week(today) {
                run = 0;
            }
            best = best.max(run);
        }
        return (run, best);
    }
    for day in first..=today {
        let due = frequency.is_due(day) && !skipped.contains(&day);
        match (done.contains(&day), due) {
            (true, true) => run += 1,
            (false, true) if day < today => run = 0,
            _ => {}
        }
        best = best.max(run);
    }
    (run, best)
}

/// The first day of the month so many months back, and the number of its days.
pub(super) fn month(now: Moment, back: u64) -> (Moment, u64) {
    let mut first = first_of(now);
    for _ in 0..back {
        first = first_of(Moment(first.0.saturating_sub(1)));
    }
    let next = first_of(first.plus_days(31));
    (first, next.day().saturating_sub(first.day()))
}

fn first_of(moment: Moment) -> Moment {
    let back = moment.date().2.saturating_sub(1);
    Moment(0).plus_days(moment.day().saturating_sub(back))
}

/// `March 2026`
pub(super) fn month_text(month: Moment) -> String {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (year, number, _) = month.date();
    format!("{} {year}", NAMES.get(number.saturating_sub(1)).unwrap_or(&""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Friday: 6 March 2026.
    const TODAY: u64 = 20_518;

    fn run(frequency: Frequency, done: &[u64], skipped: &[u64]) -> (u64, u64) {
        let days = |ago: &[u64]| ago.iter().map(|ago| TODAY - ago).collect();
        streaks(frequency, &days(done), &days(skipped), TODAY)
    }

    #[test]
    fn streaks_are_counted() {
        assert_eq!(Moment(0).plus_days(TODAY).day_text(), "Fri, 6 Mar");
        assert_eq!(run(Frequency::Daily, &[], &[]), (0, 0));
        assert_eq!(run(Frequency::Daily, &[1, 2], &[]), (2, 2));
        assert_eq!(run(Frequency::Daily, &[0, 1, 2], &[]), (3, 3));
        assert_eq!(run(Frequency::Daily, &[2, 3], &[]), (0, 2));
        assert_eq!(run(Frequency::Daily, &[2, 3], &[1]), (2, 2));
        // From Friday over the weekend to Thursday.
        assert_eq!(run(Frequency::Weekdays, &[1, 2, 3, 4, 7], &[]), (5, 5));
        assert_eq!(run(Frequency::Weekly, &[8, 15], &[]), (2, 2));
        assert_eq!(run(Frequency::Weekly, &[15], &[]), (0, 1));
    }

    #[test]
    fn months_are_found() {
        let now = Moment(0).plus_days(TODAY);
        for (back, text, length) in
            [(0, "March 2026", 31), (1, "February 2026", 28), (3, "December 2025", 31)]
        {
            let (first, days) = month(now, back);
            assert_eq!((month_text(first).as_str(), first.date().2, days), (text, 1, length));
        }
    }
}
