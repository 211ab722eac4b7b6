//! The steps of a finding, side by side: the seed's and the mutant's, the usual input's and the deviant one's.
//!
//! In: the runs that show it, and their layouts. Out: rows of cells, each a screen with the event that is done on it,
//! the widget it acts on boxed, and what of the violation is to be seen there marked.

use super::{FindingPart, Shots, Shown};
use crate::gui::{Bounds, Event, Flags, Layout, LayoutHash, Resolution, WidgetId};
use crate::record::{
    Act, BlobHash, Evidence, Failure, JobRun, Observation, Role, Seen, SessionId, Trace, UnmatchedEffect,
    WidgetNote, Work,
};

/// Rows at most: of longer tests the end is told, which has the violation.
const MOST_ROWS: usize = 60;

/// One lane or two.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// What each lane is, in a word or two: `the seed`.
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// Rows at the beginning that are left out.
    pub(super) cut: usize,
}

#[derive(Debug)]
pub(super) struct Row {
    /// One for each lane.
    pub(super) cells: Vec<Option<Cell>>,
    /// The event was inserted into the seed.
    pub(super) inserted: bool,
}

/// A screen, and what is done on it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Of the layout in its test, from 1.
    pub(super) number: u16,
    /// The event; `None` on the last screen.
    pub(super) event: Option<String>,
    /// Why it could not be performed; empty when it was.
    pub(super) failed: &'static str,
    pub(super) session: SessionId,
    /// The layout with the screenshot taken of it; `None` where the step before failed.
    pub(super) screen: Option<(LayoutHash, Option<BlobHash>)>,
    pub(super) activity: String,
    pub(super) boxes: Vec<Boxed>,
    /// Crashes and ANRs after the event.
    pub(super) signals: Vec<String>,
    /// What of the violation is to be seen here.
    pub(super) marks: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Boxed {
    pub(super) bounds: Bounds,
    pub(super) kind: BoxKind,
    pub(super) title: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxKind {
    /// The event acts on it.
    Acted,
    /// The violation is about it.
    Violation,
}

/// The lanes of a finding; without any when its runs are no longer stored.
pub(super) fn lanes(part: &FindingPart, shots: &dyn Shots) -> Lanes {
    let mut lanes = match (&part.conducts, &part.shown) {
        (Some((usual, deviant)), _) => of_conducts(usual, deviant, shots),
        (None, Some(shown)) => of_run(shown, shots),
        (None, None) => Lanes::default(),
    };
    lanes.cut = lanes.rows.len().saturating_sub(MOST_ROWS);
    lanes.rows.drain(..lanes.cut);
    lanes
}

fn of_run(shown: &Shown, shots: &dyn Shots) -> Lanes {
    let (run, verdict) = (&shown.run, &shown.verdict);
    let traces = run.traces();
    let Some(trace) = traces.iter().find(|trace| trace.test == verdict.test) else { return Lanes::default() };
    let mut own = cells(shown.session, run, trace, shots);
    mark(&mut own, shown, trace.test);
    let role = match &run.job.work {
        Work::Batch(batch) => batch.tests.get(usize::from(trace.test)).map(|test| &test.role),
        Work::Explore(_) | Work::Errand(_) => None,
    };
    let beside = match role {
        Some(Role::Mutant(_)) => Some(("the seed", "the mutant")),
        Some(Role::Deviant(_)) => Some(("the usual input", "the deviant input")),
        Some(Role::Unusual) => Some(("with a valid text", "with the unusual text")),
        _ => None,
    };
    let seed = beside.and_then(|names| Some((names, traces.first().filter(|seed| seed.test != trace.test)?)));
    let Some(((left, right), seed)) = seed else {
        cut_after(&mut own, shown);
        let rows = own.into_iter().map(|cell| Row { cells: vec![Some(cell)], inserted: false }).collect();
        return Lanes { names: vec!["the steps".into()], rows, cut: 0 };
    };
    let mut other = cells(shown.session, run, seed, shots);
    mark(&mut other, shown, seed.test);
    let names = vec![left.to_owned(), right.to_owned()];
    match role.and_then(Role::insertion) {
        Some(insertion) => {
            let from = usize::from(insertion.pivot).saturating_sub(1);
            Lanes { names, rows: inserted(other, own, from, insertion.length.into()), cut: 0 }
        }
        None => Lanes { names, rows: from_the_end(other, own), cut: 0 },
    }
}

/// A mutant beside its seed: what was inserted stands alone.
fn inserted(seed: Vec<Cell>, mutant: Vec<Cell>, from: usize, length: usize) -> Vec<Row> {
    let mut seed = seed.into_iter();
    let mut rows = Vec::new();
    for (number, cell) in mutant.into_iter().enumerate() {
        let inserted = (from..from + length).contains(&number);
        let beside = if inserted { None } else { seed.next() };
        rows.push(Row { cells: vec![beside, Some(cell)], inserted });
    }
    rows.extend(seed.map(|cell| Row { cells: vec![Some(cell), None], inserted: false }));
    rows
}

/// Two inputs that end with the same event: their ends stand side by side.
fn from_the_end(left: Vec<Cell>, right: Vec<Cell>) -> Vec<Row> {
    let most = left.len().max(right.len());
    let (left_gap, right_gap) = (most - left.len(), most - right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let row = |n: usize| Row {
        cells: vec![
            if n < left_gap { None } else { left.next() },
            if n < right_gap { None } else { right.next() },
        ],
        inserted: false,
    };
    (0..most).map(row).collect()
}

fn of_conducts(usual: &Shown, deviant: &Shown, shots: &dyn Shots) -> Lanes {
    let Evidence::Deviation(deviation) = &deviant.verdict.evidence else { return Lanes::default() };
    let of = |shown: &Shown, step: u16, deviates: bool| {
        let traces = shown.run.traces();
        let trace = traces.into_iter().find(|trace| trace.test == shown.verdict.test);
        let mut cells =
            trace.map(|trace| cells(shown.session, &shown.run, &trace, shots)).unwrap_or_default();
        // The screen after the step in question is the last one.
        cells.truncate(usize::from(step) + 1);
        if let Some(last) = cells.last_mut() {
            last.event = None;
        }
        for (n, effect) in deviation.effects.iter().enumerate() {
            let (before, after) = (effect.before.as_ref(), effect.after.as_ref());
            let lacks = deviation.is_surplus(n) != deviates;
            // What should have gone is still to be seen in the end.
            let at = cells.len().checked_sub(if after.is_some() || lacks { 1 } else { 2 });
            let (Some(cell), Some(note)) = (at.and_then(|at| cells.get_mut(at)), after.or(before)) else {
                continue;
            };
            let words = unmatched_words(effect, lacks);
            match lacks && after.is_some() {
                // What is not there has no place.
                true => cell.marks.push(words),
                false => point(cell, note, words),
            }
        }
        cells
    };
    let left = of(usual, deviation.usual.source.step, false);
    let right = of(deviant, deviation.deviant.source.step, true);
    Lanes {
        names: vec!["the usual input".into(), "the deviant input".into()],
        rows: from_the_end(left, right),
        cut: 0,
    }
}

/// A cell for each screen of a test.
fn cells(session: SessionId, run: &JobRun, trace: &Trace<'_>, shots: &dyn Shots) -> Vec<Cell> {
    let mut cells = vec![cell(session, 1, trace.start)];
    for (number, step) in (2_u16..).zip(&trace.steps) {
        let seen = step.after.ok();
        if let Some(last) = cells.last_mut() {
            let layout = last.screen.and_then(|(hash, _)| shots.layout(hash));
            let widget = seen.and_then(|seen| seen.resolution).and_then(Resolution::widget);
            let target = target(layout.as_deref(), step.event, widget);
            last.event = Some(words(step.event, target.is_some_and(|(_, secret)| secret)));
            last.boxes.extend(target.map(|(bounds, _)| Boxed {
                bounds,
                kind: BoxKind::Acted,
                title: step.event.kind.name().to_owned(),
            }));
            last.failed = step.after.err().map_or("", failure_words);
            let signals = seen.map(|seen| seen.signals.iter()).into_iter().flatten();
            last.signals = signals
                .filter(|signal| signal.is_of(&run.app.package))
                .map(|signal| signal.headline.clone())
                .collect();
        }
        cells.push(cell(session, number, seen));
    }
    cells
}

fn cell(session: SessionId, number: u16, seen: Option<&Seen>) -> Cell {
    Cell {
        number,
        event: None,
        failed: "",
        session,
        screen: seen.map(|seen| (seen.screen.layout, seen.screenshot)),
        activity: seen.map(|seen| seen.screen.activity.clone()).unwrap_or_default(),
        boxes: Vec::new(),
        signals: Vec::new(),
        marks: Vec::new(),
    }
}

/// Where an event acts, and whether that is a password field.
fn target(layout: Option<&Layout>, event: &Event, widget: Option<WidgetId>) -> Option<(Bounds, bool)> {
    let layout = layout?;
    let id = widget.or_else(|| layout.resolve(event.receiver.as_ref()?).widget())?;
    let widget = layout.get(id)?;
    Some((widget.bounds(), widget.has(Flags::PASSWORD)))
}

fn words(event: &Event, secret: bool) -> String {
    match secret && event.data.is_some() {
        true => Event { data: Some("•••".into()), ..event.clone() }.words(),
        false => event.words(),
    }
}

/// Why an event was not performed.
fn failure_words(failure: &Failure) -> &'static str {
    match failure {
        Failure::NotFound => "not found",
        Failure::Untouchable => "no area to touch",
        Failure::Untypable => "cannot be typed",
        Failure::TimedOut => "test timed out",
        Failure::Unsupported => "not on this device",
    }
}

/// Marks what of the violation is to be seen on the screens of a test.
fn mark(cells: &mut [Cell], shown: &Shown, test: u16) {
    let verdict = &shown.verdict;
    if let Evidence::Effects(effects) = &verdict.evidence {
        for effect in effects {
            mark_effect(cells, effect, test == verdict.test);
        }
        return;
    }
    if test != verdict.test {
        return;
    }
    let at = |turn: u32| number_of(&shown.run, turn);
    let mut note = |turn: u32, widgets: &[WidgetNote], words: &str| {
        let Some(cell) = at(turn).and_then(|number| cells.iter_mut().find(|cell| cell.number == number))
        else {
            return;
        };
        match widgets {
            [] => cell.marks.push(words.to_owned()),
            widgets => widgets.iter().for_each(|widget| point(cell, widget, words.to_owned())),
        }
    };
    match &verdict.evidence {
        Evidence::Broken(broken) => {
            note(broken.turns.0, &broken.widgets.0, &format!("expected: {}", broken.expected));
            note(broken.turns.1, &broken.widgets.1, &format!("found: {}", broken.found));
        }
        Evidence::Breach(breach) => note(breach.turn, &breach.widgets, &format!("found: {}", breach.found)),
        Evidence::Mismatch(mismatch) => note(
            mismatch.turn,
            mismatch.widget.as_slice(),
            &format!("the Detector objects: {}", mismatch.reasoning),
        ),
        Evidence::Mistreated(mistreated) => note(mistreated.turn, &[], mistreated.how.words()),
        Evidence::Signal { turn, signal } => note(*turn, &[], &signal.headline),
        Evidence::None | Evidence::Effects(_) | Evidence::Deviation(_) => {}
    }
}

/// An effect of the seed: where it is there, and where the mutant lacks it.
fn mark_effect(cells: &mut [Cell], effect: &UnmatchedEffect, lacks: bool) {
    let (earlier, later) = if lacks { effect.mutant } else { effect.seed };
    // What goes away is to be seen before, what comes after.
    let (number, widget) = match (&effect.before, &effect.after) {
        (_, Some(after)) => (later, Some(after)),
        (Some(before), None) => (if lacks { later } else { earlier }, Some(before)),
        (None, None) => (later, None),
    };
    let words = unmatched_words(effect, lacks);
    let Some(cell) = cells.iter_mut().find(|cell| cell.number == number) else { return };
    match widget {
        // A mutant does not show what it lacks: only what should have gone has a place.
        Some(widget) if !lacks || effect.after.is_none() => point(cell, widget, words),
        _ => cell.marks.push(words),
    }
}

/// An unmatched effect in words, for the lane that has it or the one that lacks it.
fn unmatched_words(effect: &UnmatchedEffect, lacks: bool) -> String {
    let what = effect_words(effect);
    match lacks {
        true => format!("unmatched: {what} in the other lane, not here"),
        false => format!("unmatched: {what}, only here"),
    }
}

/// An effect in words.
pub(super) fn effect_words(effect: &UnmatchedEffect) -> String {
    match (&effect.before, &effect.after) {
        (Some(before), Some(after)) => format!("{} becomes {}", widget(before), widget(after)),
        (Some(before), None) => format!("{} goes away", widget(before)),
        (None, Some(after)) => format!("{} appears", widget(after)),
        (None, None) => "nothing".into(),
    }
}

/// A widget in a few words.
pub(super) fn widget(note: &WidgetNote) -> String {
    let (class, id) = (crate::gui::short_class(&note.class), crate::gui::short_id(&note.resource_id));
    let label = if note.text.is_empty() { &note.description } else { &note.text };
    match (label.as_str(), id) {
        ("", "") => class.to_owned(),
        ("", id) => format!("{class} {id}"),
        (label, _) => format!("{class} {label:?}"),
    }
}

fn point(cell: &mut Cell, note: &WidgetNote, words: String) {
    if !note.bounds.is_empty() {
        cell.boxes.push(Boxed { bounds: note.bounds, kind: BoxKind::Violation, title: words.clone() });
    }
    if !cell.marks.contains(&words) {
        cell.marks.push(words);
    }
}

/// The number in its test of the layout after a turn of the job.
fn number_of(run: &JobRun, turn: u32) -> Option<u16> {
    let turns = run.turns.get(..=usize::try_from(turn).ok()?)?;
    let reset = turns.iter().rposition(|turn| turn.act == Act::Reset)?;
    let steps = turns.get(reset..)?.iter().filter(|turn| {
        turn.act.is_step() && !matches!(turn.observation, Observation::Answered(_) | Observation::Ended)
    });
    u16::try_from(steps.count()).ok()
}

/// Leaves out what comes after the violation.
fn cut_after(cells: &mut Vec<Cell>, shown: &Shown) {
    let last = match &shown.verdict.evidence {
        Evidence::Signal { turn, .. } => Some(*turn),
        Evidence::Breach(breach) => Some(breach.turn),
        Evidence::Mistreated(mistreated) => Some(mistreated.turn),
        Evidence::Mismatch(mismatch) => Some(mismatch.turn),
        Evidence::Broken(broken) => Some(broken.turns.1),
        Evidence::None | Evidence::Effects(_) | Evidence::Deviation(_) => None,
    };
    let Some(number) = last.and_then(|turn| number_of(&shown.run, turn)) else { return };
    cells.truncate(number.into());
    if let Some(last) = cells.last_mut() {
        last.event = None;
    }
}
