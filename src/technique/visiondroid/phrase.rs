//! Words for widgets and texts, as prompts hold them. Models read them, and so do the fixed rules:
//! texts of the app stand in quotation marks as JSON strings, so that nothing in them can be taken
//! for a word of the prompt.

pub use droidmux_account::quote::Secrets;
use droidmux_account::sentence::row_label;
use droidmux_gui::{Flags, Layout, Selector, Widget, row_of, short_class, short_id};

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

/// `Button "Save" #save`.
pub fn name(widget: Widget<'_>, secrets: &Secrets) -> String {
    named(widget.class(), &secrets.redacted(&label(widget)), widget.resource_id())
}

/// The receiver of an event when the layout it acted on is not at hand.
pub fn receiver(selector: &Selector, secrets: &Secrets) -> String {
    let label = if selector.text.is_empty() { &selector.description } else { &selector.text };
    named(&selector.class, &secrets.redacted(label), &selector.resource_id)
}

fn named(class: &str, label: &str, id: &str) -> String {
    let label = if label.is_empty() { String::new() } else { format!(" {}", quoted(label)) };
    format!("{}{label}{}", short_class(class), id_words(id))
}

/// ` #save`, nothing without an id.
pub fn id_words(id: &str) -> String {
    let id = short_id(id);
    if id.is_empty() { String::new() } else { format!(" #{}", id.replace(char::is_whitespace, "_")) }
}

/// ` | row 2 of 5 in #list` of a widget in a list; with ` | of "milk"` where it says nothing itself and the row does.
pub fn row_words(widget: Widget<'_>, secrets: &Secrets) -> String {
    let Some((row, list)) = row_of(widget).and_then(|row| Some((row, row.parent()?))) else {
        return String::new();
    };
    let before = list.children().take_while(|child| child.id() < row.id()).count();
    let label = row_label(widget).filter(|_| label(widget).is_empty());
    let of = label.map_or(String::new(), |label| format!(" | of {}", quoted(&secrets.redacted(&label))));
    format!(" | row {} of {} in{}{of}", before + 1, list.children().count(), list_name(list))
}

/// How a list is told apart from the others on its screen: ` #id`, else its class.
pub fn list_name(list: Widget<'_>) -> String {
    let id = id_words(list.resource_id());
    if id.is_empty() { format!(" {}", list.short_class()) } else { id }
}

/// ` | button 2 of 3`: where a clickable widget stands among the clickable ones beside it, from the
/// left or the top. Platforms put what confirms last.
pub fn bar_words(widget: Widget<'_>) -> String {
    if row_of(widget).is_some() {
        return String::new();
    }
    let Some(parent) = widget.parent() else { return String::new() };
    let beside: Vec<Widget<'_>> =
        parent.children().filter(|w| w.has(Flags::CLICKABLE) && w.is_touchable()).collect();
    let corner = if is_in_corner(widget) { " | top left" } else { "" };
    let place = beside.iter().position(|w| w.id() == widget.id());
    place.map_or(String::new(), |place| format!(" | button {} of {}{corner}", place + 1, beside.len()))
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
