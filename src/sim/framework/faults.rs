//! The list of what the framework lab itself did wrong, for whoever mends it.
//!
//! In: a host's answers. Out: a line of JSON for each fault of each app, with the stack. Invariants: a fault that is there
//! is not added again; a full list stays as it is; hosts cannot write to it, and what they say is cut to a size.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most faults of a list.
const MOST: usize = 500;
/// Most bytes of a fault's words.
const LONGEST: usize = 16_000;
/// Most bytes that are read of a list.
const MOST_BYTES: u64 = 16 << 20;

/// One fault of the lab's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// `crash`, `lacking` when the app went on, `hung` when its host did not answer in time, or `full` when it had written
    /// too much and its host was ended.
    pub kind: String,
    /// The package and its version.
    pub app: String,
    /// The exception and its stack.
    pub words: String,
}

impl Fault {
    /// The one that an answer tells of.
    pub(super) fn of(app: &str, answer: &Value) -> Option<Self> {
        let told = |kind: &str| answer[kind].as_str().map(|words| (kind.to_owned(), words));
        let (kind, words) = match answer["of"].as_str() {
            Some("lab") => told("crash"),
            _ => None,
        }
        .or_else(|| told("lacking"))?;
        Some(Self { kind, app: app.to_owned(), words: cut(words).to_owned() })
    }

    /// A host tells by itself that it hangs, with the stacks of its threads.
    pub(super) fn hung(app: &str, line: &Value) -> Option<Self> {
        let (what, stacks) = (line["hung"].as_str()?, line["stacks"].as_str()?);
        let words = format!(
            "no answer to \"{what}\" for {} s\n{stacks}",
            line["seconds"].as_u64().unwrap_or_default()
        );
        Some(Self { kind: "hung".to_owned(), app: app.to_owned(), words: cut(&words).to_owned() })
    }

    /// The host of an app was ended since its folder holds too much.
    pub(super) fn full(app: &str, excess: &str) -> Self {
        let words = format!("{excess} in the folder of its host, which was ended and started again");
        Self { kind: "full".to_owned(), app: app.to_owned(), words }
    }

    /// The same fault has the same exception and the same frames; processes have other numbers.
    fn is(&self, other: &Self) -> bool {
        // How long the threads of a host have run is never the same.
        let frames = |fault: &Self| -> Vec<String> {
            let lines = fault.words.lines().filter(|line| fault.kind != "hung" || line.starts_with("  at "));
            lines.map(|line| line.split("PID: ").next().unwrap_or_default().to_owned()).collect()
        };
        self.app == other.app && frames(self) == frames(other)
    }
}

/// What a list takes of a fault's words.
fn cut(words: &str) -> &str {
    let end = (0..=LONGEST.min(words.len())).rev().find(|at| words.is_char_boundary(*at)).unwrap_or(0);
    words.get(..end).unwrap_or_default()
}

/// The faults of a list, the oldest first; none where there is no list. What is no fault is left out: half a line of a
/// process that was killed.
///
/// # Errors
/// When the list is there and cannot be read.
pub fn read_faults(list: &Path) -> io::Result<Vec<Fault>> {
    let mut text = Vec::new();
    match File::open(list) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?.take(MOST_BYTES).read_to_end(&mut text)?,
    };
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    Ok(lines.take(MOST).collect())
}

/// Adds a fault, unless it is there or the list is full.
pub(super) fn note(list: &Path, fault: &Fault) -> io::Result<()> {
    let known = read_faults(list)?;
    if known.len() >= MOST || known.iter().any(|each| each.is(fault)) {
        return Ok(());
    }
    let mut line = serde_json::to_vec(fault)?;
    line.push(b'\n');
    // In one piece: other processes add to it as well.
    OpenOptions::new().create(true).append(true).open(list)?.write_all(&line)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_fault_is_listed_once_for_each_app() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("faults.jsonl");
        assert_eq!(read_faults(&list).expect("none"), []);
        let answers = [
            ("a 1", json!({ "ok": true, "of": "lab", "crash": "Process: a, PID: 7\nX\n at y" })),
            ("a 1", json!({ "ok": true, "of": "lab", "crash": "Process: a, PID: 9\nX\n at y" })),
            ("b 1", json!({ "ok": true, "of": "lab", "crash": "Process: a, PID: 9\nX\n at y" })),
            ("a 1", json!({ "ok": true, "of": "app", "crash": "its own" })),
            ("a 1", json!({ "ok": true, "lacking": "\u{e9}".repeat(LONGEST) })),
            ("a 1", json!({ "ok": true })),
        ];
        for (app, answer) in answers {
            if let Some(fault) = Fault::of(app, &answer) {
                note(&list, &fault).expect("noted");
            }
        }
        for (what, used) in [("tap", 7), ("tap", 9), ("key", 9)] {
            let stacks = format!("\"main\" RUNNABLE, {used} ms of the processor\n  at a.B.{what}(B.java)\n");
            let line = json!({ "hung": what, "seconds": 25, "stacks": stacks });
            note(&list, &Fault::hung("a 1", &line).expect("a fault")).expect("noted");
        }
        assert_eq!(Fault::hung("a 1", &json!({ "hung": 7 })), None);
        std::fs::write(folder.path().join("half"), "{\"kind\":\"cr").expect("a file");
        let faults = read_faults(&list).expect("a list");
        let told: Vec<_> = faults.iter().map(|fault| (&*fault.kind, &*fault.app)).collect();
        assert_eq!(
            told,
            [("crash", "a 1"), ("crash", "b 1"), ("lacking", "a 1"), ("hung", "a 1"), ("hung", "a 1")]
        );
        assert_eq!(faults.get(2).map(|fault| fault.words.len()), Some(LONGEST));
        assert_eq!(read_faults(&folder.path().join("half")).expect("a list"), []);
    }
}
