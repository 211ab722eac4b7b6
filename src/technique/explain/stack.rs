//! Does going back lead to a page that was opened in addition?

use super::case::Case;
use super::page_identity::is_same_page;
use droidmux_account::look::is_up;
use droidmux_gui::EventKind;
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// Back and up go to where one came from: a page that only the deviant test opened.
pub(super) fn explain(case: &Case<'_>) -> Option<Experiment> {
    let (at, deviant_at) = case.before_at()?;
    let goes_back = match case.deviant.event(deviant_at)?.kind {
        EventKind::Back => true,
        EventKind::Click => case.deviant.receiver(deviant_at).is_some_and(is_up),
        _ => false,
    };
    let (usual, deviant) = case.after()?;
    let before = case.deviant.sight(deviant_at)?;
    if !goes_back || is_same_page(usual, deviant) || is_same_page(before, deviant) {
        return None;
    }
    let known = |n: usize| case.deviant.sight(n).is_some_and(|sight| is_same_page(sight, deviant));
    let opened = case.extra.clone().find(|&n| known(n))?;
    let deed = case.deviant.deed(deviant_at)?;
    let words = format!("{deed} leads to a page that was opened on the way");
    let places = (&[at][..], &[opened, case.deviant_pair.1][..]);
    Some(case.experiment(ExperimentKind::Stack, Bearing::Excuses, &words, places))
}
