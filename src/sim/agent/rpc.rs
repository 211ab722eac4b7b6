//! JSON-RPC 2.0 as jsonrpc4j speaks it: one call or an array of calls, which are done one after the
//! other.

use std::sync::Arc;

use serde_json::{Value, json};

use super::methods::call;
use super::params::Params;
use super::{Running, params};
use crate::SimDevice;
use droidmux_gui::text_of_units;

/// The most calls in one batch.
const MAX_BATCH: usize = 64;

/// Why a call fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NoMethod,
    /// No form of the method takes these parameters.
    Parameters,
    /// What was looked for is not on the screen; with its selector.
    NotFound(String),
}

impl Fault {
    fn error(&self) -> Value {
        match self {
            Fault::NoMethod => json!({"code": -32601, "message": "method not found"}),
            Fault::Parameters => json!({"code": -32602, "message": "method parameters invalid"}),
            Fault::NotFound(selector) => json!({
                "code": -32001,
                "message": "androidx.test.uiautomator.UiObjectNotFoundException",
                "data": selector,
            }),
        }
    }
}

/// The answer to a request's body.
pub(super) async fn answer(device: &Arc<SimDevice>, running: &Running, body: &[u8]) -> Vec<u8> {
    let failed = |code: i32, message: &str| {
        let error = json!({"code": code, "message": message});
        json!({"jsonrpc": "2.0", "id": "null", "error": error})
    };
    let answer = match serde_json::from_slice::<Value>(&lifted(body)) {
        Err(_) => failed(-32700, "JSON parse error"),
        Ok(Value::Array(calls)) if calls.len() <= MAX_BATCH => {
            let mut answers = Vec::new();
            for one in &calls {
                answers.push(answer_one(device, running, one).await);
            }
            Value::Array(answers)
        }
        Ok(one @ Value::Object(_)) => answer_one(device, running, &one).await,
        Ok(_) => failed(-32600, "invalid request"),
    };
    let mut text = answer.to_string();
    text.push('\n');
    text.into_bytes()
}

/// The same JSON with lone halves of surrogate pairs as the private characters that stand for them: Java
/// accepts `\ud83d` alone in a text, this reader does not.
fn lifted(body: &[u8]) -> Vec<u8> {
    let mut json = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((&byte, behind)) = rest.split_first() {
        let (first, second) = (unit(rest), rest.get(6..).and_then(unit));
        let taken = match (first, second) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => rest.get(..12),
            (Some(half @ 0xd800..=0xdfff), _) => {
                for unit in text_of_units(&[half]).encode_utf16() {
                    json.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
                }
                rest = rest.get(6..).unwrap_or_default();
                continue;
            }
            // An escaped backslash does not begin an escape.
            _ if byte == b'\\' && !behind.is_empty() => rest.get(..2),
            _ => rest.get(..1),
        };
        let taken = taken.unwrap_or(rest);
        json.extend_from_slice(taken);
        rest = rest.get(taken.len()..).unwrap_or_default();
    }
    json
}

/// The unit that an escape `\uXXXX` at the start of this text stands for.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(text.strip_prefix(b"\\u")?.get(..4)?).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

async fn answer_one(device: &Arc<SimDevice>, running: &Running, one: &Value) -> Value {
    let id = one.get("id").cloned().unwrap_or(Value::Null);
    let method = one.get("method").and_then(Value::as_str).unwrap_or_default();
    let params = one.get("params").map(params::list).unwrap_or_default();
    match call(device, running, method, Params::new(&params)).await {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(fault) => json!({"jsonrpc": "2.0", "id": id, "error": fault.error()}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs_are_read() {
        let cases = [
            (r#""a""#, Some("a")),
            (r#""\ud83d\ude00""#, Some("😀")),
            (r#""x\ud83dy""#, Some("x\u{10d83d}y")),
            (r#""\ude00\ud83d""#, Some("\u{10de00}\u{10d83d}")),
            (r#""\\ud83d \u00e9""#, Some("\\ud83d é")),
            (r#""\ud83d"#, None),
            (r#""\"#, None),
            ("", None),
        ];
        for (json, expected) in cases {
            let read = serde_json::from_slice::<String>(&lifted(json.as_bytes())).ok();
            assert_eq!(read.as_deref(), expected, "{json}");
        }
    }
}
