//! What a field may want, likeliest first: by formats, examples, ranges and a few words in its name and in the messages
//! that appeared at it, then various kinds of text in turn.

use super::sheet::Field;

const BEGINNINGS: [&str; 13] =
    ["Al", "Ber", "Cor", "Del", "Fer", "Gal", "Hol", "Lor", "Mar", "Nor", "Per", "Ros", "Til"];
const ENDS: [&str; 11] = ["ana", "eno", "inda", "ova", "una", "ica", "asa", "eto", "ira", "olo", "ula"];

/// A made-up name, different for almost every field: fields of a page that must differ do differ, and text on a page
/// can be traced to one field.
fn made_up(field: &str, number: usize) -> String {
    let hash = field.bytes().fold(number, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let (begin, end) = (hash % BEGINNINGS.len(), hash / BEGINNINGS.len() % ENDS.len());
    [BEGINNINGS.get(begin), ENDS.get(end)].into_iter().flatten().copied().collect()
}

/// What may be entered into a field, each text once. `number` is the field's, from 0; `said` is what has appeared at it
/// so far.
pub(super) fn candidates(field: &Field, number: usize, said: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    // An empty field shows its hint in many dumps.
    let named = format!("{} {}", field.name, field.shows);
    let name = named.as_str();
    if field.is_password {
        texts.extend(["Abcdef12", "Abcdef12!xyz", "123456", "abcdefgh"].map(String::from));
    }
    let last_first = said.iter().rev().map(String::as_str);
    for clue in last_first.chain([name]) {
        texts.extend(by_format(clue, number));
        texts.extend(by_example(clue));
        texts.extend(by_range(clue));
    }
    for clue in [name].into_iter().chain(said.iter().map(String::as_str)) {
        texts.extend(by_word(clue, number));
    }
    let word = made_up(&field.name, number);
    texts.extend([
        word.clone(),
        (12 - number.min(9)).to_string(),
        (20 + 10 * number).to_string(),
        format!("{}@example.org", word.to_lowercase()),
        date(number),
        "72.5".into(),
        "1".into(),
        format!("{} and more", word.to_lowercase()),
        format!("https://example.org/{}", word.to_lowercase()),
        format!("{}7", word.to_lowercase()),
        "100".into(),
        "+41313220000".into(),
        "12:30".into(),
        "(1+2)*3".into(),
        "Abcdef12".into(),
        format!("/sdcard/{}.csv", word.to_lowercase()),
        String::new(),
    ]);
    let mut seen = Vec::new();
    texts.retain(|text| {
        let new = !seen.contains(text);
        seen.push(text.clone());
        new
    });
    texts
}

/// Later for later fields, so that values that must be in order are.
fn date(number: usize) -> String {
    format!("2026-05-{:02}", 4 + 3 * (number % 8))
}

/// `YYYY-MM-DD`, `dd.mm.yy`, `HH:MM`: runs of date and time letters with separators between them.
fn by_format(clue: &str, number: usize) -> Option<String> {
    let tokens = clue.split(|c: char| c.is_whitespace() || "()[]\"',;".contains(c));
    let format = tokens.map(|t| t.trim_matches(['.', ':', '!'])).find(|token| {
        let letters: Vec<&str> = token.split(|c: char| !c.is_ascii_alphabetic()).collect();
        let is_run = |part: &&str| {
            let mut chars = part.chars().map(|c| c.to_ascii_lowercase());
            let first = chars.next().filter(|c| "ymdhs".contains(*c));
            part.len() >= 2 && first.is_some_and(|first| chars.all(|c| c == first))
        };
        letters.len() >= 2 && letters.iter().all(is_run)
    })?;
    let day = 4 + 3 * (number % 8);
    let mut out = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let run: String = rest.chars().take_while(|c| c.eq_ignore_ascii_case(&first)).collect();
        rest = rest.get(run.len()..).unwrap_or_default();
        out += &match first.to_ascii_lowercase() {
            'y' if run.len() == 2 => "26".into(),
            'y' => "2026".into(),
            // After hours it means minutes.
            'm' if format.to_ascii_lowercase().contains('h')
                && !format.to_ascii_lowercase().contains('y') =>
            {
                "30".into()
            }
            'm' => "05".into(),
            'd' => format!("{day:02}"),
            'h' => "12".into(),
            's' => "00".into(),
            _ => run,
        };
    }
    Some(out)
}

/// A token that contains digits and punctuation, or an at sign: the example that a clue gives.
fn by_example(clue: &str) -> Vec<String> {
    let tokens = clue.split(|c: char| c.is_whitespace() || "\"'“”,;".contains(c));
    let is_example = |token: &&str| {
        let has_digit = token.chars().any(|c| c.is_ascii_digit());
        let has_sign = token.chars().any(|c| "-./:@+*".contains(c));
        let is_range =
            token.split(['-', '–']).all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        let is_date = token.matches('-').count() == 2;
        let signs = token.chars().filter(|c| !c.is_alphanumeric()).count();
        (has_digit && has_sign && (!is_range || is_date))
            || (token.contains('@') && token.len() > 2 && signs > 1)
            || token.contains("://") && token.len() > 3
    };
    let trimmed = tokens.map(|token| token.trim_end_matches(['.', '!', '?', ':']).trim_start_matches('('));
    let trimmed = trimmed.map(|token| if token.contains('(') { token } else { token.trim_end_matches(')') });
    trimmed
        .filter(is_example)
        .map(|token| if token.ends_with("://") { format!("{token}example.org/a") } else { token.to_owned() })
        .collect()
}

/// Numbers from a range `20 to 400`, `0–300`; for a single number `8`, that number, and as many letters.
fn by_range(clue: &str) -> Vec<String> {
    let numbers: Vec<u64> = clue
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    match numbers.as_slice() {
        [least, most] if least < most => {
            let wide = most - least;
            [wide / 2, wide / 3, wide * 2 / 3, 1, wide - 1]
                .map(|above| (least + above.min(wide)).to_string())
                .to_vec()
        }
        [one] if (1..=64).contains(one) => {
            let length = usize::try_from(*one).unwrap_or(8);
            vec!["Abcdefg1".chars().cycle().take(length).collect(), one.to_string(), "ab".into()]
        }
        [one] => vec![one.to_string(), (one / 2).to_string()],
        _ => Vec::new(),
    }
}

/// Words common in forms, and what they stand for.
fn by_word(clue: &str, number: usize) -> Option<String> {
    let clue = clue.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| clue.contains(word));
    let name = made_up(&clue, number).to_lowercase();
    let text = if any(&["mail"]) {
        format!("{name}@example.org")
    } else if any(&["url", "website", "link", "http"]) {
        format!("https://example.org/{name}")
    } else if any(&["date", "birthday"]) {
        date(number)
    } else if any(&["phone", "mobile"]) {
        "+41313220000".into()
    } else if any(&["path", "file"]) {
        format!("/sdcard/{name}.csv")
    } else if any(&[
        "amount", "price", "number", "count", "age", "weight", "height", "percent", "people", "quantity",
    ]) {
        (2 + number).to_string()
    } else if any(&["letter", "digit"]) {
        "Abcdef12".into()
    } else {
        return None;
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Field {
        Field { name: name.into(), ..Field::default() }
    }

    #[test]
    fn structure_before_words() {
        let cases: [(&str, usize, &[&str], &str); 11] = [
            ("qxz (YYYY-MM-DD)", 0, &[], "2026-05-04"),
            ("qxz (YYYY-MM-DD)", 1, &[], "2026-05-07"),
            ("dd.mm.yy", 0, &[], "04.05.26"),
            ("HH:MM", 0, &[], "12:30"),
            ("qxz", 0, &["wuf 1 ka 9 qxz"], "5"),
            ("qxz", 0, &["0–300"], "150"),
            ("qxz", 0, &["wuf lo ka 72.5"], "72.5"),
            ("qxz", 0, &["wuf lo ka 2026-03-31"], "2026-03-31"),
            ("wuf ka 2*(3+4)", 0, &[], "2*(3+4)"),
            ("qxz", 0, &["lo ann@example.org"], "ann@example.org"),
            ("qxz", 0, &["ka https://"], "https://example.org/a"),
        ];
        for (name, number, said, expected) in cases {
            let said: Vec<String> = said.iter().map(|text| (*text).to_owned()).collect();
            let all = candidates(&named(name), number, &said);
            assert_eq!(all.first().map(String::as_str), Some(expected), "{name} {said:?}: {all:?}");
        }
        let plain = candidates(&named("From"), 0, &[]);
        assert!(plain.first().is_some_and(|text| text.len() >= 5 && text.chars().all(char::is_alphabetic)));
        let secret = Field { is_password: true, ..named("qxz") };
        assert_eq!(candidates(&secret, 3, &[]).first().map(String::as_str), Some("Abcdef12"));
    }
}
