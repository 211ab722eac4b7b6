//! Archives: what goes out comes in, what is hostile stays out.

use droidmux::technique::{GenieSettings, OdinSettings};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use droidmux::gui::Layout;
use droidmux::lab::rederive;
use droidmux::record::{
    BlobHash, FindingId, FindingState, Job, JobId, Mask, MaskEdit, Objection, Purpose, Recheck,
    RecheckOracle, ReplaySettings, SessionId, SessionRecord, ShrinkEnding, Shrunk, Slot, StepPlace,
    TracePlace, Work,
};
use droidmux::sim::{SimOptions, apps};
use droidmux::store::{ArchiveError, Copies, Imported, Store};
use proptest::prelude::*;

use super::fixture::*;

fn ended() -> SessionRecord {
    SessionRecord { ended_ms: Some(2_000), ending: Some("it is enough".to_owned()), ..session() }
}

/// A store with a session containing everything, one that builds on it and one that shrank its finding.
async fn full(folder: &Path, texts: &[String]) -> Store {
    let store = Store::open(folder, options()).unwrap();
    let first = store.create_session(&ended()).unwrap();
    let layouts: Vec<_> = texts.iter().map(|text| layout(text)).collect();
    for slot in 0..3 {
        store_job(&store, first, slot, &layouts).await;
    }
    let place = StepPlace { slot: Slot(3), attempt: 1, turn: 0, test: 0, event: 0, device: "sim-1".into() };
    let mut last = append(first, 3, 0, turns(&layouts[..1]));
    (last.steps, last.layouts) = (vec![place], layouts[..1].to_vec());
    store.put_job(first, &job(3)).unwrap();
    store.append(last).await.unwrap();
    let found = finding(first, 1, "key", 1);
    store.put_finding(&found).unwrap();
    store.mark(&found.id, FindingState::True, "seen by hand").unwrap();
    let mask = Mask {
        activity: "Main".into(),
        class: "android.widget.TextView".into(),
        resource_id: "clock".into(),
        description: String::new(),
        path: String::new(),
        example: ("1".into(), "2".into()),
    };
    store.edit_mask(first, &MaskEdit { mask, masked: true }).unwrap();

    let inputs = vec![JobId { session: first, slot: Slot(0) }];
    let second = store.create_session(&SessionRecord { inputs, ..ended() }).unwrap();
    store_job(&store, second, 0, &layouts[..1]).await;
    let place = TracePlace { session: first, slot: Slot(0), test: 0, step: None };
    let objection = Objection { verdict: verdict(0, "key"), places: vec![place] };
    let recheck = Recheck {
        oracle: RecheckOracle::Odin,
        at_ms: 7,
        judged: 1,
        unit: "state".into(),
        unjudged: Vec::new(),
        violations: vec![objection],
    };
    store.put_recheck(second, &recheck).unwrap();

    let replay = ReplaySettings { finding: found.id.clone(), key: "key".into(), times: 1, tests: Vec::new() };
    let mut record = ended();
    record.definition.replay = Some(replay);
    record.definition.settings.change(|odin: &mut OdinSettings| odin.from = vec![first.to_string()]);
    let third = store.create_session(&record).unwrap();
    let purpose = Purpose::Replay { finding: found.id.clone(), round: 1 };
    let work = Work::Batch(droidmux::record::Batch { purpose, tests: Vec::new() });
    store.put_job(third, &Job { slot: Slot(0), rng: 1, work }).unwrap();
    let shrunk = Shrunk {
        finding: found.id,
        session: third,
        tests: Vec::new(),
        from: 9,
        to: 2,
        candidates: 3,
        replays: 5,
        confirmation: Default::default(),
        ending: ShrinkEnding::Minimal,
    };
    store.put_shrunk(&shrunk).unwrap();
    store
}

fn texts() -> Vec<String> {
    ["one", "two", "three"].map(str::to_owned).to_vec()
}

/// Runs on a thread that may wait for the disk.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

async fn export(store: &Store, sessions: &[u32], path: &Path) -> Result<Vec<String>, ArchiveError> {
    let (store, path) = (store.clone(), path.to_owned());
    let sessions: Vec<SessionId> = sessions.iter().copied().map(SessionId).collect();
    beside(move || store.export(&sessions, &path).map(|exported| exported.sessions)).await
}

async fn take_in(store: &Store, path: &Path, copies: Copies) -> Result<Imported, ArchiveError> {
    let (store, path) = (store.clone(), path.to_owned());
    beside(move || store.import(&path, copies)).await
}

async fn import(store: &Store, path: &Path) -> Result<Vec<(String, String)>, ArchiveError> {
    Ok(numbers(&take_in(store, path, Copies::LeaveOut).await?))
}

/// The numbers that the imported sessions had in the archive and have now.
fn numbers(imported: &Imported) -> Vec<(String, String)> {
    imported.sessions.iter().map(|session| (session.was.clone(), session.is.clone())).collect()
}

/// The same for the sessions left out, with the later values added and those kept.
fn left_out(imported: &Imported) -> Vec<(String, String, u64, u64)> {
    let told = imported.present.iter();
    told.map(|of| (of.session.was.clone(), of.session.is.clone(), of.added, of.kept)).collect()
}

#[tokio::test]
async fn sessions_go_out_with_all_they_name_and_come_in_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    let path = folder.path().join("out.tar.zst");
    // The second builds on the first, whose finding the third shrank.
    assert_eq!(export(&store, &[2], &path).await.unwrap(), ["s1", "s2", "s3"]);
    assert!(export(&store, &[2], &path).await.unwrap_err().to_string().contains("such a file already"));

    let empty = Store::open(&folder.path().join("b"), options()).unwrap();
    let kept = import(&empty, &path).await.unwrap();
    assert_eq!(kept, [("s1", "s1"), ("s2", "s2"), ("s3", "s3")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let again = folder.path().join("again.tar.zst");
    export(&empty, &[1, 2, 3], &again).await.unwrap();
    assert_eq!(fs::read(&path).unwrap(), fs::read(&again).unwrap(), "the same bytes");
    assert_eq!(empty.verify().unwrap().problems, []);
    // New numbers go on where the old ones end.
    assert_eq!(empty.create_session(&session()).unwrap(), SessionId(4));
}

#[tokio::test]
async fn taken_numbers_become_new_ones_and_every_reference_follows() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    let path = folder.path().join("out.tar.zst");
    export(&store, &[1], &path).await.unwrap();
    let other = Store::open(&folder.path().join("b"), options()).unwrap();
    other.create_session(&session()).unwrap();
    let named = import(&other, &path).await.unwrap();
    // The second was not asked for and nothing names it.
    assert_eq!(named, [("s1", "s2"), ("s3", "s3")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let (first, third) = (SessionId(2), SessionId(3));
    let findings = other.findings(None).unwrap();
    assert_eq!((findings.len(), findings[0].id.session), (1, first));
    assert_eq!((findings[0].state, findings[0].note.as_str()), (FindingState::True, "seen by hand"));
    assert_eq!(other.shrunk(&findings[0].id).unwrap().map(|shrunk| shrunk.session), Some(third));
    let record = other.session(third).unwrap().unwrap();
    assert_eq!(record.definition.replay.map(|replay| replay.finding), Some(findings[0].id.clone()));
    assert_eq!(record.definition.settings.of::<OdinSettings>().from, ["s2"]);
    let job = other.job(third, Slot(0)).unwrap().unwrap();
    let Work::Batch(batch) = job.work else { panic!("a batch") };
    assert!(matches!(batch.purpose, Purpose::Replay { finding, .. } if finding == findings[0].id));
    assert_eq!(other.step_count(first).unwrap(), 1);
    assert_eq!(other.mask_edits(first).unwrap().len(), 1);
    assert!(other.screenshot(BlobHash::of(b"picture 0")).unwrap().is_some());
    assert_eq!(other.verify().unwrap().problems, []);

    // All of it once more: layouts and screenshots are already there.
    let path2 = folder.path().join("two.tar.zst");
    export(&store, &[2], &path2).await.unwrap();
    take_in(&other, &path2, Copies::Take).await.unwrap();
    let inputs = other.session(SessionId(5)).unwrap().unwrap().inputs;
    assert_eq!(inputs, [JobId { session: SessionId(4), slot: Slot(0) }]);
    let places: Vec<_> = other.rechecks(SessionId(5)).unwrap()[0].violations[0].places.clone();
    assert_eq!(places[0].session, SessionId(4));
    assert_eq!(other.stats().unwrap().layouts.count, 3);
    assert_eq!(other.verify().unwrap().problems, []);
}

#[tokio::test]
async fn sessions_that_are_there_are_left_out_and_what_is_new_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    let (part, all) = (folder.path().join("part.tar.zst"), folder.path().join("all.tar.zst"));
    export(&store, &[1], &part).await.unwrap();
    export(&store, &[2], &all).await.unwrap();
    let other = Store::open(&folder.path().join("b"), options()).unwrap();
    other.create_session(&session()).unwrap();
    let owned = |pairs: &[(&str, &str, u64, u64)]| -> Vec<_> {
        pairs.iter().map(|(was, is, a, k)| (was.to_string(), is.to_string(), *a, *k)).collect()
    };

    // s1 and s3 become s2 and s3; then only s2 of the whole archive is new, and it names the existing s1.
    import(&other, &part).await.unwrap();
    let imported = take_in(&other, &all, Copies::LeaveOut).await.unwrap();
    assert_eq!(numbers(&imported), [("s2".to_owned(), "s4".to_owned())]);
    assert_eq!(left_out(&imported), owned(&[("s1", "s2", 0, 0), ("s3", "s3", 0, 0)]));
    assert_eq!((imported.layouts, imported.screenshots), (0, 0));
    let inputs = other.session(SessionId(4)).unwrap().unwrap().inputs;
    assert_eq!(inputs, [JobId { session: SessionId(2), slot: Slot(0) }]);
    let places = other.rechecks(SessionId(4)).unwrap()[0].violations[0].places.clone();
    assert_eq!(places[0].session, SessionId(2));

    // Nothing is new: no session is added and no number is used up. Where it came from, it exists as well.
    let again = take_in(&other, &all, Copies::LeaveOut).await.unwrap();
    assert_eq!((again.sessions.len(), again.values, again.present.len()), (0, 0, 3));
    let home = take_in(&store, &all, Copies::LeaveOut).await.unwrap();
    assert_eq!(left_out(&home), owned(&[("s1", "s1", 0, 0), ("s2", "s2", 0, 0), ("s3", "s3", 0, 0)]));
    assert_eq!(other.create_session(&session()).unwrap(), SessionId(5));
    assert_eq!(other.verify().unwrap().problems, []);

    // A session that recorded more is another one.
    let mut longer = ended();
    longer.ended_ms = Some(9_000);
    store.update_session(SessionId(2), &SessionRecord { inputs: Vec::new(), ..longer }).unwrap();
    let changed = folder.path().join("changed.tar.zst");
    export(&store, &[2], &changed).await.unwrap();
    let imported = take_in(&other, &changed, Copies::LeaveOut).await.unwrap();
    assert_eq!(numbers(&imported), [("s2".to_owned(), "s6".to_owned())]);
}

#[tokio::test]
async fn later_words_are_added_to_what_is_there_and_never_replace_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    let found = FindingId::of(SessionId(1), "genie", "key");
    let export_as = async |name: &str| {
        let path = folder.path().join(name);
        export(&store, &[2], &path).await.unwrap();
        path
    };
    let first = export_as("first.tar.zst").await;
    let other = Store::open(&folder.path().join("b"), options()).unwrap();
    import(&other, &first).await.unwrap();

    // What was said since is added; a mask edit that has been removed at home stays here.
    let mut recheck = store.rechecks(SessionId(2)).unwrap().remove(0);
    recheck.oracle = RecheckOracle::ALL.into_iter().find(|oracle| *oracle != recheck.oracle).unwrap();
    store.put_recheck(SessionId(2), &recheck).unwrap();
    let mask = store.mask_edits(SessionId(1)).unwrap().remove(0).mask;
    store.forget_mask_edit(SessionId(1), &mask).unwrap();
    store.mark(&found, FindingState::FalseAlarm, "not after all").unwrap();
    let second = export_as("second.tar.zst").await;
    let imported = take_in(&other, &second, Copies::LeaveOut).await.unwrap();
    assert!(imported.sessions.is_empty());
    let told: Vec<_> = imported.present.iter().map(|of| (of.added, of.kept)).collect();
    assert_eq!(told, [(0, 1), (1, 0), (0, 0)]);
    assert_eq!(other.rechecks(SessionId(2)).unwrap().len(), 2);
    assert_eq!(other.mask_edits(SessionId(1)).unwrap().len(), 1);
    assert_eq!(other.finding(&found).unwrap().unwrap().state, FindingState::True);
    assert_eq!(other.verify().unwrap().problems, []);
    // The second copy has a different value.
    let copied = take_in(&other, &second, Copies::Take).await.unwrap();
    assert_eq!((copied.sessions.len(), copied.present.len()), (3, 0));
    let state = other.findings(Some(SessionId(4))).unwrap()[0].state;
    assert_eq!(state, FindingState::FalseAlarm);

    // Values that refer to something missing are refused, and nothing of them stays.
    let good = entries(&second);
    let at = good.iter().position(|entry| entry.name == b"sessions/1/00000").unwrap();
    let bad = with_content(&good, at, |bytes| {
        let mark = bytes.windows(5).rposition(|window| window == [b'm', 0, 0, 0, 1]).unwrap();
        bytes[mark + 8] ^= 1;
    });
    let path = folder.path().join("bad.tar.zst");
    write(&path, &bad);
    let error = take_in(&other, &path, Copies::LeaveOut).await.unwrap_err().to_string();
    assert!(error.contains("the finding it marks is not stored"), "{error}");
    assert_eq!(other.verify().unwrap().problems, []);
}

#[tokio::test]
async fn what_has_not_ended_or_is_not_there_is_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("a"), options()).unwrap();
    store.create_session(&session()).unwrap();
    let path = folder.path().join("out.tar.zst");
    assert!(matches!(export(&store, &[1], &path).await, Err(ArchiveError::NotEnded(SessionId(1)))));
    let missing = export(&store, &[9], &path).await.unwrap_err();
    assert!(missing.to_string().contains("no session s9"), "{missing}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no file is left");
}

/// An entry of a tar: name, bytes, type, size in its header.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    bytes: Vec<u8>,
    kind: u8,
    size: u64,
}

impl Entry {
    fn plain(name: &str, bytes: Vec<u8>) -> Entry {
        Entry { name: name.into(), size: bytes.len() as u64, bytes, kind: b'0' }
    }
}

/// The entries of a good archive.
fn entries(path: &Path) -> Vec<Entry> {
    let unpacked = zstd::decode_all(fs::File::open(path).unwrap()).unwrap();
    let mut tar = tar::Archive::new(&unpacked[..]);
    let entries = tar.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        Entry::plain(&name, bytes)
    });
    entries.collect()
}

/// Writes a tar by hand, whatever its entries say.
fn write(path: &Path, entries: &[Entry]) {
    let mut packer = zstd::Encoder::new(fs::File::create(path).unwrap(), 1).unwrap();
    for Entry { name, bytes, kind, size } in entries {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_entry_type(tar::EntryType::new(*kind));
        header.set_mode(0o644);
        header.set_size(*size);
        header.set_cksum();
        packer.write_all(header.as_bytes()).unwrap();
        packer.write_all(bytes).unwrap();
        packer.write_all(&vec![0; bytes.len().next_multiple_of(512) - bytes.len()]).unwrap();
    }
    packer.write_all(&[0; 1_024]).unwrap();
    packer.finish().unwrap();
}

/// Changes the manifest and keeps the rest.
fn with_manifest(entries: &[Entry], change: impl FnOnce(&mut serde_json::Value)) -> Vec<Entry> {
    let mut manifest = serde_json::from_slice(&entries[0].bytes).unwrap();
    change(&mut manifest);
    let mut entries = entries.to_vec();
    entries[0] = Entry::plain("manifest.json", serde_json::to_vec(&manifest).unwrap());
    entries
}

/// Changes the content of an entry, and its description in the manifest.
fn with_content(entries: &[Entry], number: usize, change: impl FnOnce(&mut Vec<u8>)) -> Vec<Entry> {
    let mut bytes = entries[number].bytes.clone();
    change(&mut bytes);
    let listed = (bytes.len(), BlobHash::of(&bytes).to_string());
    let mut entries = with_manifest(entries, |manifest| {
        manifest["entries"][number - 1]["bytes"] = listed.0.into();
        manifest["entries"][number - 1]["blake3"] = listed.1.into();
    });
    entries[number] = Entry::plain(&String::from_utf8(entries[number].name.clone()).unwrap(), bytes);
    entries
}

/// Adds an entry where its name belongs, and lists it.
fn with_more(entries: &[Entry], name: &str, bytes: &[u8]) -> Vec<Entry> {
    let comes_later =
        |entry: &&Entry| entry.name.starts_with(b"sessions/") || entry.name.as_slice() > name.as_bytes();
    let at = 2 + entries[2..].iter().take_while(|entry| !comes_later(entry)).count();
    let listed = serde_json::json!({
        "name": name, "bytes": bytes.len(), "blake3": BlobHash::of(bytes).to_string(),
    });
    let mut entries = with_manifest(entries, |manifest| {
        manifest["entries"].as_array_mut().unwrap().insert(at - 1, listed);
    });
    entries.insert(at, Entry::plain(name, bytes.to_vec()));
    entries
}

/// A record of a layout that no turn names, which comes after all others.
fn stray_layout() -> Vec<u8> {
    let layouts = (0..).map(|n| layout(&format!("stray {n}")));
    let last = layouts.into_iter().find(|layout| layout.hash().0[0] == 0xff).unwrap();
    let (hash, value) = (last.hash().0, last.encode());
    let mut record = vec![0, 17, b'l'];
    record.extend(hash);
    record.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
    record.extend(value);
    record
}

fn swapped(mut entries: Vec<Entry>, a: usize, b: usize) -> Vec<Entry> {
    entries.swap(a, b);
    entries
}

#[tokio::test]
async fn hostile_archives_are_refused_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    let good_path = folder.path().join("good.tar.zst");
    export(&store, &[1], &good_path).await.unwrap();
    let good = entries(&good_path);
    let names: Vec<String> =
        good.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
    assert!(names[1].starts_with("layouts/") && names[2].starts_with("screens/"), "{names:?}");
    let session = names.iter().position(|name| name == "sessions/1/00000").unwrap();
    let plain = |entry: Entry, at: usize| {
        let mut entries = good.clone();
        entries.insert(at, entry);
        entries
    };
    let retyped = |kind: u8| {
        let mut entries = good.clone();
        entries[1].kind = kind;
        entries
    };
    let cases: Vec<(&str, Vec<Entry>, &str)> = vec![
        ("nothing", Vec::new(), "manifest.json: it is missing"),
        ("no manifest", good[1..].to_vec(), "it comes first instead of the manifest"),
        ("a file beside", plain(Entry::plain("note.txt", b"x".to_vec()), good.len()), "does not list it"),
        ("a file between", plain(Entry::plain("../../etc/passwd", b"x".to_vec()), 1), "passwd: "),
        (
            "an absolute path listed",
            with_manifest(&good, |m| m["entries"][0]["name"] = "/etc/passwd".into()),
            "it lists `/etc/passwd`, which no archive holds",
        ),
        (
            "a way out listed",
            with_manifest(&good, |m| m["entries"][0]["name"] = "layouts/../../00000".into()),
            "which no archive holds",
        ),
        ("an entry twice", plain(good[1].clone(), 1), "it comes instead of"),
        (
            "an entry listed twice",
            with_manifest(&good, |m| m["entries"][1] = m["entries"][0].clone()),
            "is listed twice or out of order",
        ),
        ("entries swapped", swapped(good.clone(), 2, 3), "it comes instead of"),
        ("a missing end", good[..good.len() - 1].to_vec(), "it is listed and missing"),
        ("a symbolic link", retyped(b'2'), "it is no plain file (type '2')"),
        ("a hard link", retyped(b'1'), "it is no plain file"),
        ("a long name's header", retyped(b'L'), "it is no plain file"),
        ("a PAX header", retyped(b'x'), "it is no plain file"),
        ("a sparse file", retyped(b'S'), "it is no plain file"),
        (
            "another hash",
            with_manifest(&good, |m| m["entries"][0]["blake3"] = "00".repeat(32).into()),
            "its content has another hash",
        ),
        (
            "a huge size",
            with_manifest(&good, |m| m["entries"][0]["bytes"] = (1_u64 << 40).into()),
            "the limit is 67108864",
        ),
        (
            "more than was listed",
            with_manifest(&good, |m| m["entries"][0]["bytes"] = 1.into()),
            "expected are at most 1",
        ),
        ("a newer archive", with_manifest(&good, |m| m["archive"] = 2.into()), "an archive of version 2"),
        ("another format", with_manifest(&good, |m| m["store_format"] = 1.into()), "of store format 1"),
        ("an unknown key", with_manifest(&good, |m| m["run"] = "rm".into()), "unknown field `run`"),
        ("no session", with_manifest(&good, |m| m["sessions"] = serde_json::json!([])), "does not list"),
        (
            "sessions twice",
            with_manifest(&good, |m| m["sessions"][1] = m["sessions"][0].clone()),
            "not in ascending order",
        ),
        (
            "fewer values than listed",
            with_manifest(&good, |m| m["sessions"][0]["values"] = 9_999.into()),
            "values instead of 9999",
        ),
        (
            "a screenshot of nothing",
            with_more(&good, &format!("screens/{}.png", BlobHash::of(b"stray")), b"stray"),
            ".png: nothing in the archive names it",
        ),
        (
            "a layout of nothing",
            with_content(&good, 1, |bytes| bytes.extend(stray_layout())),
            "nothing in the archive names it",
        ),
        ("a later format", with_manifest(&good, |m| m["store_format"] = 99.into()), "use a newer droidmux"),
        ("no layouts", with_content(&good, 1, Vec::clear), "is not in the archive"),
        ("a cut layout", with_content(&good, 1, |bytes| bytes.truncate(40)), "it ends inside a record"),
        ("another picture", with_content(&good, 2, |bytes| bytes.push(0)), "another hash than its name"),
        (
            "records of another session",
            with_content(&good, session, |bytes| {
                let at = bytes.iter().position(|byte| *byte == b's').unwrap();
                bytes[at + 4] = 9;
            }),
            "which is not of s1",
        ),
        (
            "a value that is none",
            with_content(&good, session, |bytes| {
                let end = bytes.len();
                bytes[end - 1] ^= 0x55;
                bytes.extend([0, 1, b'c', 0, 0, 0, 0]);
            }),
            "sessions/1/00000: ",
        ),
        (
            "records twice",
            with_content(&good, session, |bytes| bytes.extend(bytes.clone())),
            "is there twice or out of order",
        ),
    ];
    let target = Store::open(&folder.path().join("b"), options()).unwrap();
    let path = folder.path().join("bad.tar.zst");
    for (name, entries, expected) in cases {
        write(&path, &entries);
        let error = import(&target, &path).await.expect_err(name).to_string();
        assert!(error.contains(expected), "{name}: {error}");
        assert_eq!(target.stats().unwrap().sessions, [], "{name}");
        assert_eq!(target.stats().unwrap().screenshots.count, 0, "{name}");
    }
    // The good one is accepted, even when rewritten by hand.
    write(&path, &good);
    import(&target, &path).await.unwrap();
    assert_eq!(target.verify().unwrap().problems, []);
    let outside: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(outside.len(), 4, "two stores, two archives: {outside:?}");
}

#[tokio::test]
async fn cut_and_swollen_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    let good = folder.path().join("good.tar.zst");
    export(&store, &[1], &good).await.unwrap();
    let bytes = fs::read(&good).unwrap();
    let target = Store::open(&folder.path().join("b"), options()).unwrap();
    let path = folder.path().join("bad.tar.zst");
    for length in [0, 1, 10, bytes.len() / 4, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        import(&target, &path).await.expect_err("cut off");
    }
    // Gigabytes of zeros in a few kilobytes: refused by the size in the first header.
    let zeros = Entry { size: 3 << 30, ..Entry::plain("manifest.json", vec![0; 64 << 20]) };
    write(&path, &[zeros]);
    assert!(fs::metadata(&path).unwrap().len() < 64 << 10);
    let error = import(&target, &path).await.unwrap_err().to_string();
    assert!(error.contains("expected are at most"), "{error}");
    assert_eq!(target.sessions().unwrap(), []);
}

#[tokio::test]
async fn sessions_whose_values_do_not_fit_are_left_out_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(&folder.path().join("a"), &texts()).await;
    // A judgement without its finished run, as no session has: the job's slot in the key is changed, which only the
    // references reveal.
    let good_path = folder.path().join("good.tar.zst");
    export(&store, &[3], &good_path).await.unwrap();
    let good = entries(&good_path);
    let third = good.iter().position(|entry| entry.name == b"sessions/3/00000").unwrap();
    let bad = with_content(&good, third, |bytes| {
        let job = bytes.windows(5).rposition(|window| window == [b'j', 0, 0, 0, 3]).unwrap();
        bytes[job + 12] = 5;
    });
    let path = folder.path().join("bad.tar.zst");
    write(&path, &bad);
    let target = Store::open(&folder.path().join("b"), options()).unwrap();
    let error = import(&target, &path).await.unwrap_err().to_string();
    assert!(
        error.contains("session s3 was not imported") && error.contains("before it: s1 as s1"),
        "{error}"
    );
    let left: Vec<SessionId> = target.sessions().unwrap().into_iter().map(|(id, _)| id).collect();
    assert_eq!(left, [SessionId(1)]);
    assert_eq!(target.job(SessionId(3), Slot(5)).unwrap(), None, "swept");
    let problems = target.verify().unwrap().problems;
    assert!(problems.is_empty(), "{problems:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn export_import_export_is_the_same(texts in proptest::collection::vec("\\PC{0,40}", 1..6)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let store = full(&folder.path().join("a"), &texts).await;
            let (one, two) = (folder.path().join("1.tar.zst"), folder.path().join("2.tar.zst"));
            export(&store, &[1, 2, 3], &one).await.unwrap();
            let target = Store::open(&folder.path().join("b"), options()).unwrap();
            import(&target, &one).await.unwrap();
            export(&target, &[1, 2, 3], &two).await.unwrap();
            assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
            for text in &texts {
                let hash = layout(text).hash();
                let of = |store: &Store| store.read_layout(hash).unwrap().map(|found| Layout::encode(&found));
                assert_eq!(of(&store), of(&target));
            }
            let found = FindingId::of(SessionId(1), "genie", "key");
            assert_eq!(store.finding(&found).unwrap(), target.finding(&found).unwrap());
        });
    }
}

/// Sessions planned by planners: even under new numbers, their jobs and acts can be rederived.
#[tokio::test(flavor = "multi_thread")]
async fn imported_sessions_are_derived_again() {
    let bench =
        crate::sessions::Bench::new(SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    let mut genie = crate::sessions::session("notes-genie.toml");
    (genie.run.max_events, genie.run.patience) = (250, 1);
    genie.settings.change(|genie: &mut GenieSettings| {
        (genie.mine_events, genie.seeds, genie.mutants) = (60, 1, 6);
    });
    let (first, _) = bench.run(&genie, 1).await;
    let mut odin = crate::sessions::session("notes-odin.toml");
    (odin.run.max_events, odin.run.patience) = (120, 1);
    let from = vec![first.session.to_string()];
    odin.settings.change(|odin: &mut OdinSettings| (odin.explore_events, odin.from) = (0, from));
    let (second, _) = bench.run(&odin, 1).await;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.tar.zst");
    let exported = export(bench.lab.store(), &[second.session.0], &path).await.unwrap();
    assert_eq!(exported, ["s1", "s2"], "with what it builds on");
    let target = Store::open(&folder.path().join("b"), options()).unwrap();
    for _ in 0..3 {
        target.create_session(&session()).unwrap();
    }
    import(&target, &path).await.unwrap();
    assert_eq!(target.verify().unwrap().problems, []);
    let make = |record: &SessionRecord, id| droidmux::technique::planner(&record.definition, id, record.rng);
    let report = beside(move || rederive(&target, &make)).await.unwrap();
    assert!(report.is_clean() && report.jobs > 5 && report.turns > 200, "{report:?}");
}
