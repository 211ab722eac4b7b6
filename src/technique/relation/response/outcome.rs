//! What came of a press: whether the screen after it is the one before, and nothing was said.

use super::super::differ_in_words;
use super::super::trail::{Shot, Trail};
use super::press::Press;
use droidmux_account::snackbar::is_in_snackbar;
use droidmux_gui::{Layout, Widget};

/// What came of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Nothing,
    Something,
    /// Numbers changed, and clocks do that as well; the screen did not come to rest; or what was said may have been said
    /// again.
    Unclear,
}

impl Outcome {
    /// Of a press that led to this shot.
    pub fn of(trail: &Trail<'_>, press: &Press, after: &Shot<'_>) -> Self {
        let Some(origin) = trail.shot(press.origin) else { return Self::Unclear };
        let (is, was) = (&after.seen.screen, &origin.seen.screen);
        if !is.in_app || after.look().loading {
            return Self::Something;
        }
        // A phone that was turned with a window open shows the page in another way.
        let turned = is.rotation != was.rotation && press.closes;
        if turned {
            return Self::Unclear;
        }
        if !after.is_sound() {
            // It was at rest before it was pressed, and now something moves that is no clock.
            let ticks = is.layout != was.layout && differ_in_numbers(origin.layout(), after.layout());
            return if ticks { Self::Unclear } else { Self::Something };
        }
        let said = after.seen.toast.is_some() || !after.seen.signals.is_empty() || after.seen.was_disturbed();
        let same_picture = match (after.seen.screenshot, origin.seen.screenshot) {
            (Some(is), Some(was)) => is == was,
            _ => true,
        };
        let same_frame = (&is.activity, is.rotation) == (&was.activity, was.rotation);
        let keyboard_moved =
            is.keyboard != was.keyboard && (is.keyboard || !press.has_closed_keyboard(after));
        if said || !same_picture || !same_frame || keyboard_moved {
            return Self::Something;
        }
        match is.layout == was.layout {
            true if may_have_said_again(origin, press) => Self::Unclear,
            true => Self::Nothing,
            false if differ_in_numbers(origin.layout(), after.layout()) => {
                if has_come(&press.word, origin.layout(), after.layout()) {
                    Self::Something
                } else {
                    Self::Unclear
                }
            }
            false if snackbar_went(origin.layout(), after.layout()) => Self::Unclear,
            false => Self::Something,
        }
    }
}

/// A snackbar stood there: to show one that says the same looks like nothing. Its action, which is all that a press has of
/// one, does more than that.
fn may_have_said_again(origin: &Shot<'_>, press: &Press) -> bool {
    let pressed = press.widget.filter(|_| !press.closes).and_then(|widget| origin.layout().get(widget));
    !pressed.is_some_and(is_in_snackbar) && says_something(origin.layout())
}

/// What was pressed is said where it was not before: a choice of a number.
fn has_come(word: &str, before: &Layout, after: &Layout) -> bool {
    let said = |layout: &Layout| layout.widgets().filter(|widget| widget.text().trim() == word).count();
    !word.is_empty() && said(after) > said(before)
}

/// The same widgets with the same words; only numbers in them are others.
fn differ_in_numbers(one: &Layout, other: &Layout) -> bool {
    are_alike(one.widgets(), other.widgets(), |a, b| !differ_in_words(a, b))
}

/// A snackbar is over, and nothing else happened: they go by themselves.
fn snackbar_went(one: &Layout, other: &Layout) -> bool {
    let outside = |widget: &Widget<'_>| !is_in_snackbar(*widget);
    let (ones, others) = (one.widgets().filter(outside), other.widgets().filter(outside));
    says_something(one) && !says_something(other) && are_alike(ones, others, |a, b| a == b)
}

/// A snackbar stands there. Some apps keep an empty place for them.
fn says_something(layout: &Layout) -> bool {
    layout.widgets().any(|widget| is_in_snackbar(widget) && !widget.text().is_empty())
}

/// The same widgets one by one, wherever they stand, with texts that are the same in this sense.
fn are_alike<'w>(
    ones: impl Iterator<Item = Widget<'w>>,
    mut others: impl Iterator<Item = Widget<'w>>,
    same: impl Fn(&str, &str) -> bool,
) -> bool {
    let alike = ones.map(|widget| (widget, others.next())).all(|(widget, other)| {
        other.is_some_and(|other| {
            (widget.class(), widget.resource_id(), widget.flags())
                == (other.class(), other.resource_id(), other.flags())
                && same(widget.text(), other.text())
                && same(widget.description(), other.description())
        })
    });
    alike && others.next().is_none()
}
