//! Choice with a bias towards what changes the app's data: create, edit, delete, undo, select, filter, sort, move,
//! turn, in any order.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::choice::{self, Alternatives, Executed, Here};
use super::entered::Entered;
use super::field::Field;
use super::harvest::Harvest;
use super::rows::rows_of;
use crate::GenieSettings;
use crate::questions::Questions;
use droidmux_account::words::{Meaning, says};
use droidmux_gui::{EventKind, StateId, Widget, is_dialog, row_of};
use droidmux_model::{Action, EventKey, EventShape, GuiModel, Offer};

/// What an exploration looks at when it chooses what changes data.
#[derive(Clone, Copy, Debug)]
pub struct Vista<'a> {
    pub here: &'a Here,
    pub model: &'a GuiModel,
    pub harvest: &'a Harvest,
    pub questions: &'a Questions,
    /// In this test.
    pub executed: &'a Executed,
    pub settings: &'a GenieSettings,
    /// What was typed in this test.
    pub typed: &'a [String],
    pub entered: &'a Entered,
    /// The most rows seen on one page in this test.
    pub objects: usize,
}

/// Objects there should be before any is taken away.
const OBJECTS: usize = 3;

/// One event in this many is drawn by fixed shares of event types.
const ANY: u32 = 8;

/// How often a search is started in one state and test, at most.
const SEARCHES: u32 = 3;

/// How often an open question is asked where it can be.
const ASK: f64 = 0.5;

/// How often a row that says what was entered is opened where there is one.
const OPEN: f64 = 0.5;

/// How often the phone is turned where something may be lost.
const TURN: f64 = 0.05;

/// The worth of what an event leads to, compared with what it does itself.
const LEADS: f64 = 0.6;

/// What an event is worth if nothing speaks for it.
const LEAST: f64 = 0.02;

/// How many rows the page here has.
pub fn objects(here: &Here) -> usize {
    rows_of(&here.layout).len()
}

/// A turn of the phone where something may be lost, a field to fill in, an open question, the start of a search that is
/// filled in, or a row that says what was entered, else an event drawn by what it promises. `None` when the layout offers
/// nothing.
pub fn changing(vista: Vista<'_>, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let Vista { here, executed, settings, .. } = vista;
    if let Some(turn) = turn(vista).filter(|_| rng.random_bool(TURN)) {
        return Some(turn);
    }
    if let Some(field) = choice::field_to_fill(here, executed, rng) {
        return Some(field);
    }
    let done = done(executed);
    let mut open = vista.questions.on(here.hash, &here.layout, &here.offers);
    open.retain(|offer| !done.contains_key(&offer.action.key));
    if !open.is_empty() && rng.random_bool(ASK) {
        return choice::pick(&open, rng);
    }
    let mut starts = starts_of_search(here);
    starts
        .retain(|start| executed.get(&(here.state, start.action.key)).is_none_or(|&times| times < SEARCHES));
    if !starts.is_empty() && rng.random_bool(0.6) {
        return choice::pick(&starts, rng);
    }
    let rows = vista.entered.unopened(here, vista.typed);
    if !rows.is_empty() && rng.random_bool(OPEN) {
        return choice::pick(&rows, rng);
    }
    if rng.random_range(0..ANY) == 0 {
        return choice::random(here, settings, rng);
    }
    let (usual, alternatives) = (usual(vista), Alternatives::of(here));
    let weight = |offer: &Offer| weight(vista, offer, &usual, &done) / alternatives.to(offer);
    let weights: Vec<f64> = here.offers.iter().map(weight).collect();
    let total: f64 = weights.iter().sum();
    let mut roll = rng.random_range(0.0..1.0) * total;
    let drawn = here.offers.iter().zip(&weights).find(|(_, weight)| {
        roll -= **weight;
        roll < 0.0
    });
    drawn.map(|(offer, _)| *offer).or_else(|| choice::random(here, settings, rng))
}

/// A turn of the phone, once for each page or dialog of a test, where a field holds what was typed or a dialog is in
/// front: systems make a page anew then, and it has to keep these itself.
fn turn(vista: Vista<'_>) -> Option<Offer> {
    let Vista { here, executed, settings, typed, .. } = vista;
    let holds = |widget: Widget<'_>| {
        let text = widget.text().trim();
        widget.is_editable() && typed.iter().any(|typed| typed.trim() == text)
    };
    let may_lose = is_dialog(&here.layout) || here.layout.widgets().any(holds);
    let kind = EventKind::Rotate;
    let action = Action::global(kind);
    let is_new = settings.random_navigation > 0 && !executed.contains_key(&(here.state, action.key));
    (is_new && may_lose).then_some(Offer { kind, widget: None, action })
}

/// What may start a search whose field is filled in: what it finds can be acted on, but no event before it has an
/// effect that the harvest would know about.
fn starts_of_search(here: &Here) -> Vec<Offer> {
    let widget = |offer: &Offer| here.layout.get(offer.widget?);
    let fields = here.offers.iter().filter(|offer| offer.kind == EventKind::Edit).filter_map(widget);
    if !fields.map(Field::of).any(|field| field.searches() && field.is_filled()) {
        return Vec::new();
    }
    let says_search = |widget: Widget<'_>| {
        !widget.is_editable()
            && row_of(widget).is_none()
            && [widget.text(), widget.description()].iter().any(|words| says(words, Meaning::Search))
    };
    let clicks = here.offers.iter().filter(|offer| offer.kind == EventKind::Click);
    let mut starts: Vec<Offer> =
        clicks.filter(|offer| widget(offer).is_some_and(says_search)).copied().collect();
    let enter = EventKind::Enter;
    starts.push(Offer { kind: enter, widget: None, action: Action::global(enter) });
    starts
}

/// Where each event done here led to most often.
fn usual(vista: Vista<'_>) -> BTreeMap<EventKey, StateId> {
    let mut most: BTreeMap<EventKey, (u64, StateId)> = BTreeMap::new();
    for (_, transition, to) in vista.model.leaving(vista.here.state) {
        let known = most.entry(transition.action.key).or_insert((0, to.id));
        if transition.count >= known.0 {
            *known = (transition.count, to.id);
        }
    }
    most.into_iter().map(|(key, (_, to))| (key, to)).collect()
}

/// How often each event was done in this test, wherever.
fn done(executed: &Executed) -> BTreeMap<EventKey, u32> {
    let mut done = BTreeMap::new();
    for ((_, key), times) in executed {
        *done.entry(*key).or_insert(0) += times;
    }
    done
}

fn weight(
    vista: Vista<'_>,
    offer: &Offer,
    usual: &BTreeMap<EventKey, StateId>,
    done: &BTreeMap<EventKey, u32>,
) -> f64 {
    let Vista { here, harvest, executed, settings, objects, .. } = vista;
    let building = objects < OBJECTS;
    let to = usual.get(&offer.action.key).copied();
    if vista.model.leads_out(here.state, offer.action.key) {
        return 0.0;
    }
    let leads = to
        .filter(|&to| to != here.state && to != GuiModel::OUTSIDE)
        .map_or(0.0, |to| best(vista, to, building));
    let mut weight = LEAST + harvest.promise(offer.action.shape, building) + LEADS * leads;
    let is_form = here.offers.iter().any(|other| other.kind == EventKind::Edit);
    for (holds, factor) in [
        (matches!(offer.kind, EventKind::Scroll(_)), 0.2),
        (offer.kind == EventKind::Back, 0.25),
        (offer.kind == EventKind::Rotate, 0.3),
        (offer.kind == EventKind::Edit, 0.5),
        (offer.kind == EventKind::Click && is_form && choice::is_preferred(here, offer, settings), 3.0),
    ] {
        if holds {
            weight *= factor;
        }
    }
    let here_before = executed.get(&(here.state, offer.action.key)).copied().unwrap_or(0);
    let anywhere = done.get(&offer.action.key).copied().unwrap_or(0);
    weight / f64::from(1 + here_before) / f64::from(1 + anywhere).sqrt()
}

/// The best promise of any event on another page.
fn best(vista: Vista<'_>, state: StateId, building: bool) -> f64 {
    let offers = vista.model.state(state).map_or(&[][..], |state| state.offers());
    let promise = |shape: EventShape| vista.harvest.promise(shape, building);
    offers.iter().map(|offered| promise(offered.action.shape)).fold(0.0, f64::max)
}

#[cfg(test)]
#[path = "changing_tests.rs"]
mod tests;
