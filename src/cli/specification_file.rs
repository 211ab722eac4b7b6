//! Files that hold a specification or key views, in PBFDroid's JSON.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::technique::pbfdroid::format::MOST_BYTES;

/// The text of such a file.
///
/// # Errors
///
/// When it cannot be read, is no UTF-8, or is larger than the format allows.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_BYTES {
        return Err(io::Error::other(format!("is larger than {} MiB", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("is no UTF-8"))
}
