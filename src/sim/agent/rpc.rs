//! JSON-RPC 2.0 as jsonrpc4j speaks it: one call or an array of calls, which are done one after the
//! other.

use std::sync::Arc;

use serde_json::{Value, json};

use super::methods::call;
use super::params::Params;
use super::{Running, params};
use crate::sim::SimDevice;

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
    let answer = match serde_json::from_slice::<Value>(body) {
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

async fn answer_one(device: &Arc<SimDevice>, running: &Running, one: &Value) -> Value {
    let id = one.get("id").cloned().unwrap_or(Value::Null);
    let method = one.get("method").and_then(Value::as_str).unwrap_or_default();
    let params = one.get("params").map(params::list).unwrap_or_default();
    match call(device, running, method, Params::new(&params)).await {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(fault) => {
            if !matches!(fault, Fault::NotFound(_)) {
                device.note_unknown(&format!("agent: {method} with {} parameters", params.len()));
            }
            json!({"jsonrpc": "2.0", "id": id, "error": fault.error()})
        }
    }
}
