//! What saving says of single traces; how many it takes to be reported is its claim's.

use super::*;
use crate::relation::script::{Script, check_each};

/// A list with these rows.
fn list(rows: &str) -> String {
    rows.split_whitespace()
        .fold("@ Main Shopping\nlist items\n".to_owned(), |list, row| format!("{list}- {row}\n"))
}

/// A form with this name and note.
fn form(name: &str, note: &str) -> String {
    format!("@ Edit Item\nfield name={name}\nfield note={note}\n(Save)\n(Cancel)\n")
}

/// Adds an item with a note, and leaves the form by this button.
fn added(button: &str) -> String {
    format!(
        "{}(Add)\n> click Add\n{}> edit name: milk\n{}> edit note: fresh\n{}> click {button}\n",
        list("bread"),
        form("", ""),
        form("milk", ""),
        form("milk", "fresh"),
    )
}

/// Adds an item and opens it, which shows this form.
fn opened(form: &str) -> String {
    format!("{}{}> click milk\n{form}", added("Save"), list("bread milk"))
}

/// Opens bread, changes its note from stale to fresh, and opens it again.
fn changed(button: &str, again: &str) -> String {
    let list = list("bread milk");
    let (was, is) = (form("bread", "stale"), form("bread", "fresh"));
    format!(
        "{list}> click bread\n{was}> edit note: fresh\n{is}> click {button}\n{list}> click bread\n{again}"
    )
}

/// Enters a number that a page asks for each time, and opens that page again, each time by the menu of a bar.
fn asked_each_time() -> String {
    let open = "> click More\n@menu\nlist menu\n- Advance\n> click Advance\n";
    let page = |days: &str| format!("@ Main Time\nfield days={days}\n(Go)\n");
    let list = format!("{}bar more=More\n", list("bread milk"));
    format!("{list}{open}{}> edit days: 100\n{}> click Go\n{list}{open}{}", page(""), page("100"), page(""))
}

/// Opens bread, switches something on, and opens it again.
fn switched(button: &str, again: &str) -> String {
    let list = list("bread milk");
    let form = |ripe: &str| format!("@ Edit Item\ntoggle Ripe={ripe}\n(Save)\n(Cancel)\n");
    let (off, on, again) = (form("off"), form("on"), form(again));
    format!("{list}> click bread\n{off}> click Ripe\n{on}> click {button}\n{list}> click bread\n{again}")
}

/// Presses something on a page with these rows, switches something on in the form that comes, saves it, and opens a row
/// of what is there then, which shows that it is switched off.
fn unnamed(before: &str, pressed: &str, after: &str, opened: &str) -> String {
    let form = |ripe: &str| format!("@ Edit Item\ntoggle Ripe={ripe}\n(Save)\n(Cancel)\n");
    let (before, after, off, on) = (list(before), list(after), form("off"), form("on"));
    format!(
        "{before}(Add)\n> click {pressed}\n{off}> click Ripe\n{on}> click Save\n{after}(Add)\n> click {opened}\n{off}"
    )
}

/// The same, but the form is left by the back key.
fn by_back(trace: String) -> String {
    trace.replace("> click Save", "> back")
}

fn lost(entered: &str, field: &str, shown: &str) -> String {
    format!(
        "'Save' was pressed with '{entered}' as '{field}', and the form shows {shown} there when it is opened again."
    )
}

#[test]
fn what_it_says_and_what_not() {
    let (nothing, name) = (lost("fresh", "note", "nothing"), lost("milk", "name", "nothing"));
    let (stale, exchanged) = (lost("fresh", "note", "'stale'"), lost("fresh", "note", "'milk'"));
    let ripe =
        "'Save' was pressed with 'on' as 'Ripe', and the form shows 'off' there when it is opened again.";
    let swap = |trace: String, from: &str, to: &str| trace.replace(from, to);
    let lost_note = || opened(&form("milk", ""));
    let cases = vec![
        ("a note that is not kept", lost_note(), nothing.as_str()),
        ("a name that is not kept", opened(&form("", "fresh")), name.as_str()),
        ("one in the place of the other", opened(&form("milk", "milk")), exchanged.as_str()),
        ("spaces in its place", opened(&form("milk", " ")), nothing.as_str()),
        ("a change that is not kept", changed("Save", &form("bread", "stale")), stale.as_str()),
        ("a change that empties", changed("Save", &form("bread", "")), nothing.as_str()),
        (
            "after the app was left",
            swap(
                lost_note(),
                "> click milk",
                "> home\n@away Home\n> launch\n@ Main Shopping\nlist items\n- bread\n- milk\n> click milk",
            ),
            nothing.as_str(),
        ),
        (
            "another button",
            swap(lost_note(), "Save", "Done"),
            "'Done' was pressed with 'fresh' as 'note', and the form shows nothing there when it is opened again.",
        ),
        (
            "a number",
            swap(lost_note(), "fresh", "125"),
            "'Save' was pressed with '125' as 'note', and the form shows nothing there when it is opened again.",
        ),
        (
            "something else was looked at in between",
            swap(
                lost_note(),
                "> click milk",
                "> click bread\n@ Detail bread\nlabel kind=wheat\n> back\n@ Main Shopping\nlist items\n- bread\n- milk\n> click milk",
            ),
            nothing.as_str(),
        ),
        (
            "a new item of which going back keeps a part",
            swap(lost_note(), "> click Save", "> back"),
            "The form was left with 'fresh' as 'note', and shows nothing there when it is opened again.",
        ),
        (
            "a change that going back does not keep",
            swap(changed("Save", &form("bread", "stale")), "> click Save", "> back"),
            "The form was left with 'fresh' as 'note', and shows 'stale' there when it is opened again.",
        ),
        ("a switch", switched("Save", "off"), ripe),
        (
            "a switch, by the back key",
            swap(switched("Save", "off"), "> click Save", "> back"),
            "The form was left with 'on' as 'Ripe', and shows 'off' there when it is opened again.",
        ),
        (
            "a choice",
            switched("Save", "off")
                .replace("toggle Ripe=off", "spinner size=small")
                .replace("toggle Ripe=on", "spinner size=large")
                .replace("click Ripe", "click size"),
            "'Save' was pressed with 'large' as 'size', and the form shows 'small' there when it is opened again.",
        ),
        (
            "a switch, by the way up",
            switched("Save", "off")
                .replace("@ Edit Item\n", "@ Edit Item\nbar =Navigate up\n")
                .replace("> click Save", "> click Navigate up"),
            "The form was left with 'on' as 'Ripe', and shows 'off' there when it is opened again.",
        ),
        ("a switch of the row that came", unnamed("bread", "Add", "bread new", "new"), ripe),
        (
            "of the first row that came",
            swap(unnamed("bread", "Add", "new", "new"), "list items\n- bread\n", ""),
            ripe,
        ),
        ("of a row that is called otherwise now", unnamed("bread milk", "milk", "bread oat", "oat"), ripe),
        (
            "opened by the menu of its row",
            swap(
                changed("Save", &form("bread", "stale")),
                "> click bread\n",
                "> long bread\n@menu\nlist menu\n- Edit\n> click Edit\n",
            ),
            stale.as_str(),
        ),
        // Innocent.
        ("a number that is asked for each time, by an entry of a menu", asked_each_time(), ""),
        ("another row than the one that came", unnamed("bread", "Add", "bread new", "bread"), ""),
        ("one of two rows that came", unnamed("bread", "Add", "bread new newer", "new"), ""),
        ("a row that came for another one", unnamed("bread milk", "Add", "bread oat", "oat"), ""),
        ("a row that may have been scrolled to", unnamed("bread milk", "milk", "milk oat", "oat"), ""),
        ("a switch that is kept", switched("Save", "on"), ""),
        ("a switch that is cancelled", switched("Cancel", "off"), ""),
        (
            "one of two switches of one name",
            switched("Save", "off").replace("toggle Ripe", "toggle Ripe=off\ntoggle Ripe"),
            "",
        ),
        ("kept", opened(&form("milk", "fresh")), ""),
        ("in capitals", opened(&form("MILK", "Fresh")), ""),
        ("written in another way", opened(&form("milk", "fresh!")), ""),
        ("a number written in another way", swap(opened(&form("milk", "2.50")), "fresh", "2,5"), ""),
        ("left by cancelling", swap(lost_note(), "> click Save", "> click Cancel"), ""),
        (
            "asked on the way",
            swap(lost_note(), "> click Save\n", "> click Save\n@dialog Keep it?\n(No)\n(Yes)\n> click Yes\n"),
            "",
        ),
        (
            "a new form",
            format!("{}{}(Add)\n> click Add\n{}", added("Save"), list("bread milk"), form("", "")),
            "",
        ),
        (
            "another row",
            format!("{}{}> click bread\n{}", added("Save"), list("bread milk"), form("bread", "")),
            "",
        ),
        ("deleted", swap(lost_note(), "Save", "Delete"), ""),
        ("a change that is kept", changed("Save", &form("bread", "fresh")), ""),
        ("a change that is cancelled", changed("Cancel", &form("bread", "stale")), ""),
        ("the form stays", format!("{}{}", added("Save"), form("milk", "")), ""),
        ("what looks for something", swap(lost_note(), "note", "search"), ""),
        ("a row in the form", swap(lost_note(), "(Save)", "list more\n- Save"), ""),
        (
            "a tab of both pages",
            swap(swap(lost_note(), "(Save)", "tab Save"), "- bread\n", "- bread\ntab Save\n"),
            "",
        ),
    ];
    check_each(&SAVING, &cases);
}

#[test]
fn that_going_back_keeps_nothing_is_slight() {
    for (what, trace, slight) in [
        ("saved, but nothing is kept", changed("Save", &form("bread", "stale")), false),
        ("nothing is kept", by_back(changed("Save", &form("bread", "stale"))), true),
        ("a part is kept", by_back(opened(&form("milk", ""))), false),
    ] {
        let broken = Script::read(&trace).broken(&SAVING);
        assert_eq!(broken.iter().map(|broken| broken.slight).collect::<Vec<_>>(), [slight], "{what}");
    }
}

#[test]
fn what_was_kept_is_told_by_field() {
    let held = |trace: &str| Script::read(trace).held(&SAVING).len();
    let sent = "@ Talk milk\nfield message=hi\n(Send)\n> click Send\n@ Talk milk\nfield message=\n(Send)\n";
    for (what, trace, expected) in [
        ("each tells the other; something saves them", opened(&form("milk", "fresh")), 2 + 2),
        ("in capitals", opened(&form("milk", "İSTAVRİT")).replace("fresh", "istavrit"), 2 + 2),
        ("only its name is kept", opened(&form("milk", "old")), 1 + 2),
        ("one that was changed", changed("Save", &form("bread", "fresh")), 1 + 2),
        ("left by the back key", by_back(changed("Save", &form("bread", "fresh"))), 1),
        ("left by the back key, not kept", by_back(changed("Save", &form("bread", "old"))), 0),
        ("what sends it", sent.to_owned(), 1),
    ] {
        assert_eq!(held(&trace), expected, "{what}");
    }
}
