//! The parameters of a call, read as Jackson reads them for Java: a number may have decimals where
//! an integer is wanted, numbers and booleans may be given as texts, and texts as numbers or
//! booleans.

use serde_json::Value;

use super::rpc::Fault;
use super::selector::Selector;
use droidmux_gui::Point;
use droidmux_words::number::pixel;

/// Parameters by position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Params<'a>(&'a [Value]);

/// An array's values; a client without parameters sends an empty object.
pub(super) fn list(params: &Value) -> Vec<Value> {
    match params {
        Value::Array(values) => values.clone(),
        _ => Vec::new(),
    }
}

impl<'a> Params<'a> {
    pub(super) fn new(values: &'a [Value]) -> Self {
        Self(values)
    }

    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// True when the parameter at this place is a selector.
    pub(super) fn is_selector(self, at: usize) -> bool {
        self.0.get(at).is_some_and(Value::is_object)
    }

    pub(super) fn int(self, at: usize) -> Result<i32, Fault> {
        self.0.get(at).and_then(int).ok_or(Fault::Parameters)
    }

    /// Milliseconds or steps: never negative.
    pub(super) fn count(self, at: usize) -> Result<u32, Fault> {
        u32::try_from(self.int(at)?).map_err(|_| Fault::Parameters)
    }

    pub(super) fn point(self, at: usize) -> Result<Point, Fault> {
        Ok(Point { x: self.int(at)?, y: self.int(at + 1)? })
    }

    pub(super) fn bool(self, at: usize) -> Result<bool, Fault> {
        self.0.get(at).and_then(truth).ok_or(Fault::Parameters)
    }

    /// A list of whole numbers.
    pub(super) fn ints(self, at: usize) -> Result<Vec<i32>, Fault> {
        let list = self.0.get(at).and_then(Value::as_array).ok_or(Fault::Parameters)?;
        list.iter().map(int).collect::<Option<_>>().ok_or(Fault::Parameters)
    }

    /// A text; null counts as an empty one.
    pub(super) fn text(self, at: usize) -> Result<&'a str, Fault> {
        match self.0.get(at) {
            Some(Value::String(text)) => Ok(text),
            Some(Value::Null) => Ok(""),
            _ => Err(Fault::Parameters),
        }
    }

    /// As Java takes a text or null.
    pub(super) fn word(self, at: usize) -> Result<Option<&'a str>, Fault> {
        match self.0.get(at) {
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Null) => Ok(None),
            _ => Err(Fault::Parameters),
        }
    }

    pub(super) fn value(self, at: usize) -> Result<&'a Value, Fault> {
        self.0.get(at).ok_or(Fault::Parameters)
    }

    pub(super) fn selector(self, at: usize) -> Result<Selector, Fault> {
        self.0.get(at).and_then(Selector::read).ok_or(Fault::Parameters)
    }
}

/// A whole number. A text may be one, too, but without decimals.
pub(super) fn int(value: &Value) -> Option<i32> {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.abs() < 1e9)?;
            // Java drops the decimals.
            Some(pixel(number.trunc()))
        }
        // Jackson reads an empty text as the type's own default.
        Value::String(text) if text.trim().is_empty() => Some(0),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A boolean, the text of one, or a number, of which 0 is false.
pub(super) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Number(number) => number.as_i64().map(|number| number != 0),
        Value::String(text) => match text.trim() {
            "true" | "True" => Some(true),
            "false" | "False" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A text; other scalars become what they print as.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scalars_are_read_as_jackson_reads_them() {
        for (value, expected) in [
            (json!(3), (Some(3), Some(true), Some("3"))),
            (json!(0), (Some(0), Some(false), Some("0"))),
            (json!("3"), (Some(3), None, Some("3"))),
            (json!(" 3 "), (Some(3), None, Some(" 3 "))),
            (json!("3.5"), (None, None, Some("3.5"))),
            (json!(3.9), (Some(3), None, Some("3.9"))),
            (json!("true"), (None, Some(true), Some("true"))),
            (json!("False"), (None, Some(false), Some("False"))),
            (json!(true), (None, Some(true), Some("true"))),
            (json!("yes"), (None, None, Some("yes"))),
            (json!(null), (None, None, None)),
            (json!([1]), (None, None, None)),
        ] {
            let read = (int(&value), truth(&value), text(&value));
            assert_eq!((read.0, read.1, read.2.as_deref()), expected, "{value}");
        }
    }
}
