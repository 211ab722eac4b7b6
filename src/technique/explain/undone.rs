//! Did what was done in addition take itself back, and leave the object changed all the same?

use super::case::{Case, Object};
use super::page_identity::is_same_page;
use crate::passing::is_passing_value;
use crate::sentence;
use droidmux_account::snackbar::snackbar;
use droidmux_account::words::{Meaning, says};
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// An undo leaves nothing of what it undoes: if the object of a lost change did not come back with it, the change of
/// the object is no excuse. A value that passes with time comes back to nothing.
pub(super) fn accuse(case: &Case<'_>) -> Option<Experiment> {
    let inserted = case.extra.start.checked_sub(1)?..case.extra.end.saturating_sub(1);
    for undo in inserted.filter(|&n| is_undo(case, n)) {
        let raised = raised_at(case, undo)?;
        let (before, after) = (case.deviant.sight(raised)?, case.deviant.sight(undo + 1)?);
        if !is_same_page(before, after) {
            continue;
        }
        let lost = case.lost.iter().filter_map(|lost| lost.before);
        let changed = lost.filter(|widget| !is_passing_value(widget.text())).find(|widget| {
            let values = |sight: &super::story::Sight<'_>| Object::of(*widget).values(&sight.layout);
            !values(before).is_empty() && values(before) != values(after)
        });
        if let Some(widget) = changed {
            let (deed, undoing) = (case.deviant.deed(raised)?, case.deviant.deed(undo)?);
            let name = sentence::widget(widget);
            let words = format!("{undoing} did not bring back {name}, which {deed} had changed");
            let places = (&[][..], &[raised, undo, undo + 1][..]);
            return Some(case.experiment(ExperimentKind::OwnObject, Bearing::Accuses, &words, places));
        }
    }
    None
}

/// The event on a sight is the action of a snackbar that takes something back.
fn is_undo(case: &Case<'_>, n: usize) -> bool {
    let bar = case.deviant.sight(n).and_then(|sight| snackbar(&sight.layout));
    let receiver = case.deviant.receiver(n);
    bar.zip(receiver)
        .is_some_and(|(bar, receiver)| receiver.is_inside(bar.button) && says(&bar.action, Meaning::Undo))
}

/// The sight with the event that raised the snackbar of a later sight.
fn raised_at(case: &Case<'_>, undo: usize) -> Option<usize> {
    let shows = |n: &usize| case.deviant.sight(*n).is_some_and(|sight| snackbar(&sight.layout).is_some());
    (0..undo).rev().find(|n| !shows(n))
}
