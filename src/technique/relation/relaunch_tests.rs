use super::super::Break;
use super::super::script::{Script, check_each};
use super::RELAUNCH;
use crate::claims::Kind;

const NOTES: &str = "@ Main Notes\nlist notes\n- milk | fresh\n- bread | old";

#[test]
fn a_list_outlives_the_process() {
    let made = "@ Main Notes\nlist notes\n- milk\n> click milk\n@ Edit Note\nfield name=milk\n> edit name: tea\n@ Edit Note\nfield name=tea\n(Save)\n> click Save\n@ Main Notes\nlist notes\n- milk\n- tea";
    let ticks =
        |a: &str, b: &str| format!("@ Main Notes\nlist notes\n- milk | {a} bought\n- tea | {b} bought");
    let tabs = |tab: &str, rows: &str| format!("@ Main Notes\ntab {tab}\n(Add)\nlist notes\n{rows}");
    let deleted = "@ Main Notes\nlist notes\n- milk | fresh\n- bread | old\n> long milk\n@dialog Delete 'milk'?\n(OK)\n> click OK\n@ Main Notes\nlist notes\n- bread | old";
    let broken = [
        (
            "a row",
            format!("{NOTES}\n> relaunch\n@ Main Notes\nlist notes\n- bread | old"),
            "After the app was stopped and started again 'milk' is gone from the list.",
        ),
        (
            "all rows",
            format!("{NOTES}\n> relaunch\n@ Main Notes\nlist notes"),
            "After the app was stopped and started again 'milk' is gone from the list.",
        ),
        (
            "a row that was made in this trace",
            format!("{made}\n> relaunch\n@ Main Notes\nlist notes\n- milk"),
            "After the app was stopped and started again 'tea' is gone from the list.",
        ),
        (
            "a row that was deleted",
            format!("{deleted}\n> relaunch\n{NOTES}"),
            "After the app was stopped and started again 'milk' is back in the list, from which it had been removed.",
        ),
        (
            "a row that is there twice",
            format!(
                "{NOTES}\n> relaunch\n@ Main Notes\nlist notes\n- milk | fresh\n- bread | old\n- bread | old"
            ),
            "After the app was stopped and started again 'bread' is in the list once more.",
        ),
        (
            "a tick",
            format!("{}\n> relaunch\n{}", ticks("[x]", "[ ]"), ticks("[ ]", "[ ]")),
            "After the app was stopped and started again 'milk' is no longer ticked.",
        ),
        (
            "a tick that nobody made",
            format!("{}\n> relaunch\n{}", ticks("[x]", "[ ]"), ticks("[x]", "[x]")),
            "After the app was stopped and started again 'tea' is ticked, which it was not.",
        ),
        (
            "what a row says",
            format!("{NOTES}\n> relaunch\n@ Main Notes\nlist notes\n- milk | old\n- bread | old"),
            "After the app was stopped and started again 'milk' says 'old', not 'fresh' as before.",
        ),
        (
            "a word of a row",
            format!("{NOTES}\n> relaunch\n@ Main Notes\nlist notes\n- milk\n- bread | old"),
            "After the app was stopped and started again 'milk' no longer says 'fresh'.",
        ),
        (
            "another order",
            format!("{NOTES}\n> relaunch\n@ Main Notes\nlist notes\n- bread | old\n- milk | fresh"),
            "After the app was stopped and started again 'milk' is second in the list; it had been first.",
        ),
        (
            "on a page that has to be gone to",
            format!(
                "{}\n> relaunch\n{}\n> click Archive\n{}",
                tabs("Archive*", "- milk\n- tea"),
                "@ Main Notes\ntab Inbox*\ntab Archive",
                tabs("Archive*", "- milk")
            ),
            "After the app was stopped and started again 'tea' is gone from the list.",
        ),
        (
            "after looking at other pages",
            format!(
                "{NOTES}\n> click bread\n@ Detail bread\n> relaunch\n@ Main Notes\nlist notes\n- bread | old"
            ),
            "After the app was stopped and started again 'milk' is gone from the list.",
        ),
    ];
    let innocent = [
        ("all rows are there", format!("{NOTES}\n> relaunch\n{NOTES}")),
        ("another part of the list", "@ Main Notes\nlist notes...\n- c\n- d\n- e\n> relaunch\n@ Main Notes\nlist notes...\n- a\n- b\n- c".into()),
        ("another tab", format!("{}\n> relaunch\n{}", tabs("Archive*", "- milk\n- tea"), tabs("Inbox*", "- milk"))),
        ("another path", format!("{}\n> relaunch\n{}", "@ Main Files\nlabel path=/home\nlist files\n- a\n- b", "@ Main Files\nlabel path=/\nlist files\n- a")),
        ("a filter is off", "@ Main Notes\ntoggle Done=on\nlist notes\n- a\n- b\n> relaunch\n@ Main Notes\ntoggle Done=off\nlist notes\n- a".into()),
        (
            "rows that a filter without a name had brought",
            "@ Main Notes\n(Show)\nlist notes\n- a\n> click Show\n@ Main Notes\n(Show)\nlist notes\n- a\n- b\n> relaunch\n@ Main Notes\n(Show)\nlist notes\n- a".into(),
        ),
        ("the clock", "@ Main Notes\nlist notes\n- a | 2 min ago\n> relaunch\n@ Main Notes\nlist notes\n- a | 3 min ago".into()),
        ("it is still loading", format!("{NOTES}\n> relaunch\n@ Main Notes\nlist notes\nloading")),
        ("the row that was opened", format!("{NOTES}\n> click milk\n@ Detail milk\n> relaunch\n@ Main Notes\nlist notes\n- bread | old")),
        (
            "something was changed in between",
            format!("{NOTES}\n> click milk\n@ Detail milk\n(Delete)\n> click Delete\n@ Main Start\n> relaunch\n@ Main Notes\nlist notes\n- bread | old"),
        ),
        (
            "something was changed afterwards",
            format!("{NOTES}\n> relaunch\n@ Main Start\n(Clean up)\n> click Clean up\n@ Main Notes\nlist notes\n- bread | old"),
        ),
        (
            "a deletion that could still be undone",
            "@ Main Notes\nlist notes\n- milk\n- tea\n> long milk\n@dialog Delete 'milk'?\n(OK)\n> click OK\n@ Main Notes\nlist notes\n- tea\nsnack Deleted | Undo\n> relaunch\n@ Main Notes\nlist notes\n- milk\n- tea".into(),
        ),
        ("a search is over", "@ Main Notes\nfield search=mi\nlist notes\n- milk\n> relaunch\n@ Main Notes\nfield search=\nlist notes\n- bread".into()),
        ("only turned", format!("{NOTES}\n> rotate\n@ Main Notes\nlist notes\n- bread | old")),
    ];
    let cases: Vec<(&str, &str, &str)> = broken
        .iter()
        .map(|(name, trace, sentence)| (*name, trace.as_str(), *sentence))
        .chain(innocent.iter().map(|(name, trace)| (*name, trace.as_str(), "")))
        .collect();
    check_each(&RELAUNCH, &cases);
}

#[test]
fn what_nobody_typed_and_another_order_is_slight() {
    let typed = "@ Main Notes\nlist notes\n- milk\n> click milk\n@ Edit Note\nfield body=\n> edit body: two bottles\n@ Edit Note\nfield body=two bottles\n(Save)\n> click Save\n@ Main Notes\nlist notes\n- milk | two bottles\n- tea | green";
    for (what, after, slight) in [
        ("playing", "- milk | two bottles\n- tea", true),
        ("typed", "- milk\n- tea | green", false),
        ("order", "- tea | green\n- milk | two bottles", true),
    ] {
        let broken = Script::read(&format!("{typed}\n> relaunch\n@ Main Notes\nlist notes\n{after}"))
            .broken(&RELAUNCH);
        assert_eq!(
            broken.iter().map(|broken| broken.slight).collect::<Vec<_>>(),
            [slight],
            "{what}: {broken:#?}"
        );
    }
}

#[test]
fn that_a_list_keeps_what_nobody_typed_is_a_claim() {
    let started = |before: &str, after: &str| Script::read(&format!("{before}\n> relaunch\n{after}"));
    let kept = started(NOTES, NOTES).held(&RELAUNCH);
    let [held] = kept.as_slice() else { panic!("{kept:?}") };
    let gone = started(NOTES, "@ Main Notes\nlist notes\n- bread | old").broken(&RELAUNCH);
    let claims: Vec<Option<u64>> = gone.iter().map(|b| b.claim.as_ref().map(|claim| claim.about)).collect();
    assert_eq!(claims, [Some(held.about)]);
    let made = "@ Main Notes\nlist notes\n- milk\n> click milk\n@ Edit Note\nfield name=milk\n> edit name: tea\n@ Edit Note\nfield name=tea\n(Save)\n> click Save\n@ Main Notes\nlist notes\n- milk\n- tea";
    let lost = started(made, "@ Main Notes\nlist notes\n- milk").broken(&RELAUNCH);
    let is_habit = |broken: &Break| broken.claim.as_ref().is_some_and(|claim| Kind::of(claim) == Kind::Habit);
    assert_eq!(
        lost.iter().map(is_habit).collect::<Vec<_>>(),
        [false],
        "what was typed is promised: {lost:#?}"
    );
}
