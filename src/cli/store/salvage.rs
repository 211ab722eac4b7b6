//! `store salvage`.

use std::fmt::Write;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use color_eyre::eyre::WrapErr;
use serde::Serialize;

use super::archive;
use crate::output::json_line;
use crate::sizes::bytes;
use droidmux_llm::library::write_examples;
use droidmux_store::{self as store, Exported, Problem, Salvaged};
use droidmux_words::{figure::count, printable};

/// `droidmux store salvage --json`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "store-salvage"))]
pub(crate) struct SalvageJson {
    /// Nothing is lost.
    whole: bool,
    /// The archive, if there was anything to put into one.
    file: Option<PathBuf>,
    /// The file with the store's examples.
    examples: Option<PathBuf>,
    salvaged: Salvaged,
}

/// Writes what can be read of a store that is not open. True if that is everything.
pub(super) fn salvage(folder: &Path, output: &Path, json: bool) -> color_eyre::Result<(String, bool)> {
    let salvaged = store::salvage(folder, output).map_err(archive::told)?;
    let examples = match salvaged.examples.is_empty() {
        true => None,
        false => Some(keep_examples(&salvaged, output)?),
    };
    if json {
        let whole = salvaged.is_whole();
        let file = salvaged.exported.as_ref().map(|_| output.to_owned());
        return Ok((json_line(&SalvageJson { whole, file, examples, salvaged }), whole));
    }
    Ok((in_words(&salvaged, output, examples.as_deref()), salvaged.is_whole()))
}

/// Writes the examples beside the archive.
fn keep_examples(salvaged: &Salvaged, output: &Path) -> color_eyre::Result<PathBuf> {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".examples.toml");
    let path = output.with_file_name(name);
    let text = write_examples(salvaged.examples.iter().cloned())?;
    let made = OpenOptions::new().write(true).create_new(true).open(&path);
    made.and_then(|mut file| file.write_all(text.as_bytes()))
        .wrap_err_with(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn in_words(salvaged: &Salvaged, output: &Path, examples: Option<&Path>) -> String {
    // Writing to a string cannot fail.
    let mut text = String::new();
    match &salvaged.exported {
        Some(Exported { sessions, values, layouts, screenshots, bytes: size, .. }) => {
            let _ = writeln!(
                text,
                "{}: {} ({}), {values} values, {layouts} layouts, {screenshots} screenshots in {}",
                output.display(),
                count(sessions.len(), "session"),
                sessions.join(", "),
                bytes(*size),
            );
            let _ = writeln!(text, "`droidmux store import {}` takes them into a store", output.display());
        }
        None => text += "no session can be read: no archive was written\n",
    }
    if let Some(path) = examples {
        let told = count(salvaged.examples.len(), "example");
        let path = path.display();
        let _ = writeln!(text, "{path}: {told}; `droidmux examples import {path}` takes them in");
    }
    if salvaged.is_whole() {
        text += "nothing is lost\n";
        return text;
    }
    let _ = writeln!(text, "lost: {}", salvaged.lost.len() as u64 + salvaged.more);
    for Problem { at, what } in &salvaged.lost {
        let _ = writeln!(text, "  {}: {}", printable(at), printable(what));
    }
    if salvaged.more > 0 {
        let _ = writeln!(text, "  and {} more", salvaged.more);
    }
    text
}
