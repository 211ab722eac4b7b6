//! What view reports and what it does not.

use super::*;
use crate::relation::script::{Script, check};

const LIST: &str =
    "@ Main Shopping\nlist items\n- milk | fresh\n- bread | wheat\n- eggs | brown\n- peas | green\n";

/// Touches a row, which opens this page, and goes back.
fn visit(row: &str, page: &str) -> String {
    format!("{LIST}> click {row}\n{page}\n> back\n")
}

/// The page of a row.
fn page(title: &str, kind: &str) -> String {
    format!("@ Detail {title}\nlabel kind={kind}\nlabel shop=corner")
}

/// Visits that support what the pages say, five of three rows and more.
fn supported() -> String {
    let rows = [("milk", "fresh"), ("bread", "wheat"), ("eggs", "brown")];
    let visits: Vec<String> = rows.iter().map(|(row, kind)| visit(row, &page(row, kind))).collect();
    visits.concat().repeat(4)
}

#[test]
fn what_it_says_and_what_not() {
    let after = |row: &str, page: &str| format!("{}{}", supported(), visit(row, page));
    let no_label = "Opening 'peas' shows a page that does not say 'peas'.";
    let form = |name: &str, kind: &str| format!("@ Edit Item\nfield name={name}\nfield kind={kind}");
    let forms: Vec<String> = [("milk", "fresh"), ("bread", "wheat"), ("eggs", "brown")]
        .iter()
        .map(|(row, kind)| visit(row, &form(row, kind)))
        .collect();
    let forms = |last: &str| format!("{}{}", forms.concat().repeat(4), visit("peas", last));
    let few = format!(
        "{}{}",
        visit("milk", &page("milk", "fresh")).repeat(2),
        visit("peas", &page("oats", "green"))
    );
    let same = format!(
        "{}{}",
        visit("milk", &page("milk", "fresh")).repeat(9),
        visit("peas", &page("oats", "green"))
    );
    // Each row opens the page of the one after it.
    let next = |rows: &[&str]| {
        let visits = rows.windows(2).map(|pair| visit(pair[0], &page(pair[1], "any")));
        visits.collect::<Vec<_>>().concat()
    };
    let numbers =
        |text: &str| text.replace("fresh", "12 g").replace("wheat", "14 g").replace("brown", "15 g");
    let cases = vec![
        (
            "another row's page",
            after("peas", &page("bread", "green")),
            "Opening 'peas' shows a page that says 'bread' instead.",
        ),
        ("nobody's page", after("peas", &page("oats", "green")), no_label),
        ("no title", after("peas", &page("", "green")), no_label),
        (
            "another kind",
            after("peas", &page("peas", "yellow")),
            "The page of 'peas' does not say 'green', as its row in the list does.",
        ),
        (
            "no kind",
            after("peas", "@ Detail peas\nlabel shop=corner"),
            "The page of 'peas' does not say 'green', as its row in the list does.",
        ),
        (
            "another row's form",
            forms(&form("milk", "green")),
            "Opening 'peas' shows a page that says 'milk' instead.",
        ),
        ("an empty form", forms("@ Edit Item\nfield name=\nfield kind=green"), no_label),
        (
            "another kind in a form",
            forms(&form("peas", "fresh")),
            "The page of 'peas' does not say 'green', as its row in the list does.",
        ),
        (
            "each row the page of the next",
            next(&["milk", "bread", "eggs", "peas"]),
            "Opening 'milk' shows a page that says 'bread' instead.",
        ),
        ("a half of the label", after("peas", &page("pea", "green")), no_label),
        ("before the support", format!("{}{}", visit("peas", &page("oats", "green")), supported()), no_label),
        // Innocent.
        ("its own page", after("peas", &page("peas", "green")), ""),
        ("upper case", after("peas", &page("PEAS", "Green")), ""),
        ("more than the label", after("peas", &page("All about peas", "green")), ""),
        ("two rows the pages of the next", next(&["milk", "bread", "eggs"]), ""),
        ("one row its own page", next(&["milk", "milk", "bread", "eggs", "peas"]), ""),
        ("too few supports", few, ""),
        ("one row only", same, ""),
        (
            "too often otherwise",
            format!("{}{}", supported(), visit("peas", &page("oats", "green")).repeat(3)),
            "",
        ),
        ("still loading", after("peas", "@ Detail Wait\nlabel a=b\nloading"), ""),
        ("nothing there yet", after("peas", "@ Detail Wait"), ""),
        ("another kind of page", after("peas", "@ Shop Corner\nlabel shop=corner"), ""),
        ("a menu", after("peas", "@menu\nlist menu\n- Delete\n- Share"), ""),
        ("another app", after("peas", "@away Home"), ""),
        (
            "numbers change",
            format!("{}{}", numbers(&supported()), numbers(&visit("bread", &page("bread", "13 g")))),
            "",
        ),
        ("below the end of the screen", after("peas", "@ Detail peas\nlist long...\n- a | b"), ""),
        (
            "a button of the row",
            format!(
                "{}{}",
                supported(),
                LIST.replace("green", "green | (Share)")
                    + "> click peas/Share\n@ Detail oats\nlabel kind=red\n"
            ),
            "",
        ),
    ];
    check(&VIEW, &cases);
}

/// A state, the latest message, the next date: what a row sums up need not stand on its page.
#[test]
fn what_a_row_says_besides_its_label_is_slight() {
    for (what, opened, slight) in
        [("the label", page("oats", "green"), false), ("another text", page("peas", "yellow"), true)]
    {
        let broken = Script::read(&format!("{}{}", supported(), visit("peas", &opened))).broken(&VIEW);
        assert_eq!(broken.iter().map(|broken| broken.slight).collect::<Vec<_>>(), [slight], "{what}");
    }
}

#[test]
fn what_a_row_says_twice_is_asked_once() {
    let list = "@ Main Notes\nlist items\n- milk | milk\n- bread | wheat\n";
    let visited = |page: &str| {
        let text = format!("{list}> click milk\n@ Detail {page}\nlabel shop=corner\n> back\n{list}");
        Script::read(&text).said(&VIEW)
    };
    let broken = |said: &[Said]| said.iter().filter(|said| matches!(said, Said::Broken(_))).count();
    assert_eq!(broken(&visited("oats")), 1);
    assert_eq!(broken(&visited("bread")), 2, "by the habit, and as another's page");
    assert_eq!(visited("milk").len(), 2, "it held in both ways");
}
