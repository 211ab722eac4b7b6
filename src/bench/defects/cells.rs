//! What stands in the cells of a table, and the words around it.

use super::figures::Rulings;
use super::spread::Spread;
use super::table::WIDTH;
use droidmux_words::{figure, number::whole};

/// True, false, undecided.
pub(super) fn three(rulings: &Rulings) -> String {
    let middle = |spread: Option<Spread>| spread.map_or_else(none, |s| count(s.median));
    let Rulings { true_ones, false_alarms, undecided, .. } = rulings;
    [*true_ones, *false_alarms, *undecided].map(middle).join(" / ")
}

pub(super) fn shares(spread: Option<Spread>) -> String {
    spread.map_or_else(none, |spread| told(spread, |share| format!("{share:.2}")))
}

pub(super) fn ratios(spread: Option<Spread>) -> String {
    spread.map_or_else(none, |spread| told(spread, |ratio| format!("{ratio:.1}")))
}

pub(super) fn none() -> String {
    "–".into()
}

pub(super) fn counts(spread: Option<Spread>) -> String {
    spread.map_or_else(none, |spread| told(spread, count))
}

/// Median, and the spread where there is any.
pub(super) fn told(spread: Spread, figure: impl Fn(f64) -> String) -> String {
    let Spread { median, least, most } = spread;
    if least.total_cmp(&most).is_eq() {
        return figure(median);
    }
    format!("{} ({}–{})", figure(median), figure(least), figure(most))
}

/// Medians of counts may end in a half.
pub(super) fn count(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// `12,345`.
pub(super) fn grouped(value: f64) -> String {
    figure::thousands(whole(value.round_ties_even()))
}

/// `640`, `1.2k`, `14k`.
pub(super) fn thousands(value: f64) -> String {
    match value {
        ..999.5 => format!("{value:.0}"),
        ..9_950.0 => format!("{:.1}k", value / 1_000.0),
        _ => format!("{:.0}k", value / 1_000.0),
    }
}

/// `4.2 s`, `3 min 05 s`.
pub(super) fn seconds(value: f64) -> String {
    match value {
        ..59.95 => format!("{value:.1} s"),
        _ => {
            let minutes = (value / 60.0).floor();
            format!("{minutes:.0} min {:02.0} s", (value - 60.0 * minutes).floor())
        }
    }
}

/// Words over several lines.
pub(super) fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let fits =
            |line: &String| line.is_empty() || line.chars().count() + 1 + word.chars().count() <= WIDTH;
        match lines.last_mut().filter(|line| fits(line)) {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_in_few_letters() {
        let spread = |median, least, most| Spread { median, least, most };
        for (text, expected) in [
            (told(spread(2.0, 2.0, 2.0), count), "2"),
            (told(spread(1.5, 1.0, 2.0), count), "1.5 (1–2)"),
            (grouped(999.0), "999"),
            (grouped(1_234_567.0), "1,234,567"),
            (thousands(999.0), "999"),
            (thousands(1_234.0), "1.2k"),
            (thousands(12_345.0), "12k"),
            (seconds(4.21), "4.2 s"),
            (seconds(185.9), "3 min 05 s"),
        ] {
            assert_eq!(text, expected);
        }
    }
}
