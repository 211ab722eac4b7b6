//! Files that hold a specification or key views, in PBFDroid's JSON.

use std::io;
use std::path::Path;

use droidmux_file as file;
use droidmux_technique::pbfdroid::format::MOST_BYTES;

/// The text of such a file.
///
/// # Errors
///
/// When it cannot be read, is not UTF-8, or is larger than the format allows.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    file::read_text(path, MOST_BYTES as u64)
}
