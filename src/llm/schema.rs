//! Replies of people, checked by the schema of their question, and what such a reply looks like.
//!
//! In: a JSON schema as questions have it, a reply. Out: what is wrong with the reply, each fault with its place; a
//! reply to fill in. Schemas come from this program: of JSON Schema, this knows what they use.

use serde_json::{Map, Value};

/// Faults that are told at once.
const MOST_FAULTS: usize = 12;

/// How deep a reply may be nested.
const DEEPEST: usize = 64;

/// What is wrong with a reply, in words; nothing when it is what was asked for. A schema that cannot be read asks for any
/// JSON.
pub(super) fn faults(schema: &str, reply: &str) -> Vec<String> {
    let value: Value = match serde_json::from_str(reply) {
        Ok(value) => value,
        Err(_) if reply.is_empty() => return vec!["the reply is empty".to_owned()],
        Err(error) => return vec![format!("the reply is no JSON: {error}")],
    };
    let mut found = Vec::new();
    if let Ok(schema) = serde_json::from_str(schema) {
        look(&schema, &value, &Place(String::new()), &mut found, DEEPEST);
    }
    if found.len() > MOST_FAULTS {
        let more = found.len() - MOST_FAULTS;
        found.truncate(MOST_FAULTS);
        found.push(format!("and {more} more"));
    }
    found
}

/// A reply with an empty value in each place, for people to fill in; `{}` when the schema cannot be read.
pub fn skeleton(schema: &str) -> String {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    serde_json::to_string_pretty(&empty(&schema, DEEPEST)).unwrap_or_else(|_| "{}".to_owned())
}

/// Where a value stands in a reply, such as `suspicions[0].check`.
struct Place(String);

impl Place {
    fn member(&self, name: &str) -> Self {
        let dot = if self.0.is_empty() { "" } else { "." };
        Self(format!("{}{dot}{name}", self.0))
    }

    fn item(&self, number: usize) -> Self {
        Self(format!("{}[{number}]", self.0))
    }

    fn is(&self, what: &str) -> String {
        match self.0.as_str() {
            "" => format!("the reply {what}"),
            place => format!("`{place}` {what}"),
        }
    }
}

fn look(schema: &Value, value: &Value, place: &Place, found: &mut Vec<String>, deep: usize) {
    let Some(deeper) = deep.checked_sub(1) else {
        found.push(place.is("is nested too deeply"));
        return;
    };
    if let Some(wanted) = types(schema)
        && !wanted.iter().any(|name| is_of(name, value))
    {
        let wanted: Vec<&str> = wanted.iter().map(|name| called(name)).collect();
        found.push(place.is(&format!("is {}, not {}", kind(value), wanted.join(" or "))));
        return;
    }
    if let Some(Value::Array(choice)) = schema.get("enum")
        && !choice.contains(value)
    {
        let choice: Vec<String> = choice.iter().map(Value::to_string).collect();
        found.push(place.is(&format!("is {value}, not one of {}", choice.join(", "))));
    }
    bounds(schema, value, place, found);
    match value {
        Value::Object(members) => look_at_members(schema, members, place, found, deeper),
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (number, item) in items.iter().enumerate() {
                look(schema, item, &place.item(number), found, deeper);
            }
        }
        _ => {}
    }
}

fn look_at_members(
    schema: &Value,
    members: &Map<String, Value>,
    place: &Place,
    found: &mut Vec<String>,
    deeper: usize,
) {
    let known = schema.get("properties").and_then(Value::as_object);
    for name in required(schema) {
        if !members.contains_key(name) {
            found.push(format!("`{}` is missing", place.member(name).0));
        }
    }
    for (name, member) in members {
        match known.and_then(|known| known.get(name)) {
            Some(schema) => look(schema, member, &place.member(name), found, deeper),
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                let known: Vec<&str> = known.into_iter().flat_map(Map::keys).map(String::as_str).collect();
                let member = place.member(name).0;
                found.push(format!("`{member}` is not asked for; known are {}", known.join(", ")));
            }
            None => {}
        }
    }
}

/// What a schema says of sizes and lengths.
fn bounds(schema: &Value, value: &Value, place: &Place, found: &mut Vec<String>) {
    let (least, most, size, what) = match value {
        Value::Array(items) => ("minItems", "maxItems", float(items.len()), "items"),
        Value::String(text) => ("minLength", "maxLength", float(text.chars().count()), "characters"),
        Value::Number(number) => ("minimum", "maximum", number.as_f64().unwrap_or_default(), ""),
        _ => return,
    };
    let limit = |name: &str| schema.get(name).and_then(Value::as_f64);
    let verb = if what.is_empty() { "is" } else { "has" };
    let said = |limit: f64, word: &str| {
        let what = if what.is_empty() { String::new() } else { format!(" {what}") };
        place.is(&format!("{verb} {size}{what}, {word} {limit}"))
    };
    found.extend(limit(least).filter(|least| size < *least).map(|least| said(least, "less than")));
    found.extend(limit(most).filter(|most| size > *most).map(|most| said(most, "more than")));
}

/// Counts beyond what a float holds exactly do not occur in replies of 256 KiB.
fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

/// A type of JSON Schema, in words.
fn called(name: &str) -> &str {
    match name {
        "object" => "an object",
        "array" => "a list",
        "string" => "a text",
        "boolean" => "true or false",
        "number" => "a number",
        "integer" => "a whole number",
        name => name,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a number",
        Value::Number(_) => "a whole number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn empty(schema: &Value, deep: usize) -> Value {
    let choice = schema.get("enum").and_then(Value::as_array);
    let nullable = types(schema).is_some_and(|names| names.contains(&"null"));
    if nullable || choice.is_some_and(|choice| choice.contains(&Value::Null)) {
        return Value::Null;
    }
    if let Some(choice) = choice {
        return choice.first().cloned().unwrap_or_default();
    }
    let name = types(schema).and_then(|names| names.first().copied()).unwrap_or("object");
    match (name, deep.checked_sub(1)) {
        ("object", Some(deeper)) => {
            let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            Value::Object(members.map(|(name, schema)| (name.clone(), empty(schema, deeper))).collect())
        }
        ("array", Some(deeper)) => {
            // One item shows what it is made of; a text needs no showing.
            let shown =
                schema.get("items").filter(|items| types(items).is_some_and(|names| names == ["object"]));
            Value::Array(shown.map(|items| empty(items, deeper)).into_iter().collect())
        }
        ("string", _) => Value::String(String::new()),
        ("boolean", _) => Value::Bool(false),
        ("integer" | "number", _) => Value::from(0),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"type":"object","properties":{"action":{"enum":["click","back",null]},
        "widget":{"type":["integer","null"]},"why":{"type":"string","maxLength":5},
        "wrong":{"type":"array","maxItems":2,"items":{"type":"object",
            "properties":{"step":{"type":"integer","minimum":1}},"required":["step"],"additionalProperties":false}},
        "done":{"type":"boolean"}},
        "required":["action","widget","why"],"additionalProperties":false}"#;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let good = r#"{"action":"click","widget":3,"why":"so"}"#;
        let cases: [(&str, &[&str]); 15] = [
            (good, &[]),
            (r#"{"action":null,"widget":null,"why":"","wrong":[{"step":2.0}],"done":true}"#, &[]),
            ("", &["the reply is empty"]),
            ("{\"action\": click}", &["the reply is no JSON: expected value at line 1 column 12"]),
            ("```json\n{}\n```", &["the reply is no JSON: expected value at line 1 column 1"]),
            ("{} {}", &["the reply is no JSON: trailing characters at line 1 column 4"]),
            ("[]", &["the reply is a list, not an object"]),
            ("{}", &["`action` is missing", "`widget` is missing", "`why` is missing"]),
            (
                r#"{"action":"fly","widget":"3","why":"so"}"#,
                &[
                    r#"`action` is "fly", not one of "click", "back", null"#,
                    "`widget` is a text, not a whole number or null",
                ],
            ),
            (
                r#"{"action":"back","widget":1.5,"why":"so"}"#,
                &["`widget` is a number, not a whole number or null"],
            ),
            (r#"{"action":"back","widget":1,"why":"for ever"}"#, &["`why` has 8 characters, more than 5"]),
            (
                r#"{"action":"back","widget":1,"why":"","wrong":[{"step":0},{"stop":1}]}"#,
                &[
                    "`wrong[0].step` is 0, less than 1",
                    "`wrong[1].step` is missing",
                    "`wrong[1].stop` is not asked for; known are step",
                ],
            ),
            (
                r#"{"action":"back","widget":1,"why":"","wrong":[{"step":1},{"step":1},{"step":1}]}"#,
                &["`wrong` has 3 items, more than 2"],
            ),
            (
                r#"{"action":"back","widget":1,"why":"","Done":1}"#,
                &["`Done` is not asked for; known are action, widget, why, wrong, done"],
            ),
            (
                r#"{"action":"back","widget":1,"why":"","done":"yes"}"#,
                &["`done` is a text, not true or false"],
            ),
        ];
        for (reply, expected) in cases {
            assert_eq!(faults(SCHEMA, reply), expected, "{reply}");
        }
        let wrongs = vec!["{}"; 40].join(",");
        let many = faults(SCHEMA, &format!(r#"{{"action":"back","widget":1,"why":"","wrong":[{wrongs}]}}"#));
        assert_eq!((many.len(), many.last().map(String::as_str)), (13, Some("and 29 more")));
        assert!(faults("no schema", "[1]").is_empty());
    }

    #[test]
    fn a_skeleton_says_what_is_missing_at_most() {
        let skeleton = skeleton(SCHEMA);
        let value: Value = serde_json::from_str(&skeleton).expect("JSON");
        let expected = serde_json::json!(
            {"action": null, "widget": null, "why": "", "wrong": [{"step": 0}], "done": false}
        );
        assert_eq!(value, expected);
        assert_eq!(faults(SCHEMA, &skeleton), ["`wrong[0].step` is 0, less than 1"]);
        assert_eq!(super::skeleton("?"), "{}");
    }

    #[test]
    fn deep_replies_are_refused() {
        let schema = r#"{"type":"array","items":{}}"#;
        assert!(faults(schema, &format!("{}{}", "[".repeat(100), "]".repeat(100))).is_empty());
        assert!(faults(schema, &"[".repeat(100_000))[0].contains("no JSON"));
    }
}
