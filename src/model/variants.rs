//! Variants of a page: states of one activity that look much alike, such as a list with and without pictures in its rows.
//!
//! In: states as they come. Out: the page that each is a variant of, named by the state of it that was met first, and
//! on how many of its variants an event was executed. Invariants: a page is no variant of another; dialogs and drawers are
//! pages of their own, since they look different.

use super::{EventKey, GuiModel, Sketch, State};
use droidmux_gui::StateId;

impl GuiModel {
    /// States of one activity at least as alike as this are variants of one page, by [`Sketch::likeness`].
    pub const ONE_PAGE: f64 = 0.75;

    /// On how many variants of a state's page an event was executed.
    pub fn tries(&self, state: &State, key: EventKey) -> u32 {
        self.tried.get(&(state.page, key)).copied().unwrap_or(0)
    }

    /// Counts again on how many variants each event was executed.
    pub(super) fn count_tries(&mut self) {
        let executed = |state: &State| {
            let page = state.page;
            let done = state.offers.iter().filter(|offered| offered.executed > 0);
            done.map(|offered| (page, offered.action.key)).collect::<Vec<_>>()
        };
        let all: Vec<(StateId, EventKey)> = self.states().flat_map(executed).collect();
        self.tried.clear();
        all.into_iter().for_each(|event| *self.tried.entry(event).or_default() += 1);
    }

    /// The page that a new state is a variant of; itself when it is none.
    pub(super) fn page_of(&self, id: StateId, activity: &str, sketch: &Sketch) -> StateId {
        let is_page = |state: &&State| {
            state.page == state.id && state.id != Self::OUTSIDE && &*state.activity == activity
        };
        let is_alike = |state: &&State| state.sketch.likeness(sketch) >= Self::ONE_PAGE;
        if id == Self::OUTSIDE {
            return id;
        }
        self.states().filter(is_page).find(is_alike).map_or(id, |page| page.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Arrival, Sighting};
    use droidmux_gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, Level, NewWidget};
    use droidmux_record::Screen;
    use std::sync::Arc;

    /// A page that holds widgets with these ids, each a button; behind an open drawer with items, if there are any.
    fn page(ids: &[&str], items: &[&str]) -> Layout {
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
        let bounds = Bounds::new(0, 0, 300, 400);
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "DrawerLayout", bounds, ..NewWidget::default() });
        let parts = [(ids, "Button"), (items, "CheckedTextView")];
        for (part, class) in parts.into_iter().filter(|(part, _)| !part.is_empty()) {
            builder.open(NewWidget { class: "LinearLayout", bounds, ..NewWidget::default() });
            for resource_id in part {
                builder.open(NewWidget { class, resource_id, bounds, flags, ..NewWidget::default() });
                builder.close();
            }
            builder.close();
        }
        builder.finish()
    }

    fn arrive(model: &mut GuiModel, layout: &Layout, activity: &str) -> Arrival {
        let screen = Screen {
            layout: layout.hash(),
            package: "a".into(),
            activity: activity.into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        model.arrive(Sighting { screen: &screen, layout })
    }

    const MAIN: [&str; 6] = ["title", "add", "search", "sort", "row", "more"];
    const WITH_PICTURE: [&str; 7] = ["title", "add", "search", "sort", "row", "picture", "more"];
    const OTHER: [&str; 2] = ["title", "colour"];
    const DRAWER: [&str; 3] = ["home", "diary", "settings"];

    #[test]
    fn what_is_tried_on_one_variant_counts_on_all() {
        let mut model = GuiModel::new(Level::Widgets, 100.0);
        let click = Action { key: EventKey(7), shape: crate::EventShape(7) };
        let event = Arc::new(Event::global(EventKind::Back));
        // On one variant twice, on another once.
        for ids in [&MAIN[..], &MAIN, &WITH_PICTURE] {
            let main = page(ids, &[]);
            let from = arrive(&mut model, &main, "A");
            model.traverse(from.state, main.hash(), click, &event, &from);
        }
        for (ids, activity, tries) in
            [(&MAIN[..], "A", 2), (&WITH_PICTURE, "A", 2), (&WITH_PICTURE, "B", 0), (&OTHER, "A", 0)]
        {
            let id = arrive(&mut model, &page(ids, &[]), activity).state;
            let mut merged = GuiModel::new(Level::Widgets, 100.0);
            merged.merge(&model);
            for model in [&model, &merged] {
                let state = model.state(id).expect("a state");
                assert_eq!(model.tries(state, click.key), tries, "{ids:?} of {activity}");
            }
        }
    }

    #[test]
    fn a_drawer_is_one_state_over_all_variants_and_no_variant_itself() {
        for level in [Level::Types, Level::Widgets, Level::Events, Level::Content] {
            let mut model = GuiModel::new(level, 100.0);
            let first = arrive(&mut model, &page(&MAIN, &DRAWER), "A");
            for behind in [&WITH_PICTURE[..], &OTHER] {
                let again = arrive(&mut model, &page(behind, &DRAWER), "A");
                assert_eq!((again.state, again.new), (first.state, false), "{level:?} over {behind:?}");
            }
            let closed = arrive(&mut model, &page(&MAIN, &[]), "A");
            assert_ne!(closed.state, first.state, "{level:?}");
            let page_of = |id| model.state(id).map(|state| state.page);
            assert_ne!(page_of(closed.state), page_of(first.state), "{level:?}");
            let items = model.state(first.state).map_or(0, |state| state.offers().len());
            assert_eq!(items, DRAWER.len() + 2, "{level:?}: its items, back and rotate");
        }
    }
}
