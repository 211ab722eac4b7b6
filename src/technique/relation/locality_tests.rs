//! What row locality reports and what it does not.

use super::*;
use crate::relation::script::check;

/// A list of rows with a box, a kind and a button each; a capital letter ticks the box.
fn list(rows: &[&str]) -> String {
    let row = |row: &&str| {
        let (name, kind) = row.split_once('=').unwrap_or((row, "plain"));
        let tick = if name.starts_with(char::is_uppercase) { "[x]" } else { "[ ]" };
        format!("- {} | {kind} | {tick} | (Star)\n", name.to_lowercase())
    };
    format!("@ Main Shopping\nlist items\n{}", rows.iter().map(row).collect::<String>())
}

/// Ticks one row after the other and unticks them again.
fn supported() -> String {
    [
        (list(&["milk", "bread", "eggs", "peas"]), "milk"),
        (list(&["Milk", "bread", "eggs", "peas"]), "bread"),
        (list(&["Milk", "Bread", "eggs", "peas"]), "eggs"),
        (list(&["Milk", "Bread", "Eggs", "peas"]), "milk"),
        (list(&["milk", "Bread", "Eggs", "peas"]), "bread"),
        (list(&["milk", "bread", "Eggs", "peas"]), "eggs"),
    ]
    .map(|(list, row)| format!("{list}> click {row}/check\n"))
    .concat()
    .repeat(2)
}

/// The support, then a touch of the box of `peas` and what follows.
fn then(rows: &[&str]) -> String {
    format!("{}{}> click peas/check\n{}", supported(), list(&["milk", "bread", "eggs", "peas"]), list(rows))
}

#[test]
fn what_it_says_and_what_not() {
    let few = format!(
        "{}> click peas/check\n{}",
        list(&["milk", "bread", "eggs", "peas"]),
        list(&["Milk", "bread", "eggs", "Peas"])
    );
    let star =
        |from: &[&str], row: &str, to: &[&str]| format!("{}> click {row}/Star\n{}", list(from), list(to));
    let stars: String = ["milk", "bread", "eggs"]
        .iter()
        .map(|row| {
            let starred: Vec<String> = ["milk", "bread", "eggs", "peas"]
                .iter()
                .map(|name| if name == row { format!("{name}=star") } else { (*name).to_owned() })
                .collect();
            let starred: Vec<&str> = starred.iter().map(String::as_str).collect();
            format!(
                "{}> click {row}/Star\n{}> click {row}/Star\n",
                list(&["milk", "bread", "eggs", "peas"]),
                list(&starred)
            )
        })
        .collect::<String>()
        .repeat(2);
    let plain = ["milk", "bread", "eggs", "peas"];
    let starred = |to: &[&str]| format!("{stars}{}", star(&plain, "peas", to));
    let menu = |row: &str, to: &[&str]| {
        format!(
            "{}> long {row}\n@menu\nlist menu\n- Delete\n- Mark\n> click Mark\n{}",
            list(&plain),
            list(to)
        )
    };
    let menus: String = [
        ["milk=new", "bread", "eggs", "peas"],
        ["milk", "bread=new", "eggs", "peas"],
        ["milk", "bread", "eggs=new", "peas"],
    ]
    .iter()
    .zip(["milk", "bread", "eggs"])
    .map(|(to, row)| format!("{}> rotate\n", menu(row, to)))
    .collect::<String>()
    .repeat(4);
    let cases = vec![
        (
            "another is ticked, too",
            then(&["milk", "Bread", "eggs", "Peas"]),
            "Ticking 'peas' ticked 'bread', too.",
        ),
        (
            "another is ticked alone",
            then(&["milk", "Bread", "eggs", "peas"]),
            "'check' on 'peas' ticked 'bread'.",
        ),
        (
            "another is changed",
            then(&["milk", "bread=stale", "eggs", "Peas"]),
            "Ticking 'peas' changed 'plain' of 'bread' to 'stale', too.",
        ),
        ("another is gone", then(&["milk", "eggs", "Peas"]), "Ticking 'peas' removed 'bread', too."),
        (
            "all others are ticked",
            then(&["Milk", "Bread", "Eggs", "Peas"]),
            "Ticking 'peas' ticked 'milk', too.",
        ),
        (
            "a star on two rows",
            starred(&["milk", "bread=star", "eggs", "peas=star"]),
            "'Star' on 'peas' changed 'plain' of 'bread' to 'star', too.",
        ),
        (
            "a star takes a row",
            starred(&["milk", "bread", "peas=star"]),
            "'Star' on 'peas' removed 'eggs', too.",
        ),
        (
            "by a menu",
            format!("{menus}{}", menu("peas", &["milk=new", "bread", "eggs", "peas=new"])),
            "'Mark' on 'peas' changed 'plain' of 'milk' to 'new', too.",
        ),
        (
            "by a menu, a row gone",
            format!("{menus}{}", menu("peas", &["milk", "eggs", "peas=new"])),
            "'Mark' on 'peas' removed 'bread', too.",
        ),
        (
            "others move, and one changes",
            then(&["Peas", "eggs=stale", "milk", "bread"]),
            "Ticking 'peas' changed 'plain' of 'eggs' to 'stale', too.",
        ),
        // Innocent.
        ("its own row", then(&["milk", "bread", "eggs", "Peas"]), ""),
        ("others move", then(&["Peas", "eggs", "milk", "bread"]), ""),
        (
            "another loses its box",
            then(&["milk", "bread", "eggs", "Peas"])
                .rsplit_once("- bread | plain | [ ] |")
                .map_or_else(String::new, |(before, after)| format!("{before}- bread | plain |{after}")),
            "",
        ),
        ("its own row goes", then(&["milk", "bread", "eggs"]), ""),
        ("too little support", few, ""),
        ("a count in another row", then(&["milk=3 left", "bread", "eggs", "Peas"]), ""),
        (
            "a mark that moves",
            format!(
                "{stars}{}",
                star(
                    &["milk", "bread=star", "eggs", "peas"],
                    "peas",
                    &["milk", "bread", "eggs", "peas=star"]
                )
            ),
            "",
        ),
        (
            "another page",
            format!(
                "{}{}> click peas/check\n{}",
                supported(),
                list(&plain),
                list(&["Milk"]).replace("Shopping", "Done")
            ),
            "",
        ),
        (
            "another mode",
            format!(
                "{}toggle open=off\n> click peas/check\n{}toggle open=on",
                supported() + &list(&plain),
                list(&["Milk", "Peas"])
            ),
            "",
        ),
        ("nothing happens", then(&plain), ""),
        (
            "rows of one label",
            format!(
                "{}{}> rotate\n{}> click peas/check\n{}",
                supported(),
                list(&plain),
                list(&["milk", "milk", "eggs", "peas"]),
                list(&["milk", "milk=new", "eggs", "Peas"])
            ),
            "",
        ),
        (
            "all are meant",
            format!(
                "{}{}> click peas/check\n@dialog Tick all of them?\n(OK)\n> click OK\n{}",
                supported(),
                list(&plain),
                list(&["Milk", "Bread", "Eggs", "Peas"])
            ),
            "",
        ),
        (
            "a button of no row",
            format!(
                "{}{}(Reset)\n> click Reset\n{}(Reset)",
                supported(),
                list(&plain),
                list(&["Milk", "Bread"])
            ),
            "",
        ),
    ];
    check(&LOCALITY, &cases);
}
