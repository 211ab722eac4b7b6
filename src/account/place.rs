//! What page a screen shows, in which mode, and at which place: the one answer to "is this the same?".
//!
//! In: one layout. Out: a [`Place`], whose three levels contain one another. The *page* is what a person would call it:
//! its title, the chosen tab, the dialog, menu or drawer over it. Its *mode* is what is being done on it: something is
//! looked for or filled in, rows are selected or can be ticked, a filter or an order is chosen, the bar holds other buttons
//! than usual. The *place* adds what stands beside its rows: a path, a date, a heading.
//!
//! Invariants: what rows hold is part of none of the three, nor is how many there are; whether two places are one, and
//! in what they differ, is one question: [`Place::difference`] is `None` exactly for places of one mode.

use std::collections::BTreeSet;

use super::look::{Look, Window};
use super::mode::{Mode, ModeKind};
use super::row::{List, name};
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
        let mode = Mode::of(layout, look, lists, fields, toggles);
        let searched_over = look.title.is_empty() && mode.kind == ModeKind::Search;
        let titled = !searched_over && !is_hidden_text(&look.title);
        Self {
            page: Page {
                window: look.window,
                title: titled.then(|| without_count(&look.title)),
                tab: look.tab.clone(),
                dialog: look.dialog.clone(),
                drawer_open: look.drawer_open,
            },
            mode,
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
        self.is_page_of(other) && self.mode.is_same_as(&other.mode)
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

fn titled(title: &str) -> String {
    if title.is_empty() { "without a title".into() } else { quoted(title) }
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
