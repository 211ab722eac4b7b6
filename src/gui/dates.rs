//! Texts that hold a date, a time or a duration: text that differs between two runs of the same test only because time
//! has passed.

/// What a text is made of, for looking for dates.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part<'a> {
    Number { value: u32, digits: usize },
    Word(&'a str),
    Mark(char),
}

/// True when part of the text is a date, a time of day or a length of time, in numbers
/// (`2020-02-22`, `2.22.20`, `17:05`, `2020年2月`) or in English (`Sat, March 5`, `Week 08`,
/// `16 sec`, `yesterday`). Names of weekdays and months count only in full or beside a number:
/// "May" alone is no date.
pub fn holds_date(text: &str) -> bool {
    let parts = parts(text);
    (0..parts.len()).any(|at| {
        let rest = parts.get(at..).unwrap_or(&[]);
        numeric_date(rest) || time(rest) || worded(rest)
    })
}

/// True when the text holds a date in numbers and words of any language (`5. März 2024`): a day and a year, or what
/// [`holds_date`] knows, with a number in it.
pub(super) fn is_dated(text: &str) -> bool {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let parts = parts(text);
    let is_day = |part: &Part<'_>| matches!(part, Part::Number { value: 1..=31, digits: 1 | 2 });
    let is_year = |part: &Part<'_>| matches!(part, Part::Number { value: 1900..=2100, digits: 4 });
    (parts.iter().any(is_day) && parts.iter().any(is_year)) || holds_date(text)
}

/// Three numbers with the same separator between them, or two for a month and a year.
fn numeric_date(parts: &[Part<'_>]) -> bool {
    let [
        Part::Number { value: a, digits },
        Part::Mark(first),
        Part::Number { value: b, digits: more },
        rest @ ..,
    ] = parts
    else {
        return false;
    };
    if !matches!(first, '-' | '/' | '.') {
        return false;
    }
    match rest {
        [Part::Mark(second), Part::Number { value: c, digits: last }, ..] if second == first => {
            is_date([*a, *b, *c], [*digits, *more, *last])
        }
        // A month of a year. A decimal number looks the same, so a full stop does not count.
        _ => {
            let month_of_year =
                |month: u32, year: u32| (1..=12).contains(&month) && (1970..=2100).contains(&year);
            *first != '.' && (month_of_year(*a, *b) || month_of_year(*b, *a))
        }
    }
}

/// Day, month and year in any order: one may be the month, another the day, and the year must be at an end.
fn is_date(values: [u32; 3], digits: [usize; 3]) -> bool {
    let year = |n: usize| matches!(digits[n], 2) || (1970..=2100).contains(&values[n]) && digits[n] == 4;
    let day_and_month =
        |x: u32, y: u32| (1..=31).contains(&x) && (1..=31).contains(&y) && (x <= 12 || y <= 12);
    (year(0) && digits[1] <= 2 && digits[2] <= 2 && day_and_month(values[1], values[2]))
        || (year(2) && digits[0] <= 2 && digits[1] <= 2 && day_and_month(values[0], values[1]))
}

/// Hours and minutes.
fn time(parts: &[Part<'_>]) -> bool {
    matches!(parts, [Part::Number { value: hour, digits: 1 | 2 }, Part::Mark(':'),
                     Part::Number { value: minute, digits: 2 }, ..] if *hour < 60 && *minute < 60)
}

fn worded(parts: &[Part<'_>]) -> bool {
    // A blank or a comma may stand between a word and its number.
    let mut words = parts.iter().filter(|part| !matches!(part, Part::Mark(' ' | ',' | '.')));
    let (first, second) = (words.next(), words.next());
    let number = |part: Option<&Part<'_>>| matches!(part, Some(Part::Number { .. }));
    match (first, second) {
        (Some(Part::Word(word)), next) => {
            let word = word.to_lowercase();
            let whole = ["yesterday", "today", "tomorrow"].contains(&word.as_str())
                || DAYS.contains(&word.as_str())
                || MONTHS.contains(&word.as_str()) && word != "may" && word != "march";
            let short = |names: &[&str]| word.len() >= 3 && names.iter().any(|name| name.starts_with(&word));
            whole || (number(next) && (word == "week" || short(&MONTHS) || short(&DAYS)))
        }
        (Some(Part::Number { .. }), Some(Part::Word(word))) => {
            let word = word.to_lowercase();
            let unit = word.strip_suffix('s').unwrap_or(&word);
            let month = word.len() >= 3 && MONTHS.iter().any(|name| name.starts_with(&word));
            month || UNITS.contains(&unit) || word.starts_with(['年', '月', '日', '년', '월', '일'])
        }
        _ => false,
    }
}

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const UNITS: [&str; 13] =
    ["sec", "second", "min", "minute", "hr", "hour", "day", "week", "wk", "month", "year", "am", "pm"];

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '0'..='9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
            char if char.is_alphabetic() => {
                rest.char_indices().find(|(_, c)| !c.is_alphabetic()).map_or(rest.len(), |(at, _)| at)
            }
            char => char.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        parts.push(match char {
            '0'..='9' => Part::Number { value: part.parse().unwrap_or(u32::MAX), digits: length },
            char if char.is_alphabetic() => Part::Word(part),
            char => Part::Mark(char),
        });
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_a_year_in_any_language() {
        for (text, expected) in [
            ("05 March 2024", true),
            ("5. März 2024", true),
            ("martes, 5 de marzo de 2024", true),
            ("2024年3月5日", true),
            ("17:05", true),
            ("Picture 2024", false),
            ("Picture 31", false),
            ("Today", false),
            ("2024 of 3000", false),
        ] {
            assert_eq!(is_dated(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_and_what_only_looks_like_them() {
        let dates = [
            "Sat, 2.22.20: 0 sec",
            "2020 Week 08: 0 sec",
            "March 2020: 0 sec",
            "February 2020",
            "2020-02-22",
            "22/02/2020",
            "12/2020",
            "17:05",
            "Tue 3",
            "Mon, 5 March",
            "5 minutes ago",
            "yesterday",
            "Friday",
            "2020年2月",
            "3:07 PM",
            "Updated 22 Feb",
            "16 sec",
            "September",
        ];
        for text in dates {
            assert!(holds_date(text), "{text}");
        }
        let others = [
            "",
            "-",
            "May I?",
            "March on",
            "1.2.3.4 beta",
            "version 3.14",
            "3.5",
            "Gardening",
            "16 items",
            "99/100",
            "Sun",
            "Room 12",
            "1:1",
            "10.0.2.15",
            "second",
            "Maybe 3",
            "Satellite 3",
            "40-41-42",
        ];
        for text in others {
            assert!(!holds_date(text), "{text}");
        }
    }
}
