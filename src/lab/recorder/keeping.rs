//! Keeping a recorded function in a file of specifications.

use std::path::Path;
use std::{fs, io};

use thiserror::Error;

use droidmux_file as file;
use droidmux_record::{Dmf, Specification};
use droidmux_technique::pbfdroid::format::{FormatError, MOST_BYTES, read_dmfs, write_dmfs};
use droidmux_technique::pbfdroid::lint::{Remark, lint};
use droidmux_words::printable;

/// Why a function was not kept.
#[derive(Debug, Error)]
pub enum KeepError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// Made printable.
        file: String,
        /// The system's message.
        source: io::Error,
    },
    /// The file is no specification.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The path ends with no name.
    #[error("{file} is no file")]
    NoFile {
        /// Made printable.
        file: String,
    },
    /// The file is as it was before.
    #[error("{file} cannot be written: {source}")]
    Write {
        /// Made printable.
        file: String,
        /// The system's message.
        source: io::Error,
    },
}

/// The functions in a file; none if there is no file.
///
/// # Errors
/// When the file cannot be read, or is no specification.
pub fn kept(path: &Path) -> Result<Vec<Dmf>, KeepError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let name = name(path);
    let text = file::read_text(path, MOST_BYTES as u64)
        .map_err(|source| KeepError::Read { file: name.clone(), source })?;
    Ok(read_dmfs(&name, &text)?)
}

/// The functions with this one among them, replacing one of the same name.
pub fn with(mut dmfs: Vec<Dmf>, dmf: Dmf) -> Vec<Dmf> {
    match dmfs.iter_mut().find(|known| known.name == dmf.name) {
        Some(known) => *known = dmf,
        None => dmfs.push(dmf),
    }
    dmfs
}

/// Adds a function to a file, replacing one of the same name; returns all functions.
///
/// # Errors
/// When the file is no specification, or cannot be written.
pub fn keep(path: &Path, dmf: Dmf) -> Result<Vec<Dmf>, KeepError> {
    let dmfs = with(kept(path)?, dmf);
    // Written beside it and renamed: a file that holds work is never half written.
    let file = path.file_name().ok_or_else(|| KeepError::NoFile { file: name(path) })?;
    let beside = path.with_file_name(format!(".{}.new", file.to_string_lossy()));
    let written = fs::write(&beside, write_dmfs(&dmfs)).and_then(|()| fs::rename(&beside, path));
    written.map_err(|source| KeepError::Write { file: name(path), source })?;
    Ok(dmfs)
}

/// What lint says of one function among others.
pub fn remarks(dmfs: &[Dmf], name: &str) -> Vec<Remark> {
    let specification = Specification { dmfs: dmfs.to_vec(), key_views: Vec::new() };
    let number = dmfs.iter().position(|known| known.name == name);
    lint(&specification).into_iter().filter(|remark| remark.function == number).collect()
}

fn name(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::Operation;

    fn function(name: &str, proportion: u32) -> Dmf {
        Dmf {
            datatype: "note".into(),
            name: name.into(),
            operation: Operation::Add,
            proportion,
            widgets: Vec::new(),
            preconditions: Vec::new(),
            events: Vec::new(),
            impacts: Vec::new(),
            postconditions: Vec::new(),
            fault: None,
        }
    }

    #[test]
    fn functions_of_other_names_stay_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("notes.json");
        for (name, proportion, expected) in [
            ("add note", 1, &[("add note", 1)][..]),
            ("delete note", 2, &[("add note", 1), ("delete note", 2)]),
            ("add note", 3, &[("add note", 3), ("delete note", 2)]),
        ] {
            let all = keep(&file, function(name, proportion)).expect("it is written");
            let in_file = kept(&file).expect("it is read");
            for dmfs in [all, in_file] {
                let found: Vec<_> = dmfs.iter().map(|dmf| (dmf.name.as_str(), dmf.proportion)).collect();
                assert_eq!(found, expected);
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("it is there").count(), 1, "nothing else is left");
    }

    #[test]
    fn what_is_no_specification_is_not_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("diary.txt");
        std::fs::write(&file, "dear diary").expect("it is written");
        for path in [file.as_path(), folder.path(), &folder.path().join("nowhere/notes.json"), Path::new("/")]
        {
            assert!(keep(path, function("add note", 1)).is_err(), "{}", path.display());
        }
        assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "dear diary");
    }
}
