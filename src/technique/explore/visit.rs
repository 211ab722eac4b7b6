//! The visit at the end of an exploration: the app is started again with its data kept, and the pages on which the
//! typed texts were last seen are looked at.

use std::collections::{BTreeMap, VecDeque};

use droidmux_gui::{Flags, Layout, StateId};
use droidmux_model::{GuiModel, Offer};
use droidmux_record::Explore;

use super::choice::{self, Here};

/// Where each text was seen last.
#[derive(Clone, Debug, Default)]
pub struct Whereabouts {
    looks: u32,
    /// By the text's number, with the look at which it was seen.
    seen: BTreeMap<usize, (u32, StateId)>,
}

/// A visit under way.
#[derive(Clone, Debug)]
pub struct Visit {
    targets: VecDeque<StateId>,
    left: u32,
}

/// The longest way to a page, in events.
const FARTHEST: usize = 6;

impl Whereabouts {
    /// Notes which of these texts are shown: outside of the field they were typed into.
    pub fn look(&mut self, layout: &Layout, state: StateId, typed: &[String]) {
        self.looks += 1;
        for (number, text) in typed.iter().enumerate() {
            let shows = |widget: droidmux_gui::Widget<'_>| {
                let shown = !widget.is_editable() && !widget.has(Flags::INVISIBLE);
                shown
                    && (widget.text().contains(text.as_str()) || widget.description().contains(text.as_str()))
            };
            if layout.widgets().any(shows) {
                self.seen.insert(number, (self.looks, state));
            }
        }
    }

    /// Another trace begins.
    pub fn begin(&mut self) {
        *self = Self::default();
    }

    /// The visit to all these pages, the last one first.
    pub fn visit(&self) -> Visit {
        let mut pages: Vec<(u32, StateId)> = self.seen.values().copied().collect();
        pages.sort_unstable();
        pages.reverse();
        let mut targets: VecDeque<StateId> = VecDeque::new();
        for (_, state) in pages {
            if !targets.contains(&state) {
                targets.push_back(state);
            }
        }
        // The first event starts the app again.
        Visit { targets, left: Explore::VISIT.saturating_sub(1) }
    }
}

impl Visit {
    /// The next step of the way, with its event; `None` when there is nothing more to visit.
    pub fn next(&mut self, here: &Here, model: &GuiModel) -> Option<(Offer, droidmux_gui::Event)> {
        while self.left > 0
            && let Some(&target) = self.targets.front()
        {
            if here.state != target
                && let Some(step) = self.towards(target, here, model)
            {
                self.left -= 1;
                return Some(step);
            }
            self.targets.pop_front();
        }
        None
    }

    /// The page cannot be reached this way after all.
    pub fn give_up(&mut self) {
        self.targets.pop_front();
    }

    fn towards(
        &self,
        target: StateId,
        here: &Here,
        model: &GuiModel,
    ) -> Option<(Offer, droidmux_gui::Event)> {
        let farthest = usize::try_from(self.left).unwrap_or(FARTHEST).min(FARTHEST);
        let is_there = |state: &droidmux_model::State| state.id == target;
        let route = model.trodden(here.state, farthest, is_there, |_, _| false);
        let route = route.or_else(|| model.route(here.state, farthest, is_there, |_, _| false))?;
        let (_, step, _) = model.transition(*route.first()?)?;
        let offer = choice::resolve(here, &step.event)?;
        Some((offer, choice::event(here, &offer)))
    }
}
