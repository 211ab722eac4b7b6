//! Had what was done in addition already changed the very object that the lost change is about?

use super::case::{Case, Difference, Object};
use super::placeholder::is_placeholder;
use crate::gui::{Widget, row_of};
use crate::record::{Bearing, EffectKind, Experiment, ExperimentKind};
use crate::technique::sentence::{self, quoted};

/// How an object stood before the event, compared with how it usually stands.
struct Found {
    bearing: Bearing,
    words: String,
    /// The sights that show it: the usual one, the deviant one.
    at: (usize, usize),
}

/// Explains when every change that is missing was of such an object.
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
    let layouts = (&case.usual.sight(usual)?.layout, &case.deviant.sight(deviant)?.layout);
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
        return None;
    }
    // An app may keep namesakes apart, or refuse the second: which of the two is meant is for a person to say.
    let namesake = row_of(after).is_some();
    let bearing = if namesake { Bearing::Doubts } else { Bearing::Excuses };
    found(bearing, format!("{} was there already, from what was done before", sentence::widget(after)))
}

/// A change to what the object showed before it, and shows after it as well.
fn already(case: &Case<'_>, lost: &Difference<'_>) -> Option<String> {
    let (EffectKind::Changed, Some(before), Some(after)) = (lost.kind, lost.before, lost.after) else {
        return None;
    };
    let (object, wanted) = (Object::of(before), super::case::value(after));
    let (at, _) = (case.before()?.1, case.after()?.1);
    let shows = |layout: &crate::gui::Layout| object.values(layout).contains(&wanted);
    let holds = shows(&at.layout) && shows(&case.after()?.1.layout);
    let name = |widget: Widget<'_>| sentence::widget(widget);
    holds.then(|| format!("{} showed that already", name(before)))
}
