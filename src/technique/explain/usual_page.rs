//! Is there a usual behaviour from a page with equal content?

use crate::sentence::{self, quoted};
use droidmux_account::apart;
use droidmux_gui::{Event, Layout, Widget};

use super::page_identity::{came_to_another_page, place};

/// A page with the event that was done on it.
#[derive(Clone, Copy)]
pub(crate) struct Done<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) event: &'a Event,
}

/// What a person would say is different between two pages before the same event: the page or its mode, a text outside
/// of rows, or what the event acted on, if that has no name of its own. `None` when their content is equal, whatever
/// their rows hold.
pub(crate) fn content_difference(usual: Done<'_>, deviant: Done<'_>) -> Option<String> {
    came_to_another_page(usual.layout, deviant.layout, None)
        .or_else(|| labels(usual.layout, deviant.layout))
        .or_else(|| acted(usual, deviant))
}

/// The first text outside of rows that differs.
fn labels(usual: &Layout, deviant: &Layout) -> Option<String> {
    match place(usual).label_difference(&place(deviant)) {
        (None, None) => None,
        (Some(was), Some(is)) => {
            let (is, was) = apart(is, was);
            Some(format!("there stood {is} instead of {was}"))
        }
        (Some(was), None) => Some(format!("{} was not there", quoted(was))),
        (None, Some(is)) => Some(format!("{} was there", quoted(is))),
    }
}

/// What an event acted on, by its text, if it has no id.
fn acted(usual: Done<'_>, deviant: Done<'_>) -> Option<String> {
    let label = |done: Done<'_>| {
        let widget: Widget<'_> =
            done.layout.get(done.layout.resolve(done.event.receiver.as_ref()?).widget()?)?;
        (widget.resource_id().is_empty() && !widget.is_editable()).then(|| sentence::widget(widget))
    };
    let (usual, deviant) = (label(usual)?, label(deviant)?);
    (usual != deviant).then(|| format!("it was done on {deviant} instead of {usual}"))
}
