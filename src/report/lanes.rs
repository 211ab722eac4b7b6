//! The steps of a finding, side by side: the seed's and the mutant's, the usual input's and the deviant one's.
//!
//! In: the runs that show it, and their layouts. Out: rows of cells, each a screen with the event that is done on it,
//! the widget it acts on boxed, and the visible parts of the violation marked.

use super::cell::{BoxKind, Boxed, Cell};
use super::marks::{mark, mark_difference, number_of};
use super::{FindingPart, Shots, Shown};
use droidmux_gui::{Bounds, Event, Flags, Layout, Resolution, WidgetId};
use droidmux_record::{Evidence, Failure, JobRun, Role, Seen, SessionId, Trace, Work};

/// The most rows: of longer tests the end is shown, which contains the violation.
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

/// The lanes of a finding; empty when its runs are no longer stored.
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
        Some(Role::Unusual | Role::Forbidden) => Some(("with a valid text", "with the unusual text")),
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

/// A mutant beside its seed: inserted events have a row to themselves.
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

/// Two inputs that end with the same event, aligned at their ends.
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
            mark_difference(&mut cells, effect, deviation.is_surplus(n) != deviates);
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

/// Leaves out whatever comes after the violation.
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
