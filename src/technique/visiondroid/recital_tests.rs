//! Tests in the words that the agents are told.

use super::chronicle::Chronicle;
use super::explorer::{Scene, Tries, question};
use super::lore::Lore;
use crate::VisiondroidSettings;
use droidmux_gui::Interaction;
use droidmux_record::{IgnoreRule, SessionDefinition, Technique};
use droidmux_testutils::script::Script;

/// The test that a trace is.
fn chronicle(trace: &str) -> Chronicle {
    let script = Script::read(trace);
    let mut chronicle = Chronicle::new("toy");
    for turn in &script.run.turns {
        chronicle.note(&turn.act, &turn.observation, &script.layouts);
    }
    chronicle
}

fn with_scene<T>(chronicle: &Chronicle, lore: &Lore, look: impl FnOnce(&Scene<'_>) -> T) -> T {
    let facts = chronicle.facts().unwrap();
    let operable = facts.layout().operable();
    look(&Scene { chronicle, lore, facts, operable: &operable, number: 2, left: 7 })
}

const FOLDERS: &str = "@ Main Files
list items
- a | 1
- b | 2
- c | 3
> click a
@ Main a
list items
- x | 1
- y | 2
> back
@ Main Files
list items
- a | 1
- c | 3";

#[test]
fn steps_are_told_by_the_account_and_each_folder_is_a_page() {
    let chronicle = chronicle(FOLDERS);
    assert_eq!(
        chronicle.told(1..=2),
        "step 1: click row \"a\"
  Page \"a\"
    - x | 1
    - y | 2
step 2: back
  back on: Page \"Files\"
  compared with how it was after step 0:
  gone: - b | 2 (2nd of 3)"
    );
    assert_eq!(chronicle.told_to_now([1]), chronicle.told([1]));
    let brief = "step 2: back -> back on: Page \"Files\"; gone: - b | 2 (2nd of 3)";
    assert_eq!(chronicle.told_briefly([2]), brief);
    assert!(!chronicle.steps[0].stayed);
}

#[test]
fn a_widget_is_counted_whatever_stands_beside_it() {
    let one = chronicle(FOLDERS);
    let mut lore = Lore::default();
    lore.learn(&one);
    let other = "@ Main Files\nlist items\n- new | 1\n- a | 5\n- b | 2\n- c | 3\n- d | 3";
    let chronicle = chronicle(other);
    with_scene(&chronicle, &lore, |scene| {
        let tries = |label: &str| {
            let row = &scene.facts.lists()[0].only(label).unwrap().1;
            Tries::of(scene, scene.facts.layout().get(row.node).unwrap(), Interaction::Click)
        };
        assert_eq!((tries("a").earlier, tries("b").earlier), (1, 0));
    });
}

#[test]
fn hints_are_told_from_texts_and_the_screen_once() {
    let form = "@ Main Notes\nlist items\n- milk\n> click milk\n@ Edit milk\nfield edit_note=Note\n\
                field name=milk\nfield title=Enter it\n(Save)";
    let chronicle = chronicle(form);
    let asked = with_scene(&chronicle, &Lore::default(), |scene| {
        question(scene, None, &VisiondroidSettings::default()).text()
    });
    for words in [
        "field \"edit note\", empty, its hint is \"Note\"",
        "field \"name\", holds \"milk\" |",
        "field \"title\", holds \"Enter it\", which nobody typed: perhaps only a hint",
        "This is test number 2; 7 more steps can be done in it.",
        "screen now: Page \"milk\"",
    ] {
        assert!(asked.contains(words), "{words} in {asked}");
    }
    assert_eq!(asked.matches("field title: \"Enter it\"").count(), 1, "{asked}");
}

#[test]
fn of_a_long_function_the_ends_are_told() {
    let mut trace = "@ Main Notes\n(Add)".to_owned();
    for _ in 0..7 {
        trace.push_str("\n> click Add\n@ Main Notes\n(Add)");
    }
    let chronicle = chronicle(&trace);
    let click = "click \"Add\"";
    assert_eq!(chronicle.actions(1, 3), [click; 3].join("; "));
    assert_eq!(chronicle.actions(1, 7), format!("{click}; {click}; … 3 more …; {click}; {click}"));
}

#[test]
fn what_the_session_ignores_is_no_change() {
    let trace = "@ Main Notes\nlabel clock=10:01\nlabel count=1\n(Add)\n> click Add\n\
                 @ Main Notes\nlabel clock=10:02\nlabel count=2\n(Add)";
    // The widget that a rule of the session ignores, and what is told of the step.
    for (id, told) in [
        ("", "step 1: click \"Add\"\n  changed: 10:01 → 10:02\n  changed: 1 → 2"),
        ("clock", "step 1: click \"Add\"\n  changed: 1 → 2"),
    ] {
        let mut definition = SessionDefinition::new(Technique::Visiondroid, "toy");
        let rule = IgnoreRule { resource_id: id.into(), ..IgnoreRule::default() };
        definition.ignore.extend((!id.is_empty()).then_some(rule));
        let script = Script::read(trace);
        let chronicles = Chronicle::of_run(&script.run, &Chronicle::blank(&definition), &script.layouts);
        assert_eq!(chronicles[0].told([1]), told, "{id}");
    }
}
