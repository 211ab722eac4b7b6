//! The folder of files that a session file names.

use std::path::Path;

use super::line::KeyPath;
use super::named_path::PathKey;
use droidmux_device::Fixtures;
use droidmux_record::SessionDefinition;

/// Puts the absolute path of the folder into the definition. What is in it is read now, so that what is wrong is told now,
/// and again for each device.
pub(super) fn freeze(definition: &mut SessionDefinition, folder: &Path) -> Result<(), (KeyPath, String)> {
    let key = PathKey { table: "lab", key: "fixtures" };
    if let Some(named) = &mut definition.lab.fixtures {
        let whole = key.folder(folder, &*named)?;
        Fixtures::read(&whole).map_err(|error| key.wrong(error))?;
        *named = whole;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::session_file::parse_session;

    #[test]
    fn a_folder_must_be_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = folder.path().join("files");
        std::fs::create_dir(&files).expect("a folder");
        std::fs::write(files.join("a.txt"), "a").expect("a file");
        let session = folder.path().join("x.toml");
        let read = |named: &str| {
            let text = format!("technique = \"monkey\"\napp = \"a.b\"\n[lab]\nfixtures = \"{named}\"\n");
            parse_session(&session, &text, &Default::default(), &|_| Err(std::io::ErrorKind::NotFound.into()))
        };
        assert_eq!(read("files").expect("a session").lab.fixtures, Some(files));
        for named in ["other", "files/a.txt"] {
            let said = read(named).expect_err(named).to_string();
            assert!(said.contains("x.toml:4: `fixtures`: there is no folder "), "{named}: {said}");
        }
    }
}
