//! Stores and archives of earlier formats: kept exactly as earlier versions wrote them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use droidmux::record::{
    ExampleKind, FindingId, FindingState, Handling, Layouts, RecheckOracle, SessionId, SessionRecord, Slot,
    Turn,
};
use droidmux::store::{Copies, Disk, Imported, RealDisk, Store, StoreOptions};

use super::fixture::*;

fn fixture(format: u32, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/stores/format-{format}/{name}"))
}

/// A copy of the store of this format.
pub fn unpacked(format: u32, folder: &Path) -> PathBuf {
    let packed = File::open(fixture(format, "store.tar.zst")).unwrap();
    tar::Archive::new(zstd::Decoder::new(packed).unwrap()).unpack(folder).unwrap();
    folder.to_owned()
}

/// The raw entries of a store's database.
fn entries(folder: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let db = database(folder);
    db.iter().map(|entry| entry.map(|(key, value)| (key.to_vec(), value.to_vec())).unwrap()).collect()
}

fn format_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("format")).unwrap()
}

/// Session, technique, jobs, finished jobs, turns, judgements and findings, as the version that wrote
/// format 5 listed them.
const SESSIONS: [(&str, &str, u64, u64, u64, u64, u64); 9] = [
    ("s1", "genie", 8, 8, 259, 8, 1),
    ("s2", "odin", 2, 2, 40, 2, 0),
    ("s3", "pbfdroid", 3, 3, 451, 3, 1),
    ("s4", "inputblaster", 14, 14, 742, 14, 2),
    ("s5", "randomtext", 3, 3, 156, 3, 0),
    ("s6", "visiondroid", 2, 2, 265, 2, 0),
    ("s7", "genie", 1, 1, 20, 1, 1),
    ("s9", "monkey", 3, 0, 2, 0, 0),
    ("s10", "monkey", 3, 0, 2, 0, 0),
];

const FINDINGS: [(&str, &str); 5] = [
    (
        "s1-427fb908",
        "ImageView \"Picture\" does not appear by click \"Attach picture\" after an inserted click select_card_view",
    ),
    ("s3-325f9503", "after rename note: old_object, showing \";M,\", is on the layout"),
    (
        "s4-991bcb23",
        "full-width characters in \"weight\", \"２１０\": the same value gives another result: \"0.0 kg\" where \
         \"210 kg\" was",
    ),
    (
        "s4-6531e1d5",
        "an unusual number or date in \"systolic\", \"0160\": the same value gives another result: \"112/95\" where \
         \"160/95\" was",
    ),
    (
        "s7-427fb908",
        "ImageView \"Picture\" does not appear by click \"Attach picture\" after an inserted click select_card_view",
    ),
];

/// Examines everything in a store that holds what the format 5 fixture does.
fn require_all(store: &Store) {
    let stats = store.stats().unwrap();
    let sessions: Vec<_> = stats
        .sessions
        .iter()
        .map(|s| (s.id.as_str(), s.technique.as_str(), s.jobs, s.runs, s.turns, s.judgements, s.findings))
        .collect();
    assert_eq!(sessions, SESSIONS);
    assert_eq!((stats.layouts.count, stats.screenshots.count), (470, 3));

    let findings = store.findings(None).unwrap();
    let told: Vec<_> = findings.iter().map(|f| (f.id.to_string(), f.verdict.title.as_str())).collect();
    assert_eq!(told, FINDINGS.map(|(id, title)| (id.to_owned(), title)));
    assert!(findings.iter().all(|finding| finding.confirmation.is_confirmed()));
    assert_eq!((findings[0].state, findings[0].note.as_str()), (FindingState::True, "seen on my phone, too"));
    let shrunk = store.shrunk(&findings[0].id).unwrap().expect("a shrunk finding");
    assert_eq!((shrunk.from, shrunk.to, shrunk.session), (6, 6, SessionId(8)));
    let edits = store.mask_edits(SessionId(1)).unwrap();
    assert_eq!(edits.iter().map(|edit| edit.mask.id().to_string()).collect::<Vec<_>>(), ["m74da782b"]);
    let rechecks: Vec<_> = store.rechecks(SessionId(1)).unwrap().into_iter().map(|one| one.oracle).collect();
    assert_eq!(rechecks, [RecheckOracle::Odin, RecheckOracle::Crash]);

    let report = store.verify().unwrap();
    assert_eq!((report.problems.as_slice(), report.turns), (&[][..], 1_937));
    for (id, record) in store.sessions().unwrap() {
        for job in store.jobs(id).map(Result::unwrap) {
            let turns = store.attempts(id, job.slot).unwrap().into_iter();
            for turn in turns.flat_map(|attempt| store.turns(id, job.slot, attempt).unwrap()) {
                require_screen(store, &turn);
            }
        }
        assert!(record.droidmux.starts_with("0.1"), "{}", record.droidmux);
    }
    let shown = |id: u32| {
        let turns = store.turns(SessionId(id), Slot(0), 1).unwrap();
        turns.iter().flat_map(Turn::blobs).count()
    };
    assert_eq!((shown(9), shown(10)), (2, 1), "turns with pictures");
}

/// What a turn names exists: a layout, and a valid picture.
fn require_screen(store: &Store, turn: &Turn) {
    if let Some(seen) = turn.observation.seen() {
        assert!(store.layout(seen.screen.layout).is_some());
    }
    for blob in turn.blobs() {
        let png = store.screenshot(blob).unwrap().expect("the picture is stored");
        assert!(png.starts_with(b"\x89PNG"));
    }
}

/// Data in archives that belongs to no session.
fn require_the_rest(store: &Store) {
    let examples = store.examples(None).map(Result::unwrap);
    let mut kinds: Vec<_> = examples.map(|example| (example.kind(), example.id().to_string())).collect();
    kinds.sort_by(|a, b| a.1.cmp(&b.1));
    let expected = [(ExampleKind::Input, "e2b9d43e9".to_owned()), (ExampleKind::Bug, "e5052884a".to_owned())];
    assert_eq!(kinds, expected);
    assert!(store.incidents().map(Result::unwrap).count() > 3);
    assert_eq!(store.handling(SessionId(10)).unwrap(), Handling { paused: true, priority: 3 });
}

/// Every technique whose planner version is unchanged replans the jobs it planned, and its drivers act again as they
/// did; a session of another planner version is left out, and reported.
#[test]
fn sessions_of_format_5_are_derived_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&unpacked(5, folder.path()), options()).unwrap();
    let make = |record: &SessionRecord, id| droidmux::technique::planner(&record.definition, id, record.rng);
    let report = droidmux::lab::rederive(&store, &make).unwrap();
    assert!(report.is_clean(), "{report:?}");
    let sessions = store.sessions().unwrap();
    let is_of_now =
        |(id, record): &&(SessionId, SessionRecord)| make(record, *id).version() == record.planner_version;
    let same = sessions.iter().filter(is_of_now).count();
    assert_eq!(report.skipped.len(), sessions.len() - same, "{:?}", report.skipped);
    assert!(same > 0 && report.jobs > 0 && report.turns > 0, "{report:?}");
}

#[test]
fn a_store_of_format_5_opens_with_all_it_holds_and_is_not_changed_by_reading() {
    let folder = tempfile::tempdir().unwrap();
    let folder = unpacked(5, folder.path());
    let before = entries(&folder);
    for _ in 0..2 {
        let store = Store::open(&folder, options()).unwrap();
        assert_eq!(store.stats().unwrap().format, 5);
        require_all(&store);
        require_the_rest(&store);
        drop(store);
        assert_eq!(format_of(&folder), "droidmux store, format 5\n");
        assert!(entries(&folder) == before, "reading changed stored values");
    }
}

#[test]
fn what_is_written_to_it_makes_it_one_of_this_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = unpacked(5, folder.path());
    let before = entries(&folder);
    let store = Store::open(&folder, options()).unwrap();
    let finding: FindingId = "s3-325f9503".parse().unwrap();
    store.mark(&finding, FindingState::FalseAlarm, "as it should be").unwrap();
    store.mark(&finding, FindingState::New, "").unwrap();
    require_all(&store);
    assert_ne!(store.stats().unwrap().format, 5);
    let id = store.create_session(&session()).unwrap();
    assert_eq!(id, SessionId(11), "numbers go on");
    store.remove_session(id).unwrap();
    require_all(&store);
    require_the_rest(&store);
    drop(store);
    assert_ne!(format_of(&folder), "droidmux store, format 5\n");
    // Nothing was converted without being asked for.
    let after = entries(&folder);
    let changed = before.iter().filter(|(key, value)| after.get(*key) != Some(*value)).count();
    assert_eq!(changed, 1, "only the counter of sessions");
}

/// The real disk, which keeps a copy of the store as it is at every sync: what a kill at that moment leaves.
struct Kept {
    store: PathBuf,
    copies: PathBuf,
    made: Mutex<usize>,
}

impl Disk for Kept {
    fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        let mut made = self.made.lock().unwrap();
        copy(&self.store, &self.copies.join(made.to_string()));
        *made += 1;
        RealDisk.sync(file, path)
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        RealDisk.free(path)
    }

    fn admit(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let into = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &into),
            false => fs::copy(entry.path(), into).map(|_| ()).unwrap(),
        }
    }
}

#[test]
fn killed_anywhere_while_it_is_opened_and_written_it_opens_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = unpacked(5, &folder.path().join("store"));
    let copies = folder.path().join("copies");
    let disk = Arc::new(Kept { store: store.clone(), copies: copies.clone(), made: Mutex::new(0) });
    let kept = StoreOptions { disk: Arc::clone(&disk) as Arc<dyn Disk>, ..options() };
    let opened = Store::open(&store, kept).unwrap();
    opened.mark(&"s3-325f9503".parse().unwrap(), FindingState::New, "").unwrap();
    drop(opened);
    let made = *disk.made.lock().unwrap();
    assert!(made >= 6, "{made} syncs");
    for number in 0..made {
        let opened = Store::open(&copies.join(number.to_string()), options()).unwrap();
        require_all(&opened);
        require_the_rest(&opened);
    }
}

fn imported(store: &Store, path: &Path) -> Imported {
    store.import(path, Copies::LeaveOut).unwrap()
}

#[test]
fn an_archive_of_format_5_is_taken_in_and_known_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let archive = fixture(5, "archive.tar.zst");
    let new = Store::open(&folder.path().join("new"), options()).unwrap();
    let taken = imported(&new, &archive);
    let ids: Vec<_> = taken.sessions.iter().map(|session| session.is.as_str()).collect();
    assert_eq!((ids, taken.layouts, taken.screenshots), (vec!["s1", "s7", "s9"], 70, 2));
    assert_eq!(new.verify().unwrap().problems, []);
    assert_eq!(new.findings(None).unwrap().len(), 2);
    for turn in new.turns(SessionId(9), Slot(0), 1).unwrap() {
        require_screen(&new, &turn);
    }
    // The same sessions in a store of that format, and in an archive of this one.
    let old = Store::open(&unpacked(5, &folder.path().join("old")), options()).unwrap();
    let there = imported(&old, &archive);
    assert_eq!((there.sessions.len(), there.present.len()), (0, 3));
    let again = folder.path().join("again.tar.zst");
    old.export(&[SessionId(7), SessionId(9)], &again).unwrap();
    let there = imported(&new, &again);
    assert_eq!((there.sessions.len(), there.present.len()), (0, 3));
}

#[test]
fn everything_that_ended_goes_through_an_archive_of_this_format() {
    let folder = tempfile::tempdir().unwrap();
    let old = Store::open(&unpacked(5, &folder.path().join("old")), options()).unwrap();
    let ended: Vec<_> =
        old.sessions().unwrap().into_iter().filter(|(_, record)| record.ended_ms.is_some()).collect();
    let ids: Vec<_> = ended.iter().map(|(id, _)| *id).collect();
    let archive = folder.path().join("all.tar.zst");
    assert_eq!(old.export(&ids, &archive).unwrap().sessions.len(), 8);
    let new = Store::open(&folder.path().join("new"), options()).unwrap();
    assert_eq!(imported(&new, &archive).sessions.len(), 8);
    assert_eq!(new.sessions().unwrap(), ended);
    assert_eq!(new.findings(None).unwrap(), old.findings(None).unwrap());
    for id in ids {
        let runs = |store: &Store| store.runs(id).collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(runs(&new), runs(&old));
    }
}
