//! Each explanation on small traces that it explains, and on look-alikes that it must not.

use super::stage::with_case;
use super::{Case, experiments};
use droidmux_record::{Bearing, ExperimentKind};

/// What decides in the end, and in which words.
fn outcome(case: &Case<'_>) -> (Option<(ExperimentKind, Bearing)>, String) {
    let found = experiments(case);
    let said = found.iter().map(|e| e.words.as_str()).collect::<Vec<_>>().join(" ");
    assert!(found.iter().all(|e| !e.places.is_empty()), "{said}");
    (found.last().map(|experiment| (experiment.kind, experiment.bearing)), said)
}

use Bearing::{Accuses, Doubts, Excuses};
use ExperimentKind::{OutOfView, OwnObject, PageIdentity, Placeholder, RemoteSwitch, Stack, Swap};

/// Name, seed, mutant, (pivot, length), what decides, and a part of its words. All pairs are the last two
/// sights of the seed.
type Line = (
    &'static str,
    &'static str,
    &'static str,
    (usize, usize),
    Option<(ExperimentKind, Bearing)>,
    &'static str,
);

fn check(lines: &[Line]) {
    for (name, seed, mutant, at, expected, words) in lines {
        let last = seed.matches("->").count();
        let (found, said) = with_case((seed, mutant), *at, last - 1, outcome);
        assert_eq!(found, *expected, "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

#[test]
fn another_page_or_mode_explains() {
    check(&[
        (
            "another title",
            "bar Week; button Add -click Add-> bar Week; button Add; text n=1",
            "bar Week; button Add -click Add-> bar Day; button Add -click Add-> bar Day; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "the page 'Day' instead of 'Week'",
        ),
        (
            "another tab",
            "bar A; tab All; button Add -click Add-> bar A; tab All; button Add; text n=1",
            "bar A; tab All; button Add -click Add-> bar A; tab Done; button Add -click Add-> bar A; tab Done; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "'Done' was chosen instead of 'All'",
        ),
        (
            "another search",
            "bar A; field q=; button Add -click Add-> bar A; field q=; button Add; row milk",
            "bar A; field q=; button Add -type tea-> bar A; field q=tea; button Add -click Add-> bar A; field q=tea; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "'tea' stood in a field instead of nothing",
        ),
        (
            "a switch on the page",
            "bar A; switch Sorted=off; button Add -click Add-> bar A; switch Sorted=off; button Add; text n=1",
            "bar A; switch Sorted=off; button Add -click Sorted-> bar A; switch Sorted=on; button Add -click Add-> bar A; switch Sorted=on; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "a switch was on instead of off",
        ),
        (
            "another dialog",
            "dialog Delete milk?; button OK -click OK-> bar A",
            "dialog Delete milk?; button OK -click OK-> dialog Delete tea?; button OK -click OK-> bar A; text n=1",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "the dialog 'Delete tea?' instead of 'Delete milk?'",
        ),
        (
            "another row of the same control",
            "bar A; row milk; row tea -click tick of milk-> bar A; row milk=done; row tea",
            "bar A; row milk; row tea -click tick of milk-> bar A; row tea; row jam -click tick of tea-> bar A; row tea; row jam",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "the row 'tea' instead of 'milk'",
        ),
        (
            "look-alike: a row was added beside",
            "bar A; row milk -click tick of milk-> bar A; row milk=done",
            "bar A; row milk -click more of milk-> bar A; row milk; row tea -click tick of milk-> bar A; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: the title counts the rows",
            "bar A (1); row milk -click tick of milk-> bar A (1); row milk=done",
            "bar A (1); row milk -click more of milk-> bar A (2); row milk; row tea -click tick of milk-> bar A (2); row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a switch in a row beside",
            "bar A; button Add; row tea -click Add-> bar A; button Add; row tea; text n=1",
            "bar A; button Add; row tea -click tick of tea-> bar A; button Add; row +tea -click Add-> bar A; button Add; row +tea",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn an_object_already_changed_explains() {
    check(&[
        (
            "the row to remove is gone",
            "bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row tea",
            "bar A; button Clear; row milk; row tea -click more of milk-> bar A; button Clear; row tea -click Clear-> bar A; button Clear; row tea",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already removed 'milk'",
        ),
        (
            "the row has another detail",
            "bar A; button Next; row milk=one -click Next-> bar A; button Next; row milk=two",
            "bar A; button Next; row milk=one -click more of milk-> bar A; button Next; row milk=two -click Next-> bar A; button Next; row milk=three",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already turned 'one' into 'two'",
        ),
        (
            "a counter is further",
            "bar A; text n=1 item; button Add -click Add-> bar A; text n=2 items; button Add",
            "bar A; text n=1 item; button Add -click Add-> bar A; text n=2 items; button Add -click Add-> bar A; text n=3 items; button Add",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already turned '1 item' into '2 items'",
        ),
        (
            "a text is there already",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row -click Help-> bar A; button Help; text tip=Hold a row",
            (0, 1),
            Some((OwnObject, Excuses)),
            "'Hold a row' was there already",
        ),
        (
            "a namesake is there already: a doubt",
            "bar A; button Add; row tea -click Add-> bar A; button Add; row tea; row milk",
            "bar A; button Add; row tea -click Add-> bar A; button Add; row tea; row milk -click Add-> bar A; button Add; row tea; row milk",
            (0, 1),
            Some((OwnObject, Doubts)),
            "was there already",
        ),
        (
            "look-alike: another row was removed",
            "bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row tea",
            "bar A; button Clear; row milk; row tea; row jam -click more of jam-> bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a row beside has the value",
            "bar A; button Next; row milk=one; row tea=two -click Next-> bar A; button Next; row milk=two; row tea=two",
            "bar A; button Next; row milk=one; row tea=one -click more of tea-> bar A; button Next; row milk=one; row tea=two -click Next-> bar A; button Next; row milk=one; row tea=two",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: it was there and is gone after",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row -click Help-> bar A; button Help",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: one of two losses was changed before",
            "bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear",
            "bar A; button Clear; row milk; row tea -click more of milk-> bar A; button Clear; row tea -click Clear-> bar A; button Clear; row tea",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn a_placeholder_and_a_place_in_the_stack_explain() {
    check(&[
        (
            "the list is not empty",
            "bar A; button Clear; text note=x -click Clear-> bar A; button Clear; text hint=No notes; text note=x",
            "bar A; button Clear; text note=x -click Clear-> bar A; button Clear; text note=x; row tea -click Clear-> bar A; button Clear; text note=x; row tea",
            (0, 1),
            Some((Placeholder, Excuses)),
            "'No notes' stands for an empty list",
        ),
        (
            "look-alike: the list is empty",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; text hint=No notes",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; row milk -click Clear-> bar A; button Clear",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a row is not removed either",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; text hint=No notes",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "back to a page opened on the way",
            "bar B -back-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -back-> bar Help",
            (0, 2),
            Some((Stack, Excuses)),
            "opened on the way",
        ),
        (
            "up to a page opened on the way",
            "bar B -click Navigate up-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -click Navigate up-> bar Help",
            (0, 2),
            Some((Stack, Excuses)),
            "opened on the way",
        ),
        (
            "look-alike: back stays where it is",
            "bar B -back-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -back-> bar B",
            (0, 2),
            None,
            "",
        ),
        (
            "look-alike: a button, not back",
            "bar B; button Save -click Save-> bar Home; text hello=Hello",
            "bar B; button Save -click Navigate up-> bar Help -back-> bar B; button Save -click Save-> bar Help",
            (0, 2),
            None,
            "",
        ),
        (
            "look-alike: back to a page nobody opened",
            "bar B -back-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -back-> bar Login",
            (0, 2),
            None,
            "",
        ),
    ]);
}

#[test]
fn a_switch_elsewhere_leaves_a_doubt_and_a_swap_accuses() {
    check(&[
        (
            "a switch on another page",
            "bar A; button Add -click Add-> bar A; button Add; text n=1",
            "bar A; button Add -click Add-> @Prefs bar Settings; switch Short=off -click Short-> @Prefs bar Settings; switch Short=on -back-> bar A; button Add -click Add-> bar A; button Add",
            (0, 3),
            Some((RemoteSwitch, Doubts)),
            "changed 'Short' on another page",
        ),
        (
            "look-alike: switched on and off again",
            "bar A; button Add -click Add-> bar A; button Add; text n=1",
            "bar A; button Add -click Add-> @Prefs bar Settings; switch Short=off -click Short-> @Prefs bar Settings; switch Short=off -back-> bar A; button Add -click Add-> bar A; button Add",
            (0, 3),
            None,
            "",
        ),
        (
            "another row goes than the dialog names",
            "bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row tea",
            "bar A; row milk; row tea -click more of tea-> bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row milk",
            (0, 1),
            None,
            "",
        ),
        (
            "another row changes than was ticked",
            "bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=done; row tea=open",
            "bar A; row milk=open; row tea=open -click more of tea-> bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=open; row tea=done",
            (0, 1),
            Some((Swap, Accuses)),
            "changed 'tea' instead of 'milk'",
        ),
        (
            "another row changes than was ticked, to what a third one says",
            "bar A; row milk=open; row tea=open; row jam=done -click tick of milk-> bar A; row milk=done; row tea=open; row jam=done",
            "bar A; row milk=open; row tea=open; row jam=done -click more of tea-> bar A; row milk=open; row tea=open; row jam=done -click tick of milk-> bar A; row milk=open; row tea=done; row jam=done",
            (0, 1),
            Some((Swap, Accuses)),
            "changed 'tea' instead of 'milk'",
        ),
        (
            "look-alike: other rows change places in a list that is scrolled",
            "bar A; row milk=open; row tea=open -scroll list-> bar A; row milk=done; row tea=open",
            "bar A; row milk=open; row tea=open -click more of tea-> bar A; row milk=open; row tea=open -scroll list-> bar A; row milk=open; row tea=done",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: what was used last comes first",
            "bar A; row milk; row tea; row jam -click tick of jam-> bar A; row jam; row milk; row tea",
            "bar A; row milk; row tea; row jam -click more of tea-> bar A; row tea; row milk; row jam -click tick of jam-> bar A; row jam; row tea; row milk",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: the mutant has no such row",
            "bar A; tab milk; row milk; row tea -click tab-> bar A; tab milk; row tea",
            "bar A; tab milk; row milk; row tea -click more of milk-> bar A; tab milk; row tea; row jam -click tab-> bar A; tab milk; row tea",
            (0, 1),
            Some((OwnObject, Excuses)),
            "",
        ),
        (
            "look-alike: both change",
            "bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=done; row tea=open",
            "bar A; row milk=open; row tea=open -click more of tea-> bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=half; row tea=open",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn another_object_in_the_same_place_explains() {
    check(&[
        (
            "the first row is another one",
            "bar A; button Next; row milk=one; row tea=one -click Next-> bar A; button Next; row milk=two; row tea=one",
            "bar A; button Next; row milk=one; row tea=one -click more of tea-> bar A; button Next; row tea=one; row milk=one \
             -click Next-> bar A; button Next; row tea=two; row milk=one",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had put 'tea' in the place of 'milk'",
        ),
        (
            "look-alike: the event names the row that was meant",
            "bar A; row milk=one; row tea=one -click tick of milk-> bar A; row milk=two; row tea=one",
            "bar A; row milk=one; row tea=one -click more of tea-> bar A; row tea=one; row milk=one \
             -click tick of milk-> bar A; row tea=two; row milk=one",
            (0, 1),
            Some((Swap, Accuses)),
            "changed 'tea' instead of 'milk'",
        ),
        (
            "look-alike: another place is struck",
            "bar A; button Next; row milk=one; row tea=one -click Next-> bar A; button Next; row milk=two; row tea=one",
            "bar A; button Next; row milk=one; row tea=one -click more of tea-> bar A; button Next; row milk=one; row tea=one \
             -click Next-> bar A; button Next; row milk=one; row tea=two",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn a_row_that_may_be_out_of_view_is_a_doubt() {
    check(&[
        (
            "its list goes on",
            "bar A; button Next; scrolls; row milk; row tea -click Next-> bar A; button Next; scrolls; row milk",
            "bar A; button Next; scrolls; row milk; row tea -click more of milk-> bar A; button Next; scrolls; row milk; row tea \
             -click Next-> bar A; button Next; scrolls; row milk; row tea",
            (0, 1),
            Some((OutOfView, Doubts)),
            "'tea' may just be out of view",
        ),
        (
            "look-alike: all of the list shows",
            "bar A; button Next; row milk; row tea -click Next-> bar A; button Next; row milk",
            "bar A; button Next; row milk; row tea -click more of milk-> bar A; button Next; row milk; row tea \
             -click Next-> bar A; button Next; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: the event is on that row",
            "bar A; scrolls; row milk; row tea -click more of tea-> bar A; scrolls; row milk",
            "bar A; scrolls; row milk; row tea -click more of milk-> bar A; scrolls; row milk; row tea \
             -click more of tea-> bar A; scrolls; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a value of a row that stays",
            "bar A; button Next; scrolls; row milk=one -click Next-> bar A; button Next; scrolls; row milk=two",
            "bar A; button Next; scrolls; row milk=one -click more of milk-> bar A; button Next; scrolls; row milk=one \
             -click Next-> bar A; button Next; scrolls; row milk=one",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn an_undo_that_leaves_the_object_changed_accuses() {
    check(&[
        (
            "undone, and not back",
            "bar A; text now=Nothing; button Go; row tea -click Go-> bar A; text now=Reading; button Go; row tea",
            "bar A; text now=Nothing; button Go; row tea -click tea-> bar A; text now=Tea; button Go; undo Chosen; row tea \
             -click UNDO-> bar A; text now=Tea; button Go; row tea -click Go-> bar A; text now=Tea; button Go; row tea",
            (0, 2),
            Some((OwnObject, Accuses)),
            "Clicking 'UNDO' did not bring back 'Nothing', which clicking 'tea' had changed",
        ),
        (
            "look-alike: undone and back",
            "bar A; text now=Nothing; button Go; row tea -click Go-> bar A; text now=Reading; button Go; row tea",
            "bar A; text now=Nothing; button Go; row tea -click tea-> bar A; text now=Tea; button Go; undo Chosen; row tea \
             -click UNDO-> bar A; text now=Nothing; button Go; row tea -click Go-> bar A; text now=Nothing; button Go; row tea",
            (0, 2),
            None,
            "",
        ),
        (
            "look-alike: time went on",
            "bar A; text now=0 sec; button Go; row tea -click Go-> bar A; text now=1 sec; button Go; row tea",
            "bar A; text now=0 sec; button Go; row tea -click tea-> bar A; text now=2 sec; button Go; undo Chosen; row tea \
             -click UNDO-> bar A; text now=3 sec; button Go; row tea -click Go-> bar A; text now=5 sec; button Go; row tea",
            (0, 2),
            Some((OwnObject, Excuses)),
            "had already turned '0 sec' into '3 sec'",
        ),
        (
            "look-alike: changed and not undone",
            "bar A; text now=Nothing; button Go; row tea -click Go-> bar A; text now=Reading; button Go; row tea",
            "bar A; text now=Nothing; button Go; row tea -click tea-> bar A; text now=Tea; button Go; row tea -click Go-> \
             bar A; text now=Tea; button Go; row tea",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already turned 'Nothing' into 'Tea'",
        ),
    ]);
}

#[test]
fn a_dialog_that_names_one_row_and_removes_another_accuses() {
    let seed = "bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row tea";
    let mutant = "bar A; row milk; row tea -click more of tea-> bar A; row milk; row tea -click more of milk-> \
                  dialog Delete milk?; button OK -click OK-> bar A; row milk";
    let (found, said) = with_case((seed, mutant), (0, 1), 0, outcome);
    assert_eq!(found, Some((Swap, Accuses)), "{said}");
    assert!(said.contains("Clicking 'OK' in 'Delete milk?' removed 'tea' instead of 'milk'"), "{said}");
}
