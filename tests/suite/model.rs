//! What a session has mined of its app, as the cockpit and `droidmux model` present it.

use std::collections::BTreeSet;
use std::process::Command;

use droidmux::lab::map;
use droidmux::proto::TransitionView;
use droidmux::record::SessionId;
use droidmux::store::Store;

use crate::store::fixture::options;

fn droidmux(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_session_has_a_map_of_its_app() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let folder = path.to_str().unwrap();
    let session = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions/notes-monkey.toml");
    let run = ["run", session, "--headless", "--devices", "1", "--seed", "1", "--max-events", "300"];
    let (code, _, said) = droidmux(&[&run[..], &["--defects", "none", "--store", folder]].concat());
    assert_eq!(code, 0, "{said}");

    let (map, steps) = {
        let store = Store::open(path, options()).unwrap();
        let steps = store.runs(SessionId(1)).map(|run| run.unwrap().turns.len() as u64).sum::<u64>();
        assert_eq!(map(&store, SessionId(7)).unwrap(), None);
        (map(&store, SessionId(1)).unwrap().unwrap(), steps)
    };
    let last = map.growth.last().unwrap();
    assert!(last.steps > 200 && last.steps <= steps, "{last:?} of {steps}");
    assert!(map.growth.is_sorted_by_key(|growth| (growth.steps, growth.states, growth.layouts)));
    assert_eq!(last.states as usize, map.states.iter().filter(|state| !state.activity.is_empty()).count());
    assert_eq!(last.transitions as usize, map.transitions.len());
    // A way of one event is a transition from where the app starts. Longer ones contain widgets that had other words
    // when their transition was learned.
    let start = map.states.iter().position(|state| state.way.as_ref().is_some_and(Vec::is_empty)).unwrap();
    let mut walked = 0;
    for (number, state) in (0_u32..).zip(&map.states) {
        let Some(way) = state.way.as_ref().filter(|way| way.len() == 1) else { continue };
        let mut here = BTreeSet::from([start as u32]);
        for event in way {
            // A transition keeps the text that was typed first.
            let what = |event: u32| map.event(event).split(" ←").next().unwrap_or_default();
            let is_it = |t: &&TransitionView| what(t.event) == what(*event) && here.contains(&t.from);
            let next = map.transitions.iter().filter(is_it);
            here = next.map(|t| t.to).collect();
        }
        walked += 1;
        assert!(here.contains(&number), "{} by {way:?}", state.name());
    }
    assert!(walked > 0, "no state is one event away");

    let (code, dot, _) = droidmux(&["model", "s1", "--dot", "--store", folder]);
    assert_eq!((code, dot), (0, map.dot()));
    let (_, words, _) = droidmux(&["model", "s1", "--store", folder]);
    assert!(
        words.starts_with(&format!("{} states, {} transitions", last.states, last.transitions)),
        "{words}"
    );
    assert_eq!(words.lines().count(), map.states.len() + 1);
    let (_, json, _) = droidmux(&["model", "s1", "--json", "--store", folder]);
    let told: droidmux::proto::MapView = serde_json::from_str(&json).unwrap();
    assert_eq!(told, map);
    let (code, _, said) = droidmux(&["model", "s7", "--store", folder]);
    assert!(code == 2 && said.contains("s7"), "{said}");
}
