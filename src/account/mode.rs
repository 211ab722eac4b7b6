//! What is being done on a page: its mode, told by structure alone.
//!
//! In: one layout with what was found on it. Out: a [`Mode`], which a place compares. Invariants: what rows hold is no part
//! of it, nor how many there are.

use std::collections::{BTreeMap, BTreeSet};

use super::differences;
use super::look::{Field, Look, Window, control_name, is_in_bar};
use super::row::{Cell, List};
use super::sentence::quoted;
use droidmux_gui::{Flags, Layout, Widget};

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

impl Mode {
    /// Of a layout with what was found on it; fields and toggles that are left out of comparisons are not among these.
    pub(super) fn of<'l>(
        layout: &Layout,
        look: &Look,
        lists: &[List],
        fields: impl Iterator<Item = &'l Field>,
        toggles: impl Iterator<Item = &'l (String, String)>,
    ) -> Self {
        let dialog = look.window == Window::Dialog;
        Self {
            kind: kind(layout, look, lists),
            message: if dialog { look.message.clone() } else { String::new() },
            fields: fields.map(|field| (field.key.clone(), field.text.clone())).collect(),
            toggles: toggles.cloned().collect(),
            bar: bar(layout),
            boxes: boxes(lists),
        }
    }

    /// The same mode, wherever it is.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        (self.kind, &self.message, &self.fields, &self.toggles)
            == (other.kind, &other.message, &other.fields, &other.toggles)
            && !self.is_exchanged(other)
            && self.boxes_differ(other).is_none()
    }

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

    /// The first way in which a mode differs from this, the usual one, in words.
    pub(super) fn difference(&self, deviant: &Self) -> Option<String> {
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

/// What can be touched in the bar.
fn bar(layout: &Layout) -> BTreeSet<String> {
    let own = layout.widgets().filter(|widget| {
        widget.is_actionable() && !widget.is_editable() && widget.is_touchable() && is_in_bar(widget)
    });
    own.filter_map(control_name).collect()
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

fn told(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { quoted(text) }
}
