//! An event in words, so that its widget cannot be mistaken for another.

use super::change::ordinal;
use super::facts::Facts;
use super::look::shows_hint;
use super::quote::{bare, quoted};
use super::row::Row;
use super::sentence::{field_name, plain_word, word_of};
use super::veil::Veil;
use droidmux_gui::{Event, EventKind, Flags, Selector, Widget, WidgetId, short_class, short_id};

/// An event in words: what was done, on which widget of the screen before it, and what was typed.
///
/// `click "Save"`, `click "Delete" in row "milk" (2nd of 4 "milk")`, `edit field "Title": "old" → "new"`, `rotate`.
pub fn event_words(event: &Event, on: Option<(&Facts, WidgetId)>, veil: &Veil) -> String {
    let kind = event.kind.name();
    let found = on.and_then(|(facts, id)| Some((facts, facts.layout().get(id)?)));
    let target = match (found, &event.receiver) {
        (Some((facts, widget)), _) => Some(target(facts, widget, veil)),
        (None, Some(selector)) => Some(by_selector(selector, veil)),
        (None, None) => None,
    };
    let data = event.data.as_deref();
    match (target, data) {
        (Some(target), Some(text)) if event.kind == EventKind::Edit => {
            let field = found.map(|(_, widget)| widget);
            let is_secret = field.is_some_and(|field| field.has(Flags::PASSWORD));
            // A hint is nothing that it held.
            let held = field
                .filter(|field| !is_secret && !shows_hint(*field))
                .map(Widget::text)
                .filter(|held| !held.is_empty());
            let held =
                held.map(|held| format!("{} → ", quoted(&veil.secrets.redacted(held)))).unwrap_or_default();
            let typed = match text {
                _ if is_secret => "a password".to_owned(),
                "" => "emptied".to_owned(),
                text => quoted(&veil.secrets.redacted(text)),
            };
            format!("{kind} {target}: {held}{typed}")
        }
        (Some(target), _) => format!("{kind} {target}"),
        (None, Some(data)) => format!("{kind} {}", bare(data)),
        (None, None) => kind.to_owned(),
    }
}

/// A widget by what a person calls it, and which one where several are called so.
pub fn target(facts: &Facts, widget: Widget<'_>, veil: &Veil) -> String {
    let layout = facts.layout();
    let in_row = facts.lists().iter().find_map(|list| Some((list, list.row_with(layout, widget.id())?)));
    let Some((list, (at, row))) = in_row else { return lone(facts, widget, veil) };
    let told = quoted(&veil.secrets.redacted(&row.label));
    let alike: Vec<usize> = list.labelled(&row.label).map(|(number, _)| number).collect();
    let which = match alike.iter().position(|number| *number == at) {
        Some(place) if alike.len() > 1 => format!(" ({} of {} called so)", ordinal(place + 1), alike.len()),
        _ => String::new(),
    };
    if row.is_touched_by(layout, widget.id()) {
        return format!("row {told}{which}");
    }
    format!("{} in row {told}{which}", part(row, widget, veil))
}

/// What kind of thing a widget is, whatever it says: equal for the boxes of two rows.
pub fn target_kind(facts: &Facts, widget: Widget<'_>) -> String {
    let layout = facts.layout();
    let row = facts.lists().iter().find_map(|list| Some((list, list.row_with(layout, widget.id())?.1)));
    match row {
        Some((list, row)) if row.is_touched_by(layout, widget.id()) => format!("row of {}", list.id),
        Some((list, _)) => format!("{} in {}", word_of(widget), list.id),
        None => super::row::name(widget),
    }
}

/// A part of a row.
fn part(row: &Row, widget: Widget<'_>, veil: &Veil) -> String {
    let name = own_name(widget, veil);
    let Some(node) = widget.layout().get(row.node) else { return name };
    let same = node.subtree().filter(|other| is_like(*other, widget) && own_name(*other, veil) == name);
    numbered(&name, same.map(Widget::id), widget.id())
}

/// A widget outside of rows.
fn lone(facts: &Facts, widget: Widget<'_>, veil: &Veil) -> String {
    let name = own_name(widget, veil);
    let outside = |other: &Widget<'_>| !facts.lists().iter().any(|list| other.is_inside(list.node));
    let same = facts.layout().widgets().filter(outside);
    let same = same.filter(|other| is_like(*other, widget) && own_name(*other, veil) == name);
    numbered(&name, same.map(Widget::id), widget.id())
}

fn numbered(name: &str, same: impl Iterator<Item = WidgetId>, own: WidgetId) -> String {
    let same: Vec<WidgetId> = same.collect();
    match same.iter().position(|id| *id == own) {
        Some(place) if same.len() > 1 => format!("{name} ({} of {})", ordinal(place + 1), same.len()),
        _ => name.to_owned(),
    }
}

/// Whether a person could take one for the other: both take touches, or both scroll.
fn is_like(a: Widget<'_>, b: Widget<'_>) -> bool {
    !a.has(Flags::INVISIBLE)
        && a.is_actionable() == b.is_actionable()
        && a.has(Flags::SCROLLABLE) == b.has(Flags::SCROLLABLE)
}

/// `"Save"`, `field "Title"`, `box "done"`, `the star`.
fn own_name(widget: Widget<'_>, veil: &Veil) -> String {
    if widget.is_editable() {
        let name = field_name(widget).map(|name| format!(" {}", quoted(&name))).unwrap_or_default();
        return format!("field{name}");
    }
    let own = |widget: Widget<'_>| {
        let text = if widget.has(Flags::PASSWORD) { "" } else { widget.text() };
        let said = if text.trim().is_empty() { widget.description() } else { text };
        (!said.trim().is_empty()).then(|| quoted(&veil.secrets.redacted(said.trim())))
    };
    let scrolls = widget.has(Flags::SCROLLABLE) && !widget.is_actionable();
    let said = own(widget).or_else(|| says(widget).filter(|_| !scrolls).find_map(own));
    match (said, widget.has(Flags::CHECKABLE)) {
        (Some(said), true) => format!("box {said}"),
        (Some(said), false) => said,
        (None, _) => match under_the_finger(widget).and_then(own) {
            Some(over) => format!("the {}, over {over}", word_of(widget)),
            None => format!("the {}", word_of(widget)),
        },
    }
}

/// What lies in a widget and speaks for it: what takes touches of its own speaks for itself, as the rows of a list do.
fn says(widget: Widget<'_>) -> impl Iterator<Item = Widget<'_>> {
    let own = widget.id();
    let touched = move |part: &Widget<'_>| {
        let to_own = part.ancestors().take_while(move |above| above.id() != own);
        part.is_actionable() || to_own.into_iter().any(|above| above.is_actionable())
    };
    let is_touched = widget.is_actionable();
    widget.subtree().skip(1).filter(move |part| !is_touched || !touched(part))
}

/// What takes touches of its own in the middle of a widget, where a finger comes down that means the widget.
fn under_the_finger(widget: Widget<'_>) -> Option<Widget<'_>> {
    let middle = widget.bounds().center();
    let holds = |part: &Widget<'_>| part.is_actionable() && part.bounds().contains(middle);
    let touched = widget.subtree().skip(1).rfind(holds)?;
    Some(says(touched).find(|part| !part.text().trim().is_empty()).unwrap_or(touched))
}

/// What is known of a widget that was not found.
fn by_selector(selector: &Selector, veil: &Veil) -> String {
    let label = [&selector.text, &selector.description].into_iter().find(|text| !text.trim().is_empty());
    match (label, short_id(&selector.resource_id)) {
        (Some(label), _) => quoted(&veil.secrets.redacted(label)),
        (None, "") => format!("the {}", plain_word(short_class(&selector.class))),
        (None, id) => format!("the {}", super::sentence::split_name(id)),
    }
}
