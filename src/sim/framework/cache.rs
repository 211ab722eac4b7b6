//! The folder of translated apps: bounded, and shared by all processes of a user.
//!
//! In: what a translator has made, under a key. Out: the folder that a host loads, held while somebody uses it.
//! Invariants: what has its key's name is finished; what is held is not removed; of the rest, what was used longest ago
//! goes first when all together is too large; what processes left that were killed goes with the next one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tempfile::{Builder, TempDir};

/// The most bytes that all apps take together, besides those in use.
const MOST_BYTES: u64 = 4 << 30;
/// Locked by whoever makes or uses the app beside it; its time of change is that of the last use.
const HELD: &str = "held";
const MAKING: &str = ".making-";
/// How many folders are tried.
const TRIES: usize = 16;
/// A folder that nobody has had the time to hold yet.
const JUST_MADE: Duration = Duration::from_secs(60);

/// Where translated apps are kept.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    most_bytes: u64,
}

/// A translated app that is not removed before this is dropped.
#[derive(Clone, Debug)]
pub struct InUse(#[expect(dead_code, reason = "held as long as this is")] Arc<Held>);

/// A lock on an app.
#[derive(Debug)]
struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing it is not enough: a process that is just being started has it as well, until it becomes its program.
        let _ = self.0.unlock();
    }
}

/// An app that is being translated; what there is of it goes when this is dropped.
pub(super) struct Making {
    folder: TempDir,
    held: File,
}

impl Cache {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self { folder, most_bytes: MOST_BYTES }
    }

    #[cfg(test)]
    pub(super) fn of(folder: PathBuf, most_bytes: u64) -> Self {
        Self { folder, most_bytes }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of an app that was kept, if it is `sound`.
    pub(super) fn find(&self, key: &str, sound: impl Fn(&Path) -> bool) -> Option<(PathBuf, InUse)> {
        let folder = self.folder.join(key);
        let held = OpenOptions::new().write(true).open(folder.join(HELD)).ok()?;
        // Somebody is just removing it.
        held.try_lock_shared().ok().filter(|()| held.metadata().is_ok_and(|held| held.nlink() > 0))?;
        // Only that is not done at the cost of what it is for.
        let _ = held.set_modified(SystemTime::now());
        sound(&folder).then(|| (folder, InUse(Arc::new(Held(held)))))
    }

    /// A folder for an app to be translated into.
    pub(super) fn begin(&self) -> io::Result<Making> {
        fs::create_dir_all(&self.folder)?;
        self.remove_left_behind();
        for _ in 0..TRIES {
            // On the same file system, so that it is put in its place in one go.
            let folder = Builder::new().prefix(MAKING).tempdir_in(&self.folder)?;
            let held = File::create_new(folder.path().join(HELD))?;
            held.lock()?;
            // Before it was locked, another process may have taken it for one that was left behind.
            if held.metadata()?.nlink() > 0 {
                return Ok(Making { folder, held });
            }
        }
        Err(io::Error::other(format!("no folder can be made in {}", self.folder.display())))
    }

    /// Keeps an app under its key, unless a sound one is there by now, and removes others if all take too much.
    pub(super) fn keep(
        &self,
        making: Making,
        key: &str,
        sound: impl Fn(&Path) -> bool,
    ) -> io::Result<(PathBuf, InUse)> {
        let folder = self.folder.join(key);
        let Making { folder: made, held } = making;
        held.lock_shared()?;
        if fs::rename(made.path(), &folder).is_err() {
            // Somebody else was first, or what is there is broken.
            if let Some(found) = self.find(key, sound) {
                return Ok(found);
            }
            fs::remove_dir_all(&folder)?;
            fs::rename(made.path(), &folder)?;
        }
        // It has another name now.
        let _ = made.keep();
        self.trim();
        Ok((folder, InUse(Arc::new(Held(held)))))
    }

    /// Removes what was used longest ago, until the rest is small enough. What cannot be removed stays for another time.
    fn trim(&self) {
        let mut apps: Vec<(SystemTime, u64, PathBuf)> = self
            .entries()
            .filter(|(name, _)| !name.starts_with('.'))
            .filter_map(|(_, path)| Some((used(&path)?, size(&path), path)))
            .collect();
        apps.sort_unstable();
        let mut bytes = apps.iter().fold(0_u64, |sum, (_, size, _)| sum.saturating_add(*size));
        for (_, size, path) in apps {
            if bytes <= self.most_bytes {
                break;
            }
            if self.remove(&path) {
                bytes = bytes.saturating_sub(size);
            }
        }
    }

    /// Removes what is being made by nobody any more.
    fn remove_left_behind(&self) {
        for (_, path) in self.entries().filter(|(name, _)| name.starts_with(MAKING)) {
            let age =
                fs::metadata(&path).and_then(|made| made.modified()).ok().and_then(|at| at.elapsed().ok());
            if path.join(HELD).exists() || age.is_some_and(|age| age > JUST_MADE) {
                self.remove(&path);
            }
        }
    }

    /// Whether nobody used it, and it is gone.
    fn remove(&self, path: &Path) -> bool {
        let held = OpenOptions::new().write(true).open(path.join(HELD));
        match &held {
            Ok(held) if held.try_lock().is_err() => return false,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return false,
            _ => {}
        }
        // Under its own name nobody must find half of it.
        let Ok(away) = Builder::new().prefix(MAKING).tempdir_in(&self.folder) else { return false };
        fs::rename(path, away.path()).is_ok()
    }

    fn entries(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let named = |entry: fs::DirEntry| Some((entry.file_name().to_str()?.to_owned(), entry.path()));
        entries.filter_map(named)
    }
}

impl Making {
    /// Where it is made.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// When an app was used last; one of an older droidmux, when it was made.
fn used(app: &Path) -> Option<SystemTime> {
    let noted = fs::metadata(app.join(HELD)).or_else(|_| fs::metadata(app));
    noted.and_then(|noted| noted.modified()).ok()
}

/// The bytes of an app: there are no folders in it.
fn size(app: &Path) -> u64 {
    let files = fs::read_dir(app).into_iter().flatten().flatten();
    files.filter_map(|file| Some(file.metadata().ok()?.len())).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(cache: &Cache, key: &str, bytes: usize) -> (PathBuf, InUse) {
        let making = cache.begin().expect("a folder");
        fs::write(making.path().join("classes.jar"), vec![0; bytes]).expect("a file");
        cache.keep(making, key, sound).expect("kept")
    }

    fn sound(app: &Path) -> bool {
        app.join("classes.jar").is_file()
    }

    fn names(cache: &Cache) -> Vec<String> {
        let mut names: Vec<String> = cache.entries().map(|(name, _)| name).collect();
        names.sort_unstable();
        names
    }

    fn age(app: &Path, seconds: u64) {
        let held = OpenOptions::new().write(true).open(app.join(HELD)).expect("there");
        held.set_modified(SystemTime::now() - Duration::from_secs(seconds)).expect("set");
    }

    #[test]
    fn apps_that_are_begun_at_the_same_time_are_not_taken_for_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path().join("apks"));
        let begin = || {
            for _ in 0..300 {
                let making = cache.begin().expect("a folder");
                fs::write(making.path().join("classes.jar"), "x").expect("it is still there");
            }
        };
        std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(begin);
            }
        });
    }

    #[test]
    fn what_was_used_longest_ago_goes_first_and_nothing_in_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::of(folder.path().join("apks"), 250);
        let (a, in_use) = made(&cache, "a", 100);
        let (b, _) = made(&cache, "b", 100);
        age(&a, 300);
        age(&b, 200);
        made(&cache, "c", 100);
        assert_eq!(names(&cache), ["a", "c"], "a is older, and in use");
        drop(in_use);
        age(&a, 300);
        let found = cache.find("a", sound).expect("there");
        made(&cache, "d", 100);
        assert_eq!(names(&cache), ["a", "d"], "a was used just now");
        drop(found);
        assert!(cache.find("a", |_| false).is_none(), "a broken one is none");
        let (_, other) = made(&cache, "d", 100);
        assert_eq!(names(&cache), ["a", "d"], "the same once more");
        drop(other);
        fs::remove_file(cache.folder().join("d/classes.jar")).expect("removed");
        made(&cache, "d", 100);
        assert!(sound(&cache.folder().join("d")), "a broken one is replaced");
    }

    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::of(folder.path().join("apks"), 250);
        let living = cache.begin().expect("a folder");
        let dead = cache.folder().join(".making-dead");
        fs::create_dir(&dead).expect("made");
        fs::write(dead.join(HELD), "").expect("written");
        fs::create_dir(cache.folder().join(".making-now")).expect("made");
        let old = cache.folder().join(".making-old");
        fs::create_dir(&old).expect("made");
        let long_ago = SystemTime::now() - JUST_MADE - JUST_MADE;
        File::open(&old).and_then(|old| old.set_modified(long_ago)).expect("set");
        let more = cache.begin().expect("a folder");
        let name =
            |making: &Making| making.path().file_name().expect("a name").to_str().expect("text").to_owned();
        let mut expected = [name(&living), name(&more), ".making-now".to_owned()];
        expected.sort_unstable();
        assert_eq!(names(&cache), expected);
    }
}
