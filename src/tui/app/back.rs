//! The way back: where a person stood before a step into something.
//!
//! In: every step that leads elsewhere (another screen, a finding from its verdict, a step from its finding). Out:
//! the place to come back to, last first. A place whose session the lab has no more is passed over.

use super::{App, Screen};
use crate::record::{FindingId, SessionId, Tier};
use crate::tui::pane::Pane;

/// Places remembered.
const MOST: usize = 32;

/// Where a person stood.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    screen: Screen,
    focus: Pane,
    enlarged: Option<Pane>,
    session: Option<SessionPlace>,
    finding: Option<FindingId>,
    tier: Tier,
    filter: String,
    /// The detail of a finding, or of an exchange, filled the screen.
    opened: bool,
    /// A step had led straight there.
    landed: bool,
}

/// Where in a session.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SessionPlace {
    id: SessionId,
    step: u64,
    verdict: u64,
    follows: bool,
}

impl App {
    /// Goes to a screen and remembers from where.
    pub fn go_to(&mut self, screen: Screen) {
        if screen != self.screen {
            self.remember_place();
        }
        self.show(screen);
    }

    /// Notes where the person stands, before a step into something.
    pub(super) fn remember_place(&mut self) {
        let place = self.place();
        if self.back.last() == Some(&place) {
            return;
        }
        if self.back.len() == MOST {
            self.back.remove(0);
        }
        self.back.push(place);
    }

    /// Notes that the person was led straight into something, so that Esc leads back at once.
    pub(super) fn landed(&mut self) {
        self.landed = true;
    }

    /// Goes back to the last place that is still there; false when there is none.
    pub(super) fn return_to_place(&mut self) -> bool {
        while let Some(place) = self.back.pop() {
            if place != self.place() && !self.is_gone(&place) {
                self.stand_at(place);
                return true;
            }
        }
        false
    }

    /// What the place's screen shows is of a session that the lab has no more.
    fn is_gone(&self, place: &Place) -> bool {
        let shown = match place.screen {
            Screen::Session | Screen::Transcripts | Screen::Model => place.session.map(|at| at.id),
            Screen::Stepper => self.stepper.session,
            Screen::Lab | Screen::Findings | Screen::Recorder | Screen::Log => None,
        };
        shown.is_some_and(|id| !self.view.sessions.iter().any(|session| session.id == id))
    }

    fn place(&self) -> Place {
        let session = self.session.id.map(|id| SessionPlace {
            id,
            step: self.session.trace.cursor,
            verdict: self.session.verdicts.cursor,
            follows: self.session.follows,
        });
        Place {
            screen: self.screen,
            focus: self.focus(),
            enlarged: self.enlarged,
            session: session.filter(|_| self.screen != Screen::Lab),
            finding: self.findings.selected().map(|row| row.id.clone()).filter(|_| self.is_on_findings()),
            tier: self.findings.tier,
            filter: self.findings.filter.clone(),
            landed: self.landed,
            opened: match self.screen {
                Screen::Findings => self.findings.opened,
                Screen::Transcripts => self.transcripts.opened,
                _ => false,
            },
        }
    }

    fn is_on_findings(&self) -> bool {
        self.screen == Screen::Findings
    }

    fn stand_at(&mut self, place: Place) {
        if let Some(at) = place.session {
            self.open_session(Some(at.id));
            if place.screen == Screen::Session {
                self.look_at_all();
                self.session.trace.cursor = at.step;
                self.session.verdicts.cursor = at.verdict;
                self.session.follows = at.follows;
            }
        }
        self.show(place.screen);
        match place.screen {
            Screen::Findings => {
                self.findings.filter = place.filter;
                self.findings.opened = place.opened;
                self.show_tier(place.tier);
                if let Some(id) = place.finding {
                    self.findings.select(&id);
                }
            }
            Screen::Transcripts => self.transcripts.opened = place.opened,
            _ => {}
        }
        self.landed = place.landed;
        self.set_focus(place.focus);
        self.enlarged = place.enlarged;
    }
}
