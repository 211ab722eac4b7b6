//! The steps of a function with the screens before and after each.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::visiondroid::chronicle::Chronicle;
use crate::visiondroid::phrase;
use crate::visiondroid::step::{Sight, Step};
use droidmux_account::facts::Facts;
use droidmux_account::row::{List, Row};
use droidmux_account::{target, target_kind};
use droidmux_gui::{EventKind, Flags, Widget};
use droidmux_record::Layouts;

/// Steps in their order.
pub(super) struct Deeds<'a> {
    pub(super) chronicle: &'a Chronicle,
    facts: BTreeMap<usize, Facts>,
    /// The numbers of the steps.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// A step with its surroundings.
#[derive(Clone, Copy)]
pub(super) struct Deed<'a> {
    deeds: &'a Deeds<'a>,
    /// From 1.
    pub(super) number: usize,
    pub(super) step: &'a Step,
    pub(super) before: &'a Facts,
    pub(super) after: &'a Facts,
    there: &'a Sight,
}

/// The row that something was done on.
pub(super) struct OnRow<'a> {
    pub(super) list: &'a str,
    pub(super) rank: usize,
    pub(super) label: &'a str,
    pub(super) on: Widget<'a>,
}

impl<'a> Deeds<'a> {
    pub(super) fn of(chronicle: &'a Chronicle, first: usize, last: usize, layouts: &dyn Layouts) -> Self {
        let facts = chronicle.sights.iter().enumerate().filter_map(|(at, sight)| {
            let layout = layouts.layout(sight.layout).filter(|_| sight.in_app && at <= last)?;
            Some((at, Facts::alone(Arc::clone(&layout))))
        });
        Self { chronicle, facts: facts.collect(), first, last }
    }

    /// The steps that were done on known screens.
    pub(super) fn all(&'a self) -> impl DoubleEndedIterator<Item = Deed<'a>> {
        (self.first..=self.last).filter_map(|number| self.deed(number))
    }

    /// A step by its number.
    pub(super) fn deed(&'a self, number: usize) -> Option<Deed<'a>> {
        let step = self.chronicle.steps.get(number.checked_sub(1)?).filter(|step| !step.failed())?;
        let (before, after) = (self.facts.get(&(number - 1))?, self.facts.get(&number)?);
        let there = self.chronicle.sights.get(number)?;
        (number <= self.last).then_some(Deed { deeds: self, number, step, before, after, there })
    }
}

impl<'a> Deed<'a> {
    /// The page it led to.
    pub(super) fn to(&self) -> usize {
        self.there.page
    }

    /// It led to a window above a page.
    pub(super) fn opens_window(&self) -> bool {
        self.deeds.chronicle.pages.get(self.to()).is_some_and(|page| page.is_window)
    }

    pub(super) fn clicks(&self) -> bool {
        self.step.kind == EventKind::Click
    }

    pub(super) fn types(&self) -> bool {
        self.step.kind == EventKind::Edit
    }

    /// The widget it acted on.
    pub(super) fn on(&self) -> Option<Widget<'a>> {
        let found = self.before.layout().resolve(self.step.event.receiver.as_ref()?).widget()?;
        self.before.layout().get(found)
    }

    pub(super) fn on_row(&self) -> Option<OnRow<'a>> {
        let on = self.on()?;
        self.before.lists().iter().find_map(|list| {
            let (rank, row) = list.row_with(self.before.layout(), on.id())?;
            Some(OnRow { list: &list.id, rank, label: &row.label, on })
        })
    }

    /// It is Back, or the Up button: they save nothing.
    pub(super) fn goes_back(&self) -> bool {
        self.step.kind == EventKind::Back || self.on().is_some_and(phrase::is_in_corner)
    }

    /// A click on what confirms.
    pub(super) fn confirms(&self) -> bool {
        let last = |on| phrase::is_last_in_bar(on) && !phrase::is_in_corner(on);
        self.clicks() && self.on().is_some_and(last)
    }

    /// When its page was last on the screen before: the number of the step after which it was.
    pub(super) fn seen_after(&self) -> Option<usize> {
        let sights = self.deeds.chronicle.sights.get(..self.number)?;
        sights.iter().rposition(|sight| sight.page == self.to())
    }

    /// Whether its page was on the screen right before an earlier step, and not since.
    pub(super) fn returns_to_before(&self, earlier: &Self) -> bool {
        self.seen_after().is_some_and(|seen| seen + 1 >= earlier.number)
    }

    /// The page as it was last seen before.
    pub(super) fn page_before(&self) -> Option<&'a Facts> {
        self.deeds.facts.get(&self.seen_after()?)
    }

    /// Nothing else holds for the whole screen than before this step: no keyboard came or went.
    pub(super) fn same_state_as_before(&self, earlier: &Self) -> bool {
        let sights = &self.deeds.chronicle.sights;
        let state = |at: usize| sights.get(at).and_then(|sight| Some(&sight.told.as_ref()?.state));
        state(self.number) == state(earlier.number.saturating_sub(1))
    }

    /// A widget of the screen after it, in words.
    pub(super) fn called(&self, widget: Widget<'_>) -> String {
        target(self.after, widget, &self.deeds.chronicle.veil)
    }

    /// What it acted on, in words.
    pub(super) fn on_words(&self) -> String {
        let words = self.on().map(|on| target(self.before, on, &self.deeds.chronicle.veil));
        words.unwrap_or_default()
    }

    /// Whether the screen after it shows a text outside of fields.
    pub(super) fn shows(&self, text: &str) -> bool {
        phrase::times_shown(self.after.layout(), text) > 0
    }
}

/// The list of this name.
pub(super) fn list<'f>(facts: &'f Facts, name: &str) -> Option<&'f List> {
    facts.lists().iter().find(|list| list.id == name)
}

/// The labels of the rows of a list that are, or hold, a widget of this kind.
pub(super) fn holders<'f>(facts: &'f Facts, name: &str, like: Widget<'_>) -> Vec<&'f str> {
    let is_like = |widget: Widget<'_>| {
        widget.class() == like.class()
            && widget.resource_id() == like.resource_id()
            && !widget.has(Flags::INVISIBLE)
    };
    let holds = |row: &&Row| facts.layout().get(row.node).is_some_and(|node| node.subtree().any(is_like));
    let rows = list(facts, name).map_or(&[][..], |list| &list.rows);
    rows.iter().filter(holds).map(|row| row.label.as_str()).collect()
}

/// What is in the first and not in the second, each as often as it is more often there.
pub(super) fn without<'f>(all: &[&'f str], other: &[&str]) -> Vec<&'f str> {
    let mut other = other.to_vec();
    let mut left = Vec::new();
    for one in all {
        match other.iter().position(|known| known == one) {
            Some(at) => drop(other.swap_remove(at)),
            None => left.push(*one),
        }
    }
    left
}

/// What can be switched, by what tells it from others, and whether it is on.
pub(super) fn switches(facts: &Facts) -> BTreeMap<String, (bool, Widget<'_>)> {
    let switches = facts.layout().widgets().filter(|widget| {
        widget.has(Flags::CHECKABLE)
            && !widget.has(Flags::INVISIBLE)
            && !widget.short_class().contains("Radio")
    });
    let named = switches.map(|widget| {
        let row = facts.lists().iter().find_map(|list| list.row_with(facts.layout(), widget.id()));
        let label = row.map(|(_, row)| row.label.as_str()).unwrap_or_default();
        (format!("{} {label}", target_kind(facts, widget)), (widget.has(Flags::CHECKED), widget))
    });
    named.collect()
}
