//! Examples as a TOML file: those that ship, and those that people export, edit and import.
//!
//! ```toml
//! [[input]]
//! context = "weight in kg; Add entry; Save"
//! rule = "digits of another script"
//! input = "٧٢"
//!
//! [[bug]]
//! activity = "SearchActivity"
//! function = "search"
//! steps = ["tap the search field", "type a word", "tap the clear button"]
//! expected = "the field is empty and all items are listed"
//! actual = "the field is empty and the filtered items stay"
//! ```

use serde::{Deserialize, Serialize};
use thiserror::Error;

use droidmux_record::{BugExample, Example, Generation, InputExample};

/// The most bytes of any text of an example except the input.
const MOST_TEXT: usize = 4_000;
const MOST_STEPS: usize = 50;

/// Why a file of examples cannot be imported; none of its examples is.
#[derive(Debug, Error)]
pub enum ExampleFileError {
    /// The text is not TOML, or has unknown fields; says where, with line and column.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// An example that says too little or too much.
    #[error("the {kind} example number {number} cannot be used: {why}")]
    Example {
        /// `input` or `bug`.
        kind: &'static str,
        /// Counted from 1 among those of its kind.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ExampleFile {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    input: Vec<InputExample>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bug: Vec<BugExample>,
}

/// The examples in such a file, inputs first.
///
/// # Errors
/// When it is not valid TOML of this kind, or an example is incomplete or too long.
pub fn read_examples(text: &str) -> Result<Vec<Example>, ExampleFileError> {
    let file: ExampleFile = toml::from_str(text)?;
    let inputs = (1..).zip(file.input.into_iter().map(Example::Input));
    let bugs = (1..).zip(file.bug.into_iter().map(Example::Bug));
    let sound = |(number, example): (usize, Example)| match complaint(&example) {
        Some(why) => Err(ExampleFileError::Example { kind: example.kind().name(), number, why }),
        None => Ok(example),
    };
    inputs.chain(bugs).map(sound).collect()
}

/// Such a file of these examples.
///
/// # Errors
/// If TOML cannot represent it.
pub fn write_examples(examples: impl IntoIterator<Item = Example>) -> Result<String, toml::ser::Error> {
    let mut file = ExampleFile::default();
    for example in examples {
        match example {
            Example::Input(example) => file.input.push(example),
            Example::Bug(example) => file.bug.push(example),
        }
    }
    toml::to_string_pretty(&file)
}

/// Why an example cannot be used, if it cannot.
pub fn complaint(example: &Example) -> Option<String> {
    let (texts, needed) = match example {
        Example::Input(example) => {
            if example.input.len() > Generation::MOST_BYTES {
                return Some(format!("`input` has more than {} bytes", Generation::MOST_BYTES));
            }
            let texts = vec![
                ("app", &example.app),
                ("context", &example.context),
                ("rule", &example.rule),
                ("from", &example.from),
            ];
            (texts, &["context"][..])
        }
        Example::Bug(example) => {
            if example.steps.len() > MOST_STEPS || example.steps.iter().any(|step| step.len() > MOST_TEXT) {
                return Some(format!("`steps` has more than {MOST_STEPS} steps, or one is too long"));
            }
            let texts = vec![
                ("app", &example.app),
                ("activity", &example.activity),
                ("function", &example.function),
                ("expected", &example.expected),
                ("actual", &example.actual),
                ("from", &example.from),
            ];
            (texts, &["activity", "expected", "actual"][..])
        }
    };
    let complaint = |(name, text): &(&str, &String)| match text.len() {
        0 if needed.contains(name) => Some(format!("`{name}` is empty")),
        length if length > MOST_TEXT => Some(format!("`{name}` has more than {MOST_TEXT} bytes")),
        _ => None,
    };
    texts.iter().find_map(complaint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_read_back() {
        let all = vec![
            Example::Input(InputExample {
                app: "org.a".into(),
                context: "name".into(),
                rule: "controls\nand \"quotes\"".into(),
                from: "s7-1a2b3c4d".into(),
                input: "a\0\u{1}\u{10d800}\r\n\t'''\"\"\"\\".into(),
            }),
            Example::Bug(BugExample {
                activity: "Main".into(),
                steps: vec!["one".into(), "two".into()],
                expected: "this".into(),
                actual: "that".into(),
                ..BugExample::default()
            }),
        ];
        let text = write_examples(all.clone()).expect("it can be written");
        assert_eq!(read_examples(&text).expect("it reads"), all);
        assert_eq!(write_examples([]).expect("it can be written"), "");
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let long = format!("[[input]]\ncontext = \"{}\"\ninput = \"\"", "x".repeat(MOST_TEXT + 1));
        let cases = [
            ("", Ok(0)),
            ("[[input]]\ncontext = \"a\"\ninput = \"\"", Ok(1)),
            (
                "[[input]]\ncontext = \"\"\ninput = \"x\"",
                Err("input example number 1 cannot be used: `context` is empty"),
            ),
            ("[[input]]\ncontext = \"a\"", Err("missing field `input`")),
            ("[[input]]\ncontext = \"a\"\ninput = \"\"\nprompt = \"\"", Err("unknown field `prompt`")),
            ("[[crash]]", Err("unknown field `crash`")),
            (&long, Err("`context` has more than 4000 bytes")),
            (
                "[[bug]]\nactivity = \"a\"\nfunction = \"\"\nsteps = []\nexpected = \"\"\nactual = \"\"",
                Err("`expected` is empty"),
            ),
        ];
        for (text, expected) in cases {
            match (read_examples(text), expected) {
                (Ok(read), Ok(count)) => assert_eq!(read.len(), count, "{text}"),
                (Err(error), Err(said)) => assert!(error.to_string().contains(said), "{error} is not {said}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
    }
}
