//! Kinds of claims, and what the counter-examples of each need to be reported.
//!
//! In: the numbers on a claim. Out: its [`Kind`]. Invariant: the kind of a claim depends on its numbers alone, which
//! stand here and nowhere else.

use droidmux_record::{Claim, Threshold};

/// What a claim is, and so what it takes to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regularity of the app at hand (this row opens that page, this list keeps its rows over a restart). It speaks
    /// above [`HABIT`] alone.
    Habit,
    /// What the platform promises, or what the app itself says (turning changes nothing, 'Undo' takes back). It speaks by
    /// itself, unless the app breaks it in more situations than it keeps it in.
    Promise,
    /// A promise that speaks where it was broken in a share of its cases at least.
    Lasting,
    /// What a control did once it can do. It speaks once it was broken on several screens and never kept; where it was
    /// kept in a tenth of the cases at most, that may be chance, and leaves a doubt.
    Ability,
}

impl Kind {
    /// Of a claim.
    pub fn of(claim: &Claim) -> Self {
        match (claim.needed, claim.variety, claim.share) {
            (0, 0, 0) => Self::Promise,
            (0, 0, _) => Self::Lasting,
            (0, ..) => Self::Ability,
            _ => Self::Habit,
        }
    }
}

/// What a habit of the app needs before a counter-example is reported: cases in which it held, different situations
/// among them, and the share of all cases, in percent. Fixed on the apps of group A of the bench.
pub const HABIT: Threshold = Threshold { needed: 10, variety: 3, share: 80 };

/// The same for habits from which an app departs by choice now and then (a feed, a search that looks at titles alone).
pub const LOOSE: Threshold = Threshold { share: 60, ..HABIT };

/// The same for what a page or a row of a kind always has.
pub const STRICT: Threshold = Threshold { share: 90, ..HABIT };

/// The same for a choice that strikes the row it was made on: a defect may strike others most of the time.
pub const AIMED: Threshold = Threshold { share: 20, ..HABIT };

/// What is promised needs no case in which it was kept: it is only told how often it was.
pub const PROMISE: Threshold = Threshold { needed: 0, variety: 0, share: 0 };

/// A promise about a page that may be left by itself after a while, and then just when it is put to the test: it speaks
/// where it was broken in as many cases as it was kept in.
pub const LASTING: Threshold = Threshold { share: 50, ..PROMISE };

/// A promise that one case keeps for good: what a control did once it can do, and has nothing to do at other times. Here the
/// share is that of the cases that break it: something may move by itself just when the control is pressed. The variety is on
/// how many different screens they must.
pub const NEVER: Threshold = Threshold { variety: 3, share: 90, ..PROMISE };

/// The same for what all of a page is in question for: what else it holds speaks for it as well.
pub const ALIVE: Threshold = Threshold { variety: 2, ..NEVER };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_claim_tell_its_kind() {
        for (threshold, kind) in [
            (HABIT, Kind::Habit),
            (LOOSE, Kind::Habit),
            (STRICT, Kind::Habit),
            (AIMED, Kind::Habit),
            (PROMISE, Kind::Promise),
            (LASTING, Kind::Lasting),
            (NEVER, Kind::Ability),
            (ALIVE, Kind::Ability),
        ] {
            assert_eq!(Kind::of(&Claim::new("view", 7, threshold)), kind, "{threshold:?}");
        }
    }
}
