use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

/// Closes a database and returns when its tasks have released its file: they keep moving pages for a while.
fn close(db: sled::Db, home: &Path) {
    drop(db);
    let file = fs::File::open(home.join("db")).unwrap();
    file.lock().unwrap();
}

/// Opens a database. A process that another test has just started may hold a copy of its lock for a moment.
fn open(config: &sled::Config) -> sled::Db {
    std::iter::repeat_with(|| config.open()).find_map(Result::ok).unwrap()
}

/// Operations on a database: keys set and removed in batches, and the database closed now and then.
fn fill(home: &Path, rounds: &[Vec<(u16, Option<u16>)>]) -> Entries {
    let mut expected = Entries::new();
    for round in rounds {
        let db = open(&sled::Config::new().path(home));
        for changes in round.chunks(7) {
            let mut batch = sled::Batch::default();
            for (key, value) in changes {
                let key = format!("key {:04}", key % 700).into_bytes();
                match value {
                    Some(length) => {
                        let value = vec![b'v'; usize::from(length % 3_000)];
                        batch.insert(key.clone(), value.clone());
                        expected.insert(key, value);
                    }
                    None => {
                        batch.remove(key.clone());
                        expected.remove(&key);
                    }
                }
            }
            db.apply_batch(batch).unwrap();
        }
        db.flush().unwrap();
        close(db, home);
    }
    expected
}

fn entries(found: &Found) -> Entries {
    found.keys().map(|key| (key.to_vec(), found.value(key).unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_sound_log_is_read_as_sled_reads_it(
        rounds in proptest::collection::vec(
            proptest::collection::vec((any::<u16>(), proptest::option::weighted(0.7, any::<u16>())), 1..900),
            1..4,
        )
    ) {
        let folder = tempfile::tempdir().unwrap();
        let expected = fill(folder.path(), &rounds);
        let found = read(folder.path()).unwrap();
        prop_assert_eq!((found.unread, found.is_cut), (0, false));
        prop_assert!(entries(&found) == expected);
    }
}

#[test]
fn what_a_segment_held_before_it_was_used_again_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let mut expected = Entries::new();
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for round in 0..3 {
        let config = sled::Config::new().path(home).mode(sled::Mode::LowSpace);
        let db = open(&config);
        for _ in 0..600 {
            let mut batch = sled::Batch::default();
            for _ in 0..7 {
                let key = draw(1_500).to_be_bytes().to_vec();
                let value = vec![b'v'; usize::try_from(draw(3_900)).unwrap()];
                batch.insert(key.clone(), value.clone());
                expected.insert(key, value);
            }
            db.apply_batch(batch).unwrap();
            db.flush().unwrap();
        }
        close(db, home);
        let found = read(home).unwrap();
        assert_eq!((found.unread, found.is_cut, broken(home).unwrap()), (0, false, None), "round {round}");
        assert!(entries(&found) == expected, "round {round}");
    }
    // Some 24 MB were written.
    assert!(fs::metadata(home.join("db")).unwrap().len() < 20 << 20, "segments are used again");
}

fn broken(home: &Path) -> io::Result<Option<Break>> {
    condition(home).map(|condition| condition.broken)
}

#[test]
fn damage_before_later_commits_is_told_from_the_end_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    assert_eq!(broken(home).unwrap(), None, "there is no database");
    fill(home, &[(0..700).map(|key| (key, Some(900))).collect()]);
    assert_eq!(broken(home).unwrap(), None);
    let path = home.join("db");
    let sound = fs::read(&path).unwrap();
    let end = sound.iter().rposition(|byte| *byte != 0).unwrap();
    for number in 1..40 {
        let mut bytes = sound.clone();
        let at = end * number / 40;
        bytes[at] ^= 1 << (number % 8);
        fs::write(&path, &bytes).unwrap();
        // The last commits are followed by none that could reveal the damage; nor is what sled moves there by itself,
        // which is more if it had to wait for the processor.
        let found = broken(home).unwrap();
        assert!(found.is_some() || number > 30, "bit {number}");
        assert!(
            found.is_none_or(|found| found.at <= at as u64 && found.commits > 1),
            "bit {number}: {found:?}"
        );
    }
    for number in 1..40 {
        fs::write(&path, &sound[..end * number / 40]).unwrap();
        let Condition { broken, torn } = condition(home).unwrap();
        assert_eq!(broken, None, "cut {number}: nothing comes after it");
        let found = read(home).unwrap();
        let expected = found.first_unread.map(|at| Torn { at, bytes: found.unread });
        assert_eq!(torn, expected, "cut {number}: what a salvage calls lost is told");
    }
}

#[test]
fn damage_costs_what_it_hits_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let changes = (0..700).map(|key| (key, Some(900))).collect();
    let expected = fill(folder.path(), &[changes]);
    let path = folder.path().join("db");
    let sound = fs::read(&path).unwrap();
    let end = sound.iter().rposition(|byte| *byte != 0).unwrap();
    for number in 0..200 {
        let mut bytes = sound.clone();
        bytes[end * number / 200] ^= 1 << (number % 8);
        fs::write(&path, &bytes).unwrap();
        let found = entries(&read(folder.path()).unwrap());
        let lost = expected.keys().filter(|key| !found.contains_key(*key)).count();
        assert!(lost <= 40, "bit {number}: {lost} keys lost");
        assert!(found.iter().all(|(key, value)| expected.get(key) == Some(value)), "bit {number}");
    }
    for number in 0..40 {
        fs::write(&path, &sound[..end * number / 40]).unwrap();
        let found = entries(&read(folder.path()).unwrap());
        assert!(found.iter().all(|(key, value)| expected.get(key) == Some(value)), "cut {number}");
    }
    fs::write(&path, b"").unwrap();
    assert_eq!(read(folder.path()).unwrap().keys().count(), 0);
}
