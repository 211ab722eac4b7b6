//! The person's editor: a text in, what the person made of it out.

use std::env;
use std::fs::{self, DirBuilder};
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use tokio::process::Command;

/// The most bytes of a text that are read back.
const MOST: u64 = 4 << 20;

/// What the person is to edit.
pub(super) struct Edit {
    /// The lab that asks, by its place among the cockpit's.
    pub(super) host: usize,
    /// The number of the question.
    pub(super) question: u64,
    pub(super) text: String,
    /// What is written beside it, and where.
    pub(super) pictures: Vec<(PathBuf, Arc<Vec<u8>>)>,
}

impl Edit {
    /// Writes the pictures, into folders that only this user can read.
    ///
    /// # Errors
    /// In words: which of them cannot be written.
    pub(super) fn write_pictures(&self) -> Result<(), String> {
        let folder = |path: &Path| match path.parent() {
            Some(folder) => DirBuilder::new().recursive(true).mode(0o700).create(folder),
            None => Ok(()),
        };
        for (path, png) in &self.pictures {
            let written = folder(path).and_then(|()| fs::write(path, &**png));
            written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        Ok(())
    }
}

/// Has the person edit a text, in a file that only they can read and that goes afterwards. The editor has the terminal.
///
/// # Errors
/// In words: there is no editor, it failed, or its file cannot be read.
pub(super) async fn edit(name: &str, text: &str) -> Result<String, String> {
    let named =
        ["VISUAL", "EDITOR"].into_iter().find_map(|name| env::var(name).ok().filter(|e| !e.is_empty()));
    let editor = named.ok_or("no editor is named by VISUAL or EDITOR")?;
    let mut file = tempfile::Builder::new().prefix(name).suffix(".json").tempfile().map_err(not_written)?;
    file.write_all(text.as_bytes()).map_err(not_written)?;
    let path = file.into_temp_path();
    // The variable may hold arguments as well.
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(&path).stdin(Stdio::inherit());
    let status = command.status().await.map_err(|error| format!("the editor cannot be started: {error}"))?;
    if !status.success() {
        return Err(format!("the editor ended with {status}: nothing was answered"));
    }
    let bytes =
        droidmux_file::read(&path, MOST).map_err(|error| format!("the reply cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| "the reply is no UTF-8".to_owned())
}

fn not_written(error: std::io::Error) -> String {
    format!("the question cannot be written for the editor: {error}")
}
