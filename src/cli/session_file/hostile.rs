//! Arbitrary input for the reader of session files.

use std::io::ErrorKind;
use std::path::Path;

use super::parse_session;
use droidmux_words::printable;

/// Reads a session file that has no other files beside it.
///
/// # Panics
/// When the reader does, or when its message cannot be printed.
pub fn session_file(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let none = |_: &Path| Err(ErrorKind::NotFound.into());
    if let Err(error) = parse_session(Path::new("/nowhere/x.toml"), text, &Default::default(), &none) {
        let words = error.to_string();
        assert!(words.starts_with("/nowhere/x.toml:"), "{words}");
        assert!(!printable(&words).is_empty());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use droidmux_testutils::mangled;

    /// With sections for language models.
    fn session_files() -> Vec<Vec<u8>> {
        let files = [
            include_str!("../../../sessions/diary-visiondroid.toml"),
            include_str!("../../../sessions/calc-inputblaster.toml"),
            include_str!("../../../sessions/notes-pbfdroid.toml"),
            "technique = \"visiondroid\"\napp = \"a.b\"\n[llm]\nendpoint = \"http://localhost:1/v1\"\n\
             model = \"m\"\nkey-env = \"KEY\"\n[llm.agents.explorer]\nmodel = \"n\"\n",
            "technique = \"genie\"\napp = \"a.b\"\n[llm]\nmode = \"replay\"\nrecording = \"r.jsonl\"\n\
             [run]\ntext = \"inputblaster\"\n",
        ];
        files.map(|file| file.as_bytes().to_vec()).to_vec()
    }

    proptest! {
        #[test]
        fn any_session_file_is_read(bytes in mangled(session_files())) {
            session_file(&bytes);
        }
    }
}
