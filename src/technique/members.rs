//! Members of a reply's JSON object, read as they were meant: numbers in quotes, one text where a
//! list was asked for, `"yes"` for true.

use serde_json::{Map, Value};

pub type Members = Map<String, Value>;

/// Characters of one text of a reply that are kept.
const LONGEST: usize = 2_000;

/// Texts of one list that are kept.
const MOST: usize = 50;

/// The first of these members that is there.
pub fn find<'a>(members: &'a Members, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| members.get(*name)).filter(|value| !value.is_null())
}

/// A text; empty when there is none.
pub fn text(members: &Members, names: &[&str]) -> String {
    find(members, names).map(of_value).unwrap_or_default()
}

pub fn number(members: &Members, names: &[&str]) -> Option<u32> {
    match find(members, names)? {
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        Value::String(text) => {
            // `step 7`, `#7`
            let digits: String =
                text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        }
        _ => None,
    }
}

pub fn flag(members: &Members, names: &[&str]) -> Option<bool> {
    match find(members, names)? {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A list of texts; one text counts as a list of one.
pub fn texts(members: &Members, names: &[&str]) -> Vec<String> {
    let texts = match find(members, names) {
        Some(Value::Array(values)) => values.iter().take(MOST).map(of_value).collect(),
        Some(value) => vec![of_value(value)],
        None => Vec::new(),
    };
    texts.into_iter().filter(|text: &String| !text.is_empty()).collect()
}

fn of_value(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.trim().chars().take(LONGEST).collect()
}
