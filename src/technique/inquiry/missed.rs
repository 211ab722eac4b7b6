//! What a relation misses, and whether it is there again once the app was left and entered again, or was started anew; and
//! whether it is missing as well when the same is done on another object.
//!
//! In: the run in which a relation objects, what it misses. Out: [`Trial`]s, and whether a screen shows it.
//!
//! Invariant: a trial does what the finding's own test does, and one thing more, or one object exchanged.

use std::collections::BTreeSet;

use super::exchange::{Exchange, acted_on};
use super::trial::{Asks, Trial};
use crate::explain::Story;
use crate::findings::Replay;
use crate::recipe::recipe;
use crate::relation;
use droidmux_gui::{Event, EventKind, Layout};
use droidmux_record::{Broken, ExperimentKind, JobRun, Layouts, Screen, Test, Verdict, WidgetNote};

/// What a relation misses on a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Missed {
    widgets: Vec<WidgetNote>,
    /// The activity whose page it is missed on.
    activity: String,
    /// What is tried, and by how many events.
    pub(super) kind: ExperimentKind,
    more: usize,
}

/// What a run of a trial shows of what is missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// It was never gone: it is somewhere else than it was.
    Before,
    /// It is there again.
    Again,
    /// It is not.
    Missing,
    /// The app shows another activity.
    Elsewhere,
}

/// What may be tried where a relation misses something that was there.
pub(super) fn trials(
    run: &JobRun,
    (verdict, broken): (&Verdict, &Broken),
    layouts: &dyn Layouts,
) -> Vec<Trial> {
    let Some((test, screen)) = ending(run, verdict, broken) else { return Vec::new() };
    let asks = |kind, more| {
        let (widgets, activity) = (broken.widgets.0.clone(), screen.activity.clone());
        Asks::ComesBack(Missed { widgets, activity, kind, more })
    };
    let with = |kind, more: &[EventKind], tried: &str| {
        let events = test.events.iter().cloned().chain(more.iter().map(|kind| Event::global(*kind)));
        Trial::new(
            asks(kind, more.len()),
            vec![Test { role: test.role.clone(), events: events.collect() }],
            tried.into(),
        )
    };
    let mut trials = vec![with(
        ExperimentKind::Reentry,
        &[EventKind::Home, EventKind::Launch],
        "the app was left and entered again",
    )];
    // Elsewhere, somebody would have to find the way back to the page.
    if starts_on(run, &screen.activity) {
        trials.push(with(
            ExperimentKind::Restart,
            &[EventKind::Relaunch],
            "the app was ended and started again",
        ));
    }
    if let Some(exchange) = on_another(run, verdict, &test, layouts) {
        let tried = exchange.words("what was done");
        let tests = vec![Test { role: test.role, events: exchange.events }];
        trials.push(Trial::new(asks(ExperimentKind::ObjectPermutation, 0), tests, tried));
    }
    trials
}

/// The test with the object that it acted on last exchanged for another.
fn on_another(run: &JobRun, verdict: &Verdict, test: &Test, layouts: &dyn Layouts) -> Option<Exchange> {
    let story = Story::of(run, verdict.test.into(), |hash| layouts.layout(hash));
    let acting = 0..test.events.len();
    let last = acting.clone().rev().find(|&n| acted_on(&story, n).is_some())?;
    let taken: BTreeSet<String> = acting.clone().filter_map(|n| story.row_named(n)).collect();
    Exchange::of(&story, &test.events, acting, last, &taken)
}

impl Missed {
    /// What a run of its trial shows at the end; `None` where the run did not come to its end.
    fn found(&self, run: &JobRun, tests: &[Test], layouts: &dyn Layouts) -> Option<Found> {
        let (traces, test) = (run.traces(), tests.first()?);
        let trace = traces.first().filter(|trace| trace.is_whole())?;
        let shown = |events: usize| {
            let seen = trace.steps.get(events.checked_sub(1)?)?.after.as_ref().ok()?;
            self.is_on(&seen.screen, &*layouts.layout(seen.screen.layout)?)
        };
        let all = test.events.len();
        if trace.steps.len() != all {
            return None;
        }
        Some(match (shown(all.saturating_sub(self.more)), shown(all)) {
            (Some(true), _) => Found::Before,
            (_, Some(true)) => Found::Again,
            (_, Some(false)) => Found::Missing,
            (_, None) => Found::Elsewhere,
        })
    }

    /// What a person is told of a run of its trial. It bears on nothing: what a mode hides comes back, and so does what a defect hides; two
    /// things of a kind may offer different things, and a defect may strike one of them only.
    pub(super) fn came(
        &self,
        shown: Replay,
        run: &JobRun,
        tests: &[Test],
        layouts: &dyn Layouts,
    ) -> &'static str {
        let found = self.found(run, tests, layouts);
        let Some(found) = found.filter(|_| shown != Replay::Unfaithful) else {
            return "that could not be done";
        };
        let on_another = self.kind == ExperimentKind::ObjectPermutation;
        match (found, shown) {
            (Found::Elsewhere, _) if on_another => "that led to another page",
            (Found::Missing, _) if on_another => "it is missing then, too",
            (Found::Before | Found::Again, _) if on_another => "it is there then",
            (_, Replay::Absent) => "it did not happen before that",
            (Found::Before, _) => "nothing had gone that could come back",
            (Found::Elsewhere, _) => "that led to another page",
            (Found::Missing, _) => "it is still missing",
            (Found::Again, _) => "it is there again, so nothing is lost for good",
        }
    }

    /// Whether a screen shows all of it; `None` for a screen of another activity.
    fn is_on(&self, screen: &Screen, layout: &Layout) -> Option<bool> {
        let shows =
            |note: &WidgetNote| layout.widgets().any(|widget| is_alike(note, &WidgetNote::of(widget)));
        (screen.activity == self.activity).then(|| self.widgets.iter().all(shows))
    }
}

/// The test that ends where something is missed, and the screen there; `None` where nothing that can be named is.
fn ending(run: &JobRun, verdict: &Verdict, broken: &Broken) -> Option<(Test, Screen)> {
    let is_named = |note: &WidgetNote| {
        !(note.resource_id.is_empty() && note.text.is_empty() && note.description.is_empty())
    };
    if verdict.oracle != relation::ORACLE
        || broken.widgets.0.is_empty()
        || !broken.widgets.0.iter().all(is_named)
    {
        return None;
    }
    let [test] = <[Test; 1]>::try_from(recipe(run, verdict)).ok()?;
    let screen = &run.turns.get(broken.turns.1 as usize)?.observation.seen()?.screen;
    screen.in_app.then(|| (test, screen.clone()))
}

/// Whether the app starts on a page of this activity.
fn starts_on(run: &JobRun, activity: &str) -> bool {
    run.traces().iter().filter_map(|trace| trace.start).any(|seen| seen.screen.activity == activity)
}

/// The same widget, wherever it is.
fn is_alike(a: &WidgetNote, b: &WidgetNote) -> bool {
    (&a.class, &a.resource_id, &a.text, &a.description) == (&b.class, &b.resource_id, &b.text, &b.description)
}

#[cfg(test)]
#[path = "missed_tests.rs"]
mod tests;
