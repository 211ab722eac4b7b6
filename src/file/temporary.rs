//! Folders for what is needed only while a command runs.
//!
//! Invariants: a folder is new, and nobody else can look into it; it is removed with the process that created it, or, if
//! that process was killed, by the next one that creates one. A folder is only removed when it belongs to this user and
//! nobody holds it.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;
use tempfile::{Builder, TempDir};

/// The prefix of all names.
const PREFIX: &str = "droidmux-";
/// Locked by the process that uses the folder.
const HELD: &str = ".held";
/// How many folders are tried.
const TRIES: usize = 16;

/// A folder that is removed when this is dropped.
#[derive(Debug)]
pub struct Temporary {
    folder: TempDir,
    _held: File,
}

impl Temporary {
    /// Creates a folder in the system's folder for temporary files, and removes those of processes that were killed.
    /// `purpose` becomes part of its name.
    ///
    /// # Errors
    /// When none can be created.
    pub fn new(purpose: &str) -> io::Result<Self> {
        Self::within(&std::env::temp_dir(), purpose)
    }

    fn within(parent: &Path, purpose: &str) -> io::Result<Self> {
        remove_left_behind(parent);
        let prefix = format!("{PREFIX}{purpose}-");
        for _ in 0..TRIES {
            let mut folder = Builder::new();
            folder.prefix(&prefix).rand_bytes(16).permissions(Permissions::from_mode(0o700));
            let folder = folder.tempdir_in(parent)?;
            let held = folder.path().join(HELD);
            let held = OpenOptions::new().write(true).create_new(true).mode(0o600).open(held)?;
            // Before it was locked, another process may have taken it for one that was left behind.
            if held.try_lock().is_ok() && held.metadata()?.nlink() > 0 {
                return Ok(Self { folder, _held: held });
            }
        }
        Err(io::Error::other(format!("no folder can be made in {}", parent.display())))
    }

    /// Where it is, until this value is dropped.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn remove_left_behind(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // Locked until it is gone: its maker may be about to lock it.
        if let Some(_held) = left_behind(&entry.path()) {
            // Another process may be removing it, too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The lock of a folder that belongs to this user, was made by [`Temporary`], and is used by no living process.
fn left_behind(folder: &Path) -> Option<File> {
    let user = rustix::process::geteuid().as_raw();
    if !fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir() && found.uid() == user) {
        return None;
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let held = OpenOptions::new().write(true).custom_flags(flags).open(folder.join(HELD)).ok()?;
    (held.metadata().is_ok_and(|kind| kind.is_file()) && held.try_lock().is_ok()).then_some(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_ones_own_and_goes_with_its_process() {
        let parent = tempfile::tempdir().expect("a folder");
        let [first, second] = [(); 2].map(|()| Temporary::within(parent.path(), "demo").expect("a folder"));
        assert_ne!(first.path(), second.path());
        let mode = fs::metadata(first.path()).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        fs::write(first.path().join("x"), "x").expect("written");
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists() && second.path().exists());
    }

    #[test]
    fn folders_made_at_the_same_time_are_not_taken_for_left_behind() {
        let parent = tempfile::tempdir().expect("a folder");
        let make = || {
            for _ in 0..300 {
                let made = Temporary::within(parent.path(), "demo").expect("a folder");
                fs::create_dir(made.path().join("x")).expect("it is still there");
            }
        };
        std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(make);
            }
        });
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().expect("a folder");
        let elsewhere = tempfile::tempdir().expect("a folder");
        let make = |name: &str, held: bool| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).expect("made");
            fs::write(folder.join("data"), "x").expect("written");
            if held {
                fs::write(folder.join(HELD), "").expect("written");
            }
        };
        make("droidmux-demo-dead", true);
        make("droidmux-demo-being-made", false);
        make("droidmux-notes", false);
        make("other-demo-dead", true);
        fs::write(elsewhere.path().join(HELD), "").expect("written");
        std::os::unix::fs::symlink(elsewhere.path(), parent.path().join("droidmux-demo-link"))
            .expect("a link");
        let through = parent.path().join("droidmux-demo-through");
        fs::create_dir(&through).expect("made");
        std::os::unix::fs::symlink(elsewhere.path().join(HELD), through.join(HELD)).expect("a link");
        let lives = Temporary::within(parent.path(), "demo").expect("a folder");
        let fresh = Temporary::within(parent.path(), "soak").expect("a folder");
        let mut left: Vec<_> = fs::read_dir(parent.path())
            .expect("entries")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        let name = |of: &Temporary| of.path().file_name().expect("a name").to_string_lossy().into_owned();
        let mut expected = vec![
            name(&lives),
            name(&fresh),
            "droidmux-demo-being-made".into(),
            "droidmux-notes".into(),
            "other-demo-dead".into(),
            "droidmux-demo-link".into(),
            "droidmux-demo-through".into(),
        ];
        expected.sort();
        assert_eq!(left, expected);
        assert!(elsewhere.path().join(HELD).exists());
    }
}
