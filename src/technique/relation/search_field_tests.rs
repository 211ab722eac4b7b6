//! What search reports and what it does not.

use super::*;
use crate::relation::script::{Script, check_each};

fn list(rows: &[&str]) -> String {
    let rows: String = rows.iter().map(|row| format!("- {row}\n")).collect();
    if rows.is_empty() {
        "@ Main Shopping\nlabel empty=Nothing found\n".into()
    } else {
        format!("@ Main Shopping\nlist items\n{rows}")
    }
}

const ROWS: [&str; 3] = ["Milk", "Bread rolls", "Eggs"];

#[test]
fn what_it_says_and_what_not() {
    let open = list(&ROWS) + "(Find)\n> click Find\n" + &list(&ROWS) + "field search=\n(Search)\n";
    let typed = |text: &str, rows: &[&str]| {
        format!("{open}> edit search: {text}\n{}field search={text}\n(Search)\n", list(rows))
    };
    let at_once = |text: &str, rows: &[&str]| {
        format!("{}field search=\n> edit search: {text}\n{}field search={text}\n", list(&ROWS), list(rows))
    };
    let entered = |text: &str, rows: &[&str]| {
        format!("{}> enter\n{}field search={text}\n(Search)\n", typed(text, &ROWS), list(rows))
    };
    let pressed = |text: &str, rows: &[&str]| {
        format!("{}> click Search\n{}field search={text}\n(Search)\n", typed(text, &ROWS), list(rows))
    };
    let elsewhere = |text: String| text.replacen("@ Main", "@ Other", 1);
    let dots = |text: String| text.replace("list items", "list items...");
    let milk = "The search for 'Milk' does not find 'Milk', which the page shows.";
    let bread = "The search for 'Bread rolls' does not find 'Bread rolls', which the page shows.";
    let toggled = format!(
        "{}toggle done=off\nfield search=\n> click done\n{}toggle done=on\nfield search=\n> edit search: Milk\n{}toggle done=on\nfield search=Milk\n",
        list(&ROWS),
        list(&["Eggs", "Tea"]),
        list(&[])
    );
    let cases = vec![
        ("nothing found", typed("Milk", &[]), milk),
        ("another row", typed("Milk", &["Eggs"]), milk),
        ("a field that is always there", at_once("Milk", &["Eggs"]), milk),
        (
            "a field whose hint is shown as its text",
            at_once("Milk", &["Eggs"]).replace("field search=\n", "field search=Search lists\n"),
            milk,
        ),
        ("another case", typed("milk", &["Eggs"]), milk),
        ("two words", typed("Bread rolls", &["Milk"]), bread),
        ("by the enter key", entered("Milk", &["Eggs"]), milk),
        ("by the enter key, nothing", entered("Bread rolls", &[]), bread),
        ("by a button", pressed("Milk", &["Bread rolls", "Eggs"]), milk),
        ("by a button, nothing", pressed("Milk", &[]), milk),
        (
            "after turning",
            format!(
                "{open}> rotate\n{}field search=\n(Search)\n> edit search: Milk\n{}field search=Milk\n",
                list(&ROWS),
                list(&["Eggs"])
            ),
            milk,
        ),
        // Innocent.
        (
            "another page came in between",
            list(&ROWS)
                + "(Home)\n> click Home\n"
                + &list(&["Books"])
                + "(Find)\n> click Find\n"
                + &list(&["Books"])
                + "field search=\n(Search)\n> edit search: Milk\n"
                + &list(&[])
                + "field search=Milk\n(Search)\n",
            "",
        ),
        ("found", typed("Milk", &["Milk"]), ""),
        ("found among others", typed("Milk", &["Milk shake", "Milk"]), ""),
        ("found in another case", typed("milk", &["Milk"]), ""),
        ("found by a button", pressed("Milk", &["Milk"]), ""),
        (
            "not started",
            typed("Milk", &ROWS[1..]).replace("- Eggs\nfield search=Milk", "- Eggs\nfield search=Mil"),
            "",
        ),
        ("no row of this label", typed("Mi", &[]), ""),
        (
            "one letter",
            format!("{}field search=\n> edit search: A\n{}field search=A\n", list(&["A", "B"]), list(&["B"])),
            "",
        ),
        ("no search field", at_once("Milk", &["Eggs"]).replace("search", "name"), ""),
        ("the rows of another activity", elsewhere(at_once("Milk", &["Eggs"])), ""),
        ("still loading", typed("Milk", &[]) + "loading", ""),
        ("more below", dots(typed("Milk", &["Eggs", "Tea"])), ""),
        ("something else between", toggled, ""),
        ("nothing has happened yet", typed("Milk", &ROWS), ""),
        (
            "a search that begins empty",
            format!(
                "{}(Find)\n> click Find\n@ Main Search\nfield search=\n> edit search: Milk\n@ Main Search\nfield search=Milk\n",
                list(&ROWS)
            ),
            "",
        ),
        (
            "the field took another text",
            format!("{open}> edit search: Milk\n{}field search=milkmilk\n", list(&[])),
            "",
        ),
    ];
    check_each(&SEARCH, &cases);
}

#[test]
fn that_a_search_finds_rows_of_a_kind_is_a_claim() {
    let page = |rows: &str| format!("@ Main Shopping\nlist items\n{rows}field search=");
    let searched = |label: &str, found: &str| {
        let rows = "- heading=Recent\n- Milk\n- Eggs\n";
        Script::read(&format!("{}\n> edit search: {label}\n{}{label}\n", page(rows), page(found)))
    };
    let (found, lost) = (searched("Milk", "- Milk\n"), searched("Eggs", "- Milk\n"));
    let [held] = &found.held(&SEARCH)[..] else { panic!("{:?}", found.held(&SEARCH)) };
    let [broken] = &lost.broken(&SEARCH)[..] else { panic!("{:?}", lost.broken(&SEARCH)) };
    let claim = broken.claim.as_ref().expect("a claim");
    assert_eq!((claim.about, claim.relation.as_str()), (held.about, held.relation.as_str()));
    assert!(found.broken(&SEARCH).is_empty() && lost.held(&SEARCH).is_empty());
    // In a list of another page, or typed into another field, rows may be of another kind.
    let other = |text: &str| Script::read(&text.replace("list items", "list past"));
    let elsewhere =
        other(&format!("{}\n> edit search: Milk\n{}Milk\n", page("- Milk\n- Tea\n"), page("- Milk\n")));
    assert_ne!(elsewhere.held(&SEARCH).first().map(|held| held.about), Some(held.about));
}
