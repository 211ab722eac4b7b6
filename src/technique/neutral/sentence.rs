//! What widgets and events are called in sentences: by labels that people see.

use crate::sentence::quoted;
use droidmux_gui::{Flags, Selector, Widget, row_of, short_class, short_id};

/// A widget by its label: `'Save'`; without one by what its id or its class says.
pub(super) fn called(widget: Widget<'_>) -> String {
    if widget.is_editable() {
        return called_field(widget);
    }
    match label(widget) {
        Some(label) => quoted(label),
        None => plain(widget.short_id(), widget.short_class()),
    }
}

/// A field by its hint, its description or the label before it: never by what was typed.
fn called_field(field: Widget<'_>) -> String {
    let own = [field.hint(), field.description()].into_iter().find(|name| !name.trim().is_empty());
    if let Some(name) = own {
        return quoted(name);
    }
    plain(field.short_id(), "field")
}

/// The receiver of an event.
pub(super) fn called_by(receiver: &Selector) -> String {
    let names = [receiver.text.as_str(), &receiver.description];
    match names.into_iter().find(|name| !name.trim().is_empty()) {
        Some(name) => quoted(name),
        None => plain(short_id(&receiver.resource_id), short_class(&receiver.class)),
    }
}

/// The first text or description in a widget, nothing of a password.
pub(super) fn label<'a>(widget: Widget<'a>) -> Option<&'a str> {
    let texts = widget.subtree().filter(|w| !w.has(Flags::PASSWORD));
    texts.flat_map(|w| [w.text(), w.description()]).find(|text| !text.trim().is_empty())
}

/// What a page or a dialog is called: its first label that is neither typed nor a row's.
pub(super) fn title(layout: &droidmux_gui::Layout) -> Option<String> {
    let titles = layout.widgets().filter(|w| !w.is_actionable() && row_of(*w).is_none());
    titles.map(|w| w.text()).find(|text| !text.trim().is_empty()).map(quoted)
}

/// The words of an id, else of a class: `note_title` is `'note title'`.
fn plain(id: &str, class: &str) -> String {
    match id {
        "" => format!("a {}", class.to_lowercase()),
        id => quoted(&id.replace(['_', '-', '.'], " ")),
    }
}
