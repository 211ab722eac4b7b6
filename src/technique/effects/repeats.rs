//! The oracle on repeated tests: the same events on a fresh app should have the same effects.

use crate::GenieSettings;
use droidmux_gui::{Effect, EffectForm};
use droidmux_record::{
    Evidence, Hint, JobRun, Layouts, Outcome, SessionDefinition, UnmatchedEffect, Verdict, Work,
};

use super::canonical::{describe, describe_event, key};
use super::comparison::Comparison;
use super::couple::Couple;
use super::lost::Lost;
use crate::mask::Masks;
use crate::playback::{Gallery, Playback, Shot, Unplayable};

/// The most effects kept as evidence.
const MOST_EVIDENCE: usize = 200;

/// Compares runs of the same events step by step.
pub struct RepeatOracle<'d> {
    effects: EffectForm,
    definition: &'d SessionDefinition,
    masks: Masks,
}

/// A run that does at a step what most others do not.
#[derive(Clone, Debug, PartialEq)]
pub struct Inconsistency {
    /// Its test is the number of the run.
    pub verdict: Verdict,
    /// From 1.
    pub step: u16,
}

/// Why runs cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Incomparable {
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    #[error("every run of a repeated test differs: something volatile is not masked")]
    Volatile,
}

impl<'d> RepeatOracle<'d> {
    /// `masks` say what is volatile anyway.
    pub fn new(definition: &'d SessionDefinition, masks: Masks) -> Self {
        Self { effects: definition.settings.of::<GenieSettings>().effects, definition, masks }
    }

    /// Compares the tests of a job, all runs of the same events, with each other: at each step those that do what most
    /// do (on a tie, the first) are right; for the others, only the first step at which they differ is reported. What
    /// follows from a difference says nothing.
    ///
    /// # Errors
    /// [`Incomparable`] when one did not run through, a layout is missing, or all of several runs differ, as what is
    /// volatile does.
    pub fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Result<Vec<Inconsistency>, Incomparable> {
        let Work::Batch(batch) = &run.job.work else { return Ok(Vec::new()) };
        let gallery = Gallery::of(run, layouts);
        let stills = gallery.stills();
        let traces = run.traces();
        let played = batch.tests.iter().zip(&traces).map(|(test, trace)| Playback::of(test, trace, &stills));
        let runs = played.collect::<Result<Vec<_>, _>>()?;
        let comparison = Comparison::new(self.effects, &self.definition.ignore, &self.masks);
        let mut right: Vec<usize> = (0..runs.len()).collect();
        let mut told = Vec::new();
        let steps = runs.iter().map(Playback::len).min().unwrap_or(0).saturating_sub(1);
        for step in 1..=steps {
            let clusters = cluster(&comparison, &runs, &right, step);
            let Some(most) = clusters.iter().max_by_key(|c| (c.len(), std::cmp::Reverse(c.first()))) else {
                break;
            };
            if clusters.len() > 1 && right.len() > 2 && most.len() == 1 {
                return Err(Incomparable::Volatile);
            }
            for &odd in clusters.iter().filter(|cluster| *cluster != most).flatten() {
                let usual = most.first().and_then(|&n| runs.get(n));
                let (Some(usual), Some(other)) = (usual, runs.get(odd)) else { continue };
                let pair = Pair { comparison: &comparison, usual, odd: other, step };
                told.push(pair.inconsistency(run, odd, most.len()));
            }
            right = most.clone();
        }
        told.sort_by_key(|inconsistency| inconsistency.verdict.test);
        Ok(told)
    }
}

/// The runs that do the same at a step; each cluster in order, by its first run.
fn cluster(
    comparison: &Comparison<'_>,
    runs: &[Playback<'_>],
    right: &[usize],
    step: usize,
) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for &number in right {
        let Some(own) = runs.get(number).and_then(|run| shots(run, step)) else { continue };
        let same = clusters.iter_mut().find(|cluster| {
            let first = cluster.first().and_then(|&n| runs.get(n)).and_then(|run| shots(run, step));
            first.is_some_and(|first| {
                is_same_place(first, own)
                    && comparison.lacking(first, own).is_empty()
                    && comparison.lacking(own, first).is_empty()
            })
        });
        match same {
            Some(cluster) => cluster.push(number),
            None => clusters.push(vec![number]),
        }
    }
    clusters
}

/// The layouts before and after a step, counted from 1.
fn shots<'a>(run: &Playback<'a>, step: usize) -> Option<(Shot<'a>, Shot<'a>)> {
    run.shot(step).zip(run.shot(step + 1))
}

/// True when both end on the same page of the app, or both outside.
fn is_same_place(a: (Shot<'_>, Shot<'_>), b: (Shot<'_>, Shot<'_>)) -> bool {
    let in_app = |shot: Shot<'_>| shot.seen.screen.in_app;
    in_app(a.1) == in_app(b.1) && (!in_app(a.1) || a.1.page() == b.1.page())
}

/// Two runs that differ at a step.
struct Pair<'p, 'a> {
    comparison: &'p Comparison<'p>,
    usual: &'p Playback<'a>,
    odd: &'p Playback<'a>,
    step: usize,
}

impl<'a> Pair<'_, 'a> {
    fn inconsistency(&self, run: &JobRun, odd: usize, most: usize) -> Inconsistency {
        let missing = self.lost(self.usual, self.odd);
        let (lost, seed) = match missing.is_empty() {
            false => (missing, self.usual),
            true => (self.lost(self.odd, self.usual), self.odd),
        };
        let only_here = !std::ptr::eq(seed, self.usual);
        let witness: Vec<&Lost<'_>> = lost.iter().collect();
        let evidence: Vec<UnmatchedEffect> =
            lost.iter().take(MOST_EVIDENCE).map(|lost| self.comparison.evidence(lost)).collect();
        let narrow = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let verdict = Verdict {
            key: key(&witness, seed, self.comparison, false),
            title: self.title(witness.first().copied(), only_here, most),
            fidelity: self.odd.fidelity,
            evidence: Evidence::Effects(evidence),
            hints: self.hints(),
            ..Verdict::new(run.job.slot, narrow(odd), "effects", Outcome::Violation)
        };
        Inconsistency { verdict, step: narrow(self.step) }
    }

    /// What one run does at the step and the other does not.
    fn lost(&self, one: &Playback<'a>, other: &Playback<'a>) -> Vec<Lost<'a>> {
        let (Some(shots), Some(mutant_shots)) = (shots(one, self.step), shots(other, self.step)) else {
            return Vec::new();
        };
        let numbers = (self.step, self.step + 1);
        let couple = Couple { seed: numbers, shots, mutant: numbers, mutant_shots };
        let diverged = !is_same_place(shots, mutant_shots);
        let lacking = self.comparison.lacking(shots, mutant_shots);
        lacking.into_iter().map(|effect| Lost { effect, couple, diverged }).collect()
    }

    fn title(&self, lost: Option<&Lost<'_>>, only_here: bool, most: usize) -> String {
        let step = self.usual.trace.steps.get(self.step - 1);
        let event = step.map(|step| describe_event(step.event)).unwrap_or_default();
        let others = if most == 1 { "another run".to_owned() } else { format!("{most} other runs") };
        let what = match lost {
            None => "another page".to_owned(),
            Some(lost) => {
                let (before, after) = lost.widgets();
                let does = match lost.effect {
                    Effect::Deleted(_) => "goes away",
                    Effect::Added(_) => "appears",
                    Effect::Changed(..) => "changes",
                };
                format!("{} {does}", describe(before.or(after)))
            }
        };
        let title = if only_here {
            format!("by {event}, unlike in {others} of the same events: {what}")
        } else {
            format!("by {event}, as in {others} of the same events, not here: {what}")
        };
        droidmux_words::printable(&title).into_owned()
    }

    /// A dump that did not settle may have been taken too early.
    fn hints(&self) -> Vec<Hint> {
        let unsettled = self.usual.fidelity.unsettled + self.odd.fidelity.unsettled;
        let detail = format!("{unsettled} dumps of the two runs did not settle");
        let hint = Hint { cause: "unfaithful".into(), detail };
        (unsettled > 0).then_some(hint).into_iter().collect()
    }
}
