//! The parameters of a call, read as Jackson reads them for Java: a number may have decimals where a
//! whole one is wanted.

use serde_json::Value;

use super::rpc::Fault;
use super::selector::Selector;
use crate::gui::Point;

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
        let number = self.0.get(at).and_then(Value::as_f64).filter(|number| number.abs() < 1e9);
        // In this range the conversion only drops the decimals.
        number.map(|number| number as i32).ok_or(Fault::Parameters)
    }

    /// Milliseconds or steps: none below zero.
    pub(super) fn count(self, at: usize) -> Result<u32, Fault> {
        u32::try_from(self.int(at)?).map_err(|_| Fault::Parameters)
    }

    pub(super) fn point(self, at: usize) -> Result<Point, Fault> {
        Ok(Point { x: self.int(at)?, y: self.int(at + 1)? })
    }

    pub(super) fn bool(self, at: usize) -> Result<bool, Fault> {
        self.0.get(at).and_then(Value::as_bool).ok_or(Fault::Parameters)
    }

    /// A text; null counts as an empty one.
    pub(super) fn text(self, at: usize) -> Result<&'a str, Fault> {
        match self.0.get(at) {
            Some(Value::String(text)) => Ok(text),
            Some(Value::Null) => Ok(""),
            _ => Err(Fault::Parameters),
        }
    }

    pub(super) fn selector(self, at: usize) -> Result<Selector, Fault> {
        self.0.get(at).and_then(Selector::read).ok_or(Fault::Parameters)
    }
}
