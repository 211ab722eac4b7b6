//! Is what is missing only the placeholder of an empty list, while the list has rows?

use super::case::{Case, Difference};
use super::story::Sight;
use crate::sentence;
use droidmux_gui::{Layout, Widget, row_of};
use droidmux_record::{Bearing, EffectKind, Experiment, ExperimentKind};

/// Explains it when nothing but a placeholder is missing.
pub(super) fn explain(case: &Case<'_>) -> Option<Experiment> {
    let lost = case.telling();
    if !lost.iter().all(|lost| is_placeholder(case, lost)) {
        return None;
    }
    let name = sentence::widget(lost.first()?.widget()?);
    let words = format!("{name} stands for an empty list, and the list has rows from what was done before");
    let places = (&[case.usual_pair.1][..], &[case.deviant_pair.1][..]);
    Some(case.experiment(ExperimentKind::Placeholder, Bearing::Excuses, &words, places))
}

/// A text outside of rows that appears on a page without rows, or disappears from one, while the other test has rows;
/// also one that takes the place of something in a row.
pub(super) fn is_placeholder(case: &Case<'_>, lost: &Difference<'_>) -> bool {
    let (at, deviant_at) = match lost.kind {
        EffectKind::Added | EffectKind::Changed => (case.usual_pair.1, case.deviant_pair.1),
        EffectKind::Deleted => (case.usual_pair.0, case.deviant_pair.0),
    };
    let (Some(usual), Some(deviant)) = (case.usual.sight(at), case.deviant.sight(deviant_at)) else {
        return false;
    };
    let is_plain = |widget: Widget<'_>| !widget.is_actionable() && row_of(widget).is_none();
    let is_it = match (lost.before, lost.after) {
        (Some(before), Some(after)) => is_plain(after) && !is_plain(before),
        (before, after) => before.or(after).is_some_and(is_plain),
    };
    is_it && !has_rows(usual) && has_rows(deviant)
}

fn has_rows(sight: &Sight<'_>) -> bool {
    rows(&sight.layout).next().is_some()
}

fn rows(layout: &Layout) -> impl Iterator<Item = Widget<'_>> {
    layout.widgets().filter(|widget| row_of(*widget).is_some())
}
