//! What was tried on a page, told in the next question: what showed a bug is not to be repeated, what did not calls for
//! another rule.

use super::dumped::is_dump_of;
use super::errand::{Expectation, FormRound, Reaction, TriedText};
use super::prompt::{MOST_LISTED, MOST_WORDS, line, quoted, quoted_to, told_head};

/// The most rounds that are told, and characters that a field drops.
const MOST_ROUNDS: usize = 12;
const MOST_DROPPED: usize = 24;

/// The rounds so far.
pub(super) fn feedback(rounds: &[FormRound]) -> String {
    let mut text = String::new();
    if !rounds.is_empty() {
        text += "\n# Tried before on this page\n";
    }
    let told = rounds.get(rounds.len().saturating_sub(MOST_ROUNDS)..).unwrap_or_default();
    if told.iter().flat_map(|round| &round.tried).any(shows_dots) {
        text += "(What a page shows is read from a dump, which holds dots for characters beyond U+FFFF, one for each \
                 half, and for control characters: such dots are no loss.)\n";
    }
    told.iter().for_each(|round| text += &told_round(round));
    text
}

fn told_round(round: &FormRound) -> String {
    let number = round.field + 1;
    let mut text = format!("\nRule for field {number}: {}\n", quoted_to(&round.rule, MOST_WORDS));
    match round.expected {
        Expectation::Open => {}
        Expectation::Accepted => text += "  expected to be accepted\n",
        Expectation::Refused => text += "  expected to be refused\n",
    }
    let of = |bug: bool| -> String {
        let tried = round.tried.iter().filter(|tried| tried.reaction.is_bug() == bug).take(MOST_LISTED);
        tried.map(|tried| told_try(tried, round.expects(tried))).collect()
    };
    let (bugs, others) = (of(true), of(false));
    if !bugs.is_empty() {
        text += &format!("  showed bugs, do not repeat them:\n{bugs}");
    }
    if !others.is_empty() {
        text += &format!("  showed none, take another rule:\n{others}");
    }
    let unlisted = round.tried.len().saturating_sub(2 * MOST_LISTED);
    if unlisted > 0 {
        text += &format!("  {unlisted} more were tried\n");
    }
    if round.untried > 0 {
        text += &format!("  {} more were yielded, and not tried\n", round.untried);
    }
    if !round.failure.is_empty() {
        text += &format!("  its generator failed: {}\n", line(&round.failure, MOST_WORDS));
    }
    text
}

/// `    "Bern😀" it was refused with a message; the field held "Bern"; the page then showed "letters only"`
fn told_try(tried: &TriedText, expected: Expectation) -> String {
    // What a field did not take as it was typed was not submitted.
    let against = match (tried.reaction, expected, &tried.held) {
        (Reaction::Refused | Reaction::Unmoved, Expectation::Accepted, None) => {
            ", though it should be accepted"
        }
        (Reaction::Accepted, Expectation::Refused, None) => ", though it should be refused",
        _ => "",
    };
    let mut told =
        format!("    {} {}{against}", told_head(&tried.text, tried.length), tried.reaction.words());
    if !tried.bug.is_empty() {
        told += &format!(": {}", line(&tried.bug, MOST_WORDS));
    }
    match &tried.held {
        None => {}
        Some((held, _)) if held.is_empty() => told += "; the field took nothing of it",
        Some((held, length)) => {
            let how = match is_without_breaks(held, &tried.text) {
                true => "took it without its line breaks, which one line has no room for, and held",
                false => "held",
            };
            told += &format!("; the field {how} {}", told_head(held, *length));
        }
    }
    if !tried.shown.is_empty() {
        let shown: Vec<String> = tried.shown.iter().map(|text| quoted(text)).collect();
        told += &format!("; the page then showed {}", shown.join(", "));
    }
    told + "\n"
}

/// Whether a text is another one without its line breaks, or with blanks in their place.
fn is_without_breaks(held: &str, text: &str) -> bool {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let filled: String = text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect();
    let without: String = text.chars().filter(|c| !is_break(*c)).collect();
    text.contains(is_break) && (held == without || held == filled)
}

/// Whether a page shows a text with dots for what dumps cannot hold.
fn shows_dots(tried: &TriedText) -> bool {
    let held = tried.held.iter().map(|(held, _)| held);
    held.chain(&tried.shown).any(|shown| is_dump_of(shown, &tried.text))
}

/// The line that tells which characters a field did not take when they were typed into it; empty when it took all.
pub(super) fn dropped(rounds: &[FormRound], field: usize) -> String {
    let tried =
        rounds.iter().filter(|round| usize::from(round.field) == field).flat_map(|round| &round.tried);
    let held = tried.filter_map(|tried| Some((&tried.text, &tried.held.as_ref()?.0)));
    let mut dropped: Vec<char> =
        held.flat_map(|(text, held)| text.chars().filter(|c| !held.contains(*c))).collect();
    dropped.sort_unstable();
    dropped.dedup();
    dropped.truncate(MOST_DROPPED);
    match dropped.is_empty() {
        true => String::new(),
        false => {
            format!(
                "  does not take, or changes, when typed: {}\n",
                quoted(&dropped.iter().collect::<String>())
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(text: &str, reaction: Reaction, held: Option<&str>) -> TriedText {
        let held = held.map(|held| (held.to_owned(), held.chars().count() as u32));
        TriedText { text: text.into(), reaction, held, ..TriedText::default() }
    }

    #[test]
    fn outcomes_are_told_as_they_are() {
        let lost = TriedText {
            bug: "Typed into 'name', \"a/b\" is accepted, but \"a\" is shown".into(),
            ..tried("a/b", Reaction::Mistreated, None)
        };
        let (accepted, refused) = (Expectation::Accepted, Expectation::Refused);
        for (tried, expected, told) in [
            (
                lost,
                accepted,
                "\"a/b\" it showed a bug: Typed into 'name', \"a/b\" is accepted, but \"a\" is shown",
            ),
            (
                tried("a", Reaction::Accepted, None),
                refused,
                "\"a\" it was accepted, though it should be refused",
            ),
            (
                tried("12x", Reaction::Accepted, Some("12")),
                refused,
                "\"12x\" it was accepted; the field held \"12\"",
            ),
            (
                tried("a\nb", Reaction::Accepted, Some("ab")),
                accepted,
                "\"a\\nb\" it was accepted; the field took it without its line breaks, which one line has no room for, \
                 and held \"ab\"",
            ),
            (
                tried("x", Reaction::Unmoved, Some("")),
                refused,
                "\"x\" the page stayed as it was; the field took nothing of it",
            ),
            (tried("x", Reaction::Crashed, None), refused, "\"x\" the app crashed or stopped answering"),
        ] {
            assert_eq!(told_try(&tried, expected).trim(), told);
        }
    }

    #[test]
    fn dots_of_dumps_are_explained_and_what_a_field_drops_is_told() {
        let round = |tried| vec![FormRound { field: 1, tried: vec![tried], ..FormRound::default() }];
        let shown = TriedText { shown: vec!["..Bern".into()], ..tried("😀Bern", Reaction::Accepted, None) };
        assert!(feedback(&round(shown)).contains("such dots are no loss"));
        let plain = TriedText { shown: vec!["Bern".into()], ..tried("Bern", Reaction::Accepted, None) };
        assert!(!feedback(&round(plain)).contains("dots"));
        let rounds = round(tried("1e2,5", Reaction::Accepted, Some("125")));
        assert_eq!(dropped(&rounds, 1), "  does not take, or changes, when typed: \",e\"\n");
        assert_eq!(dropped(&rounds, 0), "");
    }

    #[test]
    fn each_text_is_told_by_what_is_expected_of_it() {
        let own = TriedText { expected: Some(Expectation::Refused), ..tried("x", Reaction::Accepted, None) };
        let tried = vec![own, tried("y", Reaction::Accepted, None)];
        let told = feedback(&[FormRound { tried, ..FormRound::default() }]);
        assert!(told.contains("\"x\" it was accepted, though it should be refused\n"), "{told}");
        assert!(told.contains("\"y\" it was accepted\n"), "{told}");
    }
}
