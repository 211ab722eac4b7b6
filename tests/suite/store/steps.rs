//! The log of a session's steps: in the order they came, over all devices, page by page.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use droidmux::record::{Bookmark, SessionId, Slot, StepPlace, Turn};
use droidmux::store::{Append, Disk, RealDisk, Store, StoreError, StoreOptions};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::fixture::*;

fn place(slot: u64, turn: u32) -> StepPlace {
    StepPlace {
        slot: Slot(slot),
        attempt: 1,
        turn,
        test: 0,
        event: turn as u16,
        device: format!("sim-{}", slot % 3),
    }
}

/// Turn `turn` of job `slot`, as an episode appends it.
fn step(session: SessionId, slot: u64, turn: u32) -> Append {
    let layout = layout("one");
    let turns: Vec<Turn> = turns(&vec![layout.clone(); turn as usize + 1]);
    let mut append = append(session, slot, turn, vec![turns[turn as usize].clone()]);
    append.layouts = vec![layout];
    append.steps = vec![place(slot, turn)];
    append
}

fn store_with_jobs(folder: &Path, options: StoreOptions, jobs: u64) -> (Store, SessionId) {
    let store = Store::open(folder, options).unwrap();
    let id = store.create_session(&session()).unwrap();
    (0..jobs).for_each(|slot| store.put_job(id, &job(slot)).unwrap());
    (store, id)
}

/// Appends a turn of each job in this order; returns the places in the order of the log.
async fn append_all(store: &Store, id: SessionId, order: &[u64], turns: &mut [u32]) -> Vec<StepPlace> {
    let mut log = Vec::new();
    for &slot in order {
        let turn = &mut turns[slot as usize];
        let number = store.append(step(id, slot, *turn)).await.unwrap();
        log.push((number, place(slot, *turn)));
        *turn += 1;
    }
    log.into_iter().map(|(_, place)| place).collect()
}

fn page(log: &[StepPlace], from: u64, limit: u32) -> Vec<(u64, StepPlace)> {
    (0..).zip(log.iter().cloned()).skip(from as usize).take(limit as usize).collect()
}

#[test]
fn interleaved_devices_read_back_by_any_page_also_after_reopening() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut runner = TestRunner::new(ProptestConfig { cases: 6, ..ProptestConfig::default() });
    let orders = (prop::collection::vec(0_u64..3, 1..60), prop::collection::vec(0_u64..3, 1..20));
    let pages = prop::collection::vec((0_u64..90, 1_u32..40), 30);
    let told = runner.run(&(orders, pages), |((first, second), pages)| {
        let folder = tempfile::tempdir().unwrap();
        let (store, id) = store_with_jobs(folder.path(), options(), 3);
        let other = store.create_session(&session()).unwrap();
        store.put_job(other, &job(0)).unwrap();
        let mut turns = [0; 3];
        let mut log = runtime.block_on(append_all(&store, id, &first, &mut turns));
        runtime.block_on(append_all(&store, other, &[0, 0], &mut [0; 3]));
        for &(from, limit) in &pages {
            prop_assert_eq!(store.steps(id, from, limit).unwrap(), page(&log, from, limit));
        }
        drop(store);

        let store = Store::open(folder.path(), options()).unwrap();
        prop_assert_eq!(store.step_count(id).unwrap(), log.len() as u64);
        log.extend(runtime.block_on(append_all(&store, id, &second, &mut turns)));
        for (from, limit) in pages.into_iter().chain([(0, u32::MAX), (u64::MAX, 5)]) {
            prop_assert_eq!(store.steps(id, from, limit).unwrap(), page(&log, from, limit));
        }
        prop_assert_eq!(store.step_count(other).unwrap(), 2);
        prop_assert_eq!(store.verify().unwrap().problems, []);
        Ok(())
    });
    told.unwrap();
}

#[tokio::test]
async fn steps_appended_at_once_get_numbers_without_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let (store, id) = store_with_jobs(folder.path(), options(), 40);
    let appended = (0..40).map(|slot| {
        let store = store.clone();
        tokio::spawn(async move {
            // A refused append takes no number.
            let mut wrong = step(id, slot, 0);
            wrong.layouts.clear();
            wrong.turns = turns(&[layout("never given")]);
            assert!(matches!(store.append(wrong).await, Err(StoreError::Misuse(_))));
            (store.append(step(id, slot, 0)).await.unwrap(), place(slot, 0))
        })
    });
    let mut log = Vec::new();
    for task in appended.collect::<Vec<_>>() {
        log.push(task.await.unwrap());
    }
    log.sort_by_key(|(number, _)| *number);
    assert_eq!(log.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (0..40).collect::<Vec<_>>());
    assert_eq!(store.steps(id, 0, 100).unwrap(), log);
}

/// A disk whose sync fails after the data has been written.
#[derive(Default)]
struct Failing(AtomicBool);

impl Disk for Failing {
    fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        RealDisk.sync(file, path)?;
        match path.ends_with("db/db") && self.0.swap(false, Ordering::SeqCst) {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }

    fn free(&self, folder: &Path) -> io::Result<u64> {
        RealDisk.free(folder)
    }

    fn admit(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn an_append_made_again_is_in_the_log_once() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(Failing::default());
    let (store, id) = store_with_jobs(folder.path(), StoreOptions { disk: disk.clone(), ..options() }, 2);
    assert_eq!(store.append(step(id, 0, 0)).await.unwrap(), 0);
    disk.0.store(true, Ordering::SeqCst);
    let failed = store.append(step(id, 0, 1)).await;
    assert!(failed.is_err_and(|error| error.is_space()), "the disk was full");
    assert!(store.turn(id, Slot(0), 1, 1).unwrap().is_some(), "it was written all the same");
    assert_eq!(store.append(step(id, 1, 0)).await.unwrap(), 2);
    assert_eq!(store.append(step(id, 0, 1)).await.unwrap(), 1);
    let (twice, again) = tokio::join!(store.append(step(id, 1, 1)), store.append(step(id, 1, 1)));
    assert_eq!((twice.unwrap(), again.unwrap()), (3, 3));
    let log = [place(0, 0), place(0, 1), place(1, 0), place(1, 1)];
    assert_eq!(store.steps(id, 0, 10).unwrap(), page(&log, 0, 10));
    assert_eq!(store.verify().unwrap().problems, []);
}

#[tokio::test]
async fn a_step_of_other_turns_is_refused_and_a_log_goes_with_its_session() {
    let folder = tempfile::tempdir().unwrap();
    let (store, id) = store_with_jobs(folder.path(), options(), 1);
    for wrong in [place(1, 0), place(0, 1)] {
        let append = Append { steps: vec![wrong], ..step(id, 0, 0) };
        assert!(matches!(store.append(append).await, Err(StoreError::Misuse(_))));
    }
    store.append(step(id, 0, 0)).await.unwrap();
    let removing = store.clone();
    tokio::task::spawn_blocking(move || removing.remove_session(id)).await.unwrap().unwrap();
    assert_eq!(store.steps(id, 0, 10).unwrap(), []);
}

#[tokio::test]
async fn bookmarks_are_kept_on_steps_and_go_with_their_session() {
    let folder = tempfile::tempdir().unwrap();
    let (store, first) = store_with_jobs(folder.path(), options(), 1);
    let second = store.create_session(&session()).unwrap();
    store.put_job(second, &job(0)).unwrap();
    for id in [first, second] {
        append_all(&store, id, &[0, 0, 0], &mut [0]).await;
    }
    let mark = |session, seq, words: &str| Bookmark { session, seq, words: words.to_owned() };
    for mark in [mark(second, 1, "later"), mark(first, 2, "two"), mark(first, 0, "x"), mark(first, 0, "zero")]
    {
        store.put_bookmark(&mark).unwrap();
    }
    let refused = store.put_bookmark(&mark(first, 3, "nowhere"));
    assert!(matches!(refused, Err(StoreError::Misuse(why)) if why == "s1 has no step 3"));
    drop(store);

    let store = Store::open(folder.path(), options()).unwrap();
    let kept = [mark(first, 0, "zero"), mark(first, 2, "two"), mark(second, 1, "later")];
    assert_eq!(store.bookmarks().unwrap(), kept);
    assert_eq!(store.verify().unwrap().problems, []);
    store.remove_bookmark(first, 2).unwrap();
    store.remove_bookmark(first, 7).unwrap();
    let removing = store.clone();
    tokio::task::spawn_blocking(move || removing.remove_session(second)).await.unwrap().unwrap();
    assert_eq!(store.bookmarks().unwrap(), kept[..1]);
}
