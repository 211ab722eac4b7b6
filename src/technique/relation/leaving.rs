//! What leaves a window or a page without its result.
//!
//! In: a screen and a control of it. Out: whether the control takes back what was begun there. Recognised by the ids of a
//! platform dialog's buttons, and by words for *cancel* and *no*.

use super::trail::Shot;
use super::words::{Meaning, says};
use droidmux_gui::Widget;

/// The buttons of a platform dialog: the one that agrees, and those that leave it without its result, whatever they say.
pub const AGREEING: &str = "button1";
pub const LEAVING: [&str; 2] = ["button2", "button3"];

/// Whether this control leaves the window or the page of a screen without its result.
pub fn leaves(shot: &Shot<'_>, widget: Widget<'_>) -> bool {
    let word = shot.word(widget.id());
    let is_taken_back = [Meaning::Leave, Meaning::Refuse].into_iter().any(|meaning| says(&word, meaning));
    is_taken_back || LEAVING.contains(&widget.short_id())
}
