//! The widgets of a layout as a numbered list to choose from.

use std::collections::BTreeMap;
use std::fmt::Write;

use droidmux_gui::{EventKind, Flags, Layout, Widget, WidgetId};
use droidmux_words::printable;

/// The longest text shown, in characters.
const SHOWN: usize = 40;

/// One line per widget: number, the events it takes, class, id, description, text. Without `all`, only the widgets that
/// take events or show something.
pub(super) fn listing(layout: &Layout, all: bool) -> String {
    let mut takes: BTreeMap<WidgetId, Vec<&str>> = BTreeMap::new();
    for (kind, widget) in layout.events() {
        let words = takes.entry(widget).or_default();
        let word = word(kind);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let mut text = String::new();
    for widget in layout.widgets() {
        let takes = takes.get(&widget.id()).map(|words| words.join(" ")).unwrap_or_default();
        let shows = !widget.text().is_empty() || !widget.description().is_empty();
        if all || shows || !takes.is_empty() {
            let _ = writeln!(text, "{:>5}  {:<12} {}", widget.id().0, takes, words(widget));
        }
    }
    if text.is_empty() { "      (nothing to touch or read)\n".into() } else { text }
}

/// The word by which an event is asked for.
fn word(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Click => "click",
        EventKind::LongClick => "long",
        EventKind::Edit => "edit",
        EventKind::Scroll(_) => "scroll",
        other => other.name(),
    }
}

fn words(widget: Widget<'_>) -> String {
    let mut words = widget.short_class().to_owned();
    if !widget.resource_id().is_empty() {
        let _ = write!(words, " #{}", widget.short_id());
    }
    if !widget.description().is_empty() {
        let _ = write!(words, " desc {:?}", short(widget.description()));
    }
    if widget.has(Flags::PASSWORD) {
        words += " password";
    } else if !widget.text().is_empty() {
        let _ = write!(words, " {:?}", short(widget.text()));
    }
    printable(&words).into_owned()
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};

    #[test]
    fn what_takes_events_or_shows_something() {
        let mut builder = LayoutBuilder::new();
        let on = Flags::ENABLED;
        let bounds = Bounds::new(0, 0, 9, 9);
        let base = NewWidget { bounds, flags: on, ..NewWidget::default() };
        builder.open(NewWidget { class: "a.Frame", ..base });
        let list = NewWidget { class: "a.ListView", flags: on.with(Flags::SCROLLABLE, true), ..base };
        builder.open(list);
        let row = NewWidget { class: "a.Row", flags: on.with(Flags::CLICKABLE, true), ..base };
        builder.open(NewWidget { resource_id: "p:id/row", ..row });
        builder.open(NewWidget { class: "a.TextView", text: "tea\u{1b}", ..base });
        builder.close();
        builder.close();
        builder.close();
        let secret = on.with(Flags::PASSWORD, true);
        builder.open(NewWidget { class: "a.EditText", text: "1234", flags: secret, ..base });
        let layout = builder.finish();
        let expected = "    1  scroll       ListView
    2  click        Row #row
    3               TextView \"tea\\u{1b}\"
    4  edit         EditText password
";
        assert_eq!(listing(&layout, false), expected);
        assert!(listing(&layout, true).starts_with("    0               Frame\n"));
    }
}
