use super::*;
use crate::row::lists;
use droidmux_record::Layouts;
use droidmux_testutils::script::Script;
use proptest::prelude::*;

/// The place that the last screen of a text shows.
fn place(text: &str) -> Place {
    let script = Script::read(text);
    let screen = &script.run.turns.last().unwrap().observation.seen().unwrap().screen;
    let layout = script.layouts.layout(screen.layout).unwrap();
    let lists = lists(&layout);
    Place::of(&layout, &Look::of(&layout, &lists), &lists)
}

/// What two places have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Same {
    Nothing,
    Page,
    Mode,
    Place,
}

fn same(a: &Place, b: &Place) -> Same {
    match (a.is_page_of(b), a.is_mode_of(b), a.is_place_of(b)) {
        (true, true, true) => Same::Place,
        (true, true, false) => Same::Mode,
        (true, false, false) => Same::Page,
        (false, false, false) => Same::Nothing,
        other => panic!("levels contain one another: {other:?}"),
    }
}

const NOTES: &str = "@ Main Notes\nbar find=Find\nbar more=More\nlist items\n- milk | 2 l\n- tea";

#[test]
fn what_makes_another_page_and_what_another_mode() {
    use Same::{Mode, Nothing, Page, Place};
    // one screen, another, what they have in common, and what is told of the other where it is another mode
    for (what, one, other, common, told) in [
        ("a text in a row", NOTES, &*NOTES.replace("2 l", "3 l"), Place, ""),
        ("one row fewer", NOTES, &*NOTES.replace("\n- tea", ""), Place, ""),
        (
            "a row is ticked",
            "@ Main Notes\nlist items\n- milk | [ ]",
            "@ Main Notes\nlist items\n- milk | [x]",
            Place,
            "",
        ),
        (
            "rows can be ticked",
            "@ Main Notes\nlist items\n- milk\n- tea",
            "@ Main Notes\nlist items\n- milk | [ ]\n- tea | [ ]",
            Page,
            "boxes to tick",
        ),
        (
            "no row is left that could be ticked",
            "@ Main Notes\nlist items\n- milk | [ ]",
            "@ Main Notes\nlist items",
            Place,
            "",
        ),
        ("a count in the title", "@ Main Notes (2)", "@ Main Notes (3)", Place, ""),
        ("another title", "@ Main Notes", "@ Main Bin", Nothing, "the page 'Bin' instead of 'Notes'"),
        (
            "another tab",
            "@ Main N\ntab One*\ntab Two",
            "@ Main N\ntab One\ntab Two*",
            Nothing,
            "'Two' was chosen",
        ),
        ("a text beside the rows", "@ Main N\nlabel path=/a", "@ Main N\nlabel path=/b", Mode, ""),
        (
            "a count of the rows",
            &*format!("{NOTES}\nlabel sum=2 notes"),
            &*format!("{}\nlabel sum=1 notes", NOTES.replace("\n- tea", "")),
            Place,
            "",
        ),
        (
            "a search is open",
            NOTES,
            &*NOTES.replace("bar find=Find", "bar field find="),
            Page,
            "a field with nothing",
        ),
        (
            "a search in the place of the title",
            "@ Main Notes\nlabel length=3 sec",
            "@ Main\nbar field find=\nlabel length=4 sec",
            Page,
            "a field with nothing",
        ),
        (
            "something is looked for",
            &*NOTES.replace("bar find=Find", "bar field find="),
            &*NOTES.replace("bar find=Find", "bar field find=tea"),
            Page,
            "'tea' stood in a field instead of nothing",
        ),
        (
            "a field in the bar of no known name",
            NOTES,
            &*NOTES.replace("bar find=Find", "bar field q7="),
            Page,
            "a field with nothing",
        ),
        ("a filter", "@ Main N\ntoggle Done=off", "@ Main N\ntoggle Done=on", Page, "on instead of off"),
        (
            "an order",
            "@ Main N\nspinner by=Name",
            "@ Main N\nspinner by=Date",
            Page,
            "'Date' instead of 'Name'",
        ),
        ("an action mode", NOTES, &*format!("{NOTES}\nacting 1 selected"), Page, "rows were selected"),
        (
            "a count of selected rows in the title",
            "@ Main Notes\nlist items\n- milk",
            "@ Main 1\nlist items\n- milk*",
            Nothing,
            "the page '1'",
        ),
        (
            "an exchanged bar",
            NOTES,
            &*NOTES.replace("bar find=Find", "bar bin=Delete"),
            Page,
            "the bar held other buttons",
        ),
        (
            "one button more in the bar",
            NOTES,
            &*NOTES.replace("bar more=More", "bar more=More\nbar undo=Undo"),
            Place,
            "",
        ),
        ("one button fewer in the bar", NOTES, &*NOTES.replace("bar find=Find\n", ""), Place, ""),
        (
            "a menu",
            NOTES,
            &*format!("{NOTES}\n> click More\n@menu\nlist menu\n- Sort\n- Share"),
            Nothing,
            "a menu was open",
        ),
        (
            "a menu at the edge",
            NOTES,
            &*format!("{NOTES}\n> click More\n@popup\nlist menu\n- Sort\n- Share"),
            Nothing,
            "a menu was open",
        ),
        (
            "a dialog",
            NOTES,
            &*format!("{NOTES}\n> click More\n@dialog Rename\nfield name="),
            Nothing,
            "the dialog 'Rename' was open",
        ),
        (
            "another dialog",
            "@dialog Rename\n(OK)",
            "@dialog Delete\n(OK)",
            Nothing,
            "'Delete' instead of 'Rename'",
        ),
        (
            "another message of a dialog",
            "@dialog Delete?\nlabel message=milk\n(OK)",
            "@dialog Delete?\nlabel message=tea\n(OK)",
            Page,
            "'Delete?",
        ),
        ("a drawer", NOTES, "@ Main Notes\ndrawer\n(Bin)", Nothing, "the drawer was open"),
        ("a snackbar", NOTES, &*format!("{NOTES}\nsnack Deleted | Undo"), Place, ""),
    ] {
        let (one, other) = (place(one), place(other));
        assert_eq!(same(&one, &other), common, "{what}: {one:#?} {other:#?}");
        assert_eq!(same(&other, &one), common, "{what}, the other way round");
        let said = one.difference(&other);
        assert_eq!(said.is_none(), common >= Mode, "{what}: {said:?}");
        let said = said.unwrap_or_default().replace('"', "'");
        assert!(said.contains(told), "{what}: {said}");
    }
}

#[test]
fn modes_by_their_kinds() {
    for (text, kind) in [
        (NOTES, ModeKind::Usual),
        ("@ Main Notes\nfield name=", ModeKind::Usual),
        ("@ Main Notes\nfield search=", ModeKind::Search),
        ("@ Main Notes\nbar field q=", ModeKind::Search),
        ("@ Main Notes\nacting 2", ModeKind::Selection),
        ("@ Main 2 chosen\nlist items\n- milk*\n- tea", ModeKind::Selection),
        ("@ Main Places\nlist items\n- Inbox*\n- Bin", ModeKind::Usual),
        ("@ Main 2 chosen\nlist items\n- milk\n- tea", ModeKind::Usual),
    ] {
        assert_eq!(place(text).mode.kind, kind, "{text}");
    }
}

#[test]
fn what_has_turned_into_something_else() {
    for (what, one, other, turned) in [
        ("one button fewer", "@ M N\n(a=A)\n(b=B)", "@ M N\n(a=A)", false),
        ("one button more", "@ M N\n(a=A)", "@ M N\n(a=A)\n(b=B)", true),
        ("a text came", "@ M N\n(a=A)", "@ M N\n(a=A)\nlabel of=x", true),
        ("a text went", "@ M N\n(a=A)\nlabel of=x", "@ M N\n(a=A)", true),
        ("a text says something else", "@ M N\nlabel of=x", "@ M N\nlabel of=y", false),
        ("a counter came", "@ M N\n(a=A)", "@ M N\n(a=A)\n(3 new)", false),
    ] {
        assert_eq!(place(one).has_turned_into(&place(other)), turned, "{what}");
    }
}

/// A page with parts that are there or not, and rows that say anything.
fn page(parts: [bool; 4], rows: &[String]) -> String {
    let lines = ["bar field find=", "toggle Done=on", "tab One*", "acting 1"];
    let mut text = "@ Main Notes\nbar more=More".to_owned();
    for (line, _) in lines.iter().zip(parts).filter(|(_, there)| *there) {
        text = format!("{text}\n{line}");
    }
    let rows = rows.iter().map(|row| format!("\n- {row} | of {row}")).collect::<String>();
    format!("{text}\nlist items{rows}")
}

proptest! {
    /// Whatever rows say, and however many there are, the page stays the same in all modes; and two modes are told
    /// apart exactly when a part makes them differ.
    #[test]
    fn rows_are_no_part_of_a_page_and_modes_are(
        one in any::<[bool; 4]>(),
        other in any::<[bool; 4]>(),
        rows in prop::collection::vec("[a-z]{2,6}", 1..4),
        others in prop::collection::vec("[a-z]{2,6}", 1..4),
    ) {
        let (a, b) = (place(&page(one, &rows)), place(&page(one, &others)));
        prop_assert!(a.is_mode_of(&b) && a.difference(&b).is_none());
        let c = place(&page(other, &others));
        prop_assert_eq!(a.is_mode_of(&c), one == other, "{:?} {:?}", one, other);
        prop_assert_eq!(a.difference(&c).is_none(), one == other);
        prop_assert_eq!(a.is_mode_of(&c), c.is_mode_of(&a));
    }
}
