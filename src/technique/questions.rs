//! Open questions: controls that did nothing when they were pressed, on too few screens to say that they never do.
//!
//! In: what counter-examples a job showed, and what claims say of them. Out: which events on a screen would settle one.
//! Roaming asks them where it comes past, since events drawn at random seldom press one control on as many screens as
//! its claim takes.
//!
//! Invariants: a question is open as long as its claim is; a screen on which it was asked is not asked again. Memory is
//! bounded.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::Claims;
use droidmux_gui::{Layout, LayoutHash, Widget, is_dialog, row_of};
use droidmux_model::{Action, Offer};
use droidmux_record::{Act, Broken, Claim, JobRun, Layouts};

/// The questions of a session that are open.
#[derive(Clone, Debug, Default)]
pub struct Questions(BTreeMap<Claim, Question>);

/// What did nothing so far.
#[derive(Clone, Debug)]
struct Question {
    action: Action,
    /// What it says; `None` of a row of a page, whose list has others that do the same.
    words: Option<String>,
    /// On which it was pressed.
    screens: BTreeSet<LayoutHash>,
}

/// Questions that are open at a time, and screens of one. What comes later is left to chance.
const MOST: usize = 200;
const MOST_SCREENS: usize = 32;

impl Questions {
    /// Takes in that the last event of a counter-example did nothing.
    pub fn open(&mut self, claim: &Claim, run: &JobRun, broken: &Broken, layouts: &dyn Layouts) {
        if self.0.len() >= MOST && !self.0.contains_key(claim) {
            return;
        }
        let Some(question) = Question::of(run, broken.turns.1, layouts) else { return };
        match self.0.get_mut(claim) {
            Some(known) if known.screens.len() >= MOST_SCREENS => {}
            Some(known) => known.screens.extend(question.screens),
            None => {
                self.0.insert(claim.clone(), question);
            }
        }
    }

    /// Forgets those that the claims have settled in the meantime.
    pub fn close(&mut self, claims: &Claims) {
        self.0.retain(|claim, _| claims.is_open(claim));
    }

    /// The events on a screen that would settle a question.
    pub fn on(&self, screen: LayoutHash, layout: &Layout, offers: &[Offer]) -> Vec<Offer> {
        let new: Vec<&Question> =
            self.0.values().filter(|question| !question.screens.contains(&screen)).collect();
        let settles = |offer: &&Offer| {
            let widget = offer.widget.and_then(|widget| layout.get(widget));
            widget.is_some_and(|widget| new.iter().any(|question| question.is_about(offer.action, widget)))
        };
        offers.iter().filter(settles).copied().collect()
    }
}

impl Question {
    /// What the event of a turn asked; `None` for one that acts on no widget: it is offered everywhere.
    fn of(run: &JobRun, turn: u32, layouts: &dyn Layouts) -> Option<Self> {
        let last = run.turns.get(turn as usize)?;
        let Act::Perform(event) = &last.act else { return None };
        let id = last.observation.seen()?.resolution?.widget()?;
        let screen = run.seen_before(turn)?.screen.layout;
        let layout = layouts.layout(screen)?;
        let widget = layout.get(id)?;
        // The items of a menu are in a list, and each does something else.
        let in_row = row_of(widget).is_some() && !is_dialog(&layout);
        Some(Self {
            action: Action::on(event.kind, &layout, id),
            words: (!in_row).then(|| words_of(widget)),
            screens: BTreeSet::from([screen]),
        })
    }

    fn is_about(&self, action: Action, widget: Widget<'_>) -> bool {
        match &self.words {
            Some(words) => self.action.key == action.key && *words == words_of(widget),
            None => self.action.shape == action.shape,
        }
    }
}

/// All that a widget says, with what lies in it.
fn words_of(widget: Widget<'_>) -> String {
    let words = widget.subtree().flat_map(|widget| [widget.text(), widget.description()]);
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
