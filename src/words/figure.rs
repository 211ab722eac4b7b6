//! Counts, amounts and times as people read them.
//!
//! In: whole numbers. Out: ASCII that is the same in every language and time zone.

/// `1 step`, `2 steps`, `1,234 steps`: for nouns whose plural ends in a mere `s`. Counts beyond 64 bits become the most.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// An amount in millionths, as `0.0123`.
pub fn money(millionths: u64) -> String {
    format!("{}.{:04}", thousands(millionths / 1_000_000), millionths % 1_000_000 / 100)
}

/// `0:07`, `12:04`, `3:05:00`, `2d 03h`.
pub fn duration(seconds: u64) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        1..=47 => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
        _ => format!("{}d {:02}h", hours / 24, hours % 24),
    }
}

/// An age in few cells: `0.4 s`, `12 s`, `3 min`, `5 h`.
pub fn age(milliseconds: u64) -> String {
    match milliseconds {
        0..10_000 => format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        10_000..120_000 => format!("{} s", milliseconds / 1_000),
        120_000..7_200_000 => format!("{} min", milliseconds / 60_000),
        _ => format!("{} h", milliseconds / 3_600_000),
    }
}

/// The time of day in UTC, `14:03:59`.
pub fn clock(epoch_ms: u64) -> String {
    let seconds = epoch_ms / 1_000 % 86_400;
    format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_noun() {
        for (number, noun, text) in
            [(0, "step", "0 steps"), (1, "step", "1 step"), (1_234, "later word", "1,234 later words")]
        {
            assert_eq!(count(number, noun), text);
            assert_eq!(count(number as u64, noun), text);
        }
        assert_eq!(count(u128::MAX, "step"), count(u64::MAX, "step"));
    }

    #[test]
    fn figures_read_well() {
        let numbers = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")];
        assert!(numbers.iter().all(|&(n, text)| thousands(n) == text));
        let amounts = [(0, "0.0000"), (12_345, "0.0123"), (1_234_567_890, "1,234.5678")];
        assert!(amounts.iter().all(|&(millionths, text)| money(millionths) == text));
    }

    #[test]
    fn times_read_well() {
        let times = [(7, "0:07"), (724, "12:04"), (11_100, "3:05:00"), (183_600, "2d 03h")];
        assert!(times.iter().all(|&(s, text)| duration(s) == text));
        let ages = [(400, "0.4 s"), (12_345, "12 s"), (180_000, "3 min"), (36_000_000, "10 h")];
        assert!(ages.iter().all(|&(ms, text)| age(ms) == text));
        let clocks = [(0, "00:00:00"), (50_639_999, "14:03:59"), (86_400_000, "00:00:00")];
        assert!(clocks.iter().all(|&(ms, text)| clock(ms) == text));
    }
}
