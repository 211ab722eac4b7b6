//! An example in the user's editor.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use color_eyre::eyre::{WrapErr, eyre};
use tempfile::TempPath;

use crate::Usage;
use crate::specification_file::read_text;
use droidmux_llm::library::{read_examples, write_examples};
use droidmux_record::Example;

/// What the person made of the example.
///
/// # Errors
/// `Usage` when there is no editor, or when what was saved is not exactly one example: the file is kept then, and the
/// error names it.
pub(super) fn edited(example: &Example) -> color_eyre::Result<Example> {
    let named =
        ["VISUAL", "EDITOR"].into_iter().find_map(|name| env::var(name).ok().filter(|e| !e.is_empty()));
    let no_editor = "no editor is named by VISUAL or EDITOR: name the fields to change, as `--rule WORDS`";
    let editor = named.ok_or_else(|| Usage::new(no_editor))?;
    let path = write(example).wrap_err("the example cannot be written for the editor")?;
    // The variable may hold arguments as well.
    let status = Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(&path).status();
    let status = status.wrap_err_with(|| format!("the editor `{editor}` cannot be started"))?;
    if !status.success() {
        return Err(eyre!("the editor `{editor}` ended with {status}; nothing was changed"));
    }
    let example = read(&path);
    if example.is_err() {
        path.keep()?;
    }
    example
}

/// A new file that only this user can read; it goes with its path.
fn write(example: &Example) -> color_eyre::Result<TempPath> {
    let prefix = format!("droidmux-{}-", example.id());
    let mut file = tempfile::Builder::new().prefix(&prefix).suffix(".toml").tempfile()?;
    file.write_all(write_examples([example.clone()])?.as_bytes())?;
    Ok(file.into_temp_path())
}

fn read(path: &Path) -> color_eyre::Result<Example> {
    let shown = path.display();
    let text = read_text(path).wrap_err_with(|| format!("{shown} cannot be read"))?;
    let examples = read_examples(&text).map_err(|error| Usage::new(format!("{shown}: {error}")))?;
    match <[Example; 1]>::try_from(examples) {
        Ok([example]) => Ok(example),
        Err(examples) => {
            Err(Usage::new(format!("{shown}: {} examples instead of one", examples.len())).into())
        }
    }
}
