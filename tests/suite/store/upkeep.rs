//! Figures, checks and removal.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;

use droidmux::record::{BlobHash, Layouts, SessionId, Slot};
use droidmux::store::{Disk, RealDisk, Store, StoreError, StoreOptions};

use super::fixture::*;

async fn two_sessions(folder: &Path) -> (Store, SessionId, SessionId) {
    let store = Store::open(folder, options()).unwrap();
    let first = store.create_session(&session()).unwrap();
    let second = store.create_session(&session()).unwrap();
    store_job(&store, first, 0, &[layout("shared"), layout("first")]).await;
    store_job(&store, second, 0, &[layout("shared")]).await;
    store_job(&store, second, 1, &[layout("shared"), layout("second")]).await;
    store.put_finding(&finding(second, 1, "key", 1)).unwrap();
    (store, first, second)
}

#[tokio::test]
async fn stats_count_everything_once() {
    let folder = tempfile::tempdir().unwrap();
    let (store, ..) = two_sessions(folder.path()).await;
    let stats = store.stats().unwrap();
    let counts: Vec<_> = stats
        .sessions
        .iter()
        .map(|s| (s.id.as_str(), s.jobs, s.runs, s.turns, s.judgements, s.findings))
        .collect();
    assert_eq!(counts, [("s1", 1, 1, 3, 1, 0), ("s2", 2, 2, 5, 2, 1)]);
    assert_eq!((stats.layouts.count, stats.screenshots.count), (3, 2));
    assert!(stats.layouts.bytes > 0 && stats.screenshots.bytes > 0 && stats.database > 0);
}

/// The real disk, but with no more room than configured.
struct Tight(u64);

impl Disk for Tight {
    fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        RealDisk.sync(file, path)
    }

    fn free(&self, _: &Path) -> io::Result<u64> {
        Ok(self.0)
    }

    fn admit(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn removal_keeps_what_others_name() {
    for (free, compacted) in [(1 << 30, true), (1 << 20, false)] {
        removal_with(free, compacted).await;
    }
}

async fn removal_with(free: u64, compacted: bool) {
    let folder = tempfile::tempdir().unwrap();
    drop(two_sessions(folder.path()).await);
    let tight = StoreOptions { disk: Arc::new(Tight(free)), ..options() };
    let store = Store::open(folder.path(), tight).unwrap();
    let (first, second) = (SessionId(1), SessionId(2));
    let cleaning = store.clone();
    let remove = move || cleaning.remove_session(second);
    let removed = tokio::task::spawn_blocking(remove).await.unwrap().unwrap();
    assert_eq!((removed.layouts, removed.screenshots, removed.compacted), (1, 1, compacted));
    // A session, two jobs, two runs, two judgements, five turns, a layout photographed, a finding.
    assert_eq!(removed.values, 14);
    assert_eq!(store.sessions().unwrap().len(), 1);
    assert!(store.layout(layout("shared").hash()).is_some());
    assert!(store.layout(layout("second").hash()).is_none());
    assert!(store.screenshot(BlobHash::of(b"picture 0")).unwrap().is_some());
    assert!(store.run(first, Slot(0)).unwrap().is_some());
    assert_eq!(store.findings(None).unwrap(), []);
    assert_eq!(store.verify().unwrap().problems, []);
}

/// Changes one raw entry of the database without the store's knowledge.
fn tamper(folder: &Path, key: &[u8], change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) {
    let db = database(folder);
    let value = db.get(key).unwrap().expect("the key to tamper with").to_vec();
    match change(value) {
        Some(value) => db.insert(key, value).unwrap(),
        None => db.remove(key).unwrap(),
    };
    db.flush().unwrap();
}

fn key(kind: u8, session: u32, slot: u64, rest: &[u32]) -> Vec<u8> {
    let mut key = vec![kind];
    key.extend(session.to_be_bytes());
    key.extend(slot.to_be_bytes());
    rest.iter().for_each(|number| key.extend(number.to_be_bytes()));
    key
}

#[tokio::test]
async fn damage_is_found_and_named() {
    let damaged = |mut value: Vec<u8>| {
        value.truncate(value.len() / 2);
        Some(value)
    };
    let mut layout_key = vec![b'l'];
    layout_key.extend(layout("second").hash().0);
    type Change = Box<dyn FnOnce(Vec<u8>) -> Option<Vec<u8>>>;
    let cases: Vec<(Vec<u8>, Change, &str)> = vec![
        (key(b't', 2, 1, &[1, 1]), Box::new(damaged), "turns of s2 j1, attempt 1, from turn 1: it cannot"),
        (key(b't', 2, 1, &[1, 1]), Box::new(|_| None), "turns of s2 j1, attempt 1, from turn 2: 1 turns"),
        (
            key(b't', 2, 1, &[1, 2]),
            Box::new(|_| None),
            "attempt of s2 j1: attempt 1 has 2 turns instead of 3",
        ),
        (key(b'j', 2, 1, &[]), Box::new(|_| None), "turns of s2 j1, attempt 1, from turn 0: its job"),
        (key(b'a', 2, 1, &[]), Box::new(|_| None), "finding s2-"),
        (key(b'v', 2, 1, &[]), Box::new(|_| Some(vec![9, 9])), "the judgement of s2 j1: it has version 9"),
        (layout_key.clone(), Box::new(|_| None), "from turn 1: it names layout"),
        (layout_key, Box::new(damaged), "layout "),
    ];
    for (key, change, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        drop(two_sessions(folder.path()).await);
        tamper(folder.path(), &key, change);
        let store = Store::open(folder.path(), options()).unwrap();
        let report = store.verify().unwrap();
        let problems: Vec<String> =
            report.problems.iter().map(|problem| format!("{}: {}", problem.at, problem.what)).collect();
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:#?}");
        // Reading damaged data gives an error or nothing, never a panic.
        let _ = store.runs(SessionId(2)).collect::<Vec<_>>();
        let _ = store.layout(layout("second").hash());
        let _ = store.stats();
    }
}

#[tokio::test]
async fn a_corrupt_value_is_an_error_that_names_its_key() {
    let folder = tempfile::tempdir().unwrap();
    drop(two_sessions(folder.path()).await);
    tamper(folder.path(), &key(b'v', 2, 1, &[]), |_| Some(vec![1, 0, 0xff, 0xff]));
    let store = Store::open(folder.path(), options()).unwrap();
    let error = store.judgement(SessionId(2), Slot(1)).unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { key, .. } if key == "the judgement of s2 j1"), "{error}");
}

#[tokio::test]
async fn missing_and_damaged_screenshots_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (store, ..) = two_sessions(folder.path()).await;
    let file = |content: &[u8]| {
        let name = BlobHash::of(content).to_string();
        folder.path().join("screens").join(&name[..2]).join(format!("{}.png", &name[2..]))
    };
    fs::remove_file(file(b"picture 0")).unwrap();
    fs::write(file(b"picture 1"), b"scribble").unwrap();
    let problems: Vec<String> = store.verify().unwrap().problems.into_iter().map(|p| p.what).collect();
    // By two turns, and as what shows a layout.
    assert_eq!(problems.len(), 4, "named three times, damaged once: {problems:?}");
    assert_eq!(problems.iter().filter(|what| what.contains("not stored")).count(), 3);
    assert_eq!(problems.iter().filter(|what| what.contains("another hash")).count(), 1);
}
