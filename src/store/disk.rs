//! The disk under the store: tests replace it to count fsyncs, to shrink it and to fill it.

use std::fs::File;
use std::io;
use std::path::Path;

/// The operations that the store's promises depend on.
pub trait Disk: Send + Sync {
    /// Makes what was written to this file or folder durable: data, and length or entries.
    ///
    /// # Errors
    /// When the disk does not guarantee it: what was written may be lost.
    fn sync(&self, file: &File, path: &Path) -> io::Result<()>;

    /// Bytes that may still be written under this path.
    ///
    /// # Errors
    /// When the disk does not tell: nothing is recorded in that case.
    fn free(&self, path: &Path) -> io::Result<u64>;

    /// Called before every commit; an error is treated as the database's own.
    ///
    /// # Errors
    /// The error that the commit is to fail with before anything is written; the real disk has none.
    fn admit(&self, path: &Path) -> io::Result<()>;
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn sync(&self, file: &File, _path: &Path) -> io::Result<()> {
        // fdatasync: everything needed to read the data back, the length included.
        file.sync_data()
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        let stat = rustix::fs::statvfs(path)?;
        Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
    }

    fn admit(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a folder and makes its entries durable.
pub(super) fn sync_folder(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    disk.sync(&File::open(folder)?, folder)
}
