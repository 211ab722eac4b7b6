//! The forms of an app as the planner knows them: how each is reached, what passes it, and what was
//! tried on it.

use std::collections::{BTreeMap, BTreeSet};

use super::errand::{FormKnown, FormRound, FormTest};
use super::form::Form;
use super::shut::is_shut;
use crate::InputblasterSettings;
use droidmux_gui::{Event, StateId, Widget};
use droidmux_record::{JobRun, Layouts, Trace};

/// All forms that were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    forms: BTreeMap<StateId, Record>,
}

/// One form.
#[derive(Clone, Debug)]
struct Record {
    /// Counted from 0 in the order of first sight.
    order: usize,
    /// The shortest recorded way to it from a reset.
    way: Vec<Event>,
    activity: String,
    /// What tells each field.
    fields: Vec<[String; 3]>,
    known: Option<FormKnown>,
    /// Jobs planned, inputs tried on each field, milliseconds spent.
    jobs: u32,
    attempts: Vec<u32>,
    took_ms: u64,
    /// Fields for which a job brought no input.
    barren: BTreeSet<usize>,
    busy: bool,
    /// Nothing more is tried on it.
    over: Option<Over>,
}

/// Why nothing more is tried on a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The budget of the page is used up.
    Done,
    /// Nothing passed it.
    GivenUp,
}

/// The longest way to a form, in events.
const LONGEST_WAY: usize = 40;

/// The most forms.
const MOST_FORMS: usize = 200;

impl Forms {
    /// Notes the forms that a job came across, with the ways to them.
    pub fn collect(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        for trace in run.traces() {
            self.collect_trace(&trace, &run.app.package, layouts);
        }
    }

    fn collect_trace(&mut self, trace: &Trace<'_>, app: &str, layouts: &dyn Layouts) {
        let Some(start) = trace.start else { return };
        let mut way: Vec<Event> = Vec::new();
        let mut last = None;
        let succeeded = trace.steps.iter().filter_map(|step| Some((Some(step.event), step.after.ok()?)));
        for (event, seen) in std::iter::once((None, start)).chain(succeeded) {
            way.extend(event.cloned());
            // A turned screen shows another part of the same form.
            if seen.screen.rotation != start.screen.rotation {
                continue;
            }
            if seen.crashed(app) || way.len() > LONGEST_WAY {
                return;
            }
            // Most steps of a form's own test stay on it.
            if last.replace(seen.screen.layout) == Some(seen.screen.layout) {
                continue;
            }
            let Some(layout) = layouts.layout(seen.screen.layout) else { continue };
            if let Some(form) = Form::of(&seen.screen, &layout) {
                self.meet(&form, &way);
            }
        }
    }

    fn meet(&mut self, form: &Form<'_>, way: &[Event]) {
        let (order, full) = (self.forms.len(), self.forms.len() >= MOST_FORMS);
        let id = form.id();
        match self.forms.get_mut(&id) {
            // A way that jobs have begun with stays: what they learnt may depend on it.
            Some(known) if known.jobs == 0 && way.len() < known.way.len() => known.way = way.to_vec(),
            Some(_) => {}
            None if full => {}
            None => {
                let record = Record {
                    order,
                    way: way.to_vec(),
                    activity: form.activity.to_owned(),
                    fields: form.widgets().map(names).collect(),
                    known: None,
                    jobs: 0,
                    attempts: vec![0; form.fields.len()],
                    took_ms: 0,
                    barren: BTreeSet::new(),
                    busy: false,
                    over: None,
                };
                self.forms.insert(id, record);
            }
        }
    }

    /// The next test: of the form on which the fewest jobs ran, or the earliest of those. `room`
    /// says whether this many events may be spent.
    pub fn plan(
        &mut self,
        settings: &InputblasterSettings,
        overhead: u32,
        room: impl Fn(u64) -> bool,
    ) -> Option<FormTest> {
        let parts = self.parts();
        let is_open = |id: &StateId, record: &Record| {
            record.over.is_none() && !record.busy && (record.jobs > 0 || !parts.contains(id))
        };
        let mut waiting: Vec<(&StateId, &mut Record)> =
            self.forms.iter_mut().filter(|(id, record)| is_open(id, record)).collect();
        waiting.sort_by_key(|(_, record)| (record.jobs, record.order));
        for (&state, record) in waiting {
            let test = record.test(state, settings, overhead);
            if room(test.events.into()) {
                record.busy = true;
                record.jobs += 1;
                return Some(test);
            }
        }
        None
    }

    /// Forms that are a part of another one: a scrolled page shows some of its fields.
    fn parts(&self) -> BTreeSet<StateId> {
        let is_part = |one: &Record, other: &Record| {
            one.activity == other.activity
                && one.fields.len() < other.fields.len()
                && one.fields.iter().all(|field| other.fields.contains(field))
        };
        let parts = self.forms.iter().filter(|(_, one)| self.forms.values().any(|other| is_part(one, other)));
        parts.map(|(id, _)| *id).collect()
    }

    /// Takes in what a job found out about its form.
    pub fn absorb(&mut self, test: &FormTest, outcome: Outcome, settings: &InputblasterSettings) {
        let Some(record) = self.forms.get_mut(&test.state) else { return };
        record.busy = false;
        let field = usize::from(test.field);
        if let Some(attempts) = record.attempts.get_mut(field) {
            *attempts = attempts.saturating_add(outcome.attempts);
        }
        record.took_ms = record.took_ms.saturating_add(outcome.took_ms);
        let rounds = |record: &Record| record.known.as_ref().map_or(0, |known| known.rounds.len());
        let before = rounds(record);
        if outcome.known.is_some() {
            record.known = outcome.known;
        }
        let minutes = record.took_ms / 60_000;
        // The generators for one field may be of no use, and those for another not.
        let in_vain = outcome.attempts == 0 && outcome.answered;
        if in_vain {
            record.barren.insert(field);
        }
        record.over = if record.known.is_none() && outcome.answered && outcome.attempts == 0 {
            Some(Over::GivenUp)
        } else if minutes >= settings.minutes.into()
            || (in_vain && rounds(record) == before)
            || record.next_field(settings).is_none()
        {
            Some(Over::Done)
        } else {
            None
        };
    }

    /// Forms found, passed, given up, and those on which nothing more is tried.
    pub fn counts(&self) -> (u64, u64, u64, u64) {
        let parts = self.parts();
        let whole = || self.forms.iter().filter(|(id, record)| record.jobs > 0 || !parts.contains(id));
        let count = |wanted: fn(&Record) -> bool| whole().filter(|(_, r)| wanted(r)).count() as u64;
        (
            whole().count() as u64,
            count(|record| record.known.is_some()),
            count(|record| record.over == Some(Over::GivenUp)),
            count(|record| record.over.is_some()),
        )
    }
}

/// The outcome of a job.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub known: Option<FormKnown>,
    /// Inputs entered and submitted.
    pub attempts: u32,
    /// Milliseconds of all its turns.
    pub took_ms: u64,
    /// False when a model was needed but silent.
    pub answered: bool,
}

impl Record {
    /// Of the fields on which more is to be tried, the one with the fewest rounds, then the one with the fewest inputs:
    /// every field has its turn before any has a second one. `None` when there is no such field.
    fn next_field(&self, settings: &InputblasterSettings) -> Option<usize> {
        let open = (0..self.fields.len()).filter(|field| self.is_open(*field, settings));
        open.min_by_key(|field| (self.rounds(*field).count(), self.attempted(*field)))
    }

    /// Whether more is to be tried on a field: inputs enough to be worth a question are left, no job for it was in vain,
    /// and it does not stand shut.
    fn is_open(&self, field: usize, settings: &InputblasterSettings) -> bool {
        let (tried, left) = (self.attempted(field), self.left(field, settings));
        let enough = left > 0 && (tried == 0 || left >= settings.worth_asking());
        enough && !self.barren.contains(&field) && !is_shut(self.rounds(field))
    }

    /// The rounds on a field, oldest first.
    fn rounds(&self, field: usize) -> impl DoubleEndedIterator<Item = &FormRound> {
        let all = self.known.as_ref().map_or(&[][..], |known| known.rounds.as_slice());
        all.iter().filter(move |round| usize::from(round.field) == field)
    }

    fn attempted(&self, field: usize) -> u32 {
        self.attempts.get(field).copied().unwrap_or(0)
    }

    fn left(&self, field: usize, settings: &InputblasterSettings) -> u32 {
        settings.attempts.saturating_sub(self.attempted(field))
    }

    fn test(&self, state: StateId, settings: &InputblasterSettings, overhead: u32) -> FormTest {
        let field = self.next_field(settings).unwrap_or(0);
        let attempts = self.left(field, settings).min(settings.batch.into()).max(1);
        let tries = if self.known.is_some() { 0 } else { settings.valid_tries };
        let filling =
            number(self.way.len()).saturating_add(number(self.fields.len())).saturating_add(overhead);
        // Besides the inputs: a look at the form, texts that may pass, the pages behind it, and the
        // texts that pass twice.
        let fillings = attempts + tries + if self.known.is_some() { 3 } else { 12 };
        FormTest {
            way: self.way.clone(),
            state,
            field: u16::try_from(field).unwrap_or(0),
            attempts,
            events: filling.saturating_mul(fillings),
            calls: tries + QUESTIONS,
            known: self.known.clone(),
        }
    }
}

/// Questions about generators in one job: one is enough when it yields inputs.
const QUESTIONS: u32 = 4;

/// Class, id and hint.
fn names(field: Widget<'_>) -> [String; 3] {
    [field.class(), field.resource_id(), field.hint()].map(str::to_owned)
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::errand::{Reaction, TriedText};
    use super::*;
    use droidmux_gui::{Bounds, EventKind, Flags, LayoutBuilder, NewWidget};
    use droidmux_record::Screen;

    /// Forms with one of so many fields.
    fn forms(fields: usize) -> Forms {
        let mut builder = LayoutBuilder::new();
        let bounds = Bounds::new(0, 0, 100, 900);
        builder.open(NewWidget { class: "Frame", bounds, ..NewWidget::default() });
        for field in 0..fields {
            let (class, id, top) = ("android.widget.EditText", format!("a:id/f{field}"), 40 * field as i32);
            let (bounds, flags) = (Bounds::new(0, top, 100, top + 40), Flags::ENABLED);
            builder.open(NewWidget { class, resource_id: &id, bounds, flags, ..NewWidget::default() });
            builder.close();
        }
        let layout = builder.finish();
        let (package, activity) = ("a".to_owned(), "a.A".to_owned());
        let screen =
            Screen { layout: layout.hash(), package, activity, in_app: true, rotation: 0, keyboard: false };
        let mut forms = Forms::default();
        forms.meet(&Form::of(&screen, &layout).expect("a form"), &[]);
        forms
    }

    /// The fields and attempts of the jobs that are planned, when each generator yields this many inputs, and the form
    /// refuses those of these fields.
    fn planned(fields: usize, yields: u32, refuses: &[u16]) -> Vec<(u16, u32)> {
        let (mut forms, settings) = (forms(fields), InputblasterSettings::default());
        let mut known = FormKnown {
            valid: vec![String::new(); fields],
            submit: Event::global(EventKind::Enter),
            look: None,
            ticks: false,
            in_place: false,
            constraints: Vec::new(),
            complaints: Vec::new(),
            rounds: Vec::new(),
        };
        let mut planned = Vec::new();
        while let Some(test) = forms.plan(&settings, 0, |_| true) {
            planned.push((test.field, test.attempts));
            assert!(planned.len() < 100, "{planned:?}");
            let refused = TriedText {
                text: "x".into(),
                reaction: if refuses.contains(&test.field) { Reaction::Refused } else { Reaction::Accepted },
                shown: vec!["digits only".into()],
                ..TriedText::default()
            };
            let tried = vec![refused; yields.min(test.attempts) as usize];
            known.rounds.push(FormRound { field: test.field, tried, ..FormRound::default() });
            let outcome = Outcome {
                known: Some(known.clone()),
                attempts: yields.min(test.attempts),
                took_ms: 0,
                answered: true,
            };
            forms.absorb(&test, outcome, &settings);
        }
        planned
    }

    #[test]
    fn every_field_has_a_round_before_any_has_a_second_one() {
        for (fields, yields, expected) in [
            (1, 99, &[(0, 10), (0, 10), (0, 10)][..]),
            (2, 99, &[(0, 10), (1, 10), (0, 10), (1, 10), (0, 10), (1, 10)]),
            // A question for a handful of inputs costs more than they tell.
            (1, 9, &[(0, 10), (0, 10), (0, 10), (0, 3)]),
            // Generators that are of no use for one field may be for another.
            (3, 0, &[(0, 10), (1, 10), (2, 10)]),
        ] {
            assert_eq!(planned(fields, yields, &[]), expected, "{fields} {yields}");
        }
        let twenty = planned(20, 99, &[]);
        let fields: BTreeSet<u16> = twenty.iter().take(20).map(|(field, _)| *field).collect();
        assert_eq!((twenty.len(), fields.len()), (60, 20), "as many for each field, whatever the form has");
    }

    #[test]
    fn a_field_that_refuses_all_of_two_rounds_alike_is_left() {
        let of = |field: u16| planned(2, 99, &[1]).iter().filter(|(of, _)| *of == field).count();
        assert_eq!((of(0), of(1)), (3, 2));
    }
}
