//! Two screens of one page, compared part by part.
//!
//! In: the screens before and after an insertion, what is masked and what was typed. Out: what differs in fields, in
//! choices, in rows and elsewhere, in words.
//!
//! Invariants: what the eye does not see is no difference, nor is what a keyboard covers or what a scrolled part
//! shows elsewhere.

use std::collections::BTreeSet;

use crate::passing::{is_passing_value, lasting};
use crate::playback::Shot;
use crate::sentence::quoted;
use droidmux_account::apart;
use droidmux_gui::{Flags, Layout, Widget, WidgetId, edit_mapping_of, row_of};

use super::difference::{Difference, Eye, Kind};
use super::lists::{Change, List, Read, Row, compare, lists};
use super::sentence::{called, label};

/// Two screens of one page.
pub(super) struct Pair<'p, 'a> {
    pub eye: &'p Eye<'p>,
    pub before: Shot<'a>,
    pub after: Shot<'a>,
    pub typed: &'p BTreeSet<&'p str>,
}

impl<'a> Pair<'_, 'a> {
    /// Texts in fields.
    pub(super) fn fields(&self) -> Vec<Difference<'a>> {
        let (one, other) = (self.before.layout(), self.after.layout());
        let mut found = Vec::new();
        for field in one.widgets().filter(|w| w.is_editable() && self.eye.sees(self.before, *w)) {
            let again = twin(field, other);
            let (was, is) = (typed_text(field), again.map(typed_text).unwrap_or_default());
            if was == is {
                continue;
            }
            let name = called(field);
            let words = if was.is_empty() {
                format!("{name} shows {}, which nobody typed", quoted(is))
            } else if is.is_empty() && (self.typed.contains(was) || field.has(Flags::PASSWORD)) {
                format!("the text typed into {name} is gone")
            } else if is.is_empty() {
                format!("the text {} in {name} is gone", quoted(was))
            } else {
                let (is, was) = apart(is, was);
                format!("{name} shows {is} instead of {was}")
            };
            let widgets = (vec![field], again.into_iter().collect());
            found.push(Difference {
                kind: Kind::Text,
                words,
                about: identity(field),
                widgets,
                is_news: false,
            });
        }
        found
    }

    /// What is checked, selected, enabled or has the focus.
    pub(super) fn choices(&self) -> Vec<Difference<'a>> {
        let (one, other) = (self.before.layout(), self.after.layout());
        let same_rows = self.lists().iter().all(|(_, _, change)| *change == Change::None);
        let mut found = Vec::new();
        for widget in one.widgets().filter(|w| self.eye.sees(self.before, *w)) {
            if row_of(widget).is_some() && !same_rows {
                continue;
            }
            let flags = [Flags::CHECKED, Flags::SELECTED, Flags::FOCUSED];
            let telling = flags.iter().any(|flag| widget.has(*flag)) || widget.has(Flags::CHECKABLE);
            let Some(again) = telling.then(|| twin(widget, other)).flatten() else { continue };
            let lost = |flag| widget.has(flag) && !again.has(flag);
            let gained = |flag| !widget.has(flag) && again.has(flag);
            let name = || called(widget);
            let (kind, words) = if lost(Flags::CHECKED) {
                (Kind::Choice, format!("{} is no longer checked", name()))
            } else if gained(Flags::CHECKED) {
                (Kind::Choice, format!("{} is checked, which nobody did", name()))
            } else if lost(Flags::SELECTED) {
                (Kind::Choice, format!("{} is no longer selected", name()))
            } else if lost(Flags::FOCUSED) && widget.is_editable() {
                (Kind::Focus, format!("{} has lost the focus", name()))
            } else {
                continue;
            };
            let widgets = (vec![widget], vec![again]);
            found.push(Difference { kind, words, about: identity(widget), widgets, is_news: false });
        }
        found
    }

    /// Rows that are gone or have come.
    pub(super) fn rows(&self) -> Vec<Difference<'a>> {
        self.lists()
            .into_iter()
            .filter_map(|(one, other, change)| self.row_change(&one, &other, change))
            .collect()
    }

    fn row_change(&self, one: &List, other: &List, change: Change) -> Option<Difference<'a>> {
        let (layout, later) = (self.before.layout(), self.after.layout());
        let about = layout.get(one.node).or(later.get(other.node)).map(identity).unwrap_or_default();
        let whole = (layout.get(one.node).into_iter().collect(), later.get(other.node).into_iter().collect());
        let difference = |kind, words, widgets, is_news| {
            Some(Difference { kind, words, about: about.clone(), widgets, is_news })
        };
        match change {
            Change::None | Change::Extent => None,
            Change::Moved => {
                difference(Kind::Scroll, "the list stands at another place".to_owned(), whole, false)
            }
            Change::Order => {
                difference(Kind::Rows, "the rows stand in another order".to_owned(), whole, true)
            }
            Change::Members { lost, gained } => {
                let pick = |layout: &'a Layout, list: &List, places: &[usize]| -> Vec<Widget<'a>> {
                    places.iter().filter_map(|&n| layout.get(list.rows.get(n)?.widget)).collect()
                };
                let (gone, come) = (pick(layout, one, &lost), pick(later, other, &gained));
                let name = |rows: &[Widget<'a>]| rows.first().copied().and_then(label).map(quoted);
                let words = match (name(&gone), name(&come)) {
                    (Some(gone), Some(come)) if gone == come => {
                        format!("the row {gone} shows something else")
                    }
                    (Some(gone), Some(come)) => format!("the row {gone} is gone and {come} is there"),
                    (Some(gone), None) if lost.len() == 1 => format!("the row {gone} is gone"),
                    (Some(gone), None) => format!("{} rows are gone, the first of them {gone}", lost.len()),
                    (None, Some(come)) if is_doubled(one, other, &gained) => {
                        format!("the row {come} is there twice")
                    }
                    (None, Some(come)) => format!("the row {come} has come, which nobody made"),
                    (None, None) => return None,
                };
                let stays = name(&gone).is_some() && name(&gone) == name(&come);
                let is_news = stays || gone.is_empty() && !is_doubled(one, other, &gained);
                difference(Kind::Rows, words, (gone, come), is_news)
            }
        }
    }

    /// The lists of both screens, matched, with what changed in them.
    fn lists(&self) -> Vec<(List, List, Change)> {
        let reads = |shot: Shot<'a>| {
            move |widget: Widget<'a>| {
                let text = if widget.text().is_empty() { widget.description() } else { widget.text() };
                let read = if is_passing_value(text) { Read::Passing } else { Read::Lasting(text) };
                let reads = !text.is_empty() && !widget.is_editable() && self.eye.sees(shot, widget);
                reads.then_some(read)
            }
        };
        let (one, other) = (self.before.layout(), self.after.layout());
        let (mine, mut theirs) = (lists(one, reads(self.before)), lists(other, reads(self.after)));
        // With the keyboard up there is less room.
        let resized = self.before.seen.screen.keyboard != self.after.seen.screen.keyboard;
        let mut matched = Vec::new();
        for list in mine {
            let name = one.get(list.node).map(identity);
            let at = theirs.iter().position(|other_list| other.get(other_list.node).map(identity) == name);
            let again = match at {
                Some(at) => theirs.remove(at),
                None => List { node: WidgetId(u32::MAX), scrolls: false, rows: Vec::new() },
            };
            matched.push(self.matched(list, again, resized));
        }
        for list in theirs {
            let none = List { node: WidgetId(u32::MAX), scrolls: false, rows: Vec::new() };
            matched.push(self.matched(none, list, resized));
        }
        matched
    }

    fn matched(&self, one: List, mut other: List, resized: bool) -> (List, List, Change) {
        for row in &mut other.rows {
            let is_same = |earlier: &&Row| earlier.is_later(row) || earlier.is_cut_off(row);
            if let Some(earlier) = one.rows.iter().find(is_same) {
                row.text.clone_from(&earlier.text);
            }
        }
        let texts = |list: &List| list.rows.iter().map(|row| row.text.clone()).collect::<Vec<String>>();
        let change = compare(&texts(&one), &texts(&other), one.scrolls || other.scrolls || resized);
        (one, other, change)
    }

    /// Widgets outside of lists that are gone, have come, or show something else.
    pub(super) fn others(&self) -> Vec<Difference<'a>> {
        let (one, other) = (self.before.layout(), self.after.layout());
        let mut found = Vec::new();
        let mapping = edit_mapping_of(&self.before.still.outline, &self.after.still.outline);
        // What a keyboard covers shows when it goes.
        let keyboard = (self.before.seen.screen.keyboard, self.after.seen.screen.keyboard);
        for (old, new) in mapping {
            let old = old.and_then(|id| one.get(id)).filter(|w| self.matters(self.before, *w));
            let new = new.and_then(|id| other.get(id)).filter(|w| self.matters(self.after, *w));
            let words = match (old, new) {
                // A least mapping need not map what stayed to itself.
                (Some(old), _) if has_equal(other, old) => continue,
                (_, Some(new)) if has_equal(one, new) => continue,
                (Some(old), Some(new)) => match (label(old), label(new)) {
                    (Some(was), Some(is)) if is_passing_value(was) && is_passing_value(is) => continue,
                    (Some(_), Some(is)) if self.is_called_after_a_field(is) => continue,
                    (Some(was), Some(is)) => {
                        let (is, was) = apart(is, was);
                        format!("{is} is shown instead of {was}")
                    }
                    (Some(_), None) => format!("{} is gone", called(old)),
                    (None, _) => format!("{} has come", called(new)),
                },
                (Some(_), None) if keyboard == (false, true) => continue,
                (None, Some(_)) if keyboard == (true, false) => continue,
                (Some(old), None) => format!("{} is gone", called(old)),
                (None, Some(new)) => format!("{} has come", called(new)),
                (None, None) => continue,
            };
            let around =
                if old.or(new).is_some_and(is_in_scrolling) { self.stretch(old, new) } else { Change::None };
            if around == Change::Extent {
                continue;
            }
            let scrolled = around == Change::Moved;
            let kind = if scrolled { Kind::Scroll } else { Kind::Shown };
            let words = if scrolled { "the page is scrolled to another place".into() } else { words };
            let about = old.or(new).map(identity).unwrap_or_default();
            found.push(Difference {
                kind,
                words,
                about,
                widgets: (old.into_iter().collect(), new.into_iter().collect()),
                is_news: old.is_none(),
            });
        }
        found
    }

    /// A heading says what a field holds, now as before: what was typed is saved when the app is left, and from then on
    /// the page is named after it.
    fn is_called_after_a_field(&self, heading: &str) -> bool {
        self.before.layout().widgets().filter(|w| w.is_editable()).any(|field| {
            let text = typed_text(field);
            let kept = || twin(field, self.after.layout()).is_some_and(|again| typed_text(again) == text);
            !text.is_empty() && heading.contains(text) && kept()
        })
    }

    /// Shows or does something by itself, outside of lists and fields.
    fn matters(&self, shot: Shot<'a>, widget: Widget<'a>) -> bool {
        let speaks = !widget.text().is_empty() || !widget.description().is_empty();
        let acts = widget.is_actionable() && !widget.resource_id().is_empty();
        (speaks || acts)
            && !widget.is_editable()
            && row_of(widget).is_none()
            && !widget.has(Flags::INVISIBLE)
            && self.eye.sees(shot, widget)
    }

    /// How what the scrolling part around a widget shows differs.
    fn stretch(&self, old: Option<Widget<'a>>, new: Option<Widget<'a>>) -> Change {
        let around = |widget: Option<Widget<'a>>, layout: &'a Layout, shot: Shot<'a>| -> Vec<&'a str> {
            let name = widget.and_then(scrolling).map(identity);
            let part = layout
                .widgets()
                .find(|w| w.has(Flags::SCROLLABLE) && (name.is_none() || Some(identity(*w)) == name));
            let inside = part.into_iter().flat_map(|part| part.subtree());
            inside.filter(|w| !w.text().is_empty() && self.eye.sees(shot, *w)).map(|w| w.text()).collect()
        };
        let anchor = |first: Option<Widget<'a>>, second| first.or(second);
        let before = around(anchor(old, new), self.before.layout(), self.before);
        let after = around(anchor(new, old), self.after.layout(), self.after);
        compare(&before, &after, true)
    }
}

fn is_doubled(one: &List, other: &List, gained: &[usize]) -> bool {
    let row = gained.first().and_then(|&n| other.rows.get(n));
    row.is_some_and(|row: &Row| one.rows.iter().any(|known| known.text == row.text))
}

/// What a person typed into a field; nothing when it shows its hint.
fn typed_text<'a>(field: Widget<'a>) -> &'a str {
    if field.text() == field.hint() { "" } else { field.text() }
}

/// The same widget on another layout: by class, id, description and position among similar ones.
fn twin<'a>(widget: Widget<'_>, other: &'a Layout) -> Option<Widget<'a>> {
    let is_like = |w: &Widget<'_>| {
        w.class() == widget.class()
            && w.resource_id() == widget.resource_id()
            && w.description() == widget.description()
    };
    let earlier = widget.layout().widgets().take_while(|w| w.id() < widget.id()).filter(is_like).count();
    other.widgets().filter(is_like).nth(earlier)
}

/// An equal widget is there.
fn has_equal(layout: &Layout, widget: Widget<'_>) -> bool {
    let count = |layout: &Layout| {
        let equal = |w: &Widget<'_>| {
            w.class() == widget.class()
                && w.resource_id() == widget.resource_id()
                && w.description() == widget.description()
                && w.text() == widget.text()
        };
        layout.widgets().filter(equal).count()
    };
    count(layout) >= count(widget.layout())
}
fn scrolling(widget: Widget<'_>) -> Option<Widget<'_>> {
    widget.ancestors().find(|ancestor| ancestor.has(Flags::SCROLLABLE))
}

fn is_in_scrolling(widget: Widget<'_>) -> bool {
    scrolling(widget).is_some()
}

/// Class and id; without an id, what lasts of the description, or else of the text.
fn identity(widget: Widget<'_>) -> String {
    let class = widget.class();
    match widget.resource_id() {
        "" => {
            let text = [widget.description(), widget.text()].into_iter().find(|text| !text.is_empty());
            text.map_or_else(|| class.to_owned(), |text| format!("{class} {:?}", lasting(text)))
        }
        id => format!("{class}#{id}"),
    }
}
