//! All traces Odin knows, as numbers into tables of views, events and handled events.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::twins::Twins;
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, Level, Page, StateId, Widget, WidgetId};
use droidmux_model::{EventHash, EventLabel, Fnv, GuiModel, LayoutStep, StateModel, StateNo};
use droidmux_record::{FrontLayout, Handled, JobRun, Layouts, Seen, SessionId, Slot, Source, Trace};

/// Everything recorded that Odin may build on. Holds no layouts: 12 bytes a step, and some 25 for each step that was not
/// seen before.
#[derive(Clone, Debug, Default)]
pub(super) struct Corpus {
    views: Vec<Arc<FrontLayout>>,
    view_numbers: BTreeMap<Arc<FrontLayout>, u32>,
    /// By view: what stands for it in the state model, among `places`.
    place_of: Vec<u32>,
    /// By view: the events it handles; [`GuiModel::OUTSIDE`] outside the app.
    handling: Vec<StateId>,
    /// By set of handled events: the events, sorted. Edits have no text here.
    handled: BTreeMap<StateId, Vec<Handled>>,
    events: Vec<(EventHash, Arc<Event>)>,
    event_numbers: BTreeMap<EventHash, u32>,
    traces: Vec<Recorded>,
    /// What the model is mined from: layouts with the events they handle, and the steps between them.
    places: Vec<(LayoutHash, StateId)>,
    place_numbers: BTreeMap<LayoutHash, u32>,
    labels: Vec<EventLabel>,
    label_numbers: BTreeMap<EventLabel, u32>,
    steps: BTreeSet<Known>,
    /// By place: what else the same input led to, handling the same events, so that the difference is by chance.
    twins: Twins,
    /// By input and set of handled events: a place that it led to.
    met: BTreeMap<(InputName, StateId), u32>,
    /// By input: the view that it led to last.
    led_to: BTreeMap<InputName, u32>,
    /// The state model is out of date.
    grown: bool,
    model: Arc<StateModel>,
}

/// A trace: an input, and what was seen.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    session: SessionId,
    slot: Slot,
    test: u16,
    start: u32,
    steps: Box<[Stride]>,
}

/// A step of a recorded trace.
#[derive(Clone, Copy, Debug)]
struct Stride {
    event: u32,
    after: u32,
    /// Acts on the first widget that takes this event, as appended events do.
    is_first: bool,
    /// Its number in the recording, from 1: events that failed are left out here.
    number: u16,
}

/// A step between layouts, by numbers: of places, a label and an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    from: u32,
    label: u32,
    to: u32,
    event: u32,
}

/// A place in a trace: the trace's number, and how many of its steps come before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) trace: u32,
    pub(super) steps: u16,
}

/// Steps of one trace that are read.
const MOST_STEPS: usize = 10_000;

/// All that is outside the app, as one layout.
const OUTSIDE: LayoutHash = LayoutHash([0; 16]);

impl Corpus {
    /// Reads the traces of a job and returns their numbers. A trace is read up to the first unknown
    /// layout; events that could not be performed are left out.
    pub(super) fn absorb(&mut self, session: SessionId, run: &JobRun, layouts: &dyn Layouts) -> Range<u32> {
        let first = self.count();
        for trace in run.traces() {
            self.absorb_trace(session, run.job.slot, &trace, layouts);
        }
        first..self.count()
    }

    fn absorb_trace(&mut self, session: SessionId, slot: Slot, trace: &Trace<'_>, layouts: &dyn Layouts) {
        let Some((start, mut before)) = trace.start.and_then(|seen| self.view(seen, layouts)) else { return };
        let mut here = start;
        let mut steps = Vec::new();
        let mut name = InputName::default();
        self.meet(name, start);
        for (step, number) in trace.steps.iter().zip(1..).take(MOST_STEPS) {
            let Ok(seen) = step.after else { continue };
            let found = seen.resolution.and_then(|found| found.widget());
            // A recording may name widgets without saying how they were found.
            let widget = found.or_else(|| before.resolve(step.event.receiver.as_ref()?).widget());
            let Some((after, layout)) = self.view(seen, layouts) else { break };
            let label = EventLabel::of(step.event.kind, &before, widget);
            let event = self.event(EventHash::of(step.event), step.event);
            self.learn(here, label, after, event);
            let is_first = widget.is_some_and(|widget| is_first(&before, step.event.kind, widget));
            name = name.then(event);
            self.meet(name, after);
            steps.push(Stride { event, after, is_first, number });
            (here, before) = (after, layout);
        }
        self.traces.push(Recorded { session, slot, test: trace.test, start, steps: steps.into() });
    }

    /// Notes where an input led. Where it led elsewhere before, to a layout that handles the same events, nothing but
    /// chance or time makes the difference: both are one place of the model.
    fn meet(&mut self, input: InputName, view: u32) {
        self.led_to.insert(input, view);
        let (Some(&handling), Some(&place)) =
            (self.handling.get(view as usize), self.place_of.get(view as usize))
        else {
            return;
        };
        let met = *self.met.entry((input, handling)).or_insert(place);
        self.grown |= self.twins.unite(met, place);
    }

    /// The lowest of the layouts that differ from a place by chance, if there are any.
    fn mined_as(&self, place: u32) -> Option<LayoutHash> {
        let hash = |place: &u32| self.places.get(*place as usize).map(|(layout, _)| *layout);
        self.twins.of(place).iter().filter_map(hash).min()
    }

    /// The number of what was seen, with its layout; `None` when that is unknown.
    fn view(&mut self, seen: &Seen, layouts: &dyn Layouts) -> Option<(u32, Arc<Layout>)> {
        let layout = layouts.layout(seen.screen.layout)?;
        let view = FrontLayout {
            layout: seen.screen.layout,
            activity: seen.screen.activity.clone(),
            in_app: seen.screen.in_app,
        };
        if let Some(&number) = self.view_numbers.get(&view) {
            return Some((number, layout));
        }
        let number = u32::try_from(self.views.len()).ok()?;
        let handling = if view.in_app {
            let page = Page { package: &seen.screen.package, activity: &seen.screen.activity };
            let handling = Level::Events.state(page, &layout);
            self.handled.entry(handling).or_insert_with(|| handled(&layout));
            handling
        } else {
            GuiModel::OUTSIDE
        };
        let place = self.place(if view.in_app { view.layout } else { OUTSIDE }, handling);
        let view = Arc::new(view);
        self.views.push(Arc::clone(&view));
        self.handling.push(handling);
        self.place_of.push(place);
        self.view_numbers.insert(view, number);
        Some((number, layout))
    }

    /// The number of a layout in the state model. What it handled last counts.
    fn place(&mut self, layout: LayoutHash, handling: StateId) -> u32 {
        let next = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let number = *self.place_numbers.entry(layout).or_insert(next);
        match self.places.get_mut(number as usize) {
            Some(known) => known.1 = handling,
            None => {
                self.places.push((layout, handling));
                self.grown = true;
            }
        }
        number
    }

    /// Notes a step between two views.
    fn learn(&mut self, from: u32, label: EventLabel, to: u32, event: u32) {
        let next = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        let number = *self.label_numbers.entry(label).or_insert(next);
        if number == next {
            self.labels.push(label);
        }
        let place = |view: u32| self.place_of.get(view as usize).copied();
        if let (Some(from), Some(to)) = (place(from), place(to)) {
            self.grown |= self.steps.insert(Known { from, label: number, to, event });
        }
    }

    fn event(&mut self, hash: EventHash, event: &Event) -> u32 {
        let next = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        let number = *self.event_numbers.entry(hash).or_insert(next);
        if number == next {
            self.events.push((hash, Arc::new(event.clone())));
        }
        number
    }

    /// The model of all traces, mined afresh if there is anything new in them.
    pub(super) fn model(&mut self) -> Arc<StateModel> {
        if self.grown {
            let places = || (0_u32..).zip(&self.places);
            let lowest: Vec<LayoutHash> =
                places().map(|(place, (layout, _))| self.mined_as(place).unwrap_or(*layout)).collect();
            let steps = self.steps.iter().filter_map(|step| self.spelt_out(*step, &lowest));
            let mined = self.places.iter().zip(&lowest).filter(|((layout, _), lowest)| layout == *lowest);
            let twins = self.places.iter().zip(&lowest).map(|((layout, _), lowest)| (*layout, *lowest));
            let model = StateModel::mine(mined.map(|(known, _)| *known), steps);
            self.model = Arc::new(model.with_twins(twins));
            self.grown = false;
        }
        self.model.clone()
    }

    /// A step between the layouts that stand for its places.
    fn spelt_out(&self, step: Known, lowest: &[LayoutHash]) -> Option<LayoutStep> {
        let place = |number: u32| lowest.get(number as usize).copied();
        Some(LayoutStep {
            from: place(step.from)?,
            label: *self.labels.get(step.label as usize)?,
            to: place(step.to)?,
            event: self.events.get(step.event as usize)?.0,
        })
    }

    /// The number of an event by its hash.
    pub(super) fn number_of(&self, event: EventHash) -> Option<u32> {
        self.event_numbers.get(&event).copied()
    }

    /// The layout that an input led to when it was last run, as it stands in the model.
    pub(super) fn led_to(&self, input: InputName) -> Option<LayoutHash> {
        let view = *self.led_to.get(&input)?;
        self.places.get(*self.place_of.get(view as usize)? as usize).map(|(layout, _)| *layout)
    }

    /// The recorded steps from a layout and those that differ from it by chance: the events, each with a layout it led to.
    pub(super) fn steps_from(&self, layout: LayoutHash) -> impl Iterator<Item = (u32, LayoutHash)> {
        let here = self.place_numbers.get(&layout).copied();
        let others = here.map_or(&[][..], |place| self.twins.of(place)).iter().copied();
        let all: BTreeSet<u32> = here.into_iter().chain(others).collect();
        let known = |from| Known { from, label: 0, to: 0, event: 0 };
        let steps = all
            .into_iter()
            .flat_map(move |from| self.steps.range(known(from)..known(from.saturating_add(1))));
        steps.filter_map(|step| Some((step.event, self.places.get(step.to as usize)?.0)))
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.traces.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn trace(&self, number: u32) -> Option<&Recorded> {
        self.traces.get(number as usize)
    }

    pub(super) fn traces(&self) -> impl Iterator<Item = (u32, &Recorded)> {
        (0..).zip(&self.traces)
    }

    /// The view at a moment.
    pub(super) fn view_at(&self, moment: Moment) -> Option<&FrontLayout> {
        let trace = self.trace(moment.trace)?;
        self.views.get(trace.view_at(moment.steps)? as usize).map(Arc::as_ref)
    }

    /// The state at a moment, by a model that may not know it yet; `None` outside the app.
    pub(super) fn state_at(&self, model: &StateModel, moment: Moment) -> Option<StateNo> {
        let view = self.view_at(moment).filter(|view| view.in_app)?;
        model.state_of(view.layout)
    }

    /// The set of events handled at a moment.
    pub(super) fn handling_at(&self, moment: Moment) -> Option<StateId> {
        let trace = self.trace(moment.trace)?;
        self.handling.get(trace.view_at(moment.steps)? as usize).copied()
    }

    /// The events of a set that states handle, sorted.
    pub(super) fn handled(&self, set: StateId) -> &[Handled] {
        self.handled.get(&set).map_or(&[], Vec::as_slice)
    }

    /// The event of the step after a moment, with whether it acts on the first widget that takes it.
    pub(super) fn event_after(&self, moment: Moment) -> Option<(&Event, bool)> {
        let stride = self.trace(moment.trace)?.steps.get(usize::from(moment.steps))?;
        Some((&self.events.get(stride.event as usize)?.1, stride.is_first))
    }

    /// The input up to a moment, as numbers of events.
    pub(super) fn input(&self, moment: Moment) -> Vec<u32> {
        let steps = self.trace(moment.trace).map_or(&[][..], |trace| &trace.steps);
        steps.iter().take(moment.steps.into()).map(|stride| stride.event).collect()
    }

    pub(super) fn event_numbered(&self, number: u32) -> Option<Event> {
        self.events.get(number as usize).map(|(_, event)| Event::clone(event))
    }

    /// Where the step after a moment was recorded.
    pub(super) fn source(&self, moment: Moment) -> Option<Source> {
        let trace = self.trace(moment.trace)?;
        let step = trace.steps.get(usize::from(moment.steps))?.number;
        Some(Source { session: trace.session, slot: trace.slot, test: trace.test, step })
    }

    /// The state in which most traces begin; on a tie, the first.
    pub(super) fn launch(&self, model: &StateModel) -> Option<StateNo> {
        let mut counts: BTreeMap<StateNo, u64> = BTreeMap::new();
        for (trace, _) in self.traces() {
            if let Some(state) = self.state_at(model, Moment { trace, steps: 0 }) {
                *counts.entry(state).or_insert(0) += 1;
            }
        }
        counts
            .into_iter()
            .max_by_key(|&(state, count)| (count, std::cmp::Reverse(state)))
            .map(|(state, _)| state)
    }

    /// How many inputs end in each state: traces as they really went.
    pub(super) fn endings(&self, model: &StateModel) -> BTreeMap<StateNo, u64> {
        let mut counts = BTreeMap::new();
        for (number, trace) in self.traces() {
            if let Some(state) = self.state_at(model, trace.end(number)) {
                *counts.entry(state).or_insert(0) += 1;
            }
        }
        counts
    }

    /// What identifies the input up to each moment of a trace.
    pub(super) fn names(&self, trace: &Recorded) -> Vec<InputName> {
        let mut name = InputName::default();
        let mut names = vec![name];
        for stride in &trace.steps {
            name = name.then(stride.event);
            names.push(name);
        }
        names
    }
}

impl Recorded {
    fn view_at(&self, steps: u16) -> Option<u32> {
        match steps.checked_sub(1) {
            None => Some(self.start),
            Some(last) => self.steps.get(usize::from(last)).map(|stride| stride.after),
        }
    }

    pub(super) fn len(&self) -> u16 {
        u16::try_from(self.steps.len()).unwrap_or(u16::MAX)
    }

    /// The moment after its last step; `number` is its own.
    pub(super) fn end(&self, number: u32) -> Moment {
        Moment { trace: number, steps: self.len() }
    }
}

/// What identifies an input: a hash of its events' numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InputName(u64, u32);

impl InputName {
    pub(super) fn then(self, event: u32) -> Self {
        Self(Fnv::new().number(self.0).number(event.into()).done(), self.1 + 1)
    }
}

/// True when no widget before this one takes the same event.
fn is_first(layout: &Layout, kind: EventKind, widget: WidgetId) -> bool {
    let Some(found) = layout.get(widget) else { return false };
    let is_alike = |other: Widget<'_>| {
        other.class() == found.class()
            && other.resource_id() == found.resource_id()
            && other.description() == found.description()
    };
    let takes = |&(other, id): &(EventKind, WidgetId)| other == kind && layout.get(id).is_some_and(is_alike);
    layout.events().iter().find(|event| takes(event)).is_some_and(|&(_, first)| first == widget)
}

/// The events a layout handles, each once, sorted.
fn handled(layout: &Layout) -> Vec<Handled> {
    let of = |(kind, id)| {
        let widget = layout.get(id)?;
        Some(Handled {
            kind,
            class: widget.class().to_owned(),
            resource_id: widget.resource_id().to_owned(),
            description: widget.description().to_owned(),
            data: None,
        })
    };
    let all: BTreeSet<Handled> = layout.events().into_iter().filter_map(of).collect();
    all.into_iter().collect()
}
