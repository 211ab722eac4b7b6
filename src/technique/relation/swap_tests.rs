//! What swap reports and what it does not.

use super::*;
use crate::relation::script::check;

/// A list of rows with a box and a picture each; a capital letter ticks the box, `-` leaves the picture out.
fn list(rows: &[&str]) -> String {
    let row = |row: &&str| {
        let name = row.trim_end_matches('-');
        let tick = if name.starts_with(char::is_uppercase) { "[x]" } else { "[ ]" };
        let name = name.to_lowercase();
        let picture = if row.ends_with('-') { String::new() } else { format!(" | photo=Picture of {name}") };
        format!("- {name} | {tick}{picture} | (Delete)\n")
    };
    format!("@ Main Shopping\nlist items\n{}", rows.iter().map(row).collect::<String>())
}

const ROWS: [&str; 4] = ["milk", "bread", "eggs", "peas"];

#[test]
fn what_it_says_and_what_not() {
    let ask = |row: &str, to: &[&str]| {
        format!(
            "{}> click {row}/Delete\n@dialog Delete {row}?\n(Cancel)\n(OK)\n> click OK\n{}",
            list(&ROWS),
            list(to)
        )
    };
    let asked_of = |text: &str, to: &[&str]| {
        format!(
            "{}> click milk/Delete\n@dialog Delete?\nlabel message={text}\n(Cancel)\n(OK)\n> click OK\n{}",
            list(&ROWS),
            list(to)
        )
    };
    let menu = |row: &str, to: &[&str]| {
        format!(
            "{}> long {row}\n@menu\nlist menu\n- Delete\n- Share\n> click Delete\n{}",
            list(&ROWS),
            list(to)
        )
    };
    let rename = |row: &str, to: &[&str]| {
        format!(
            "{}> long {row}\n@menu\nlist menu\n- Delete\n- Rename\n> click Rename\n@dialog Rename\nfield name={row}\n(OK)\n\
             > edit name: beans\n@dialog Rename\nfield name=beans\n(OK)\n> click OK\n{}",
            list(&ROWS),
            list(to)
        )
    };
    let tick = |row: &str, to: &[&str]| format!("{}> click {row}/check\n{}", list(&ROWS), list(to));
    // Five cases with three rows carry a claim here.
    let others = [
        ("bread", ["milk", "eggs", "peas"]),
        ("eggs", ["milk", "bread", "peas"]),
        ("peas", ["milk", "bread", "eggs"]),
        ("bread", ["milk", "eggs", "peas"]),
        ("eggs", ["milk", "bread", "peas"]),
    ];
    let own = others.map(|(row, to)| menu(row, &to) + "> rotate\n").concat();
    let direct = |row: &str, to: &[&str]| format!("{}> click {row}/Delete\n{}", list(&ROWS), list(to));
    let removed = others.map(|(row, to)| direct(row, &to) + "> rotate\n").concat();
    let dots = |text: String| text.replace("list items", "list items...");
    let choice = format!(
        "{}> click milk/Delete\n@dialog Merge milk with\nlist choices\n- bread\n- eggs\n> click bread\n{}",
        list(&ROWS),
        list(&["milk", "eggs", "peas"])
    );
    let cases = vec![
        (
            "a dialog that names a row",
            ask("milk", &["milk", "eggs", "peas"]),
            "'OK' on 'milk' removed 'bread' instead.",
        ),
        ("the last row", ask("milk", &["milk", "bread", "eggs"]), "'OK' on 'milk' removed 'peas' instead."),
        (
            "named in the message",
            asked_of("milk will be deleted", &["milk", "bread", "peas"]),
            "'OK' on 'milk' removed 'eggs' instead.",
        ),
        (
            "a menu that struck its own row before",
            own.clone() + &menu("milk", &["milk", "bread", "peas"]),
            "'Delete' on 'milk' removed 'eggs' instead.",
        ),
        (
            "a menu that strikes its own row later",
            menu("milk", &["milk", "bread", "peas"]) + "> rotate\n" + &own,
            "'Delete' on 'milk' removed 'eggs' instead.",
        ),
        (
            "a button that struck its own row before",
            removed.clone() + &direct("milk", &["milk", "bread", "peas"]),
            "'Delete' on 'milk' removed 'eggs' instead.",
        ),
        (
            "the box of another row",
            tick("milk", &["milk", "Bread", "eggs", "peas"]),
            "Touching the box of 'milk' ticked 'bread' instead.",
        ),
        (
            "a picture of another row",
            ask("milk", &["milk", "bread", "eggs-", "peas"]),
            "'OK' on 'milk' removed 'Picture of eggs' of 'eggs' instead.",
        ),
        (
            "between neighbours in a list that scrolls",
            dots(ask("milk", &["milk", "eggs", "peas"])),
            "'OK' on 'milk' removed 'bread' instead.",
        ),
        (
            "moved and struck another",
            ask("milk", &["peas", "milk", "eggs"]),
            "'OK' on 'milk' removed 'bread' instead.",
        ),
        (
            "renaming another",
            rename("milk", &["milk", "beans", "eggs", "peas"]),
            "'OK' on 'milk' renamed 'bread' to 'beans' instead.",
        ),
        // Innocent.
        ("its own row", ask("milk", &["bread", "eggs", "peas"]), ""),
        ("its own picture", ask("milk", &["milk-", "bread", "eggs", "peas"]), ""),
        ("its own name", rename("milk", &["beans", "bread", "eggs", "peas"]), ""),
        ("its own box", tick("milk", &["Milk", "bread", "eggs", "peas"]), ""),
        ("cancelled", ask("milk", &ROWS), ""),
        ("a menu that was never seen to strike", menu("milk", &["milk", "bread", "peas"]), ""),
        ("a button that was never seen to strike", direct("milk", &["milk", "bread", "peas"]), ""),
        ("the other row was chosen", choice, ""),
        ("one comes, one goes", ask("milk", &["milk", "bread", "eggs", "rice"]), ""),
        ("all are meant", asked_of("milk and all others go", &["milk"]), ""),
        ("two go", ask("milk", &["milk", "peas"]), ""),
        ("rows of one label", ask("milk", &["milk", "eggs", "peas"]).replace("- bread", "- milk"), ""),
        (
            "another page",
            format!(
                "{}> click milk/Delete\n@dialog Delete milk?\n(OK)\n> click OK\n{}",
                list(&ROWS),
                list(&["milk", "eggs"]).replace("Shopping", "Trash")
            ),
            "",
        ),
        ("out of sight", dots(ask("milk", &["milk", "bread", "eggs"])), ""),
    ];
    check(&SWAP, &cases);
}
