//! How exploration chooses an event: systematically by what was tried and by weight, or at random
//! by event type (Genie).

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::field::Field;
use crate::GenieSettings;
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, StateId, Widget, WidgetId, is_dialog};
use droidmux_model::{Action, EventKey, EventShape, GuiModel, Offer, State, Transition, TransitionId};

/// Where an exploration stands.
#[derive(Clone, Debug)]
pub struct Here {
    pub state: StateId,
    pub hash: LayoutHash,
    pub layout: Arc<Layout>,
    pub offers: Vec<Offer>,
}

/// What a dialog lets one choose from, such as the days of a month: its events of one shape count as one event together, or
/// nobody would come to its buttons.
#[derive(Clone, Debug, Default)]
pub struct Alternatives(BTreeMap<EventShape, u32>);

impl Alternatives {
    /// Of a screen; a page has none.
    pub fn of(here: &Here) -> Self {
        let mut alike = BTreeMap::new();
        if is_dialog(&here.layout) {
            for offer in &here.offers {
                *alike.entry(offer.action.shape).or_insert(0) += 1;
            }
        }
        Self(alike)
    }

    /// How many events this is one of, 1 or more.
    pub fn to(&self, offer: &Offer) -> f64 {
        f64::from(self.0.get(&offer.action.shape).copied().unwrap_or(1))
    }
}

/// Which of the untried events an exploration takes first: explorations planned at the same time
/// know nothing of each other, so each begins with a share of its own.
#[derive(Clone, Copy, Debug)]
pub struct Share(pub u64);

/// How many shares there are: as many as the explorations that run at the same time by default.
const SHARES: u64 = 8;

impl Share {
    fn holds(self, key: EventKey) -> bool {
        key.0 % SHARES == self.0 % SHARES
    }
}

/// How often each event was executed in each state in the running test.
pub type Executed = BTreeMap<(StateId, EventKey), u32>;

/// Events of one shape (rows of a list) that are tried in one state before others of that shape no
/// longer count as untried, unless each led to a page of its own.
pub const ENOUGH: usize = 3;

/// The farthest untried event that exploration goes to, in events.
const FARTHEST: usize = 15;

/// After this many executions of an event in one test, no way uses it any more.
const WORN: u32 = 4;

/// How often an empty field is typed into before anything else is done.
const FILL: f64 = 0.75;

/// How often a field that shows a text is.
const FILL_AGAIN: f64 = 0.35;

/// What systematic exploration goes by.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    pub model: &'a GuiModel,
    /// In this test.
    pub executed: &'a Executed,
    pub settings: &'a GenieSettings,
    pub share: Share,
    /// Variants of a page on which an event is tried before it waits on the others; `None` where it never waits.
    pub spread: Option<u32>,
}

impl Guide<'_> {
    /// On how many variants of its page an event was tried, as far as that matters.
    fn tries(&self, state: &State, key: EventKey) -> u32 {
        self.spread.map_or(0, |_| self.model.tries(state, key))
    }

    fn is_fresh(&self, state: &State, key: EventKey) -> bool {
        self.spread.is_none_or(|most| self.model.tries(state, key) < most)
    }
}

/// An untried event here, else the first step of the way to the nearest, else the event of the
/// largest weight. What was executed on some other variants of the page waits until nothing else is left.
/// `None` when the layout offers nothing.
pub fn systematic(here: &Here, guide: Guide<'_>, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let Guide { model, executed, share, .. } = guide;
    let state = model.state(here.state)?;
    let worn = |from, key| executed.get(&(from, key)).is_some_and(|&times| times >= WORN);
    let (fresh, waiting): (Vec<Offer>, Vec<Offer>) =
        here.offers.iter().partition(|offer| guide.is_fresh(state, offer.action.key));
    if let Some(offer) = untried(here, &fresh, guide, rng) {
        return Some(offer);
    }
    if guide.spread.is_some() {
        let own = |s: &State| s.has_untried(ENOUGH, |key| guide.is_fresh(s, key) && share.holds(key));
        let any = |s: &State| s.has_untried(ENOUGH, |key| guide.is_fresh(s, key));
        let route = model.trodden(here.state, FARTHEST, own, worn);
        let route = route.or_else(|| model.trodden(here.state, FARTHEST, any, worn));
        let offer = first_step(here, model, route).or_else(|| untried(here, &waiting, guide, rng));
        if offer.is_some() {
            return offer;
        }
    }
    let own = |s: &State| s.has_untried(ENOUGH, |key| share.holds(key));
    let any = |s: &State| s.has_untried(ENOUGH, |_| true);
    let route = model.trodden(here.state, FARTHEST, own, worn);
    let route = route.or_else(|| model.trodden(here.state, FARTHEST, any, worn));
    let route = route.or_else(|| model.route(here.state, FARTHEST, any, worn));
    first_step(here, model, route).or_else(|| heaviest(here, state, executed, rng))
}

/// The first event of a way, if it can be done here.
fn first_step(here: &Here, model: &GuiModel, route: Option<Vec<TransitionId>>) -> Option<Offer> {
    let (_, step, _) = model.transition(*route?.first()?)?;
    resolve(here, &step.event)
}

/// The untried event of these that promises most: those tried on fewer variants of the page before others, shapes not
/// tried here before other rows of a list, those of its own share before others, a preferred label before others, events
/// on widgets first; scrolling, back and rotate come last.
fn untried(here: &Here, offers: &[Offer], guide: Guide<'_>, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let Guide { settings, share, .. } = guide;
    let state = guide.model.state(here.state)?;
    let mut best: Vec<Offer> = Vec::new();
    let mut best_rank = None;
    for offer in offers {
        if state.offer(offer.action.key).is_none_or(|o| o.executed > 0) {
            continue;
        }
        let tried = if offer.widget.is_some() { state.tried(offer.action.shape) } else { 0 };
        if offer.widget.is_some() && state.has_enough(offer.action.shape, ENOUGH) {
            continue;
        }
        let scrolls = matches!(offer.kind, EventKind::Scroll(_));
        let other = !share.holds(offer.action.key);
        let tries = guide.tries(state, offer.action.key);
        let rank =
            (offer.widget.is_none(), scrolls, tries, tried, other, !is_preferred(here, offer, settings));
        match best_rank.map(|best| rank.cmp(&best)) {
            Some(std::cmp::Ordering::Greater) => continue,
            Some(std::cmp::Ordering::Equal) => {}
            _ => {
                best_rank = Some(rank);
                best.clear();
            }
        }
        best.push(*offer);
    }
    pick(&best, rng)
}

/// The event of the largest weight Υ, divided by its executions in this test and by its alternatives; ties at random.
fn heaviest(here: &Here, state: &State, executed: &Executed, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let alternatives = Alternatives::of(here);
    let weight = |offer: &Offer| {
        let times = executed.get(&(here.state, offer.action.key)).copied().unwrap_or(0);
        let weight = state.offer(offer.action.key).map_or(0.0, |o| o.weight);
        weight / f64::from(1 + times) / alternatives.to(offer)
    };
    let largest = here.offers.iter().map(weight).fold(0.0, f64::max);
    let best: Vec<Offer> = here.offers.iter().filter(|o| weight(o) >= largest).copied().collect();
    pick(&best, rng)
}

/// By fixed shares of event types: clicks (edits and scrolling among them), long clicks,
/// navigation. A type that the layout does not offer leaves its share to all events.
pub fn random(here: &Here, settings: &GenieSettings, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let shares = [settings.random_click, settings.random_long_click, settings.random_navigation];
    let mut roll = rng.random_range(0..shares.iter().sum::<u32>().max(1));
    let mut class = 0;
    while let Some(&share) = shares.get(class).filter(|&&share| roll >= share) {
        roll -= share;
        class += 1;
    }
    if class >= 2 {
        let kinds = [EventKind::Back, EventKind::Back, EventKind::Rotate, EventKind::Menu, EventKind::Home];
        let kind = kinds.get(rng.random_range(0..kinds.len())).copied()?;
        return Some(Offer { kind, widget: None, action: Action::global(kind) });
    }
    let on_widgets = || here.offers.iter().filter(|o| o.widget.is_some()).copied();
    let of_class: Vec<Offer> =
        on_widgets().filter(|o| (o.kind == EventKind::LongClick) == (class == 1)).collect();
    let all: Vec<Offer> = on_widgets().collect();
    pick(&of_class, rng).or_else(|| pick(&all, rng)).or_else(|| pick(&here.offers, rng))
}

/// The offer that a recorded event means on this layout.
pub fn resolve(here: &Here, event: &Event) -> Option<Offer> {
    let Some(receiver) = &event.receiver else {
        return Some(Offer { kind: event.kind, widget: None, action: Action::global(event.kind) });
    };
    let widget = here.layout.resolve(receiver).widget()?;
    here.offers.iter().find(|o| o.kind == event.kind && o.widget == Some(widget)).copied()
}

/// The event to perform for an offer; what an edit types is decided where it is performed.
pub fn event(here: &Here, offer: &Offer) -> Event {
    Event { kind: offer.kind, receiver: offer.widget.map(|widget| here.layout.selector(widget)), data: None }
}

/// True for an edit of a field and for a click on a widget with an affirmative label.
pub fn is_preferred(here: &Here, offer: &Offer, settings: &GenieSettings) -> bool {
    let Some(widget) = offer.widget.and_then(|id| here.layout.get(id)) else { return false };
    match offer.kind {
        EventKind::Edit => true,
        EventKind::Click => is_affirmative(widget, &settings.affirmative),
        _ => false,
    }
}

/// A short label with one of the words in it: the widget's own text or description, or the text
/// of what it holds.
pub fn is_affirmative(widget: Widget<'_>, words: &[String]) -> bool {
    let has_word = |label: &str| {
        let found: Vec<&str> =
            label.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        found.len() <= 4 && found.iter().any(|w| words.iter().any(|word| w.eq_ignore_ascii_case(word)))
    };
    widget.subtree().take(8).any(|w| has_word(w.text()) || has_word(w.description()))
}

/// True for an event that probably changed the app's data: one that changed a page without leaving
/// it, or one with an affirmative label that led back to a state that takes no more events to
/// reach, or one that led back from another app. Typing does not count, because it changes nothing before it is confirmed, nor does
/// scrolling.
pub fn manipulates(from: &State, transition: &Transition, to: &State, settings: &GenieSettings) -> bool {
    let event = &transition.event;
    let is_field = event.receiver.as_ref().is_some_and(|receiver| receiver.class.ends_with("EditText"));
    let touches = matches!(event.kind, EventKind::Click | EventKind::LongClick) && !is_field;
    let length = |state: &State| state.trail.as_ref().map_or(usize::MAX, |trail| trail.len());
    let confirms = || length(to) <= length(from) && is_affirmative_event(event, settings);
    // What another app gives back is taken in.
    let brings = || from.elsewhere && !to.elsewhere;
    let stays = || {
        from.id == to.id
            || (from.activity == to.activity && from.sketch.likeness(&to.sketch) >= GuiModel::ONE_PAGE)
    };
    touches && transition.has_effect() && !to.elsewhere && (brings() || stays() || confirms())
}

/// The recorded event's label is affirmative, as far as its selector tells.
fn is_affirmative_event(event: &Event, settings: &GenieSettings) -> bool {
    let Some(receiver) = &event.receiver else { return false };
    let mut words = [&receiver.text, &receiver.description]
        .into_iter()
        .flat_map(|label| label.split(|c: char| !c.is_alphanumeric()));
    words.any(|word| settings.affirmative.iter().any(|a| a.eq_ignore_ascii_case(word)))
}

/// A field of this page into which nothing was typed in this test: mostly if there is one without a text of its own,
/// sometimes if all show one. On many systems an empty field shows its hint, and no dump tells the two apart.
pub fn field_to_fill(here: &Here, executed: &Executed, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let is_empty = |id: WidgetId| here.layout.get(id).is_some_and(|widget| !Field::of(widget).is_filled());
    let edits = here.offers.iter().filter(|o| o.kind == EventKind::Edit);
    let untouched = edits.filter(|o| !executed.contains_key(&(here.state, o.action.key))).copied();
    let (empty, filled): (Vec<Offer>, Vec<Offer>) = untouched.partition(|o| o.widget.is_some_and(is_empty));
    let (fields, chance) = if empty.is_empty() { (filled, FILL_AGAIN) } else { (empty, FILL) };
    if rng.random_bool(chance) { pick(&fields, rng) } else { None }
}

/// One of these at random.
pub fn pick(offers: &[Offer], rng: &mut ChaCha8Rng) -> Option<Offer> {
    if offers.is_empty() { None } else { offers.get(rng.random_range(0..offers.len())).copied() }
}
