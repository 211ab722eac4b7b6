//! The list of neutral insertions: which events each is made of, and how people call it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::gui::{DeviceSetting, Event, EventKind, Selector};
use crate::model::{EventShape, GuiModel, TransitionId};
use crate::record::{NeutralInsertion, NeutralSettings};
use crate::technique::seed::RecordedStep;

/// Pages opened and left again at one pivot at most.
const MOST_PAGES: usize = 2;

/// An insertion made ready for one pivot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inserted {
    pub kind: NeutralInsertion,
    /// What is clicked to open a page; `None` for what acts on no widget.
    pub opens: Option<EventShape>,
    pub events: Vec<Event>,
}

/// The pages of a model that were opened and left again, and the screen was what it was before.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundTrips(BTreeSet<TransitionId>);

impl RoundTrips {
    pub(super) fn of(model: &GuiModel) -> Self {
        let mut after: BTreeMap<TransitionId, Vec<TransitionId>> = BTreeMap::new();
        model.followed().for_each(|(first, second)| after.entry(first).or_default().push(second));
        let returns = |id: TransitionId| {
            let (from, open, page) = model.transition(id)?;
            let opens =
                open.event.kind == EventKind::Click && from.id != page.id && page.id != GuiModel::OUTSIDE;
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
    let set = |setting, there: &str, back: &str| vec![Event::set(setting, there), Event::set(setting, back)];
    let global = |kinds: &[EventKind]| kinds.iter().map(|&kind| Event::global(kind)).collect();
    match kind {
        NeutralInsertion::Rotate => global(&[EventKind::Rotate, EventKind::Rotate]),
        NeutralInsertion::Home => global(&[EventKind::Home, EventKind::Launch]),
        NeutralInsertion::Lock => global(&[EventKind::Lock, EventKind::Unlock]),
        NeutralInsertion::Sleep => global(&[EventKind::Sleep, EventKind::Wake]),
        NeutralInsertion::Kill => global(&[EventKind::Home, EventKind::Kill, EventKind::Launch]),
        NeutralInsertion::Page => Vec::new(),
        // An empty value is what was set before the session.
        NeutralInsertion::Dark => set(DeviceSetting::Dark, "on", ""),
        NeutralInsertion::Language => set(DeviceSetting::Language, &settings.language, ""),
        NeutralInsertion::FontSize => set(DeviceSetting::FontSize, "1.3", ""),
        NeutralInsertion::Network => set(DeviceSetting::Network, "off", ""),
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

/// Which insertion of the list these events are; `None` when they are none, as what is left of one.
pub(super) fn kind_of<'e>(events: impl IntoIterator<Item = &'e Event>) -> Option<NeutralInsertion> {
    let kinds: Vec<EventKind> = events.into_iter().map(|event| event.kind).collect();
    Some(match kinds.as_slice() {
        [EventKind::Rotate, EventKind::Rotate] => NeutralInsertion::Rotate,
        [EventKind::Home, EventKind::Launch] => NeutralInsertion::Home,
        [EventKind::Lock, EventKind::Unlock] => NeutralInsertion::Lock,
        [EventKind::Sleep, EventKind::Wake] => NeutralInsertion::Sleep,
        [EventKind::Home, EventKind::Kill, EventKind::Launch] => NeutralInsertion::Kill,
        [EventKind::Click, EventKind::Back] => NeutralInsertion::Page,
        [EventKind::Set(there), EventKind::Set(back)] if there == back => match there {
            DeviceSetting::Dark => NeutralInsertion::Dark,
            DeviceSetting::Language => NeutralInsertion::Language,
            DeviceSetting::FontSize => NeutralInsertion::FontSize,
            DeviceSetting::Network => NeutralInsertion::Network,
        },
        _ => return None,
    })
}

/// What was done, to go on with "After": `turning the phone twice`.
pub(super) fn done(kind: NeutralInsertion, opened: Option<&Selector>) -> String {
    match kind {
        NeutralInsertion::Rotate => "turning the phone twice".into(),
        NeutralInsertion::Home => "going to the home screen and coming back".into(),
        NeutralInsertion::Lock => "locking and unlocking the phone".into(),
        NeutralInsertion::Sleep => "turning the screen off and on".into(),
        NeutralInsertion::Kill => {
            "the system ended the app in the background and it was opened again,".into()
        }
        NeutralInsertion::Page => {
            let name = opened.map(super::sentence::called_by).unwrap_or_else(|| "a page".into());
            format!("opening {name} and going back")
        }
        NeutralInsertion::Dark => "switching the dark theme on and off".into(),
        NeutralInsertion::Language => "changing the language and changing it back".into(),
        NeutralInsertion::FontSize => "changing the font size and changing it back".into(),
        NeutralInsertion::Network => "switching the network off and on".into(),
    }
}

/// What the platform promises, in a sentence.
pub(super) fn promise(kind: NeutralInsertion) -> &'static str {
    match kind {
        NeutralInsertion::Rotate => "Turning the phone and turning it back leaves the screen as it was.",
        NeutralInsertion::Home => "Leaving the app and coming back leaves the screen as it was.",
        NeutralInsertion::Lock => "Locking and unlocking the phone leaves the screen as it was.",
        NeutralInsertion::Sleep => "Turning the screen off and on leaves it as it was.",
        NeutralInsertion::Kill => "An app that the system ends in the background comes back as it was.",
        NeutralInsertion::Page => "Going back from a page that was just opened leaves the screen as it was.",
        NeutralInsertion::Dark => "Switching the dark theme on and off leaves the screen as it was.",
        NeutralInsertion::Language => {
            "Changing the language and changing it back leaves the screen as it was."
        }
        NeutralInsertion::FontSize => {
            "Changing the font size and changing it back leaves the screen as it was."
        }
        NeutralInsertion::Network => "Switching the network off and on leaves the screen as it was.",
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
            assert!(!done(kind, None).is_empty() && promise(kind).ends_with('.'));
        }
    }
}
