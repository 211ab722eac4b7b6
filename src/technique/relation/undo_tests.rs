//! Traces with an undo, and what the relation says of them.

use super::*;
use crate::relation::script::check;

const LIST: &str = "@ Main Shopping\nlist items\n- milk | 2 l\n- bread | wheat\n- eggs | ten";

#[test]
fn what_it_says_and_what_not() {
    let case = |middle: &str, last: &str| {
        format!("{LIST}\n> click bread/bread\n{middle}\n> click snackbar_action\n{last}")
    };
    let gone = "@ Main Shopping\nlist items\n- milk | 2 l\n- eggs | ten\nsnack Deleted | Undo";
    let german = gone.replace("Undo", "Rückgängig");
    let view = gone.replace("Undo", "View");
    let dots = |text: &str| text.replace("list items", "list items...");
    let menu = format!(
        "{LIST}\n> long bread\n@menu\nlist menu\n- Delete\n- Share\n> click Delete\n{gone}\n> click snackbar_action\n"
    );
    let end = "@ Main Shopping\nlist items\n- milk | 2 l\n- eggs | ten\n- bread | wheat";
    let top = "@ Main Shopping\nlist items\n- bread | wheat\n- milk | 2 l\n- eggs | ten";
    let without = "@ Main Shopping\nlist items\n- milk | 2 l\n- eggs | ten";
    let wrong = "@ Main Shopping\nlist items\n- milk | 2 l\n- honey | wheat\n- eggs | ten";
    let detail = "@ Main Shopping\nlist items\n- milk | 2 l\n- bread | rye\n- eggs | ten";
    let ticked = |list: &str| list.replace("| wheat", "| [x] done");
    let open = |list: &str| list.replace("| wheat", "| [ ] done");
    let twice = "@ Main Shopping\nlist items\n- milk | 2 l\n- bread | wheat\n- eggs | ten\n- bread | wheat";
    let order = "'Undo' brought back 'bread' at the end of the list; it had been second.";
    let cases: Vec<(&str, String, &str)> = vec![
        ("at the end", case(gone, end), order),
        (
            "at the top",
            case(gone, top),
            "'Undo' brought back 'bread' at the top of the list; it had been second.",
        ),
        ("through a menu", format!("{menu}{end}"), order),
        ("not at all", case(gone, without), "'Undo' did not bring back 'bread'; it had been second."),
        (
            "not at all, in another language",
            case(&german, without),
            "'Rückgängig' did not bring back 'bread'; it had been second.",
        ),
        (
            "another row",
            case(gone, wrong),
            "'Undo' brought back 'honey' instead of 'bread'; it had been second.",
        ),
        ("another text", case(gone, detail), "'Undo' brought back 'bread' with 'rye' where it had 'wheat'."),
        (
            "a tick lost",
            ticked(&format!("{LIST}\n> click bread\n{gone}\n> click snackbar_action\n")) + &open(LIST),
            "'Undo' brought back 'bread' not ticked; it had been ticked.",
        ),
        ("twice", case(gone, twice), "After 'Undo' 'bread' is in the list 2 times."),
        (
            "after turning",
            format!("{LIST}\n> click bread\n{gone}\n> rotate\n{gone}\n> click snackbar_action\n{end}"),
            order,
        ),
        (
            "in a list that scrolls",
            dots(&case(gone, end)),
            "'Undo' brought back 'bread' as the third of the list; it had been second.",
        ),
        (
            "a count",
            case(gone, &LIST.replace("2 l", "2")).replacen("2 l", "3", 1),
            "'Undo' brought back 'milk' with '2' where it had '3'.",
        ),
        // Innocent.
        ("as it was", case(gone, LIST), ""),
        ("through a menu, as it was", format!("{menu}{LIST}"), ""),
        ("an action that takes nothing back", case(&view, without), ""),
        ("on another page", case(gone, &end.replace("Shopping", "Trash")), ""),
        (
            "raised after another page",
            format!(
                "{LIST}\n> click milk\n@ Detail milk\n(Archive)\n> click Archive\n{gone}\n\
                 > click snackbar_action\n{end}"
            ),
            "",
        ),
        (
            "another event between",
            format!("{LIST}\n> click bread\n{gone}\n> click milk\n{gone}\n> click snackbar_action\n{end}"),
            "",
        ),
        (
            "another mode",
            case(gone, &format!("{end}\ntoggle by name=on")).replacen(
                "list items",
                "toggle by name=off\nlist items",
                1,
            ),
            "",
        ),
        (
            "a clock in the row",
            case(gone, &LIST.replace("wheat", "2 min ago")).replacen("wheat", "just now", 1),
            "",
        ),
        (
            "searching",
            case(gone, &format!("{end}\nfield search=b")).replacen(
                "list items",
                "field search=\nlist items",
                1,
            ),
            "",
        ),
        ("still loading", case(gone, &format!("{without}\nloading")), ""),
        ("a row out of sight", dots(&case(gone, "@ Main Shopping\nlist items\n- milk | 2 l")), ""),
        ("no snackbar", format!("{LIST}\n> click bread\n{without}\n> click eggs\n{end}"), ""),
        (
            "a heading that differs",
            case(gone, &format!("{end}\nlabel day=Tuesday")).replacen(
                "list items",
                "label day=Monday\nlist items",
                1,
            ),
            "",
        ),
    ];
    check(&UNDO, &cases);
}
