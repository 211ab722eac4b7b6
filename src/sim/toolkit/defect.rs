//! Known defects, which of them are on, and behaviours that only look like defects.
//!
//! In: the ids to switch on; from an app, where one of its defects would make a difference. Out: whether it
//! should make it, and how many inputs set each defect off (see
//! [`Phone::set_off`](../droidmux_sim/struct.Phone.html)).
//!
//! Invariant: an app asks for a defect with [`DefectSwitches::strikes`] or [`DefectSwitches::either`] where it
//! matters, so what is counted is what happened.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use thiserror::Error;

use super::SimApp;
use super::set_off::SetOff;

/// A defect built into a simulated app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// `app.short-name`, e.g. `diary.wrong-picture`.
    pub id: &'static str,
    /// What kind of functional bug it is.
    pub kind: DefectKind,
    /// What goes wrong, in one sentence.
    pub what: &'static str,
    /// The paper and the part of it that the defect is modelled on. Papers are cited by the first words of their
    /// titles: "Testing the Limits: Unusual Text Inputs Generation for Mobile App Crash Detection with Large
    /// Language Models", "Fully Automated Functional Fuzzing of Android Apps for Detecting Non-Crashing Logic
    /// Bugs", "Property-Based Fuzzing for Finding Data Manipulation Errors in Android Apps", "Systematic Execution
    /// of Android Test Suites in Adverse Conditions", "Understanding and Finding System Setting-Related Defects in
    /// Android Apps".
    pub seed: &'static str,
}

/// The kinds of functional bugs that the papers tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefectKind {
    /// What the user made is gone.
    DataLoss,
    /// A control no longer does anything.
    FunctionLost,
    /// A function does something other than it says.
    WrongBehaviour,
    /// Two places say different things about the same thing.
    InconsistentState,
    /// The data are right, but what is shown of them is not.
    WrongDisplay,
    /// A page waits for ever.
    EndlessLoading,
    /// What was changed shows only later.
    UpdateDelay,
    /// The process ends with an uncaught exception.
    Crash,
    /// The app no longer responds to any touch.
    Hang,
}

impl DefectKind {
    /// The name used in listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::DataLoss => "data loss",
            Self::FunctionLost => "function lost",
            Self::WrongBehaviour => "wrong behaviour",
            Self::InconsistentState => "inconsistent state",
            Self::WrongDisplay => "wrong display",
            Self::EndlessLoading => "endless loading",
            Self::UpdateDelay => "update delay",
            Self::Crash => "crash",
            Self::Hang => "hang",
        }
    }
}

/// A behaviour of a correct app that an oracle may take for a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// `app.short-name`, e.g. `units.refresh`; no defect has the same id.
    pub id: &'static str,
    /// What the app does, in one sentence.
    pub what: &'static str,
}

/// Which defects are on, and how often they made a difference.
#[derive(Clone, Debug, Default)]
pub struct DefectSwitches {
    chosen: Chosen,
    /// One for each installed app.
    set_off: Arc<SetOff>,
}

impl PartialEq for DefectSwitches {
    /// The same defects are on.
    fn eq(&self, other: &Self) -> bool {
        self.chosen == other.chosen
    }
}

impl Eq for DefectSwitches {}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Chosen {
    #[default]
    All,
    Only(BTreeSet<String>),
}

/// A defect id that no installed app has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no app has a defect {id:?}; known: {}", known.join(", "))]
pub struct UnknownDefect {
    /// What was asked for.
    pub id: String,
    /// The ids of all defects there are, in the order of the apps.
    pub known: Vec<String>,
}

impl DefectSwitches {
    /// Every defect of every app.
    pub fn all() -> Self {
        Self::of(Chosen::All)
    }

    /// Correct apps.
    pub fn none() -> Self {
        Self::of(Chosen::Only(BTreeSet::new()))
    }

    /// Only these.
    ///
    /// # Errors
    /// When an id belongs to none of these apps.
    pub fn only<'a>(ids: impl IntoIterator<Item = &'a str>, apps: &[SimApp]) -> Result<Self, UnknownDefect> {
        let known: Vec<&str> = apps.iter().flat_map(SimApp::defects).map(|d| d.id).collect();
        let mut chosen = BTreeSet::new();
        for id in ids {
            if !known.contains(&id) {
                let known = known.iter().map(|&k| k.to_owned()).collect();
                return Err(UnknownDefect { id: id.to_owned(), known });
            }
            chosen.insert(id.to_owned());
        }
        Ok(Self::of(Chosen::Only(chosen)))
    }

    fn of(chosen: Chosen) -> Self {
        Self { chosen, set_off: Arc::default() }
    }

    /// Whether an app errs at this point: the defect is on, and the outcome `differs` from what a correct app
    /// would do here. That is counted, so `differs` must not be a guess.
    pub fn strikes(&self, defect: &Defect, differs: bool) -> bool {
        let strikes = differs && self.is_on(defect.id);
        if strikes {
            self.set_off.note(defect.id);
        }
        strikes
    }

    /// The outcome: `right`, or `wrong` if the defect is on. Counted where the two differ.
    pub fn either<T: PartialEq>(&self, defect: &Defect, right: T, wrong: impl FnOnce() -> T) -> T {
        if !self.is_on(defect.id) {
            return right;
        }
        let wrong = wrong();
        if self.strikes(defect, wrong != right) { wrong } else { right }
    }

    /// The same switches for one installed app, with counters of their own.
    pub(super) fn installed(&self) -> Self {
        Self::of(self.chosen.clone())
    }

    /// An input reaches the app.
    pub(super) fn next_input(&self) {
        self.set_off.next_input();
    }

    /// How many inputs set a defect off, by its id; defects that no input set off are left out.
    pub(super) fn set_off(&self) -> BTreeMap<String, u64> {
        self.set_off.counts()
    }

    /// Whether this defect is on. Counts nothing: where the defect makes a difference, an app asks
    /// with [`DefectSwitches::strikes`].
    pub fn is_on(&self, id: &str) -> bool {
        match &self.chosen {
            Chosen::All => true,
            Chosen::Only(ids) => ids.contains(id),
        }
    }
}
