//! Excerpts of a test: what of it may be enough to see an objection of the Detector again.
//!
//! In: a test as it was taken down, and what the Detector objects to in it. Out: shortened tests, the shortest first.
//!
//! All steps of the function are kept. Of those before it are kept those that made what it is about, and the way from
//! one to the next: where a page is as it was, and what is done next is there, too, the steps between are left out. What
//! a function is about is first what the Detector names and what the function's steps act on, then all that its pages
//! show.
//!
//! Invariants: an excerpt is a proposal, for nobody knows what an app depends on; it is always well shorter than the
//! whole, since a proposal that shows nothing costs its events. What an app calls its widgets decides nothing; texts are
//! only looked for in each other.

use std::collections::{BTreeMap, BTreeSet};

use super::chronicle::Chronicle;
use super::phrase;
use super::step::{Step, keys};
use droidmux_account::facts::Facts;
use droidmux_account::{DifferenceKind, Veil};
use droidmux_gui::{EventKind, Flags, Widget};
use droidmux_record::{Layouts, Mismatch, Role, Stretch, Test};

/// An excerpt has at most this much of the whole test's events: three of four. A longer one would save less than it
/// costs where it shows nothing.
const MOST: (usize, usize) = (3, 4);

/// Letters of a typed word that may stand for the text that it was typed in.
const FEWEST_LETTERS: usize = 3;

/// Shortened tests that may show what is objected to, the shortest first.
pub fn excerpts(chronicle: &Chronicle, mismatch: &Mismatch, layouts: &dyn Layouts) -> Vec<Test> {
    let Some(tale) = Tale::of(chronicle, mismatch, layouts) else { return Vec::new() };
    let whole = tale.performed(1..=tale.last).len();
    let mut lengths = BTreeSet::new();
    let kept = [tale.named(), tale.on_its_pages()].map(|needed| tale.course(needed));
    let short = kept.into_iter().flatten().filter(|kept| kept.len() * MOST.1 <= whole * MOST.0);
    let mut excerpts: Vec<Vec<usize>> = short.filter(|kept| lengths.insert(kept.len())).collect();
    excerpts.sort_by_key(Vec::len);
    excerpts.into_iter().filter_map(|kept| tale.test(&kept, &mismatch.function)).collect()
}

/// A test up to the step after which a bug shows, with the texts on its screens. Steps are numbered from 1; screen 0 is
/// the one before the first.
struct Tale<'a> {
    chronicle: &'a Chronicle,
    mismatch: &'a Mismatch,
    /// The function's steps.
    first: usize,
    last: usize,
    /// The screens whose layouts are known, and the texts on them.
    screens: BTreeMap<usize, (Facts, BTreeSet<String>)>,
}

impl<'a> Tale<'a> {
    fn of(chronicle: &'a Chronicle, mismatch: &'a Mismatch, layouts: &dyn Layouts) -> Option<Self> {
        let number = |turn| chronicle.steps.iter().position(|step| step.turn == turn).map(|at| at + 1);
        let (first, last) = (number(mismatch.span.0)?, number(mismatch.span.1)?);
        let known = chronicle.sights.iter().enumerate().take(last + 1).filter_map(|(at, sight)| {
            let facts = Facts::alone(layouts.layout(sight.layout)?);
            let texts = texts(&facts, &sight.activity, &chronicle.veil);
            Some((at, (facts, texts)))
        });
        Some(Self { chronicle, mismatch, first, last, screens: known.collect() })
    }

    fn step(&self, number: usize) -> Option<&'a Step> {
        self.chronicle.steps.get(number.checked_sub(1)?).filter(|step| !step.failed())
    }

    /// Those of these steps that were done.
    fn performed(&self, steps: impl IntoIterator<Item = usize>) -> Vec<usize> {
        steps.into_iter().filter(|number| self.step(*number).is_some()).collect()
    }

    fn page(&self, screen: usize) -> Option<usize> {
        self.chronicle.sights.get(screen).map(|sight| sight.page)
    }

    fn texts(&self, screen: usize) -> Option<&BTreeSet<String>> {
        self.screens.get(&screen).map(|(_, texts)| texts)
    }

    /// The texts that a step brought to a page, or took from it, as it was last seen; and typed texts that show up.
    fn made(&self, number: usize) -> BTreeSet<String> {
        let Some(now) = self.texts(number) else { return BTreeSet::new() };
        let earlier = (0..number).rev().find(|screen| self.page(*screen) == self.page(number));
        if let Some(before) = earlier.and_then(|screen| self.texts(screen)) {
            return now.symmetric_difference(before).cloned().collect();
        }
        let typed = self.chronicle.typed.iter().filter(|typed| typed.step <= number);
        let texts: BTreeSet<&str> = typed.map(|typed| typed.text.as_str()).collect();
        now.iter().filter(|text| texts.contains(text.as_str())).cloned().collect()
    }

    /// The steps before the function that made what the Detector names, or what the function's steps act on.
    fn named(&self) -> BTreeSet<usize> {
        let Mismatch { reasoning, named, expected, actual, .. } = self.mismatch;
        let mut words = vec![reasoning.as_str(), named.as_str()];
        words.extend(expected.iter().chain(actual).map(String::as_str));
        let own = self.performed(self.first..=self.last);
        words.extend(own.iter().filter_map(|number| Some(self.step(*number)?.told.event.as_str())));
        let told = words.join("\n").to_lowercase();
        let typed: BTreeSet<&str> = self.chronicle.typed.iter().map(|typed| typed.text.as_str()).collect();
        let by_a_word = |text: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word.chars().count() >= FEWEST_LETTERS && says(&told, word))
        };
        let is_told = |text: &String| says(&told, text) || typed.contains(text.as_str()) && by_a_word(text);
        (1..self.first).filter(|number| self.made(*number).iter().any(is_told)).collect()
    }

    /// The same, and those that changed something on a page of the function, or made what one of them shows.
    fn on_its_pages(&self) -> BTreeSet<usize> {
        let own = self.first.saturating_sub(1)..=self.last;
        let pages: BTreeSet<usize> = own.clone().filter_map(|screen| self.page(screen)).collect();
        let shown: BTreeSet<&String> = own.filter_map(|screen| self.texts(screen)).flatten().collect();
        let changes = |number: &usize| {
            let step = self.step(*number);
            let told = step.map_or(&[][..], |step| &step.told.differences);
            told.iter().any(|difference| difference.kind != DifferenceKind::Now)
        };
        let matters = |number: &usize| {
            let here = self.page(*number).is_some_and(|page| pages.contains(&page));
            here && changes(number) || self.made(*number).iter().any(|text| shown.contains(text))
        };
        let mut needed = self.named();
        needed.extend((1..self.first).filter(matters));
        needed
    }

    /// What is kept for these steps: they, what is filled in with them, the function, and the ways between; `None` where
    /// something on the way is not known.
    fn course(&self, needed: BTreeSet<usize>) -> Option<Vec<usize>> {
        let forms = needed.iter().flat_map(|number| self.form_of(*number));
        let mut goals: BTreeSet<usize> = forms.chain(needed.iter().copied()).collect();
        goals.extend(self.first..=self.last);
        let mut kept: Vec<usize> = Vec::new();
        for goal in self.performed(goals) {
            let from = kept.last().copied().unwrap_or(0);
            kept.extend(self.way(from, goal)?);
        }
        Some(kept)
    }

    /// What else was filled in on the page of a step; of a typing, also what was done with it.
    fn form_of(&self, number: usize) -> Vec<usize> {
        let here = self.page(number.saturating_sub(1));
        let is_here = |other: &usize| self.page(other.saturating_sub(1)) == here;
        let fills = |other: &usize| {
            let step = self.step(*other);
            step.is_some_and(|step| step.kind == EventKind::Edit || step.stayed && !step.did_nothing())
        };
        let before = (1..number).rev().take_while(is_here).filter(fills);
        let mut form: Vec<usize> = before.collect();
        if self.step(number).is_some_and(|step| step.kind == EventKind::Edit) {
            form.extend((number + 1..self.first).take_while(is_here));
        }
        form
    }

    /// The shortest way from the screen after a step to a later step, over steps between that were done; that step is its
    /// end.
    fn way(&self, from: usize, goal: usize) -> Option<Vec<usize>> {
        // For each step the fewest steps up to it, and the screen that it is done on.
        let mut best: BTreeMap<usize, (usize, usize)> = BTreeMap::from([(from, (0, from))]);
        for step in self.performed(from + 1..=goal) {
            let reached = best.iter().filter(|(screen, _)| self.joins(**screen, step));
            let nearest = reached.map(|(screen, (steps, _))| (steps + 1, *screen)).min();
            if let Some(found) = nearest {
                best.insert(step, found);
            }
        }
        let mut way = vec![goal];
        let (_, mut at) = *best.get(&goal)?;
        while at > from {
            way.push(at);
            at = best.get(&at)?.1;
        }
        way.reverse();
        Some(way)
    }

    /// Whether a step can be done on an earlier screen as on its own: it is the same page, and what is acted on is there.
    fn joins(&self, screen: usize, number: usize) -> bool {
        let own = number.saturating_sub(1);
        // Steps that failed left the screen as it was.
        if self.performed(screen + 1..=own).is_empty() {
            return true;
        }
        let sights = &self.chronicle.sights;
        let (Some(step), Some(there), Some(here)) = (self.step(number), sights.get(screen), sights.get(own))
        else {
            return false;
        };
        let state = |sight: &super::step::Sight| sight.told.as_ref().map(|told| told.state.clone());
        let is_window = self.chronicle.pages.get(here.page).is_some_and(|page| page.is_window);
        if there.page != here.page || is_window || !here.in_app || state(there) != state(here) {
            return false;
        }
        let Some(receiver) = &step.event.receiver else { return true };
        let Some((facts, _)) = self.screens.get(&screen) else { return false };
        let found = facts.layout().resolve(receiver).widget().and_then(|id| facts.layout().get(id));
        found.is_some_and(|on| keys(step.kind, there.kind(), facts, on) == step.keys)
    }

    /// The test of these steps; the function's are its last ones.
    fn test(&self, kept: &[usize], function: &str) -> Option<Test> {
        let before = kept.iter().filter(|number| **number < self.first).count();
        let stretch = Stretch { function: function.to_owned(), first: u16::try_from(before).ok()? };
        let events = kept.iter().filter_map(|number| Some(self.step(*number)?.event.clone())).collect();
        Some(Test { role: Role::Toured(stretch), events })
    }
}

/// The texts that people see on a screen, and that are compared.
fn texts(facts: &Facts, activity: &str, veil: &Veil) -> BTreeSet<String> {
    let is_told =
        |w: &Widget<'_>| !w.has(Flags::INVISIBLE) && !w.has(Flags::PASSWORD) && !veil.covers(activity, *w);
    let seen = facts.layout().widgets().filter(is_told);
    let texts = seen.map(|widget| phrase::own_label(widget).trim().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

/// Whether a text, told in small letters, says another one, not as a part of its words.
fn says(told: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let apart = |(at, found): (usize, &str)| {
        let (before, after) = (told.get(..at), told.get(at + found.len()..));
        !is_word(before.and_then(|text| text.chars().next_back()))
            && !is_word(after.and_then(|text| text.chars().next()))
    };
    !text.is_empty() && told.match_indices(&text).any(apart)
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
