//! The oracle of neutral insertions: the screen after one is the screen before, and the rest of the seed goes as
//! before.

use std::collections::BTreeSet;
use std::fmt;

use crate::Oracle;
use crate::fidelity::{Shortfall, fidelity, shortfall};
use crate::mask::Masks;
use crate::playback::{Gallery, Insert, Playback, SeedFault, Shot, Stills, Unplayable, insertion};
use crate::relation::insertion::{done, promise};
use crate::relation::lost;
use crate::sentence::deed;
use droidmux_gui::EventKind;
use droidmux_record::{
    Batch, Broken, Evidence, Fidelity, Held, JobRun, Judgement, Layouts, MaskEdit, NeutralInsertion, Outcome,
    Seen, SessionDefinition, Trace, Verdict, WidgetNote, Work,
};
use droidmux_words::printable;

use super::RELATION;
use super::difference::{Difference, Eye, elsewhere, is_popup};
use super::insertion::kind_of;
use super::sentence::called_by;
use super::touch::taken;
use super::weight::{agreed, claim, is_done_with, is_slight, stayed};

/// Widgets kept as evidence on each side.
const MOST_WIDGETS: usize = 20;

/// Judges batches of a seed, mutants of it, and the seed again.
#[derive(Clone, Debug)]
pub struct NeutralOracle {
    definition: SessionDefinition,
    edits: Vec<MaskEdit>,
}

impl NeutralOracle {
    /// An oracle with the session's settings and what people changed about the masks.
    pub fn new(definition: &SessionDefinition, edits: &[MaskEdit]) -> Self {
        Self { definition: definition.clone(), edits: edits.to_vec() }
    }
}

impl Oracle for NeutralOracle {
    /// A verdict for every mutant of the batch; none for exploration and for seeds.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let Work::Batch(batch) = &run.job.work else { return Judgement::default() };
        let gallery = Gallery::of(run, layouts);
        let stills = gallery.stills();
        let traces = run.traces();
        Bench { oracle: self, run, batch, traces: &traces, stills: &stills }.judge()
    }
}

/// One batch on the bench.
struct Bench<'b> {
    oracle: &'b NeutralOracle,
    run: &'b JobRun,
    batch: &'b Batch,
    traces: &'b [Trace<'b>],
    stills: &'b Stills<'b>,
}

/// Why a mutant cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum Unjudged {
    #[error("the mutant did not run")]
    NotRun,
    #[error("what is inserted is no whole insertion of the list")]
    Unlisted,
    #[error(transparent)]
    Seed(#[from] SeedFault),
    #[error("the test ended before the insertion{0}")]
    Before(Cut),
    #[error("the insertion could not be done{0}")]
    Within(Cut),
    #[error("the test did not come to its end{0}")]
    After(Cut),
    #[error("the app crashed")]
    Crashed,
    #[error("another app is in front")]
    OtherApp,
    #[error("a screen did not settle")]
    Unsettled,
    #[error("a page was still loading")]
    Loading,
    #[error("the screen is turned")]
    Turned,
}

/// What cut a test short, if one of its events did.
#[derive(Clone, Debug, PartialEq)]
struct Cut(Option<Shortfall>);

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|shortfall| write!(f, ": {shortfall}"))
    }
}

/// Two screens that should be equal and are not.
struct Contradiction<'b> {
    earlier: Shot<'b>,
    later: Shot<'b>,
    difference: Difference<'b>,
    /// The event of the seed after which it shows; `None` right after the insertion.
    event: Option<&'b droidmux_gui::Event>,
}

impl<'b> Bench<'b> {
    fn judge(&self) -> Judgement {
        let played: Vec<Option<Playback<'b>>> =
            self.traces.iter().map(|trace| Playback::so_far(trace, self.stills)).collect();
        let (seeds, unplayable) = self.seeds();
        let seeds: Vec<&Playback<'b>> = seeds.iter().collect();
        let mutants = self.batch.tests.iter().zip(&played);
        let mutants = mutants.filter_map(|(test, played)| Some((insertion(test)?, played.as_ref()?)));
        let masks = Masks::learned(&self.oracle.edits, &seeds, mutants);
        let unmasked = Masks::edited(&[]);
        let mut judgement = Judgement::default();
        let mut held = Vec::new();
        for (number, test) in self.batch.tests.iter().enumerate() {
            let Some(insert) = insertion(test) else { continue };
            let inserted = test.events.iter().skip(insert.pivot.saturating_sub(1)).take(insert.length);
            let mutant = played.get(number).and_then(Option::as_ref);
            let judged = match (mutant, kind_of(inserted), &unplayable) {
                (None, ..) => Err(Unjudged::NotRun),
                (_, None, _) => Err(Unjudged::Unlisted),
                (_, _, Some(fault)) => Err(fault.clone().into()),
                (Some(mutant), Some(kind), None) => {
                    let found = self.compare(&masks, &seeds, mutant, (insert, kind), &mut held);
                    found.map(|found| (mutant, kind, found))
                }
            };
            if let Ok((mutant, kind, _)) = &judged {
                let found = self.compare(&unmasked, &seeds, mutant, (insert, *kind), &mut Vec::new());
                judgement.unmasked += u32::from(matches!(found, Ok(Some(_))));
            }
            judgement.verdicts.push(match judged {
                Err(reason) => self.verdict(number, Outcome::Inconclusive(reason.to_string())),
                Ok((_, _, None)) => self.verdict(number, Outcome::Pass),
                Ok((mutant, kind, Some(found))) => self.violation(number, mutant, (insert, kind), &found),
            });
        }
        judgement.masks = masks.into_found();
        held.sort_unstable_by_key(|held| (held.about, held.object));
        held.dedup();
        judgement.held = held;
        judgement
    }

    /// The runs of the seed, and why the batch cannot be judged if one of them failed.
    fn seeds(&self) -> (Vec<Playback<'b>>, Option<SeedFault>) {
        let mut seeds = Vec::new();
        let mut unplayable = None;
        for (number, test) in
            self.batch.tests.iter().enumerate().filter(|(_, test)| insertion(test).is_none())
        {
            let trace = self.traces.get(number).ok_or(Unplayable::NotRun);
            match trace.and_then(|trace| Playback::of(test, trace, self.stills)) {
                Ok(seed) => seeds.push(seed),
                Err(reason) => {
                    unplayable.get_or_insert(SeedFault::Unplayable(reason));
                }
            }
        }
        if seeds.is_empty() && unplayable.is_none() {
            unplayable = Some(SeedFault::NoRun);
        }
        (seeds, unplayable)
    }

    /// Where a mutant contradicts itself or its seed; an error says why it cannot be judged. The steps of the seed
    /// that went as in the seed are added to `held`.
    fn compare(
        &self,
        masks: &Masks,
        seeds: &[&Playback<'b>],
        mutant: &Playback<'b>,
        (insert, kind): (Insert, NeutralInsertion),
        held: &mut Vec<Held>,
    ) -> Result<Option<Contradiction<'b>>, Unjudged> {
        let eye = Eye { ignore: &self.oracle.definition.ignore, masks };
        let pivot = insert.pivot.checked_sub(1).and_then(|_| mutant.shot(insert.pivot));
        let pivot = pivot.ok_or_else(|| Unjudged::Before(cut(mutant.trace)))?;
        let end = mutant.shot(insert.end());
        let end = end.ok_or_else(|| Unjudged::Within(cut(mutant.trace)))?;
        comparable(pivot, end, &self.oracle.definition.app)?;
        // What opens nothing changes something, and going back leads somewhere else.
        let opens = || mutant.shot(insert.pivot + 1).is_some_and(|opened| elsewhere(pivot, opened).is_some());
        let below = mutant.shot(insert.pivot - 1);
        if is_popup(pivot, below) || kind == NeutralInsertion::Page && !opens() {
            return Ok(None);
        }
        let typed: BTreeSet<&str> = mutant
            .trace
            .steps
            .iter()
            .take(insert.pivot - 1)
            .filter_map(|step| step.event.data.as_deref().filter(|_| step.event.kind == EventKind::Edit))
            .collect();
        let difference = eye.difference(pivot, end, &typed);
        held.extend(stayed(kind, pivot, difference.as_ref()));
        if let Some(difference) = difference {
            let opening = mutant.trace.steps.get(insert.pivot - 1).map(|step| step.event);
            if kind == NeutralInsertion::Page
                && opening.is_some_and(|event| is_done_with(&difference, pivot, event))
            {
                return Ok(None);
            }
            return Ok(Some(Contradiction { earlier: pivot, later: end, difference, event: None }));
        }
        self.rest(&eye, seeds, mutant, (insert, kind), &typed, held)
    }

    /// The rest of the seed, step by step; what is slight does not count here, since it may come from the passing of
    /// time.
    fn rest(
        &self,
        eye: &Eye<'_>,
        seeds: &[&Playback<'b>],
        mutant: &Playback<'b>,
        (insert, kind): (Insert, NeutralInsertion),
        typed: &BTreeSet<&str>,
        held: &mut Vec<Held>,
    ) -> Result<Option<Contradiction<'b>>, Unjudged> {
        let Some((seed, others)) = seeds.split_first() else { return Ok(None) };
        for at in insert.pivot + 1..=seed.len() {
            let Some(wanted) = seed.shot(at) else { break };
            let Some(shown) = mutant.shot(insert.counterpart(at)) else {
                return Err(Unjudged::After(cut(mutant.trace)));
            };
            let agree = |other: &&Playback<'b>| {
                let same = other.shot(at).map(|again| eye.difference(wanted, again, typed));
                matches!(same, Some(None))
            };
            if !wanted.seen.screen.in_app || !others.iter().all(agree) {
                break;
            }
            let event = seed.trace.steps.get(at - 2).map(|step| step.event);
            let keyboard = |shot: Option<Shot<'_>>| shot.is_some_and(|shot| shot.seen.screen.keyboard);
            let closes = keyboard(seed.shot(at - 1)) != keyboard(mutant.shot(insert.counterpart(at) - 1));
            // Going back closes a keyboard first, and whether one is up is no loss.
            if closes && event.is_some_and(|event| event.kind == EventKind::Back) {
                break;
            }
            // A keyboard makes a page shorter, so the middle of a container is then over another of its parts.
            let taken = |before: Option<Shot<'b>>| taken(before?.layout(), event?);
            if taken(seed.shot(at - 1)) != taken(mutant.shot(insert.counterpart(at) - 1)) {
                break;
            }
            comparable(wanted, shown, &self.oracle.definition.app)?;
            if let Some(difference) = eye.difference(wanted, shown, typed) {
                if difference.kind.is_slight() || is_popup(wanted, seed.shot(at - 1)) {
                    break;
                }
                return Ok(Some(Contradiction { earlier: wanted, later: shown, difference, event }));
            }
            held.extend(event.map(|event| agreed(kind, shown, event)));
        }
        Ok(None)
    }

    fn violation(
        &self,
        number: usize,
        mutant: &Playback<'b>,
        (insert, kind): (Insert, NeutralInsertion),
        found: &Contradiction<'b>,
    ) -> Verdict {
        let Difference { kind: loss, words, about, widgets, .. } = &found.difference;
        let opened = mutant
            .trace
            .steps
            .get(insert.pivot - 1)
            .and_then(|step| step.event.receiver.as_ref())
            .map(called_by);
        let then = found.event.map(|event| format!(" and then {}", deed(event, None))).unwrap_or_default();
        let unlike = if found.event.is_some() { ", unlike without it" } else { "" };
        let sentence = format!("After {}{then} {words}{unlike}.", done(kind, opened.as_deref()));
        let activity = found.earlier.activity();
        let by = found.event.map(|event| event.kind.name()).unwrap_or_default();
        let notes = |widgets: &[droidmux_gui::Widget<'_>]| {
            widgets.iter().take(MOST_WIDGETS).map(|w| WidgetNote::of(*w)).collect()
        };
        let loss_of = [activity, loss.name(), about.as_str(), by].join("\n");
        Verdict {
            key: format!("{RELATION} {}\n{loss_of}", kind.name()),
            title: printable(&sentence).into_owned(),
            evidence: Evidence::Broken(Box::new(Broken {
                relation: RELATION.into(),
                expected: promise(kind).into(),
                found: printable(&sentence).into_owned(),
                turns: (self.turn_of(found.earlier.seen), self.turn_of(found.later.seen)),
                layouts: (found.earlier.hash(), found.later.hash()),
                widgets: (notes(&widgets.0), notes(&widgets.1)),
                claim: claim(kind, *loss, found.later, found.event),
                slight: is_slight(kind, &found.difference, found.event.is_some()),
            })),
            harm: loss.harm(),
            cluster: lost(activity, loss.family()),
            ..self.verdict(number, Outcome::Violation)
        }
    }

    /// The number of the turn that saw this.
    fn turn_of(&self, seen: &Seen) -> u32 {
        let is_it = |turn: &droidmux_record::Turn| {
            turn.observation.seen().is_some_and(|other| std::ptr::eq(other, seen))
        };
        let turn = self.run.turns.iter().position(is_it);
        turn.and_then(|turn| u32::try_from(turn).ok()).unwrap_or_default()
    }

    fn verdict(&self, number: usize, outcome: Outcome) -> Verdict {
        let title = match &outcome {
            Outcome::Inconclusive(reason) => reason.clone(),
            Outcome::Pass => "everything is as it was before the insertion".into(),
            Outcome::Violation => String::new(),
        };
        let test = u16::try_from(number).unwrap_or(u16::MAX);
        Verdict {
            title,
            fidelity: self.traces.get(number).map_or(Fidelity::NOT_RUN, fidelity),
            ..Verdict::new(self.run.job.slot, test, "neutral", outcome)
        }
    }
}

/// Says why two screens cannot be compared.
fn comparable(earlier: Shot<'_>, later: Shot<'_>, app: &str) -> Result<(), Unjudged> {
    if later.seen.crashed(app) {
        return Err(Unjudged::Crashed);
    }
    if !later.seen.screen.in_app || !earlier.seen.screen.in_app {
        return Err(Unjudged::OtherApp);
    }
    if !earlier.seen.is_settled() || !later.seen.is_settled() {
        return Err(Unjudged::Unsettled);
    }
    if earlier.layout().is_loading() || later.layout().is_loading() {
        return Err(Unjudged::Loading);
    }
    if earlier.layout().rotation() != later.layout().rotation() {
        return Err(Unjudged::Turned);
    }
    Ok(())
}

/// What one of a test's events ran into.
fn cut(trace: &Trace<'_>) -> Cut {
    let failed = trace.steps.iter().any(|step| step.after.is_err());
    Cut(failed.then(|| shortfall(trace, trace.steps.len())).flatten())
}
