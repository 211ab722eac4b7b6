//! What conservation reports and what it does not.

use super::*;
use crate::relation::script::{Script, check_each};

/// A list with these rows and a button for another.
fn list(rows: &[&str]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("- {row} | (Delete)\n")).collect();
    format!("@ Main Shopping\nlist items\n{}(New)\n", rows.concat())
}

/// Adds a row by a form.
fn add(name: &str) -> String {
    format!(
        "> click New\n@ Edit New item\nfield name=\n(Save)\n\
         > edit name: {name}\n@ Edit New item\nfield name={name}\n(Save)\n> click Save\n"
    )
}

/// A list to which `zucchini` was added, and what comes next.
fn added(then: &str) -> String {
    format!("{}{}{}{then}", list(&["beans", "eggs"]), add("zucchini"), list(&["beans", "zucchini", "eggs"]))
}

#[test]
fn what_it_says_and_what_not() {
    let (all, without) = (list(&["beans", "zucchini", "eggs"]), list(&["beans", "eggs"]));
    let menu = |row: &str, item: &str| {
        format!("> long {row}\n@menu\nlist menu\n- Delete\n- Duplicate\n> click {item}\n")
    };
    let twice = list(&["beans", "zucchini", "eggs", "zucchini"]);
    let history = |rows: &[&str]| {
        list(rows).replace("Main Shopping", "History History").replace("list items", "list past")
    };
    let rename = "> click zucchini\n@ Edit Item\nfield name=zucchini\n(Save)\n\
                  > edit name: aubergine\n@ Edit Item\nfield name=aubergine\n(Save)\n> click Save\n";
    let renamed = list(&["beans", "aubergine", "eggs"]);
    let kinds = |rows: &[&str]| list(rows).replace("list items", "list kinds\n- All\n- Fruit\nlist items");
    let dots = |text: String| text.replace("list items", "list items...");
    let noted = |rows: &[&str]| {
        let rows: Vec<String> = rows.iter().map(|row| format!("- {row}\n")).collect();
        format!("@ Main Shopping\nlist items\n{}(Find)\n", rows.concat())
    };
    let finding = |rows: &[&str]| {
        noted(rows).replace("list items", "field search=\nlist items").replace("Find", "Close")
    };
    // A row is held, which exchanges the bar; another is touched, and the action of the bar pressed; then again.
    let marked = |touch: &str| {
        let mode = |page: &str| format!("{}bar bin=Bin\nbar share=Share\n", page.replace("(New)\n", ""));
        let held = format!("> long beans\n{}", mode(&all));
        let again = format!("> long beans\n{}", mode(&without));
        added(&format!("{held}> {touch}\n{}> click Bin\n{without}{again}", mode(&all)))
            .replace("(New)\n", "(New)\nbar sync=Sync\nbar find=Find\n")
    };
    let only = |row: &str| format!("{}{}{}", list(&[]), add(row), list(&[row]));
    let cases = vec![
        (
            "deleting another row",
            added(&format!("> click beans/Delete\n{}", list(&["eggs"]))),
            "'zucchini' is gone after 'Delete' on 'beans'.",
        ),
        (
            "deleting another row by its menu",
            added(&format!("{}{}", menu("eggs", "Delete"), list(&["beans"]))),
            "'zucchini' is gone after 'Delete' on 'eggs'.",
        ),
        (
            "turning the phone",
            added(&format!("> rotate\n{without}")),
            "'zucchini' is gone after turning the phone.",
        ),
        (
            "starting again",
            added(&format!("> relaunch\n{without}")),
            "'zucchini' is gone after stopping and starting the app.",
        ),
        (
            "coming back from home",
            added(&format!("> home\n@away Home\n> launch\n{without}")),
            "'zucchini' is gone after coming back to the app.",
        ),
        (
            "adding another",
            added(&format!("{}{}", add("radish"), list(&["beans", "eggs", "radish"]))),
            "'zucchini' is gone after clicking 'Save'.",
        ),
        (
            "looking at another",
            added(&format!("> click beans\n@ Edit Item\nfield name=beans\n> back\n{without}")),
            "'zucchini' is gone after clicking 'beans'.",
        ),
        (
            "all is gone",
            added("> click beans/Delete\n@ Main Shopping\nlabel empty=Nothing to buy\n(New)"),
            "'zucchini' is gone after 'Delete' on 'beans'.",
        ),
        (
            "doubled by turning",
            added(&format!("> rotate\n{twice}")),
            "'zucchini' is in the list twice after turning the phone.",
        ),
        (
            "doubled by starting again",
            added(&format!("> relaunch\n{twice}")),
            "'zucchini' is in the list twice after stopping and starting the app.",
        ),
        (
            "a former name",
            added(&format!(
                "> click tab\n{}> back\n{all}{rename}{renamed}> click tab\n{}",
                history(&["zucchini", "radio"]),
                history(&["zucchini", "radio"])
            ))
            .replace("(New)", "(New)\ntab Past"),
            "'zucchini' was renamed to 'aubergine', and the page 'History' still lists 'zucchini'.",
        ),
        (
            "between its neighbours in a list that scrolls",
            dots(added(&format!("> rotate\n{without}"))),
            "'zucchini' is gone after turning the phone.",
        ),
        (
            "the only row, after turning the phone and turning it back",
            format!("{}> rotate\n{}across\n> rotate\n{}", only("zucchini"), list(&[]), list(&[])),
            "'zucchini' is gone after turning the phone.",
        ),
        (
            "another row was marked, and what is done to marked ones shows by a colour alone",
            marked("long eggs"),
            "'zucchini' is gone after clicking 'Bin'.",
        ),
        // Innocent.
        ("it was marked itself", marked("click zucchini"), ""),
        (
            "no row at all while the phone is turned",
            format!("{}> rotate\n{}across\n> rotate\n{}", only("zucchini"), list(&[]), list(&["zucchini"])),
            "",
        ),
        ("something else under the same title", added("> click beans\n@ Main Shopping\n(Rename)\n(Bin)"), ""),
        (
            "a row of another list chooses what is shown",
            format!(
                "{}{}{}> click Fruit\n{}",
                kinds(&["beans", "eggs"]),
                add("zucchini"),
                kinds(&["beans", "zucchini", "eggs"]),
                kinds(&["beans", "eggs"])
            ),
            "",
        ),
        ("it stays", added(&format!("> rotate\n{all}")), ""),
        ("it was deleted", added(&format!("> click zucchini/Delete\n{without}")), ""),
        ("it was deleted by its menu", added(&format!("{}{without}", menu("zucchini", "Delete"))), ""),
        (
            "it was selected, and the action for what is selected was held",
            added(&format!("> long items\n{all}\nacting 1\nbar bin=Bin\n> long Bin\n{without}")),
            "",
        ),
        (
            "a button of the page",
            added(&format!("> click Bought\n{without}")).replace("(New)", "(New)\n(Bought)"),
            "",
        ),
        (
            "a command of the page",
            added(&format!(
                "> click More\n@menu\nlist menu\n- Remove done\n- Sort\n> click Remove done\n{without}"
            ))
            .replace("(New)", "(New)\n(More)"),
            "",
        ),
        (
            "all are to go",
            added(&format!(
                "> click beans/Delete\n@dialog Delete all items?\n(Cancel)\n(OK)\n> click OK\n{without}"
            )),
            "",
        ),
        (
            "another mode",
            added(&format!("> click open\n{without}toggle open=on"))
                .replace("(New)\n>", "(New)\ntoggle open=off\n>"),
            "",
        ),
        (
            "its row is deleted where it does not say all",
            format!(
                "{}> click eggs\n@ Edit Item\nfield note=new\n(Save)\n> edit note: zucchini\n@ Edit Item\nfield \
                 note=zucchini\n(Save)\n> click Save\n{}> click Find\n{}> long eggs\n@menu\nlist menu\n- \
                 Delete\n> click Delete\n@dialog Delete it?\n(button2=No)\n(button1=Yes)\n> click Yes\n{}> click \
                 Close\n{}",
                noted(&["beans | old", "eggs | new"]),
                noted(&["beans | old", "eggs | zucchini"]),
                finding(&["beans", "eggs"]),
                finding(&["beans"]),
                noted(&["beans | old"]),
            ),
            "",
        ),
        (
            "a search",
            added(&format!("> edit search: eg\n{}field search=eg", list(&["eggs"])))
                .replace("(New)\n>", "(New)\nfield search=\n>"),
            "",
        ),
        (
            "another folder",
            added(&format!("> click beans\n{}label path=/beans", list(&["eggs"])))
                .replace("(New)\n>", "(New)\nlabel path=/\n>"),
            "",
        ),
        (
            "a list of the latest two",
            format!(
                "{}{}{}{}{}",
                list(&["eggs", "beans"]),
                add("zucchini"),
                list(&["beans", "zucchini"]),
                add("radish"),
                list(&["radish", "beans"])
            ),
            "",
        ),
        ("out of sight", dots(added(&format!("> scroll items\n{}", list(&["eggs", "peas"])))), ""),
        ("it was renamed", added(&format!("{rename}{renamed}")), ""),
        ("still loading", added(&format!("> rotate\n{without}loading")), ""),
        ("it was doubled on purpose", added(&format!("{}{twice}", menu("zucchini", "Duplicate"))), ""),
        ("the same was typed twice", added(&format!("{}{twice}> rotate\n{twice}", add("zucchini"))), ""),
        (
            "it was cleared on its own page",
            added(&format!(
                "> click zucchini\n@ Edit Item\nfield name=zucchini\n(Bin)\n> click Bin\n{without}"
            )),
            "",
        ),
        (
            "what was typed was there before",
            format!(
                "{}{}{}> rotate\n{}",
                list(&["beans"]),
                add("beans"),
                list(&["beans", "beans"]),
                list(&["beans"])
            ),
            "",
        ),
    ];
    check_each(&CONSERVATION, &cases);
}

#[test]
fn that_a_list_follows_renames_is_a_claim() {
    let history = |row: &str| format!("@ History History\nlist past\n- {row}\n- radio\n(New)\ntab Past\n");
    let (all, renamed) = (list(&["beans", "zucchini", "eggs"]), list(&["beans", "aubergine", "eggs"]));
    let rename = "> click zucchini\n@ Edit Item\nfield name=zucchini\n(Save)\n\
                  > edit name: aubergine\n@ Edit Item\nfield name=aubergine\n(Save)\n> click Save\n";
    let trace = |then: &str| {
        let text = added(&format!(
            "> click tab\n{}> back\n{all}{rename}{renamed}> click tab\n{}",
            history("zucchini"),
            history(then)
        ));
        Script::read(&text.replace("(New)\n", "(New)\ntab Past\n").replace("tab Past\ntab Past", "tab Past"))
    };
    let (follows, keeps) = (trace("aubergine"), trace("zucchini"));
    // The list in which it was renamed keeps what it shows, too.
    let held = follows.held(&CONSERVATION);
    let broken = keeps.broken(&CONSERVATION);
    let claims: Vec<u64> = broken.iter().filter_map(|broken| Some(broken.claim.as_ref()?.about)).collect();
    let [claim] = claims.as_slice() else { panic!("{broken:#?}") };
    assert!(held.iter().any(|held| held.about == *claim), "{held:?}");
    assert!(follows.broken(&CONSERVATION).is_empty());
    assert!(keeps.held(&CONSERVATION).iter().all(|held| held.about != *claim));
}
