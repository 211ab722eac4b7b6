//! What a layout shows besides its rows: title, tab, dialog, fields, toggles, texts.

use super::row::{List, name};
use super::sentence::id_of;
use super::snackbar::is_in_snackbar;
use super::words::{Meaning, says};
use droidmux_gui::{Flags, Layout, Widget, WidgetId, has_open_drawer, is_dialog};

/// What kind of window a layout is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// It fills the screen.
    Full,
    /// It lies above a page and has a title, a message, fields or buttons.
    Dialog,
    /// It lies above a page and has nothing but what can be chosen.
    Menu,
}

/// A text field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The widget itself.
    pub widget: WidgetId,
    /// As [`super::row::name`] names widgets.
    pub key: String,
    /// What is typed in it; empty if it shows only its hint.
    pub text: String,
    /// What it asks for.
    pub hint: String,
    /// What is typed there looks for something.
    pub is_search: bool,
}

/// What a layout shows besides its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// What kind of window it is.
    pub window: Window,
    /// What the bar at the top says; empty when nothing does.
    pub title: String,
    /// The selected tabs and other destinations.
    pub tab: String,
    /// The title of a dialog, or its message where it has no title; empty in every other window.
    pub dialog: String,
    /// All texts of a dialog that are neither rows nor buttons.
    pub message: String,
    /// A drawer lies over the page.
    pub drawer_open: bool,
    /// In rows and outside of them.
    pub fields: Vec<Field>,
    /// Outside of rows: what can be checked, with whether it is, and what a spinner shows.
    pub toggles: Vec<(String, String)>,
    /// Outside of rows, bars, fields, buttons and snackbars: texts by the names of their widgets.
    pub labels: Vec<(String, String)>,
    /// The names of what can be touched outside of rows, fields left out.
    pub controls: Vec<String>,
    /// Something is being loaded.
    pub loading: bool,
}

/// The most labels, fields and toggles that are looked at.
const MOST: usize = 100;

impl Look {
    /// Of a layout by itself: a window above a page is told by where it stands, and where an edge of the screen cuts it
    /// off, by its holding nothing but what can be chosen.
    pub fn of(layout: &Layout, lists: &[List]) -> Self {
        if is_dialog(layout) {
            return Self::new(layout, lists, true);
        }
        let look = Self::new(layout, lists, begins_below(layout));
        if look.window == Window::Dialog { Self::new(layout, lists, false) } else { look }
    }

    /// Of a window that came up over a page, wherever it stands.
    pub fn of_window(layout: &Layout, lists: &[List]) -> Self {
        Self::new(layout, lists, true)
    }

    fn new(layout: &Layout, lists: &[List], is_window: bool) -> Self {
        let shown = |widget: &Widget<'_>| !widget.has(Flags::INVISIBLE);
        let in_list = |widget: Widget<'_>| lists.iter().any(|list| widget.is_inside(list.node));
        let outside: Vec<Widget<'_>> = layout
            .widgets()
            .filter(shown)
            .filter(|widget| !in_list(*widget) && !is_in_snackbar(*widget))
            .collect();
        let fields: Vec<Field> =
            layout.widgets().filter(shown).filter(|w| w.is_editable()).take(MOST).map(field).collect();
        let window = if is_window { window(&outside, &fields) } else { Window::Full };
        let title = if window == Window::Full { title(layout, &outside) } else { None };
        let (dialog, message) = if window == Window::Dialog { dialog(&outside) } else { Default::default() };
        let is_title = |widget: &Widget<'_>| Some(widget.id()) == title.map(Widget::id);
        let labels = outside.iter().filter(|widget| is_label(**widget) && !is_title(widget));
        let labels = labels.take(MOST).map(|widget| (name(*widget), widget.text().trim().to_owned()));
        Self {
            window,
            title: title.map(|widget| widget.text().trim().to_owned()).unwrap_or_default(),
            tab: selected(&outside),
            dialog,
            message,
            drawer_open: has_open_drawer(layout),
            fields,
            toggles: outside.iter().filter_map(|widget| toggle(*widget)).take(MOST).collect(),
            labels: labels.collect(),
            controls: outside.iter().filter(|w| is_control(**w)).take(MOST).map(|w| control(*w)).collect(),
            loading: outside
                .iter()
                .any(|w| w.short_class().contains("ProgressBar") && !w.bounds().is_empty()),
        }
    }

    /// The search field, if there is one.
    pub fn search(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.is_search)
    }
}

/// Whether all that a layout shows begins well below the top, where a page begins.
fn begins_below(layout: &Layout) -> bool {
    let bounds = layout.widgets().map(Widget::bounds).filter(|bounds| !bounds.is_empty());
    let ends = bounds.map(|bounds| (bounds.top, bounds.bottom)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    ends.is_some_and(|(top, bottom)| top.saturating_mul(4) > bottom)
}

fn upward(widget: Widget<'_>) -> impl Iterator<Item = Widget<'_>> {
    std::iter::once(widget).chain(widget.ancestors())
}

/// What a field asks for. Many systems report no hint but show it as the text of the empty field; a search is
/// recognised by its words.
pub fn hint_of(field: Widget<'_>) -> &str {
    let text = field.text();
    if field.hint().is_empty() && says(text, Meaning::Search) { text } else { field.hint() }
}

/// Whether a field holds nothing and shows its hint in place of a text. Where the system does not tell hints from texts,
/// what says nothing but words of the field's id is one: `Note` in `#edit_note`.
pub fn shows_hint(field: Widget<'_>) -> bool {
    let text = field.text().trim();
    let is_name = || {
        let words = field.hint().is_empty().then(|| id_of(field)).flatten().unwrap_or_default();
        let says = |word: &str| words.split(' ').any(|other| other == word);
        text.split_whitespace().all(|word| says(&word.to_lowercase()))
    };
    !text.is_empty() && (field.text() == hint_of(field) || is_name())
}

fn field(widget: Widget<'_>) -> Field {
    let hint = hint_of(widget);
    let text = if widget.text() == hint || widget.has(Flags::PASSWORD) { "" } else { widget.text() };
    let id = widget.short_id().to_lowercase();
    let told = ["search", "query", "filter"].iter().any(|word| id.contains(word));
    let above = upward(widget).take(4).any(|above| above.short_class().contains("SearchView"));
    let asked = says(hint, Meaning::Search) || says(widget.description(), Meaning::Search);
    Field {
        widget: widget.id(),
        key: name(widget),
        text: text.trim().to_owned(),
        hint: hint.to_owned(),
        is_search: told || above || asked || widget.short_class().contains("SearchAutoComplete"),
    }
}

fn window(outside: &[Widget<'_>], fields: &[Field]) -> Window {
    let says = |widget: &&Widget<'_>| is_label(**widget) || widget.is_button();
    if fields.is_empty() && !outside.iter().any(|widget| says(&widget)) {
        Window::Menu
    } else {
        Window::Dialog
    }
}

/// A text to be read: nothing that takes a touch or a text.
fn is_label(widget: Widget<'_>) -> bool {
    !widget.text().is_empty()
        && !widget.is_editable()
        && !upward(widget).take(4).any(|above| above.is_actionable())
}

/// Something to touch that takes no text.
fn is_control(widget: Widget<'_>) -> bool {
    widget.is_actionable() && !widget.is_editable()
}

/// The name of a control, with what it says where it has no id.
fn control(widget: Widget<'_>) -> String {
    match widget.short_id() {
        "" => format!("{} {}{}", name(widget), widget.text(), widget.description()),
        id => id.to_owned(),
    }
}

/// A bar with a title and buttons.
fn is_bar(widget: &Widget<'_>) -> bool {
    let (class, id) = (widget.short_class(), widget.short_id().to_lowercase());
    class.contains("Toolbar")
        || class.contains("ActionBar")
        || ["toolbar", "action_bar", "actionbar", "app_bar", "appbar"].iter().any(|name| id.contains(name))
}

/// Whether a widget is a part of a bar.
pub fn is_in_bar(widget: &Widget<'_>) -> bool {
    widget.ancestors().any(|above| is_bar(&above))
}

/// The button that leads up: the first thing in a bar at the top, a picture without an id.
pub fn is_up(widget: Widget<'_>) -> bool {
    let Some(parent) = widget.parent() else { return false };
    let in_bar =
        parent.short_id().to_ascii_lowercase().contains("bar") || parent.short_class().contains("Toolbar");
    let first = parent.children().next().is_some_and(|first| first.id() == widget.id());
    let is_picture = widget.short_class().contains("Image") && widget.text().is_empty();
    in_bar && first && is_picture && widget.resource_id().is_empty() && widget.has(Flags::CLICKABLE)
}

/// The id of a control, or its class and words where it has none. What has no id and says a number counts something, and
/// is not known again.
pub fn control_name(widget: Widget<'_>) -> Option<String> {
    let words = widget_words(widget);
    match widget.short_id() {
        "" if words.is_empty() || words.chars().any(char::is_numeric) => None,
        "" => Some(format!("{}:{words}", widget.short_class())),
        id => Some(id.to_owned()),
    }
}

/// What a control says of itself: what it is described by, or else its text.
pub fn widget_words(widget: Widget<'_>) -> &str {
    if widget.description().is_empty() { widget.text() } else { widget.description() }
}

/// The first text of the bar at the top, else the first text near the top. A field in the bar takes the title's place: what
/// else is near the top then belongs to the page's content.
fn title<'a>(layout: &'a Layout, outside: &[Widget<'a>]) -> Option<Widget<'a>> {
    let height = layout.roots().map(|root| root.bounds().bottom).max().unwrap_or_default();
    let on_top = |widget: &Widget<'_>| widget.bounds().bottom <= height / 6;
    let texts = || outside.iter().copied().filter(|widget| is_label(*widget));
    let field_in_bar = || outside.iter().any(|widget| widget.is_editable() && is_in_bar(widget));
    texts().find(is_in_bar).or_else(|| if field_in_bar() { None } else { texts().find(on_top) })
}

/// Title and all texts of a dialog.
fn dialog(outside: &[Widget<'_>]) -> (String, String) {
    let texts = || outside.iter().copied().filter(|widget| is_label(*widget));
    let titled = texts().find(|widget| widget.short_id() == "alertTitle").or_else(|| texts().next());
    let all: Vec<&str> = texts().map(|widget| widget.text().trim()).collect();
    (titled.map(|widget| widget.text().trim().to_owned()).unwrap_or_default(), all.join("\n"))
}

/// What the selected destinations say.
fn selected(outside: &[Widget<'_>]) -> String {
    let chosen = outside.iter().filter(|widget| widget.has(Flags::SELECTED));
    let says = |widget: &Widget<'_>| {
        let words = widget.subtree().map(|w| if w.text().is_empty() { w.description() } else { w.text() });
        words.into_iter().find(|word| !word.is_empty()).map(str::to_owned)
    };
    let mut words: Vec<String> = chosen.filter_map(says).collect();
    words.dedup();
    words.join(", ")
}

/// A drop-down list, which shows what is chosen; a touch offers the others in a popup.
pub fn is_drop_down(widget: Widget<'_>) -> bool {
    widget.short_class().contains("Spinner")
}

/// What people call a toggle of [`Look::toggles`]: its label, or its id in words.
pub fn toggle_name(key: &str) -> String {
    let (id, label) = key.split_once(' ').unwrap_or((key, ""));
    if label.trim().is_empty() { id.replace(['_', '-'], " ") } else { label.to_owned() }
}

fn toggle(widget: Widget<'_>) -> Option<(String, String)> {
    if widget.has(Flags::CHECKABLE) {
        let label = if widget.text().is_empty() { widget.description() } else { widget.text() };
        let state = if widget.has(Flags::CHECKED) { "on" } else { "off" };
        return Some((format!("{} {label}", name(widget)), state.into()));
    }
    if !is_drop_down(widget) {
        return None;
    }
    let shown = widget.subtree().map(Widget::text).find(|text| !text.is_empty());
    Some((name(widget), shown.unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::Layouts;
    use droidmux_testutils::script::Script;

    #[test]
    fn what_says_no_more_than_its_id_is_a_hint() {
        for (id, held, is_hint) in [
            ("note", "Note", true),
            ("note", "note", true),
            ("edit_activity_note", "Note", true),
            ("edit_activity_note", "milk note", false),
            ("note", "milk", false),
            ("note", "", false),
        ] {
            let script = Script::read(&format!("@ Main Notes\nfield {id}={held}"));
            let screen = &script.run.turns[0].observation.seen().unwrap().screen;
            let layout = script.layouts.layout(screen.layout).unwrap();
            let field = layout.widgets().find(|widget| widget.is_editable()).unwrap();
            assert_eq!(shows_hint(field), is_hint, "{held}");
        }
    }
}
