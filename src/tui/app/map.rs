//! The Model screen's state: what the open session has mined of its app.

use std::sync::Arc;

use super::{App, Effect};
use crate::filter;
use crate::list::List;
use crate::paint::Words;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{MapView, Request, StateView};
use droidmux_record::SessionId;
use droidmux_words::figure;

/// What the list of states is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateOrder {
    /// States reached most often first.
    #[default]
    Visits,
    /// States with most untried events first.
    Untried,
    /// States in the order in which they were first seen.
    Found,
}

#[derive(Default)]
pub struct MapScreen {
    /// Whose map it is, and after how many steps it was asked for.
    of: Option<(SessionId, u64)>,
    pub map: Option<Arc<MapView>>,
    pub order: StateOrder,
    pub filter: String,
    /// Numbers of the states that match, in their order.
    pub shown: Vec<u32>,
    pub list: List,
    pub text: List,
    pub text_lines: Vec<Words>,
    /// The state and the width that the text was laid out for.
    text_of: Option<(u32, u16)>,
}

/// The growth in steps after which a map is asked for again: one in this many.
const GROWN: u64 = 10;

impl StateOrder {
    pub fn name(self) -> &'static str {
        match self {
            Self::Visits => "by visits",
            Self::Untried => "by untried events",
            Self::Found => "as found",
        }
    }

    fn next(self) -> Self {
        match self {
            Self::Visits => Self::Untried,
            Self::Untried => Self::Found,
            Self::Found => Self::Visits,
        }
    }
}

impl MapScreen {
    /// The number of the state under the cursor.
    pub fn selected(&self) -> Option<u32> {
        self.shown.get(usize::try_from(self.list.cursor).ok()?).copied()
    }

    pub(super) fn sort(&mut self) {
        let Some(map) = &self.map else { return };
        let selected = self.selected();
        let mut rows: Vec<(u32, &StateView)> = (0..).zip(&map.states).collect();
        match self.order {
            StateOrder::Visits => rows.sort_by_key(|(_, state)| std::cmp::Reverse(state.visits)),
            StateOrder::Untried => rows.sort_by_key(|(_, state)| std::cmp::Reverse(state.untried)),
            StateOrder::Found => {}
        }
        let matching = match self.filter.is_empty() {
            true => (0..rows.len()).collect(),
            false => filter::matching(&self.filter, &rows, |(_, state)| state.name()),
        };
        self.shown = matching.into_iter().filter_map(|n| rows.get(n)).map(|(number, _)| *number).collect();
        let row = self.shown.iter().position(|number| Some(*number) == selected);
        self.list.cursor = row.map_or(0, |row| row as u64);
        self.text_of = None;
    }

    /// Lays what is known of the state under the cursor out for this width.
    pub(super) fn settle_text(&mut self, width: u16) {
        let wanted = self.selected().map(|number| (number, width));
        if wanted == self.text_of {
            return;
        }
        if wanted.map(|(number, _)| number) != self.text_of.map(|(number, _)| number) {
            self.text = List::default();
        }
        let lines = self.map.as_ref().zip(wanted).map(|(map, (number, width))| lay_out(map, number, width));
        self.text_lines = lines.unwrap_or_default();
        self.text_of = wanted;
    }
}

impl App {
    /// Asks for the map: at first, and when the session has gone on for a while.
    pub(super) fn fetch_map(&mut self) {
        let Some((session, steps)) = self.current_session().map(|session| (session.id, session.steps)) else {
            return;
        };
        let is_current = self
            .map
            .of
            .is_some_and(|(of, asked)| of == session && steps.saturating_sub(asked) <= asked / GROWN + 100);
        let request = Request::Map(session);
        if !is_current && self.asked.may_send(&request) {
            if self.map.of.is_none_or(|(of, _)| of != session) {
                self.map = MapScreen { order: self.map.order, ..MapScreen::default() };
            }
            self.map.of = Some((session, steps));
            self.effect(Effect::Send(request));
        }
    }

    pub(super) fn take_map(&mut self, session: SessionId, map: Option<Box<MapView>>) {
        if self.map.of.is_some_and(|(of, _)| of == session) {
            self.map.map = map.map(Arc::from);
            self.map.sort();
        }
    }

    pub fn next_order(&mut self) {
        self.map.order = self.map.order.next();
        self.map.sort();
    }

    /// Writes the map as a graph into the folder that the cockpit was started in.
    pub fn export_map(&mut self) {
        let (Some((session, _)), Some(map)) = (self.map.of, &self.map.map) else {
            return self.say("there is no model yet", Role::Warn);
        };
        let effect = Effect::Save { name: format!("droidmux-{session}.dot"), text: map.dot() };
        self.effect(effect);
    }
}

/// The way to a state, and where its events led.
fn lay_out(map: &MapView, number: u32, width: u16) -> Vec<Words> {
    let Some(state) = map.state(number) else { return Vec::new() };
    let mut lines: Vec<Words> = Vec::new();
    let mut line = |pieces: &[(String, Role)]| lines.extend(text::wrap_pieces(pieces, usize::from(width)));
    let activity = if state.activity.is_empty() { "outside of the app" } else { &state.activity };
    line(&[(activity.to_owned(), Role::Strong)]);
    let figures = format!(
        "{}, {} of {} untried",
        figure::count(state.visits, "visit"),
        figure::thousands(state.untried.into()),
        figure::count(state.offers, "event"),
    );
    line(&[(figures, Role::Dim)]);
    line(&[]);
    line(&[("The way from a reset".to_owned(), Role::Title)]);
    match &state.way {
        Some(way) if way.is_empty() => line(&[("The app starts here.".to_owned(), Role::Text)]),
        Some(way) => {
            for (n, event) in (1..).zip(way) {
                line(&[(format!("{n:>3}. "), Role::Dim), (map.event(*event).to_owned(), Role::Text)]);
            }
        }
        None => line(&[("No way was short enough to keep.".to_owned(), Role::Dim)]),
    }
    line(&[]);
    line(&[("What leads on".to_owned(), Role::Title)]);
    let leaving = map.leaving(number);
    if leaving.is_empty() {
        line(&[("Nothing was done here.".to_owned(), Role::Dim)]);
    }
    for way in leaving {
        let to = map.state(way.to).map(StateView::name).unwrap_or_default();
        line(&[
            (format!("{:>5} × ", figure::thousands(way.count)), Role::Dim),
            (map.event(way.event).to_owned(), Role::Text),
            (format!("  to {to}"), Role::Accent),
        ]);
    }
    lines
}
