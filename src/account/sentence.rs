//! Widgets and events as a person names them.
//!
//! In: widgets on their layouts, or what evidence keeps of them; events. Out: noun phrases and gerunds that
//! [`sentence`] puts together.
//!
//! Invariants: a label that people see stands in single quotes; nothing is named by an empty text; a class is named
//! only if a widget has no word of its own, and then by a plain word for what it is; nothing of a password is revealed.

use droidmux_gui::{
    Direction, Event, EventKind, Flags, Layout, Selector, Widget, WidgetId, is_dialog, row_name, row_of,
    short_class, short_id,
};
use droidmux_record::{Handled, WidgetNote};
use droidmux_words::printable;

/// How many characters of a label are shown.
const MOST_LABEL: usize = 40;

/// A widget: `'milk'`, `the field 'Title'`, `the star of 'milk'`, `the list`.
pub fn widget(widget: Widget<'_>) -> String {
    let parts = Parts {
        class: widget.short_class(),
        id: own_id(widget.resource_id()),
        label: own_label(widget).filter(|label| label != widget.hint().trim()),
        content: widget.subtree().skip(1).find_map(own_label),
        hint: hint(widget),
    };
    let is_row = row_of(widget).is_some_and(|row| row.id() == widget.id());
    let told = parts.label.as_ref().or(parts.content.as_ref());
    let says = |row: &String| told.is_some_and(|told| told.contains(row.as_str()));
    match row_label(widget).filter(|row| !is_row && !says(row)) {
        Some(row) if parts.label.is_none() || is_small(widget) => {
            format!("{} of {}", parts.name(), quoted(&row))
        }
        _ => parts.name(),
    }
}

/// A widget by what it is, whatever it shows at the moment: `the field 'Title'`, `the note preview of 'milk'`.
pub fn nameless(widget: Widget<'_>) -> String {
    let parts = Parts {
        class: widget.short_class(),
        id: own_id(widget.resource_id()),
        label: None,
        content: None,
        hint: hint(widget),
    };
    let own = own_label(widget);
    match row_label(widget).filter(|label| Some(label) != own.as_ref()) {
        Some(row) => format!("{} of {}", parts.name(), quoted(&row)),
        None => parts.name(),
    }
}

/// What evidence keeps of a widget.
pub fn note(note: &WidgetNote) -> String {
    let label = [&note.text, &note.description].into_iter().find_map(|text| visible(text));
    Parts { class: short_class(&note.class), id: own_id(&note.resource_id), label, content: None, hint: None }
        .name()
}

/// An event as it was done on a layout, as a gerund: `clicking 'Add'`, `typing 'abc' into 'Title'`.
pub fn deed(event: &Event, on: Option<(&Layout, WidgetId)>) -> String {
    let found = on.and_then(|(layout, id)| layout.get(id));
    let receiver = found.map(widget).or_else(|| event.receiver.as_ref().map(selector));
    let within = found.and_then(|widget| window_name(widget.layout()));
    let receiver = match (receiver, within) {
        (Some(receiver), Some(window)) if event.kind == EventKind::Click => {
            Some(format!("{receiver} in {window}"))
        }
        (receiver, _) => receiver,
    };
    doing(event, receiver.as_deref(), found)
}

/// An event on what is called `receiver`, as a gerund; `on` is the widget, where that is known. The one list of words for
/// what is done.
pub fn doing(event: &Event, receiver: Option<&str>, on: Option<Widget<'_>>) -> String {
    let data = event.data.as_deref().filter(|data| !data.is_empty());
    let is_secret = on.is_some_and(|on| on.has(Flags::PASSWORD));
    let data = data.map(|data| if is_secret { "a password".to_owned() } else { quoted(data) });
    gerund(event.kind, receiver, data.as_deref())
}

/// An event as a state handles it, as a gerund.
pub fn handled(event: &Handled) -> String {
    let parts = Parts {
        class: short_class(&event.class),
        id: own_id(&event.resource_id),
        label: visible(&event.description),
        content: None,
        hint: None,
    };
    let receiver = (!event.class.is_empty()).then(|| parts.name());
    let data = event.data.as_deref().filter(|data| !data.is_empty()).map(quoted);
    gerund(event.kind, receiver.as_deref(), data.as_deref())
}

/// A sentence of clauses: with a capital letter, a full stop, and nothing that a terminal would obey.
pub fn sentence(text: &str) -> String {
    let text = printable(text.trim());
    let mut chars = text.chars();
    let mut sentence: String = match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => return String::new(),
    };
    if !sentence.ends_with(['.', '!', '?', '…']) {
        sentence.push('.');
    }
    sentence
}

/// A text between single quotes, on one line, cut short.
pub fn quoted(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.chars().count() > MOST_LABEL {
            break;
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    let line = printable(&line);
    match line.char_indices().nth(MOST_LABEL) {
        Some((end, _)) => format!("'{}…'", line[..end].trim_end()),
        None => format!("'{line}'"),
    }
}

/// The words of an identifier: `HistoryDetailActivity` is `history detail activity`.
pub fn split_name(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        let starts = c.is_uppercase() && (before.is_lowercase() || before.is_numeric());
        if starts || !c.is_alphanumeric() {
            words.push(' ');
        }
        if c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text that names a widget's row; `None` outside of rows and in rows without texts.
pub fn row_label(widget: Widget<'_>) -> Option<String> {
    let name = row_name(row_of(widget)?, |other| !other.has(Flags::PASSWORD))?;
    own_label(name)
}

/// What a dialog or a popup calls itself; `None` for a whole screen and for a window without words of its own.
fn window_name(layout: &Layout) -> Option<String> {
    if !is_dialog(layout) {
        return None;
    }
    let words =
        layout.widgets().filter(|w| !w.is_actionable() && row_of(*w).is_none()).find_map(own_label)?;
    Some(quoted(&words))
}

fn selector(receiver: &Selector) -> String {
    Parts {
        class: short_class(&receiver.class),
        id: own_id(&receiver.resource_id),
        label: visible(&receiver.text).or_else(|| visible(&receiver.description)),
        content: None,
        hint: None,
    }
    .name()
}

fn gerund(kind: EventKind, receiver: Option<&str>, data: Option<&str>) -> String {
    let receiver = receiver.unwrap_or("the screen");
    match kind {
        EventKind::Click => format!("clicking {receiver}"),
        EventKind::LongClick => format!("holding {receiver}"),
        EventKind::Edit => match data {
            Some(text) => format!("typing {text} into {receiver}"),
            None => format!("emptying {receiver}"),
        },
        EventKind::Scroll(direction) => {
            let to = match direction {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Left => "to the left",
                Direction::Right => "to the right",
            };
            format!("scrolling {receiver} {to}")
        }
        EventKind::Back => "going back".into(),
        EventKind::Home => "leaving to the home screen".into(),
        EventKind::Menu => "opening the menu".into(),
        EventKind::Enter => "pressing Enter".into(),
        EventKind::Rotate => "turning the phone".into(),
        EventKind::Launch => "coming back to the app".into(),
        EventKind::Wait => "waiting".into(),
        EventKind::Kill => "the system ending the app in the background".into(),
        EventKind::Relaunch => "stopping and starting the app".into(),
        EventKind::Sleep => "turning the screen off".into(),
        EventKind::Wake => "turning the screen on".into(),
        EventKind::Lock => "locking the phone".into(),
        EventKind::Unlock => "unlocking the phone".into(),
        EventKind::Set(setting) => {
            use droidmux_gui::DeviceSetting::{Clock, Dark, FontSize, Language, Network};
            let what = match setting {
                Dark => "the dark theme",
                Language => "the language",
                FontSize => "the font size",
                Network => "the network",
                Clock => return "letting a day pass".into(),
            };
            match data {
                Some(value) => format!("setting {what} to {value}"),
                None => format!("changing {what}"),
            }
        }
    }
}

/// What can name a widget.
struct Parts<'a> {
    class: &'a str,
    id: &'a str,
    label: Option<String>,
    /// The first label inside of it.
    content: Option<String>,
    hint: Option<String>,
}

impl Parts<'_> {
    fn name(&self) -> String {
        let what = plain_word(self.class);
        let is_field = what == "field";
        if let (true, Some(hint)) = (is_field, &self.hint) {
            return format!("the field {}", quoted(hint));
        }
        match (&self.label, &self.content) {
            (Some(label), _) if is_field => format!("the field with {}", quoted(label)),
            (Some(label), _) => quoted(label),
            (None, Some(content)) if what != "list" => quoted(content),
            _ => match id_words(self.id) {
                Some(words) if words.split(' ').any(|word| word == what) => format!("the {words}"),
                Some(words) if what == "area" || what == "text" => format!("the {words}"),
                Some(words) => format!("the {what} {words:?}").replace('"', "'"),
                None if what == "area" => "a part of the page".into(),
                None => format!("the {what}"),
            },
        }
    }
}

/// A plain word for what a class is, by its name without the package.
pub fn plain_word(class: &str) -> &'static str {
    const WORDS: [(&str, &str); 18] = [
        ("EditText", "field"),
        ("AutoCompleteTextView", "field"),
        ("ImageButton", "button"),
        ("RadioButton", "choice"),
        ("ToggleButton", "switch"),
        ("FloatingActionButton", "button"),
        ("Button", "button"),
        ("CheckBox", "check box"),
        ("CheckedTextView", "entry"),
        ("Switch", "switch"),
        ("SeekBar", "slider"),
        ("ProgressBar", "progress bar"),
        ("Spinner", "choice"),
        ("RecyclerView", "list"),
        ("ListView", "list"),
        ("GridView", "list"),
        ("ImageView", "picture"),
        ("TextView", "text"),
    ];
    WORDS.iter().find(|(part, _)| class.contains(part)).map_or("area", |(_, word)| word)
}

/// An id as words: `note_title` and `noteTitle` are "note title". `None` for one that says nothing.
fn id_words(id: &str) -> Option<String> {
    let words = split_name(&id.chars().take(MOST_LABEL).collect::<String>());
    (!words.is_empty()).then_some(words)
}

/// What a field is for: its hint, its description, else the words of its id.
pub fn field_name(field: Widget<'_>) -> Option<String> {
    hint(field).or_else(|| id_words(own_id(field.resource_id())))
}

/// A widget that says nothing, by the words of its id, else by what it is.
pub fn word_of(widget: Widget<'_>) -> String {
    id_of(widget).unwrap_or_else(|| plain_word(widget.short_class()).to_owned())
}

/// The words of a widget's id; `None` where it has none of its own.
pub fn id_of(widget: Widget<'_>) -> Option<String> {
    id_words(own_id(widget.resource_id()))
}

/// An id of the app's own, without its package: those of the platform say nothing about what a widget is for.
fn own_id(id: &str) -> &str {
    if id.starts_with("android:") { "" } else { short_id(id) }
}

/// What people read on the widget itself.
fn own_label(widget: Widget<'_>) -> Option<String> {
    if widget.has(Flags::PASSWORD) {
        return visible(widget.description());
    }
    visible(widget.text()).or_else(|| visible(widget.description()))
}

fn hint(widget: Widget<'_>) -> Option<String> {
    visible(widget.hint()).or_else(|| visible(widget.description()))
}

fn visible(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// True for a control with nothing inside; in a row it is named together with the row.
fn is_small(widget: Widget<'_>) -> bool {
    widget.is_leaf() && widget.is_actionable()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::selector;

    #[test]
    fn deeds_are_told_in_words_that_people_see() {
        for (kind, receiver, told) in [
            (EventKind::Click, Some(selector("Save", "x", "org.a:id/ok")), "clicking 'Save'"),
            (EventKind::Click, Some(selector("", "Attach picture", "")), "clicking 'Attach picture'"),
            (
                EventKind::LongClick,
                Some(selector("", "", "org.a:id/add_note")),
                "holding the button 'add note'",
            ),
            (EventKind::Click, Some(selector(" ", "", "")), "clicking the button"),
            (EventKind::Click, Some(selector("one\u{202e}", "", "")), "clicking 'one\u{fffd}'"),
            (EventKind::Rotate, None, "turning the phone"),
        ] {
            let event = Event { kind, receiver, data: None };
            assert_eq!(deed(&event, None), told);
        }
        assert_eq!(quoted("milk\n and  eggs"), "'milk and eggs'");
        assert_eq!(quoted(&"a".repeat(50)), format!("'{}…'", "a".repeat(40)));
    }

    #[test]
    fn names_of_activities_are_split_at_capitals() {
        for (name, words) in [
            ("HistoryDetailActivity", "history detail activity"),
            ("main", "main"),
            ("Edit_Note2Page", "edit note2 page"),
            ("URLView", "urlview"),
            ("", ""),
        ] {
            assert_eq!(split_name(name), words);
        }
    }
}
