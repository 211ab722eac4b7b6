//! Damaged stores: what can still be read is recovered, what cannot is reported, and no panic is printed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use droidmux::record::{BlobHash, BugExample, Example, SessionId, SessionRecord, Slot, Turn};
use droidmux::store::{Copies, Salvaged, Store, salvage};

use super::fixture::*;
use crate::program::keep_to_schema;

const JOBS: u64 = 16;

/// A store of two sessions, the second of which has not ended, with pictures, findings and an example.
async fn sound(folder: &Path) -> PathBuf {
    let at = folder.join("sound");
    let store = Store::open(&at, options()).unwrap();
    let ended = SessionRecord { ended_ms: Some(2_000), ending: Some("done".into()), ..session() };
    for record in [ended, session()] {
        let id = store.create_session(&record).unwrap();
        for slot in 0..JOBS {
            // Some values have several pieces.
            let text =
                |n: u64| format!("{id} {} {}", n % 7, blake3::hash(&n.to_be_bytes()).to_hex().repeat(60));
            let layouts: Vec<_> = (slot..slot + 4).map(|n| layout(&text(n))).collect();
            store_job(&store, id, slot, &layouts).await;
        }
        store.put_finding(&finding(id, 3, "key", 1)).unwrap();
    }
    store
        .put_examples(&[Example::Bug(BugExample { activity: "Main".into(), ..BugExample::default() })])
        .unwrap();
    at
}

/// All files below a folder, with their content.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => _ = files.insert(path.clone(), fs::read(&path).unwrap()),
        }
    }
    files
}

fn copy(from: &Path, to: &Path) -> PathBuf {
    let _ = fs::remove_dir_all(to);
    for (path, content) in files(from) {
        let into = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(into.parent().unwrap()).unwrap();
        fs::write(into, content).unwrap();
    }
    to.to_owned()
}

/// What is done to a store's database file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// Flips a bit, given by the share of the file before it, in thousandths.
    Flip(usize),
    Cut(usize),
}

impl Damage {
    fn inflict(self, store: &Path) {
        let path = store.join("db/db");
        let mut bytes = fs::read(&path).unwrap();
        let end = bytes.iter().rposition(|byte| *byte != 0).unwrap();
        match self {
            Self::Flip(share) => bytes[end * share / 1_000] ^= 1 << (share % 8),
            Self::Cut(share) => bytes.truncate(end * share / 1_000),
        }
        fs::write(&path, bytes).unwrap();
    }

    fn many() -> impl Iterator<Item = Self> {
        let flips = (0..1_000).step_by(45).map(Self::Flip);
        flips.chain((0..1_000).step_by(180).map(Self::Cut))
    }
}

/// Salvages a store and imports the result into another: returns both, with the salvage's list.
fn through(store: &Path, folder: &Path) -> (Salvaged, Store) {
    let (archive, into) = (folder.join("out.tar.zst"), folder.join("into"));
    let _ = fs::remove_file(&archive);
    let _ = fs::remove_dir_all(&into);
    let salvaged = salvage(store, &archive).unwrap();
    let taken = Store::open(&into, options()).unwrap();
    if salvaged.exported.is_some() {
        taken.import(&archive, Copies::LeaveOut).unwrap();
    }
    assert_eq!(taken.verify().unwrap().problems, []);
    assert!(!folder.join("out.tar.zst.salvage").exists());
    (salvaged, taken)
}

/// Whether a store opens, with nothing wrong in it.
fn opens_clean(store: &Path) -> bool {
    Store::open(store, options()).and_then(|store| store.verify()).is_ok_and(|seen| seen.problems.is_empty())
}

fn runs(store: &Store) -> usize {
    let sessions = store.sessions().unwrap().into_iter();
    sessions.map(|(id, _)| store.runs(id).collect::<Result<Vec<_>, _>>().unwrap().len()).sum()
}

#[tokio::test]
async fn of_a_sound_store_everything_comes_out() {
    let folder = tempfile::tempdir().unwrap();
    let store = sound(folder.path()).await;
    let before = files(&store);
    let at = folder.path().to_owned();
    let (salvaged, taken) = tokio::task::spawn_blocking(move || through(&store, &at)).await.unwrap();
    assert_eq!(salvaged.lost, []);
    assert_eq!((runs(&taken), taken.findings(None).unwrap().len()), (2 * JOBS as usize, 2));
    assert_eq!(salvaged.examples.len(), 1);
    let pictures = |id: u32| {
        let turns = taken.turns(SessionId(id), Slot(4), 1).unwrap();
        turns.iter().flat_map(Turn::blobs).filter(|hash| taken.screenshot(*hash).unwrap().is_some()).count()
    };
    assert_eq!((pictures(1), pictures(2)), (1, 1));
    let cut = taken.session(SessionId(2)).unwrap().unwrap();
    assert!(cut.ended_ms.is_some() && cut.ending.unwrap().contains("salvaged"));
    assert!(files(&folder.path().join("sound")) == before, "the store was changed");
}

#[tokio::test]
async fn damage_anywhere_costs_little_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = sound(folder.path()).await;
    let at = folder.path().to_owned();
    let all = 2 * JOBS as usize;
    let check = move || {
        for damage in Damage::many() {
            let damaged = copy(&store, &at.join("damaged"));
            damage.inflict(&damaged);
            let before = files(&damaged);
            let (salvaged, taken) = through(&damaged, &at);
            assert!(files(&damaged) == before, "{damage:?}: the store was changed");
            let left = runs(&taken);
            // Cut where a message ends, a log is what a kill at that moment would have left.
            let as_if_killed = || matches!(damage, Damage::Cut(_)) && opens_clean(&damaged);
            let told = left == all || !salvaged.is_whole() || as_if_killed();
            assert!(told, "{damage:?}: what is lost is told");
            if let Damage::Flip(_) = damage {
                // A page holds the values of some jobs.
                assert!(left + 16 >= all, "{damage:?}: {left} runs left of {all}: {:?}", salvaged.lost);
            }
        }
    };
    tokio::task::spawn_blocking(check).await.unwrap();
}

#[tokio::test]
async fn a_missing_picture_a_spoilt_format_and_a_store_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let store = sound(folder.path()).await;
    let opened = Store::open(&store, options()).unwrap();
    let refused = salvage(&store, &folder.path().join("no.tar.zst")).unwrap_err().to_string();
    assert!(refused.contains(&format!("in use by process {}", std::process::id())), "{refused}");
    drop(opened);
    let name = BlobHash::of(b"picture 4").to_string();
    fs::write(store.join("screens").join(&name[..2]).join(format!("{}.png", &name[2..])), b"scribble")
        .unwrap();
    fs::write(store.join("format"), b"droidmux stor\x07, fo").unwrap();
    let at = folder.path().to_owned();
    let (salvaged, taken) = tokio::task::spawn_blocking(move || through(&store, &at)).await.unwrap();
    assert_eq!(runs(&taken), 2 * JOBS as usize);
    let told: Vec<_> = salvaged.lost.iter().map(|lost| format!("{}: {}", lost.at, lost.what)).collect();
    let expected = [1, 2]
        .map(|id| format!("turns of s{id} j4, attempt 1, from turn 0: a screenshot is lost or damaged"));
    assert_eq!(told, expected);
    let again =
        salvage(&folder.path().join("sound"), &folder.path().join("out.tar.zst")).unwrap_err().to_string();
    assert!(again.contains("there is such a file already"), "{again}");
    let nothing = salvage(&folder.path().join("nothing"), &folder.path().join("x")).unwrap_err().to_string();
    assert!(nothing.contains("is no droidmux store"), "{nothing}");
}

/// Runs the program on a store: its exit code and all its output.
fn program(store: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.env("RUST_BACKTRACE", "1").env("XDG_STATE_HOME", store.with_file_name("state"));
    let output = command.arg("store").args(args).arg("--store").arg(store).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("it ends by itself"), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn the_program_says_what_to_do_and_never_panics_aloud() {
    let folder = tempfile::tempdir().unwrap();
    let store = sound(folder.path()).await;
    let damaged = folder.path().join("damaged");
    let mut failed = 0;
    for damage in Damage::many().step_by(2) {
        for command in [&["stats"][..], &["verify"]] {
            copy(&store, &damaged);
            damage.inflict(&damaged);
            let (code, out, said) = program(&damaged, command);
            for noise in ["panicked", "backtrace", "RUST_", "sled"] {
                assert!(!said.contains(noise) && !out.contains(noise), "{damage:?} {command:?}: {said}");
            }
            match code {
                0 => {}
                1 => assert!(command == ["verify"], "{damage:?}: {out}"),
                3 => {
                    failed += 1;
                    assert!(
                        said.contains("droidmux store salvage -o FILE"),
                        "{damage:?} {command:?}: {said}"
                    );
                }
                other => panic!("{damage:?} {command:?}: code {other}: {said}"),
            }
        }
    }
    assert!(failed > 4, "{failed} of the commands found damage");

    copy(&store, &damaged);
    Damage::Flip(500).inflict(&damaged);
    let archive = folder.path().join("night.tar.zst");
    let (code, out, said) = program(&damaged, &["salvage", "-o", archive.to_str().unwrap()]);
    assert!(code <= 1 && out.contains("2 sessions (s1, s2)") && archive.exists(), "{code}: {out}{said}");
    assert!(out.contains("1 example") && out.contains("droidmux store import"), "{out}");
    assert_eq!(code == 1, out.contains("lost: "), "{out}");
    let (code, ..) = program(&folder.path().join("taken"), &["import", archive.to_str().unwrap()]);
    assert_eq!(code, 0);
    let again = folder.path().join("again.tar.zst");
    let (code, out, said) = program(&store, &["salvage", "-o", again.to_str().unwrap(), "--json"]);
    assert_eq!(code, 0, "{said}");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    keep_to_schema("commands.schema.json#/$defs/store-salvage", std::slice::from_ref(&value));
    assert_eq!(
        (&value["whole"], &value["salvaged"]["exported"]["sessions"][1]),
        (&true.into(), &"s2".into())
    );
}

/// What a salvage calls lost at the end of the log, a verify does not pass over.
#[test]
fn verify_tells_where_a_cut_end_would_not_show() {
    let folder = tempfile::tempdir().unwrap();
    let sound = tokio::runtime::Runtime::new().unwrap().block_on(sound(folder.path()));
    let (code, words, _) = program(&copy(&sound, &folder.path().join("whole")), &["verify"]);
    assert!(code == 0 && words.contains("clean as far as it can tell"), "{words}");
    let told = "turns and no end: it runs, or was interrupted";
    assert!(words.contains("session s2: it has ") && words.contains(told), "{words}");
    assert!(!words.contains("the end of the log"), "{words}");
    assert!(!words.contains("session s1"), "s1 has its end: {words}");

    // A snapshot that is newer than the cut would tell; a program that is killed writes none.
    for entry in fs::read_dir(sound.join("db")).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("snap.")) {
            fs::remove_file(path).unwrap();
        }
    }
    let log = fs::read(sound.join("db/db")).unwrap();
    let end = log.iter().rposition(|byte| *byte != 0).unwrap();
    // The first cut that leaves part of a message.
    let mut cuts = (1..2_000).filter_map(|less| {
        let cut = copy(&sound, &folder.path().join("cut"));
        fs::write(cut.join("db/db"), &log[..end - less]).unwrap();
        let archive = folder.path().join(format!("{less}.tar.zst"));
        let lost = salvage(&cut, &archive).unwrap().lost;
        let of_end = lost.into_iter().find(|lost| lost.what.contains("belong to nothing that is whole"));
        of_end.map(|lost| (cut, lost.what.split(' ').next().unwrap().to_owned()))
    });
    let (cut, bytes) = cuts.next().expect("a cut in a message");
    let (code, words, _) = program(&cut, &["verify"]);
    assert_eq!(code, 0, "a kill leaves the same: {words}");
    let told = format!("the end of the log: {bytes} bytes from byte ");
    assert!(words.contains(&told) && words.contains("what the store cannot tell:"), "{told}: {words}");
    let (_, json, _) = program(&cut, &["verify", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&value["clean"], &value["verify"]["untold"][0]["at"]), (&true.into(), &"session s2".into()));
}
