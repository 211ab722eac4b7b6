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

/// The most widgets of a snackbar.
const MOST: usize = 8;

/// Whether a widget is a snackbar, with or without an action, or lies in one. What takes its touches has no id of its own: it is
/// known by holding nothing else.
pub fn is_in_snackbar(widget: Widget<'_>) -> bool {
    let named = |widget: Widget<'_>| {
        let names = [widget.short_id(), widget.short_class()];
        names.iter().any(|name| name.to_ascii_lowercase().contains("snackbar"))
    };
    let lies_in_one = |widget: Widget<'_>| named(widget) || widget.ancestors().any(named);
    let speaks = |widget: Widget<'_>| !widget.text().is_empty() || !widget.description().is_empty();
    let holds_one = || {
        let within: Vec<Widget<'_>> = widget.subtree().skip(1).take(MOST + 1).collect();
        within.len() <= MOST
            && within.iter().any(|inner| named(*inner))
            && within.iter().all(|inner| !speaks(*inner) || lies_in_one(*inner))
    };
    lies_in_one(widget) || holds_one()
}

/// Whether a widget is what is touched for the action of a snackbar.
pub fn is_action(widget: Widget<'_>) -> bool {
    widget.short_id() == "snackbar_action"
}

/// Whether a widget is the text of a snackbar.
pub fn is_text(widget: Widget<'_>) -> bool {
    widget.short_id() == "snackbar_text"
}

/// The snackbar of a layout, if it has one with an action.
pub fn snackbar(layout: &Layout) -> Option<Snackbar> {
    let button = layout.widgets().find(|widget| is_action(*widget))?;
    let named = button.subtree().map(Widget::text).find(|text| !text.is_empty());
    let action = named.unwrap_or(button.description()).trim().to_owned();
    let text = layout.widgets().find(|widget| is_text(*widget));
    let text = text.map(|widget| widget.text().trim().to_owned()).unwrap_or_default();
    (!action.is_empty()).then_some(Snackbar { text, action, button: button.id() })
}
