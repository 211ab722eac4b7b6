//! Relations: what holds between the screens of one trace in any sane app.
//!
//! In: the turns of a job with their layouts. Out: what was broken, as verdicts of the oracle `relations`, and the
//! cases in which a claim held that a relation rests on.
//!
//! A `Trail` is one trace with its layouts read once; a [`Relation`] is a pure function of a trail; the table
//! (`table.rs`) is the one place that knows all of them. What each assumes, and when it is silent, is described in its
//! own module and in `docs/relations.md`.
//!
//! Invariants: a relation only looks back. What it says about a pair of turns depends on the turns up to the later one,
//! so a replay that ends there says the same. Keys and clusters hold no text that a person or a driver typed. Words of
//! a language are consulted only if structure does not tell, and then from `words.txt`.

mod anatomy;
mod change;
mod conservation;
mod controls;
mod dead_end;
mod deed;
mod freshness;
mod kept;
mod leaving;
mod loading;
mod locality;
mod oracle;
mod place;
mod relaunch;
mod removal;
mod rename;
mod response;
mod round_trip;
mod row_page;
#[cfg(test)]
mod row_tests;
mod saving;
mod say;
#[cfg(test)]
mod script;
mod search_field;
mod swap;
mod table;
mod token;
mod trail;
mod undo;
mod wording;

pub use oracle::{ORACLE, RelationOracle};
pub(super) use round_trip::{NEUTRAL, insertion};
pub use table::{compares_pictures, names, unknown};

use super::sentence::quoted;
use droidmux_account::row::differ_in_words;
use droidmux_account::{look, row, snackbar, words};
use droidmux_gui::EventKind;
use droidmux_record::{Claim, Harm, Held, WidgetNote};
use trail::Trail;

/// A relation: a line of the table.
pub struct Relation {
    /// As session files name it.
    pub name: &'static str,
    /// What it assumes of the app, in a sentence.
    pub assumes: &'static str,
    /// When it says nothing, in a sentence.
    pub silent_when: &'static str,
    /// All it says of a trace.
    judge: fn(&Trail<'_>) -> Vec<Said>,
}

/// What a relation says of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Two screens contradict each other.
    Broken(Box<Break>),
    /// A claim held in one more case.
    Held(Held),
}

/// A relation that does not hold between two shots of a trail.
#[derive(Clone, Debug, PartialEq)]
pub struct Break {
    /// The page of the list that it is about, without anything a person typed: see `Shot::page_name`.
    pub page: String,
    /// The list it is about; empty when it is about none.
    pub list: String,
    /// The event that broke it.
    pub event: EventKind,
    /// What tells it from others of its cluster, in words that are the same in every trace: `order`, `gone`.
    pub what: String,
    /// What was done, what was expected and what happened instead, for a person.
    pub sentence: String,
    /// What the relation expected, in a sentence.
    pub expected: String,
    /// What the screens show instead, in a sentence.
    pub found: String,
    /// The shots that contradict each other, the earlier one first. The later one is the last one that was looked at.
    pub shots: (usize, usize),
    /// The widgets it is about on these shots.
    pub widgets: (Vec<WidgetNote>, Vec<WidgetNote>),
    /// The claim that it is a counter-example of.
    pub claim: Option<Claim>,
    /// What it likely comes from.
    pub cause: Cause,
    /// What it does to a person.
    pub harm: Harm,
    /// Too slight to be reported by itself.
    pub slight: bool,
}

/// What a break likely comes from; breaks of one cause are one cluster, whichever relation reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// No other relation reports it.
    Own,
    /// An event strikes a different row than the one it is done on.
    WrongRow,
    /// What was pressed did nothing.
    Idle,
    /// A page lost this when the app was left, or the page was created anew.
    Lost(&'static str),
}

impl Cause {
    /// The cluster of a break of this relation; `activity` is the short name of its page's.
    fn cluster(self, relation: &str, broken: &Break) -> String {
        let activity = broken.page.split('/').next().unwrap_or_default();
        let Break { page, list, event, .. } = broken;
        match self {
            Self::Own => format!("{relation}\n{page}\n{list}\n{}", event.name()),
            Self::Idle => format!("idle\n{page}\n{list}\n{}", event.name()),
            Self::WrongRow => format!("wrong row\n{activity}\n{list}\n{}", event.name()),
            Self::Lost(what) => lost(activity, what),
        }
    }
}

/// The cluster of what a page of this activity loses: `dialog`, `text`, `choice`, `rows`, `place`.
pub(super) fn lost(activity: &str, what: &str) -> String {
    format!("lost\n{}\n{what}", droidmux_gui::short_class(activity))
}

/// A hash for [`Claim::about`] and [`Held::object`], equal on every machine.
pub(super) fn fingerprint(parts: &[&str]) -> u64 {
    let mut digest = blake3::Hasher::new();
    for part in parts {
        digest.update(&(part.len() as u64).to_be_bytes()).update(part.as_bytes());
    }
    let mut hash = [0; 8];
    digest.finalize_xof().fill(&mut hash);
    u64::from_be_bytes(hash)
}

/// `first`, `second` … as sentences say where a row stands.
fn ordinal(number: usize) -> String {
    const NAMES: [&str; 9] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    NAMES.get(number).map_or_else(|| format!("number {}", number + 1), |name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_names() {
        assert_eq!((ordinal(1), ordinal(11)), ("second".into(), "number 12".into()));
    }
}
