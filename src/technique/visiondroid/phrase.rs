//! Words for widgets and texts, and where widgets stand on a screen.

use droidmux_gui::{Flags, Layout, Widget, row_of};

/// Characters of a text that prompts hold.
const LONGEST: usize = 60;

/// Texts taken from below a widget that has none of its own.
const MOST_TEXTS: usize = 3;

/// A text as a JSON string, cut where it is long.
pub fn quoted(text: &str) -> String {
    let mut kept: String = text.chars().take(LONGEST).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    serde_json::Value::String(kept).to_string()
}

/// What a person reads on a widget: its text, else its description, else the first texts below it.
/// Nothing of a password.
pub fn label(widget: Widget<'_>) -> String {
    let own = own_label(widget);
    if !own.is_empty() || widget.is_leaf() {
        return own.to_owned();
    }
    let below = widget.subtree().skip(1).filter(|w| !w.has(Flags::INVISIBLE)).map(own_label);
    let texts: Vec<&str> = below.filter(|text| !text.is_empty()).take(MOST_TEXTS).collect();
    texts.join(" · ")
}

/// A widget's text, else its description; of a password field the description alone.
pub fn own_label(widget: Widget<'_>) -> &str {
    if widget.text().is_empty() || widget.has(Flags::PASSWORD) { widget.description() } else { widget.text() }
}

/// Where a clickable widget outside of lists stands among the clickable ones beside it, from 1, and how many there are.
/// Platforms put what confirms last.
pub fn place_in_bar(widget: Widget<'_>) -> Option<(usize, usize)> {
    if row_of(widget).is_some() {
        return None;
    }
    let beside = widget.parent()?.children().filter(|w| w.has(Flags::CLICKABLE) && w.is_touchable());
    let beside: Vec<Widget<'_>> = beside.collect();
    let place = beside.iter().position(|w| w.id() == widget.id())?;
    Some((place + 1, beside.len()))
}

/// Whether it is the last of the clickable ones beside it.
pub fn is_last_in_bar(widget: Widget<'_>) -> bool {
    place_in_bar(widget).is_some_and(|(place, of)| place == of)
}

/// A picture to click in the screen's upper left corner: on Android it leads up or opens a drawer,
/// and saves nothing.
pub fn is_in_corner(widget: Widget<'_>) -> bool {
    let width = widget.layout().roots().map(|root| root.bounds().right).max().unwrap_or(0);
    let middle = widget.bounds().center();
    widget.is_leaf()
        && widget.has(Flags::CLICKABLE)
        && widget.short_class().contains("Image")
        && middle.x < width / 6
        && middle.y < width / 3
}

/// How many widgets of a screen show a text, fields left out.
pub fn times_shown(layout: &Layout, text: &str) -> usize {
    let shows = |widget: &Widget<'_>| {
        !widget.has(Flags::PASSWORD)
            && !widget.has(Flags::INVISIBLE)
            && !widget.is_editable()
            && (widget.text().contains(text) || widget.description().contains(text))
    };
    layout.widgets().filter(shows).count()
}
