//! One experiment on a finding: its tests, and what their run means.
//!
//! In: the key of the finding, the run of the tests, the verdicts on it. Out: [`Experiment`]s.
//!
//! Invariant: a run that could not follow its tests says nothing.

use super::missed::Missed;
use super::passing::Passing;
use crate::findings::Replay;
use crate::sentence;
use droidmux_record::{
    Bearing, Experiment, ExperimentKind, JobRun, Judgement, Layouts, Outcome, Test, TurnPlace,
    UnmatchedEffect, Verdict, WidgetNote,
};

/// What may be tried on a finding.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trial {
    pub(super) asks: Asks,
    pub(super) tests: Vec<Test>,
    /// What is different, for a person.
    pub(super) tried: String,
    pub(super) planned: bool,
}

/// What a trial asks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asks {
    /// Does the same effect fail to appear when nothing is done but wait?
    Pause(Box<UnmatchedEffect>),
    /// Does the violation stay when the inserted trace acts on another row?
    OnAnother {
        /// The violation is about the object that its event names, which a change of the inserted one could not touch.
        of_object: bool,
    },
    /// Which inserted events matter?
    Matters,
    /// Does the usual come back without one of the events?
    Restores,
    /// Is what is missed there at the end?
    ComesBack(Missed),
    /// Does the page go when nothing is done but wait?
    Passes(Passing),
}

impl Trial {
    pub(super) fn new(asks: Asks, tests: Vec<Test>, tried: String) -> Self {
        Self { asks, tests, tried, planned: false }
    }

    pub(super) fn kind(&self) -> ExperimentKind {
        match &self.asks {
            Asks::Pause(_) | Asks::Passes(_) => ExperimentKind::Pause,
            Asks::OnAnother { .. } => ExperimentKind::ObjectPermutation,
            Asks::Matters | Asks::Restores => ExperimentKind::Ablation,
            Asks::ComesBack(missed) => missed.kind,
        }
    }

    /// What a run of its tests means for the finding with this key.
    pub(super) fn result(
        &self,
        key: &str,
        (run, judgement): (&JobRun, &Judgement),
        layouts: &dyn Layouts,
    ) -> Vec<Experiment> {
        match &self.asks {
            Asks::Pause(effect) => vec![self.whether_time_does_it(effect, key, run, judgement)],
            Asks::OnAnother { of_object } => vec![self.whether_it_stays(*of_object, key, run, judgement)],
            Asks::Passes(passing) => {
                vec![self.of_a_pause(passing.passed(run, &self.tests), run)]
            }
            Asks::Matters => self.what_matters(key, run, judgement),
            Asks::Restores => self.whether_it_restores(run, judgement),
            Asks::ComesBack(missed) => {
                let shown = Replay::read(key, &self.tests, run, judgement);
                let came = missed.came(shown, run, &self.tests, layouts);
                vec![self.experiment(Bearing::Silent, came, run)]
            }
        }
    }

    /// Other values may come of a pause than of the inserted events, so the effect counts and not the key alone.
    fn whether_time_does_it(
        &self,
        effect: &UnmatchedEffect,
        key: &str,
        run: &JobRun,
        judgement: &Judgement,
    ) -> Experiment {
        let lacks = |verdict: &Verdict| {
            verdict.outcome == Outcome::Violation
                && verdict.evidence.effects().iter().any(|other| is_alike(effect, other))
        };
        let happens = match Replay::read(key, &self.tests, run, judgement) {
            Replay::Shown => Some(true),
            _ if judgement.verdicts.iter().any(lacks) => Some(true),
            Replay::Absent => Some(false),
            Replay::Unfaithful => None,
        };
        self.of_a_pause(happens, run)
    }

    /// What it means whether the same happens in a pause; `None` where that could not be seen.
    fn of_a_pause(&self, happens: Option<bool>, run: &JobRun) -> Experiment {
        let (bearing, came) = match happens {
            Some(true) => (Bearing::Excuses, "it happens then, too"),
            Some(false) => (Bearing::Silent, "it does not happen then"),
            None => (Bearing::Silent, "that could not be done"),
        };
        self.experiment(bearing, came, run)
    }

    fn whether_it_stays(
        &self,
        of_object: bool,
        key: &str,
        run: &JobRun,
        judgement: &Judgement,
    ) -> Experiment {
        let (bearing, came) = match Replay::read(key, &self.tests, run, judgement) {
            Replay::Shown if of_object => (Bearing::Accuses, "it happens all the same"),
            Replay::Shown => (Bearing::Silent, "it happens all the same, to what nobody named"),
            Replay::Absent => (Bearing::Excuses, "it does not happen then"),
            Replay::Unfaithful => (Bearing::Silent, "that could not be done"),
        };
        self.experiment(bearing, came, run)
    }

    /// Which inserted events could be left out, and what explains the violation where fewer are inserted.
    fn what_matters(&self, key: &str, run: &JobRun, judgement: &Judgement) -> Vec<Experiment> {
        let shown: Vec<&Verdict> = judgement.violations_of(key).collect();
        let mutants = self.tests.iter().filter(|test| test.role.insertion().is_some()).count();
        let came = format!("it happens without {} of them as well", number(shown.len()));
        let came = if shown.is_empty() { format!("all {} are needed", number(mutants)) } else { came };
        let mut experiments = vec![self.experiment(Bearing::Silent, &came, run)];
        let explained = shown.iter().flat_map(|verdict| &verdict.experiments);
        let excuse = explained.into_iter().find(|experiment| experiment.excuses());
        experiments.extend(excuse.cloned());
        experiments
    }

    /// Whether the deviant input without one event does what the input with it does not, and what explains that.
    fn whether_it_restores(&self, run: &JobRun, judgement: &Judgement) -> Vec<Experiment> {
        let mut violations =
            judgement.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violation);
        let Some(shown) = violations.find(|verdict| verdict.oracle == "genie") else {
            return vec![self.experiment(Bearing::Silent, "that changes nothing", run)];
        };
        let mut experiments = vec![self.experiment(Bearing::Silent, "the usual comes back", run)];
        experiments.extend(shown.experiments.iter().cloned());
        experiments
    }

    fn experiment(&self, bearing: Bearing, came: &str, run: &JobRun) -> Experiment {
        let words = sentence::sentence(&format!("{}: {came}", self.tried));
        let last = u32::try_from(run.turns.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let places =
            vec![TurnPlace { slot: run.job.slot, turn: 0 }, TurnPlace { slot: run.job.slot, turn: last }];
        Experiment { kind: self.kind(), bearing, words, places }
    }
}

fn number(n: usize) -> String {
    match n {
        1 => "one".into(),
        2 => "two".into(),
        3 => "three".into(),
        n => n.to_string(),
    }
}

/// The same change of widgets of the same class and id.
fn is_alike(a: &UnmatchedEffect, b: &UnmatchedEffect) -> bool {
    let is_same = |a: &Option<WidgetNote>, b: &Option<WidgetNote>| match (a, b) {
        (Some(a), Some(b)) => (&a.class, &a.resource_id) == (&b.class, &b.resource_id),
        (a, b) => a.is_none() && b.is_none(),
    };
    a.kind == b.kind && is_same(&a.before, &b.before) && is_same(&a.after, &b.after)
}
