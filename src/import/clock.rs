//! The time in a tag such as `2020-03-04_060553-3`.

/// Milliseconds since the Unix epoch, taking the tag as UTC (tools write local time without naming the zone); 0 when it
/// contains no date.
pub(super) fn millis(tag: &str) -> u64 {
    parse(tag).unwrap_or(0)
}

fn parse(tag: &str) -> Option<u64> {
    let number = |range: std::ops::Range<usize>| tag.get(range)?.parse::<u64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(13..15)?, number(15..17)?);
    if !(1970..10_000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + day_of_year;
    const EPOCH: u64 = 719_468;
    Some(((days - EPOCH) * 86_400 + hour * 3600 + minute * 60 + second) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        let cases = [
            ("1970-01-01_000000", 0),
            ("2020-03-04_060553-3", 1_583_301_953_000),
            ("2021-12-06_204500", 1_638_823_500_000),
            ("2024-02-29_235959-1", 1_709_251_199_000),
            ("2020-13-04_060553", 0),
            ("1970", 0),
            ("", 0),
            ("１２３４-56", 0),
        ];
        for (tag, expected) in cases {
            assert_eq!(millis(tag), expected, "{tag}");
        }
    }
}
