//! A walk over the model as events to perform, held against what is recorded (Odin).
//!
//! In: transitions drawn on the state model, the recorded steps. Out: the events, the states on the way, and how much of
//! what is recorded agrees that they will be passed.
//!
//! Layouts of one state handle the same events, but need not behave alike: what an event does may depend on data that no
//! layout shows, and an event recorded on one layout of a state may have no receiver on another. So the walk keeps an eye
//! on the layout that it will really be on, as long as that is known. Where events lead from that very layout to the next
//! state, one of them is taken instead of one recorded elsewhere.

use rand::RngExt;

use super::corpus::{Corpus, InputName};
use droidmux_gui::{Event, LayoutHash};
use droidmux_model::{Passage, StateModel, StateNo};
use droidmux_words::number::real;

/// Events that should lead through some states.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// The numbers of the events.
    pub(super) events: Vec<u32>,
    /// A layout of each state on the way, that of the launch first.
    pub(super) path: Vec<LayoutHash>,
    /// From 0, when the same input is known to lead elsewhere, to 1, when each step was seen from its very layout and
    /// never led elsewhere.
    pub(super) trust: f64,
}

/// How far a step is trusted that was never performed on the layout at hand, or on a layout that is not known.
const GUESSED: f64 = 0.5;

impl Walk {
    /// Takes transitions from the launch for what is known of them; parallel ones are drawn again where only some were
    /// seen on the layout at hand. `None` for transitions whose events are not recorded.
    pub(super) fn over(
        drawn: &[Passage],
        model: &StateModel,
        launch: StateNo,
        corpus: &Corpus,
        rng: &mut impl RngExt,
    ) -> Option<Self> {
        let first = *model.layouts(launch).first()?;
        let mut walk = Self { events: Vec::new(), path: vec![first], trust: 1.0 };
        let mut name = InputName::default();
        let mut here = corpus.led_to(name).filter(|layout| model.state_of(*layout) == Some(launch));
        for passage in drawn {
            let leads = |layout: LayoutHash| model.state_of(layout) == Some(passage.to);
            let mut event = corpus.number_of(passage.event)?;
            let known: Vec<(u32, LayoutHash)> =
                here.into_iter().flat_map(|at| corpus.steps_from(at)).collect();
            let seen_here = known.iter().any(|&(other, to)| other == event && leads(to));
            if !seen_here {
                let mut others: Vec<u32> =
                    known.iter().filter(|(_, to)| leads(*to)).map(|(event, _)| *event).collect();
                others.sort_unstable();
                others.dedup();
                if !others.is_empty() {
                    event = *others.get(rng.random_range(0..others.len()))?;
                }
            }
            name = name.then(event);
            here = match corpus.led_to(name) {
                Some(layout) => {
                    walk.trust *= if leads(layout) { 1.0 } else { 0.0 };
                    Some(layout)
                }
                None => {
                    let led: Vec<LayoutHash> =
                        known.iter().filter(|(other, _)| *other == event).map(|(_, to)| *to).collect();
                    let right: Vec<LayoutHash> = led.iter().copied().filter(|to| leads(*to)).collect();
                    walk.trust *= if led.is_empty() { GUESSED } else { real(right.len()) / real(led.len()) };
                    // Several layouts of one state: which one it will be is not known.
                    <[LayoutHash; 1]>::try_from(right).ok().map(|[only]| only)
                }
            };
            walk.events.push(event);
            walk.path.push(*model.layouts(passage.to).first()?);
        }
        Some(walk)
    }

    /// The events themselves.
    pub(super) fn as_events(&self, corpus: &Corpus) -> Option<Vec<Event>> {
        self.events.iter().map(|&number| corpus.event_numbered(number)).collect()
    }
}
