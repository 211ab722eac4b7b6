//! Does the change happen at the same place, where an earlier action had put another object?

use super::case::{Case, Difference, value};
use super::swap::{is_alike, is_named};
use crate::sentence::quoted;
use droidmux_account::row::lists;
use droidmux_gui::{Layout, Widget};
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// A place in a list, and what stands there.
#[derive(PartialEq, Eq)]
struct Place {
    list: String,
    /// Among its rows, from 0.
    number: usize,
    label: String,
}

/// Explains it when every missing change happens to the other object that stands in the place of its own, and the event
/// names neither: an app has things that are first, newest or running, and acts on those.
pub(super) fn explain(case: &Case<'_>) -> Option<Experiment> {
    let mut first = None;
    for lost in case.telling() {
        let found = displaced(case, lost)?;
        first.get_or_insert(found);
    }
    let (words, usual, deviant) = first?;
    let places = (&[usual, case.usual_pair.1][..], &[deviant, case.deviant_pair.1][..]);
    Some(case.experiment(ExperimentKind::OwnObject, Bearing::Excuses, &words, places))
}

/// What stood in the place of a missing change's object, in words; and the sights that show it: the usual one, the
/// deviant one.
fn displaced(case: &Case<'_>, lost: Difference<'_>) -> Option<(String, usize, usize)> {
    let own = place_of(lost.widget()?)?;
    let same = |other: &&Difference<'_>| {
        other.kind == lost.kind && is_alike(lost, **other) && other.after.map(value) == lost.after.map(value)
    };
    let instead = case.instead.iter().filter(same).find_map(|other| place_of(other.widget()?))?;
    let same_place = (&instead.list, instead.number) == (&own.list, own.number);
    if !same_place || instead == own || is_named(case, &own.label) || is_named(case, &instead.label) {
        return None;
    }
    let shown = if lost.after.is_some() { case.usual_pair.1 } else { case.usual_pair.0 };
    let page = case.usual.sight(shown)?;
    let usual = Case::newest_of_page(case.usual, case.usual_pair.1, page)?;
    let deviant = Case::newest_of_page(case.deviant, case.deviant_pair.1, page)?;
    let stands = |layout: &Layout, place: &Place| {
        let list = lists(layout).into_iter().find(|list| list.id == place.list);
        list.is_some_and(|list| list.rows.get(place.number).is_some_and(|row| row.label == place.label))
    };
    let stood = stands(&case.usual.sight(usual)?.layout, &own)
        && stands(&case.deviant.sight(deviant)?.layout, &instead);
    let words = format!(
        "what was done before had put {} in the place of {}",
        quoted(&instead.label),
        quoted(&own.label)
    );
    stood.then_some((words, usual, deviant))
}

fn place_of(widget: Widget<'_>) -> Option<Place> {
    lists(widget.layout()).into_iter().find_map(|list| {
        let holds = |node| widget.id() == node || widget.is_inside(node);
        let number = list.rows.iter().position(|row| holds(row.node))?;
        let label = list.rows.get(number)?.label.clone();
        Some(Place { list: list.id, number, label })
    })
}
