//! Salvage: an archive of all that can still be read of a damaged store.
//!
//! In: the folder of a store whose database does not open, or holds values that cannot be read. Out:
//! an archive like any other, the examples, and a list of what is lost. The store is left as it is.
//!
//! The log of the database is read leniently ([`super::log_file`]); whatever is sound and fits together goes into a
//! temporary store beside the archive ([`rescue`]), which is exported and removed. So an archive holds nothing that an
//! import would refuse.

mod rescue;
mod salvaged;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::holder::Holder;
use super::{ArchiveError, Store, StoreOptions, compaction, format, log_file};
use rescue::Rescue;

pub use salvaged::Salvaged;

/// Writes what can be read of the store in this folder to an archive that must not exist yet. The store is not changed;
/// a folder `….salvage` beside the archive is needed meanwhile.
///
/// # Errors
/// When the store is in use, has an unknown format, or has no database at all; when the archive cannot be written.
pub fn salvage(folder: &Path, output: &Path) -> Result<Salvaged, ArchiveError> {
    format::check_damaged(folder)?;
    Holder::require_none(folder)?;
    if output.exists() {
        let source = io::Error::new(io::ErrorKind::AlreadyExists, "there is such a file already");
        return Err(ArchiveError::Io { action: "cannot write", path: output.to_owned(), source });
    }
    let home = compaction::home(folder);
    let unreadable = |source| ArchiveError::Io { action: "cannot read", path: home.join("db"), source };
    let found = log_file::read(&home).map_err(unreadable)?;
    let between = Between::new(output)?;
    let options = StoreOptions { ballast: 0, ..StoreOptions::default() };
    let store = Store::open(&between.0, options)?;
    let mut rescue = Rescue::new(&found, &store, &folder.join("screens"));
    rescue.all()?;
    let mut salvaged = rescue.finish();
    if found.unread > 0 {
        let from = found.first_unread.unwrap_or(0);
        let what = format!("{} bytes, the first at {from}, belong to nothing that is whole", found.unread);
        salvaged.lose(home.join("db").display(), what);
    }
    if found.is_cut {
        let what = "its end is cut off, and with it what was written there";
        salvaged.lose(home.join("db").display(), what);
    }
    let sessions: Vec<_> = store.sessions()?.into_iter().map(|(id, _)| id).collect();
    if !sessions.is_empty() {
        salvaged.exported = Some(store.export(&sessions, output)?);
    }
    Ok(salvaged)
}

/// The folder of the store between the damaged one and the archive; removed when this is dropped.
struct Between(PathBuf);

impl Between {
    fn new(output: &Path) -> Result<Self, ArchiveError> {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".salvage");
        let folder = output.with_file_name(name);
        match fs::create_dir(&folder) {
            Ok(()) => Ok(Self(folder)),
            Err(source) => Err(ArchiveError::Io { action: "cannot create", path: folder, source }),
        }
    }
}

impl Drop for Between {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(folder = %self.0.display(), %error, "what a salvage needed meanwhile is still there");
        }
    }
}
