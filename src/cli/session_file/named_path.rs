//! Paths that a session file names.
//!
//! In: a path as it is written, relative to the file's folder. Out: an absolute one, since a session may be run from
//! another folder; or what is wrong, with the key that names it.

use std::fmt::Display;
use std::path::{Path, PathBuf, absolute};

use super::line::KeyPath;

/// What is wrong, and where it is written.
type Complaint = (KeyPath, String);

/// The key that names a path.
#[derive(Clone, Copy)]
pub(super) struct PathKey<'a> {
    /// E.g. `lab`.
    pub(super) table: &'a str,
    /// E.g. `apk`.
    pub(super) key: &'a str,
}

impl PathKey<'_> {
    /// The absolute path, whatever is there.
    pub(super) fn whole(self, folder: &Path, named: impl AsRef<Path>) -> Result<PathBuf, Complaint> {
        absolute(folder.join(named)).map_err(|error| self.wrong(error))
    }

    /// The absolute path of a file that is there.
    pub(super) fn file(self, folder: &Path, named: impl AsRef<Path>) -> Result<PathBuf, Complaint> {
        let whole = self.whole(folder, named)?;
        match whole.is_file() {
            true => Ok(whole),
            false => Err(self.wrong(format_args!("there is no file {}", whole.display()))),
        }
    }

    /// The absolute path of a folder that is there.
    pub(super) fn folder(self, folder: &Path, named: impl AsRef<Path>) -> Result<PathBuf, Complaint> {
        let whole = self.whole(folder, named)?;
        match whole.is_dir() {
            true => Ok(whole),
            false => Err(self.wrong(format_args!("there is no folder {}", whole.display()))),
        }
    }

    /// What is wrong with what the key names.
    pub(super) fn wrong(self, what: impl Display) -> Complaint {
        (self.place(), format!("`{}`: {what}", self.key))
    }

    /// Where the key is.
    pub(super) fn place(self) -> KeyPath {
        vec![self.table.to_owned(), self.key.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_to_the_file_and_must_lead_to_its_kind() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.txt");
        std::fs::write(&file, "a").expect("a file");
        let key = PathKey { table: "lab", key: "apk" };
        assert_eq!(key.whole(folder.path(), "b/c").expect("a path"), folder.path().join("b/c"));
        assert_eq!(key.file(folder.path(), "a.txt").expect("a file"), file);
        assert_eq!(key.file(Path::new("/elsewhere"), &file).expect("an absolute path"), file);
        let place = vec!["lab".to_owned(), "apk".to_owned()];
        let none = format!("`apk`: there is no folder {}", file.display());
        assert_eq!(key.folder(folder.path(), "a.txt").expect_err("a file"), (place, none));
        let (_, said) = key.file(folder.path(), ".").expect_err("a folder");
        assert!(said.starts_with("`apk`: there is no file "), "{said}");
    }
}
