//! Whether anything but a model's word says that a form should refuse a text.
//!
//! In: a text that was accepted though the model that proposed it says that it should be refused, and all that the form
//! showed and said. Out: whether the page itself gives ground: the words that the model quotes are a complaint that the
//! form made, or a constraint that the page states; or a control was refused, a text of the same round that breaks the
//! same rule and has the same shape. Without ground the wish is the model's alone, and finds nothing that is reported.

use super::dumped::is_seen;
use super::errand::{Expectation, FormKnown, FormRound, Reaction, TriedText};
use super::landing::Landing;

/// The place of a text in what is known of a form: round and number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TriedPlace {
    pub round: usize,
    pub tried: usize,
}

/// The fewest words of a page's text that states a constraint; a digit must stand among them.
const FEWEST_WORDS: usize = 3;

/// Whether the form gives ground to expect that it refuses the text at this place; `base`: the form filled in with valid
/// texts.
pub(super) fn is_grounded(known: &FormKnown, place: TriedPlace, base: &Landing) -> bool {
    let Some(round) = known.rounds.get(place.round) else { return false };
    let Some(tried) = round.tried.get(place.tried) else { return false };
    is_quoted(known, round, base) || has_control(round, tried)
}

/// The words that the model quotes stand where the form forbids something.
fn is_quoted(known: &FormKnown, round: &FormRound, base: &Landing) -> bool {
    let quote = folded(&round.ground);
    if quote.is_empty() {
        return false;
    }
    let of_field = known.rounds.iter().filter(|other| other.field == round.field);
    let refused = of_field.flat_map(|round| &round.tried).filter(|tried| tried.reaction == Reaction::Refused);
    let complaints = refused.flat_map(|tried| &tried.shown).chain(&known.complaints);
    let states = |text: &str| {
        text.split_whitespace().count() >= FEWEST_WORDS && text.chars().any(|c| c.is_ascii_digit())
    };
    complaints.map(|said| folded(said)).any(|said| said == quote)
        || base.page_says().iter().map(|text| folded(text)).any(|text| text == quote && states(&text))
}

/// Another text of the round that should be refused was, with a complaint, and differs in nothing that a check of its
/// shape could see.
fn has_control(round: &FormRound, tried: &TriedText) -> bool {
    let shape = shape(&tried.text);
    let is_control = |other: &&TriedText| {
        other.reaction == Reaction::Refused
            && !other.shown.is_empty()
            && round.expects(other) == Expectation::Refused
            && self::shape(&other.text) == shape
    };
    round.tried.iter().any(|other| is_control(&other))
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A text with each run of letters and of digits as one sign, and without blanks and what is not seen: texts of one
/// shape differ in their words and values alone.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    for c in text.chars().filter(|c| is_seen(*c)) {
        let sign = match c {
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '9',
            c => c,
        };
        if !(sign.is_alphanumeric() && shape.ends_with(sign)) {
            shape.push(sign);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(text: &str, reaction: Reaction, said: &str) -> TriedText {
        let shown = if said.is_empty() { Vec::new() } else { vec![said.to_owned()] };
        TriedText { text: text.into(), reaction, shown, ..TriedText::default() }
    }

    #[test]
    fn a_control_has_the_shape_of_the_text_and_was_refused() {
        let same = "Departure and arrival are the same";
        for (text, control, reaction, said, expected) in [
            ("london", "London", Reaction::Refused, same, true),
            (" lONDON  ", "London", Reaction::Refused, same, true),
            ("2026-11-31", "2026-13-10", Reaction::Refused, "No such day", true),
            ("london", "London", Reaction::Accepted, "", false),
            // Silence says nothing.
            ("london", "London", Reaction::Refused, "", false),
            // A check of the shape refuses these.
            ("https://", "://", Reaction::Refused, "An address", false),
            ("https://example.com/%zz", "https://exa mple.com", Reaction::Refused, "An address", false),
            ("1.5", "-1", Reaction::Refused, "1 to 9", false),
        ] {
            let (text, control) = (tried(text, Reaction::Accepted, ""), tried(control, reaction, said));
            let round = FormRound { tried: vec![text, control], ..FormRound::default() };
            let round = FormRound { expected: Expectation::Refused, ..round };
            assert_eq!(has_control(&round, &round.tried[0]), expected, "{:?}", round.tried);
            // What may be either way is no control.
            let open = FormRound { expected: Expectation::Open, ..round };
            assert!(!has_control(&open, &open.tried[0]), "{:?}", open.tried);
        }
    }
}
