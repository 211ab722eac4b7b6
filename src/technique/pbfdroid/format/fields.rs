//! The fields of one JSON object, with its place for messages.

use serde_json::{Map, Value};

use super::FormatError;
use droidmux_gui::nearest;
use droidmux_words::printable;

/// An object with the fields that are read from it. Others are ignored, as in PBFDroid.
pub(super) struct Fields<'a> {
    file: &'a str,
    /// What it is, e.g. `function 2, "add task", widget 3`; empty for the whole file.
    place: String,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The object a file consists of.
    pub fn root(file: &'a str, value: &'a Value, known: &[&str]) -> Result<Self, FormatError> {
        Self::new(file, "the file".to_owned(), value, known)
    }

    pub fn new(file: &'a str, place: String, value: &'a Value, known: &[&str]) -> Result<Self, FormatError> {
        let Value::Object(object) = value else {
            let what = format!("is {}, not an object", kind(value));
            return Err(FormatError::Wrong { file: file.to_owned(), place, what });
        };
        let fields = Self { file, place, object };
        match unread(object, known).find(|key| is_misspelt(object, key, known)) {
            Some(key) => Err(fields.complaint(unknown("field", key, known.iter().copied()))),
            None => Ok(fields),
        }
    }

    /// An object in one of this one's lists.
    pub fn inner(
        &self,
        what: &str,
        number: usize,
        value: &'a Value,
        known: &[&str],
    ) -> Result<Self, FormatError> {
        Self::new(self.file, format!("{}, {what} {}", self.place, number + 1), value, known)
    }

    /// Complains when the field is not there.
    pub fn required(&self, key: &str) -> Result<(), FormatError> {
        if self.object.contains_key(key) {
            return Ok(());
        }
        Err(self.complaint(format!("`{key}` is missing")))
    }

    /// A text; a number counts as its digits, a missing field as the empty text.
    pub fn text(&self, key: &str) -> Result<String, FormatError> {
        match self.object.get(key) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            Some(other) => Err(self.wrong(key, &format!("is {}, not a text", kind(other)))),
        }
    }

    /// A text that says something.
    pub fn name(&self, key: &str) -> Result<String, FormatError> {
        self.required(key)?;
        let text = self.text(key)?;
        if text.is_empty() { Err(self.wrong(key, "is empty")) } else { Ok(text) }
    }

    /// A number from 0 to `most`, written as text or as a number; `None` for the empty text.
    pub fn number(&self, key: &str, most: u32) -> Result<Option<u32>, FormatError> {
        let text = self.text(key)?;
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse() {
            Ok(number) if number <= most => Ok(Some(number)),
            _ => Err(self.wrong(key, &format!("is {}, not a number from 0 to {most}", quoted(&text)))),
        }
    }

    /// A flag; a missing field is true.
    pub fn flag(&self, key: &str) -> Result<bool, FormatError> {
        match self.object.get(key) {
            None => Ok(true),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(key, &format!("is {}, not true or false", kind(other)))),
        }
    }

    /// A list; a missing field is an empty one.
    pub fn list(&self, key: &str, most: usize) -> Result<&'a [Value], FormatError> {
        match self.object.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) if list.len() <= most => Ok(list),
            Some(Value::Array(list)) => {
                Err(self.wrong(key, &format!("has {} entries, more than {most}", list.len())))
            }
            Some(other) => Err(self.wrong(key, &format!("is {}, not a list", kind(other)))),
        }
    }

    /// One of the values of a type, by the name the files give it.
    pub fn one_of<T: Copy>(
        &self,
        key: &str,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, FormatError> {
        let text = self.name(key)?;
        let found = all.iter().copied().find(|value| name(*value) == text);
        found.ok_or_else(|| self.complaint(unknown(key, &text, all.iter().copied().map(name))))
    }

    /// What is wrong with a field.
    pub fn wrong(&self, key: &str, what: &str) -> FormatError {
        self.complaint(format!("`{key}` {what}"))
    }

    fn complaint(&self, what: String) -> FormatError {
        FormatError::Wrong { file: self.file.to_owned(), place: self.place.clone(), what }
    }
}

/// The fields of an object that are not read.
pub(super) fn unread<'a>(object: &'a Map<String, Value>, known: &[&str]) -> impl Iterator<Item = &'a str> {
    object.keys().map(String::as_str).filter(|key| !known.contains(key))
}

/// True for a field that is not known but much like one that is not there.
fn is_misspelt(object: &Map<String, Value>, key: &str, known: &[&str]) -> bool {
    nearest(key, known.iter().copied()).is_some_and(|meant| !object.contains_key(meant))
}

/// A text of the file in a message: short and printable.
pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("`{}`", printable(&short))
}

fn unknown<'a>(what: &str, given: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let there_are = known.clone().collect::<Vec<_>>().join(", ");
    match nearest(given, known) {
        Some(name) => {
            format!("unknown {what} {} (did you mean `{name}`?); there are: {there_are}", quoted(given))
        }
        None => format!("unknown {what} {}; there are: {there_are}", quoted(given)),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
