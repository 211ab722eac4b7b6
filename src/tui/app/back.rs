//! The way back: where a person stood before a step into something.
//!
//! In: every step that leads elsewhere (another screen, a finding from its verdict, a step from its finding, the layout
//! from its step). Out: the place to come back to, last first. A place whose session the lab no longer has is passed
//! over. Going back by hand within a screen counts as having gone back: Esc does not lead there again.

use super::{App, Screen};
use crate::pane::Pane;
use droidmux_proto::Lens;
use droidmux_record::{Agent, FindingId, SessionId, Tier};

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
    exchange: Option<ExchangePlace>,
    tier: Tier,
    filter: String,
    /// The detail of a finding, or of an exchange, filled the screen.
    opened: bool,
    /// A step had led straight there.
    landed: bool,
}

/// Where in a session.
#[derive(Clone, Debug, PartialEq)]
struct SessionPlace {
    id: SessionId,
    /// What the trace shows, the row of the cursor in that, and the number of the step there.
    lens: Lens,
    step: u64,
    seq: Option<u64>,
    verdict: u64,
    follows: bool,
}

/// Where in the exchanges of a session.
#[derive(Clone, Debug, PartialEq)]
struct ExchangePlace {
    agent: Option<Agent>,
    row: u64,
    follows: bool,
    /// Which of the steps that it cites was gone to.
    cited: Option<(u64, usize)>,
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
    pub fn remember_place(&mut self) {
        let place = self.place();
        if self.back.last() == Some(&place) {
            return;
        }
        if self.back.len() == MOST {
            self.back.remove(0);
        }
        self.back.push(place);
    }

    /// Steps into another pane of the screen.
    pub(super) fn step_into(&mut self, pane: Pane) {
        self.remember_place();
        self.set_focus(pane);
    }

    /// Moves the focus as the person says; if that leads back to a remembered place of this screen, the place counts as
    /// returned to.
    pub(super) fn choose_focus(&mut self, pane: Pane) {
        self.set_focus(pane);
        while self.back.last().is_some_and(|place| self.is_within(place) && place.focus == pane) {
            self.back.pop();
        }
    }

    /// Goes back to the pane of this screen that was stepped out of; false if there was none.
    pub(super) fn step_out(&mut self) -> bool {
        let now = self.place();
        while self.back.pop_if(|place| *place == now).is_some() {}
        self.back.last().is_some_and(|place| self.is_within(place)) && self.return_to_place()
    }

    /// Whether a place is one of the screen as it is now.
    fn is_within(&self, place: &Place) -> bool {
        let now = self.place();
        let shown = |place: &Place| place.session.as_ref().map(|at| (at.id, at.lens.clone()));
        place.screen == now.screen
            && (place.tier, &place.filter) == (now.tier, &now.filter)
            && (place.screen != Screen::Session || shown(place) == shown(&now))
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

    /// Whether what the place's screen shows is of a session that the lab no longer has.
    fn is_gone(&self, place: &Place) -> bool {
        let shown = match place.screen {
            Screen::Session | Screen::Transcripts | Screen::Model => place.session.as_ref().map(|at| at.id),
            Screen::Stepper => self.stepper.session,
            Screen::Lab | Screen::Findings | Screen::Recorder | Screen::Log => None,
        };
        shown.is_some_and(|id| !self.view.sessions.iter().any(|session| session.id == id))
    }

    fn place(&self) -> Place {
        let session = self.session.id.map(|id| SessionPlace {
            id,
            lens: self.session.lens.clone(),
            step: self.session.trace.cursor,
            seq: self.session.step().map(|step| step.seq),
            verdict: self.session.verdicts.cursor,
            follows: self.session.follows,
        });
        Place {
            screen: self.screen,
            focus: self.focus(),
            enlarged: self.enlarged,
            session: session.filter(|_| self.screen != Screen::Lab),
            finding: self.findings.selected().map(|row| row.id.clone()).filter(|_| self.is_on_findings()),
            exchange: (self.screen == Screen::Transcripts).then_some(ExchangePlace {
                agent: self.transcripts.agent,
                row: self.transcripts.list.cursor,
                follows: self.transcripts.follows,
                cited: self.transcripts.cited,
            }),
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
                // After a change of lens its row must be asked for, except among all steps, where rows are counted by
                // their numbers.
                let is_counted = at.lens == self.session.lens || at.lens == Lens::All;
                self.look_through(at.lens, at.seq);
                if is_counted {
                    self.session.trace.cursor = at.step;
                }
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
            Screen::Transcripts => {
                if let Some(at) = place.exchange {
                    self.show_exchange(at.agent, at.row);
                    self.transcripts.follows = at.follows;
                    self.transcripts.cited = at.cited;
                }
                self.transcripts.opened = place.opened;
            }
            _ => {}
        }
        self.landed = place.landed;
        self.set_focus(place.focus);
        self.enlarged = place.enlarged;
    }
}
