//! The guided tour: what to press next and why, from the lab to a finding that is marked.
//!
//! In: the cockpit's state after each message. Out: the stage that is shown, and the finding that the tour is about.
//!
//! Invariants: a stage ends when the person has done something, as read from the cockpit's state, never by time; the
//! tour presses no key and hides nothing: it has lines of its own above the footer (`tui::screen::tour`); a stage that
//! was gone back to stays until it is done again, or until the person goes on.

mod stages;
mod words;

pub use stages::STAGES;
pub use words::lines;

use super::app::{App, Screen};
use droidmux_proto::{FindingView, SessionView};
use droidmux_record::{FindingId, FindingState, Tier};

/// A part of the tour.
pub struct Stage {
    pub title: &'static str,
    /// The screen it is about; `None` if it is about several.
    pub screen: Option<Screen>,
    /// What to press and why; `{name}` is the key of the command of that name.
    pub text: fn(&App) -> String,
    /// The person has done it.
    pub is_done: fn(&App) -> bool,
}

/// Where the tour stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tour {
    /// The number of the stage in [`STAGES`].
    pub stage: usize,
    /// The person came to a stage that is done already: it stays until it is undone, or they go on.
    held: bool,
    /// The finding that the tour leads to, once there is one.
    pub finding: Option<FindingId>,
}

impl Tour {
    /// The stage that is shown.
    pub fn told(&self) -> Option<&'static Stage> {
        STAGES.get(self.stage)
    }
}

impl App {
    /// Begins the tour at its first stage, or ends it.
    pub fn toggle_tour(&mut self) {
        self.tour = match self.tour {
            Some(_) => None,
            None => Some(Tour::default()),
        };
    }

    /// Goes to the previous stage, or to the next one.
    pub fn turn_tour(&mut self, forwards: bool) {
        let Some(tour) = &mut self.tour else { return };
        let stage = if forwards { tour.stage.saturating_add(1) } else { tour.stage.saturating_sub(1) };
        tour.stage = stage.min(STAGES.len() - 1);
        tour.held = true;
    }

    /// Goes on to the stage that the person has come to.
    pub(super) fn go_on_with_tour(&mut self) {
        let Some(mut tour) = self.tour.take() else { return };
        // Stages ask for the finding through the cockpit's state.
        if tour.finding.as_ref().is_none_or(|id| !self.findings.rows.iter().any(|row| row.id == *id)) {
            tour.finding = self.finding_to_show().map(|row| row.id.clone());
        }
        if let Some(view) = &self.stepper.view {
            // Whatever is stepped through is what the tour is about from then on.
            tour.finding = Some(view.finding.clone());
        }
        self.tour = Some(tour);
        while let Some(tour) = &self.tour
            && let Some(stage) = tour.told()
        {
            let (is_done, held) = ((stage.is_done)(self), tour.held);
            let Some(tour) = &mut self.tour else { return };
            match (is_done, held) {
                (true, false) => tour.stage += 1,
                (true, true) => return,
                (false, _) => {
                    tour.held = false;
                    return;
                }
            }
        }
    }

    /// The finding that the tour is about.
    pub(super) fn toured(&self) -> Option<&FindingView> {
        let id = self.tour.as_ref()?.finding.as_ref()?;
        self.findings.rows.iter().find(|row| row.id == *id)
    }

    /// The finding that shows most: one with a seed and a mutant to be compared. Others will do if no such finding can
    /// come.
    fn finding_to_show(&self) -> Option<&FindingView> {
        let standing = || {
            let new = |row: &&FindingView| row.tier == Tier::Reported && row.state == FindingState::New;
            let rows = self.findings.rows.iter().filter(new);
            rows.filter(|row| row.cluster == row.id && row.replays.is_none())
        };
        let has_mutant = |row: &&FindingView| row.technique == GENIE && row.oracle == GENIE;
        // Before the lab has said which sessions it has, such a finding may still come.
        let none_can_come = !self.view.sessions.is_empty() && self.searching().is_none();
        let best = standing().filter(has_mutant).min_by_key(|row| row.rank);
        best.or_else(|| standing().filter(|_| none_can_come).min_by_key(|row| row.rank))
    }

    /// The session that may still find what the tour is about.
    pub(super) fn searching(&self) -> Option<&SessionView> {
        let mut genies = self.view.sessions.iter().filter(|session| session.technique.name() == GENIE);
        genies.find(|session| !session.state.is_over())
    }
}

/// The technique whose findings have a seed and a mutant.
const GENIE: &str = "genie";
