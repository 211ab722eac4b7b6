//! What removal says of single traces; how many it takes to be reported is its claim's.

use super::*;
use crate::relation::script::{Script, check_each};

const LIST: &str = "@ Main Shopping\nlist items\n- milk | (Delete)\n- bread | (Delete)\n- eggs | (Delete)\n";
const PAGE: &str = "@ Detail milk\nlabel kind=fresh\n(delete=Delete)\n(Share)\n";
const ASKED: &str = "@dialog Delete it?\n(Cancel)\n(OK)\n";

fn without(row: &str) -> String {
    LIST.lines()
        .filter(|line| !line.starts_with(&format!("- {row}")))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Opens the page of milk, deletes there, and comes to the second list.
fn on_its_page(asked: &str, after: &str) -> String {
    format!("{LIST}> click milk\n{PAGE}> click Delete\n{asked}{after}")
}

/// Deletes milk by the button of its row.
fn on_its_row(asked: &str, after: &str) -> String {
    format!("{LIST}> click milk/Delete\n{asked}{after}")
}

#[test]
fn what_it_says_and_what_not() {
    let stays = "'Delete' on 'milk' leaves 'milk' in its list.";
    let gone = without("milk");
    let ok = format!("{ASKED}> click OK\n");
    let said = |word: &str| format!("@dialog Delete it?\n({word})\n(OK)\n> click {word}\n");
    let swap = |from: &str, to: &str| on_its_page(&ok, LIST).replace(from, to);
    let menu = |choice: &str| {
        format!("{LIST}> long milk\n@menu\nlist menu\n- Delete\n- Share\n> click {choice}\n{ok}{LIST}")
    };
    let held = |question: &str, pressed: &str, after: &str| {
        format!(
            "{LIST}> long milk\n@dialog {question}\n(button2=Later)\n(button1=OK)\n> click {pressed}\n{after}"
        )
    };
    let cases = vec![
        ("on its page", on_its_page("", LIST), stays),
        ("asked on its page", on_its_page(&ok, LIST), stays),
        ("by its button", on_its_row(&ok, LIST), stays),
        ("in its menu", menu("Delete"), stays),
        ("another row is gone", on_its_page(&ok, &without("bread")), stays),
        ("other rows have come", on_its_page(&ok, &format!("{LIST}- peas\n")), stays),
        (
            "a German button",
            swap("(delete=Delete)", "(delete=Löschen)").replace("click Delete", "click Löschen"),
            "'Löschen' on 'milk' leaves 'milk' in its list.",
        ),
        ("a picture with a description", swap("(delete=Delete)", "bar delete=Delete"), stays),
        (
            "the page says it elsewhere",
            swap("@ Detail milk\nlabel kind=fresh", "@ Detail Product\nlabel kind=fresh milk"),
            stays,
        ),
        (
            "a field has its name",
            swap("@ Detail milk\nlabel kind=fresh", "@ Detail Edit\nfield name=milk"),
            stays,
        ),
        (
            "looked at something else before",
            swap(
                "> click Delete\n",
                "> click Share\n@menu\nlist menu\n- Mail\n> back\n@ Detail milk\nlabel kind=fresh\n(delete=Delete)\n(Share)\n> click Delete\n",
            ),
            stays,
        ),
        (
            "asked when it is held",
            held("Delete this?", "OK", LIST),
            "'OK' on 'milk' leaves 'milk' in its list.",
        ),
        // Innocent.
        ("gone when it is held", held("Delete this?", "OK", &gone), ""),
        ("refused when it is held", held("Delete this?", "Later", LIST), ""),
        ("asked for something else", held("Share this?", "OK", LIST), ""),
        ("gone", on_its_page(&ok, &gone), ""),
        ("gone from its row", on_its_row(&ok, &gone), ""),
        ("cancelled", on_its_page(&format!("{ASKED}> click Cancel\n"), LIST), ""),
        ("no", on_its_row(&said("No"), LIST), ""),
        ("nein", on_its_row(&said("Nein"), LIST), ""),
        ("left by back", on_its_page(&format!("{ASKED}> back\n"), LIST), ""),
        ("refused", on_its_page("@dialog It is needed\n(OK)\n> click OK\n", LIST), ""),
        ("all of them", on_its_page("@dialog Delete all?\n(Cancel)\n(OK)\n> click OK\n", LIST), ""),
        ("without a question on its row", on_its_row("", LIST), ""),
        ("still on its page", on_its_page(&ok, PAGE), ""),
        ("another choice", menu("Share"), ""),
        ("another row has its label", on_its_page(&ok, LIST).replace("- bread", "- milk"), ""),
        (
            "renamed before",
            swap(
                "@ Detail milk\nlabel kind=fresh\n(delete=Delete)\n(Share)\n",
                "@ Detail milk\nfield name=milk\n(delete=Delete)\n(Share)\n> edit name: oats\n@ Detail milk\nfield name=oats\n(delete=Delete)\n(Share)\n",
            ),
            "",
        ),
        ("a page that does not name it", swap("@ Detail milk", "@ Detail Product"), ""),
        ("another list", on_its_page(&ok, "@ Shops Near\nlist shops\n- milk\n- corner\n"), ""),
        (
            "not touched from the list",
            format!(
                "{LIST}> click bread\n@ Detail bread\n(Next)\n> click Next\n{PAGE}> click Delete\n{LIST}"
            ),
            "",
        ),
    ];
    check_each(&REMOVAL, &cases);
}

/// The claim is about the control and the list, whichever row it is and whatever dialogs ask.
#[test]
fn one_row_that_goes_keeps_it() {
    let broken = Script::read(&on_its_page("", LIST)).broken(&REMOVAL);
    let held = Script::read(&on_its_page(&format!("{ASKED}> click OK\n"), &without("milk"))).held(&REMOVAL);
    let claim = broken[0].claim.clone().expect("a claim");
    assert_eq!(held.iter().map(|held| held.about).collect::<Vec<_>>(), [claim.about]);
}
