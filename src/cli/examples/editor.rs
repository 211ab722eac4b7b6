//! An example in the user's editor.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use color_eyre::eyre::{WrapErr, eyre};

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
    let editor = named.ok_or_else(|| Usage(no_editor.into()))?;
    let path = write(example)?;
    // The variable may hold arguments as well.
    let status = Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(&path).status();
    let status = status.wrap_err_with(|| format!("the editor `{editor}` cannot be started"))?;
    if !status.success() {
        let _ = fs::remove_file(&path);
        return Err(eyre!("the editor `{editor}` ended with {status}; nothing was changed"));
    }
    let example = read(&path)?;
    let _ = fs::remove_file(&path);
    Ok(example)
}

/// A new file that only this user can read.
fn write(example: &Example) -> color_eyre::Result<PathBuf> {
    let path = env::temp_dir().join(format!("droidmux-{}-{:016x}.toml", example.id(), rand::random::<u64>()));
    let text = write_examples([example.clone()])?;
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.wrap_err_with(|| format!("{} cannot be written", path.display()))?;
    Ok(path)
}

fn read(path: &Path) -> color_eyre::Result<Example> {
    let shown = path.display();
    let text = read_text(path).wrap_err_with(|| format!("{shown} cannot be read"))?;
    let examples = read_examples(&text).map_err(|error| Usage(format!("{shown}: {error}")))?;
    match <[Example; 1]>::try_from(examples) {
        Ok([example]) => Ok(example),
        Err(examples) => Err(Usage(format!("{shown}: {} examples instead of one", examples.len())).into()),
    }
}
