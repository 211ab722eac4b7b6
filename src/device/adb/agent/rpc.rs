//! JSON-RPC 2.0 with the agent: several calls in one request, done one after the other.

use std::fmt::Write;

use serde::Deserialize;
use serde_json::{Value, json};

use droidmux_gui::{Point, units_of_text};

/// A call: the method and its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    method: &'static str,
    params: Value,
}

/// The reason the agent gives for a failed call: mostly the Java exception's class.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(in crate::adb) struct Refusal {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

/// Why an answer does not fit its request.
#[derive(Debug, thiserror::Error)]
pub(super) enum RpcError {
    #[error("its answer is not what was asked for: {0}")]
    Form(#[from] serde_json::Error),
    #[error("it answers what was not asked")]
    Unasked,
    #[error("it answers twice")]
    Twice,
    #[error("it left a question unanswered")]
    Unanswered,
}

/// The answer to one call.
pub(super) type Answer = Result<Value, Refusal>;

#[derive(Deserialize)]
struct Reply {
    id: usize,
    #[serde(default)]
    result: Value,
    error: Option<Refusal>,
}

/// Levels of widgets requested, not counting the root: as many as the reader accepts. The agent's own default of 50
/// cuts real screens.
const DEPTH: usize = droidmux_gui::dump::MAX_DEPTH - 1;

/// The widget that has the focus.
fn focused() -> Value {
    const MASK_FOCUSED: u32 = 0x2_0000;
    json!({"mask": MASK_FOCUSED, "focused": true, "childOrSibling": [], "childOrSiblingSelector": []})
}

impl Call {
    pub(super) const WAIT_FOR_UPDATE: &str = "waitForWindowUpdate";
    pub(super) const FINGER: &str = "injectInputEvent";
    pub(super) const TOAST: &str = "getLastToast";

    /// Waits until the screen has been quiet for half a second, or until this time is up; never fails.
    pub(super) fn wait_for_idle(milliseconds: u64) -> Self {
        Self { method: "waitForIdle", params: json!([milliseconds]) }
    }

    /// The active window only, as `uiautomator dump` returns it, uncompressed.
    pub(super) fn dump() -> Self {
        Self { method: "dumpWindowHierarchy", params: json!([false, DEPTH, true]) }
    }

    /// Waits until the content of any window changes, or until this time is up: says whether it did.
    pub(super) fn wait_for_update(milliseconds: u64) -> Self {
        Self { method: Self::WAIT_FOR_UPDATE, params: json!([null, milliseconds]) }
    }

    /// A finger goes down or up.
    pub(super) fn finger(down: bool, at: Point) -> Self {
        // `MotionEvent.ACTION_DOWN` and `ACTION_UP`.
        Self { method: Self::FINGER, params: json!([i32::from(!down), at.x, at.y, 0]) }
    }

    /// A finger rests for this long.
    pub(super) fn press(at: Point, milliseconds: u32) -> Self {
        Self { method: "click", params: json!([at.x, at.y, milliseconds]) }
    }

    /// A finger drags for this long.
    pub(super) fn drag(from: Point, to: Point, milliseconds: u32) -> Self {
        // `UiDevice.swipe`: each step takes 5 ms.
        let steps = milliseconds / 5;
        Self { method: "swipe", params: json!([from.x, from.y, to.x, to.y, steps]) }
    }

    /// A key goes down and up.
    pub(super) fn key(code: u32) -> Self {
        Self { method: "pressKeyCode", params: json!([code]) }
    }

    /// What the last toast said since the last [`Call::forget_toast`].
    pub(super) fn last_toast() -> Self {
        Self { method: Self::TOAST, params: json!([]) }
    }

    pub(super) fn forget_toast() -> Self {
        Self { method: "clearLastToast", params: json!([]) }
    }

    pub(super) fn method(&self) -> &'static str {
        self.method
    }

    pub(super) fn wait_for_focus(milliseconds: u64) -> Self {
        Self { method: "waitForExists", params: json!([focused(), milliseconds]) }
    }

    /// Replaces the text of the field that has the focus.
    pub(super) fn set_text(text: &str) -> Self {
        Self { method: "setText", params: json!([focused(), text]) }
    }
}

impl Refusal {
    /// The agent has no such method, or none with these parameters: its version is another.
    pub(super) fn is_no_method(&self) -> bool {
        const NO_METHOD: i64 = -32_601;
        const PARAMETERS: i64 = -32_602;
        matches!(self.code, NO_METHOD | PARAMETERS)
    }

    /// The widget that was meant is not there.
    pub(super) fn is_not_found(&self) -> bool {
        self.message.contains("UiObjectNotFoundException")
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let message: String = self.message.chars().take(200).collect();
        write!(f, "it failed with {} ({})", droidmux_words::printable(&message), self.code)
    }
}

/// The request for these calls, in ASCII: the agent's HTTP server assumes that bodies are ASCII unless told otherwise.
pub(super) fn request(calls: &[Call]) -> String {
    let call = |(id, call): (usize, &Call)| {
        let Call { method, params } = call;
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    };
    let text = Value::Array(calls.iter().enumerate().map(call).collect()).to_string();
    let mut ascii = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii() {
            ascii.push(char);
            continue;
        }
        // Includes halves of surrogate pairs, which JSON's escapes can represent.
        for unit in units_of_text(char.encode_utf8(&mut [0; 4])) {
            // Writing to a string cannot fail.
            let _ = write!(ascii, "\\u{unit:04x}");
        }
    }
    ascii
}

/// The answers to `count` calls, in their order.
///
/// # Errors
/// When it is not an answer to such a request.
pub(super) fn read(body: &[u8], count: usize) -> Result<Vec<Answer>, RpcError> {
    let replies: Vec<Reply> = serde_json::from_slice(body)?;
    let mut answers: Vec<Option<Answer>> = vec![None; count];
    for reply in replies {
        let slot = answers.get_mut(reply.id).ok_or(RpcError::Unasked)?;
        if slot.is_some() {
            return Err(RpcError::Twice);
        }
        *slot = Some(reply.error.map_or(Ok(reply.result), Err));
    }
    answers.into_iter().collect::<Option<Vec<Answer>>>().ok_or(RpcError::Unanswered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_ascii() {
        let text = request(&[Call::wait_for_idle(9), Call::set_text("é \u{1f600} \" שלום")]);
        assert!(text.is_ascii());
        assert!(text.contains(r#""é"#.replace('é', r"\u00e9").as_str()) && text.contains(r"\ud83d\ude00"));
        let back: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(back.pointer("/1/params/1"), Some(&json!("é \u{1f600} \" שלום")));
        assert_eq!(back.pointer("/0/params"), Some(&json!([9])));
        let halves = request(&[Call::set_text("a\u{10d83d}b\u{10de00}")]);
        assert!(halves.contains(r#""a\ud83db\ude00""#), "{halves}");
    }

    #[test]
    fn answers_are_told_apart() {
        let refused = |code, message: &str| Err(Refusal { code, message: message.into() });
        let cases = [
            (r#"[{"id":0,"result":"a"},{"id":1,"result":true}]"#, Ok(vec![Ok(json!("a")), Ok(json!(true))])),
            (r#"[{"id":1,"result":2},{"id":0}]"#, Ok(vec![Ok(Value::Null), Ok(json!(2))])),
            (
                r#"[{"id":0,"result":1},{"id":1,"error":{"code":-32001,"message":"x.Y","data":["?"]}}]"#,
                Ok(vec![Ok(json!(1)), refused(-32001, "x.Y")]),
            ),
            (r#"[{"id":0,"error":{}},{"id":1}]"#, Ok(vec![refused(0, ""), Ok(Value::Null)])),
            (r#"[{"id":0},{"id":0}]"#, Err("twice")),
            (r#"[{"id":0}]"#, Err("unanswered")),
            (r#"[{"id":0},{"id":7}]"#, Err("not asked")),
            (r#"[{"id":-1},{"id":1}]"#, Err("not what was asked")),
            (r#"[{"id":0,"error":"x"},{"id":1}]"#, Err("not what was asked")),
            (r#"{"id":0,"result":1}"#, Err("not what was asked")),
            ("[", Err("not what was asked")),
            ("", Err("not what was asked")),
            ("\u{0}\u{1}", Err("not what was asked")),
        ];
        for (body, expected) in cases {
            let got = read(body.as_bytes(), 2);
            match (&got, &expected) {
                (Err(said), Err(part)) => assert!(said.to_string().contains(part), "{body}: {said}"),
                _ => assert_eq!(got.ok(), expected.ok(), "{body}"),
            }
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read(deep.as_bytes(), 1).is_err());
    }
}
