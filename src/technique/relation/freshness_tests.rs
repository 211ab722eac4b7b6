//! What freshness says of single traces; how many it takes to be reported is its claim's.

use super::*;
use crate::relation::script::{Script, check_each};

/// A list with these rows.
fn list(rows: &str) -> String {
    rows.split_whitespace()
        .fold("@ Main Shopping\nlist items\n".to_owned(), |list, row| format!("{list}- {row}\n"))
}

/// The same held across.
fn across(rows: &str) -> String {
    list(rows).replace("@ Main Shopping\n", "@ Main Shopping\nacross\n")
}

fn form(name: &str) -> String {
    format!("@ Edit Item\nfield name={name}\n(Save)\n")
}

/// Adds milk to bread, and comes back to a list that shows this; what follows leads on.
fn added(rows: &str, on: &str) -> String {
    format!(
        "{}(Add)\n> click Add\n{}> edit name: milk\n{}> click Save\n{}{on}",
        list("bread"),
        form(""),
        form("milk"),
        list(rows),
    )
}

/// The same, where another page is opened and left.
fn looked(rows: &str) -> String {
    added("bread", &format!("> click bread\n{}> back\n{}", form("bread"), list(rows)))
}

#[test]
fn what_it_says_and_what_not() {
    let turned = "'milk' was entered, but the list shows it only after the phone was turned.";
    let opened = "'milk' was entered, but the list shows it only after something else was opened.";
    let started = "'milk' was entered, but the list shows it only after the app was started again.";
    let left = "'milk' was entered, but the list shows it only after the app was left and opened again.";
    let both = list("bread milk");
    let empty = "@ Main Shopping\n(Add)\n";
    let first = |on: &str| {
        format!(
            "{empty}> click Add\n{}> edit name: milk\n{}> click Save\n{empty}{on}",
            form(""),
            form("milk")
        )
    };
    let renamed = |name: &str| {
        let opened = format!("{}> click bread\n{}> edit name: milk\n", list("bread eggs"), form("bread"));
        format!("{opened}{}> click Save\n{}> rotate\n{}", form("milk"), list("bread eggs"), across(name))
    };
    let in_place = |pressed: &str, on: &str| {
        let page = |name: &str, rows: &str| format!("{}field name={name}\n(Save)\n(Show)\n", list(rows));
        format!(
            "{}> edit name: milk\n{}> click Save\n{}> {pressed}\n{}{on}",
            page("", "bread"),
            page("milk", "bread"),
            page("", "bread"),
            page("", "bread milk"),
        )
    };
    let cases = vec![
        ("turned", added("bread", &format!("> rotate\n{}", across("bread milk"))), turned),
        ("another page", looked("bread milk"), opened),
        ("started again", added("bread", &format!("> relaunch\n{both}")), started),
        ("left", added("bread", &format!("> home\n@away\n> launch\n{both}")), left),
        ("the first one", first(&format!("> relaunch\n{}", list("milk"))), started),
        ("renamed", renamed("milk eggs"), turned),
        ("inside a longer text", looked("bread milk-2"), opened),
        ("where it was entered", in_place("relaunch", ""), started),
        ("missing twice", added("bread", &format!("> rotate\n{}> rotate\n{both}", across("bread"))), turned),
        ("in another case", looked("bread Milk"), opened),
        (
            "behind a form of another item",
            added("bread", &format!("(Add)\n> click Add\n{}> back\n{both}", form(""))),
            opened,
        ),
        (
            "with the next one, by a dialog",
            added(
                "bread",
                &format!(
                    "(Add)\n> click Add\n@dialog New\nfield name=\n(OK)\n> click OK\n{}",
                    list("bread milk tea")
                ),
            ),
            opened,
        ),
        // Innocent.
        ("at once", added("bread milk", ""), ""),
        ("never", looked("bread"), ""),
        ("another row came", looked("bread eggs"), ""),
        ("a number within another", looked("bread 12125").replace("milk", "125"), ""),
        ("awaited", added("bread", &format!("> wait\n{both}")), ""),
        ("asked for", in_place("click Show", ""), ""),
        ("by a press on the page", added("bread", &format!("(Sort)\n> click Sort\n{both}")), ""),
        (
            "by its menu",
            added("bread", &format!("(More)\n> click More\n@menu\nlist menu\n- Sort\n> click Sort\n{both}")),
            "",
        ),
        ("a part of the list", looked("bread milk").replace("list items\n", "list items...\n"), ""),
        ("another page's list", looked("bread milk").replacen("@ Main Shopping", "@ Main Shops", 2), ""),
        ("loading", added("bread", &format!("loading\n> rotate\n{}", across("bread milk"))), ""),
        (
            "typed again",
            added(
                "bread",
                &format!("> click bread\n{}> edit name: milk\n{}> back\n{both}", form(""), form("milk")),
            ),
            "",
        ),
        ("kept in its form", looked("bread milk").replace("field name=bread", "field name=milk"), ""),
        ("looked for", looked("bread milk").replace("name", "search"), ""),
    ];
    check_each(&FRESHNESS, &cases);
}

/// The claim is about the list, whichever text it is; one that is there at once keeps it.
#[test]
fn one_text_that_shows_at_once_keeps_it() {
    let broken = Script::read(&looked("bread milk")).broken(&FRESHNESS);
    let claim = broken[0].claim.clone().expect("a claim");
    for text in [added("bread milk", ""), added("bread", &format!("> wait\n{}", list("bread milk")))] {
        let held = Script::read(&text).held(&FRESHNESS);
        assert_eq!(held.iter().map(|held| held.about).collect::<Vec<_>>(), [claim.about]);
    }
    let turned =
        added("bread milk", "").replace("> edit name", "> rotate\n@ Edit Item\nfield name=\n> edit name");
    assert!(Script::read(&turned).held(&FRESHNESS).is_empty(), "it was made anew");
}
