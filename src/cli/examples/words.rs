//! Examples in lines for people and for programs.

use std::path::Path;

use serde_json::{Value, json};

use super::catalogue::Entry;
use crate::output::json_line;
use droidmux_record::{Example, ExampleKind};
use droidmux_words::{figure::count, printable};

/// How many characters of an input or a story a line shows.
const SHOWN: usize = 60;

pub(super) fn lines(entries: &[&Entry]) -> String {
    if entries.is_empty() {
        return "no examples\n".to_owned();
    }
    entries.iter().map(|entry| line(&entry.example, if entry.is_stored { "" } else { "  (ships)" })).collect()
}

pub(super) fn json_lines(entries: &[&Entry]) -> String {
    entries.iter().map(|entry| json_line(&json(entry))).collect()
}

/// What was done to which examples.
pub(super) fn told(done: &str, examples: &[Example]) -> String {
    examples.iter().map(|example| format!("{done} {}", line(example, ""))).collect()
}

/// What an exported or imported file holds, and how much of it was new.
pub(super) fn exchanged(file: &Path, examples: &[Example], new: usize) -> String {
    let inputs = examples.iter().filter(|example| example.kind() == ExampleKind::Input).count();
    let known = examples.len() - new;
    let known = if known == 0 { String::new() } else { format!(", {known} of them known already") };
    let (inputs, bugs) = (count(inputs, "input"), count(examples.len() - inputs, "bug"));
    format!("{}: {inputs} and {bugs}{known}\n", file.display())
}

fn line(example: &Example, mark: &str) -> String {
    let (id, kind) = (example.id(), example.kind().name());
    let (words, rest) = match example {
        Example::Input(example) => (&example.context, format!("{:?}", short(&example.input))),
        Example::Bug(example) => (&example.activity, short(&example.actual)),
    };
    let app = if example.app().is_empty() { String::new() } else { format!("  {}", example.app()) };
    let from = if example.from().is_empty() { String::new() } else { format!("  from {}", example.from()) };
    printable(&format!("{id}  {kind:5}  {}: {rest}{app}{from}{mark}", short(words))).into_owned() + "\n"
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn json(entry: &Entry) -> Value {
    let (kind, example) = match &entry.example {
        Example::Input(example) => ("input", json!(example)),
        Example::Bug(example) => ("bug", json!(example)),
    };
    json!({ "id": entry.example.id().to_string(), "kind": kind, "stored": entry.is_stored, "example": example })
}
