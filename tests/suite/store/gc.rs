//! Which sessions are removed, and that only those are.

use std::collections::BTreeSet;
use std::path::Path;

use droidmux::record::{FindingState, JobId, SessionId, SessionRecord, Slot};
use droidmux::store::{GcRules, Store};

use super::fixture::*;

/// Five sessions: s1 old, s2 old and marked true, s3 old and built on by s4, s5 not ended.
async fn five(folder: &Path) -> Store {
    let store = Store::open(folder, options()).unwrap();
    for number in 1..=5_u64 {
        let mut record = SessionRecord { started_ms: number * 100, ..session() };
        if number < 5 {
            (record.ended_ms, record.ending) = (Some(number * 100 + 50), Some("done".to_owned()));
        }
        if number == 4 {
            record.inputs = vec![JobId { session: SessionId(3), slot: Slot(0) }];
        }
        let id = store.create_session(&record).unwrap();
        store_job(&store, id, 0, &[layout("shared"), layout(&"x".repeat(5_000 * number as usize))]).await;
    }
    let found = finding(SessionId(2), 0, "key", 1);
    store.put_finding(&found).unwrap();
    store.mark(&found.id, FindingState::True, "").unwrap();
    store
}

fn ids(numbers: &[u32]) -> BTreeSet<SessionId> {
    numbers.iter().copied().map(SessionId).collect()
}

#[tokio::test]
async fn rules_choose_and_protect() {
    let folder = tempfile::tempdir().unwrap();
    let store = five(folder.path()).await;
    let old = || GcRules { ended_before_ms: Some(400), ..GcRules::default() };
    let all = || GcRules { keep_below: Some(0), ..GcRules::default() };
    let named = |numbers: &[u32]| GcRules { sessions: ids(numbers), ..GcRules::default() };
    let cases: Vec<(GcRules, &[u32], &[&str])> = vec![
        (GcRules::default(), &[], &[]),
        (old(), &[1], &["s2 has findings", "s3 s4 builds on it"]),
        (GcRules { marked: true, ..old() }, &[1, 2], &["s3 s4 builds on it"]),
        (GcRules { dependents: true, ..old() }, &[1, 3, 4], &["s2 has findings"]),
        (named(&[4]), &[4], &[]),
        (named(&[3, 4]), &[3, 4], &[]),
        (named(&[5]), &[], &["s5 has not ended"]),
        (GcRules { unended: true, ..named(&[5]) }, &[5], &[]),
        (GcRules { unended: true, running: ids(&[5]), ..named(&[5]) }, &[], &["s5 is running"]),
        (all(), &[1, 4], &["s2 has findings", "s3 s4 builds on it", "s5 has not ended"]),
        (GcRules { keep_below: Some(u64::MAX), ..GcRules::default() }, &[], &[]),
        (GcRules { unended: true, marked: true, dependents: true, ..all() }, &[1, 2, 3, 4, 5], &[]),
    ];
    for (rules, go, stay) in cases {
        let plan = store.plan_gc(&rules).unwrap();
        assert_eq!(plan.ids(), ids(go), "{rules:?} {plan:?}");
        let stays: Vec<String> = plan.stay.iter().map(|(id, why)| format!("{id} {why}")).collect();
        assert_eq!(stays.len(), stay.len(), "{rules:?} {stays:?}");
        for (said, expected) in stays.iter().zip(stay) {
            assert!(said.starts_with(expected), "{rules:?} {said}");
        }
        assert!(plan.size_after <= plan.size);
    }
    let missing = store.plan_gc(&named(&[9])).unwrap_err();
    assert!(missing.to_string().contains("no session s9"), "{missing}");
    assert_eq!(store.sessions().unwrap().len(), 5, "plans change nothing");
}

#[tokio::test]
async fn the_oldest_go_until_the_rest_is_small_enough() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    for number in 0..6_u64 {
        // The older the later: age counts, not the number.
        let ended_ms = Some(10_000 - number);
        let id = store.create_session(&SessionRecord { ended_ms, ..session() }).unwrap();
        let noise: Vec<u8> =
            (0..40_000_u64).map(|n| ((n * n * (number + 3)) >> 7) as u8 % 26 + b'a').collect();
        store_job(&store, id, 0, &[layout("shared"), layout(&String::from_utf8(noise).unwrap())]).await;
    }
    let before = store.size().unwrap().total();
    assert!(store.size_alarm(before).unwrap().is_none());
    let alarm = store.size_alarm(before - 1).unwrap().expect("an alarm").to_string();
    assert!(alarm.contains("has grown to") && alarm.contains("store gc --keep-below"), "{alarm}");
    let plan = store.plan_gc(&GcRules { keep_below: Some(before / 2), ..GcRules::default() }).unwrap();
    let order: Vec<&str> = plan.go.iter().map(|session| session.id.as_str()).collect();
    assert!((2..=4).contains(&order.len()), "{plan:?}");
    assert_eq!(order, ["s6", "s5", "s4", "s3"][..order.len()]);
    assert!(plan.size_after <= before / 2 && plan.go.iter().all(|session| session.bytes > 0));

    let (cleaning, going) = (store.clone(), plan.ids());
    let removed =
        tokio::task::spawn_blocking(move || cleaning.remove_sessions(&going)).await.unwrap().unwrap();
    assert_eq!(removed.layouts, order.len() as u64);
    assert_eq!(store.sessions().unwrap().len(), 6 - order.len());
    assert_eq!(store.verify().unwrap().problems, []);
}
