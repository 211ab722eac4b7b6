use super::super::script::{Script, check_each};
use super::RESPONSE;
use crate::claims::Claims;

/// A page called so with these rows, and more below them.
fn page(title: &str, rows: &[&str], more: &str) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("- {row}")).collect();
    format!("@ Main {title}\nlist items\n{}\n{more}\n", rows.join("\n"))
}

/// The same done on three pages with more and more rows, each of which it leaves as it was.
fn thrice(events: &str, more: &str) -> String {
    let rows = ["milk", "bread", "eggs"];
    let each = (1..=3).map(|count| {
        let page = page("Shop", &rows[..count], more);
        format!("{page}{}{page}", events.replace("PAGE", page.trim()))
    });
    each.collect::<Vec<String>>().join("> wait\n")
}

#[test]
fn what_is_pressed_does_something() {
    let add = "> click Add\n";
    let dialog = |button: &str| {
        format!(
            "> click Add\n@dialog Name\nfield name=\n{button}\n> edit name: x\n@dialog Name\nfield name=x\n{button}\n> \
             click {}\n",
            button.trim_matches(['(', ')']).rsplit('=').next().unwrap_or_default()
        )
    };
    let form = |button: &str| {
        let word = button.trim_matches(['(', ')']);
        let form = |name: &str| format!("@ Edit New\nfield name={name}\n{button}\n");
        format!("> click Add\n{}> edit name: x\n{}> click {word}\n", form(""), form("x"))
    };
    let popup = |word: &str| format!("> click size\n@menu\nlist sizes\n- small\n- large\n> click {word}\n");
    let choice =
        |word: &str| format!("> click Add\n@dialog Sort by\nlist orders\n- Name\n- Date\n> click {word}\n");
    let size = |is: &str| format!("@dialog New\nspinner size={is}\n(OK)\n");
    let size_in_dialog = |word: &str, becomes: &str| {
        format!("> click Add\n{}{}{}> click OK\n", size("medium"), popup(word), size(becomes))
    };
    let menu = "> click More\n@menu\nlist menu\n- Refresh\n- About\n> click Refresh\n";
    let idle = |word: &str| format!("Pressing '{word}' did nothing.");
    let idle_with = |word: &str| format!("Pressing '{word}' did nothing with what was entered.");
    let cases = [
        ("a button", thrice(add, "(Add)"), idle("Add")),
        (
            "what the app's own dialog has to touch",
            thrice(
                "> click Add\n@dialog Day\n(header=Today)\n(button1=OK)\n> click Today\n@dialog \
                 Day\n(header=Today)\n(button1=OK)\n> click OK\n",
                "(Add)",
            ),
            idle("Today"),
        ),
        ("one with an id", thrice(add, "(add=Add)"), idle("Add")),
        ("one in the bar", thrice("> click Find\n", "bar find=Find"), idle("Find")),
        ("an entry of a menu", thrice(menu, "(More)"), idle("Refresh")),
        ("the button of a dialog", thrice(&dialog("(OK)"), "(Add)"), idle_with("OK")),
        ("one that a page has where it is empty", thrice(add, "(Add)\nlabel note=Nothing"), idle("Add")),
        (
            "different rows of one list",
            ["milk", "bread", "eggs"]
                .map(|row| {
                    let page = page("Shop", &["milk", "bread", "eggs"], "");
                    format!("{page}> click {row}\n{page}")
                })
                .join("> wait\n"),
            idle("milk"),
        ),
        (
            "a row that is held",
            format!("{0}> long milk\n{0}", page("Shop", &["milk", "bread", "eggs"], "")),
            "Holding 'milk' did nothing.".into(),
        ),
        (
            "buttons in different rows",
            ["milk", "bread", "eggs"]
                .map(|row| {
                    let page = page("Shop", &["milk | (Go)", "bread | (Go)", "eggs | (Go)"], "");
                    format!("{page}> click {row}/Go\n{page}")
                })
                .join("> wait\n"),
            idle("Go"),
        ),
        (
            "the button that agrees",
            thrice("> click Add\n@dialog Sure\n(button2=No)\n(button1=Yes)\n> click Yes\n", "(Add)"),
            idle("Yes"),
        ),
        ("what is chosen in a drop-down list", thrice(&popup("large"), "spinner size=small"), idle("large")),
        (
            "what is chosen in a drop-down list of a dialog",
            thrice(&size_in_dialog("large", "medium"), "(Add)"),
            idle("large"),
        ),
        ("what is chosen in a dialog", thrice(&choice("Date"), "(Add)"), idle("Date")),
        ("what leaves a form", thrice(&form("(Save)"), "(Add)"), idle_with("Save")),
        (
            "what leaves a form that had a dialog",
            thrice(
                &form("(Save)").replace(
                    "> click Save",
                    "> wait\n@dialog Name\n(OK)\n> back\n@ Edit New\nfield name=x\n(Save)\n> click Save",
                ),
                "(Add)",
            ),
            idle_with("Save"),
        ),
        ("the back key", thrice("> back\n", "(Add)"), "Going back did nothing.".into()),
        (
            "a snackbar goes",
            format!(
                "{}{add}{}> wait\n{}",
                page("Shop", &["x"], "(Add)\nsnack Saved | Undo"),
                page("Shop", &["x"], "(Add)"),
                thrice(add, "(Add)")
            ),
            idle("Add"),
        ),
        (
            "the lab closes a keyboard before",
            thrice("> click Add\nPAGE\nuncovered\n> wait\n", "(Add)")
                .replace("(Add)\n> click", "(Add)\nkeyboard\n> click"),
            idle("Add"),
        ),
        (
            "a dialog closes the keyboard of its page",
            thrice(&dialog("(OK)"), "(Add)").replace("(Add)\n> click", "(Add)\nkeyboard\n> click"),
            idle_with("OK"),
        ),
        (
            "the app was left and come back to with a dialog open",
            thrice(
                &dialog("(OK)")
                    .replace("> edit", "> home\n@away\n> launch\n@dialog Name\nfield name=\n(OK)\n> edit"),
                "(Add)",
            ),
            idle_with("OK"),
        ),
        (
            "a dialog closes on a phone that was turned",
            thrice(&dialog("(OK)"), "(Add)")
                + &format!("> wait\n{}{}", page("Shop", &["tea"], "(Add)"), dialog("(OK)"))
                + &page("Shop", &["tea"], "(Add)\nacross"),
            idle_with("OK"),
        ),
        ("with other things done in between", thrice("> click Add\nPAGE\n> rotate\n", "(Add)"), idle("Add")),
        // Innocent.
        (
            "what did something before",
            format!(
                "{}{add}{}> wait\n{}",
                page("Shop", &["tea"], "(Add)"),
                page("Shop", &["tea", "x"], "(Add)"),
                thrice(add, "(Add)")
            ),
            String::new(),
        ),
        (
            "a toast says what was done",
            thrice("> click Add\nPAGE\ntoast Added\n> wait\n", "(Add)"),
            String::new(),
        ),
        (
            "a page that does not come to rest",
            thrice("> click Add\nPAGE\nrestless\n> wait\n", "(Add)"),
            String::new(),
        ),
        (
            "a page that moves and shows something else",
            thrice("> click Add\nPAGE\n(Flip)\nrestless\n> wait\n", "(Add)"),
            String::new(),
        ),
        ("one that loads", thrice("> click Add\nPAGE\nloading\n> wait\n", "(Add)"), String::new()),
        ("a long press of a button", thrice("> long Add\n", "(Add)"), String::new()),
        (
            "a number that counts on",
            "@ Main Shop\n(Add)\nlabel age=3 s\n> click Add\n@ Main Shop\n(Add)\nlabel age=4 s\n".into(),
            String::new(),
        ),
        (
            "what does something later",
            format!("{}{add}{}", thrice(add, "(Add)"), page("Shop", &["tea", "x"], "(Add)")),
            String::new(),
        ),
        ("what a drop-down list shows already", thrice(&popup("small"), "spinner size=small"), String::new()),
        ("a tab that is chosen", thrice("> click Home\n", "tab Home*"), String::new()),
        (
            "it leads out of the app",
            format!("{}> wait\n{}{add}@away\n", thrice(add, "(Add)"), page("Shop", &["tea"], "(Add)")),
            String::new(),
        ),
        (
            "the keyboard closes",
            thrice("> click Add\n", "(Add)").replace("> click", "keyboard\n> click"),
            String::new(),
        ),
        (
            "a snackbar stands, which may be said again",
            thrice(add, "(Add)\nsnack Saved | Undo"),
            String::new(),
        ),
        ("an empty place for snackbars", thrice(add, "(Add)\n(snackbar_place=)"), idle("Add")),
        (
            "the action of a snackbar",
            thrice("> click snackbar_action\n", "(Add)\nsnack Saved | Undo"),
            idle("Undo"),
        ),
        ("a snackbar is touched", thrice("> click Saved\n", "(Add)\nsnack Saved | Undo"), String::new()),
        ("a field", thrice("> click Ann\n", "field name=Ann"), String::new()),
        (
            "something else that a dialog offers does something",
            format!(
                "{}> wait\n{}{}{}",
                thrice(&choice("Date"), "(Add)"),
                page("Shop", &["tea"], "(Add)"),
                choice("Name"),
                page("Shop", &["tea", "x"], "(Add)")
            ),
            String::new(),
        ),
        (
            "something else that a drop-down list offers does something",
            format!(
                "{}> wait\n{}{}{}",
                thrice(&popup("small"), "spinner size=medium"),
                page("Shop", &["tea"], "spinner size=medium"),
                popup("large"),
                page("Shop", &["tea"], "spinner size=large")
            ),
            String::new(),
        ),
        (
            "something else that a drop-down list of a dialog offers does something",
            format!(
                "{}> wait\n{}{}{}",
                thrice(&size_in_dialog("small", "medium"), "(Add)"),
                page("Shop", &["tea"], "(Add)"),
                size_in_dialog("large", "large"),
                page("Shop", &["tea"], "(Add)")
            ),
            String::new(),
        ),
        (
            "a form refused something before",
            format!(
                "{}> wait\n{}",
                page("Shop", &["tea"], "(Add)")
                    + "> click Add\n@ Edit New\nfield name=\n(Save)\n> click Save\n@ Edit New\nfield \
                       name=\n(Save)\ntoast Fill in the name\n",
                thrice(&form("(Save)"), "(Add)")
            ),
            idle_with("Save"),
        ),
        ("a form is left", thrice(&form("(Cancel)"), "(Add)"), String::new()),
        ("a form is left by its bar", thrice(&form("(Navigate up)"), "(Add)"), String::new()),
        (
            "nothing was entered in a form",
            thrice(
                &form("(Save)").replace("> edit name: x\n@ Edit New\nfield name=x\n(Save)\n", ""),
                "(Add)",
            ),
            String::new(),
        ),
        ("a tab leads from a form to its page", thrice(&form("(Home)"), "(Add)\n(Home)"), String::new()),
        (
            "what leaves a form for elsewhere",
            thrice(&(form("(Save)") + "@ Main Done\n> back\n"), "(Add)"),
            String::new(),
        ),
        ("a dialog is left", thrice(&dialog("(button2=Cancel)"), "(Add)"), String::new()),
        (
            "a dialog is left by a button of its own",
            thrice(&dialog("(cancel=Cancel)"), "(Add)"),
            String::new(),
        ),
        (
            "the button that does not",
            thrice("> click Add\n@dialog Sure\n(button2=No)\n(button1=Yes)\n> click No\n", "(Add)"),
            String::new(),
        ),
        (
            "a dialog that only tells something",
            thrice("> click Add\n@dialog News\n(button1=OK)\n> click OK\n", "(Add)"),
            String::new(),
        ),
        (
            "what the platform's picker has above its days",
            thrice(
                "> click Add\n@dialog Day\n(android:id/date_picker_header_date=Tue, Apr 9)\n(button1=OK)\n> click Tue, \
                 Apr 9\n@dialog Day\n(android:id/date_picker_header_date=Tue, Apr 9)\n(button1=OK)\n> click OK\n",
                "(Add)",
            ),
            String::new(),
        ),
        (
            "nothing was entered in a dialog that another one opened",
            thrice(
                "> click Add\n@dialog What\n(Name)\n> click Name\n@dialog Name\nfield name=Ann\n(OK)\n> click OK\n",
                "(Add)",
            ),
            String::new(),
        ),
        (
            "nothing was entered in a dialog",
            thrice("> click Add\n@dialog Name\nfield name=\n(OK)\n> click OK\n", "(Add)"),
            String::new(),
        ),
        ("a dialog opens", thrice("> click Add\n@dialog Sure\n(No)\n> back\n", "(Add)"), String::new()),
        (
            "the back key in a dialog",
            thrice("> click Add\n@dialog Sure\n(No)\n> back\n@dialog Sure\n(No)\n> click No\n", "(Add)"),
            String::new(),
        ),
        (
            "the back key closes the keyboard",
            thrice("> back\n", "(Add)").replace("> back", "keyboard\n> back"),
            String::new(),
        ),
    ];
    let cases: Vec<(&str, String, &str)> =
        cases.iter().map(|(name, text, expected)| (*name, text.clone(), expected.as_str())).collect();
    check_each(&RESPONSE, &cases);
}

#[test]
fn buttons_are_not_slight_where_toasts_are_told() {
    let row = |row: &str| {
        let page = page("Shop", &["milk", "bread", "eggs"], "");
        format!("{page}> click {row}\n{page}")
    };
    let rows = ["milk", "bread", "eggs"].map(row).join("> wait\n");
    let button = thrice("> click Add\n", "(Add)");
    let told = |text: &str| text.replace("(Add)", "(Add)\nheard");
    let elsewhere = |text: &str| format!("{text}> wait\n{}toast Hello\n", page("Shop", &["tea"], "(Add)"));
    let item = thrice("> click Find\n", "bar item find=Find\nheard");
    let renewing = thrice("> click Refresh\n", "(Refresh)\nheard");
    let picture = thrice("> click map\n", "picture map\nheard");
    let sign = thrice("> click map\n", "sign map place=Rome\nheard");
    let photo = thrice("> click map\n", "photo map\nheard");
    let beside = |keys: &str| thrice("> click Add\n", &format!("(Add)\n{keys}\nheard"));
    let cases = [
        (picture, false),
        (photo, true),
        (sign, true),
        (beside("(1)\n(2)"), true),
        (beside("(1)\n(12)"), false),
        (renewing, true),
        (item, false),
        (rows.clone(), true),
        (told(&rows), true),
        (button.clone(), true),
        (elsewhere(&button), true),
        (told(&button), false),
    ];
    for (text, slight) in cases {
        let broken = Script::read(&text).broken(&RESPONSE);
        assert_eq!(broken.iter().map(|broken| broken.slight).collect::<Vec<_>>(), [slight]);
    }
}

#[test]
fn another_entry_is_another_case() {
    let form = |name: &str| {
        format!(
            "{0}> click Add\n@ Edit New\nfield name=\n(Save)\n> edit name: {name}\n@ Edit New\nfield \
                 name={name}\n(Save)\n> click Save\n{0}",
            page("Shop", &["tea"], "(Add)")
        )
    };
    let notes = |text: &str| {
        let broken = Script::read(text).broken(&RESPONSE);
        let [broken] = broken.as_slice() else { panic!("{text}: {broken:?}") };
        (broken.claim.clone(), broken.widgets.0.iter().map(|note| note.text.clone()).collect::<Vec<_>>())
    };
    let (one, other) = (notes(&form("x")), notes(&form("y")));
    assert_eq!(one.0, other.0, "one claim");
    assert_eq!((one.1, other.1), (vec!["Save".into(), "x".into()], vec!["Save".to_owned(), "y".into()]));
}

#[test]
fn what_responds_refutes_the_claim_wherever_it_does() {
    let add = "> click Add\n";
    let idle = Script::read(&thrice(add, "(Add)")).broken(&RESPONSE);
    let responds =
        format!("{}{add}{}", page("Shop", &["tea"], "(Add)"), page("Shop", &["tea", "x"], "(Add)"));
    let held = Script::read(&responds).held(&RESPONSE);
    let claim = idle.first().and_then(|broken| broken.claim.clone()).expect("a claim");
    assert_eq!(held.iter().map(|held| held.about).collect::<Vec<_>>(), [claim.about]);
}

#[test]
fn what_a_menu_and_a_bar_offer_is_the_same_on_every_page() {
    let pages = |control: &str| {
        let page = |title: &str| format!("@ Main {title}\nlist items\n- tea\n{control}\n");
        let word = control.trim_matches(['(', ')']).rsplit('=').next().unwrap_or_default();
        let dead = page("Shop");
        let idle = format!("{dead}> click {word}\n{dead}");
        let works = format!("{}> click {word}\n@ Main Found\nlabel a=b\n", page("Cart"));
        (idle, works)
    };
    for (what, control, doubted) in [
        ("an action of a bar", "bar item find=Find", true),
        ("a button of each page", "(find=Find)", false),
        ("one without an id", "(Find)", false),
    ] {
        let (idle, works) = pages(control);
        let mut claims = Claims::default();
        let broken = Script::read(&idle).broken(&RESPONSE);
        let claim = broken.first().and_then(|broken| broken.claim.clone()).expect(what);
        (0..3).for_each(|screen| claims.contradict(&claim, "key", screen));
        Script::read(&works).held(&RESPONSE).iter().for_each(|held| claims.hold(held));
        assert_eq!(claims.weigh(&claim).words.contains("on another page"), doubted, "{what}");
    }
}

#[test]
fn a_page_that_always_looks_the_same_needs_fewer_screens() {
    let home = |more: &str| format!("@ Main Home\n(Stats)\n(Work)\n(Body)\n{more}\n");
    let led = |word: &str, more: &str| {
        format!("{}> click {word}\n@ {word} {word}\nlabel a=b\n> back\n", home(more))
    };
    let idle = |more: &str| format!("{0}> click Stats\n{0}", home(more));
    for (what, text, variety) in [
        ("two others do something", led("Work", "") + &led("Body", "") + &idle(""), 2),
        ("also if later", idle("") + "> wait\n" + &led("Work", "") + &led("Body", "") + &home(""), 2),
        (
            "another page has it as well",
            led("Work", "") + &led("Body", "").replace("label a=b", "(Stats)") + &idle(""),
            3,
        ),
        (
            "it says something else at times",
            led("Work", "label sum=1") + &led("Body", "label sum=2") + &idle("label sum=2"),
            3,
        ),
        ("one other does", led("Work", "") + &led("Work", "") + &idle(""), 3),
        ("it has rows", led("Work", "list a\n- b") + &led("Body", "list a\n- b") + &idle("list a\n- b"), 3),
        ("it has a field", led("Work", "field a=b") + &led("Body", "field a=b") + &idle("field a=b"), 3),
    ] {
        let broken = Script::read(&text).broken(&RESPONSE);
        let claims: Vec<_> = broken.iter().filter_map(|broken| broken.claim.as_ref()).collect();
        assert_eq!(claims.iter().map(|claim| claim.variety).collect::<Vec<_>>(), [variety], "{what}");
    }
}
