//! Snackbars: a message at the foot of the screen with an action, known by their ids and their place.

use droidmux_gui::{Layout, Widget, WidgetId};

/// A snackbar with an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snackbar {
    /// What it says.
    pub text: String,
    /// What its button says.
    pub action: String,
    /// What is touched for the action.
    pub button: WidgetId,
}

/// Whether a widget is a snackbar or lies in one, with or without an action.
pub fn is_in_snackbar(widget: Widget<'_>) -> bool {
    std::iter::once(widget).chain(widget.ancestors()).any(|above| above.short_id().contains("snackbar"))
}

/// The snackbar of a layout, if it has one with an action.
pub fn snackbar(layout: &Layout) -> Option<Snackbar> {
    let button = layout.widgets().find(|widget| widget.short_id() == "snackbar_action")?;
    let named = button.subtree().map(Widget::text).find(|text| !text.is_empty());
    let action = named.unwrap_or(button.description()).trim().to_owned();
    let text = layout.widgets().find(|widget| widget.short_id() == "snackbar_text");
    let text = text.map(|widget| widget.text().trim().to_owned()).unwrap_or_default();
    (!action.is_empty()).then_some(Snackbar { text, action, button: button.id() })
}
