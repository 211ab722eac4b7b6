//! What page a screen shows, in which mode, and at which place: the one answer to "is this the same?".
//!
//! In: one layout. Out: a [`Place`], whose three levels contain one another. The *page* is what a person would call it:
//! its title, the chosen tab, the dialog, menu or drawer over it. Its *mode* is what is being done on it: something is
//! looked for or filled in, rows are selected or can be ticked, a filter or an order is chosen, the bar holds other buttons
//! than usual.
//! The *place* adds what stands beside its rows: a path, a date, a heading.
//!
//! Invariants: what rows hold is part of none of the three, nor is how many there are; whether two places are one, and
//! in what they differ, is one question: [`Place::difference`] is `None` exactly for places of one mode.

use std::collections::{BTreeMap, BTreeSet};

use super::look::{Field, Look, Window, is_in_bar};
use super::row::{Cell, List, name};
use super::sentence::quoted;
use super::{apart, differences};
use droidmux_gui::{Flags, Layout, Widget, WidgetId};

/// What page a screen shows, in which mode, at which place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What a person would call it.
    pub page: Page,
    /// What is being done on it.
    pub mode: Mode,
    /// Texts beside the rows, by the names of their widgets.
    labels: Vec<(String, String)>,
    /// How many rows each list has, in figures: texts count them.
    counts: Vec<String>,
    /// What can be touched beside the rows.
    controls: Vec<String>,
    has_rows: bool,
}

/// A page by what is written on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What kind of window it is.
    pub window: Window,
    /// What its bar says, without a count in brackets; `None` where that is left out of every comparison, and where a
    /// search stands in its place.
    pub title: Option<String>,
    /// The selected tabs and other destinations.
    pub tab: String,
    /// The title of a dialog; empty in every other window.
    pub dialog: String,
    /// A drawer lies over it.
    pub drawer_open: bool,
}

/// What is being done on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// What kind of mode it is.
    pub kind: ModeKind,
    /// All that a dialog says; empty in every other window.
    pub message: String,
    /// Fields with what they hold, in document order.
    pub fields: Vec<(String, String)>,
    /// Switches outside of rows, what drop-down lists show: filters, orders, units.
    pub toggles: Vec<(String, String)>,
    /// What can be touched in the bar.
    pub bar: BTreeSet<String>,
    /// Whether rows have a box to tick that says nothing, by their kinds: a list is often given them to choose from it.
    pub boxes: BTreeMap<String, bool>,
}

/// Modes that apps have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModeKind {
    /// None of these.
    Usual,
    /// A field is open that looks for something, or stands in the bar.
    Search,
    /// Rows are selected, or can be: the bar is that of an action mode.
    Selection,
}

impl ModeKind {
    /// For keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usual => "",
            Self::Search => "search",
            Self::Selection => "selection",
        }
    }
}

impl Place {
    /// Of a layout with what was found on it.
    pub fn of(layout: &Layout, look: &Look, lists: &[List]) -> Self {
        Self::seen(layout, look, lists, |_| false)
    }

    /// The same without widgets that are left out of all comparisons: what is masked, what passes.
    pub fn seen(layout: &Layout, look: &Look, lists: &[List], left_out: impl Fn(Widget<'_>) -> bool) -> Self {
        let hidden: Vec<Widget<'_>> = layout.widgets().filter(|widget| left_out(*widget)).collect();
        let is_hidden_text = |text: &str| hidden.iter().any(|widget| widget.text().trim() == text);
        let is_hidden = |id: WidgetId| hidden.iter().any(|widget| widget.id() == id);
        let is_hidden_toggle =
            |key: &str| hidden.iter().any(|w| w.has(Flags::CHECKABLE) && key.starts_with(&name(*w)));
        let fields = look.fields.iter().filter(|field| !is_hidden(field.widget));
        let toggles = look.toggles.iter().filter(|(key, _)| !is_hidden_toggle(key));
        let dialog = look.window == Window::Dialog;
        let kind = kind(layout, look, lists);
        let searched_over = look.title.is_empty() && kind == ModeKind::Search;
        let titled = !searched_over && !is_hidden_text(&look.title);
        Self {
            page: Page {
                window: look.window,
                title: titled.then(|| without_count(&look.title)),
                tab: look.tab.clone(),
                dialog: look.dialog.clone(),
                drawer_open: look.drawer_open,
            },
            mode: Mode {
                kind,
                message: if dialog { look.message.clone() } else { String::new() },
                fields: fields.map(|field| (field.key.clone(), field.text.clone())).collect(),
                toggles: toggles.cloned().collect(),
                bar: bar(layout),
                boxes: boxes(lists),
            },
            labels: look.labels.clone(),
            counts: lists.iter().map(|list| list.rows.len().to_string()).collect(),
            controls: look.controls.clone(),
            has_rows: !lists.is_empty(),
        }
    }

    /// The same page, whatever is typed, ticked or selected there.
    pub fn is_page_of(&self, other: &Self) -> bool {
        let (own, others) = (&self.page, &other.page);
        let titles = own.title.is_none() || others.title.is_none() || own.title == others.title;
        titles
            && (own.window, &own.tab, &own.dialog, own.drawer_open)
                == (others.window, &others.tab, &others.dialog, others.drawer_open)
    }

    /// The same page in the same mode.
    pub fn is_mode_of(&self, other: &Self) -> bool {
        let (own, others) = (&self.mode, &other.mode);
        self.is_page_of(other)
            && (own.kind, &own.message, &own.fields, &own.toggles)
                == (others.kind, &others.message, &others.fields, &others.toggles)
            && !own.is_exchanged(others)
            && own.boxes_differ(others).is_none()
    }

    /// The same mode, and no text beside the rows says otherwise.
    pub fn is_place_of(&self, other: &Self) -> bool {
        self.is_mode_of(other) && self.has_labels_of(other)
    }

    /// No text beside the rows says otherwise. Texts that only one of them has do not count, nor does the number of rows
    /// in a text.
    pub fn has_labels_of(&self, other: &Self) -> bool {
        self.labels.iter().all(|(key, text)| {
            let mut same = other.labels.iter().filter(|(other, _)| other == key).peekable();
            same.peek().is_none()
                || same.any(|(_, text_of)| without(text, &self.counts) == without(text_of, &other.counts))
        })
    }

    /// `after` is the same place without any row: all that could be touched beside the rows still can. An activity may
    /// show something else altogether under the same title.
    pub fn is_emptied(&self, after: &Self) -> bool {
        !after.has_rows
            && !self.controls.is_empty()
            && self.controls.iter().all(|control| after.controls.contains(control))
            && self.is_place_of(after)
    }

    /// `other` is not this place with less on it: things to touch have come, or other kinds of texts stand beside the rows.
    pub fn has_turned_into(&self, other: &Self) -> bool {
        let keys =
            |place: &Self| place.labels.iter().map(|(key, _)| key.clone()).collect::<BTreeSet<String>>();
        let counts = |control: &&String| control.chars().any(char::is_numeric);
        let came = other.controls.iter().filter(|control| !counts(control));
        came.into_iter().any(|control| !self.controls.contains(control)) || keys(self) != keys(other)
    }

    /// The first way in which a page or its mode differs from this, the usual one, in words; `None` where neither does.
    pub fn difference(&self, deviant: &Self) -> Option<String> {
        if self.is_mode_of(deviant) {
            return None;
        }
        let told = self.page.difference(&deviant.page, (&self.mode.message, &deviant.mode.message));
        told.or_else(|| self.mode.difference(&deviant.mode))
    }

    /// The text beside the rows that differs: what stood here, and what stands there.
    pub fn label_difference<'p>(&'p self, other: &'p Self) -> (Option<&'p str>, Option<&'p str>) {
        let lacks = |own: &'p [(String, String)], others: &[(String, String)]| {
            own.iter().find(|label| !others.contains(label)).map(|(_, text)| text.as_str())
        };
        (lacks(&self.labels, &other.labels), lacks(&other.labels, &self.labels))
    }
}

impl Page {
    /// Something that lies above a page: a dialog, a menu.
    pub fn is_window(&self) -> bool {
        self.window != Window::Full
    }

    /// `the dialog 'Delete milk?'`, `the tab 'Done'`, `the page 'Notes'`; `None` where nothing is written on it.
    pub fn words(&self) -> Option<String> {
        let title = self.title.as_deref().unwrap_or_default();
        let (what, text) = match (self.dialog.is_empty(), self.tab.is_empty()) {
            (false, _) => ("dialog", self.dialog.as_str()),
            (true, false) => ("tab", self.tab.as_str()),
            (true, true) => ("page", title),
        };
        (!text.is_empty()).then(|| format!("the {what} {}", quoted(text)))
    }

    fn difference(&self, deviant: &Self, messages: (&str, &str)) -> Option<String> {
        let is = |page: &Self, window| page.window == window;
        match (is(self, Window::Dialog), is(deviant, Window::Dialog)) {
            (true, false) => return Some("no dialog was open".into()),
            (false, true) => return Some(format!("the dialog {} was open", quoted(messages.1))),
            (true, true) if messages.0 != messages.1 => {
                let (is, was) = apart(messages.1, messages.0);
                return Some(format!("the dialog {is} instead of {was}"));
            }
            _ => {}
        }
        match (is(self, Window::Menu), is(deviant, Window::Menu)) {
            (true, false) => return Some("no menu was open".into()),
            (false, true) => return Some("a menu was open".into()),
            _ => {}
        }
        if self.drawer_open != deviant.drawer_open {
            let is = if deviant.drawer_open { "open" } else { "closed" };
            return Some(format!("the drawer was {is}"));
        }
        if let (Some(own), Some(other)) = (&self.title, &deviant.title)
            && own != other
        {
            let (is, was) = differences(other, own);
            return Some(format!("the page {}{is} instead of {}{was}", titled(other), titled(own)));
        }
        let chosen = |tab: &str| if tab.is_empty() { "nothing".to_owned() } else { quoted(tab) };
        (self.tab != deviant.tab)
            .then(|| format!("{} was chosen instead of {}", chosen(&deviant.tab), chosen(&self.tab)))
    }
}

impl Mode {
    /// The bar has lost buttons and got others: an action mode under whatever name. What only came or only went does not
    /// count, since a button may come with what there is to be done.
    fn is_exchanged(&self, other: &Self) -> bool {
        !self.bar.is_subset(&other.bar) && !other.bar.is_subset(&self.bar)
    }

    /// Whether rows of the other have boxes where rows of this kind have none here, or the other way round. What has no
    /// rows of a kind says nothing of them.
    fn boxes_differ(&self, other: &Self) -> Option<bool> {
        let mut shared = self.boxes.iter().filter_map(|(kind, own)| Some((*own, *other.boxes.get(kind)?)));
        shared.find(|(own, others)| own != others).map(|(_, others)| others)
    }

    fn difference(&self, deviant: &Self) -> Option<String> {
        for (key, text) in &self.fields {
            match deviant.fields.iter().find(|(other, _)| other == key).map(|(_, text)| text) {
                None => return Some(format!("the field with {} was not there", told(text))),
                Some(other) if other != text => {
                    let (is, was) = differences(other, text);
                    let (is, was) = (format!("{}{is}", told(other)), format!("{}{was}", told(text)));
                    return Some(format!("{is} stood in a field instead of {was}"));
                }
                Some(_) => {}
            }
        }
        let unknown = |(key, _): &&(String, String)| self.fields.iter().all(|(other, _)| other != key);
        if let Some((_, text)) = deviant.fields.iter().find(unknown) {
            return Some(format!("a field with {} was open", told(text)));
        }
        match (self.kind, deviant.kind) {
            (a, b) if a == b => {}
            (_, ModeKind::Selection) => return Some("rows were selected".into()),
            (ModeKind::Selection, _) => return Some("no rows were selected".into()),
            (_, ModeKind::Search) => return Some("a search was open".into()),
            (_, ModeKind::Usual) => return Some("no search was open".into()),
        }
        match self.boxes_differ(deviant) {
            Some(true) => return Some("the rows had boxes to tick".into()),
            Some(false) => return Some("the rows had no boxes to tick".into()),
            None => {}
        }
        for (key, state) in &self.toggles {
            match deviant.toggles.iter().find(|(other, _)| other == key).map(|(_, state)| state) {
                None => return Some(format!("a switch that was {} was not there", told_state(state))),
                Some(other) if other != state => {
                    return Some(format!(
                        "a switch was {} instead of {}",
                        told_state(other),
                        told_state(state)
                    ));
                }
                Some(_) => {}
            }
        }
        let (fields, toggles) = (self.fields != deviant.fields, self.toggles != deviant.toggles);
        Some(match (fields, toggles) {
            (true, _) => "its fields were others".into(),
            (_, true) => "a switch was there that usually is not".into(),
            _ => "the bar held other buttons".into(),
        })
    }
}

/// Whether something is looked for, or rows are selected, by structure alone.
fn kind(layout: &Layout, look: &Look, lists: &[List]) -> ModeKind {
    let action_mode = |widget: Widget<'_>| {
        let (class, id) = (widget.short_class(), widget.short_id().to_lowercase());
        let named = ["action_mode", "action_context", "selection_bar", "selection_toolbar"];
        !widget.bounds().is_empty()
            && (class.contains("ActionBarContextView") || named.iter().any(|name| id.contains(name)))
    };
    let selected = |list: &List| {
        let node = |row: &super::row::Row| layout.get(row.node).is_some_and(|row| row.has(Flags::SELECTED));
        // One selected row of several is where a list of destinations stands; a bar counts what is selected.
        list.rows.iter().any(node)
    };
    let counts = look.title.chars().next().is_some_and(char::is_numeric);
    if layout.widgets().any(action_mode) || counts && lists.iter().any(selected) {
        return ModeKind::Selection;
    }
    let in_bar = |field: &Field| layout.get(field.widget).is_some_and(|widget| is_in_bar(&widget));
    if look.fields.iter().any(|field| field.is_search || in_bar(field)) {
        ModeKind::Search
    } else {
        ModeKind::Usual
    }
}

/// What can be touched in the bar, by ids, or by classes and words where there are none. What says a number counts
/// something.
fn bar(layout: &Layout) -> BTreeSet<String> {
    let own = layout.widgets().filter(|widget| {
        widget.is_actionable() && !widget.is_editable() && widget.is_touchable() && is_in_bar(widget)
    });
    let named = |widget: Widget<'_>| {
        let words = if widget.description().is_empty() { widget.text() } else { widget.description() };
        match widget.short_id() {
            "" if words.is_empty() || words.chars().any(char::is_numeric) => None,
            "" => Some(format!("{}:{words}", widget.short_class())),
            id => Some(id.to_owned()),
        }
    };
    own.filter_map(named).collect()
}

/// Whether any row of each kind has a box without words.
fn boxes(lists: &[List]) -> BTreeMap<String, bool> {
    let mut boxes = BTreeMap::new();
    for row in lists.iter().flat_map(|list| &list.rows) {
        *boxes.entry(row.kind.clone()).or_default() |= row.cells.iter().any(Cell::is_box);
    }
    boxes
}

fn told_state(state: &str) -> String {
    if matches!(state, "on" | "off") { state.to_owned() } else { told(state) }
}

fn titled(title: &str) -> String {
    if title.is_empty() { "without a title".into() } else { quoted(title) }
}

fn told(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { quoted(text) }
}

/// Without a number in brackets, with which a title shows how much the page holds.
fn without_count(title: &str) -> String {
    match title.rsplit_once('(') {
        Some((head, tail)) if tail.trim_end_matches(')').chars().all(|c| c.is_ascii_digit()) => {
            head.trim_end().to_owned()
        }
        _ => title.to_owned(),
    }
}

/// A text with these numbers in it left out.
fn without(text: &str, numbers: &[String]) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !numbers.iter().any(|number| number == word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
