//! The ballast: a file that only takes up room. When the disk is full, the room is given back, so that the database,
//! which has to write in order to open, can be opened and cleaned.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::FallocateFlags;

use super::disk::Disk;

const NAME: &str = "ballast";
const UNFINISHED: &str = "ballast.new";

/// Written at once when the file system cannot allocate.
const BLOCK: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Ballast {
    folder: PathBuf,
    size: u64,
}

impl Ballast {
    /// `size` in bytes; 0 means none is wanted.
    pub fn new(folder: &Path, size: u64) -> Self {
        Self { folder: folder.to_owned(), size }
    }

    /// Bytes the ballast takes up now.
    pub fn held(&self) -> u64 {
        fs::metadata(self.folder.join(NAME)).map_or(0, |file| file.len())
    }

    /// Bytes still wanted: 0 while the ballast is there.
    pub fn wanted(&self) -> u64 {
        if self.held() >= self.size { 0 } else { self.size }
    }

    /// Allocates the ballast if it is not there.
    pub fn take(&self, disk: &dyn Disk) -> io::Result<()> {
        if self.wanted() == 0 {
            return Ok(());
        }
        let unfinished = self.folder.join(UNFINISHED);
        let taken = allocate(&unfinished, self.size)
            .and_then(|file| disk.sync(&file, &unfinished))
            .and_then(|()| fs::rename(&unfinished, self.folder.join(NAME)));
        if taken.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        taken
    }

    /// Gives the room back; true if there was any to give.
    pub fn release(&self) -> bool {
        let unfinished = fs::remove_file(self.folder.join(UNFINISHED)).is_ok();
        fs::remove_file(self.folder.join(NAME)).is_ok() || unfinished
    }

    /// True for the names of the files it keeps.
    pub fn owns(name: &str) -> bool {
        name == NAME || name == UNFINISHED
    }
}

fn allocate(path: &Path, size: u64) -> io::Result<File> {
    let mut file = File::create(path)?;
    match rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, size) {
        Ok(()) => return Ok(file),
        Err(error) if super::error::is_full(&error.into()) => return Err(error.into()),
        // Not every file system can allocate; random data cannot be compressed away.
        Err(_) => {}
    }
    let mut noise = blake3::Hasher::new().finalize_xof();
    let mut block = vec![0; BLOCK];
    let mut left = size;
    while left > 0 {
        noise.fill(&mut block);
        let part = usize::try_from(left).map_or(BLOCK, |left| left.min(BLOCK));
        file.write_all(&block[..part])?;
        left -= part as u64;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn takes_up_room_and_gives_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let ballast = Ballast::new(folder.path(), 3 << 20);
        assert_eq!((ballast.held(), ballast.wanted()), (0, 3 << 20));
        ballast.take(&RealDisk).unwrap();
        let file = fs::metadata(folder.path().join(NAME)).unwrap();
        assert!(file.blocks() * 512 >= 3 << 20, "allocated, not sparse");
        assert_eq!((ballast.held(), ballast.wanted()), (3 << 20, 0));
        assert!(ballast.release());
        assert!(!ballast.release());
        assert_eq!(ballast.held(), 0);
    }
}
