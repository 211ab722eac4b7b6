//! The account of a test: its calls one after the other, with the data model between them, read
//! off a recorded trace.

use std::collections::{BTreeMap, BTreeSet};

use super::conclusion::{Conclusion, conclude};
use super::condition;
use super::data_model::{Change, DataModel};
use super::passage::{self, Passage, Reading, Unread};
use super::sentence::{harm, sentence};
use crate::PbfdroidSettings;
use droidmux_gui::Resolution;
use droidmux_record::{
    Breach, Call, CallNote, CallStep, Dmf, DmfAction, Harm, JobRun, Layouts, Operation, Screen, Step, Trace,
};

/// What became of a test.
#[derive(Debug, Default)]
pub struct Account {
    /// Postconditions that were judged.
    pub checked: u32,
    /// Calls that were carried out to their end.
    pub completed: u32,
    pub breaches: Vec<Found>,
    /// Why the rest could not be judged.
    pub unread: Option<String>,
}

/// A violated property with its canonical key.
#[derive(Debug)]
pub struct Found {
    pub key: String,
    pub title: String,
    pub harm: Harm,
    /// What violations of one likely cause have in common.
    pub cluster: String,
    pub breach: Breach,
    /// The screen of lₙ did not settle.
    pub unsettled: bool,
}

/// The reader of one test.
struct Reader<'a> {
    run: &'a JobRun,
    trace: &'a Trace<'a>,
    layouts: &'a dyn Layouts,
    /// The screen before each step, and after the last.
    screens: Vec<&'a Screen>,
    model: DataModel,
    /// Which operations each object went through.
    past: BTreeMap<(String, String), BTreeSet<Operation>>,
    notes: Vec<CallNote>,
}

/// Judges the calls of a test, up to the first violation unless `go_on` is set.
pub fn account(
    run: &JobRun,
    trace: &Trace<'_>,
    calls: &[Call],
    settings: &PbfdroidSettings,
    layouts: &dyn Layouts,
) -> Account {
    let mut account = Account::default();
    let Some(start) = trace.start else { return account };
    let mut screens = vec![&start.screen];
    for step in &trace.steps {
        let now = step.after.map(|seen| &seen.screen).ok();
        screens.extend(now.or(screens.last().copied()));
    }
    let mut reader = Reader {
        run,
        trace,
        layouts,
        screens,
        model: DataModel::default(),
        past: BTreeMap::new(),
        notes: Vec::new(),
    };
    for (number, call) in calls.iter().enumerate() {
        let Some(dmf) = settings.dmfs().get(usize::from(call.dmf)) else {
            account.unread = Some(format!("the specification has no function {}", call.dmf));
            return account;
        };
        match reader.judge(dmf, call, calls.get(..=number).unwrap_or_default()) {
            Ok((checked, found)) => {
                account.completed += 1;
                account.checked += checked;
                let violated = found.is_some();
                account.breaches.extend(found);
                if violated && !settings.go_on {
                    return account;
                }
            }
            Err(Unread(why)) => {
                account.unread = Some(format!("{}: {why}", dmf.name));
                return account;
            }
        }
    }
    account
}

impl Reader<'_> {
    /// Carries the data model over a call; the postconditions that were judged, and a violation.
    fn judge(&mut self, dmf: &Dmf, call: &Call, calls: &[Call]) -> Result<(u32, Option<Found>), Unread> {
        let passage = self.passage(call)?;
        let conclusion = conclude(dmf, &passage, &self.model, self.layouts)?;
        let before = std::mem::replace(&mut self.model, conclusion.model.clone());
        for object in &conclusion.objects {
            self.past.entry((dmf.datatype.clone(), object.clone())).or_default().insert(dmf.operation);
        }
        self.notes.push(CallNote {
            dmf: dmf.name.clone(),
            at: call.steps.first().map_or(0, |step| u32::from(step.at) + 1),
            impacts: conclusion.changes.iter().filter_map(Change::words).collect(),
        });
        let checked = conclusion.answers.iter().filter(|answer| answer.is_ok()).count();
        let checked = u32::try_from(checked).unwrap_or(u32::MAX);
        let found = self.found(dmf, call, calls, &conclusion, &passage, &before);
        if found.is_some() {
            self.could_begin(dmf, &passage, &before)?;
            self.acted_on_its_widgets(dmf, call, &passage)?;
        }
        Ok((checked, found))
    }

    /// The layouts that a call went through.
    fn passage(&self, call: &Call) -> Result<Passage, Unread> {
        let missing = || Unread("the recording ends before the function does".into());
        let before = |at: u16| self.screens.get(usize::from(at)).copied().ok_or_else(missing);
        let first = call.steps.first().ok_or_else(missing)?;
        let mut passage = Passage::from(before(first.at)?.layout);
        for step in &call.steps {
            self.step(*step).ok_or_else(missing)?.after.map_err(|_| missing())?;
            passage.step(step.event, before(step.at.saturating_add(1))?.layout);
        }
        let last = call.steps.last().ok_or_else(missing)?;
        if !before(last.at.saturating_add(1))?.in_app {
            return Err(Unread("the app is not in the foreground at its end".into()));
        }
        Ok(passage)
    }

    /// An error when a function should not have been carried out where it was: a replay performs
    /// what was recorded even if the app shows something else by now, the next day's tasks for
    /// example.
    fn could_begin(&self, dmf: &Dmf, passage: &Passage, before: &DataModel) -> Result<(), Unread> {
        let Some(here) = passage.layouts.first() else { return Ok(()) };
        match condition::missing(dmf, *here, before, self.layouts) {
            Some(condition) => {
                Err(Unread(format!("it was not to begin there: {}", condition::words(condition, None))))
            }
            None => Ok(()),
        }
    }

    /// An error when an event of a call acted on another widget than the function's: in a replay a
    /// receiver is found again by likeness, and what such a call breaks is not its property.
    fn acted_on_its_widgets(&self, dmf: &Dmf, call: &Call, whole: &Passage) -> Result<(), Unread> {
        let mut passage = Passage { layouts: Vec::new(), events: Vec::new() };
        passage.layouts.extend(whole.layouts.first());
        for (step, after) in call.steps.iter().zip(whole.layouts.iter().skip(1)) {
            let seen = self.step(*step).and_then(|step| step.after.ok());
            let touched = seen.and_then(|seen| seen.resolution).and_then(Resolution::widget);
            let event = dmf.events.get(usize::from(step.event)).filter(|e| e.action != DmfAction::ScrollTo);
            if let (Some(touched), Some(event), Some(here)) = (touched, event, passage.last()) {
                let reading = Reading { dmf, passage: &passage, layouts: self.layouts };
                let layout = reading.layout(here)?;
                let own = passage::receiver(&reading, &layout, &event.widget)?;
                if own.is_some_and(|widget| widget.id() != touched) {
                    let at = step.at.saturating_add(1);
                    return Err(Unread(format!("event {at} acted on another widget than {}", event.widget)));
                }
            }
            passage.step(step.event, *after);
        }
        Ok(())
    }

    fn step(&self, step: CallStep) -> Option<&Step<'_>> {
        self.trace.steps.get(usize::from(step.at))
    }

    fn found(
        &self,
        dmf: &Dmf,
        call: &Call,
        calls: &[Call],
        conclusion: &Conclusion,
        passage: &Passage,
        before: &DataModel,
    ) -> Option<Found> {
        let (condition, answer) = conclusion.violated(dmf)?;
        let words = condition::words(condition, answer.object.as_deref());
        let last = self.step(*call.steps.last()?)?;
        let turn = self.run.turns.iter().position(|turn| std::ptr::eq(turn, last.turn))?;
        let end = *self.screens.get(usize::from(call.steps.last()?.at) + 1)?;
        let breach = Breach {
            dmf: dmf.name.clone(),
            operation: dmf.operation,
            datatype: dmf.datatype.clone(),
            condition: words.clone(),
            found: answer.found.clone(),
            object: answer.object.clone(),
            before: before.objects(&dmf.datatype).to_vec(),
            after: conclusion.model.objects(&dmf.datatype).to_vec(),
            calls: self.notes.clone(),
            trace: self.performed(calls),
            layouts: (passage.layouts.first().copied()?, end.layout),
            turn: u32::try_from(turn).ok()?,
            widgets: answer.widgets.clone(),
        };
        let past = self.past_of(&dmf.datatype, answer.object.as_deref());
        let relation = condition.relation.name();
        let datatype = &condition.datatype;
        let key = format!(
            "breach\n{}\n{} {relation} {datatype}\n{past}\n{}",
            dmf.name, condition.widget, end.activity
        );
        let title = sentence(dmf, condition, answer.object.as_deref());
        let harm = harm(dmf, condition);
        let cluster =
            format!("breach\n{}\n{} {relation} {datatype}\n{}", dmf.name, condition.widget, end.activity);
        Some(Found {
            key,
            title,
            harm,
            cluster,
            breach,
            unsettled: last.after.is_ok_and(|seen| !seen.is_settled()),
        })
    }

    /// The operations that the object of a condition went through: different defects of one
    /// function mostly differ in them.
    fn past_of(&self, datatype: &str, object: Option<&str>) -> String {
        let Some(object) = object else { return String::new() };
        let past = self.past.get(&(datatype.to_owned(), object.to_owned()));
        past.into_iter().flatten().map(|operation| operation.name()).collect::<Vec<_>>().join(" ")
    }

    /// The calls by the numbers of the events that were performed: those that failed are not
    /// replayed.
    fn performed(&self, calls: &[Call]) -> Vec<Call> {
        let mut performed = 0;
        let numbers: Vec<u16> = self
            .trace
            .steps
            .iter()
            .map(|step| {
                let number = performed;
                performed += u16::from(step.after.is_ok());
                number
            })
            .collect();
        let renumbered = |step: &CallStep| CallStep {
            at: numbers.get(usize::from(step.at)).copied().unwrap_or(step.at),
            event: step.event,
        };
        let steps = |call: &Call| call.steps.iter().map(renumbered).collect();
        calls.iter().map(|call| Call { dmf: call.dmf, steps: steps(call) }).collect()
    }
}
