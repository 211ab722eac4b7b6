//! Does the change strike a different object than the one the event names?

use super::case::{Case, Difference, Object, value};
use super::story::Story;
use crate::sentence;
use droidmux_account::apart;
use droidmux_gui::Widget;
use droidmux_record::{Bearing, EffectKind, Experiment, ExperimentKind};

/// The same kind of change strikes Y, though the receiver or its dialog names X.
pub(super) fn accuse(case: &Case<'_>) -> Option<Experiment> {
    let (at, deviant_at) = case.before_at()?;
    let Struck { kind, meant, struck } = struck(case)?;
    let deed = case.deviant.deed(deviant_at)?;
    let (is, was) = apart(&struck, &meant);
    let words = format!("{deed} {} {is} instead of {was}", done(kind));
    let places = (&[at, case.usual_pair.1][..], &[deviant_at, case.deviant_pair.1][..]);
    Some(case.experiment(ExperimentKind::Swap, Bearing::Accuses, &words, places))
}

/// A change that struck a different object.
pub(crate) struct Struck {
    pub(crate) kind: EffectKind,
    /// What people call the object that was meant, and the one that was struck.
    pub(crate) meant: String,
    pub(crate) struck: String,
}

/// The change that struck a different object than the one the event names, if any did.
pub(crate) fn struck(case: &Case<'_>) -> Option<Struck> {
    let meant = case.lost.iter().copied().filter(|lost| lost.kind != EffectKind::Added);
    let unmoved = |lost: &Difference<'_>| !is_move(case.usual, case.usual_pair, *lost);
    for lost in meant.filter(unmoved) {
        let Some(name) = label(lost).filter(|name| is_named(case, name)) else { continue };
        let struck_too = |other: &&Difference<'_>| {
            other.kind == lost.kind
                && is_alike(lost, **other)
                && !is_move(case.deviant, case.deviant_pair, **other)
        };
        let other = case.instead.iter().find(struck_too);
        let struck = other.and_then(|other| label(*other)).filter(|other| *other != name);
        let struck = struck.filter(|struck| was_there(case, struck) && stays(case, lost));
        if let Some(struck) = struck {
            return Some(Struck { kind: lost.kind, meant: name, struck });
        }
    }
    None
}

/// The object of a change by the name people know it by: its row's, or its own text.
fn label(change: Difference<'_>) -> Option<String> {
    let widget = change.before?;
    let own = [widget.description(), widget.text()].into_iter().find(|text| !text.is_empty());
    sentence::row_label(widget).or_else(|| own.map(str::to_owned))
}

/// The event acts on the object of this name, or its dialog names it.
pub(super) fn is_named(case: &Case<'_>, name: &str) -> bool {
    case.before_at().is_some_and(|(_, at)| case.deviant.names(at, name))
}

/// Changes of widgets of one class and id.
pub(super) fn is_alike(a: Difference<'_>, b: Difference<'_>) -> bool {
    let kind =
        |change: Difference<'_>| change.widget().map(|w| (w.class().to_owned(), w.resource_id().to_owned()));
    kind(a).is_some() && kind(a) == kind(b)
}

/// The struck object was there before the event, so it is another object and not another name for the same one.
fn was_there(case: &Case<'_>, struck: &str) -> bool {
    let at = case.deviant_pair.0;
    let shows = |widget: Widget<'_>| widget.text() == struck || widget.description() == struck;
    case.deviant.sight(at).is_some_and(|sight| sight.layout.widgets().any(shows))
}

/// The intended object is there before the event and after it: elsewhere it could not have been struck.
fn stays(case: &Case<'_>, lost: Difference<'_>) -> bool {
    let (from, to) = case.deviant_pair;
    let shows = |object: &Object, n: usize| {
        case.deviant.sight(n).is_some_and(|sight| !object.values(&sight.layout).is_empty())
    };
    let object = lost.before.map(Object::of);
    object.is_some_and(|object| shows(&object, from) && shows(&object, to))
}

/// Another value stands in its place, and each of the two was there before and is there after: rows changed places, as
/// in a list that is sorted by use. No object changed.
fn is_move(story: &Story<'_>, (from, to): (usize, usize), change: Difference<'_>) -> bool {
    let (Some(before), Some(after)) = (change.before, change.after) else { return false };
    let shows = |n: usize, wanted: Widget<'_>| {
        let alike = |widget: Widget<'_>| {
            widget.class() == wanted.class()
                && widget.resource_id() == wanted.resource_id()
                && value(widget) == value(wanted)
        };
        story.sight(n).is_some_and(|sight| sight.layout.widgets().any(alike))
    };
    // What a row says besides its name may well be what another says, too.
    let names_itself = label(change).is_some_and(|name| value(before).contains(&name));
    names_itself && value(before) != value(after) && shows(from, after) && shows(to, before)
}

fn done(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Deleted => "removed",
        EffectKind::Changed => "changed",
        EffectKind::Added => "brought",
    }
}
