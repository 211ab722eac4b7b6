//! The recording's folder, read with caps and without ever leaving it.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde::de::DeserializeOwned;

use super::ImportError;
use droidmux_file as file;
use droidmux_words::printable;

/// The most bytes of one file.
pub(super) const MAX_FILE: u64 = 64 << 20;
/// The most entries of one folder.
pub(super) const MAX_ENTRIES: usize = 200_000;

pub(super) struct Folder {
    /// As it was given, for messages.
    name: String,
    /// With links resolved, so that the target of a path can be compared with it.
    root: PathBuf,
}

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        let file = name_of(path);
        let root = path.canonicalize().map_err(|source| ImportError::Io { file: file.clone(), source })?;
        if !root.is_dir() {
            return Err(ImportError::NotAFolder { file });
        }
        Ok(Self { name: file, root })
    }

    /// The error for something missing that every recording of a tool has.
    pub(super) fn lacks(&self, what: &'static str, tool: &'static str) -> ImportError {
        ImportError::Missing { file: self.name.clone(), what, tool }
    }

    /// The names of a sub-folder's entries that end in `ending`, in natural order (2 before 10). A missing sub-folder
    /// has none.
    pub(super) fn list(&self, folder: &str, ending: &str) -> Result<Vec<String>, ImportError> {
        let path = self.path(folder)?;
        if !path.is_dir() {
            return Ok(Vec::new());
        }
        let fault = |source| ImportError::Io { file: folder.to_owned(), source };
        let mut names = Vec::new();
        for (n, entry) in fs::read_dir(&path).map_err(fault)?.enumerate() {
            if n >= MAX_ENTRIES {
                let (file, limit) = (folder.to_owned(), MAX_ENTRIES);
                return Err(ImportError::TooMany { file, what: "entries", limit });
            }
            let name = entry.map_err(fault)?.file_name();
            names.extend(name.to_str().filter(|name| name.ends_with(ending)).map(str::to_owned));
        }
        names.sort_by_cached_key(|name| natural(name));
        Ok(names)
    }

    pub(super) fn has(&self, file: &str) -> bool {
        self.path(file).is_ok_and(|path| path.exists())
    }

    /// The bytes of a file.
    pub(super) fn read(&self, file: &str) -> Result<Vec<u8>, ImportError> {
        let path = self.path(file)?;
        let fault = |source| ImportError::Io { file: name_of(Path::new(file)), source };
        let mut bytes = Vec::new();
        file::open(&path).and_then(|f| f.take(MAX_FILE + 1).read_to_end(&mut bytes)).map_err(fault)?;
        if bytes.len() as u64 > MAX_FILE {
            let (file, bytes, limit) = (name_of(Path::new(file)), bytes.len() as u64, MAX_FILE);
            return Err(ImportError::TooLarge { file, bytes, limit });
        }
        Ok(bytes)
    }

    /// The text of a file; bytes that mean nothing in UTF-8 are replaced.
    pub(super) fn text(&self, file: &str) -> Result<String, ImportError> {
        Ok(String::from_utf8_lossy(&self.read(file)?).into_owned())
    }

    /// A JSON file.
    pub(super) fn json<T: DeserializeOwned>(&self, file: &str) -> Result<T, ImportError> {
        parse(file, &self.read(file)?)
    }

    /// The name, as seen from the root, of the file that `path` in a file of `base` means.
    pub(super) fn resolve(&self, base: &str, file: &str, path: &str) -> Result<String, ImportError> {
        let outside = || ImportError::Outside { file: file.to_owned(), path: printable(path).into_owned() };
        let mut parts: Vec<&str> = Vec::new();
        let joined = Path::new(base).join(path);
        for component in joined.components() {
            match component {
                Component::Normal(part) => {
                    // Joined from two strings, so every part is one.
                    parts.push(part.to_str().ok_or_else(outside)?);
                    continue;
                }
                Component::CurDir => continue,
                Component::ParentDir if parts.pop().is_some() => continue,
                _ => {}
            }
            return Err(outside());
        }
        Ok(parts.join("/"))
    }

    /// The real path of a file named from the root, links followed; refused when it lies outside.
    fn path(&self, file: &str) -> Result<PathBuf, ImportError> {
        let file = self.resolve("", file, file)?;
        let path = self.root.join(&file);
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.root) => Ok(real),
            Ok(_) => Err(ImportError::Outside { path: name_of(&path), file }),
            // If it does not exist, reading it will say so.
            Err(_) => Ok(path),
        }
    }
}

/// JSON with the file's name in the error.
pub(super) fn parse<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, ImportError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = printable(&error.to_string()).into_owned();
        ImportError::Json { file: name_of(Path::new(file)), message }
    })
}

fn name_of(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// A name as texts, each followed by a number, so that numbers are compared as such.
fn natural(name: &str) -> (Vec<(String, u128)>, String) {
    let mut parts = vec![(String::new(), 0_u128)];
    let mut in_number = false;
    for char in name.chars() {
        let digit = char.to_digit(10);
        if in_number && digit.is_none() {
            parts.push((String::new(), 0));
        }
        in_number = digit.is_some();
        if let Some((text, number)) = parts.last_mut() {
            match digit {
                Some(digit) => *number = number.saturating_mul(10).saturating_add(digit.into()),
                None => text.push(char),
            }
        }
    }
    (parts, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_their_numbers() {
        let mut names = ["s-10.json", "s-9.json", "s.json", "r-11.json", "s-9b.json", "s-010.json"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["r-11.json", "s-9.json", "s-9b.json", "s-010.json", "s-10.json", "s.json"]);
    }

    #[test]
    fn no_path_leads_out() {
        let parent = tempfile::tempdir().expect("folder");
        let root = parent.path().join("recording");
        fs::create_dir_all(root.join("a/b")).expect("folders");
        fs::write(parent.path().join("secret"), "x").expect("file");
        fs::write(root.join("a/file"), "y").expect("file");
        std::os::unix::fs::symlink(parent.path().join("secret"), root.join("link")).expect("link");
        let folder = Folder::open(&root).expect("open");
        assert_eq!(folder.resolve("a/b", "f", "../file").expect("inside"), "a/file");
        assert_eq!(folder.read("a/file").expect("read"), b"y");
        for path in ["../../../secret", "/etc/passwd", "../../../recording/a/file"] {
            let error = folder.resolve("a/b", "utg.json", path).expect_err(path);
            assert_eq!(
                error.to_string(),
                format!("utg.json: the path `{path}` leads out of the recording's folder")
            );
        }
        for path in ["link", "../secret", "a/../../secret"] {
            assert!(matches!(folder.read(path), Err(ImportError::Outside { .. })), "{path}");
        }
    }
}
