//! Fields that stand shut: what more rules would show is known.
//!
//! A round tells something new unless everything came back from the same check. Two rounds of different rules whose
//! every input the form refused with one and the same complaint met a check that lets nothing unusual through; what lies
//! behind it is not reached by a third. Anything else (an input accepted, another complaint, a bug, silence) says that
//! there is more to learn, and the field is tested on.

use super::errand::{FormRound, Reaction};

/// Rounds that must end alike.
const ALIKE: usize = 2;

/// The fewest inputs that make a round worth counting.
const FEWEST: usize = 3;

/// Whether the last rounds on a field, given oldest first, all ended at one check.
pub(super) fn is_shut<'a>(rounds: impl DoubleEndedIterator<Item = &'a FormRound>) -> bool {
    let told = rounds.rev().filter(|round| !round.tried.is_empty()).take(ALIKE);
    let complaints: Vec<_> = told.map(complaint).collect();
    match complaints.as_slice() {
        [Some(first), rest @ ..] if rest.len() + 1 == ALIKE => rest.iter().all(|other| *other == Some(first)),
        _ => false,
    }
}

/// What the form said to every input of a round, where it refused them all alike.
fn complaint(round: &FormRound) -> Option<&[String]> {
    let submitted = round.tried.iter().filter(|tried| tried.reaction != Reaction::Untypable);
    let refused: Vec<_> = submitted.map(|tried| (tried.reaction, tried.shown.as_slice())).collect();
    let (_, first) = refused.first().filter(|_| refused.len() >= FEWEST)?;
    let alike = refused.iter().all(|(reaction, shown)| *reaction == Reaction::Refused && shown == first);
    (alike && !first.is_empty()).then_some(*first)
}

#[cfg(test)]
mod tests {
    use super::super::errand::TriedText;
    use super::*;

    fn round(tried: &[(Reaction, &str)]) -> FormRound {
        let tried = tried.iter().map(|(reaction, shown)| TriedText {
            reaction: *reaction,
            shown: vec![(*shown).to_owned()],
            ..TriedText::default()
        });
        FormRound { tried: tried.collect(), ..FormRound::default() }
    }

    #[test]
    fn only_one_complaint_throughout_shuts_a_field() {
        use Reaction::{Accepted, Crashed, Refused, Untypable};
        let shut = [(Refused, "1 to 9"); 4];
        for (last, expected) in [
            (&shut[..], true),
            (&[(Refused, "1 to 9"), (Refused, "1 to 9"), (Untypable, ""), (Refused, "1 to 9")], true),
            (&[(Refused, "1 to 9"), (Refused, "1 to 9"), (Refused, "digits only")], false),
            (&[(Refused, "digits only"), (Refused, "digits only"), (Refused, "digits only")], false),
            (&[(Refused, "1 to 9"), (Refused, "1 to 9"), (Accepted, "1 to 9")], false),
            (&[(Refused, "1 to 9"), (Refused, "1 to 9"), (Crashed, "1 to 9")], false),
            (&[(Refused, "1 to 9"), (Refused, "1 to 9")], false),
        ] {
            assert_eq!(is_shut([round(&shut), round(last)].iter()), expected, "{last:?}");
        }
        assert!(!is_shut([round(&shut)].iter()), "one round is not enough");
    }
}
