//! Reading of specifications for commands.

use std::path::Path;

use crate::Usage;
use crate::specification_file::read_text;
use droidmux_technique::pbfdroid::format::FormatError;
use droidmux_words::printable;

/// Reads a file with one of the readers of the format.
pub(super) fn read_file<T>(path: &Path, parse: fn(&str, &str) -> Result<T, FormatError>) -> Result<T, Usage> {
    let name = printable(&path.to_string_lossy()).into_owned();
    let text = read_text(path).map_err(|error| Usage::new(format!("{name}: {error}")))?;
    parse(&name, &text).map_err(|error| Usage::new(error.to_string()))
}
