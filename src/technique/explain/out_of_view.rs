//! Could a row that came or went just be in the part of its list that is out of view?

use super::case::{Case, Difference};
use super::swap::is_named;
use crate::sentence::{quoted, row_label};
use droidmux_account::row::{List, lists, name};
use droidmux_gui::{Layout, row_of};
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// A doubt when every missing change is about a row that nobody named, and the screen without it shows only a part of
/// its list: more rows, fewer rows or a turned phone move what shows.
pub(super) fn doubt(case: &Case<'_>) -> Option<Experiment> {
    let mut first = None;
    for lost in case.telling() {
        let label = unseen(case, lost)?;
        first.get_or_insert(label);
    }
    let words = format!("{} may just be out of view: its list goes on beyond the screen", quoted(&first?));
    let (usual, deviant) = (case.usual_pair, case.deviant_pair);
    let places = (&[usual.0, usual.1][..], &[deviant.0, deviant.1][..]);
    Some(case.experiment(ExperimentKind::OutOfView, Bearing::Doubts, &words, places))
}

/// The label of the row that a change is about, when it may be out of view on the usual screen without it.
fn unseen(case: &Case<'_>, lost: Difference<'_>) -> Option<String> {
    let (widget, other) = match (lost.before, lost.after) {
        (Some(before), None) => (before, case.usual.sight(case.usual_pair.1)?),
        (None, Some(after)) => (after, case.usual.sight(case.usual_pair.0)?),
        _ => return None,
    };
    let label = row_label(widget).filter(|label| !is_named(case, label))?;
    let list = name(row_of(widget)?.parent()?);
    let is_partial = partly_shown(&other.layout, &list, &label);
    is_partial.then_some(label)
}

/// True for a list that shows a part of its rows, and none of this label.
fn partly_shown(layout: &Layout, id: &str, label: &str) -> bool {
    let shows = |list: &List| list.rows.iter().any(|row| row.label == label);
    lists(layout).iter().any(|list| list.id == id && !list.complete && !shows(list))
}
