//! Broken relations: two screens of one trace that no sane app shows.

use serde::{Deserialize, Serialize};

use super::WidgetNote;
use droidmux_gui::LayoutHash;

/// A relation between screens of one trace that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broken {
    /// The relation's name in the table of relations: `undo`.
    pub relation: String,
    /// What the relation expected there, in a sentence.
    pub expected: String,
    /// What the screens show instead, in a sentence.
    pub found: String,
    /// The turns of the job whose screens contradict each other, the earlier one first.
    pub turns: (u32, u32),
    /// Their layouts.
    pub layouts: (LayoutHash, LayoutHash),
    /// The widgets it is about on the earlier and on the later screen.
    pub widgets: (Vec<WidgetNote>, Vec<WidgetNote>),
    /// What must have held often enough before for the break to count; `None` when it counts by itself.
    pub claim: Option<Claim>,
    /// Too slight to be reported by itself: a position in a list, the focus.
    pub slight: bool,
}

/// A regularity of the app under test that a relation rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// The relation's name.
    pub relation: String,
    /// The part of the app it is about, hashed: an activity and a row's id, a page and a control.
    pub about: u64,
    /// How often it must have held.
    pub needed: u32,
    /// For how many different objects it must have held.
    pub variety: u32,
    /// The share of the cases in which it must have held, in percent.
    pub share: u8,
}

impl Claim {
    /// The part of the app it is about, and its thresholds.
    pub fn new(relation: &str, about: u64, threshold: Threshold) -> Self {
        let Threshold { needed, variety, share } = threshold;
        Self { relation: relation.to_owned(), about, needed, variety, share }
    }
}

/// What a kind of claim needs before its counter-examples are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// As [`Claim::needed`].
    pub needed: u32,
    /// As [`Claim::variety`].
    pub variety: u32,
    /// As [`Claim::share`], in percent.
    pub share: u8,
}

/// One case in which a claim held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The relation's name.
    pub relation: String,
    /// As [`Claim::about`].
    pub about: u64,
    /// The object it held for, hashed.
    pub object: u64,
}

impl Held {
    /// The part of the app it is about, and the object it held for.
    pub fn new(relation: &str, about: u64, object: u64) -> Self {
        Self { relation: relation.to_owned(), about, object }
    }
}
