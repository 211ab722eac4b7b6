//! Genie's oracle: an inserted trace that is independent may add GUI effects, never remove any.

use crate::GenieSettings;
use crate::Oracle;
use crate::batch::{Astray, came_back};
use crate::explain::{self, Story};
use crate::fidelity::fidelity;
use droidmux_record::{
    Batch, Evidence, Fidelity, IgnoreRule, JobRun, Judgement, Layouts, MaskEdit, Outcome, SessionDefinition,
    Trace, Verdict, Work,
};

use super::canonical::{key, witness};
use super::comparison::Comparison;
use super::hint::Case;
use super::lost::Lost;
use super::telling;
use crate::mask::Masks;
use crate::playback::{Gallery, Insert, Playback, SeedFault, Stills, Unplayable, insertion};

/// The most effects kept as evidence of one violation.
const MOST_EVIDENCE: usize = 200;

/// Judges batches of a seed, mutants of it, and the seed again.
#[derive(Clone, Debug)]
pub struct GenieOracle {
    settings: GenieSettings,
    ignored: Vec<IgnoreRule>,
    edits: Vec<MaskEdit>,
}

impl GenieOracle {
    /// An oracle with the session's settings and what people changed about the masks.
    pub fn new(definition: &SessionDefinition, edits: &[MaskEdit]) -> Self {
        Self { settings: definition.settings.of(), ignored: definition.ignore.clone(), edits: edits.to_vec() }
    }
}

impl Oracle for GenieOracle {
    /// A verdict for every mutant of the batch; none for exploration and for seeds.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let Work::Batch(batch) = &run.job.work else { return Judgement::default() };
        let gallery = Gallery::of(run, layouts);
        let stills = gallery.stills();
        let traces = run.traces();
        Bench { oracle: self, run, batch, traces: &traces, gallery: &gallery, stills: &stills }.judge()
    }
}

/// Why a mutant cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum Unjudged {
    #[error("the mutant was not replayable: {0}")]
    Mutant(Unplayable),
    #[error(transparent)]
    Seed(#[from] SeedFault),
    #[error("the insertion lies outside of the mutant")]
    Outside,
    #[error("dropped: {0}")]
    Dropped(#[from] Astray),
}

/// One batch on the bench.
struct Bench<'b> {
    oracle: &'b GenieOracle,
    run: &'b JobRun,
    batch: &'b Batch,
    traces: &'b [Trace<'b>],
    gallery: &'b Gallery,
    stills: &'b Stills<'b>,
}

impl<'b> Bench<'b> {
    fn judge(&self) -> Judgement {
        let played: Vec<Result<Playback<'b>, Unplayable>> =
            (0..self.batch.tests.len()).map(|test| self.playback(test)).collect();
        let (seeds, unplayable) = self.seeds(&played);
        let mutants = self.batch.tests.iter().zip(&played);
        let mutants = mutants.filter_map(|(test, played)| Some((insertion(test)?, played.as_ref().ok()?)));
        let masks = Masks::learned(&self.oracle.edits, &seeds, mutants);
        let GenieOracle { settings, ignored, .. } = self.oracle;
        let comparison = Comparison::new(settings.effects, ignored, &masks);
        let mut judgement = Judgement::default();
        for (number, (test, played)) in self.batch.tests.iter().zip(&played).enumerate() {
            let Some(insert) = insertion(test) else { continue };
            let judged = match (played, &unplayable) {
                (Err(reason), _) => Err(Unjudged::Mutant(reason.clone())),
                (Ok(_), Some(fault)) => Err(fault.clone().into()),
                (Ok(mutant), None) => self.check(mutant, insert).map(|()| mutant),
            };
            judgement.verdicts.push(match judged {
                Err(reason) => self.verdict(number, Outcome::Inconclusive(reason.to_string())),
                Ok(mutant) => {
                    judgement.unmasked += u32::from(comparison.lacks_anything(&seeds, mutant, insert));
                    self.compare(number, &comparison, &seeds, mutant, insert)
                }
            });
        }
        judgement.masks = masks.into_found();
        judgement
    }

    fn playback(&self, test: usize) -> Result<Playback<'b>, Unplayable> {
        let trace = self.traces.get(test).ok_or(Unplayable::NotRun)?;
        Playback::of(&self.batch.tests[test], trace, self.stills)
    }

    /// The runs of the seed, and why the batch cannot be judged if one of them failed.
    fn seeds<'p>(
        &self,
        played: &'p [Result<Playback<'b>, Unplayable>],
    ) -> (Vec<&'p Playback<'b>>, Option<SeedFault>) {
        let mut seeds = Vec::new();
        let mut unplayable = None;
        let runs = self.batch.tests.iter().zip(played).filter(|(test, _)| insertion(test).is_none());
        for (_, run) in runs {
            match run {
                Ok(seed) => seeds.push(seed),
                Err(reason) => {
                    unplayable.get_or_insert_with(|| SeedFault::Unplayable(reason.clone()));
                }
            }
        }
        if seeds.is_empty() && unplayable.is_none() {
            unplayable = Some(SeedFault::NoRun);
        }
        (seeds, unplayable)
    }

    /// The insertion must fit the test, and the inserted trace must have come back to the pivot.
    fn check(&self, mutant: &Playback<'_>, insert: Insert) -> Result<(), Unjudged> {
        let shots = insert
            .pivot
            .checked_sub(1)
            .and_then(|_| Some((mutant.shot(insert.pivot)?, mutant.shot(insert.end())?)));
        let (pivot, end) = shots.ok_or(Unjudged::Outside)?;
        let next = mutant.trace.steps.get(insert.end() - 1).map(|step| step.event);
        Ok(came_back(pivot.layout(), end.layout(), next, self.oracle.settings.pivot_likeness)?)
    }

    fn compare(
        &self,
        number: usize,
        comparison: &Comparison<'_>,
        seeds: &[&Playback<'b>],
        mutant: &Playback<'b>,
        insert: Insert,
    ) -> Verdict {
        let lost = comparison.lost(seeds, mutant, insert);
        let witness = witness(&lost);
        let (Some(&first), Some(&seed)) = (witness.first(), seeds.first()) else {
            return self.verdict(number, Outcome::Pass);
        };
        let case = Case::new(comparison, (seed, mutant), insert, &witness);
        let story = |test: usize| Story::of(self.run, test, |hash| self.gallery.layout(hash));
        let (usual, deviant) = (story(seed.trace.test.into()), story(number));
        let from_zero = |(i, j): (usize, usize)| (i - 1, j - 1);
        let dispute = explain::Case {
            usual: &usual,
            deviant: &deviant,
            usual_pair: from_zero(first.couple.seed),
            deviant_pair: from_zero(first.couple.mutant),
            extra: insert.pivot..insert.end(),
            lost: witness.iter().map(|lost| lost.difference()).collect(),
            instead: comparison.instead(first.couple),
            left_out: &|activity, widget| comparison.leaves_out(activity, widget),
        };
        Verdict {
            key: key(&witness, seed, comparison, case.is_touched()),
            title: telling::title(&dispute, first.diverged),
            evidence: Evidence::Effects(evidence(comparison, &witness, &lost)),
            hints: case.hints(),
            experiments: explain::experiments(&dispute),
            harm: telling::harm(&dispute, first.diverged),
            cluster: telling::cluster(&dispute),
            ..self.verdict(number, Outcome::Violation)
        }
    }

    fn verdict(&self, number: usize, outcome: Outcome) -> Verdict {
        let title = match &outcome {
            Outcome::Inconclusive(reason) => reason.clone(),
            Outcome::Pass => "every effect of the seed is there".into(),
            Outcome::Violation => String::new(),
        };
        let test = u16::try_from(number).unwrap_or(u16::MAX);
        Verdict {
            title,
            fidelity: self.traces.get(number).map_or(Fidelity::NOT_RUN, fidelity),
            ..Verdict::new(self.run.job.slot, test, "genie", outcome)
        }
    }
}

/// The witness's effects first, then the others in the order of their pairs.
fn evidence(
    comparison: &Comparison<'_>,
    witness: &[&Lost<'_>],
    lost: &[Lost<'_>],
) -> Vec<droidmux_record::UnmatchedEffect> {
    let first = witness.first().map(|lost| lost.couple.seed);
    let others = lost.iter().filter(|lost| Some(lost.couple.seed) != first);
    let all = witness.iter().copied().chain(others);
    all.take(MOST_EVIDENCE).map(|lost| comparison.evidence(lost)).collect()
}
