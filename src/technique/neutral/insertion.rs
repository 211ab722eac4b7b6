//! Neutral insertions made ready: their events, and the pages that can be opened and left again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::NeutralSettings;
use crate::relation::insertion::{of_setting, sequence};
use crate::seed::RecordedStep;
use droidmux_gui::{DeviceSetting, Event, EventKind};
use droidmux_model::{EventShape, GuiModel, TransitionId};
use droidmux_record::NeutralInsertion;

/// The most pages that are opened and left again at one pivot.
const MOST_PAGES: usize = 2;

/// An insertion made ready for one pivot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inserted {
    pub kind: NeutralInsertion,
    /// What is clicked to open a page; `None` for what acts on no widget.
    pub opens: Option<EventShape>,
    pub events: Vec<Event>,
}

/// The pages of a model that were opened and left again, with the screen the same as before.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundTrips(BTreeSet<TransitionId>);

impl RoundTrips {
    pub(super) fn of(model: &GuiModel) -> Self {
        let mut after: BTreeMap<TransitionId, Vec<TransitionId>> = BTreeMap::new();
        model.followed().for_each(|(first, second)| after.entry(first).or_default().push(second));
        let returns = |id: TransitionId| {
            let (from, open, page) = model.transition(id)?;
            let opens = open.event.kind == EventKind::Click && from.id != page.id && !page.elsewhere;
            let back = after.get(&id)?.iter().filter_map(|&next| model.transition(next));
            let mut back =
                back.filter(|(_, next, to)| next.event.kind == EventKind::Back && to.id == from.id);
            // Opening it made no difference at least once: it is no page that begins something.
            (opens && back.any(|(_, next, _)| next.after == open.before)).then_some(id)
        };
        Self(after.keys().filter_map(|&id| returns(id)).collect())
    }
}

/// What can be inserted before a step of a seed.
pub(super) fn insertions(
    step: &RecordedStep,
    model: &GuiModel,
    trips: &RoundTrips,
    settings: &NeutralSettings,
) -> Vec<Inserted> {
    let mut all = Vec::new();
    for &kind in &settings.insertions {
        match kind {
            NeutralInsertion::Page => all.extend(pages(step, model, trips)),
            _ => all.push(Inserted { kind, opens: None, events: events(kind, settings) }),
        }
    }
    all
}

/// The events of an insertion that acts on no widget.
fn events(kind: NeutralInsertion, settings: &NeutralSettings) -> Vec<Event> {
    // An empty value is what was set before the session.
    let set = |setting, there: &str| vec![Event::set(setting, there), Event::set(setting, "")];
    match kind {
        NeutralInsertion::Dark => set(DeviceSetting::Dark, "on"),
        NeutralInsertion::Language => set(DeviceSetting::Language, &settings.language),
        NeutralInsertion::FontSize => set(DeviceSetting::FontSize, "1.3"),
        NeutralInsertion::Network => set(DeviceSetting::Network, "off"),
        NeutralInsertion::Day => vec![Event::day()],
        _ => sequence(kind).iter().map(|&kind| Event::global(kind)).collect(),
    }
}

/// The pages that can be opened here and left again, as the model knows.
fn pages(step: &RecordedStep, model: &GuiModel, trips: &RoundTrips) -> Vec<Inserted> {
    let mut known: BTreeSet<EventShape> = BTreeSet::new();
    let mut all = Vec::new();
    for (id, open, _) in model.leaving(step.state) {
        if all.len() >= MOST_PAGES {
            break;
        }
        let Some(receiver) = open.event.receiver.as_ref().filter(|_| trips.0.contains(&id)) else { continue };
        let Some(widget) = step.layout.resolve(receiver).widget() else { continue };
        if known.insert(open.action.shape) {
            let open_here = Event::on(open.event.kind, step.layout.selector(widget));
            all.push(Inserted {
                kind: NeutralInsertion::Page,
                opens: Some(open.action.shape),
                events: vec![open_here, Event::global(EventKind::Back)],
            });
        }
    }
    all
}

/// Which insertion of the list these events are; `None` when they are none of them, such as what is left of one.
pub(super) fn kind_of<'e>(events: impl IntoIterator<Item = &'e Event>) -> Option<NeutralInsertion> {
    let kinds: Vec<EventKind> = events.into_iter().map(|event| event.kind).collect();
    match kinds.as_slice() {
        [] => None,
        [EventKind::Click, EventKind::Back] => Some(NeutralInsertion::Page),
        [EventKind::Set(DeviceSetting::Clock)] => Some(NeutralInsertion::Day),
        [EventKind::Set(there), EventKind::Set(back)] if there == back => Some(of_setting(*there)),
        kinds => NeutralInsertion::ALL.into_iter().find(|kind| sequence(*kind) == kinds),
    }
}

impl Inserted {
    /// Its events, to be shared.
    pub(super) fn shared(&self) -> Vec<Arc<Event>> {
        self.events.iter().cloned().map(Arc::new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insertion_is_known_by_its_events_and_no_part_of_one_is() {
        let settings = NeutralSettings::default();
        for kind in NeutralInsertion::ALL {
            let own: Vec<Event> = match kind {
                NeutralInsertion::Page => {
                    vec![Event::global(EventKind::Click), Event::global(EventKind::Back)]
                }
                _ => events(kind, &settings),
            };
            assert_eq!(kind_of(&own), Some(kind));
            for left_out in 0..own.len() {
                let mut rest = own.clone();
                rest.remove(left_out);
                // Without its kill it is the plain way home and back.
                let expected =
                    (kind == NeutralInsertion::Kill && left_out == 1).then_some(NeutralInsertion::Home);
                assert_eq!(kind_of(&rest), expected, "{kind:?} without {left_out}");
            }
        }
    }
}
