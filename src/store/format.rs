//! The format file: a line of text beside the database, so that any version of droidmux can say why it does not open a
//! store.
//!
//! A store of an earlier format is opened as it is and keeps its format as long as nothing is written to it; before the
//! first value is written, the file is changed to this version's format ([`raise`]).

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use super::StoreError;
use super::ballast::Ballast;
use super::disk::{Disk, sync_folder};
use super::error::is_full;
use super::holder::Holder;

/// The format this version writes: increased whenever an earlier droidmux could not read the result. The other steps
/// for changing a stored type are in CONTRIBUTING.
pub(super) const FORMAT: u32 = 10;
/// The oldest format this version reads.
pub(super) const OLDEST: u32 = 5;

const NAME: &str = "format";
const UNFINISHED: &str = "format.new";
const HEADLINE: &str = "droidmux store, format ";

/// Makes sure that this folder is a store that this version can read, or an empty one (created when `create` allows
/// it).
pub(super) fn check(folder: &Path, create: bool) -> Result<(), StoreError> {
    match read(folder)? {
        Some(found) if found > FORMAT => {
            Err(StoreError::TooNew { path: folder.to_owned(), found, known: FORMAT })
        }
        Some(found) if found < OLDEST => {
            Err(StoreError::TooOld { path: folder.to_owned(), found, oldest: OLDEST, known: FORMAT })
        }
        Some(_) => Ok(()),
        None if !create => Err(not_a_store(folder, "there is none".to_owned())),
        None => {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|error| io_error("cannot create", folder, error))?;
            match foreign(folder).map_err(|error| io_error("cannot list", folder, error))? {
                Some(name) => Err(not_a_store(folder, format!("it holds other files (`{name}`)"))),
                None => Ok(()),
            }
        }
    }
}

/// Writes the format of a new store; must be called under the lock. Returns the store's format.
pub(super) fn settle(folder: &Path, disk: &dyn Disk) -> Result<u32, StoreError> {
    match read(folder)? {
        Some(found) => check(folder, false).map(|()| found),
        None => raise(folder, disk).map(|()| FORMAT),
    }
}

/// Durably raises a store to the format of this version: its content stays as it is.
pub(super) fn raise(folder: &Path, disk: &dyn Disk) -> Result<(), StoreError> {
    let unfinished = folder.join(UNFINISHED);
    let write = || {
        let mut file = File::create(&unfinished)?;
        writeln!(file, "{HEADLINE}{FORMAT}")?;
        disk.sync(&file, &unfinished)?;
        fs::rename(&unfinished, folder.join(NAME))?;
        sync_folder(disk, folder)
    };
    write().map_err(|error| match is_full(&error) {
        true => StoreError::DiskFull { path: folder.to_owned(), source: Arc::new(error) },
        false => io_error("cannot write the format of", folder, error),
    })
}

/// Makes sure that the content of this folder can be a store this version reads, however damaged.
pub(super) fn check_damaged(folder: &Path) -> Result<(), StoreError> {
    match check(folder, false) {
        // The file itself is damaged or gone.
        Err(StoreError::NotAStore { .. }) if folder.join("db").is_dir() || folder.join("db.old").is_dir() => {
            Ok(())
        }
        other => other,
    }
}

fn read(folder: &Path) -> Result<Option<u32>, StoreError> {
    let path = folder.join(NAME);
    let mut text = String::new();
    match File::open(&path).and_then(|file| file.take(200).read_to_string(&mut text)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error("cannot read", &path, error)),
        Ok(_) => {}
    }
    match text.trim().strip_prefix(HEADLINE).and_then(|number| number.parse().ok()) {
        Some(format) => Ok(Some(format)),
        None => Err(not_a_store(folder, "its `format` file says something else".to_owned())),
    }
}

/// The name of a file that no store has created.
fn foreign(folder: &Path) -> io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != UNFINISHED && !Holder::owns(&name) && !Ballast::owns(&name) {
            return Ok(Some(name.chars().filter(|c| !c.is_control()).collect()));
        }
    }
    Ok(None)
}

fn not_a_store(folder: &Path, why: String) -> StoreError {
    StoreError::NotAStore { path: folder.to_owned(), why }
}

fn io_error(action: &'static str, path: &Path, error: io::Error) -> StoreError {
    StoreError::Io { action, path: path.to_owned(), source: Arc::new(error) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RealDisk;

    #[test]
    fn folders_are_taken_or_refused_for_what_they_hold() {
        let cases: [(&str, &[(&str, &str)], Result<(), &str>); 11] = [
            ("empty", &[], Ok(())),
            ("left by a crash at creation", &[("lock", ""), ("ballast", ""), ("format.new", "dro")], Ok(())),
            ("a store", &[("format", "droidmux store, format 10\n"), ("db", "")], Ok(())),
            ("the one before", &[("format", "droidmux store, format 9\n"), ("db", "")], Ok(())),
            ("the one before that", &[("format", "droidmux store, format 8\n"), ("db", "")], Ok(())),
            ("an earlier one", &[("format", "droidmux store, format 5\n"), ("db", "")], Ok(())),
            (
                "newer",
                &[("format", "droidmux store, format 11\n")],
                Err("has format 11, this droidmux reads up to format 10"),
            ),
            (
                "older",
                &[("format", "droidmux store, format 2\n")],
                Err("has format 2, this droidmux reads formats 5 to 10"),
            ),
            (
                "just too old",
                &[("format", "droidmux store, format 4\n")],
                Err("use the droidmux that wrote it"),
            ),
            ("other files", &[("letter.txt", "")], Err("it holds other files (`letter.txt`)")),
            ("another format", &[("format", "paper")], Err("its `format` file says something else")),
        ];
        for (name, files, expected) in cases {
            let folder = tempfile::tempdir().unwrap();
            for (file, content) in files {
                fs::write(folder.path().join(file), content).unwrap();
            }
            match (check(folder.path(), true), expected) {
                (Ok(()), Ok(())) => {}
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{name}: {error}"),
                (got, _) => panic!("{name}: {got:?}"),
            }
        }
    }

    #[test]
    fn a_missing_store_is_made_only_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/store");
        assert!(check(&path, false).unwrap_err().to_string().contains("there is none"));
        check(&path, true).unwrap();
        for _ in 0..2 {
            assert_eq!(settle(&path, &RealDisk).unwrap(), FORMAT);
        }
        check(&path, false).unwrap();
    }

    #[test]
    fn an_earlier_store_keeps_its_format_until_it_is_raised() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NAME), format!("{HEADLINE}{OLDEST}\n")).unwrap();
        // Leftovers of a crash in the middle of raising it do no harm.
        fs::write(folder.path().join(UNFINISHED), "droid").unwrap();
        assert_eq!(settle(folder.path(), &RealDisk).unwrap(), OLDEST);
        raise(folder.path(), &RealDisk).unwrap();
        assert_eq!(settle(folder.path(), &RealDisk).unwrap(), FORMAT);
    }
}
