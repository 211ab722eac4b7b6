//! How much a difference after an insertion says.
//!
//! In: what was inserted, what differs, and whether it differs at once or only after further events of the seed. Out:
//! whether it is too slight to be reported by itself, and the claim that it rests on.
//!
//! After some time away from an app, a person may find news in it, sorted and counted anew; a page that was opened may
//! be remembered, counted or used. That is no loss. What differs only later in the test may also come from time and
//! chance: after an insertion that leaves the app in front and takes no time, it is reported once the same step went as
//! in the seed with other insertions (a claim); after all others it is slight. That a page or a dialog is still there
//! after the app was away is a claim, too: an app that locks itself, or begins anew from its icon, does so by choice.

use crate::claims::HABIT;
use crate::playback::Shot;
use crate::relation::fingerprint;
use droidmux_gui::Event;
use droidmux_record::{Claim, Held, NeutralInsertion};

use super::RELATION;
use super::difference::{Difference, Kind};
use super::sentence::title;
use super::touch::is_touched;

/// True for a difference that is too slight to be reported by itself; `later`: only further events show it.
pub(super) fn is_slight(insertion: NeutralInsertion, difference: &Difference<'_>, later: bool) -> bool {
    let finds_news = insertion.leaves() || insertion == NeutralInsertion::Page;
    difference.kind.is_slight()
        || finds_news && (difference.is_news || difference.kind == Kind::Shown)
        || later && !stays_in_front(insertion)
}

/// Whether a single row is gone, the one that this event on the earlier screen opened: it may be done with, read or played.
pub(super) fn is_done_with(difference: &Difference<'_>, earlier: Shot<'_>, opening: &Event) -> bool {
    match (difference.kind, &difference.widgets) {
        (Kind::Rows, (gone, come)) if come.is_empty() => {
            matches!(gone.as_slice(), [row] if is_touched(*row, earlier.layout(), opening))
        }
        _ => false,
    }
}

/// A step of a seed that went as in the seed in a mutant with this insertion.
pub(super) fn agreed(insertion: NeutralInsertion, shown: Shot<'_>, event: &Event) -> Held {
    Held::new(RELATION, about(shown, event), fingerprint(&[insertion.name()]))
}

/// A page that was there again after the app was away; `None` if another one was, and for what leaves the app in front.
pub(super) fn stayed(
    insertion: NeutralInsertion,
    pivot: Shot<'_>,
    difference: Option<&Difference<'_>>,
) -> Option<Held> {
    let lost = difference.is_some_and(|difference| is_elsewhere(difference.kind));
    let object = fingerprint(&[pivot.activity(), &title(pivot.layout()).unwrap_or_default()]);
    (insertion.leaves() && !lost).then(|| Held::new(RELATION, about_staying(insertion), object))
}

/// What a difference rests on that shows on this screen: at once, or after an event of the seed.
pub(super) fn claim(
    insertion: NeutralInsertion,
    kind: Kind,
    shown: Shot<'_>,
    event: Option<&Event>,
) -> Option<Claim> {
    match event {
        Some(event) if stays_in_front(insertion) => Some(Claim::new(RELATION, about(shown, event), HABIT)),
        None if insertion.leaves() && is_elsewhere(kind) => {
            Some(Claim::new(RELATION, about_staying(insertion), HABIT))
        }
        _ => None,
    }
}

/// The app is made anew at once: nothing happens in the meantime, whether it is away or the page is another.
fn stays_in_front(insertion: NeutralInsertion) -> bool {
    insertion.recreates() && !insertion.leaves()
}

fn is_elsewhere(kind: Kind) -> bool {
    matches!(kind, Kind::Page | Kind::Dialog)
}

fn about_staying(insertion: NeutralInsertion) -> u64 {
    fingerprint(&[RELATION, insertion.name(), "stays"])
}

/// Equal for the same kind of event on the same kind of widget that leads to the same kind of page.
fn about(shown: Shot<'_>, event: &Event) -> u64 {
    let receiver = event.receiver.as_ref().map(|receiver| receiver.resource_id.as_str());
    fingerprint(&[RELATION, shown.activity(), event.kind.name(), receiver.unwrap_or_default()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(kind: Kind, is_news: bool) -> Difference<'static> {
        Difference { kind, words: String::new(), about: String::new(), widgets: Default::default(), is_news }
    }

    #[test]
    fn what_is_no_loss_and_what_comes_later_is_slight() {
        use NeutralInsertion as Inserted;
        // what was inserted, what differs, news, only later, slight
        for (insertion, kind, news, later, slight) in [
            (Inserted::Rotate, Kind::Rows, false, false, false),
            (Inserted::Rotate, Kind::Rows, true, false, false),
            (Inserted::Rotate, Kind::Rows, false, true, false),
            (Inserted::Rotate, Kind::Scroll, false, false, true),
            (Inserted::Dark, Kind::Shown, true, false, false),
            (Inserted::Home, Kind::Rows, false, false, false),
            (Inserted::Home, Kind::Rows, true, false, true),
            (Inserted::Lock, Kind::Shown, true, false, true),
            (Inserted::Sleep, Kind::Shown, false, false, true),
            (Inserted::Kill, Kind::Text, false, false, false),
            (Inserted::Kill, Kind::Text, false, true, true),
            (Inserted::Network, Kind::Rows, false, true, true),
            (Inserted::Page, Kind::Text, false, false, false),
            (Inserted::Page, Kind::Rows, false, false, false),
            (Inserted::Page, Kind::Rows, true, false, true),
            (Inserted::Page, Kind::Shown, false, false, true),
            (Inserted::Page, Kind::Rows, false, true, true),
        ] {
            let told = is_slight(insertion, &difference(kind, news), later);
            assert_eq!(told, slight, "{insertion:?} {kind:?} news: {news} later: {later}");
        }
    }
}
