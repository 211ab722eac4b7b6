//! Saving: what was entered in a form and saved is there when the form is opened again.
//!
//! A form is a page with fields, or with something to switch or choose. It is saved by a press that leaves it for another
//! page, and neither takes back what was entered nor deletes; a form that no press ever saves, nor sends, keeps what was
//! entered when the back key or the way up leaves it, which is slight where nothing of it was kept. It is opened again
//! where one of its fields shows what was entered there, or where it is opened by the same row as before, or by the row
//! that came when it was left. Each other field that was filled then need be kept once: some fields ask for something new
//! each time. It is broken where a field is empty, shows what it held before, or what was entered in another one. It is
//! silent about whatever else a field shows: apps write numbers, dates and names in their own way.
//!
//! ```text
//! name [      ]         name [milk ]  ──'Save'──▶   milk   ──touch──▶   name [milk ]
//! note [      ]   ──▶   note [fresh]                                    note [     ]
//! 'Save' was pressed with 'fresh' as 'note', and the form shows nothing there when it is opened again.
//! ```

use super::deed::object;
use super::leaving::leaves;
use super::look::{Field, is_up, toggle_name};
use super::row::Row;
use super::trail::{Shot, Trail};
use super::words::{Meaning, says};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::NEVER;
use droidmux_gui::{EventKind, Flags, WidgetId};
use droidmux_record::{Claim, Harm, Held, WidgetNote};
use droidmux_words::decimal::Decimal;
use droidmux_words::folded;

pub static SAVING: Relation = Relation {
    name: "saving",
    assumes: "what was saved in a field of a form is there sometimes when the form is opened again",
    silent_when: "it was, or was saved on fewer than three screens; the field shows something else",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let mut saved: Option<Visit<'_, '_>> = None;
    let mut number = 0;
    while let Some(visit) = Visit::from(trail, number) {
        number = visit.last + 1;
        if let Some(before) = &saved {
            said.extend(before.again(&visit));
        }
        said.extend(visit.kept_otherwise());
        if !visit.entered().is_empty() && visit.parting().is_some() {
            saved = Some(visit);
        }
    }
    said
}

/// How a form is left with what was entered in it.
#[derive(Clone, Copy)]
enum Parting {
    /// By this control of its last shot.
    Saved(WidgetId),
    /// By the back key, or the way up in a bar.
    Back,
}

impl Parting {
    fn event(self) -> EventKind {
        match self {
            Self::Saved(_) => EventKind::Click,
            Self::Back => EventKind::Back,
        }
    }
}

/// A form while it is there, with the windows above it.
struct Visit<'t, 'a> {
    trail: &'t Trail<'a>,
    /// The shots that showed it first and last, with nothing above it.
    first: usize,
    last: usize,
}

/// What a form holds in one place: the text of a field, what is chosen there, or whether something is switched on.
struct Value<'t> {
    key: &'t str,
    /// What people call it.
    name: String,
    text: &'t str,
    /// Of a field.
    widget: Option<WidgetId>,
}

/// What was entered: what was there before, and what was there in the end.
struct Entry<'t> {
    value: Value<'t>,
    was: &'t str,
}

impl<'t, 'a> Visit<'t, 'a> {
    /// The first form from this shot on.
    fn from(trail: &'t Trail<'a>, number: usize) -> Option<Self> {
        let pages = || trail.shots().iter().enumerate().skip(number).filter(|(_, shot)| shot.shows_page());
        let (first, form) = pages().find(|(_, shot)| is_form(shot))?;
        let its = pages().skip_while(|(at, _)| *at < first).take_while(|(_, shot)| is_same(shot, form));
        let last = its.last().map_or(first, |(at, _)| at);
        Some(Self { trail, first, last })
    }

    fn shot(&self, number: usize) -> Option<&'t Shot<'a>> {
        self.trail.shot(number)
    }

    /// What was entered. An emptied field says nothing.
    fn entered(&self) -> Vec<Entry<'t>> {
        let (Some(came), Some(left)) = (self.shot(self.first), self.shot(self.last)) else {
            return Vec::new();
        };
        let before = values(came);
        let entered = |value: Value<'t>| {
            let was = before.iter().find(|before| before.key == value.key)?.text;
            (!is_blank(value.text) && !is_same_text(was, value.text)).then_some(Entry { value, was })
        };
        values(left).into_iter().filter_map(entered).collect()
    }

    /// How it was left at once for another page of the app; `None` where it was not, or for nothing: what both pages have, a
    /// tab perhaps, leads from one to the other, whatever was entered.
    fn parting(&self) -> Option<Parting> {
        let (left, page) = (self.shot(self.last)?, self.shot(self.last + 1)?);
        if !page.shows_page() || is_same(page, left) {
            return None;
        }
        match page.kind() {
            EventKind::Back => Some(Parting::Back),
            EventKind::Click => {
                let control = left.layout().get(page.receiver?)?;
                if is_up(control) {
                    return Some(Parting::Back);
                }
                let deletes = says(&left.word(control.id()), Meaning::Remove);
                let leads_away = left.row_with(control.id()).is_some() || page.has_same(control);
                (!leaves(left, control) && !deletes && !leads_away).then(|| Parting::Saved(control.id()))
            }
            _ => None,
        }
    }

    /// What speaks against a form that keeps everything by itself: something saves it, or sends what a field holds.
    fn kept_otherwise(&self) -> Vec<Said> {
        let is_saved = matches!(self.parting(), Some(Parting::Saved(_)));
        let is_sent = |value: &Value<'_>| {
            let text = |number| Some(self.shot(number)?.field(value.key)?.text.as_str());
            let clicked = |number| self.shot(number).is_some_and(|shot| shot.kind() == EventKind::Click);
            (self.first..self.last).any(|number| {
                let emptied = text(number).is_some_and(|text| !is_blank(text))
                    && text(number + 1).is_some_and(is_blank);
                emptied && clicked(number + 1)
            })
        };
        let Some(left) = self.shot(self.last) else { return Vec::new() };
        let held = |value: Value<'_>| {
            let about = self.about(Parting::Back, value.key)?;
            Some(Said::Held(Held::new(SAVING.name, about, fingerprint(&[value.key]))))
        };
        values(left).into_iter().filter(|value| is_saved || is_sent(value)).filter_map(held).collect()
    }

    /// What the next form says of this one, where it is the same one opened again.
    fn again(&self, next: &Self) -> Vec<Said> {
        let (Some(left), Some(opened)) = (self.shot(self.last), next.shot(next.first)) else {
            return Vec::new();
        };
        if left.seen.screen.activity != opened.seen.screen.activity {
            return Vec::new();
        }
        let entered = self.entered();
        let tells = |entry: &&Entry<'_>| {
            let shows = |field: &Field| is_same_text(&field.text, entry.value.text);
            opened.field(entry.value.key).is_some_and(shows)
                && self.is_told_apart(entry.value.text, next.first)
        };
        let telling: Vec<&str> = entered.iter().filter(tells).map(|entry| entry.value.key).collect();
        let by_its_row =
            next.row().is_some_and(|row| self.row() == Some(row) || self.row_that_came() == Some(row));
        let by_another = |entry: &&Entry<'_>| telling.iter().any(|key| *key != entry.value.key);
        let told = entered.iter().filter(|entry| by_its_row || by_another(entry));
        told.filter_map(|entry| self.says(entry, &entered, next)).collect()
    }

    /// Whether this text was typed here and stands for nothing else up to this shot.
    fn is_told_apart(&self, text: &str, until: usize) -> bool {
        let here = self.first..=self.last;
        let tokens = self.trail.tokens().iter();
        tokens
            .filter(|token| token.text == text.trim())
            .any(|token| here.contains(&token.typed) && until < token.until)
    }

    /// The label of the row of a page that opened it, by itself or by its menu, where no other of its list has the same.
    fn row(&self) -> Option<(&'t str, &'t str)> {
        let before = self.trail.opener(self.first.checked_sub(1)?);
        let (list, row) = object(self.trail, before)?.on(self.shot(before)?)?;
        list.only(&row.label).map(|_| (list.id.as_str(), row.label.as_str()))
    }

    /// The only row of the page that it led to which was not on the page before it: a new one, or the one that opened it
    /// with another label.
    fn row_that_came(&self) -> Option<(&'t str, &'t str)> {
        let before = self.shot(self.trail.opener(self.first.checked_sub(1)?))?;
        let after = self.shot(self.last + 1).filter(|after| after.is_same_page(before))?;
        let own = self.row().map(|(_, label)| label);
        let mut came = after.lists().iter().flat_map(|list| {
            // An empty list may not be there at all.
            let had = before.lists().iter().find(|had| had.id == list.id).map_or(&[][..], |had| &had.rows);
            let (new, gone) = (labels_beside(&list.rows, had), labels_beside(had, &list.rows));
            let fits = gone.is_empty() || (new.len() == 1 && own.is_some_and(|own| gone == [own]));
            // Rows may also have been scrolled.
            let is_all = list.rows.len() + gone.len() == had.len() + new.len();
            new.into_iter().map(move |label| (fits && is_all).then_some((list.id.as_str(), label)))
        });
        let only = came.next()??;
        came.next().is_none().then_some(only)
    }

    fn says(
        &self,
        Entry { value: entry, was }: &Entry<'_>,
        entered: &[Entry<'_>],
        next: &Self,
    ) -> Option<Said> {
        let (left, opened) = (self.shot(self.last)?, next.shot(next.first)?);
        let values = values(opened);
        let shown = values.iter().find(|value| value.key == entry.key)?;
        let parting = self.parting()?;
        let about = self.about(parting, entry.key)?;
        if is_same_text(shown.text, entry.text) {
            return Some(Said::Held(Held::new(SAVING.name, about, fingerprint(&[entry.text]))));
        }
        let is_kept = |value: &Value<'_>| {
            values.iter().any(|shown| shown.key == value.key && is_same_text(shown.text, value.text))
        };
        let keeps_others = entered.iter().any(|other| other.value.key != entry.key && is_kept(&other.value));
        let is_anothers = entered.iter().any(|other| is_same_text(shown.text, other.value.text));
        if !is_blank(shown.text) && !is_same_text(shown.text, was) && !is_anothers {
            return None;
        }
        let shows = if is_blank(shown.text) { "nothing".to_owned() } else { quoted(shown.text) };
        let (text, name) = (quoted(entry.text), quoted(&entry.name));
        let left_so = match parting {
            Parting::Saved(control) => {
                format!("{} was pressed with {text} as {name}, and the form", left.quoted_word(control))
            }
            Parting::Back => format!("The form was left with {text} as {name}, and"),
        };
        let sentence = format!("{left_so} shows {shows} there when it is opened again.");
        Some(Said::Broken(Box::new(Break {
            cause: Cause::Own,
            page: self.trail.page_name(self.last),
            list: String::new(),
            event: parting.event(),
            what: format!("saved {}", entry.key),
            expected: format!("the form shows {text} there"),
            found: sentence.clone(),
            sentence,
            shots: (self.last, next.first),
            widgets: (note(left, entry), note(opened, shown)),
            claim: Some(Claim::new(SAVING.name, about, NEVER)),
            harm: Harm::LostData,
            // Leaving may be meant to take back what was entered, but not a part of it.
            slight: matches!(parting, Parting::Back) && !keeps_others,
        })))
    }

    /// Equal for the same field of the same form, left by the same control.
    fn about(&self, parting: Parting, key: &str) -> Option<u64> {
        let left = self.shot(self.last)?;
        let by = match parting {
            Parting::Saved(control) => left.layout().get(control).map(|widget| widget.short_id())?,
            Parting::Back => "the back key",
        };
        Some(fingerprint(&[&left.seen.screen.activity, by, key]))
    }
}

/// A page with something to fill in, to switch or to choose.
fn is_form(shot: &Shot<'_>) -> bool {
    let look = shot.look();
    look.fields.iter().any(|field| !field.is_search) || !look.toggles.is_empty()
}

/// The labels of rows that none of the others has.
fn labels_beside<'t>(rows: &'t [Row], others: &[Row]) -> Vec<&'t str> {
    let is_new = |row: &&Row| others.iter().all(|other| other.label != row.label);
    rows.iter().filter(is_new).map(|row| row.label.as_str()).collect()
}

/// The same form, whatever is entered in it.
fn is_same(shot: &Shot<'_>, form: &Shot<'_>) -> bool {
    is_form(shot) && shot.seen.screen.activity == form.seen.screen.activity && shot.is_same_page(form)
}

/// What a form holds, by names that nothing else on it has; neither what looks for something nor what is secret.
fn values<'t>(shot: &'t Shot<'_>) -> Vec<Value<'t>> {
    let look = shot.look();
    let is_meant = |field: &&Field| !field.is_search && !is_secret(shot, field.widget);
    let field = |field: &'t Field| {
        let name = if field.hint.is_empty() { &field.key } else { &field.hint };
        Value { key: &field.key, name: name.clone(), text: &field.text, widget: Some(field.widget) }
    };
    let toggle =
        |(key, text): &'t (String, String)| Value { key, name: toggle_name(key), text, widget: None };
    let fields = look.fields.iter().filter(is_meant).filter(|field| shot.field(&field.key).is_some());
    let is_only = |key: &str| look.toggles.iter().filter(|(other, _)| other == key).count() == 1;
    let toggles = look.toggles.iter().filter(|(key, _)| is_only(key));
    fields.map(field).chain(toggles.map(toggle)).collect()
}

fn note(shot: &Shot<'_>, value: &Value<'_>) -> Vec<WidgetNote> {
    let widget = value.widget.and_then(|widget| shot.layout().get(widget));
    widget.map(WidgetNote::of).into_iter().collect()
}

fn is_secret(shot: &Shot<'_>, field: WidgetId) -> bool {
    shot.layout().get(field).is_some_and(|widget| widget.has(Flags::PASSWORD))
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Numbers are the same by their value.
fn is_same_text(one: &str, other: &str) -> bool {
    let is_same_number =
        || matches!((Decimal::read(one), Decimal::read(other)), (Some(one), Some(other)) if one == other);
    folded(one.trim()) == folded(other.trim()) || is_same_number()
}

#[cfg(test)]
#[path = "saving_tests.rs"]
mod tests;
