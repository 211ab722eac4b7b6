//! Reading the replies to the two questions: JSON as asked for, else the keyword forms of the
//! paper ("input is …", "Mutation rule … Test generator …").

use serde_json::{Map, Value};

use super::errand::Expectation;
use crate::reply;
use droidmux_words::beginning;

/// Inputs for all fields, and what they keep to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ValidReply {
    /// One for each field; empty where the reply names none.
    pub texts: Vec<String>,
    pub constraints: Vec<String>,
    /// What appeared after the last try is a result, not a complaint.
    pub accepted: bool,
}

/// A mutation rule and the code that follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GeneratorReply {
    /// May be empty.
    pub rule: String,
    pub code: String,
    /// Of the inputs of which the generator itself says nothing.
    pub expected: Expectation,
    /// Words of the page or of a complaint that forbid the inputs, as the model quotes them; may be empty.
    pub ground: String,
}

/// The most characters in a rule or a constraint, and the most constraints.
const MOST_CHARS: usize = 400;
const MOST_CONSTRAINTS: usize = 20;

/// The most characters in a valid input.
const MOST_INPUT: usize = 2_000;

/// The reply for this many fields; `None` when it holds no input at all.
pub(super) fn valid_input(text: &str, fields: usize) -> Option<ValidReply> {
    let reply = reply::object(text).and_then(|object| valid_of_json(&object, fields));
    reply.or_else(|| valid_of_words(text, fields))
}

/// `None` when there is no code.
pub(super) fn test_generator(text: &str) -> Option<GeneratorReply> {
    let reply = reply::object(text).and_then(|object| {
        let code = string(&object, &["generator", "code", "test_generator", "testGenerator", "function"])?;
        let rule = string(&object, &["rule", "mutation_rule", "mutationRule", "mutation rule"]);
        let expected = string(&object, &["expected", "expected_result"]).map(|word| expectation(&word));
        let rule = cut(&rule.unwrap_or_default(), MOST_CHARS);
        let ground = cut(&string(&object, &["ground", "because"]).unwrap_or_default(), MOST_CHARS);
        Some(GeneratorReply { rule, code, expected: expected.unwrap_or_default(), ground })
    });
    reply.or_else(|| generator_of_words(text)).filter(|reply| !reply.code.trim().is_empty())
}

fn valid_of_json(object: &Map<String, Value>, fields: usize) -> Option<ValidReply> {
    let inputs = ["inputs", "input", "texts", "valid_inputs"].iter().find_map(|key| object.get(*key))?;
    let mut texts = vec![None; fields];
    match inputs {
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                let number = item.get("field").and_then(number).unwrap_or(place);
                let text = ["input", "text", "value"].iter().find_map(|key| item.get(*key)).unwrap_or(item);
                set(&mut texts, number, text);
            }
        }
        Value::Object(members) => {
            for (place, (key, value)) in members.iter().enumerate() {
                let digits: String = key.chars().filter(char::is_ascii_digit).collect();
                let number = digits.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).unwrap_or(place);
                set(&mut texts, number, value);
            }
        }
        other => set(&mut texts, 0, other),
    }
    let constraints = match object.get("constraints") {
        Some(Value::Array(items)) => items.iter().filter_map(plain).collect(),
        Some(other) => plain(other).into_iter().collect(),
        None => Vec::new(),
    };
    let accepted = object.get("accepted").and_then(Value::as_bool).unwrap_or(false);
    reply_of(texts, constraints, accepted)
}

/// A field's number from 0, of one that counts from 1.
fn number(value: &Value) -> Option<usize> {
    let number = value.as_u64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()))?;
    usize::try_from(number).ok()?.checked_sub(1)
}

fn set(texts: &mut [Option<String>], number: usize, value: &Value) {
    if let (Some(place), Some(text)) = (texts.get_mut(number), plain(value)) {
        *place = Some(text);
    }
}

/// A string, or a number as its digits.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn reply_of(texts: Vec<Option<String>>, constraints: Vec<String>, accepted: bool) -> Option<ValidReply> {
    if !accepted && texts.iter().all(Option::is_none) {
        return None;
    }
    Some(ValidReply {
        texts: texts.into_iter().map(|text| cut(&text.unwrap_or_default(), MOST_INPUT)).collect(),
        constraints: constraints.iter().map(|c| cut(c, MOST_CHARS)).take(MOST_CONSTRAINTS).collect(),
        accepted,
    })
}

/// `… constraints … the input is "a" … the input is "b"`, one for each field in order.
fn valid_of_words(text: &str, fields: usize) -> Option<ValidReply> {
    let mut texts = vec![None; fields];
    let mut rest = text;
    for place in &mut texts {
        let Some((_, after)) = split_ci(rest, "input is") else { break };
        let (found, left) = quoted_or_line(after);
        *place = Some(found);
        rest = left;
    }
    let before = split_ci(text, "input").map_or(text, |(before, _)| before);
    let constraints: Vec<String> = split_ci(before, "constraint")
        .map(|(_, after)| after.trim_start_matches(['s', ':', ' ', '\n']).trim().to_owned())
        .into_iter()
        .filter(|constraint| !constraint.is_empty())
        .collect();
    reply_of(texts, constraints, false)
}

/// `Mutation rule: … Test generator: …`; without the words, a fenced block is the code.
fn generator_of_words(text: &str) -> Option<GeneratorReply> {
    let (before, code) = match split_ci(text, "test generator") {
        Some((before, code)) => (before, code),
        None => {
            let fence = text.find("```")?;
            (text.get(..fence)?, text.get(fence..)?)
        }
    };
    let rule = split_ci(before, "mutation rule").map_or("", |(_, rule)| rule);
    let rule = rule.trim_matches([':', ' ', '\n', '*', '#', '-']);
    let code = code.trim_start_matches([':', ' ', '\n', '*', '#']);
    let expected = Expectation::Open;
    code.contains("function").then(|| GeneratorReply {
        rule: cut(rule, MOST_CHARS),
        code: code.to_owned(),
        expected,
        ground: String::new(),
    })
}

/// `accepted`, `refused`, and words like them.
fn expectation(word: &str) -> Expectation {
    let word = word.trim().to_lowercase();
    let begins = |with: &[&str]| with.iter().any(|with| word.starts_with(with));
    if begins(&["refuse", "reject"]) {
        Expectation::Refused
    } else if begins(&["accept"]) {
        Expectation::Accepted
    } else {
        Expectation::Open
    }
}

/// What stands before and after a word, whatever its case.
fn split_ci<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = text.to_ascii_lowercase().find(word)?;
    Some((text.get(..at)?, text.get(at + word.len()..)?))
}

/// A text in quotation marks, else the rest of the line; and what follows.
fn quoted_or_line(text: &str) -> (String, &str) {
    let text = text.trim_start_matches([':', ' ', '\n', '*']);
    if let Some(mark) = text.chars().next().filter(|c| ['"', '\'', '`', '“'].contains(c)) {
        let end = if mark == '“' { '”' } else { mark };
        let inside = text.get(mark.len_utf8()..).unwrap_or_default();
        if let Some((found, rest)) = inside.split_once(end) {
            return (found.to_owned(), rest);
        }
    }
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    (line.trim().trim_end_matches('.').to_owned(), rest)
}

fn string(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| object.get(*key)).and_then(Value::as_str).map(str::to_owned)
}

fn cut(text: &str, most: usize) -> String {
    beginning(text, most).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_in_many_shapes() {
        for (text, expected) in [
            (
                r#"{"inputs":[{"field":2,"input":"b"},{"field":1,"input":"a"}],"constraints":["c"]}"#,
                Some("a|b|c"),
            ),
            (r#"Sure! {"inputs": ["a", 7], "constraints": "c"}"#, Some("a|7|c")),
            (r#"{"inputs": {"1": "a", "field 2": "b"}}"#, Some("a|b")),
            (r#"{"inputs": [{"field": 2, "text": "b"}]}"#, Some("|b")),
            (
                "The constraints: two words\nthe input is \"a\", and the input is 'b'.",
                Some("a|b|two words\nthe"),
            ),
            ("the input is a\nThe input is b", Some("a|b")),
            (r#"{"inputs": []}"#, None),
            ("I do not know.", None),
            ("", None),
        ] {
            let read = valid_input(text, 2);
            let told =
                read.map(|r| r.texts.iter().chain(&r.constraints).cloned().collect::<Vec<_>>().join("|"));
            assert_eq!(told.as_deref(), expected, "{text}");
        }
        assert!(valid_input(r#"{"inputs":[],"accepted":true}"#, 1).is_some_and(|reply| reply.accepted));
        let huge = format!(r#"{{"inputs":[{:?}]}}"#, "x".repeat(10_000));
        assert_eq!(valid_input(&huge, 1).map(|reply| reply.texts[0].len()), Some(MOST_INPUT));
    }

    #[test]
    fn generators_in_many_shapes() {
        let code = "function* generate() { yield 'a'; }";
        for (text, rule) in [
            (format!(r#"{{"rule": "add", "generator": "{code}"}}"#), Some("add")),
            (format!("Mutation rule: add\nTest generator:\n```js\n{code}\n```"), Some("add")),
            (format!("**Mutation Rule**: add\n**Test Generator**: {code}"), Some("add")),
            (format!("```\n{code}\n```"), Some("")),
            (r#"{"rule": "add"}"#.into(), None),
            ("Mutation rule: add. Test generator: I cannot.".into(), None),
            (String::new(), None),
        ] {
            let read = test_generator(&text);
            assert_eq!(read.as_ref().map(|reply| reply.rule.as_str()), rule, "{text}");
            assert!(read.is_none_or(|reply| reply.code.contains("yield 'a'")), "{text}");
        }
        for (word, expected) in [
            ("refused", Expectation::Refused),
            ("Rejected", Expectation::Refused),
            ("accepted", Expectation::Accepted),
            ("open", Expectation::Open),
        ] {
            let text = format!(r#"{{"rule": "add", "expected": "{word}", "generator": "{code}"}}"#);
            assert_eq!(test_generator(&text).map(|reply| reply.expected), Some(expected), "{word}");
        }
    }
}
