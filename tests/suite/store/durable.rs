//! No append is acknowledged before the fsync that follows its write.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use droidmux::record::{Act, BlobHash, Slot};
use droidmux::store::{Append, Disk, RealDisk, Store, StoreError, StoreOptions};

use super::fixture::*;

/// Counts fsyncs, records which marks were in sled's file when an fsync of it ended, takes its time about it, and fails
/// when told to.
#[derive(Default)]
struct Watched {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    log_syncs: usize,
    other_syncs: usize,
    durable: BTreeSet<usize>,
    fail: bool,
    /// No commit is begun.
    refuse: bool,
}

fn mark(number: usize) -> String {
    format!("<mark {number:04}>")
}

impl Disk for Watched {
    fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        if !path.ends_with("db/db") {
            self.state.lock().unwrap().other_syncs += 1;
            return RealDisk.sync(file, path);
        }
        // The sync makes durable what is in the file before it begins.
        let content = std::fs::read(path)?;
        std::thread::sleep(Duration::from_millis(3));
        let mut state = self.state.lock().unwrap();
        if state.fail {
            return Err(io::Error::other("the disk is gone"));
        }
        RealDisk.sync(file, path)?;
        state.log_syncs += 1;
        let text = String::from_utf8_lossy(&content);
        for part in text.split("<mark ").skip(1) {
            if let Some(number) = part.get(..4).and_then(|digits| digits.parse().ok()) {
                state.durable.insert(number);
            }
        }
        Ok(())
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        RealDisk.free(path)
    }

    fn admit(&self, _: &Path) -> io::Result<()> {
        if self.state.lock().unwrap().refuse { Err(io::Error::other("not now")) } else { Ok(()) }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_is_acknowledged_after_its_fsync_and_groups_share_one() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(Watched::default());
    let store = Store::open(folder.path(), StoreOptions { disk: disk.clone(), ..options() }).unwrap();
    let id = store.create_session(&session()).unwrap();
    store.put_job(id, &job(0)).unwrap();
    let before = disk.state.lock().unwrap().log_syncs;
    let layout = layout("one");
    let mut tasks = Vec::new();
    for number in 0..60 {
        let (store, disk, layout) = (store.clone(), disk.clone(), layout.clone());
        tasks.push(tokio::spawn(async move {
            let turn = turn(Act::Reset, &layout, &mark(number));
            let mut append = append(id, number as u64, 0, vec![turn]);
            append.layouts = vec![layout];
            store.append(append).await.unwrap();
            assert!(disk.state.lock().unwrap().durable.contains(&number), "{number} acknowledged too early");
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let syncs = disk.state.lock().unwrap().log_syncs - before;
    assert!((1..60).contains(&syncs), "{syncs} fsyncs for 60 concurrent appends");

    // One after the other, every append has an fsync of its own.
    let before = disk.state.lock().unwrap().log_syncs;
    for number in 0..5 {
        let turn = turn(Act::Reset, &layout, &mark(100 + number));
        store.append(append(id, 100 + number as u64, 0, vec![turn])).await.unwrap();
    }
    assert_eq!(disk.state.lock().unwrap().log_syncs - before, 5);
}

#[tokio::test]
async fn a_screenshot_is_durable_before_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(Watched::default());
    let store = Store::open(folder.path(), StoreOptions { disk: disk.clone(), ..options() }).unwrap();
    let id = store.create_session(&session()).unwrap();
    let before = disk.state.lock().unwrap().other_syncs;
    let mut append = append(id, 0, 0, vec![last_turn()]);
    append.screenshots = vec![(BlobHash::of(b"png"), b"png".to_vec())];
    store.append(append).await.unwrap();
    // The file, the folder of its name, and the folder of that folder.
    assert_eq!(disk.state.lock().unwrap().other_syncs - before, 3);
}

/// What a kill leaves between a screenshot and the turn that would have named it: nothing refers to the file, the turn
/// is repeated with another picture, and removal cleans up both.
#[tokio::test]
async fn a_screenshot_without_its_turn_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let shot = |picture: &[u8], attempt: u32, id| {
        let layout = layout("seen");
        let mut turn = turn(Act::Reset, &layout, "Main");
        if let droidmux::record::Observation::Seen(seen) = &mut turn.observation {
            seen.screenshot = Some(BlobHash::of(picture));
        }
        let screenshots = vec![(BlobHash::of(picture), picture.to_vec())];
        Append { attempt, layouts: vec![layout], screenshots, ..append(id, 0, 0, vec![turn]) }
    };
    let id = {
        let disk = Arc::new(Watched::default());
        let store = Store::open(folder.path(), StoreOptions { disk: disk.clone(), ..options() }).unwrap();
        let id = store.create_session(&session()).unwrap();
        store.put_job(id, &job(0)).unwrap();
        disk.state.lock().unwrap().refuse = true;
        store.append(shot(b"before", 1, id)).await.unwrap_err();
        id
    };
    let store = Store::open(folder.path(), options()).unwrap();
    assert!(store.screenshot(BlobHash::of(b"before")).unwrap().is_some());
    assert!(!store.has_layout(layout("seen").hash()).unwrap());
    assert!(store.attempts(id, Slot(0)).unwrap().is_empty());
    assert_eq!(store.verify().unwrap().problems, []);
    store.append(shot(b"after", 1, id)).await.unwrap();
    assert_eq!((store.verify().unwrap().problems, store.verify().unwrap().screenshots), (Vec::new(), 2));
    let removed = tokio::task::spawn_blocking(move || store.remove_session(id)).await.unwrap();
    assert_eq!(removed.unwrap().screenshots, 2);
}

#[tokio::test]
async fn after_a_failed_fsync_nothing_more_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(Watched::default());
    let store = Store::open(folder.path(), StoreOptions { disk: disk.clone(), ..options() }).unwrap();
    let id = store.create_session(&session()).unwrap();
    disk.state.lock().unwrap().fail = true;
    let failed = store.append(append(id, 0, 0, vec![last_turn()])).await;
    assert!(matches!(failed, Err(StoreError::Poisoned { .. })), "{failed:?}");
    disk.state.lock().unwrap().fail = false;
    // The kernel would report success now, whatever happened to the pages.
    let failed = store.append(append(id, 1, 0, vec![last_turn()])).await;
    assert!(matches!(failed, Err(StoreError::Poisoned { .. })), "{failed:?}");
    assert!(store.session(id).unwrap().is_some());
}
