//! What is left of a test when what seems to have nothing to do with an objection is taken out.

use super::*;
use droidmux_testutils::script::Script;

const HOME: &str = "@ Main Notes\nlist items\n- milk\n(Add)\n(About)\n(Search)";
const ABOUT: &str = "@ Info About\nlabel words=Notes are short";

/// A page of rows.
fn home(rows: &str) -> String {
    let rows: String = rows.split_whitespace().map(|row| format!("\n- {row}")).collect();
    format!("@ Main Notes\nlist items{rows}\n(Add)\n(About)\n(Search)")
}

/// Goes to another page and back to this one.
fn detour(rows: &str) -> String {
    format!("\n> click About\n{ABOUT}\n> back\n{}", home(rows))
}

/// Adds a row; the rows then.
fn added(name: &str, rows: &str) -> String {
    let form = |text: &str| format!("@ Edit Note\nfield name={text}\n(Save)");
    format!("\n> click Add\n{}\n> edit name: {name}\n{}\n> click Save\n{}", form(""), form(name), home(rows))
}

/// Searches for a text and finds this.
fn searched(text: &str, found: &str) -> String {
    let page = |text: &str, found: &str| format!("@ Search Search\nfield query={text}\n{found}");
    format!("\n> click Search\n{}\n> edit query: {text}\n{}", page("", ""), page(text, found))
}

fn mismatch(span: (u32, u32), reasoning: &str) -> Mismatch {
    let empty = crate::samples::mismatch();
    Mismatch { page: String::new(), reasoning: reasoning.into(), span, turn: span.1, ..empty }
}

/// The excerpts of a trace, each by the turns of its steps, with the number of its first step that is the function's.
fn told(trace: &str, span: (u32, u32), reasoning: &str) -> Vec<String> {
    let script = Script::read(trace);
    let mut chronicle = Chronicle::new("toy");
    for turn in &script.run.turns {
        chronicle.note(&turn.act, &turn.observation, &script.layouts);
    }
    let found = excerpts(&chronicle, &mismatch(span, reasoning), &script.layouts);
    let told = found.into_iter().map(|test| {
        let mut rest = chronicle.steps.iter();
        let turns = test.events.iter().map(|event| {
            let step = rest.by_ref().find(|step| step.event == *event).expect("a step of the test, in order");
            step.turn.to_string()
        });
        let turns: Vec<String> = turns.collect();
        let Role::Toured(stretch) = test.role else { panic!("a function") };
        format!("{} | {}", turns.join(" "), stretch.first)
    });
    told.collect()
}

#[test]
fn what_made_the_objects_is_kept_and_the_rest_is_not() {
    let detours = detour("milk").repeat(3);
    let with_tea = detour("milk tea").repeat(3);
    for (what, trace, span, reasoning, expected) in [
        (
            "what is there from the start",
            format!("{HOME}{detours}{}", searched("milk", "label none=Nothing")),
            (7, 8),
            "milk is not found",
            vec!["7 8 | 0"],
        ),
        (
            "what was added, by what the Detector says",
            format!(
                "{HOME}{detours}{}{with_tea}{}",
                added("tea", "milk tea"),
                searched("t", "label none=Nothing")
            ),
            (16, 17),
            "The search does not find \"tea\".",
            vec!["7 8 9 16 17 | 3"],
        ),
        (
            "by a word of it",
            format!(
                "{HOME}{detours}{}{}{}",
                added("tea.txt", "milk tea.txt"),
                detour("milk tea.txt").repeat(3),
                searched("t", "label none=No")
            ),
            (16, 17),
            "Tea is not found",
            vec!["7 8 9 16 17 | 3"],
        ),
        (
            "by what the function acts on",
            format!(
                "{HOME}{detours}{}{with_tea}\n> click tea\n@ Note milk\nlabel text=white",
                added("tea", "milk tea")
            ),
            (16, 16),
            "another note is shown",
            vec!["7 8 9 16 | 3"],
        ),
        (
            "first by what is said, then by what is shown",
            format!(
                "{HOME}{detours}{}{with_tea}{}",
                added("tea", "milk tea"),
                searched("", "label none=Nothing")
            ),
            (16, 17),
            "an empty search finds nothing",
            vec!["16 17 | 0", "7 8 9 16 17 | 3"],
        ),
        (
            "the way to where it begins",
            format!(
                "{HOME}{detours}\n> click About\n{ABOUT}\n> rotate\n@ Info About\nacross\nlabel words=Notes\n"
            ),
            (8, 8),
            "words are missing",
            vec!["1 8 | 1"],
        ),
        (
            "nothing that would save little",
            format!("{HOME}{}{}", added("tea", "milk tea"), searched("tea", "label none=Nothing")),
            (4, 5),
            "tea is not found",
            vec![],
        ),
    ] {
        assert_eq!(told(&trace, span, reasoning), expected, "{what}");
    }
}

#[test]
fn words_are_found_as_words() {
    for (told, text, found) in [
        ("the search for \"tea\" finds nothing", "tea", true),
        ("steam rises", "tea", false),
        ("tea.txt is missing", "Tea.txt", true),
        ("an åre", "re", false),
        ("anything", "", false),
        ("(42)", "42", true),
        ("142", "42", false),
    ] {
        assert_eq!(says(told, text), found, "{text} in {told}");
    }
}
