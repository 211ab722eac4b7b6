//! Experiments on confirmed findings: tests that ask whether the violation stays under another condition.
//!
//! In: violations of Genie with their runs, the findings as they stand, and what came of experiments. Out: batches to
//! run, each a job of its own, and what they mean for their finding.
//!
//! Invariants: only findings that are confirmed and not excused are examined; what is planned depends on absorbed jobs
//! alone.

use std::collections::{BTreeMap, BTreeSet};

use super::explain::Story;
use super::findings::{Findings, Replay};
use super::sentence::{self, quoted, row_label};
use droidmux_gui::{Event, Layout, Widget, row_of};
use droidmux_record::{
    Batch, Bearing, Deviation, Evidence, Experiment, ExperimentKind, FindingId, Insertion, JobRun, Judgement,
    Layouts, Outcome, Purpose, Role, Test, TurnPlace, Verdict, WidgetNote, Work,
};

/// How many inserted events of a trace are left out in turn, at most.
const MOST_ABLATED: u16 = 6;

/// How many events of a deviant input are left out in turn, at most, the last ones first.
const MOST_RESTORED: usize = 4;

/// The experiments of one session.
#[derive(Clone, Debug, Default)]
pub struct Inquiry {
    trials: BTreeMap<FindingId, Vec<Trial>>,
}

/// What may be tried on a finding.
#[derive(Clone, Debug, PartialEq)]
struct Trial {
    kind: ExperimentKind,
    tests: Vec<Test>,
    /// What is different, for a person.
    tried: String,
    /// The violation is about the object that its event names, which a change of the inserted one could not touch.
    of_object: bool,
    /// It asks whether the usual comes back, not whether a violation stays.
    restores: bool,
    planned: bool,
}

impl Inquiry {
    /// Notes what could be tried on a finding that this verdict stands for.
    pub fn consider(&mut self, id: &FindingId, run: &JobRun, verdict: &Verdict, layouts: &dyn Layouts) {
        let trials = match (&verdict.evidence, Subject::of(run, verdict, layouts)) {
            (Evidence::Deviation(deviation), _) => restored(deviation),
            (Evidence::Effects(_), Some(subject)) => {
                [subject.permuted(), subject.ablated()].into_iter().flatten().collect()
            }
            _ => return,
        };
        self.trials.insert(id.clone(), trials);
    }

    /// The experiment that matters most; `None` when there is none, or its events do not fit.
    pub fn next(&mut self, findings: &Findings, fits: impl Fn(u64) -> bool) -> Option<Work> {
        let wanted = |id: &FindingId| {
            let finding = findings.get(id)?;
            let open = finding.confirmation.is_confirmed() && !findings.is_excused(id);
            open.then_some((finding.verdict.harm, finding.occurrences))
        };
        let waits = self.trials.iter().filter(|(_, trials)| trials.iter().any(|trial| !trial.planned));
        let (_, id) = waits.filter_map(|(id, _)| Some((wanted(id)?, id.clone()))).min()?;
        let trials = self.trials.get_mut(&id)?;
        let at = trials.iter().position(|trial| !trial.planned)?;
        let trial = trials.get_mut(at)?;
        let purpose = Purpose::Examine { finding: id, kind: trial.kind };
        let work = Work::Batch(Batch { purpose, tests: trial.tests.clone() });
        if !fits(work.events()) {
            trials.remove(at);
            return None;
        }
        trial.planned = true;
        Some(work)
    }

    /// True while an experiment on this finding waits or is under way.
    pub fn is_open(&self, id: &FindingId) -> bool {
        self.trials.get(id).is_some_and(|trials| !trials.is_empty())
    }

    /// What came of an experiment on the finding with this key.
    pub fn result(
        &mut self,
        (id, key): (&FindingId, &str),
        kind: ExperimentKind,
        run: &JobRun,
        judgement: &Judgement,
    ) -> Vec<Experiment> {
        let Some(trials) = self.trials.get_mut(id) else { return Vec::new() };
        let Some(at) = trials.iter().position(|trial| trial.kind == kind) else { return Vec::new() };
        let trial = trials.remove(at);
        match kind {
            ExperimentKind::Ablation if trial.restores => trial.whether_it_restores(run, judgement),
            ExperimentKind::Ablation => trial.what_matters(key, run, judgement),
            _ => vec![trial.whether_it_stays(key, run, judgement)],
        }
    }
}

impl Trial {
    fn whether_it_stays(&self, key: &str, run: &JobRun, judgement: &Judgement) -> Experiment {
        let (bearing, came) = match Replay::read(key, &self.tests, run, judgement) {
            Replay::Shown if self.of_object => (Bearing::Accuses, "it happens all the same"),
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
        Experiment { kind: self.kind, bearing, words, places }
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

/// A mutant that violates, as experiments change it.
struct Subject<'a> {
    batch: &'a Batch,
    test: u16,
    mutant: &'a Test,
    insertion: Insertion,
    seed: Story<'a>,
    story: Story<'a>,
    of_object: bool,
}

impl<'a> Subject<'a> {
    fn of(run: &'a JobRun, verdict: &Verdict, layouts: &dyn Layouts) -> Option<Self> {
        let Work::Batch(batch) = &run.job.work else { return None };
        let mutant = batch.tests.get(usize::from(verdict.test))?;
        let insertion = mutant.role.insertion()?;
        let seed = batch.tests.iter().position(|test| test.role == Role::Seed)?;
        let story = |test: usize| Story::of(run, test, |hash| layouts.layout(hash));
        let (seed, story) = (story(seed), story(verdict.test.into()));
        let of_object = is_of_named_object(verdict, &story, layouts);
        Some(Self { batch, test: verdict.test, mutant, insertion, seed, story, of_object })
    }

    /// The sights on which the inserted events act.
    fn inserted(&self) -> std::ops::Range<usize> {
        let first = usize::from(self.insertion.pivot).saturating_sub(1);
        first..first + usize::from(self.insertion.length)
    }

    /// The inserted trace on another row, one that neither the seed nor the rest of it touches.
    fn permuted(&self) -> Option<Trial> {
        let all = |story: &Story<'_>| -> BTreeSet<String> {
            (0..story.sights.len()).filter_map(|n| story.row_named(n)).collect()
        };
        let (mut taken, own) = (all(&self.seed), all(&self.story));
        taken.extend(own);
        let on_row = |n: &usize| !self.story.sight(*n).is_none_or(|sight| sight.place().page.is_window());
        let first = self.inserted().filter(on_row).find(|&n| self.row(n).is_some())?;
        let row = self.row(first)?;
        let other = other_row(self.story.receiver(first)?, &taken)?;
        let mut events = self.mutant.events.clone();
        for n in self.inserted().filter(on_row).filter(|&n| self.row(n).as_ref() == Some(&row)) {
            let receiver = self.story.receiver(n)?;
            let event = events.get_mut(n)?;
            let twin = counterpart(receiver, &other)?;
            *event = Event { receiver: Some(receiver.layout().selector(twin.id())), ..event.clone() };
        }
        let mutant = Test { role: self.mutant.role.clone(), events };
        let tried = format!("what was inserted on {} was done on {} instead", quoted(&row), quoted(&other));
        Some(self.trial(ExperimentKind::ObjectPermutation, vec![mutant], tried))
    }

    fn row(&self, n: usize) -> Option<String> {
        row_label(self.story.receiver(n)?)
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
        Some(self.trial(ExperimentKind::Ablation, self.inserted().map(without).collect(), tried))
    }

    /// These mutants in the place of the one that violates, between the runs of the seed.
    fn trial(&self, kind: ExperimentKind, mutants: Vec<Test>, tried: String) -> Trial {
        let mut mutants = Some(mutants);
        let mut tests = Vec::new();
        for test in self.batch.reduced_to(self.test) {
            match test.role.insertion() {
                Some(_) => tests.extend(mutants.take().into_iter().flatten()),
                None => tests.push(test),
            }
        }
        Trial { kind, tests, tried, of_object: self.of_object, restores: false, planned: false }
    }
}

/// A deviant input without one of the events on its way, and with it, as a seed and its mutant: the last events first.
fn restored(deviation: &Deviation) -> Vec<Trial> {
    let events = &deviation.deviant.input;
    let way = 0..events.len().saturating_sub(1);
    let pair = |left_out: usize| {
        let rest = events.iter().enumerate().filter(|(n, _)| *n != left_out).map(|(_, event)| event.clone());
        let seed = Test { role: Role::Seed, events: rest.collect() };
        let pivot = u16::try_from(left_out + 1).ok()?;
        let mutant = Test { role: Role::Mutant(Insertion { pivot, length: 1 }), events: events.clone() };
        let tried = format!("{} was left out", sentence::deed(events.get(left_out)?, None));
        let tests = vec![seed.clone(), mutant, seed];
        let kind = ExperimentKind::Ablation;
        Some(Trial { kind, tests, tried, of_object: false, restores: true, planned: false })
    };
    way.rev().filter_map(pair).take(MOST_RESTORED).collect()
}

/// The label of another row of the receiver's list, of the same kind, with none of these labels.
fn other_row(receiver: Widget<'_>, taken: &BTreeSet<String>) -> Option<String> {
    let row = row_of(receiver)?;
    let alike = |other: &Widget<'_>| other.class() == row.class() && other.resource_id() == row.resource_id();
    let others = row.parent()?.children().filter(alike).filter_map(row_label);
    others.into_iter().find(|label| !taken.contains(label))
}

/// The widget that does in the row of this label what `widget` does in its own.
fn counterpart<'a>(widget: Widget<'a>, label: &str) -> Option<Widget<'a>> {
    let layout: &'a Layout = widget.layout();
    let row = row_of(widget)?;
    let place = widget.id().0 - row.id().0;
    let is_its = |other: &Widget<'_>| {
        other.class() == widget.class()
            && other.resource_id() == widget.resource_id()
            && row_label(*other).as_deref() == Some(label)
    };
    let mut found: Vec<Widget<'a>> = layout.widgets().filter(is_its).collect();
    let away = |other: &Widget<'_>| row_of(*other).map_or(0, |row| other.id().0 - row.id().0).abs_diff(place);
    found.sort_by_key(away);
    found.first().copied()
}

/// True when what is missing belongs to a row that the event names. What an event does to others (what is first, newest
/// or running, what moves out of view) depends on more than the object that the insertion acted on.
fn is_of_named_object(verdict: &Verdict, mutant: &Story<'_>, layouts: &dyn Layouts) -> bool {
    let Some(effect) = verdict.evidence.effects().first() else { return false };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::stage::{Told, told_batch};
    use droidmux_record::{EffectKind, SessionId, UnmatchedEffect};

    const PAGE: &str = "bar A; row milk=open; row tea; row jam";
    const SEED: &str =
        "bar A; row milk=open; row tea; row jam -click tick of milk-> bar A; row milk=done; row tea; row jam";

    /// A seed, a mutant with one inserted event at its start, and the seed again.
    fn batch(seed: &str, inserted: &str, page: &str) -> Told {
        let mutant = format!("{page} -{inserted}-> {page} -click tick of milk-> {page}");
        let role = Role::Mutant(Insertion { pivot: 1, length: 1 });
        told_batch(&[(Role::Seed, seed), (role, &mutant), (Role::Seed, seed)])
    }

    /// The detail `open` of a row does not change.
    fn violation(told: &Told) -> Verdict {
        let layouts = [0, 1, 2, 4].map(|n| told.shown(n).hash());
        let detail = told.shown(0).widgets().find(|w| w.text() == "open").expect("a detail");
        let effect = UnmatchedEffect {
            kind: EffectKind::Changed,
            before: Some(WidgetNote::of(detail)),
            after: None,
            context: String::new(),
            seed: (1, 2),
            mutant: (1, 3),
            layouts,
            diverged: false,
        };
        Verdict {
            key: "k".into(),
            evidence: Evidence::Effects(vec![effect]),
            ..Verdict::new(told.run.job.slot, 1, "genie", Outcome::Violation)
        }
    }

    #[test]
    fn a_violation_is_of_the_object_that_its_event_names() {
        for (page, expected) in [
            ("bar A; row milk=open; row tea; row jam", true),
            ("bar A; row milk; row tea=open; row jam", false),
        ] {
            let told = batch(&format!("{page} -click tick of milk-> {page}"), "click more of jam", page);
            let subject = Subject::of(&told.run, &violation(&told), &told).map(|subject| subject.of_object);
            assert_eq!(subject, Some(expected), "{page}");
        }
    }

    #[test]
    fn another_row_is_one_that_nothing_touches() {
        for (seed, inserted, page, other) in [
            (SEED, "click more of tea", PAGE, Some("jam")),
            (SEED, "click more of jam", PAGE, Some("tea")),
            (SEED, "click more of milk", PAGE, Some("tea")),
            (SEED, "click Navigate up", PAGE, None),
            (
                "bar A; row milk=open; row tea -click tick of milk-> bar A; row milk=done; row tea",
                "click more of tea",
                "bar A; row milk=open; row tea",
                None,
            ),
        ] {
            let told = batch(seed, inserted, page);
            let verdict = violation(&told);
            let subject = Subject::of(&told.run, &verdict, &told).expect("a mutant");
            let trial = subject.permuted();
            let acted = trial.as_ref().and_then(|trial| {
                assert_eq!(trial.tests.len(), 3, "the mutant between two runs of the seed");
                let layout = told.shown(0);
                let receiver = trial.tests[1].events[0].receiver.as_ref()?;
                row_label(layout.get(layout.resolve(receiver).widget()?)?)
            });
            assert_eq!(acted.as_deref(), other, "{inserted}");
            assert!(trial.is_none_or(|trial| trial.of_object), "{inserted}");
        }
    }

    #[test]
    fn what_stays_accuses_and_what_goes_excuses() {
        let told = batch(SEED, "click more of tea", PAGE);
        let verdict = violation(&told);
        let shown = Judgement { verdicts: vec![verdict.clone()], ..Judgement::default() };
        let subject = Subject::of(&told.run, &verdict, &told).expect("a mutant");
        let trial = subject.permuted().expect("another row");
        let none = Judgement::default();
        for (name, of_object, judgement, turns, bearing) in [
            ("it stays", true, &shown, 7, Bearing::Accuses),
            ("it stays, on what all rows share", false, &shown, 7, Bearing::Silent),
            ("it goes", true, &none, 7, Bearing::Excuses),
            ("it could not be done", true, &none, 4, Bearing::Silent),
        ] {
            let trial = Trial { of_object, ..trial.clone() };
            let run = JobRun { turns: told.run.turns[..turns].to_vec(), ..told.run.clone() };
            let experiment = trial.whether_it_stays("k", &run, judgement);
            assert_eq!(experiment.bearing, bearing, "{name}");
            assert!(
                experiment.words.starts_with("What was inserted on 'tea' was done on 'jam' instead:"),
                "{name}"
            );
        }
    }

    #[test]
    fn only_confirmed_findings_are_examined_and_within_the_budget() {
        let told = batch(SEED, "click more of tea", PAGE);
        let verdict = violation(&told);
        // Events there is room for, replays that show it, and how many experiments are planned: one takes four events.
        for (room, shown, excused, planned) in
            [(4, 2, false, 1), (4, 1, false, 0), (3, 2, false, 0), (4, 2, true, 0)]
        {
            let mut findings = Findings::new(SessionId(1), "genie", "a.b", 2, 3);
            let id = findings.add(told.run.job.slot, &verdict).expect("a finding");
            (0..shown).for_each(|_| _ = findings.replayed(&id, Replay::Shown));
            if excused {
                let words = String::new();
                let (kind, bearing) = (ExperimentKind::OwnObject, Bearing::Excuses);
                findings.examined(&id, vec![Experiment { kind, bearing, words, places: Vec::new() }]);
            }
            let mut inquiry = Inquiry::default();
            inquiry.consider(&id, &told.run, &verdict, &told);
            assert!(inquiry.is_open(&id));
            let works = std::iter::from_fn(|| inquiry.next(&findings, |events| events <= room)).count();
            assert_eq!(works, planned, "{room} {shown} {excused}");
            let waits = planned > 0 || shown < 2 || excused;
            assert_eq!(inquiry.is_open(&id), waits, "what does not fit is given up");
        }
    }
}
