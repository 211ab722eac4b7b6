//! What one page showed before and after an insertion: fields, lists, choices, words and the cursor.

use super::{Kind, Loss};
use crate::relation::kept::{Fate, fates, has_more};
use crate::relation::look::{Field, Window, toggle_name};
use crate::relation::round_trip::pair::Stretch;
use crate::relation::row::{List, Row, name};
use crate::relation::trail::{Shot, Trail};
use crate::relation::{differ_in_words, ordinal, quoted};
use droidmux_account::apart;
use droidmux_gui::{Flags, WidgetId, holds_date};
use droidmux_record::{NeutralInsertion, WidgetNote};

/// Two shots of one page.
pub(super) struct Content<'t, 'a> {
    pub(super) trail: &'t Trail<'a>,
    pub(super) stretch: Stretch,
    pub(super) before: &'t Shot<'a>,
    pub(super) after: &'t Shot<'a>,
}

impl Content<'_, '_> {
    fn note(shot: &Shot<'_>, widget: WidgetId) -> Vec<WidgetNote> {
        shot.layout().get(widget).map(WidgetNote::of).into_iter().collect()
    }

    /// What is opened by a touch may have used what was typed, and may leave another choice behind.
    fn is_used(&self) -> bool {
        let between = self.trail.shot(self.stretch.from + 1);
        self.stretch.pair == NeutralInsertion::Page
            && between.is_none_or(|shot| shot.look().window != Window::Menu)
    }

    /// What fields held.
    pub(super) fn texts(&self) -> Vec<Loss> {
        let mut found = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for field in &self.before.look().fields {
            let place = seen.iter().filter(|key| **key == field.key).count();
            seen.push(&field.key);
            if field.text.is_empty() {
                continue;
            }
            let there = self.after.look().fields.iter().filter(|other| other.key == field.key).nth(place);
            if there.is_some_and(|other| {
                other.text == field.text || (holds_date(&field.text) && holds_date(&other.text))
            }) {
                continue;
            }
            let is_another =
                self.is_told_by_place(field) && [self.before, self.after].into_iter().any(scrolls);
            if is_another || (there.is_none() && scrolls(self.after)) {
                continue;
            }
            let now = there.filter(|other| {
                !other.text.is_empty() && other.text != other.hint && other.text != field.hint
            });
            let named = self.field_name(field);
            let words = match now {
                None if self.is_typed(&field.text) => format!("the text typed into {named} is gone"),
                None => format!("the text in {named} is gone"),
                Some(now) => {
                    let (is, was) = apart(&now.text, &field.text);
                    format!("{named} shows {is} instead of {was}")
                }
            };
            let notes = (
                Self::note(self.before, field.widget),
                there.map_or(Vec::new(), |f| Self::note(self.after, f.widget)),
            );
            found.push(
                Loss::new(Kind::Text, &field.key, words)
                    .showing(notes.0, notes.1)
                    .slight_when(self.is_used()),
            );
        }
        found
    }

    /// The field has no name: where a page is scrolled, another one may be in its place.
    fn is_told_by_place(&self, field: &Field) -> bool {
        let widget = self.before.layout().get(field.widget);
        field.hint.is_empty() && widget.is_some_and(|widget| widget.short_id().is_empty())
    }

    /// The same of fields that were typed into, and are still there.
    pub(super) fn typed_texts(&self) -> Vec<Loss> {
        let is_typed = |loss: &Loss| {
            let was = self.before.field(&loss.about);
            was.is_some_and(|field| self.is_typed(&field.text)) && self.after.field(&loss.about).is_some()
        };
        self.texts().into_iter().filter(is_typed).collect()
    }

    /// The name of a field for people: its hint or description, or its id in words.
    fn field_name(&self, field: &Field) -> String {
        let widget = self.before.layout().get(field.widget);
        let id = widget.map(|w| w.short_id().replace(['_', '-'], " ")).unwrap_or_default();
        let described = widget.map(|w| w.description().to_owned()).unwrap_or_default();
        let name = [field.hint.clone(), described, id].into_iter().find(|name| !name.trim().is_empty());
        name.map_or_else(|| "the field".to_owned(), |name| quoted(&name))
    }

    fn is_typed(&self, text: &str) -> bool {
        self.trail.has_typed(text, self.stretch.from)
    }

    /// What was switched on or chosen beside the rows.
    pub(super) fn choices(&self) -> Vec<Loss> {
        let others = &self.after.look().toggles;
        let mut found = Vec::new();
        for (key, state) in &self.before.look().toggles {
            let mut same = others.iter().filter(|(other, _)| other == key);
            let (Some((_, now)), None) = (same.next(), same.next()) else { continue };
            if now == state || now.chars().chain(state.chars()).any(char::is_numeric) {
                continue;
            }
            let label = toggle_name(key);
            let words = match state.as_str() {
                "on" => format!("{} is no longer switched on", quoted(&label)),
                "off" => format!("{} is switched on, which it was not", quoted(&label)),
                state => {
                    let (is, was) = apart(now, state);
                    format!("{} shows {is} instead of {was}", quoted(&label))
                }
            };
            let id = key.split_once(' ').map_or(key.as_str(), |(id, _)| id);
            found.push(Loss::new(Kind::Choice, id, words).slight_when(self.is_used()));
        }
        found
    }

    /// A row that was picked out.
    pub(super) fn selected(&self) -> Option<Loss> {
        let is_on = |shot: &Shot<'_>, row: &Row| {
            shot.layout().get(row.node).is_some_and(|widget| widget.has(Flags::SELECTED))
        };
        let lists = self.before.lists().iter().filter(|_| self.stretch.pair.recreates());
        let mut rows =
            lists.filter_map(|list| Some((list, self.after.list(&list.id)?))).flat_map(|(list, other)| {
                list.rows.iter().filter_map(move |row| {
                    list.only(&row.label)?;
                    Some((list, row, other.only(&row.label)?.1))
                })
            });
        let (list, row, _) = rows.find(|(_, was, is)| is_on(self.before, was) && !is_on(self.after, is))?;
        let words = format!("{} is no longer selected", quoted(&row.label));
        let loss = Loss { list: list.id.clone(), ..Loss::new(Kind::Choice, "selected", words) };
        Some(loss.showing(row.note(self.before.layout()), Vec::new()))
    }

    pub(super) fn lists(&self) -> Vec<Loss> {
        let lists = self.before.lists().iter();
        lists.filter(|list| self.before.list(&list.id).is_some()).flat_map(|list| self.list(list)).collect()
    }

    fn list(&self, list: &List) -> Vec<Loss> {
        let Some(other) = self.after.list(&list.id) else {
            return self.emptied(list).into_iter().collect();
        };
        // On returning, a person may find what came in the meantime in place of what was there, and what is opened may
        // be put first among what was opened lately.
        let refreshed = has_more(list, other)
            && (self.stretch.pair.leaves() || self.stretch.pair == NeutralInsertion::Page);
        let fates = fates(list, other).into_iter();
        fates.filter_map(|fate| self.loss(list, other, &fate, refreshed)).collect()
    }

    /// Rows that were entered and come into view only now, on a page that was there all the time: it was not brought up to
    /// date when they were entered.
    pub(super) fn late(&self) -> Option<Loss> {
        // What is opened may list what was used lately.
        let lists = self.after.lists().iter().filter(|_| self.stretch.pair != NeutralInsertion::Page);
        let mut rows = lists.flat_map(|list| self.new_in(list).into_iter().map(move |row| (list, row)));
        let (list, row) = rows.find(|(_, row)| row.cells.iter().any(|cell| self.is_typed(&cell.text)))?;
        let words = format!("{} is in the list, where it was missing", quoted(&row.label));
        let loss = Loss { list: list.id.clone(), ..Loss::new(Kind::Late, "", words) };
        Some(loss.showing(Vec::new(), row.note(self.after.layout())))
    }

    /// Rows of a later list that were missing from where they would have been in view.
    fn new_in<'l>(&'l self, list: &'l List) -> Vec<&'l Row> {
        let Some(was) = self.before.list(&list.id) else {
            let is_empty = self.before.lists().iter().all(|other| other.id != list.id)
                && stands(self.before, self.after, list);
            return if is_empty { list.rows.iter().collect() } else { Vec::new() };
        };
        let missing = |fate| match fate {
            Fate::Gone(row) => Some(row),
            _ => None,
        };
        fates(list, was).into_iter().filter_map(missing).collect()
    }

    /// A list of which nothing is left, although it would be in view.
    fn emptied(&self, list: &List) -> Option<Loss> {
        let names: Vec<&str> = list.rows.iter().map(|row| row.label.as_str()).collect();
        let there = stands(self.after, self.before, list);
        let lone = list.rows.len() == 1 && self.is_opened_row(list.rows.first()?);
        let silent =
            (!there && scrolls(self.after)) || lone || self.after.lists().iter().any(|l| l.id == list.id);
        if silent {
            return None;
        }
        let words = match names.as_slice() {
            [only] => format!("{} is gone from the list", quoted(only)),
            all => format!("the list is empty, which had {} rows", all.len()),
        };
        let notes = list.rows.iter().take(3).flat_map(|row| row.note(self.before.layout())).collect();
        let loss = Loss { list: list.id.clone(), ..Loss::new(Kind::Row, "all", words) };
        Some(loss.showing(notes, Vec::new()).slight_when(self.stretch.pair == NeutralInsertion::Network))
    }

    fn loss(&self, list: &List, other: &List, fate: &Fate<'_>, refreshed: bool) -> Option<Loss> {
        let row_note = |row: &Row| row.note(self.before.layout());
        let (kind, about, words, notes) = match fate {
            Fate::Gone(row) => {
                if refreshed || self.is_opened_row(row) || holds_date(&row.label) {
                    return None;
                }
                (Kind::Row, "", format!("{} is gone from the list", quoted(&row.label)), row_note(row))
            }
            Fate::Doubled(row) => {
                if self.stretch.pair == NeutralInsertion::Page {
                    return None;
                }
                (
                    Kind::Twice,
                    "",
                    format!("{} is in the list once more", quoted(&row.label)),
                    row.note(self.after.layout()),
                )
            }
            Fate::Moved(row, from, to) => {
                if self.stretch.pair == NeutralInsertion::Page {
                    return None;
                }
                let (was, is) = (ordinal(*from), ordinal(*to));
                let words = format!("{} is {is} in the list; it had been {was}", quoted(&row.label));
                (Kind::Order, "", words, row_note(row))
            }
            Fate::Checked(row, was) => {
                if self.stretch.pair == NeutralInsertion::Page {
                    return None;
                }
                let label = quoted(&row.label);
                let words = if *was {
                    format!("{label} is no longer ticked")
                } else {
                    format!("{label} is ticked, which it was not")
                };
                (Kind::Choice, "row", words, row_note(row))
            }
            Fate::Says(row, was, is) => {
                // On returning, a person may find news, and what was opened is known from then on.
                if !self.stretch.pair.recreates() {
                    return None;
                }
                let label = quoted(&row.label);
                let words = match is {
                    Some(is) => {
                        let (is, was) = apart(is, was);
                        format!("{label} says {is}, not {was} as before")
                    }
                    None => format!("{label} no longer says {}", quoted(was)),
                };
                (Kind::Words, "row", words, row_note(row))
            }
            Fate::Scrolled => {
                let first = |list: &List| list.rows.first().map(|row| row.label.clone()).unwrap_or_default();
                let (is, was) = apart(&first(other), &first(list));
                let words = format!("the list begins with {is}, not with {was} as before");
                (Kind::Place, "", words, list.rows.first().map(row_note).unwrap_or_default())
            }
        };
        // Playing and loading stop with the process, a lost network takes along what came over it, and on returning a
        // person may find a list sorted anew.
        let lenient = match self.stretch.pair {
            NeutralInsertion::Kill => matches!(kind, Kind::Words | Kind::Order),
            NeutralInsertion::Network => true,
            pair => pair.leaves() && kind == Kind::Order,
        };
        let fetched = match fate {
            Fate::Gone(row) => {
                self.stretch.pair.leaves() && !row.cells.iter().any(|cell| self.is_typed(&cell.text))
            }
            _ => false,
        };
        let loss = Loss { list: list.id.clone(), fetched, ..Loss::new(kind, about, words) };
        Some(loss.showing(notes, Vec::new()).slight_when(lenient))
    }

    /// What was opened may be done with: read, played, no longer on this list.
    fn is_opened_row(&self, row: &Row) -> bool {
        let receiver = self.trail.shot(self.stretch.from + 1).and_then(|shot| shot.receiver);
        let opened = receiver.and_then(|receiver| self.before.row_with(receiver));
        let opened = opened.and_then(|(list, number)| self.before.row(list, number));
        // Rows of one name may be of one conversation.
        self.stretch.pair == NeutralInsertion::Page && opened.is_some_and(|opened| opened.label == row.label)
    }

    /// Texts beside the rows that were there for longer than one event.
    pub(super) fn labels(&self) -> Option<Loss> {
        if !self.stretch.pair.recreates() || scrolls(self.before) || scrolls(self.after) {
            return None;
        }
        let earlier = self.stretch.from.checked_sub(1).and_then(|number| self.trail.shot(number));
        let lasting = |label: &(String, String)| {
            earlier.is_some_and(|shot| shot.is_same_page(self.before) && shot.look().labels.contains(label))
        };
        let others = &self.after.look().labels;
        let lone = |labels: &[(String, String)], key: &str| {
            labels.iter().filter(|(other, _)| other == key).count() == 1
        };
        self.before.look().labels.iter().find_map(|label| {
            let (key, text) = label;
            let now = others.iter().find(|(other, _)| other == key).map(|(_, text)| text.as_str());
            let judged = lone(&self.before.look().labels, key)
                && !text.chars().any(char::is_numeric)
                && now != Some(text);
            let words = match now.filter(|_| judged && others.iter().all(|(_, other)| other != text)) {
                Some(now) if !now.is_empty() => differ_in_words(text, now)
                    .then(|| format!("the page says {} where it said {}", quoted(now), quoted(text))),
                _ if judged && !self.after.shows(text) => {
                    Some(format!("the words {} are gone", quoted(text)))
                }
                _ => None,
            };
            let slight = self.stretch.pair != NeutralInsertion::Rotate || !lasting(label);
            words.map(|words| Loss::new(Kind::Words, key, words).slight_when(slight))
        })
    }

    /// The field that keys go to.
    pub(super) fn focus(&self) -> Option<Loss> {
        let focused = |shot: &Shot<'_>, field: &Field| {
            shot.layout().get(field.widget).is_some_and(|widget| widget.has(Flags::FOCUSED))
        };
        let was = self.before.look().fields.iter().find(|field| focused(self.before, field))?;
        let mut same = self.after.look().fields.iter().filter(|field| field.key == was.key);
        let still = same.next()?;
        let lost = same.next().is_none() && !focused(self.after, still);
        let words = format!("the cursor is no longer in {}", self.field_name(was));
        lost.then(|| Loss::new(Kind::Focus, &was.key, words))
    }
}

/// Whether the widget that is a list on one shot is there on another as well, with rows or without.
fn stands(shot: &Shot<'_>, listed: &Shot<'_>, list: &List) -> bool {
    listed.layout().get(list.node).is_some_and(|node| {
        shot.layout().widgets().any(|widget| widget.class() == node.class() && name(widget) == list.id)
    })
}

/// The page scrolls as a whole: what is not seen may be above or below.
fn scrolls(shot: &Shot<'_>) -> bool {
    let is_list = |id: WidgetId| shot.lists().iter().any(|list| list.node == id);
    shot.layout().widgets().any(|widget| widget.has(Flags::SCROLLABLE) && !is_list(widget.id()))
}
