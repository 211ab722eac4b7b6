//! What is written reads back, even in the next process.

use droidmux::gui::LayoutBuilder;
use droidmux::record::{BlobHash, FindingState, Judgement, Layouts, Mask, MaskEdit, SessionId, Slot};
use droidmux::store::{Store, StoreError};

use super::fixture::*;

#[tokio::test]
async fn a_session_reads_back_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let layouts = [layout("one"), layout("two"), layout("one")];
    let store = Store::open(folder.path(), options()).unwrap();
    let id = store.create_session(&session()).unwrap();
    for slot in [0, 2, 300] {
        store_job(&store, id, slot, &layouts).await;
    }
    store.put_job(id, &job(301)).unwrap();
    let mut ended = session();
    ended.ended_ms = Some(2_000);
    ended.ending = Some("all done".to_owned());
    store.update_session(id, &ended).unwrap();
    drop(store);

    let store = Store::open(folder.path(), options()).unwrap();
    assert_eq!(store.sessions().unwrap(), [(id, ended)]);
    let slots: Vec<u64> = store.jobs(id).map(|job| job.unwrap().slot.0).collect();
    assert_eq!(slots, [0, 2, 300, 301]);
    let runs: Vec<_> = store.runs(id).map(Result::unwrap).collect();
    assert_eq!(runs.iter().map(|run| run.job.slot.0).collect::<Vec<_>>(), [0, 2, 300]);
    assert_eq!(runs[1].turns.len(), 4);
    assert_eq!(store.run(id, Slot(2)).unwrap().as_ref(), Some(&runs[1]));
    assert_eq!(store.run(id, Slot(301)).unwrap(), None);
    assert_eq!(store.turn(id, Slot(2), 1, 3).unwrap().as_ref(), runs[1].turns.last());
    assert_eq!(store.turn(id, Slot(2), 1, 4).unwrap(), None);
    assert_eq!(store.judgement(id, Slot(300)).unwrap().unwrap().verdicts, [verdict(300, "key")]);
    for layout in &layouts {
        assert_eq!(store.layout(layout.hash()).as_deref(), Some(&**layout));
    }
    assert_eq!(store.layout(LayoutBuilder::new().finish().hash()), None);
    let picture = store.screenshot(BlobHash::of(b"picture 2")).unwrap();
    assert_eq!(picture.as_deref(), Some(&b"picture 2"[..]));
    let report = store.verify().unwrap();
    assert_eq!(report.problems, []);
    assert_eq!((report.turns, report.layouts, report.screenshots), (12, 2, 3));
}

#[tokio::test]
async fn turns_appended_together_and_lost_attempts_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let id = store.create_session(&session()).unwrap();
    store.put_job(id, &job(0)).unwrap();
    let layout = layout("one");
    let all = turns(&vec![layout.clone(); 5]);
    let mut lost = append(id, 0, 0, all[..2].to_vec());
    lost.layouts = vec![layout.clone()];
    store.append(lost).await.unwrap();
    for (first, last) in [(0, 3), (3, 4), (4, 6)] {
        let mut part = append(id, 0, u32::try_from(first).unwrap(), all[first..last].to_vec());
        part.attempt = 2;
        store.append(part).await.unwrap();
    }
    assert_eq!(store.attempts(id, Slot(0)).unwrap(), [1, 2]);
    assert_eq!(store.turns(id, Slot(0), 1).unwrap(), all[..2]);
    assert_eq!(store.turns(id, Slot(0), 2).unwrap(), all);
    for (number, turn) in (0..).zip(&all) {
        assert_eq!(store.turn(id, Slot(0), 2, number).unwrap().as_ref(), Some(turn));
    }
    let mut whole = run(0, all.clone());
    whole.attempt = 2;
    store.finish_job(id, &finished(&whole)).unwrap();
    assert_eq!(store.run(id, Slot(0)).unwrap(), Some(whole.clone()));
    whole.attempt = 3;
    assert!(matches!(store.finish_job(id, &finished(&whole)), Err(StoreError::Misuse(_))));
}

#[tokio::test]
async fn a_reference_to_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let id = store.create_session(&session()).unwrap();
    let without_layout = append(id, 0, 0, turns(&[layout("never given")]));
    let error = store.append(without_layout).await.unwrap_err().to_string();
    assert!(error.contains("neither given nor stored"), "{error}");
    let mut wrong_hash = append(id, 0, 0, vec![last_turn()]);
    wrong_hash.screenshots = vec![(BlobHash::of(b"a"), b"b".to_vec())];
    assert!(matches!(store.append(wrong_hash).await, Err(StoreError::WrongHash { .. })));
    assert!(matches!(store.append(append(id, 0, 0, Vec::new())).await, Err(StoreError::Misuse(_))));
    assert_eq!(store.attempts(id, Slot(0)).unwrap(), [] as [u32; 0]);
    assert!(matches!(store.update_session(SessionId(9), &session()), Err(StoreError::NoSession(_))));
}

#[test]
fn marks_outlive_the_planners_next_word() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let first = store.create_session(&session()).unwrap();
    let second = store.create_session(&session()).unwrap();
    let found = [finding(first, 0, "b", 2), finding(first, 1, "a", 1), finding(second, 0, "c", 1)];
    store.put_findings(&found).unwrap();
    store.mark(&found[0].id, FindingState::True, "seen on my phone").unwrap();
    let mut again = found[0].clone();
    again.occurrences = 5;
    store.put_finding(&again).unwrap();
    let read = store.finding(&found[0].id).unwrap().unwrap();
    let told = (read.occurrences, read.state, read.note.as_str());
    assert_eq!(told, (5, FindingState::True, "seen on my phone"));
    let ids = |session| -> Vec<_> {
        store.findings(session).unwrap().into_iter().map(|finding| finding.id).collect()
    };
    assert_eq!(ids(Some(first)), [found[1].id.clone(), found[0].id.clone()]);
    assert_eq!(ids(None).len(), 3);
    let nobody = finding(first, 0, "nobody", 1).id;
    assert!(store.mark(&nobody, FindingState::True, "").is_err());

    let mask = Mask {
        activity: "Main".to_owned(),
        class: "TextView".to_owned(),
        resource_id: "date".to_owned(),
        description: String::new(),
        path: "a/b".to_owned(),
        example: ("1".to_owned(), "2".to_owned()),
    };
    for masked in [true, false] {
        store.edit_mask(first, &MaskEdit { mask: mask.clone(), masked }).unwrap();
    }
    assert_eq!(store.mask_edits(first).unwrap(), [MaskEdit { mask, masked: false }]);
    assert_eq!(store.mask_edits(second).unwrap(), []);
}

#[test]
fn only_one_process_and_no_newer_format() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let refused = Store::open(folder.path(), options()).err().unwrap().to_string();
    assert!(refused.contains(&format!("in use by process {}", std::process::id())), "{refused}");
    drop(store);
    std::fs::write(folder.path().join("format"), "droidmux store, format 77\n").unwrap();
    let refused = Store::open(folder.path(), options()).err().unwrap();
    assert!(matches!(refused, StoreError::TooNew { found: 77, .. }), "{refused}");
    assert!(refused.to_string().contains("use a newer droidmux"), "{refused}");
}

#[test]
fn session_numbers_are_never_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let ids: Vec<_> = (0..3).map(|_| store.create_session(&session()).unwrap().0).collect();
    assert_eq!(ids, [1, 2, 3]);
    store.remove_session(SessionId(3)).unwrap();
    assert_eq!(store.create_session(&session()).unwrap(), SessionId(4));
}

#[tokio::test]
async fn a_value_may_grow_and_shrink() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let id = store.create_session(&session()).unwrap();
    store_job(&store, id, 0, &[layout("one")]).await;
    for verdicts in [1, 400, 30, 900, 0] {
        // Keys that do not compress.
        let key = |n: u32| blake3::hash(&n.to_be_bytes()).to_string();
        let verdicts = (0..verdicts).map(|n| verdict(0, &key(n))).collect();
        let judgement = Judgement { verdicts, ..Judgement::default() };
        store.put_judgement(id, Slot(0), &judgement).unwrap();
        assert_eq!(store.judgement(id, Slot(0)).unwrap(), Some(judgement));
        assert_eq!(store.verify().unwrap().problems, [], "pieces left over");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_and_appends_go_on_while_a_session_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let first = store.create_session(&session()).unwrap();
    store_job(&store, first, 0, &[layout("one"), layout("two")]).await;
    let reader = store.clone();
    let reading = tokio::task::spawn_blocking(move || {
        for _ in 0..300 {
            assert_eq!(reader.runs(first).filter_map(Result::ok).count(), 1);
        }
    });
    let writer = store.clone();
    let writing = tokio::spawn(async move {
        for slot in 1..40 {
            writer.append(append(first, slot, 0, vec![last_turn()])).await.unwrap();
        }
    });
    for _ in 0..4 {
        let gone = store.create_session(&session()).unwrap();
        store_job(&store, gone, 0, &[layout("one"), layout("gone")]).await;
        let cleaning = store.clone();
        let removed =
            tokio::task::spawn_blocking(move || cleaning.remove_session(gone)).await.unwrap().unwrap();
        assert_eq!((removed.layouts, removed.compacted), (1, true));
    }
    reading.await.unwrap();
    writing.await.unwrap();
    for slot in 0..40 {
        assert_eq!(store.attempts(first, Slot(slot)).unwrap(), [1]);
    }
}
