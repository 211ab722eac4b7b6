//! Valid inputs: for each field the likeliest text that has not been complained about yet.

use serde_json::json;

use super::field::candidates;
use super::sheet::{Sheet, Try};

/// The reply to a prompt for valid inputs.
pub(super) fn answer(prompt: &str) -> String {
    let sheet = Sheet::read(prompt);
    let texts = inputs(&sheet);
    let inputs: Vec<_> = (1..)
        .zip(&texts)
        .map(|(field, input): (usize, _)| json!({ "field": field, "input": input }))
        .collect();
    let constraints: Vec<String> = sheet.tries.iter().flat_map(sentences).collect();
    let accepted = sheet.tries.last().is_some_and(is_result);
    json!({ "inputs": inputs, "constraints": constraints, "accepted": accepted }).to_string()
}

/// The inputs must respect what was said about earlier tries.
fn sentences(tried: &Try) -> Vec<String> {
    tried.appeared.iter().map(|(_, text)| text.clone()).collect()
}

/// True when something without a letter appeared away from the fields: a number that was computed.
fn is_result(tried: &Try) -> bool {
    let is_number =
        |text: &str| text.chars().any(|c| c.is_ascii_digit()) && !text.chars().any(char::is_alphabetic);
    !tried.crashed
        && !tried.appeared.is_empty()
        && tried.appeared.iter().all(|(at, text)| at.is_none() && is_number(text))
}

fn inputs(sheet: &Sheet) -> Vec<String> {
    let blamed: Vec<Option<usize>> =
        sheet.tries.iter().enumerate().map(|(n, tried)| blame(sheet, tried, n)).collect();
    let mut texts: Vec<String> = Vec::new();
    for (number, field) in sheet.fields.iter().enumerate() {
        let of_field = sheet.tries.iter().zip(&blamed).filter(|(_, blamed)| **blamed == Some(number));
        let refused: Vec<&str> =
            of_field.clone().filter_map(|(tried, _)| tried.texts.get(number)).map(String::as_str).collect();
        let said: Vec<String> = of_field.flat_map(|(tried, _)| sentences(tried)).collect();
        let all = candidates(field, number, &said);
        let taken = |text: &str| {
            !field.is_password && texts.iter().any(|other| other.eq_ignore_ascii_case(text) && is_word(text))
        };
        let next = all.iter().find(|text| !refused.contains(&text.as_str()) && !taken(text));
        // All passwords have the same value.
        let twin = sheet.fields.iter().take(number).position(|other| other.is_password && field.is_password);
        let text = match twin.and_then(|twin| texts.get(twin)) {
            Some(same) => same.clone(),
            None => next.cloned().unwrap_or_default(),
        };
        texts.push(text);
    }
    texts
}

fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// The field that is blamed for a failed try: the one that a message appears at, else one that a message names, else
/// the fields in turn.
fn blame(sheet: &Sheet, tried: &Try, number: usize) -> Option<usize> {
    if let Some(at) = tried.appeared.iter().find_map(|(at, _)| *at) {
        // A message at the repetition of a password is about the first one.
        let is_password = |n: usize| sheet.fields.get(n).is_some_and(|field| field.is_password);
        let first = sheet.fields.iter().position(|field| field.is_password);
        return first.filter(|_| is_password(at)).or(Some(at));
    }
    let words = |text: &str| -> Vec<String> {
        let all = text.split(|c: char| !c.is_alphanumeric());
        all.filter(|word| word.len() > 3).map(str::to_lowercase).collect()
    };
    let said: Vec<String> = tried.appeared.iter().flat_map(|(_, text)| words(text)).collect();
    let named =
        sheet.fields.iter().position(|field| words(&field.name).iter().any(|word| said.contains(word)));
    named.or_else(|| number.checked_rem(sheet.fields.len()))
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Field;
    use super::*;

    /// Which field does not take its text, and what the form says then.
    type Check = fn(&[String]) -> Option<(usize, &'static str)>;

    /// A form with these fields that accepts only some texts, and says where it does not.
    fn tries_until_passed(fields: &[(&str, Check)]) -> usize {
        let named = |name: &str| Field { name: name.into(), is_password: name == "*", shows: String::new() };
        let mut sheet =
            Sheet { fields: fields.iter().map(|(name, _)| named(name)).collect(), tries: Vec::new() };
        for number in 1..40 {
            let texts = inputs(&sheet);
            let Some((at, said)) = fields.iter().find_map(|(_, check)| check(&texts)) else { return number };
            let appeared = vec![(Some(at), said.to_owned())];
            sheet.tries.push(Try { texts, appeared, crashed: false });
        }
        panic!("never passed: {sheet:?}")
    }

    #[test]
    fn forms_are_passed_by_their_complaints() {
        let number = |text: &str| text.parse::<f64>().ok();
        let within =
            |text: &str, least: f64, most: f64| number(text).is_some_and(|n| (least..=most).contains(&n));
        let _ = (number, within);
        let tries = tries_until_passed(&[
            ("qa", |t| t[0].is_empty().then_some((0, "wuf"))),
            ("qb", |t| (t[1] == t[0] || t[1].is_empty()).then_some((1, "wuf ka"))),
            ("qc (YYYY-MM-DD)", |t| (t[2].len() != 10).then_some((2, "lo 2026-03-31"))),
            ("qd (YYYY-MM-DD)", |t| (t[3] < t[2]).then_some((3, "ka lo"))),
            ("qe", |t| (!t[4].parse::<u32>().is_ok_and(|n| (1..=9).contains(&n))).then_some((4, "1 ka 9"))),
        ]);
        assert!(tries <= 2, "{tries} tries");
        let tries = tries_until_passed(&[
            ("qa", |t| (!t[0].contains('@')).then_some((0, "wuf ann@example.org"))),
            ("*", |t| (t[1].len() < 8).then_some((1, "8 wuf"))),
            ("*", |t| (t[2] != t[1]).then_some((2, "ka"))),
        ]);
        assert!(tries <= 2, "{tries} tries");
        let tries = tries_until_passed(&[
            ("qa", |t| {
                (!t[0].parse::<u32>().is_ok_and(|n| (70..=250).contains(&n))).then_some((0, "wuf: 70 ka 250"))
            }),
            ("qb", |t| {
                (!t[1].parse::<u32>().is_ok_and(|n| (40..=150).contains(&n))).then_some((1, "wuf: 40 ka 150"))
            }),
            ("qb", |t| (t[1].parse::<u32>().ok() >= t[0].parse::<u32>().ok()).then_some((1, "lo ka"))),
        ]);
        assert!(tries <= 6, "{tries} tries");
    }

    #[test]
    fn a_number_that_appears_is_a_result() {
        let of = |appeared: Vec<(Option<usize>, &str)>| Try {
            appeared: appeared.into_iter().map(|(at, text)| (at, text.to_owned())).collect(),
            ..Try::default()
        };
        for (appeared, result) in [
            (vec![(None, "= 14")], true),
            (vec![(None, "1 to 9")], false),
            (vec![(Some(0), "14")], false),
            (vec![], false),
        ] {
            assert_eq!(is_result(&of(appeared.clone())), result, "{appeared:?}");
        }
    }
}
