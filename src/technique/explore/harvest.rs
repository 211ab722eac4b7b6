//! What events did to the app's data so far: which added, removed, changed or moved rows, and how often.
//!
//! In: finished explorations with their layouts. Out: how much an event promises, and where a trace did something that
//! none had done before.
//!
//! Invariants: an event that looks the same on every row of a list counts as one; the same runs in the same order
//! give the same harvest; sizes are capped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::rows::{RowChange, Rows, change, rows_of};
use droidmux_gui::{EventKind, LayoutHash};
use droidmux_model::{Action, EventShape};
use droidmux_record::{JobRun, Layouts, Trace};

/// What is known of all events.
#[derive(Clone, Debug, Default)]
pub struct Harvest {
    yields: BTreeMap<EventShape, Yield>,
    kinds: BTreeSet<Kind>,
    /// Kinds that came one after the other.
    pairs: BTreeSet<(Kind, Kind)>,
    rows: BTreeMap<LayoutHash, Arc<Rows>>,
}

/// How often an event was done, and what it did to rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Yield {
    done: u32,
    added: u32,
    removed: u32,
    changed: u32,
}

/// A kind of effect: what an event does to the rows of a page.
type Kind = (EventShape, RowChange);

/// Layouts whose rows are remembered, and pairs of kinds.
const MOST_LAYOUTS: usize = 20_000;
const MOST_PAIRS: usize = 20_000;

/// What an event that was never done promises.
const UNTRIED: f64 = 0.3;

/// New pairs of kinds in one trace that are worth a seed.
const WORTHY_PAIRS: usize = 2;

impl Harvest {
    /// Reads the traces of an exploration. Returns the number of events, from the first reset on, up to the last one
    /// that had a new kind of effect, or did something known in a new order; `None` when nothing was new.
    pub fn absorb(&mut self, run: &JobRun, layouts: &dyn Layouts) -> Option<usize> {
        let mut fresh = None;
        for (number, trace) in run.traces().iter().enumerate() {
            let found = self.absorb_trace(trace, layouts);
            if number == 0 {
                fresh = found;
            }
        }
        fresh
    }

    fn absorb_trace(&mut self, trace: &Trace<'_>, layouts: &dyn Layouts) -> Option<usize> {
        let mut pages: BTreeMap<&str, Arc<Rows>> = BTreeMap::new();
        let mut here = trace.start?;
        let mut before: Option<Kind> = None;
        let (mut last, mut pairs, mut kinds) = (None, 0, 0);
        if let Some(rows) = self.rows(here.screen.layout, layouts) {
            pages.insert(&here.screen.activity, rows);
        }
        for (number, step) in trace.steps.iter().enumerate() {
            let Ok(seen) = step.after else { continue };
            let shape = self.shape(
                step.event.kind,
                here.screen.layout,
                seen.resolution.and_then(|r| r.widget()),
                layouts,
            );
            here = seen;
            if !seen.screen.in_app || step.event.kind.is_system() {
                continue;
            }
            let Some(rows) = self.rows(seen.screen.layout, layouts) else { continue };
            let known = pages.insert(&seen.screen.activity, rows.clone());
            // Scrolling shows other rows and changes none.
            let shows_others = matches!(step.event.kind, EventKind::Scroll(_) | EventKind::Rotate);
            let changed = known.and_then(|known| change(&known, &rows)).filter(|_| !shows_others);
            self.yields.entry(shape).or_default().count(changed);
            let Some(changed) = changed else { continue };
            let kind = (shape, changed);
            let new_kind = self.kinds.insert(kind);
            let pair = before.replace(kind).map(|first| (first, kind));
            let new_pair = self.pairs.len() < MOST_PAIRS && pair.is_some_and(|pair| self.pairs.insert(pair));
            kinds += usize::from(new_kind);
            pairs += usize::from(new_pair);
            if new_kind || new_pair {
                last = Some(number + 1);
            }
        }
        last.filter(|_| kinds > 0 || pairs >= WORTHY_PAIRS)
    }

    fn shape(
        &self,
        kind: EventKind,
        on: LayoutHash,
        widget: Option<droidmux_gui::WidgetId>,
        layouts: &dyn Layouts,
    ) -> EventShape {
        let layout = widget.and_then(|_| layouts.layout(on));
        match (layout, widget) {
            (Some(layout), Some(widget)) => Action::on(kind, &layout, widget).shape,
            _ => Action::global(kind).shape,
        }
    }

    fn rows(&mut self, hash: LayoutHash, layouts: &dyn Layouts) -> Option<Arc<Rows>> {
        if let Some(known) = self.rows.get(&hash) {
            return Some(known.clone());
        }
        let rows = Arc::new(rows_of(&*layouts.layout(hash)?));
        if self.rows.len() < MOST_LAYOUTS {
            self.rows.insert(hash, rows.clone());
        }
        Some(rows)
    }

    /// How likely an event changes data, 0 to 1; `building` prefers what adds objects to what takes them away.
    pub fn promise(&self, shape: EventShape, building: bool) -> f64 {
        let Some(all) = self.yields.get(&shape) else { return UNTRIED };
        let (added, removed) = if building { (3.0, 0.2) } else { (1.0, 1.0) };
        let worth = f64::from(all.added) * added + f64::from(all.removed) * removed + f64::from(all.changed);
        ((worth + UNTRIED) / f64::from(all.done + 1)).min(1.0)
    }
}

impl Yield {
    fn count(&mut self, change: Option<RowChange>) {
        self.done = self.done.saturating_add(1);
        let count = match change {
            None => return,
            Some(RowChange::Added) => &mut self.added,
            Some(RowChange::Removed) => &mut self.removed,
            Some(RowChange::Changed | RowChange::Moved) => &mut self.changed,
        };
        *count = count.saturating_add(1);
    }
}
