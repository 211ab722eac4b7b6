//! Little space, and none.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use droidmux::gui::{Layout, LayoutBuilder, NewWidget};
use droidmux::record::{Act, BlobHash, SessionId, Slot};
use droidmux::store::{Disk, RealDisk, Removed, Store, StoreError, StoreOptions};

use super::fixture::*;

const MIB: u64 = 1 << 20;

/// A disk with a configurable amount of free space, which can become full in the middle of a commit.
#[derive(Default)]
struct Small {
    free: AtomicU64,
    full: AtomicBool,
}

impl Disk for Small {
    fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        RealDisk.sync(file, path)
    }

    fn free(&self, _: &Path) -> io::Result<u64> {
        Ok(self.free.load(Ordering::SeqCst))
    }

    fn admit(&self, _: &Path) -> io::Result<()> {
        match self.full.load(Ordering::SeqCst) {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }
}

fn small(disk: &Arc<Small>) -> StoreOptions {
    StoreOptions { min_free: 8 * MIB, ballast: 2 * MIB, disk: disk.clone(), ..StoreOptions::default() }
}

#[tokio::test]
async fn under_the_threshold_nothing_is_recorded_but_sessions_can_end() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(Small::default());
    disk.free.store(100 * MIB, Ordering::SeqCst);
    let store = Store::open(folder.path(), small(&disk)).unwrap();
    let id = store.create_session(&session()).unwrap();
    store.append(append(id, 0, 0, vec![last_turn()])).await.unwrap();

    disk.free.store(8 * MIB - 1, Ordering::SeqCst);
    let mut low = append(id, 1, 0, vec![last_turn()]);
    low.screenshots = vec![(BlobHash::of(b"png"), b"png".to_vec())];
    let error = store.append(low).await.unwrap_err();
    assert!(matches!(error, StoreError::SpaceLow { .. }) && error.is_space(), "{error}");
    assert!(store.put_job(id, &job(1)).is_err_and(|error| error.is_space()));
    assert!(store.room().is_err_and(|error| error.is_space()));
    assert_eq!(store.attempts(id, Slot(1)).unwrap(), [] as [u32; 0]);
    assert_eq!(store.screenshot(BlobHash::of(b"png")).unwrap(), None, "written before the refusal");
    store.update_session(id, &session()).unwrap();

    disk.free.store(100 * MIB, Ordering::SeqCst);
    store.room().unwrap();
    store.append(append(id, 1, 0, vec![last_turn()])).await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_survived_without_losing_what_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let ballast = folder.path().join("ballast");
    let disk = Arc::new(Small::default());
    disk.free.store(100 * MIB, Ordering::SeqCst);
    let store = Store::open(folder.path(), small(&disk)).unwrap();
    let id = store.create_session(&session()).unwrap();
    store.append(append(id, 0, 0, vec![last_turn()])).await.unwrap();
    assert!(ballast.exists());

    disk.full.store(true, Ordering::SeqCst);
    let error = store.append(append(id, 0, 1, vec![last_turn()])).await.unwrap_err();
    assert!(matches!(error, StoreError::DiskFull { .. }) && error.is_space(), "{error}");
    assert!(!ballast.exists(), "the ballast makes room for reopening");
    assert_eq!(store.turns(id, Slot(0), 1).unwrap().len(), 1, "reads go on");

    // Recording stays stopped until threshold and ballast fit again; then both are back.
    disk.full.store(false, Ordering::SeqCst);
    disk.free.store(9 * MIB, Ordering::SeqCst);
    assert!(store.append(append(id, 0, 1, vec![last_turn()])).await.is_err_and(|error| error.is_space()));
    disk.free.store(100 * MIB, Ordering::SeqCst);
    store.append(append(id, 0, 1, vec![last_turn()])).await.unwrap();
    assert!(ballast.exists());
    assert_eq!(store.turns(id, Slot(0), 1).unwrap().len(), 2);
}

/// A layout that does not compress, of about 60 KB.
fn noise(number: u64) -> Arc<Layout> {
    let mut bytes = [0; 30_000];
    blake3::Hasher::new().update(&number.to_be_bytes()).finalize_xof().fill(&mut bytes);
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { text: &text, ..NewWidget::default() });
    Arc::new(builder.finish())
}

/// A separate file system, unmounted at the end.
struct Mounted(tempfile::TempDir);

impl Mounted {
    fn of(mebibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let size = format!("size={mebibytes}m");
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output();
        mount.is_ok_and(|output| output.status.success()).then_some(Self(folder))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

/// Appends layouts of noise until an error; returns how many were acknowledged, and the error.
async fn fill(store: &Store, session: SessionId, limit: u64) -> (u64, Option<StoreError>) {
    for number in 0..limit {
        let layout = noise(number);
        let turns = vec![turn(Act::Reset, &layout, "x")];
        let mut append = append(session, 0, u32::try_from(number).unwrap(), turns);
        append.layouts = vec![layout];
        if let Err(error) = store.append(append).await {
            return (number, Some(error));
        }
    }
    (limit, None)
}

async fn remove(store: &Store, session: SessionId) -> Removed {
    let store = store.clone();
    tokio::task::spawn_blocking(move || store.remove_session(session)).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_disk_that_fills_up_in_the_middle_is_survived_and_cleaned() {
    let Some(disk) = Mounted::of(32) else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let path = disk.0.path().join("store");
    // No threshold: the disk should fill up while sled is writing.
    let options = || StoreOptions { min_free: 0, ballast: 8 * MIB, ..StoreOptions::default() };
    let store = Store::open(&path, options()).unwrap();
    let id = store.create_session(&session()).unwrap();
    store.put_job(id, &job(0)).unwrap();
    let (stored, error) = fill(&store, id, 2_000).await;
    let error = error.expect("a 32 MiB disk does not hold 2,000 layouts of 60 KB");
    println!("full after {stored} appends: {error}");
    assert!(error.is_space(), "{error}");
    // What was refused may be there, whole; what was acknowledged must be.
    let kept = |store: &Store, when: &str| {
        let kept = store.turns(id, Slot(0), 1).unwrap().len() as u64;
        assert!([stored, stored + 1].contains(&kept), "{kept} {when}, {stored} acknowledged");
        kept
    };
    kept(&store, "after the failure");
    drop(store);

    let store = Store::open(&path, options()).unwrap();
    let kept = kept(&store, "after reopening");
    assert_eq!(store.verify().unwrap().problems, []);
    let removed = remove(&store, id).await;
    assert_eq!((removed.layouts, removed.compacted), (kept, true));
    let id = store.create_session(&session()).unwrap();
    store.append(append(id, 0, 0, vec![last_turn()])).await.unwrap();
    let problems: Vec<String> = store.verify().unwrap().problems.into_iter().map(|p| p.what).collect();
    assert_eq!(problems, ["its job is not stored"], "the job is left out above");
}

#[tokio::test]
async fn a_disk_filled_by_others_is_opened_with_the_ballast_and_cleaned() {
    let Some(disk) = Mounted::of(48) else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let path = disk.0.path().join("store");
    let options = || StoreOptions { min_free: 12 * MIB, ballast: 8 * MIB, ..StoreOptions::default() };
    let store = Store::open(&path, options()).unwrap();
    let id = store.create_session(&session()).unwrap();
    store.put_job(id, &job(0)).unwrap();
    let (stored, error) = fill(&store, id, 100).await;
    assert!(error.is_none(), "{error:?}");
    drop(store);

    let rest = disk.0.path().join("rest");
    take_all(&rest);
    assert_eq!(RealDisk.free(disk.0.path()).unwrap(), 0);
    let store = Store::open(&path, options()).unwrap();
    assert_eq!(store.turns(id, Slot(0), 1).unwrap().len() as u64, stored);
    let refused = store.append(append(id, 0, 100, vec![last_turn()])).await;
    assert!(matches!(refused, Err(StoreError::SpaceLow { .. })), "{refused:?}");
    assert_eq!(store.verify().unwrap().problems, []);
    let before = RealDisk.free(disk.0.path()).unwrap();
    let removed = remove(&store, id).await;
    assert_eq!((removed.layouts, removed.compacted), (stored, true));
    let freed = RealDisk.free(disk.0.path()).unwrap() - before;
    assert!(freed > 100 * 30_000, "{freed} bytes freed by removing 100 layouts of 30 KB");

    std::fs::remove_file(&rest).unwrap();
    store.create_session(&session()).unwrap();
    assert_eq!(store.stats().unwrap().ballast, 8 * MIB);
}

/// Writes to this file until not a single byte is left.
fn take_all(path: &Path) {
    let mut file = File::create(path).unwrap();
    let mut block = vec![7; 1 << 20];
    while !block.is_empty() {
        if file.write_all(&block).is_err() {
            block.truncate(block.len() / 2);
        }
    }
}
