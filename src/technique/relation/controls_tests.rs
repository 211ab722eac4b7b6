use super::super::script::{Script, check_each};
use super::CONTROLS;

#[test]
fn a_page_keeps_its_controls() {
    let page = |head: &str, body: &str, last: &str| format!("@ {head}\n{body}\n{last}");
    let rows = "list notes\n- milk";
    let there = |head: &str, body: &str, last: &str| {
        format!("{}\n> wait\n{}", page(head, body, last), page(head, body, ""))
    };
    let broken = [
        (
            "a button",
            there("Main Notes", rows, "(Search)"),
            "'Search' is missing on 'Notes', where it usually is.",
        ),
        (
            "a field",
            there("Main Notes", "(Add)", "field name=x"),
            "'x' is missing on 'Notes', where it usually is.",
        ),
        (
            "a switch",
            there("Main Notes", "(Add)", "(Sync)"),
            "'Sync' is missing on 'Notes', where it usually is.",
        ),
        (
            "a tab",
            there("Main Notes", "tab Inbox*", "(Archive)"),
            "'Archive' is missing on 'Notes', where it usually is.",
        ),
        (
            "on a page without rows",
            there("Main Notes", "label empty=Nothing", "(Add)"),
            "'Add' is missing on 'Notes', where it usually is.",
        ),
        (
            "on a page without a title",
            there("Main", rows, "(Add)"),
            "'Add' is missing on a page, where it usually is.",
        ),
        (
            "in another visit",
            format!(
                "{}\n> click milk\n@ Detail milk\n> back\n{}",
                page("Main Notes", rows, "(Add)"),
                page("Main Notes", rows, "")
            ),
            "'Add' is missing on 'Notes', where it usually is.",
        ),
        (
            "after turning twice",
            format!(
                "{}\n> rotate\n{}\nacross\n> rotate\n{}",
                page("Main Notes", rows, "(Add)"),
                page("Main Notes", rows, "(Add)"),
                page("Main Notes", rows, "")
            ),
            "'Add' is missing on 'Notes', where it usually is.",
        ),
        (
            "whatever the rows are",
            format!(
                "{}\n> wait\n{}",
                page("Main Notes", rows, "(Add)"),
                page("Main Notes", "list notes\n- tea", "")
            ),
            "'Add' is missing on 'Notes', where it usually is.",
        ),
        (
            "whatever the texts are",
            format!(
                "{}\n> wait\n{}",
                page("Edit Note", "field name=a", "(Save)"),
                page("Edit Note", "field name=b", "")
            ),
            "'Save' is missing on 'Note', where it usually is.",
        ),
        (
            "on the page of the same thing",
            format!(
                "{}\n> wait\n{}\n> wait\n{}",
                page("Detail Info", "label name=Ann", "(Call)"),
                page("Detail Info", "label name=Bob", "(Call)"),
                page("Detail Info", "label name=Bob", "")
            ),
            "'Call' is missing on 'Info', where it usually is.",
        ),
        (
            "however many rows a heading counts",
            format!(
                "{}\n> wait\n{}",
                page("Main Alarms", "list alarms\n- # Due (2)\n- tea", "(Stop all)"),
                page("Main Alarms", "list alarms\n- # Due (1)\n- tea", "")
            ),
            "'Stop all' is missing on 'Alarms', where it usually is.",
        ),
        (
            "the second of two",
            there("Main Notes", "list notes\n- milk\n(Add)", "(Sort)"),
            "'Sort' is missing on 'Notes', where it usually is.",
        ),
    ];
    let other = |after: &str| format!("{}\n> wait\n{after}", page("Main Notes", rows, "(Add)"));
    let innocent = [
        ("all are there", other(&page("Main Notes", rows, "(Add)"))),
        ("another stands in its place", other(&page("Main Notes", rows, "(Stop)"))),
        ("a page that is done", other(&page("Main Notes", rows, "label done=Finished"))),
        ("another page", other(&page("Main Archive", rows, ""))),
        (
            "a panel that was opened and closed",
            format!(
                "{}\n> long milk\n{}",
                page("Main Notes", rows, ""),
                other(&page("Main Notes", rows, ""))
            ),
        ),
        (
            "the page of another thing",
            format!(
                "{}\n> wait\n{}",
                page("Detail Info", "label name=Choir", "(Add member)"),
                page("Detail Info", "label name=Ann", "")
            ),
        ),
        (
            "rows under other headings",
            format!(
                "{}\n> wait\n{}",
                page("Main Alarms", "list alarms\n- # Due (2)\n- tea", "(Stop all)"),
                page("Main Alarms", "list alarms\n- # Later (2)\n- tea", "")
            ),
        ),
        (
            "nothing to count",
            format!(
                "{}\n> wait\n{}",
                page("Main Notes", rows, "(badge=2 new)"),
                page("Main Notes", rows, "")
            ),
        ),
        (
            "a picture in a list",
            format!(
                "{}\n> wait\n{}",
                page("Main Notes", "list pictures\n- picture=", "(Add)"),
                page("Main Notes", "list pictures", "(Add)")
            ),
        ),
        ("another activity", other(&page("Trash Notes", rows, ""))),
        ("no rows to act on", other(&page("Main Notes", "label empty=Nothing", ""))),
        ("a search", other(&page("Main Notes", "field search=mi\nlist notes\n- milk", ""))),
        ("it loads", other(&page("Main Notes", rows, "loading"))),
        ("the keyboard is up", other(&page("Main Notes", rows, "keyboard"))),
        ("turned", other(&page("Main Notes", rows, "across"))),
        ("a dialog is above it", other("@dialog Delete?\n(OK)")),
        ("a drawer is above it", other("@ Main Notes\ndrawer\n(Settings)")),
        (
            "a popup that an edge of the screen cuts off, and what it opens",
            format!(
                "{}\n> long milk\n@popup\nlist menu\n- milk\n- Sort\n> click Sort\n@popup\nlist menu\n- By name",
                page("Main", rows, "(Add)")
            ),
        ),
        (
            "another page that the drawer lists",
            format!(
                "@ Main Notes\ndrawer\nlist pages\n- Notes\n- Trash\n> click Notes\n{}\n> wait\n{}",
                page("Main Notes", rows, "(Add)"),
                page("Main Trash", rows, "")
            ),
        ),
        ("a snackbar pushed it away", other(&page("Main Notes", rows, "snack Deleted | Undo"))),
        ("another app", other("@away")),
        ("it never came to rest", other(&page("Main Notes", rows, "restless"))),
        (
            "after scrolling",
            format!("{}\n> scroll\n{}", page("Main Notes", rows, "(Add)"), page("Main Notes", rows, "")),
        ),
        (
            "in another language",
            format!(
                "{}\n> set language de-DE\n{}",
                page("Main Notes", rows, "(Add)"),
                page("Main Notes", rows, "")
            ),
        ),
        (
            "a number in its words",
            format!("{}\n> wait\n{}", page("Main Notes", rows, "(Cart 3)"), page("Main Notes", rows, "")),
        ),
        (
            "something switched off",
            format!(
                "{}\n> wait\n{}",
                page("Main Notes", "toggle Sync=on", "(Sync now)"),
                page("Main Notes", "toggle Sync=off", "")
            ),
        ),
        (
            "an empty field",
            format!(
                "{}\n> wait\n{}",
                page("Edit Note", "field name=a", "(Save)"),
                page("Edit Note", "field name=", "")
            ),
        ),
    ];
    let cases: Vec<(&str, &str, &str)> = broken
        .iter()
        .map(|(name, trace, sentence)| (*name, trace.as_str(), *sentence))
        .chain(innocent.iter().map(|(name, trace)| (*name, trace.as_str(), "")))
        .collect();
    check_each(&CONTROLS, &cases);
}

#[test]
fn a_control_that_is_there_supports_the_claim() {
    let there = Script::read("@ Main Notes\nlabel a=x\n(Add)\n> wait\n@ Main Notes\nlabel a=y\n(Add)");
    let missing = Script::read("@ Main Notes\nlabel a=x\n(Add)\n> wait\n@ Main Notes\nlabel a=x");
    // After a start, and after a while: two situations.
    let [held, again] = &there.held(&CONTROLS)[..] else { panic!("{:?}", there.held(&CONTROLS)) };
    assert!(held.about == again.about && held.object != again.object);
    let [broken] = &missing.broken(&CONTROLS)[..] else { panic!() };
    let claim = broken.claim.as_ref().expect("a claim");
    assert_eq!((claim.about, claim.needed, claim.share), (held.about, 10, 90));
}
