//! Known defects, which of them are on, and behaviours that only look like defects.

use std::collections::BTreeSet;

use thiserror::Error;

use super::SimApp;

/// A defect built into a simulated app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defect {
    /// `app.short-name`, e.g. `diary.wrong-picture`.
    pub id: &'static str,
    /// What kind of functional bug it is.
    pub kind: DefectKind,
    /// What goes wrong, in one sentence.
    pub what: &'static str,
    /// The paper and what of it the defect is modelled on. Papers stand there by the first words of their
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
    /// A control does nothing any more.
    FunctionLost,
    /// A function does something else than it says.
    WrongBehaviour,
    /// Two places tell different things about the same.
    InconsistentState,
    /// The data are right, what is shown of them is not.
    WrongDisplay,
    /// A page waits for ever.
    EndlessLoading,
    /// What was changed shows only later.
    UpdateDelay,
    /// The process ends with an uncaught exception.
    Crash,
    /// The app answers no touch any more.
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
    /// `app.short-name`, e.g. `units.refresh`; no defect has the same.
    pub id: &'static str,
    /// What the app does, in one sentence.
    pub what: &'static str,
}

/// Which defects are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefectSwitches(Chosen);

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
        Self(Chosen::All)
    }

    /// Correct apps.
    pub fn none() -> Self {
        Self(Chosen::Only(BTreeSet::new()))
    }

    /// Only these.
    ///
    /// # Errors
    /// When an id is none of these apps'.
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
        Ok(Self(Chosen::Only(chosen)))
    }

    /// Whether this defect is on.
    pub fn is_on(&self, id: &str) -> bool {
        match &self.0 {
            Chosen::All => true,
            Chosen::Only(ids) => ids.contains(id),
        }
    }
}
