//! What lies over a page or over another window, and how it came.
//!
//! In: a trail, and the number of a shot with such a window. Out: the shot that opened it, what lay below, and the drop-down
//! list that it belongs to. Invariants: nothing but the trail up to that shot is looked at.

use super::super::trail::{Shot, Trail};
use droidmux_account::look::{Window, is_drop_down};
use droidmux_gui::Widget;

/// The shot in which the window of a shot came: one window may have opened another, and the app may have been left
/// meanwhile.
pub fn opening(trail: &Trail<'_>, number: usize) -> Option<usize> {
    let window = trail.shot(number)?;
    let is_it = |shot: &Shot<'_>| shot.is_covered() && is_same_window(shot, window);
    let earlier = (0..=number).rev().filter_map(|number| Some((number, trail.shot(number)?)));
    let in_app = earlier.filter(|(_, shot)| shot.seen.screen.in_app);
    in_app.take_while(|(_, shot)| is_it(shot)).last().map(|(number, _)| number)
}

/// The last shot of what lay below the window that a press closed and shows again: a page, or a dialog below a popup.
pub fn shown_again(trail: &Trail<'_>, number: usize) -> Option<usize> {
    let (before, after) = (trail.shot(number.checked_sub(1)?)?, trail.shot(number)?);
    if !before.is_covered() {
        return None;
    }
    if !after.is_covered() {
        return Some(trail.opener(number - 1));
    }
    let below = opening(trail, number - 1)?.checked_sub(1)?;
    let is_popup = before.look().window == Window::Menu && after.look().window == Window::Dialog;
    (is_popup && is_same_window(trail.shot(below)?, after)).then_some(below)
}

/// The window of this shot is the popup of a drop-down list, of a page or a dialog.
pub fn is_of_drop_down(trail: &Trail<'_>, number: usize) -> bool {
    drop_down(trail, number).is_some()
}

/// The drop-down list shows what this entry of its popup says: that is chosen already.
pub fn shows_chosen(trail: &Trail<'_>, number: usize, word: &str) -> bool {
    let shows = |list: Widget<'_>| list.subtree().any(|shown| shown.text().trim() == word);
    drop_down(trail, number).is_some_and(shows)
}

/// The drop-down list whose popup the window of this shot is, as it was when it was opened.
fn drop_down<'t>(trail: &'t Trail<'_>, number: usize) -> Option<Widget<'t>> {
    let opening = opening(trail, number)?;
    let opened = trail.shot(opening.checked_sub(1)?)?.layout().get(trail.shot(opening)?.receiver?)?;
    is_drop_down(opened).then_some(opened)
}

/// Whether both show a window of one kind and title.
fn is_same_window(one: &Shot<'_>, other: &Shot<'_>) -> bool {
    (one.look().window, &one.look().dialog) == (other.look().window, &other.look().dialog)
}
