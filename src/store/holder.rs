//! Who holds the store: one process at a time, named in a locked file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::StoreError;

const NAME: &str = "lock";

/// A store that this process has just closed is free again a moment later.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// Holds the lock until dropped; the kernel takes it back from a process that dies.
#[derive(Debug)]
pub(super) struct Holder {
    _file: File,
}

impl Holder {
    /// Takes the lock, or says which process has it.
    pub fn take(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(NAME);
        let failed =
            |source| StoreError::Io { action: "cannot lock", path: path.clone(), source: Arc::new(source) };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        for left in (0..TRIES).rev() {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    let holder = said_by(&mut file);
                    // Another process is unlikely to release it within a moment.
                    let ours = holder.starts_with(&format!("process {} on ", std::process::id()));
                    if left == 0 || !(ours || left + 1 == TRIES) {
                        return Err(StoreError::InUse { path: folder.to_owned(), holder });
                    }
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        // The name is a courtesy: on a full disk the lock alone must suffice.
        let name = format!("process {} on {}\n", std::process::id(), host_name());
        let _ = file.set_len(0).and_then(|()| file.write_all(name.as_bytes()));
        Ok(Self { _file: file })
    }

    /// Fails when another process has the store; writes nothing and holds nothing.
    pub fn require_none(folder: &Path) -> Result<(), StoreError> {
        // Without the file, nobody has ever held it.
        let Ok(mut file) = File::open(folder.join(NAME)) else { return Ok(()) };
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => {
                let holder = said_by(&mut file);
                Err(StoreError::InUse { path: folder.to_owned(), holder })
            }
            _ => Ok(()),
        }
    }

    pub fn owns(name: &str) -> bool {
        name == NAME
    }
}

fn said_by(file: &mut File) -> String {
    let mut name = String::new();
    let read = file.rewind().and_then(|()| file.take(200).read_to_string(&mut name));
    let name: String = name.trim().chars().filter(|c| !c.is_control()).collect();
    match read {
        Ok(_) if !name.is_empty() => name,
        _ => "another process".to_owned(),
    }
}

/// The name of this host.
pub fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "this host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_the_first_is() {
        let folder = tempfile::tempdir().unwrap();
        let first = Holder::take(folder.path()).unwrap();
        let refused = Holder::take(folder.path()).unwrap_err().to_string();
        assert!(refused.contains(&format!("process {} on ", std::process::id())), "{refused}");
        drop(first);
        Holder::take(folder.path()).unwrap();
    }
}
