//! How much a host may write.
//!
//! In: the folder of a host, looked at now and then. Out: a sentence when there is too much in it, once. A single file is
//! limited by the kernel (`confine`); all files together are not, so somebody has to count. Invariant: counting ends at the
//! limit, however much there is, and follows no links.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use droidmux_words::figure::thousands;

/// What a host may have in its folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    /// Bytes on the disk.
    pub(super) bytes: u64,
    /// Files and folders.
    pub(super) files: u64,
}

impl Quota {
    /// More than any app of a phone has.
    pub(super) const OF_HOST: Quota = Quota { bytes: 4 << 30, files: 200_000 };

    /// What is too much in a folder; `None` while it is not.
    fn excess(self, folder: &Path) -> Option<String> {
        let (mut bytes, mut files) = (0_u64, 0_u64);
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            // What is removed meanwhile does not count.
            for entry in fs::read_dir(next).into_iter().flatten().flatten() {
                let Ok(kind) = entry.metadata() else { continue };
                bytes = bytes.saturating_add(kind.blocks().saturating_mul(512));
                files += 1;
                if bytes > self.bytes {
                    return Some(format!("more than {} MB", self.bytes >> 20));
                }
                if files > self.files {
                    return Some(format!("more than {} files", thousands(self.files)));
                }
                if kind.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        None
    }

    /// Looks at the folder of a host every `pause` until there is too much in it, which `then` is told, or until the other
    /// end of `runs` is dropped.
    pub(super) fn watch(
        self,
        folder: &Path,
        pause: Duration,
        runs: &Receiver<()>,
        then: impl FnOnce(String),
    ) {
        while let Err(RecvTimeoutError::Timeout) = runs.recv_timeout(pause) {
            if let Some(excess) = self.excess(folder) {
                return then(excess);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const PAUSE: Duration = Duration::from_millis(1);

    #[test]
    fn bytes_and_files_of_all_folders_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("a/b");
        fs::create_dir_all(&deep).expect("folders");
        fs::write(deep.join("file"), vec![1; 100_000]).expect("a file");
        std::os::unix::fs::symlink("/", folder.path().join("link")).expect("a link");
        let excess = |bytes, files| Quota { bytes, files }.excess(folder.path());
        assert_eq!(excess(10 << 20, 4), None);
        assert_eq!(excess(10 << 20, 3), Some("more than 3 files".into()));
        assert_eq!(excess(50_000, 4), Some("more than 0 MB".into()));
        assert!(excess(0, 0).is_some());
        assert_eq!(Quota::OF_HOST.excess(&folder.path().join("gone")), None);
    }

    #[test]
    fn it_is_told_once_and_not_after_the_host_has_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let quota = Quota { bytes: u64::MAX, files: 0 };
        let (host, runs) = channel::<()>();
        drop(host);
        fs::write(folder.path().join("file"), "1").expect("a file");
        quota.watch(folder.path(), PAUSE, &runs, |excess| panic!("{excess}"));
        let (_host, runs) = channel::<()>();
        let mut told = Vec::new();
        quota.watch(folder.path(), PAUSE, &runs, |excess| told.push(excess));
        assert_eq!(told, ["more than 0 files"]);
    }
}
