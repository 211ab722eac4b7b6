//! A screen as lines: one for each row, field, button and lone text, in reading order.
//!
//! In: the facts of a layout. Out: [`Line`]s.
//!
//! Invariants: every text that a person can read stands on exactly one line, that of the smallest thing that a person
//! takes as one: a row, a control, a field. What the veil covers is told by what it is, never by what it says.

use super::look::is_drop_down;
use super::quote::{REDACTED, bare, quoted};
use super::row::List;
use super::sentence::{field_name, id_of, plain_word};
use super::snackbar;
use super::{facts::Facts, veil::Veil};
use droidmux_gui::{Bounds, Flags, Layout, Widget, WidgetId};

/// One line of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is told of it: what it is, what it says, its state.
    pub text: String,
    /// What stands before it and hides it, `under the snackbar`; empty where nothing does. No part of what it says.
    pub hidden: &'static str,
    /// The widget that all of it lies in.
    pub widget: WidgetId,
    /// The name of the list that it is a row of.
    pub list: Option<String>,
    /// What it is, whatever it says at the moment: equal on two screens for the same control. Rows have that of their
    /// label.
    pub key: String,
    /// Where it is, in pixels.
    pub bounds: Bounds,
}

/// The most lines of one screen.
const MOST_LINES: usize = 200;

/// The most widgets that are looked at for the texts of one line.
const MOST_PARTS: usize = 60;

/// A part of the screen of more than this share of its height is no single control, though it may take touches.
const TALLEST: i32 = 3;

/// The lines of a screen, in reading order.
pub fn lines(facts: &Facts, activity: &str, veil: &Veil) -> Vec<Line> {
    let teller = Teller {
        layout: facts.layout(),
        lists: facts.lists(),
        activity,
        veil,
        covers: Covers::of(facts.layout()),
    };
    let mut lines = Vec::new();
    let mut past = 0;
    for widget in facts.layout().widgets() {
        if widget.id().0 < past || widget.has(Flags::INVISIBLE) || lines.len() >= MOST_LINES {
            continue;
        }
        if let Some(line) = teller.line(widget) {
            past = widget.id().0 + u32::try_from(widget.subtree().len()).unwrap_or(u32::MAX);
            lines.push(line);
        }
    }
    in_reading_order(lines)
}

struct Teller<'a> {
    layout: &'a Layout,
    lists: &'a [List],
    activity: &'a str,
    veil: &'a Veil,
    covers: Covers,
}

impl Teller<'_> {
    /// The line that a widget and all inside of it are; `None` where it is none, or is more than one.
    fn line(&self, widget: Widget<'_>) -> Option<Line> {
        let row = self.lists.iter().find_map(|list| {
            let row = list.rows.iter().find(|row| row.node == widget.id())?;
            Some((list, row))
        });
        let (text, list, key) = match row {
            Some((list, row)) => {
                let text = format!("- {}{}", self.parts(widget).join(" | "), states(widget));
                (text, Some(list.id.clone()), format!("row {}", row.label))
            }
            None => (self.control(widget)?, None, key(widget)),
        };
        let hidden = self.covers.over(widget.bounds());
        Some(Line { text, hidden, widget: widget.id(), list, key, bounds: widget.bounds() })
    }

    /// A control, a field or a text that is no row.
    fn control(&self, widget: Widget<'_>) -> Option<String> {
        if self.veil.covers(self.activity, widget) {
            return Some(format!("{} (not compared)", what(widget)));
        }
        if widget.is_editable() {
            return Some(self.field(widget) + states(widget));
        }
        if widget.is_leaf() {
            return self.leaf(widget);
        }
        let whole = widget.is_actionable() || is_drop_down(widget);
        if !whole || !is_small(widget, self.layout) || holds_controls(widget) {
            return None;
        }
        let parts = self.parts(widget).join(" | ");
        let told = if parts.is_empty() { nameless(widget) } else { parts };
        Some(format!("{} {told}{}", what(widget), states(widget)))
    }

    fn leaf(&self, widget: Widget<'_>) -> Option<String> {
        if let Some(tick) = tick(widget) {
            let said = self.said(widget);
            let said = if said.is_empty() { nameless(widget) } else { said };
            return Some(format!("{tick} {said}{}", states(widget)));
        }
        let said = self.said(widget);
        match (said.as_str(), what(widget)) {
            ("", what) if widget.is_actionable() => {
                Some(format!("{what} {}{}", nameless(widget), states(widget)))
            }
            ("", what @ "progress bar") if !widget.bounds().is_empty() => Some(what.to_owned()),
            ("", _) => None,
            (said, "text") => Some(format!("{said}{}", states(widget))),
            (said, what) => Some(format!("{what} {said}{}", states(widget))),
        }
    }

    /// What the widgets of a row or a control say, one part each.
    fn parts(&self, widget: Widget<'_>) -> Vec<String> {
        let mut parts = Vec::new();
        for part in widget.subtree().take(MOST_PARTS).filter(|part| !part.has(Flags::INVISIBLE)) {
            if self.veil.covers(self.activity, part) {
                continue;
            }
            let said = if part.is_editable() { self.field(part) } else { self.said(part) };
            match tick(part) {
                Some(tick) => parts.push(format!("{tick} {said}").trim_end().to_owned()),
                None if said.is_empty() => {}
                None if part.id() != widget.id() && part.has(Flags::SELECTED) => {
                    parts.push(format!("{said} (selected)"));
                }
                None => parts.push(said),
            }
        }
        parts.dedup();
        parts
    }

    /// A field: what it is for, and what it holds.
    fn field(&self, field: Widget<'_>) -> String {
        let name = field_name(field).map(|name| format!(" {}", bare(&name))).unwrap_or_default();
        let text = field.text();
        let held = if field.has(Flags::PASSWORD) {
            if text.is_empty() { "empty".to_owned() } else { REDACTED.to_owned() }
        } else if text.is_empty() {
            "empty".to_owned()
        } else if super::look::shows_hint(field) {
            "empty, only its hint".to_owned()
        } else {
            quoted(&self.veil.secrets.redacted(text))
        };
        format!("field{name}: {held}")
    }

    /// What a widget itself says.
    fn said(&self, widget: Widget<'_>) -> String {
        let text = if widget.has(Flags::PASSWORD) { "" } else { widget.text() };
        let said = if text.trim().is_empty() { widget.description() } else { text };
        if said.trim().is_empty() { String::new() } else { bare(&self.veil.secrets.redacted(said)) }
    }
}

/// What stands for a name: the words of its id in brackets.
fn nameless(widget: Widget<'_>) -> String {
    id_of(widget).map_or_else(|| "(nameless)".to_owned(), |id| format!("({id})"))
}

/// `[x]` or `[ ]` of what can be checked.
fn tick(widget: Widget<'_>) -> Option<&'static str> {
    widget.has(Flags::CHECKABLE).then(|| if widget.has(Flags::CHECKED) { "[x]" } else { "[ ]" })
}

fn states(widget: Widget<'_>) -> &'static str {
    let operable = widget.is_actionable() || widget.is_editable();
    match (widget.has(Flags::SELECTED), operable && !widget.has(Flags::ENABLED)) {
        (true, true) => " (selected, disabled)",
        (true, false) => " (selected)",
        (false, true) => " (disabled)",
        (false, false) => "",
    }
}

/// A plain word for what a widget is; of a part of the page that takes touches, what a person takes it for.
fn what(widget: Widget<'_>) -> &'static str {
    match plain_word(widget.short_class()) {
        "area" | "text" | "picture" if widget.is_actionable() => "button",
        "area" => "text",
        word => word,
    }
}

/// What a control is, whatever it says: its id, else its kind and place among its kind.
fn key(widget: Widget<'_>) -> String {
    match widget.short_id() {
        "" => super::row::name(widget),
        id => format!("{id} {}", widget.position()),
    }
}

/// Whether there is more in it than one control: what takes touches of its own, ticks left out.
fn holds_controls(widget: Widget<'_>) -> bool {
    let own =
        |part: &Widget<'_>| part.is_editable() || part.has(Flags::CLICKABLE) && !part.has(Flags::CHECKABLE);
    widget.subtree().skip(1).filter(own).take(2).count() > 0
}

fn is_small(widget: Widget<'_>, layout: &Layout) -> bool {
    let height = layout.roots().map(|root| root.bounds().bottom).max().unwrap_or_default();
    widget.bounds().height() <= height / TALLEST && widget.subtree().len() <= MOST_PARTS
}

/// What lies before the page.
struct Covers(Vec<(Bounds, &'static str)>);

impl Covers {
    fn of(layout: &Layout) -> Self {
        let mut covers = Vec::new();
        for widget in layout.widgets() {
            if snackbar::is_text(widget) {
                let bar = widget.parent().unwrap_or(widget);
                covers.push((bar.bounds(), " (under the snackbar)"));
            }
            if widget.parent().is_none() && widget.package().contains("inputmethod") {
                covers.push((widget.bounds(), " (under the keyboard)"));
            }
        }
        Self(covers)
    }

    /// What hides a widget of these bounds: its middle lies behind it, and it is no part of it.
    fn over(&self, bounds: Bounds) -> &'static str {
        let middle = bounds.center();
        let hides = |(cover, _): &&(Bounds, &str)| {
            let inside = cover.intersection(bounds) == bounds;
            cover.contains(middle) && !inside
        };
        self.0.iter().find(hides).map_or("", |(_, word)| word)
    }
}

/// Lines from the top down, and from the left where they stand beside each other.
fn in_reading_order(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by_key(|line| line.bounds.top);
    let mut ordered: Vec<Line> = Vec::with_capacity(lines.len());
    let mut band: Vec<Line> = Vec::new();
    let mut bottom = i32::MIN;
    for line in lines {
        let middle = line.bounds.center().y;
        if !band.is_empty() && middle >= bottom {
            band.sort_by_key(|line| line.bounds.left);
            ordered.append(&mut band);
        }
        if band.is_empty() {
            bottom = line.bounds.bottom;
        }
        band.push(line);
    }
    band.sort_by_key(|line| line.bounds.left);
    ordered.append(&mut band);
    ordered
}
