//! A violation of Genie or Odin, as experiments change its tests.
//!
//! In: the run of a mutant that violates, or a deviation with its input. Out: [`Trial`]s.
//!
//! Invariant: a trial differs from what was run in the one thing that it asks about.

use std::collections::BTreeSet;

use super::exchange::{Exchange, acted_on};
use super::trial::{Asks, Trial};
use crate::explain::Story;
use crate::sentence::{self, row_label};
use droidmux_gui::Event;
use droidmux_record::{
    Batch, Deviation, Insertion, JobRun, Layouts, Role, Test, UnmatchedEffect, Verdict, WidgetNote, Work,
};

/// How many inserted events of a trace are left out in turn, at most.
const MOST_ABLATED: u16 = 6;

/// How many events of a deviant input are left out in turn, at most, the last ones first.
const MOST_RESTORED: usize = 4;

/// The pause for one inserted event, with what follows it: more than most take.
pub(super) const PAUSE_SECONDS: u32 = 2;

/// A mutant that violates, as experiments change it.
pub(super) struct Subject<'a> {
    batch: &'a Batch,
    test: u16,
    unchanged: &'a Test,
    mutant: &'a Test,
    insertion: Insertion,
    seed: Story<'a>,
    story: Story<'a>,
    pub(super) of_object: bool,
    /// The effect that is missing first.
    missing: Option<&'a UnmatchedEffect>,
}

impl<'a> Subject<'a> {
    pub(super) fn of(run: &'a JobRun, verdict: &'a Verdict, layouts: &dyn Layouts) -> Option<Self> {
        let Work::Batch(batch) = &run.job.work else { return None };
        let mutant = batch.tests.get(usize::from(verdict.test))?;
        let insertion = mutant.role.insertion()?;
        let seed = batch.tests.iter().position(|test| test.role == Role::Seed)?;
        let story = |test: usize| Story::of(run, test, |hash| layouts.layout(hash));
        let unchanged = batch.tests.get(seed)?;
        let (seed, story) = (story(seed), story(verdict.test.into()));
        let of_object = is_of_named_object(verdict, &story, layouts);
        let missing = verdict.evidence.effects().first();
        Some(Self {
            batch,
            test: verdict.test,
            unchanged,
            mutant,
            insertion,
            seed,
            story,
            of_object,
            missing,
        })
    }

    /// What may be tried, the cheapest explanation first.
    pub(super) fn trials(&self) -> Vec<Trial> {
        [self.paused(), self.permuted(), self.ablated()].into_iter().flatten().collect()
    }

    /// The seed with a pause for the inserted trace: whatever is done takes time, and time alone changes some things.
    pub(super) fn paused(&self) -> Option<Trial> {
        let missing = self.missing?;
        let Insertion { pivot, length } = self.insertion;
        let mut events = self.unchanged.events.clone();
        let at = usize::from(pivot).saturating_sub(1).min(events.len());
        let pause = Event::wait(u32::from(length).saturating_mul(PAUSE_SECONDS));
        let tried = format!("{} seconds passed with nothing done in between", pause.seconds());
        events.insert(at, pause);
        let mutant = Test { role: Role::Mutant(Insertion { pivot, length: 1 }), events };
        Some(self.trial(Asks::Pause(Box::new(missing.clone())), vec![mutant], tried))
    }

    /// The sights on which the inserted events act.
    fn inserted(&self) -> std::ops::Range<usize> {
        let first = usize::from(self.insertion.pivot).saturating_sub(1);
        first..first + usize::from(self.insertion.length)
    }

    /// The inserted trace on another row, one that neither the seed nor the rest of it touches.
    pub(super) fn permuted(&self) -> Option<Trial> {
        let all = |story: &Story<'_>| -> BTreeSet<String> {
            (0..story.sights.len()).filter_map(|n| story.row_named(n)).collect()
        };
        let (mut taken, own) = (all(&self.seed), all(&self.story));
        taken.extend(own);
        let first = self.inserted().find(|&n| acted_on(&self.story, n).is_some())?;
        let exchange = Exchange::of(&self.story, &self.mutant.events, self.inserted(), first, &taken)?;
        let tried = exchange.words("what was inserted");
        let mutant = Test { role: self.mutant.role.clone(), events: exchange.events };
        Some(self.trial(Asks::OnAnother { of_object: self.of_object }, vec![mutant], tried))
    }

    /// Each inserted event left out in turn.
    fn ablated(&self) -> Option<Trial> {
        let Insertion { pivot, length } = self.insertion;
        if !(2..=MOST_ABLATED).contains(&length) {
            return None;
        }
        let without = |left_out: usize| {
            let events = self.mutant.events.iter().enumerate();
            let events = events.filter(|(n, _)| *n != left_out).map(|(_, event)| event.clone()).collect();
            Test { role: Role::Mutant(Insertion { pivot, length: length - 1 }), events }
        };
        let tried = "each inserted event was left out in turn".to_owned();
        Some(self.trial(Asks::Matters, self.inserted().map(without).collect(), tried))
    }

    /// These mutants in the place of the one that violates, between the runs of the seed.
    fn trial(&self, asks: Asks, mutants: Vec<Test>, tried: String) -> Trial {
        let mut mutants = Some(mutants);
        let mut tests = Vec::new();
        for test in self.batch.reduced_to(self.test) {
            match test.role.insertion() {
                Some(_) => tests.extend(mutants.take().into_iter().flatten()),
                None => tests.push(test),
            }
        }
        Trial::new(asks, tests, tried)
    }
}

/// A deviant input without one of the events on its way, and with it, as a seed and its mutant: the last events first.
pub(super) fn restored(deviation: &Deviation) -> Vec<Trial> {
    let events = &deviation.deviant.input;
    let way = 0..events.len().saturating_sub(1);
    let pair = |left_out: usize| {
        let rest = events.iter().enumerate().filter(|(n, _)| *n != left_out).map(|(_, event)| event.clone());
        let seed = Test { role: Role::Seed, events: rest.collect() };
        let pivot = u16::try_from(left_out + 1).ok()?;
        let mutant = Test { role: Role::Mutant(Insertion { pivot, length: 1 }), events: events.clone() };
        let tried = format!("{} was left out", sentence::deed(events.get(left_out)?, None));
        let tests = vec![seed.clone(), mutant, seed];
        Some(Trial::new(Asks::Restores, tests, tried))
    };
    way.rev().filter_map(pair).take(MOST_RESTORED).collect()
}

/// True when what is missing belongs to a row that the event names. What an event does to others (what is first, newest
/// or running, what moves out of view) depends on more than the object that the insertion acted on.
fn is_of_named_object(verdict: &Verdict, mutant: &Story<'_>, layouts: &dyn Layouts) -> bool {
    // Of what several events did together, none of them names the object.
    let is_single = |effect: &&UnmatchedEffect| effect.seed.1.checked_sub(effect.seed.0) == Some(1);
    let Some(effect) = verdict.evidence.effects().first().filter(is_single) else { return false };
    // Screens are counted from 1, and the event is done on the one before the last.
    let Some(at) = usize::from(effect.mutant.1).checked_sub(2) else { return false };
    let in_row = |note: &Option<WidgetNote>, number: usize| {
        let (Some(note), Some(hash)) = (note, effect.layouts.get(number)) else { return false };
        let layout = layouts.layout(*hash);
        layout.is_some_and(|layout| {
            let mut noted = layout.widgets().filter(|widget| WidgetNote::of(*widget) == *note);
            noted.any(|widget| row_label(widget).is_some_and(|label| mutant.names(at, &label)))
        })
    };
    in_row(&effect.before, 0) || in_row(&effect.after, 1)
}
