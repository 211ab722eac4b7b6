//! Had what was done in addition already changed the very object that the lost change is about?

use super::case::{Case, Difference, Object};
use super::placeholder::is_placeholder;
use crate::sentence::{self, quoted};
use droidmux_gui::{Flags, Layout, Widget, context_node, row_of};
use droidmux_record::{Bearing, EffectKind, Experiment, ExperimentKind};

/// The most texts that belong together.
const MOST_BESIDE: usize = 6;

/// How an object stood before the event, compared with how it usually stands.
struct Found {
    bearing: Bearing,
    words: String,
    /// The sights that show it: the usual one, the deviant one.
    at: (usize, usize),
}

/// Explains it when every missing change was about such an object.
pub(super) fn explain(case: &Case<'_>) -> Option<Experiment> {
    let lost = case.telling();
    let mut found = lost.iter().filter(|lost| !is_placeholder(case, lost)).map(|lost| object(case, lost));
    let mut first = found.next()??;
    for other in found {
        if other?.bearing == Bearing::Doubts {
            first.bearing = Bearing::Doubts;
        }
    }
    let (usual, deviant) = first.at;
    let places = (&[usual, case.usual_pair.1][..], &[deviant, case.deviant_pair.1][..]);
    Some(case.experiment(ExperimentKind::OwnObject, first.bearing, &first.words, places))
}

fn object(case: &Case<'_>, lost: &Difference<'_>) -> Option<Found> {
    let page = case.usual.sight(case.usual_pair.0)?;
    let usual = Case::newest_of_page(case.usual, case.usual_pair.1, page)?;
    let deviant = Case::newest_of_page(case.deviant, case.deviant_pair.1, page)?;
    let at = (usual, deviant);
    let layouts = (&*case.usual.sight(usual)?.layout, &*case.deviant.sight(deviant)?.layout);
    let found = |bearing, words| Some(Found { bearing, words, at });
    if let Some(before) = lost.before {
        let object = Object::of(before);
        let (usual, deviant) = (object.values(layouts.0), object.values(layouts.1));
        if usual == deviant {
            return already(case, lost).and_then(|words| found(Bearing::Excuses, words));
        }
        let name = sentence::widget(before);
        let words = match deviant.iter().find(|value| !usual.contains(value)) {
            None => format!("what was done before had already removed {name}"),
            Some(value) => match value.iter().find(|part| !part.is_empty()) {
                Some(value) => {
                    format!("what was done before had already turned {name} into {}", quoted(value))
                }
                None => format!("what was done before had already emptied {name}"),
            },
        };
        return found(Bearing::Excuses, words);
    }
    let after = lost.after?;
    let object = Object::of(after);
    let (had, has) = (object.values(layouts.0).len(), object.values(layouts.1).len());
    let holds = !object.values(&case.after()?.1.layout).is_empty();
    if has <= had || !holds {
        return beside(after, layouts).and_then(|words| found(Bearing::Excuses, words));
    }
    // An app may keep namesakes apart, or refuse the second: which of the two is meant is for a person to say.
    let namesake = row_of(after).is_some();
    let bearing = if namesake { Bearing::Doubts } else { Bearing::Excuses };
    found(bearing, format!("{} was there already, from what was done before", sentence::widget(after)))
}

/// For a text that appears beside others that belong to it, as an answer beside its question: what stood there was
/// already something else.
fn beside(after: Widget<'_>, layouts: (&Layout, &Layout)) -> Option<String> {
    if row_of(after).is_some() {
        return None;
    }
    let place = Object::of(context_node(after)?);
    let (usual, deviant) = (texts_of(&place, layouts.0)?, texts_of(&place, layouts.1)?);
    let (was, is) = usual.iter().zip(&deviant).find(|(was, is)| was != is)?;
    Some(format!("{} belongs to {}, and there was {}", sentence::widget(after), quoted(was), quoted(is)))
}

/// The texts outside of rows in a widget: of a small part of a page, not of a whole one.
fn texts_of(place: &Object, layout: &Layout) -> Option<Vec<String>> {
    let mut found = layout.widgets().filter(|widget| place.is(*widget));
    let widget = found.next()?;
    let texts = widget.subtree().filter(|w| !w.text().is_empty() && !w.has(Flags::PASSWORD));
    let texts: Vec<String> = texts.map(|w| w.text().to_owned()).take(MOST_BESIDE + 1).collect();
    let in_rows = widget.subtree().any(|w| row_of(w).is_some());
    let whole = widget.parent().is_none() || is_page(widget);
    (found.next().is_none() && !in_rows && !whole && texts.len() <= MOST_BESIDE).then_some(texts)
}

/// True for what holds more than half of the widgets of its layout.
fn is_page(widget: Widget<'_>) -> bool {
    widget.subtree().len() * 2 > widget.layout().len()
}

/// A change to what the object showed before it, and shows after it as well.
fn already(case: &Case<'_>, lost: &Difference<'_>) -> Option<String> {
    let (EffectKind::Changed, Some(before), Some(after)) = (lost.kind, lost.before, lost.after) else {
        return None;
    };
    let (object, wanted) = (Object::of(before), super::case::value(after));
    let (at, _) = (case.before()?.1, case.after()?.1);
    let shows = |layout: &Layout| object.values(layout).contains(&wanted);
    let holds = shows(&at.layout) && shows(&case.after()?.1.layout);
    let name = |widget: Widget<'_>| sentence::widget(widget);
    holds.then(|| format!("{} showed that already", name(before)))
}
