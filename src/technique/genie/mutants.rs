//! Inserted traces: what can be done at a pivot that should not matter (Genie).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::active::ActiveViews;
use super::detours::{Detour, detours};
use super::ways::{Edge, Ways};
use crate::GenieSettings;
use crate::explore::{Field, Typist};
use droidmux_gui::{Event, EventKind, Groups, Layout, LayoutHash, StateId, WidgetId};
use droidmux_model::{Action, EventKey, EventShape, GuiModel};
use droidmux_record::{Layouts, Texts};

/// A place in a seed test where something can be inserted.
#[derive(Clone, Copy, Debug)]
pub struct Pivot<'a> {
    /// The state of the model that the layout belongs to.
    pub state: StateId,
    /// The layout that the seed showed there.
    pub layout: &'a Layout,
    /// Which member of each group was acted on last, up to here.
    pub active: &'a ActiveViews,
    /// The number of the seed's event on this layout, from 0, which comes after what is inserted.
    pub position: usize,
    /// The whole seed, what comes after the pivot included.
    pub seed: &'a SeedEvents,
}

/// What the seed does, so that insertions can do the same with something else.
#[derive(Clone, Debug)]
pub struct SeedEvents {
    /// All events of the seed, in order.
    pub events: Vec<Arc<Event>>,
    /// What each of them is in the model; one for each event.
    pub actions: Vec<Action>,
    /// What its edits type.
    pub typing: Texts,
}

impl Pivot<'_> {
    /// The seed's last event of this shape before the pivot.
    fn done_before(&self, shape: EventShape) -> Option<&Arc<Event>> {
        let before = self.seed.actions.iter().zip(&self.seed.events).take(self.position);
        before.rev().find(|(action, _)| action.shape == shape).map(|(_, event)| event)
    }

    /// True when the seed acts on this very widget.
    fn is_done(&self, key: EventKey) -> bool {
        self.seed.actions.iter().any(|action| action.key == key)
    }

    /// The texts the seed types.
    fn texts(&self) -> Vec<&str> {
        self.seed.events.iter().filter_map(|event| event.data.as_deref()).collect()
    }
}

/// The kind of an insertion: the shapes of those of its events that probably change the app's
/// data, each once, in order. Ways there and back make no difference, nor do the rows of a list.
pub type Kind = Box<[EventShape]>;

/// An inserted trace τ.
#[derive(Clone, Debug, PartialEq)]
pub struct Inserted {
    /// In the order they are performed at the pivot; those back to its state included.
    pub events: Vec<Arc<Event>>,
    /// What of it should make a difference; rare kinds run first.
    pub kind: Kind,
    /// The shapes of all its events.
    pub shapes: Box<[EventShape]>,
    /// How likely its events can be done one after the other, above 0 to 1.
    pub likelihood: f64,
}

/// An edge that can be the first of an inserted trace, with its event aimed at the pivot's layout.
#[derive(Clone, Debug)]
pub(super) struct First {
    pub edge: u32,
    pub event: Arc<Event>,
}

/// The inserted traces for one pivot: at most `settings.mutants`, sampled evenly over all lengths
/// and, within a length, over kinds before repeats.
pub fn insertions(
    pivot: &Pivot<'_>,
    model: &GuiModel,
    ways: &Ways,
    layouts: &dyn Layouts,
    settings: &GenieSettings,
    rng: &mut ChaCha8Rng,
) -> Vec<Inserted> {
    let mut goals: Vec<u32> = ways.number(pivot.state).into_iter().collect();
    let similar = model.similar(pivot.state, settings.similar_states as usize);
    goals.extend(similar.into_iter().filter_map(|state| ways.number(state)));
    let firsts = firsts(pivot, ways, &goals, settings, rng);
    let ends = ends(pivot, ways, &goals, layouts);
    let mut found = detours(ways, &goals, &firsts, &ends, settings, rng);
    found.retain(|found| !turns(found, ways));
    let own = ways.number(pivot.state);
    let chosen = sample(found, own, ways, settings.mutants as usize, rng);
    chosen.into_iter().filter_map(|found| materialise(&found, &firsts, own, ways, pivot, rng)).collect()
}

/// True when a trace leaves the screen turned, which no state shows.
fn turns(found: &Detour, ways: &Ways) -> bool {
    let edges = found.edges.iter().filter_map(|&edge| ways.edge(edge));
    edges.filter(|edge| edge.event.kind == EventKind::Rotate).count() % 2 == 1
}

/// The edges out of the goal states whose event resolves on the pivot's layout to an inactive
/// widget, for at most `settings.group_widgets` widgets of each group.
fn firsts(
    pivot: &Pivot<'_>,
    ways: &Ways,
    goals: &[u32],
    settings: &GenieSettings,
    rng: &mut ChaCha8Rng,
) -> Vec<First> {
    let groups = Groups::of(pivot.layout);
    let mut known: BTreeSet<(WidgetId, EventKind, u32, Option<&str>)> = BTreeSet::new();
    let mut candidates: Vec<(WidgetId, u32)> = Vec::new();
    for number in goals.iter().flat_map(|&goal| ways.leaving(goal)).copied() {
        let Some(edge) = ways.edge(number) else { continue };
        let Some(receiver) = &edge.event.receiver else { continue };
        let Some(widget) = pivot.layout.resolve(receiver).widget() else { continue };
        let key = (widget, edge.event.kind, edge.to, edge.event.data.as_deref());
        let allowed = settings.dependent_insertions || pivot.active.is_inactive(widget, &groups);
        if allowed && known.insert(key) {
            candidates.push((widget, number));
        }
    }
    let allowed = allowed(&candidates, &groups, settings.group_widgets as usize, rng);
    let aimed = |(widget, number): (WidgetId, u32)| {
        let edge = ways.edge(number)?;
        let receiver = Some(pivot.layout.selector(widget));
        Some(First { edge: number, event: Arc::new(Event { receiver, ..(*edge.event).clone() }) })
    };
    candidates.into_iter().filter(|(widget, _)| allowed.contains(widget)).filter_map(aimed).collect()
}

/// At most `most` of the widgets of each group, drawn at random; all that are in none.
fn allowed(
    candidates: &[(WidgetId, u32)],
    groups: &Groups,
    most: usize,
    rng: &mut ChaCha8Rng,
) -> BTreeSet<WidgetId> {
    let mut by_group: BTreeMap<Option<WidgetId>, BTreeSet<WidgetId>> = BTreeMap::new();
    for (widget, _) in candidates {
        by_group.entry(groups.group_of(*widget)).or_default().insert(*widget);
    }
    let mut allowed = BTreeSet::new();
    for (group, widgets) in by_group {
        let mut widgets: Vec<WidgetId> = widgets.into_iter().collect();
        if group.is_some() {
            widgets.shuffle(rng);
            widgets.truncate(most);
        }
        allowed.extend(widgets);
    }
    allowed
}

/// The layouts recorded at the ends of edges into the goal states on which the seed's next event
/// resolves.
fn ends(pivot: &Pivot<'_>, ways: &Ways, goals: &[u32], layouts: &dyn Layouts) -> BTreeSet<LayoutHash> {
    let recorded: BTreeSet<LayoutHash> = ways.into_any(goals).map(|edge| edge.after).collect();
    let next = pivot.seed.events.get(pivot.position);
    let resolves = |hash: &LayoutHash| match next.and_then(|event| event.receiver.as_ref()) {
        None => true,
        Some(receiver) => layouts.layout(*hash).is_some_and(|l| l.resolve(receiver).widget().is_some()),
    };
    recorded.into_iter().filter(resolves).collect()
}

/// Divides `most` among the lengths; what a length does not need goes to the others.
fn sample(
    found: Vec<Detour>,
    own: Option<u32>,
    ways: &Ways,
    most: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Detour> {
    let mut by_length: BTreeMap<usize, Vec<Detour>> = BTreeMap::new();
    for one in found {
        by_length.entry(one.edges.len()).or_default().push(one);
    }
    let mut queues: Vec<std::vec::IntoIter<Detour>> =
        by_length.into_values().map(|all| kinds_first(all, own, ways, rng).into_iter()).collect();
    let mut chosen = Vec::new();
    while chosen.len() < most && !queues.is_empty() {
        queues.retain_mut(|queue| match queue.next() {
            Some(one) if chosen.len() < most => {
                chosen.push(one);
                true
            }
            _ => false,
        });
    }
    chosen
}

/// One of every kind before a second of any; within a kind, the likeliest first; otherwise in random order.
fn kinds_first(all: Vec<Detour>, own: Option<u32>, ways: &Ways, rng: &mut ChaCha8Rng) -> Vec<Detour> {
    let mut by_kind: BTreeMap<Kind, Vec<(f64, Detour)>> = BTreeMap::new();
    for found in all {
        let luck = likelihood(&found, own, ways) * rng.random_range(0.8..1.0);
        by_kind.entry(kind(&found, ways)).or_default().push((luck, found));
    }
    let mut turns: Vec<(usize, u32, Detour)> = Vec::new();
    for (_, mut same) in by_kind {
        same.sort_by(|a, b| b.0.total_cmp(&a.0));
        turns.extend(same.into_iter().enumerate().map(|(turn, (_, found))| (turn, rng.random(), found)));
    }
    turns.sort_by_key(|(turn, order, _)| (*turn, *order));
    turns.into_iter().map(|(_, _, found)| found).collect()
}

fn kind(found: &Detour, ways: &Ways) -> Kind {
    let mut kind: Vec<EventShape> = Vec::new();
    for edge in found.edges.iter().filter_map(|&e| ways.edge(e)).filter(|e| e.manipulates) {
        if !kind.contains(&edge.shape) {
            kind.push(edge.shape);
        }
    }
    kind.into()
}

/// How likely each event can be done after the one before; a trace that begins in a state similar
/// to the pivot's is half as likely.
fn likelihood(found: &Detour, own: Option<u32>, ways: &Ways) -> f64 {
    let steps = found.edges.iter().zip(found.edges.iter().skip(1));
    let starts_elsewhere = found.edges.first().and_then(|&e| ways.edge(e)).map(|edge| edge.from) != own;
    let start = if starts_elsewhere { 0.5 } else { 1.0 };
    steps.map(|(&edge, &next)| ways.likelihood(edge, next)).product::<f64>() * start
}

/// The events of a trace. After the first, an edge that stands for the rows of a list becomes one
/// that the seed does not act on; but the way back to a page that the seed entered by such a row is
/// the seed's own, or the trace would end on the page of another row.
fn materialise(
    found: &Detour,
    firsts: &[First],
    own: Option<u32>,
    ways: &Ways,
    pivot: &Pivot<'_>,
    rng: &mut ChaCha8Rng,
) -> Option<Inserted> {
    let mut events = vec![firsts.get(found.first)?.event.clone()];
    let way_back = way_back(found, ways, pivot);
    let first_back = found.edges.len() - way_back.len();
    for (at, &number) in found.edges.iter().enumerate().skip(1) {
        if let Some(event) = at.checked_sub(first_back).and_then(|step| way_back.get(step)) {
            events.push((*event).clone());
            continue;
        }
        let twins: Vec<&Edge> = ways.twins(number).iter().filter_map(|&twin| ways.edge(twin)).collect();
        let others: Vec<&Edge> = twins.iter().copied().filter(|edge| !pivot.is_done(edge.key)).collect();
        let drawn = if others.is_empty() { &twins } else { &others };
        let edge = drawn.get(rng.random_range(0..drawn.len().max(1))).copied().or(ways.edge(number))?;
        events.push(edge.event.clone());
    }
    let mut typist = Typist::among(pivot.seed.typing, pivot.texts());
    for event in &mut events {
        retype(event, pivot, &mut typist, rng);
    }
    let edges = || found.edges.iter().filter_map(|&e| ways.edge(e));
    Some(Inserted {
        events,
        kind: kind(found, ways),
        shapes: edges().map(|e| e.shape).collect(),
        likelihood: likelihood(found, own, ways),
    })
}

/// The seed's events for the steps at the end of a trace that open pages as the seed did before the
/// pivot.
fn way_back<'p>(found: &Detour, ways: &Ways, pivot: &'p Pivot<'_>) -> Vec<&'p Arc<Event>> {
    let opens = |edge: &Edge| edge.event.receiver.is_some() && !ways.manipulates(edge.shape);
    let own = |edge: &Edge| pivot.done_before(edge.shape).filter(|_| opens(edge));
    let edges = found.edges.iter().skip(1).rev();
    let mut back: Vec<_> = edges.map_while(|&number| own(ways.edge(number)?)).collect();
    back.reverse();
    back
}

/// Edits type as the seed does: unique texts, or ones from a few that meet, every other one a text of the seed: names
/// that meet are what many defects wait for.
fn retype(event: &mut Arc<Event>, pivot: &Pivot<'_>, typist: &mut Typist, rng: &mut ChaCha8Rng) {
    let Some(receiver) = event.receiver.as_ref().filter(|_| event.kind == EventKind::Edit) else { return };
    let texts = pivot.texts();
    let meets = pivot.seed.typing == Texts::Colliding && !texts.is_empty() && rng.random_bool(0.5);
    let text = match texts.get(rng.random_range(0..texts.len().max(1))).filter(|_| meets) {
        Some(text) => (*text).to_owned(),
        None => typist.text(Field::recorded(receiver), rng),
    };
    *event = Arc::new(Event { data: Some(text), ..(**event).clone() });
}
