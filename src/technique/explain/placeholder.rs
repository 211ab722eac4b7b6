//! Is what is missing only the placeholder of an empty list, where the list has rows?

use super::case::{Case, Difference};
use super::story::Sight;
use crate::gui::{Layout, Widget, row_of};
use crate::record::{Bearing, EffectKind, Experiment, ExperimentKind};
use crate::technique::sentence;

/// Explains when nothing but a placeholder is missing.
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

/// A text outside of rows that comes to a page without rows, or goes from one, where the other test has rows.
pub(super) fn is_placeholder(case: &Case<'_>, lost: &Difference<'_>) -> bool {
    let sights = match lost.kind {
        EffectKind::Added => (case.usual.sight(case.usual_pair.1), case.deviant.sight(case.deviant_pair.1)),
        EffectKind::Deleted => (case.usual.sight(case.usual_pair.0), case.deviant.sight(case.deviant_pair.0)),
        EffectKind::Changed => return false,
    };
    let (Some(usual), Some(deviant), Some(widget)) = (sights.0, sights.1, lost.widget()) else {
        return false;
    };
    let plain = !widget.is_actionable() && row_of(widget).is_none();
    plain && !has_rows(usual) && has_rows(deviant)
}

fn has_rows(sight: &Sight<'_>) -> bool {
    rows(&sight.layout).next().is_some()
}

fn rows(layout: &Layout) -> impl Iterator<Item = Widget<'_>> {
    layout.widgets().filter(|widget| row_of(*widget).is_some())
}
