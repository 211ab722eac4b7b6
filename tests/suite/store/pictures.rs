//! The pictures of sessions that run one after the other on one store.

use std::collections::BTreeSet;
use std::path::Path;

use droidmux::gui::LayoutHash;
use droidmux::record::{BlobHash, SessionId};
use droidmux::store::{Copies, Store};

use super::fixture::options;
use crate::program::droidmux;

/// Runs the monkey on a simulated app.
fn run(folder: &Path) {
    let file = folder.join("monkey.toml");
    let text = "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[lab]\nkind = \"sim\"\n[run]\nmax-events = 60\n";
    std::fs::write(&file, text).unwrap();
    let arguments =
        ["run", file.to_str().unwrap(), "--headless", "--steady", "--devices", "1", "--seed", "5"];
    let (code, said) = droidmux(folder, &arguments);
    assert!(code <= 1, "{said}");
}

/// The layouts that a session photographed, each with the picture that it took of it.
fn pictures(store: &Store, id: SessionId) -> BTreeSet<(LayoutHash, BlobHash)> {
    let mut seen = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for job in store.jobs(id).map(Result::unwrap) {
        let attempts = store.attempts(id, job.slot).unwrap().into_iter();
        for turn in attempts.flat_map(|attempt| store.turns(id, job.slot, attempt).unwrap()) {
            let Some(after) = turn.observation.seen() else { continue };
            seen.insert(after.screen.layout);
            taken.extend(after.screenshot.map(|screenshot| (after.screen.layout, screenshot)));
        }
    }
    assert!(seen.len() > 5, "{} layouts", seen.len());
    let photographed: BTreeSet<_> = taken.iter().map(|(layout, _)| *layout).collect();
    assert!(photographed.is_subset(&seen));
    assert_eq!(taken.len(), photographed.len(), "a layout is photographed once in {id}");
    for layout in seen.difference(&photographed) {
        let is_like = |known: &&LayoutHash| differ_by_few_texts(store, **known, *layout);
        assert!(photographed.iter().any(|known| is_like(&known)), "{layout} is photographed in {id}");
    }
    for (layout, screenshot) in &taken {
        assert_eq!(store.picture_of(id, *layout).unwrap(), Some(*screenshot));
        let (kept, png) =
            (store.kept_screenshot(*screenshot).unwrap(), store.screenshot(*screenshot).unwrap());
        let (kept, png) = (kept.expect("kept"), png.expect("a picture"));
        assert!(png.starts_with(b"\x89PNG") && kept.starts_with(b"\x93DMX"));
        assert!(kept.len() * 2 < png.len(), "{} bytes kept of {}", kept.len(), png.len());
    }
    taken
}

/// Whether a picture of one tells nearly all of a picture of the other.
fn differ_by_few_texts(store: &Store, one: LayoutHash, other: LayoutHash) -> bool {
    let [one, other] = [one, other].map(|hash| store.read_layout(hash).unwrap().expect("a layout"));
    let others = one.widgets().zip(other.widgets()).filter(|(a, b)| a.text() != b.text());
    one.len() == other.len() && others.count() <= 3
}

#[test]
fn each_session_has_its_pictures_whatever_an_earlier_one_saw_and_wherever_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    (0..2).for_each(|_| run(folder.path()));
    let store = Store::open(&folder.path().join("store"), options()).unwrap();
    let (first, second) = (SessionId(1), SessionId(2));
    let layouts =
        |of: &BTreeSet<(LayoutHash, BlobHash)>| of.iter().map(|(layout, _)| *layout).collect::<Vec<_>>();
    let (before, after) = (pictures(&store, first), pictures(&store, second));
    assert_eq!(layouts(&before), layouts(&after), "the same app, the same seed");

    let archive = folder.path().join("second.tar.zst");
    store.export(&[second], &archive).unwrap();
    store.remove_session(first).unwrap();
    assert_eq!(pictures(&store, second), after);
    let other = Store::open(&folder.path().join("other"), options()).unwrap();
    other.import(&archive, Copies::LeaveOut).unwrap();
    assert_eq!(pictures(&other, second), after);
    assert_eq!((store.verify().unwrap().problems, other.verify().unwrap().problems), (vec![], vec![]));
}
