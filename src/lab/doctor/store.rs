//! The store, and the disk under it.

use std::path::{Path, PathBuf};

use droidmux_proto::{CheckView, Subject};
use droidmux_record::{LookTally, SessionId};
use droidmux_store::{Disk, RealDisk, Store, StoreError, StoreOptions};

/// With less than this many times the space that must stay free, a night hardly fits.
const ROOMY: u64 = 32;

/// More than one premature look in this many is worth a word.
const TOLERATED: u64 = 200;

/// The latest sessions of which the looks are counted, and the jobs of all of them: reading them must not take long.
const SESSIONS: usize = 10;
const JOBS: usize = 1_000;

/// The store in this folder, which is opened and closed again; nothing is created if there is none.
pub fn examine_store(folder: &Path) -> Vec<CheckView> {
    let subject = Subject::Store;
    let there = folder.join("format").exists();
    let opened = match there {
        true => match Store::open(folder, StoreOptions { create: false, ..StoreOptions::default() }) {
            Ok(store) => return examine_open(&store),
            Err(StoreError::InUse { holder, .. }) => {
                CheckView::good(&subject, "database", format!("{} is open in {holder}", folder.display()))
            }
            Err(error) => {
                let remedy =
                    "`droidmux store salvage` writes what can be read to an archive; --store names another";
                CheckView::bad(&subject, "database", error.to_string(), remedy)
            }
        },
        false => absent(&subject, folder),
    };
    vec![opened, room(&subject, folder)]
}

/// A store that is open in this process.
pub(super) fn examine_open(store: &Store) -> Vec<CheckView> {
    let subject = Subject::Store;
    vec![
        CheckView::good(&subject, "database", in_words(store)),
        room(&subject, store.folder()),
        looks(&subject, store),
    ]
}

fn in_words(store: &Store) -> String {
    let size = store.size().map(|size| format!(", {} MiB", size.total() >> 20)).unwrap_or_default();
    format!("{} can be read and written{size}", store.folder().display())
}

/// How often swift looks were premature in the latest session in which any was checked.
fn looks(subject: &Subject, store: &Store) -> CheckView {
    let name = "swift looks";
    let (id, looks) = match latest_looks(store) {
        Ok(Some(latest)) => latest,
        Ok(None) => return CheckView::skipped(subject, name, "no session has checked any yet"),
        Err(error) => return CheckView::skipped(subject, name, error.to_string()),
    };
    let words = format!("{id}: {}", looks.words().unwrap_or_default());
    match looks.premature.saturating_mul(TOLERATED) > looks.checked {
        false => CheckView::good(subject, name, words),
        true => {
            let remedy = "the screens named move for longer than they seem to: `[run] settling = \"strict\"` waits for them";
            CheckView::doubtful(subject, name, words, remedy)
        }
    }
}

fn latest_looks(store: &Store) -> Result<Option<(SessionId, LookTally)>, StoreError> {
    let mut left = JOBS;
    for (id, _) in store.sessions()?.into_iter().rev().take(SESSIONS) {
        let mut looks = LookTally::default();
        for job in store.jobs(id).take(left) {
            left -= 1;
            if let Some(run) = store.run_of(id, job?)? {
                looks.count(&run.turns);
            }
        }
        if looks.checked > 0 {
            return Ok(Some((id, looks)));
        }
    }
    Ok(None)
}

/// No store yet: the first session makes one, if it may.
fn absent(subject: &Subject, folder: &Path) -> CheckView {
    let parent = nearest(folder);
    match rustix::fs::access(&parent, rustix::fs::Access::WRITE_OK) {
        Ok(()) => {
            CheckView::good(subject, "database", format!("{}: the first session makes it", folder.display()))
        }
        Err(error) => CheckView::bad(
            subject,
            "database",
            format!("{} cannot be made: {}: {error}", folder.display(), parent.display()),
            "make the folder writable, or name another store with --store",
        ),
    }
}

fn room(subject: &Subject, folder: &Path) -> CheckView {
    let needed = StoreOptions::default().min_free;
    let free = match RealDisk.free(&nearest(folder)) {
        Ok(free) => free,
        Err(error) => {
            let remedy =
                "nothing is recorded on a disk that does not tell its room: name another with --store";
            return CheckView::bad(subject, "room", error.to_string(), remedy);
        }
    };
    let words = format!("{} MiB free on its disk", free >> 20);
    let remedy = "free some space, or remove old sessions with `droidmux store gc`";
    match free {
        _ if free < needed => CheckView::bad(
            subject,
            "room",
            format!("{words}; recording stops below {} MiB", needed >> 20),
            remedy,
        ),
        _ if free < needed.saturating_mul(ROOMY) => CheckView::doubtful(subject, "room", words, remedy),
        _ => CheckView::good(subject, "room", words),
    }
}

/// The folder itself, or the nearest one above it that exists.
fn nearest(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new(".")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_proto::CheckVerdict;

    #[test]
    fn stores_that_are_there_and_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        drop(Store::open(&path("sound"), StoreOptions::default()).expect("a store"));
        let held = Store::open(&path("held"), StoreOptions::default()).expect("a store");
        std::fs::create_dir_all(path("future")).expect("a folder");
        std::fs::write(path("future/format"), "droidmux store 999\n").expect("a file");
        let cases = [
            ("sound", CheckVerdict::Good, "can be read and written"),
            ("held", CheckVerdict::Good, "is open in process"),
            ("none/yet", CheckVerdict::Good, "the first session makes it"),
            ("future", CheckVerdict::Bad, "future"),
        ];
        for (name, verdict, words) in cases {
            let checks = examine_store(&path(name));
            let database = checks.first().expect("a check");
            assert_eq!((database.verdict, database.name.as_str()), (verdict, "database"), "{database:?}");
            assert!(database.said.contains(words), "{database:?}");
        }
        assert!(!path("none").exists(), "nothing is made");
        let names: Vec<_> = examine_open(&held).into_iter().map(|check| check.name).collect();
        assert_eq!(names, ["database", "room", "swift looks"]);
    }
}
