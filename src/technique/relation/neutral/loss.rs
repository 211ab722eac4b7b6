//! What is missing or other on a screen that should show what another one showed.

use super::super::kept::{Fate, fates, has_more};
use super::super::look::{Field, Look, Window};
use super::super::row::{List, Row, name};
use super::super::trail::{Shot, Trail};
use super::super::{differ_in_words, ordinal, quoted};
use super::pair::Stretch;
use crate::gui::{Flags, WidgetId, holds_date};
use crate::record::{Harm, NeutralInsertion, WidgetNote};

/// One thing that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    pub kind: Kind,
    /// The widget it is about, by its id or place; empty where a whole page is.
    pub about: String,
    /// The list it is about.
    pub list: String,
    /// The end of a sentence: `the text typed into 'Title' is gone`.
    pub words: String,
    /// Of no great harm, or of a kind that apps may choose.
    pub slight: bool,
    /// It is about rows that nobody entered, which an app may have fetched anew while it was away.
    pub fetched: bool,
    /// What shows it, before and after.
    pub widgets: (Vec<WidgetNote>, Vec<WidgetNote>),
}

/// The kinds of losses, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Page,
    Dialog,
    Tab,
    Text,
    Row,
    Twice,
    Choice,
    Order,
    Words,
    Place,
    Focus,
}

impl Kind {
    /// For keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Dialog => "dialog",
            Self::Tab => "tab",
            Self::Text => "text",
            Self::Row => "row",
            Self::Twice => "twice",
            Self::Choice => "choice",
            Self::Order => "order",
            Self::Words => "words",
            Self::Place => "place",
            Self::Focus => "focus",
        }
    }

    /// What is lost, for clusters: see [`lost`](super::super::lost).
    pub fn family(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Dialog => "dialog",
            Self::Text => "text",
            Self::Choice | Self::Tab => "choice",
            Self::Row | Self::Twice | Self::Order => "rows",
            Self::Words => "shown",
            Self::Place | Self::Focus => "place",
        }
    }

    pub fn harm(self) -> Harm {
        match self {
            Self::Text | Self::Row => Harm::LostData,
            Self::Page | Self::Dialog | Self::Tab | Self::Choice => Harm::LostFunction,
            Self::Twice | Self::Order | Self::Words | Self::Place | Self::Focus => Harm::WrongDisplay,
        }
    }
}

impl Loss {
    fn new(kind: Kind, about: impl Into<String>, words: String) -> Self {
        let slight = matches!(kind, Kind::Place | Kind::Focus);
        Self {
            kind,
            about: about.into(),
            list: String::new(),
            words,
            slight,
            fetched: false,
            widgets: Default::default(),
        }
    }

    fn showing(mut self, before: Vec<WidgetNote>, after: Vec<WidgetNote>) -> Self {
        self.widgets = (before, after);
        self
    }

    fn slight_when(mut self, slight: bool) -> Self {
        self.slight |= slight;
        self
    }
}

/// All that is not as it was, the worst of each kind first. Nothing where a menu or an open drawer was in front, which
/// the platform closes.
pub fn losses(trail: &Trail<'_>, stretch: Stretch) -> Vec<Loss> {
    let (Some(before), Some(after)) = (trail.shot(stretch.from), trail.shot(stretch.to)) else {
        return Vec::new();
    };
    if before.look().window == Window::Menu || before.look().drawer_open || after.look().drawer_open {
        return Vec::new();
    }
    let mut found = Vec::new();
    match elsewhere(stretch.pair, before, after) {
        Some(loss) => found.push(loss),
        None if before.is_same_page(after) => {
            let content = Content { trail, stretch, before, after };
            found.extend(content.texts());
            found.extend(content.lists());
            found.extend(content.choices());
            found.extend(content.selected());
            found.extend(content.labels());
            if found.is_empty() {
                found.extend(content.focus());
            }
        }
        None => {}
    }
    found.sort_by_key(|loss| (loss.slight, loss.kind));
    let mut told: Vec<Kind> = Vec::new();
    found.retain(|loss| {
        !told.contains(&loss.kind) && {
            told.push(loss.kind);
            true
        }
    });
    found
}

/// The page, tab or dialog that is no longer in front.
fn elsewhere(pair: NeutralInsertion, before: &Shot<'_>, after: &Shot<'_>) -> Option<Loss> {
    let (was, is) = (before.look(), after.look());
    let here = before.seen.screen.activity == after.seen.screen.activity;
    if was.window == Window::Dialog && (!here || (is.window, &is.dialog) != (was.window, &was.dialog)) {
        let volatile = here && is.window == was.window && !differ_in_words(&was.dialog, &is.dialog);
        let named = if was.dialog.is_empty() {
            "the dialog".into()
        } else {
            format!("the dialog {}", quoted(&was.dialog))
        };
        return (!volatile).then(|| Loss::new(Kind::Dialog, "", format!("{named} is gone")));
    }
    if is.window != was.window {
        // What asks for something on return is the app's own affair; what comes up by turning is there by mistake.
        let intruder = here && is.window == Window::Dialog && pair == NeutralInsertion::Rotate;
        let named = if is.dialog.is_empty() {
            "a dialog".into()
        } else {
            format!("the dialog {}", quoted(&is.dialog))
        };
        return intruder.then(|| Loss::new(Kind::Dialog, "came", format!("{named} is there that was not")));
    }
    // What was typed is saved when the app is left, and the page is called after it from then on.
    let renamed = here && is_called_after_a_field(was, is);
    if !here || (words_of(&was.title) != words_of(&is.title) && !holds_date(&was.title) && !renamed) {
        let page = |title: &str, activity: &str| match title {
            "" => quoted(crate::gui::short_class(activity)),
            title => quoted(title),
        };
        let (lost, found) =
            (page(&was.title, &before.seen.screen.activity), page(&is.title, &after.seen.screen.activity));
        return Some(Loss::new(Kind::Page, "", format!("the page {lost} is gone, and {found} is there")));
    }
    let tab =
        !was.tab.is_empty() && differ_in_words(&was.tab, &is.tab) || !was.tab.is_empty() && is.tab.is_empty();
    tab.then(|| Loss::new(Kind::Tab, "", format!("{} is no longer selected", quoted(&was.tab))))
}

/// The later title holds what a field holds now as before.
fn is_called_after_a_field(was: &Look, is: &Look) -> bool {
    let kept = |field: &Field| is.fields.iter().any(|now| now.key == field.key && now.text == field.text);
    was.fields.iter().any(|field| !field.text.is_empty() && is.title.contains(&field.text) && kept(field))
}

/// The words of a title: counts in it come and go.
fn words_of(title: &str) -> Vec<&str> {
    title.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect()
}

/// Two shots of one page.
struct Content<'t, 'a> {
    trail: &'t Trail<'a>,
    stretch: Stretch,
    before: &'t Shot<'a>,
    after: &'t Shot<'a>,
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
    fn texts(&self) -> Vec<Loss> {
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
            if there.is_none() && scrolls(self.after) {
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
                    format!("{named} shows {} instead of {}", quoted(&now.text), quoted(&field.text))
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

    /// The name of a field for people: its hint or description, or its id in words.
    fn field_name(&self, field: &Field) -> String {
        let widget = self.before.layout().get(field.widget);
        let id = widget.map(|w| w.short_id().replace(['_', '-'], " ")).unwrap_or_default();
        let described = widget.map(|w| w.description().to_owned()).unwrap_or_default();
        let name = [field.hint.clone(), described, id].into_iter().find(|name| !name.trim().is_empty());
        name.map_or_else(|| "the field".to_owned(), |name| quoted(&name))
    }

    fn is_typed(&self, text: &str) -> bool {
        let earlier = self.trail.shots().iter().take(self.stretch.from + 1);
        earlier.filter_map(|shot| shot.event?.data.as_deref()).any(|data| data.trim() == text)
    }

    /// What was switched on or chosen beside the rows.
    fn choices(&self) -> Vec<Loss> {
        let others = &self.after.look().toggles;
        let mut found = Vec::new();
        for (key, state) in &self.before.look().toggles {
            let mut same = others.iter().filter(|(other, _)| other == key);
            let (Some((_, now)), None) = (same.next(), same.next()) else { continue };
            if now == state || now.chars().chain(state.chars()).any(char::is_numeric) {
                continue;
            }
            // A toggle's key is the name of its widget and its label.
            let (id, label) = key.split_once(' ').unwrap_or((key, ""));
            let label = if label.trim().is_empty() { id.replace(['_', '-'], " ") } else { label.to_owned() };
            let words = match state.as_str() {
                "on" => format!("{} is no longer switched on", quoted(&label)),
                "off" => format!("{} is switched on, which it was not", quoted(&label)),
                state => format!("{} shows {} instead of {}", quoted(&label), quoted(now), quoted(state)),
            };
            found.push(Loss::new(Kind::Choice, id, words).slight_when(self.is_used()));
        }
        found
    }

    /// A row that was picked out.
    fn selected(&self) -> Option<Loss> {
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

    fn lists(&self) -> Vec<Loss> {
        let lists = self.before.lists().iter();
        lists.filter(|list| self.before.list(&list.id).is_some()).flat_map(|list| self.list(list)).collect()
    }

    fn list(&self, list: &List) -> Vec<Loss> {
        let Some(other) = self.after.list(&list.id) else {
            return self.emptied(list).into_iter().collect();
        };
        // Whoever comes back may find what came in the meantime in place of what was there, and what is opened may be
        // put first among what was opened lately.
        let refreshed = has_more(list, other)
            && (self.stretch.pair.leaves() || self.stretch.pair == NeutralInsertion::Page);
        let fates = fates(list, other).into_iter();
        fates.filter_map(|fate| self.loss(list, other, &fate, refreshed)).collect()
    }

    /// A list of which nothing is left, where it would be seen.
    fn emptied(&self, list: &List) -> Option<Loss> {
        let names: Vec<&str> = list.rows.iter().map(|row| row.label.as_str()).collect();
        let node = self.before.layout().get(list.node)?;
        let there = self.after.layout().widgets().any(|w| w.class() == node.class() && name(w) == list.id);
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
                // Whoever comes back may find news, and what was opened is known from then on.
                if !self.stretch.pair.recreates() {
                    return None;
                }
                let label = quoted(&row.label);
                let words = match is {
                    Some(is) => format!("{label} says {}, not {} as before", quoted(is), quoted(was)),
                    None => format!("{label} no longer says {}", quoted(was)),
                };
                (Kind::Words, "row", words, row_note(row))
            }
            Fate::Scrolled => {
                let first = |list: &List| list.rows.first().map(|row| quoted(&row.label)).unwrap_or_default();
                let words =
                    format!("the list begins with {}, not with {} as before", first(other), first(list));
                (Kind::Place, "", words, list.rows.first().map(row_note).unwrap_or_default())
            }
        };
        // Playing and loading stop with the process, a network that is gone takes along what came over it, and who
        // comes back may find a list sorted anew.
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
    fn labels(&self) -> Option<Loss> {
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
    fn focus(&self) -> Option<Loss> {
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

/// The page scrolls as a whole: what is not seen may be above or below.
fn scrolls(shot: &Shot<'_>) -> bool {
    let is_list = |id: WidgetId| shot.lists().iter().any(|list| list.node == id);
    shot.layout().widgets().any(|widget| widget.has(Flags::SCROLLABLE) && !is_list(widget.id()))
}
