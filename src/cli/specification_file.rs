//! Files that hold a specification or key views, in PBFDroid's JSON.

use std::io;
use std::path::Path;

use droidmux_file as file;
use droidmux_technique::PbfdroidSettings;
use droidmux_technique::pbfdroid::format::MOST_BYTES;
use droidmux_technique::pbfdroid::lint::unusable;
use droidmux_words::printable;

/// The text of such a file.
///
/// # Errors
///
/// When it cannot be read, is not UTF-8, or is larger than the format allows.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    file::read_text(path, MOST_BYTES as u64)
}

/// Which parts of a session's specification are left out, a line each; `None` when all can be used, or there is none.
pub(super) fn unusable_words(settings: &PbfdroidSettings) -> Option<String> {
    let specification = settings.specification.as_ref()?;
    let lines = unusable(specification);
    if lines.is_empty() {
        return None;
    }
    let file = printable(&settings.spec).into_owned();
    let total = specification.dmfs.len() + specification.key_views.len();
    let head = format!("{file}: {} of {total} functions and key views cannot be used", lines.len());
    let told = std::iter::once(head).chain(lines.into_iter().map(|line| format!("  {line}")));
    Some(told.map(|line| line + "\n").collect())
}
