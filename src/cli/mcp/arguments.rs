//! Arguments of a tool: what they may be, and how they are read.
//!
//! In: what a client sends. Out: values that cannot be anything else, or what is wrong, in words.

use serde_json::{Map, Value, json};

use droidmux_record::{FindingId, Reply, SessionId};

/// Characters of a value that are repeated when it is refused.
const MOST_TOLD: usize = 60;

/// One argument of a tool.
pub(super) struct Argument {
    pub name: &'static str,
    pub what: &'static str,
    pub takes: Takes,
    pub required: bool,
}

/// What an argument may be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Takes {
    /// A session of the store, such as `s3`.
    Session,
    /// A finding, such as `s3-1a2b3c4d`.
    Finding,
    /// A whole number from … to.
    Number(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of at most so many orders for a test.
    Orders(usize),
    /// Any JSON, as it is or as text.
    Json,
}

/// Arguments that were checked; each is the word for a command line.
pub(super) struct Checked(Vec<(&'static str, String)>);

impl Argument {
    fn schema(&self) -> Value {
        let mut schema = match self.takes {
            Takes::Session => json!({ "type": "string", "pattern": "^s[0-9]+$" }),
            Takes::Finding => json!({ "type": "string", "pattern": "^s[0-9]+-[0-9a-f]{8}$" }),
            Takes::Number(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Takes::Word(words) => json!({ "type": "string", "enum": words }),
            Takes::Orders(most) => {
                json!({ "type": "array", "items": { "type": "string" }, "maxItems": most })
            }
            Takes::Json => json!({ "type": ["object", "string"] }),
        };
        schema["description"] = self.what.into();
        schema
    }

    fn read(&self, value: &Value) -> Result<String, String> {
        let name = self.name;
        let wrong = |wanted: &str| {
            let told: String = value.to_string().chars().take(MOST_TOLD).collect();
            format!("`{name}` is {wanted}, not {told}")
        };
        match self.takes {
            Takes::Session => {
                let text = value.as_str().and_then(|text| text.parse::<SessionId>().ok());
                text.map(|id| id.to_string()).ok_or_else(|| wrong("a session such as \"s3\""))
            }
            Takes::Finding => {
                let text = value.as_str().and_then(|text| text.parse::<FindingId>().ok());
                text.map(|id| id.to_string()).ok_or_else(|| wrong("a finding such as \"s3-1a2b3c4d\""))
            }
            Takes::Number(least, most) => match value.as_u64() {
                Some(number) if (least..=most).contains(&number) => Ok(number.to_string()),
                _ => Err(wrong(&format!("a whole number from {least} to {most}"))),
            },
            Takes::Word(words) => match value.as_str().filter(|word| words.contains(word)) {
                Some(word) => Ok(word.to_owned()),
                None => Err(wrong(&format!("one of {}", words.join(", ")))),
            },
            Takes::Orders(most) => orders(value, most)
                .ok_or_else(|| wrong(&format!("a list of 1 to {most} orders, each a line without a comma"))),
            Takes::Json => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                match text.len() <= Reply::MOST_BYTES {
                    true => Ok(text),
                    false => Err(format!("`{name}` has more than {} KiB", Reply::MOST_BYTES >> 10)),
                }
            }
        }
    }
}

/// Orders for `droidmux step`, which separates them by commas.
fn orders(value: &Value, most: usize) -> Option<String> {
    let list = value.as_array()?;
    let harmless = |order: &&str| {
        order.len() <= 500
            && !order.trim().is_empty()
            && !order.contains(|c: char| c == ',' || c.is_control())
    };
    let orders: Vec<&str> =
        list.iter().map(|order| order.as_str().filter(harmless)).collect::<Option<_>>()?;
    (!orders.is_empty() && orders.len() <= most).then(|| orders.join(","))
}

/// The schema of a tool's arguments.
pub(super) fn schema(arguments: &[Argument]) -> Map<String, Value> {
    let properties: Map<String, Value> =
        arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
    let required: Vec<&str> =
        arguments.iter().filter(|argument| argument.required).map(|argument| argument.name).collect();
    let schema = [
        ("type", json!("object")),
        ("properties", Value::Object(properties)),
        ("required", json!(required)),
        ("additionalProperties", json!(false)),
    ];
    schema.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Reads what a client sent.
///
/// # Errors
/// What is wrong first.
pub(super) fn check(arguments: &'static [Argument], sent: &Map<String, Value>) -> Result<Checked, String> {
    if let Some(name) =
        sent.keys().find(|name| !arguments.iter().any(|argument| argument.name == name.as_str()))
    {
        let known: Vec<&str> = arguments.iter().map(|argument| argument.name).collect();
        let name: String = name.chars().take(MOST_TOLD).collect();
        return Err(match known.is_empty() {
            true => format!("this tool takes no arguments, not {name:?}"),
            false => format!("there is no argument {name:?}; there are {}", known.join(", ")),
        });
    }
    let mut checked = Vec::new();
    for argument in arguments {
        match sent.get(argument.name) {
            None | Some(Value::Null) if argument.required => {
                return Err(format!("`{}` is missing: {}", argument.name, argument.what));
            }
            None | Some(Value::Null) => {}
            Some(value) => checked.push((argument.name, argument.read(value)?)),
        }
    }
    Ok(Checked(checked))
}

impl Checked {
    /// An argument, if it was given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// A number, or what it is when it was not given.
    pub fn number(&self, name: &str, usual: usize) -> usize {
        self.get(name).and_then(|value| value.parse().ok()).unwrap_or(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGUMENTS: &[Argument] = &[
        Argument { name: "session", what: "which", takes: Takes::Session, required: true },
        Argument { name: "finding", what: "which", takes: Takes::Finding, required: false },
        Argument { name: "times", what: "how often", takes: Takes::Number(1, 10), required: false },
        Argument { name: "tier", what: "which", takes: Takes::Word(&["reported"]), required: false },
        Argument { name: "orders", what: "what to do", takes: Takes::Orders(2), required: false },
        Argument { name: "reply", what: "what to say", takes: Takes::Json, required: false },
    ];

    #[test]
    fn only_what_is_meant_gets_through() {
        let cases = [
            (json!({ "session": "s3" }), Ok("s3")),
            (
                json!({ "session": "s3", "finding": null, "times": 10, "tier": "reported" }),
                Ok("s3 10 reported"),
            ),
            (json!({ "session": "s3", "finding": "s3-1a2b3c4d" }), Ok("s3 s3-1a2b3c4d")),
            (
                json!({ "session": "s3", "orders": ["next", "insert click \"Save\""] }),
                Ok("s3 next,insert click \"Save\""),
            ),
            (json!({ "session": "s3", "reply": { "a": 1 } }), Ok(r#"s3 {"a":1}"#)),
            (json!({ "session": "s3", "reply": "{\"a\": 1}" }), Ok(r#"s3 {"a": 1}"#)),
            (json!({}), Err("`session` is missing: which")),
            (json!({ "session": "--store" }), Err("`session` is a session such as \"s3\", not \"--store\"")),
            (json!({ "session": 3 }), Err("`session` is a session such as \"s3\", not 3")),
            (json!({ "session": "s3", "finding": "s3-x" }), Err("`finding` is a finding such as")),
            (json!({ "session": "s3", "times": 11 }), Err("`times` is a whole number from 1 to 10, not 11")),
            (json!({ "session": "s3", "times": -1 }), Err("`times` is a whole number from 1 to 10, not -1")),
            (json!({ "session": "s3", "tier": "all" }), Err("`tier` is one of reported, not \"all\"")),
            (json!({ "session": "s3", "orders": [] }), Err("`orders` is a list of 1 to 2 orders")),
            (
                json!({ "session": "s3", "orders": ["a", "b", "c"] }),
                Err("`orders` is a list of 1 to 2 orders"),
            ),
            (
                json!({ "session": "s3", "orders": ["next,leave"] }),
                Err("`orders` is a list of 1 to 2 orders"),
            ),
            (
                json!({ "session": "s3", "orders": ["next\nleave"] }),
                Err("`orders` is a list of 1 to 2 orders"),
            ),
            (
                json!({ "session": "s3", "shell": "ls" }),
                Err("there is no argument \"shell\"; there are session,"),
            ),
            (json!({ "session": "s3", "reply": "x".repeat(300_000) }), Err("`reply` has more than 256 KiB")),
        ];
        for (sent, expected) in cases {
            let sent = sent.as_object().expect("an object");
            let read = check(ARGUMENTS, sent).map(|Checked(read)| {
                read.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(" ")
            });
            match expected {
                Ok(expected) => assert_eq!(read.as_deref(), Ok(expected), "{sent:?}"),
                Err(why) => {
                    assert!(read.as_ref().is_err_and(|said| said.starts_with(why)), "{why}: {read:?}")
                }
            }
        }
    }
}
