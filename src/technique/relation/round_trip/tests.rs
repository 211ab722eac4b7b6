//! Neutral insertion on traces of a few lines.

use std::collections::BTreeSet;

use super::super::Break;
use super::super::script::{Script, check_each};
use super::NEUTRAL;
use crate::claims::Kind;

/// A page before and after the events, which lead over the same page.
fn around(page: &str, events: &str, after: &str) -> String {
    let steps: Vec<String> = events.split(", ").map(|event| format!("> {event}\n")).collect();
    let (last, rest) = steps.split_last().expect("events");
    let between: String = rest
        .iter()
        .map(|step| format!("{step}{}\n", if step.contains("home") { "@away" } else { page }))
        .collect();
    format!("{page}\n{between}{last}{after}")
}

/// The same after 'tea' was entered elsewhere.
fn entered(page: &str, events: &str, after: &str) -> String {
    let form = |text: &str| format!("@ Edit New note\nfield title={text}\n(Save)\n");
    format!("{}> edit title: tea\n{}> click Save\n{}", form(""), form("tea"), around(page, events, after))
}

const NOTES: &str = "@ Main Notes\nlist notes\n- milk | fresh\n- bread | old";

#[test]
fn what_people_left_is_there_when_they_come_back() {
    let typed = "@ Edit New note\nfield title=\n> edit title: milk\n@ Edit New note\nfield title=milk";
    let form = "@ Edit New note\nfield title=milk";
    let blank = "@ Edit New note\nfield title=";
    let dialog = "@ Main Notes\nlist notes\n- milk\n> long milk\n@dialog Delete note?\n(OK)";
    let tabs = "@ Main Notes\ntab Inbox\ntab Archive*";
    let settings = "@ Settings Settings\ntoggle Sync=on\nspinner sort=Date";
    let scrolled = "@ Main Notes\nlist notes...\n- c\n- d\n- e";
    let broken = [
        (
            "a text on turning",
            format!("{typed}\n> rotate\n{blank}\n> rotate\n{blank}"),
            "After turning the phone the text typed into 'title' is gone.",
        ),
        (
            "a text that the app had put there",
            around(form, "rotate, rotate", blank),
            "After turning the phone twice the text in 'title' is gone.",
        ),
        (
            "another text",
            around(form, "lock, unlock", "@ Edit New note\nfield title=bread"),
            "After locking and unlocking the phone 'title' shows 'bread' instead of 'milk'.",
        ),
        (
            "a half-written note after the end of the process",
            format!("{typed}\n> home\n@away\n> kill\n@away\n> launch\n{blank}"),
            "After the system ended the app in the background and it was opened again, the text typed into 'title' is gone.",
        ),
        (
            "a dialog",
            format!(
                "{dialog}\n> rotate\n@ Main Notes\nlist notes\n- milk\n> rotate\n@ Main Notes\nlist notes\n- milk"
            ),
            "After turning the phone the dialog 'Delete note?' is gone.",
        ),
        (
            "a text on turning once",
            format!("{typed}\n> rotate\n{blank}"),
            "After turning the phone the text typed into 'title' is gone.",
        ),
        (
            "another text on turning once",
            format!("{typed}\n> rotate\n@ Edit New note\nfield title=bread"),
            "After turning the phone 'title' shows 'bread' instead of 'milk'.",
        ),
        (
            "a text that only the second turn takes",
            format!("{typed}\n> rotate\n@ Edit New note\nfield title=milk\n> rotate\n{blank}"),
            "After turning the phone twice the text typed into 'title' is gone.",
        ),
        (
            "a dialog on turning once",
            format!("{dialog}\n> rotate\n@ Main Notes\nlist notes\n- milk"),
            "After turning the phone the dialog 'Delete note?' is gone.",
        ),
        (
            "a dialog that nobody asked for",
            around(NOTES, "rotate, rotate", "@dialog Delete note?\n(OK)"),
            "After turning the phone twice the dialog 'Delete note?' is there that was not.",
        ),
        (
            "a list that a change of language empties",
            around(NOTES, "set language de-DE, set language en-US", "@ Main Notes\nlist notes"),
            "After changing the language and changing it back the list is empty, which had 2 rows.",
        ),
        (
            "a row",
            around(NOTES, "home, launch", "@ Main Notes\nlist notes\n- milk | fresh"),
            "After going to the home screen and coming back 'bread' is gone from the list.",
        ),
        (
            "a row that is there twice",
            around(
                NOTES,
                "home, launch",
                "@ Main Notes\nlist notes\n- milk | fresh\n- milk | fresh\n- bread | old",
            ),
            "After going to the home screen and coming back 'milk' is in the list once more.",
        ),
        (
            "a row that was entered, and comes up late",
            entered(
                "@ Main Notes\nlist notes\n- milk",
                "rotate, rotate",
                "@ Main Notes\nlist notes\n- tea\n- milk",
            ),
            "After turning the phone twice 'tea' is in the list, where it was missing.",
        ),
        (
            "the only row",
            entered("@ Main Notes\nlist notes", "home, launch", "@ Main Notes\nlist notes\n- tea"),
            "After going to the home screen and coming back 'tea' is in the list, where it was missing.",
        ),
        (
            "another order",
            around(NOTES, "set dark on, set dark", "@ Main Notes\nlist notes\n- bread | old\n- milk | fresh"),
            "After switching the dark theme on and off 'milk' is second in the list; it had been first.",
        ),
        (
            "what a row says",
            around(NOTES, "rotate, rotate", "@ Main Notes\nlist notes\n- milk | old\n- bread | old"),
            "After turning the phone twice 'milk' says 'old', not 'fresh' as before.",
        ),
        (
            "a tick",
            around(
                "@ Main Notes\nlist notes\n- milk | [x] bought\n- tea | [ ] bought",
                "sleep, wake",
                "@ Main Notes\nlist notes\n- milk | [ ] bought\n- tea | [ ] bought",
            ),
            "After turning the screen off and on 'milk' is no longer ticked.",
        ),
        (
            "a tab",
            around(tabs, "rotate, rotate", "@ Main Notes\ntab Inbox*\ntab Archive"),
            "After turning the phone twice 'Archive' is no longer selected.",
        ),
        (
            "a switch",
            around(settings, "rotate, rotate", "@ Settings Settings\ntoggle Sync=off\nspinner sort=Date"),
            "After turning the phone twice 'Sync' is no longer switched on.",
        ),
        (
            "what was chosen",
            around(
                settings,
                "set font-size 1.3, set font-size 1.0",
                "@ Settings Settings\ntoggle Sync=on\nspinner sort=Name",
            ),
            "After changing the font size and changing it back 'sort' shows 'Name' instead of 'Date'.",
        ),
        (
            "a selection",
            around(
                "@ Main 1 selected\nlist notes\n- milk*\n- tea",
                "rotate, rotate",
                "@ Main 1 selected\nlist notes\n- milk\n- tea",
            ),
            "After turning the phone twice 'milk' is no longer selected.",
        ),
        (
            "a mode that only the title tells",
            around(
                "@ Main 1 selected\nlist notes\n- milk",
                "rotate, rotate",
                "@ Main Notes\nlist notes\n- milk",
            ),
            "After turning the phone twice the page '1 selected' is gone, and 'Notes' is there.",
        ),
        (
            "a page that is called after what it no longer holds",
            around("@ Edit New note\nfield body=milk", "sleep, wake", "@ Edit Edit: milk\nfield body="),
            "After turning the screen off and on the page 'New note' is gone, and 'Edit: milk' is there.",
        ),
        (
            "a page",
            around(blank, "sleep, wake", NOTES),
            "After turning the screen off and on the page 'New note' is gone, and 'Notes' is there.",
        ),
        (
            "a row beside the opened one",
            format!(
                "{NOTES}\n> click milk\n@ Detail milk\nlabel body=milk\n> back\n@ Main Notes\nlist notes\n- milk | fresh"
            ),
            "After opening 'milk' and going back 'bread' is gone from the list.",
        ),
        (
            "words that were there for some time",
            format!(
                "@ Main Notes\nlabel hint=Welcome\n> wait\n{0}",
                around("@ Main Notes\nlabel hint=Welcome", "rotate, rotate", "@ Main Notes")
            ),
            "After turning the phone twice the words 'Welcome' are gone.",
        ),
        (
            "the place in a list",
            around(scrolled, "rotate, rotate", "@ Main Notes\nlist notes...\n- a\n- b\n- c"),
            "After turning the phone twice the list begins with 'a', not with 'c' as before.",
        ),
        (
            "the cursor",
            around(
                "@ Edit New note\nfield* title=\nfield body=",
                "rotate, rotate",
                "@ Edit New note\nfield title=\nfield body=",
            ),
            "After turning the phone twice the cursor is no longer in 'title'.",
        ),
    ];
    let menu = format!("{NOTES}\n> long milk\n@menu\nlist menu\n- Delete");
    let innocent = [
        ("a count in a title", around("@ Main Inbox (3)", "rotate, rotate", "@ Main Inbox (4)")),
        (
            "a field without a name, on a page that scrolls",
            around(
                "@ Edit New note\nscrolling\nfield =milk\nfield =bread",
                "rotate, rotate",
                "@ Edit New note\nscrolling\nfield =bread\nfield =eggs",
            ),
        ),
        ("nothing is lost", around(NOTES, "rotate, rotate", NOTES)),
        (
            "a row that nobody entered comes up",
            around("@ Main Notes\nlist notes\n- milk", "rotate, rotate", "@ Main Notes\nlist notes\n- tea\n- milk"),
        ),
        (
            "what was entered stands in one of two lists of one name",
            entered(
                "@ Main Notes\nlist notes\n- tea\n- milk\nlist notes\n- bread\n- jam",
                "rotate, rotate",
                "@ Main Notes\nlist notes\n- tea\n- milk",
            ),
        ),
        (
            "what was entered may have been out of view",
            entered(
                "@ Main Notes\nlist notes...\n- milk\n- bread",
                "rotate, rotate",
                "@ Main Notes\nlist notes...\n- milk\n- bread\n- tea",
            ),
        ),
        (
            "less of a list is in view",
            around(
                "@ Main Notes\nlist notes...\n- a\n- b\n- c",
                "rotate, rotate",
                "@ Main Notes\nlist notes...\n- a\n- b",
            ),
        ),
        ("a menu", format!("{menu}\n> rotate\n{NOTES}\n> rotate\n{NOTES}")),
        ("a snackbar", around(&format!("{NOTES}\nsnack Note deleted | Undo"), "rotate, rotate", NOTES)),
        ("an open drawer", around("@ Main Notes\ndrawer\n(Settings)", "rotate, rotate", NOTES)),
        ("the keyboard", around("@ Edit New note\nfield title=milk\nkeyboard", "rotate, rotate", form)),
        (
            "the clock",
            around(
                "@ Main Notes\nlabel time=12:05\nlist notes\n- milk | 2 min ago",
                "rotate, rotate",
                "@ Main Notes\nlabel time=12:06\nlist notes\n- milk | 3 min ago",
            ),
        ),
        (
            "a row named by the clock",
            around("@ Main Log\nlist log\n- 12:05", "lock, unlock", "@ Main Log\nlist log\n- 12:06"),
        ),
        (
            "news that came in the meantime",
            around(NOTES, "home, launch", "@ Main Notes\nlist notes\n- tea | fresh\n- milk | fresh"),
        ),
        ("a question on return", around(NOTES, "home, launch", "@dialog Rate this app?\n(OK)")),
        (
            "the row that was opened, and is done with",
            format!(
                "{NOTES}\n> click milk\n@ Detail milk\nlabel body=milk\n> back\n@ Main Notes\nlist notes\n- bread | old"
            ),
        ),
        (
            "what was opened stands first from then on",
            format!(
                "{NOTES}\n> click bread\n@ Detail bread\nlabel body=bread\n> back\n@ Main Notes\nlist notes\n- bread | old\n- milk | fresh"
            ),
        ),
        ("another page is behind", format!("{blank}\n> click title\n{NOTES}\n> back\n@ Main Archive")),
        ("turned once, and the text is the app's own", format!("{form}\n> rotate\n{blank}")),
        ("turned once, and the field is not shown across", format!("{typed}\n> rotate\n@ Edit New note")),
        (
            "turned once, and one of two fields of one name is not shown across",
            format!(
                "@ Edit New note\nfield line=\nfield line=\n> edit line: milk\n@ Edit New note\nfield line=milk\nfield line=\n> rotate\n{}",
                "@ Edit New note\nfield line="
            ),
        ),
        ("turned once, and a row is out of view", format!("{NOTES}\n> rotate\n@ Main Notes\nlist notes\n- milk | fresh")),
        ("turned once, and another page is there", format!("{typed}\n> rotate\n@ Edit Notes\nfield title=")),
        (
            "turned once with a dialog, and another page is there",
            format!("{dialog}\n> rotate\n@ Main Archive\nlabel note=Nothing"),
        ),
        (
            "turned again and again, and the dialog fills the screen each second time",
            format!("{dialog}{0}\n> rotate\n@dialog Delete note?\n(OK){0}", "\n> rotate\n@ Main Delete note?\n(OK)"),
        ),
        (
            "turned once, and the dialog fills the screen",
            format!("{dialog}\n> rotate\n@ Main Delete note?\n(OK)"),
        ),
        (
            "something was done in between",
            format!(
                "{NOTES}\n> rotate\n{NOTES}\n> click milk\n@ Detail milk\n> rotate\n@ Detail milk\n> rotate\n@ Detail milk"
            ),
        ),
        (
            "a page that is called after what was typed and saved",
            around("@ Edit New note\nfield body=milk", "home, launch", "@ Edit Edit: milk\nfield body=milk"),
        ),
        (
            "what was opened out of a popup",
            "@ Main Notes\n(New)\n> long New\n@popup\nlist menu\n- Note\n- Open\n> click Open\n@ Edit New note\nfield body=\n> back\n@ Main Notes\nlist menu\n(New)".into(),
        ),
        (
            "a popup that an edge of the screen cuts off, and that closes",
            "@ Main Notes\n(New)\n> long New\n@popup\nlist menu\n- Note\n- Open\n> home\n@away\n> launch\n@ Main Notes\nlist menu\n(New)".into(),
        ),
        ("it is still loading", around(NOTES, "rotate, rotate", "@ Main Notes\nlist notes\nloading")),
        ("it never came to rest", around(NOTES, "rotate, rotate", "@ Main Notes\nlist notes\nrestless")),
        (
            "something had to be answered",
            around(NOTES, "rotate, rotate", "@ Main Notes\nlist notes\nanswered"),
        ),
        ("another app is in front", around(NOTES, "home, launch", "@away")),
        (
            "a setting that is not changed back",
            around(
                &format!("{NOTES}\n> set language en-US\n{NOTES}"),
                "set language de-DE, set language fr-FR",
                "@ Main Notes\nlist notes",
            ),
        ),
        (
            "a date that a field shows",
            around("@ Edit New note\nfield due=12:05", "rotate, rotate", "@ Edit New note\nfield due=12:06"),
        ),
        (
            "a count",
            around("@ Main Notes\nlabel sum=3 notes", "rotate, rotate", "@ Main Notes\nlabel sum=4 notes"),
        ),
        (
            "a message of the last event",
            format!(
                "@ Main Notes\n> wait\n{}",
                around("@ Main Notes\nlabel error=Too long", "home, launch", "@ Main Notes")
            ),
        ),
    ];
    let cases: Vec<(&str, &str, &str)> = broken
        .iter()
        .map(|(name, trace, sentence)| (*name, trace.as_str(), *sentence))
        .chain(innocent.iter().map(|(name, trace)| (*name, trace.as_str(), "")))
        .collect();
    check_each(&NEUTRAL, &cases);
}

#[test]
fn what_apps_may_choose_is_slight() {
    let form = "@ Edit New note\nfield title=milk\n(Add)";
    let used = format!(
        "{form}\n> click Add\n@ Detail milk\nlabel body=milk\n> back\n@ Edit New note\nfield title=\n(Add)"
    );
    let scrolled = "@ Main Notes\nlist notes...\n- c\n- d";
    let other = "@ Main Notes\nlist notes...\n- a\n- b\n- c";
    for (what, trace, slight) in [
        ("a text that was used", used, true),
        ("a place in a list", around(scrolled, "rotate, rotate", other), true),
        (
            "rows that came over the network",
            around(NOTES, "set network off, set network on", "@ Main Notes\nlist notes"),
            true,
        ),
        ("a text", around(form, "rotate, rotate", "@ Edit New note\nfield title=\n(Add)"), false),
    ] {
        let broken = Script::read(&trace).broken(&NEUTRAL);
        let told: Vec<bool> = broken.iter().map(|broken| broken.slight).collect();
        assert_eq!(told, [slight], "{what}: {broken:#?}");
    }
}

fn rests_on_a_habit(broken: &Break) -> bool {
    broken.claim.as_ref().is_some_and(|claim| Kind::of(claim) == Kind::Habit)
}

#[test]
fn that_pages_stay_is_a_claim() {
    let edit = "@ Edit New note\nfield title=";
    let trail = |after: &str| format!("{NOTES}\n> click milk\n{}", around(edit, "home, launch", after));
    let (kept, lost) = (Script::read(&trail(edit)), Script::read(&trail(NOTES)));
    // That the page stays, and that nothing of it is lost.
    let held = kept.held(&NEUTRAL);
    assert_eq!(kept.broken(&NEUTRAL), []);
    let [broken] = &lost.broken(&NEUTRAL)[..] else { panic!("{:?}", lost.broken(&NEUTRAL)) };
    let claim = broken.claim.as_ref().expect("a claim");
    assert_eq!(held.len(), 2);
    assert!(held.iter().any(|held| held.about == claim.about), "{held:?}");
    assert!(lost.held(&NEUTRAL).is_empty());
    // Turning needs no support: no app begins anew because of it.
    let turned = Script::read(&format!("{NOTES}\n> click milk\n{}", around(edit, "rotate, rotate", NOTES)));
    assert!(!turned.broken(&NEUTRAL).iter().any(rests_on_a_habit));
    // But a page that was turned before and stayed may be one that is left by itself after a while.
    let stays = Script::read(&format!("{NOTES}\n> click milk\n{}", around(edit, "rotate, rotate", edit)));
    let claim = turned.broken(&NEUTRAL).first().and_then(|broken| broken.claim.clone()).expect("a claim");
    assert!(stays.held(&NEUTRAL).iter().any(|held| held.about == claim.about));
}

#[test]
fn keys_hold_nothing_that_was_typed() {
    let typed = |text: &str| {
        format!(
            "@ Edit {text}\nfield title=\n> edit title: {text}\n@ Edit {text}\nfield title={text}\n> rotate\n@ Edit {text}\nfield title=\n> rotate\n@ Edit {text}\nfield title="
        )
    };
    let key = |text: &str| {
        let broken = Script::read(&typed(text)).broken(&NEUTRAL);
        let keys =
            broken.into_iter().map(|broken| (broken.page, broken.list, broken.event.name(), broken.what));
        keys.collect::<BTreeSet<_>>()
    };
    assert_eq!(key("milk"), key("bread"));
    assert_eq!(key("milk").len(), 1, "of one turn and of two");
}

#[test]
fn that_rows_nobody_entered_stay_while_the_app_is_away_is_a_claim() {
    let away = |after: &str| Script::read(&around(NOTES, "home, launch", after));
    let kept = away(NOTES).held(&NEUTRAL);
    let gone = away("@ Main Notes\nlist notes\n- bread | old").broken(&NEUTRAL);
    let claims: Vec<Option<u64>> = gone.iter().map(|b| b.claim.as_ref().map(|claim| claim.about)).collect();
    assert_eq!(claims.len(), 1, "{gone:#?}");
    assert!(kept.iter().any(|held| claims == [Some(held.about)]), "{kept:?}");
    assert!(gone.iter().all(rests_on_a_habit));
    // Turning takes no time, and what a person entered is no news.
    let turned = Script::read(&around(NOTES, "rotate, rotate", "@ Main Notes\nlist notes\n- bread | old"));
    let typed = "@ Main Notes\nlist notes\n- tea\nfield add=\n> edit add: milk\n@ Main Notes\nlist notes\n- tea\n- milk\nfield add=";
    let entered = Script::read(&around(typed, "home, launch", "@ Main Notes\nlist notes\n- tea\nfield add="));
    for (what, trace) in [("turned", turned), ("entered", entered)] {
        let broken = trace.broken(&NEUTRAL);
        assert!(!broken.is_empty() && !broken.iter().any(rests_on_a_habit), "{what}: {broken:#?}");
    }
}
