//! Where real recordings are looked for.

use std::path::{Path, PathBuf};

/// A folder of the corpus, or `None` (with a message on the test's output) if there is no corpus.
pub fn corpus(folder: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("DROIDMUX_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    let path = root.join(folder);
    if !path.is_dir() {
        println!("skipped: no corpus (looked for {}; set DROIDMUX_CORPUS)", path.display());
        return None;
    }
    Some(path)
}
