//! A call of a tool, from its arguments to its result.
//!
//! In: what a client sends. Out: what the tool's command says, as text and pictures, or in words why there is nothing.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::arguments::check;
use super::command::{Line, Program, Ran};
use super::tools::{Run, ToolEntry};
use crate::exit;
use droidmux_file as file;

/// Reading takes seconds, with a large store a minute.
const READING: Duration = Duration::from_secs(180);
/// A finding's tests on a slow device, several times over.
const ON_DEVICES: Duration = Duration::from_secs(30 * 60);

/// The most pictures of one result, and the most bytes of one of them.
const MOST_PICTURES: usize = 12;
const MOST_PICTURE: u64 = 4 << 20;

/// Lines of an account when no number is given.
const LINES: usize = 400;

/// A result.
pub(super) struct Told {
    pub text: String,
    /// PNG files in base64.
    pub pictures: Vec<String>,
}

impl ToolEntry {
    /// Carries out a call.
    ///
    /// # Errors
    /// In words, for the agent.
    pub async fn call(
        &self,
        program: &Program,
        sent: &Map<String, Value>,
        cancel: &CancellationToken,
    ) -> Result<Told, String> {
        let given = check(self.arguments, sent)?;
        let within = if self.devices { ON_DEVICES } else { READING };
        let line = |words: Vec<String>, input| Line {
            words: words.into_iter().map(OsString::from).collect(),
            input,
            within,
            lines: (0, usize::MAX),
            cancel,
        };
        let text = match &self.run {
            Run::Plain(words) => result(program.run(line(words(&given), "")).await?)?,
            Run::Fed(words, fed) => {
                let input = given.get(fed).unwrap_or_default();
                result(program.run(line(words(&given), input)).await?)?
            }
            Run::Lines(words) => {
                let (from, most) = (given.number("from", 0), given.number("lines", LINES));
                let chosen = Line { lines: (from, most), ..line(words(&given), "") };
                stretch(program.run(chosen).await?, from)?
            }
            Run::Pictured(words) => {
                let folder = tempfile::Builder::new().prefix("droidmux-mcp-").tempdir();
                let folder = folder.map_err(|error| format!("no folder for pictures: {error}"))?;
                let path = folder.path().to_str().ok_or("the folder for pictures has no UTF-8 path")?;
                let text = result(program.run(line(words(&given, path), "")).await?)?;
                let pictures = pictures(folder.path(), &text);
                // Nothing is there once the call has been answered.
                let text = text.replace(&format!("{path}/"), "");
                return Ok(Told { text, pictures });
            }
        };
        Ok(Told { text, pictures: Vec::new() })
    }
}

/// What a command said, if it did what it was to do.
fn result(ran: Ran) -> Result<String, String> {
    let Ran { output, more, messages, code } = ran;
    let told = [output.trim_end(), messages.trim_end()].into_iter().filter(|text| !text.is_empty());
    let told = told.collect::<Vec<_>>().join("\n");
    match code {
        None if more => Ok(format!("{told}\n[more was said than is told here]")),
        // A finding shows by its code.
        Some(code)
            if code == i32::from(exit::OK) || (code == i32::from(exit::FOUND) && !output.is_empty()) =>
        {
            Ok(if told.is_empty() { "nothing".into() } else { told })
        }
        _ => Err(if told.is_empty() { "the command failed and said nothing".into() } else { told }),
    }
}

/// A stretch of lines, with where to go on.
fn stretch(ran: Ran, from: usize) -> Result<String, String> {
    let (more, count) = (ran.more, ran.output.lines().count());
    if more {
        let next = from.saturating_add(count);
        return Ok(format!("{}[lines {from} to {next}; go on with \"from\": {next}]", ran.output));
    }
    let text = result(ran)?;
    Ok(if count == 0 { format!("there are no more than {from} lines") } else { text })
}

/// The pictures that a text names, in the order in which it does.
fn pictures(folder: &Path, text: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(usize, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let place = text.find(entry.path().to_str()?)?;
            let png = file::read(&entry.path(), MOST_PICTURE).ok()?;
            Some((place, STANDARD.encode(png)))
        })
        .collect();
    found.sort();
    found.into_iter().take(MOST_PICTURES).map(|(_, base64)| base64).collect()
}
