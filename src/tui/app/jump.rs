//! The ways between findings, verdicts and steps, in both directions.
//!
//! In: a wish to go there, and the lab's word where that is. Out: the place shown, with the one left behind
//! remembered. A session that the lab does not show is opened first.

use super::{App, Effect, Screen};
use crate::pane::Pane;
use crate::theme::Role;
use droidmux_proto::{Lens, Request};
use droidmux_record::{Evidence, FindingId, SessionId, Slot, TurnPlace};

/// What is done once the lab shows a session.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Awaited {
    session: SessionId,
    then: Then,
}

#[derive(Clone, Debug, PartialEq)]
enum Then {
    /// The session becomes the current one, on whatever screen.
    Choose,
    /// The session is opened.
    Show,
    /// The lab is asked for a place in the session.
    Ask(Box<Request>),
    /// The step with this number is shown.
    Step(u64),
    /// This test is shown.
    Test(Slot, u16),
}

impl Awaited {
    /// The session is opened as soon as it is there.
    pub(super) fn session(session: SessionId) -> Self {
        Self { session, then: Then::Show }
    }
}

impl App {
    /// Opens a session of the lab, even one that ended before the lab began.
    pub fn open_stored(&mut self, session: SessionId) {
        self.in_session(session, Then::Show);
    }

    /// Makes a session the current one as soon as the lab shows it.
    pub(super) fn await_session(&mut self, session: SessionId) {
        self.awaited = Some(Awaited { session, then: Then::Choose });
        self.go_on_with_awaited();
    }

    /// Goes to the step at which the finding's evidence shows, and each further time to the next one.
    pub fn go_to_evidence(&mut self) {
        let Some(detail) = self.findings.detail() else {
            return self.say("no finding is selected", Role::Warn);
        };
        let (session, verdict) = (detail.finding.id.session, &detail.finding.verdict);
        let places = match &detail.run {
            Some(run) => run.places(verdict),
            None => verdict.places(),
        };
        let Some(at) = self.findings.place.checked_rem(places.len()) else {
            return match &verdict.evidence {
                Evidence::Deviation(deviation) => {
                    let source = deviation.deviant.source;
                    self.in_session(source.session, Then::Test(source.slot, source.test));
                }
                _ => self.say("its evidence names no step", Role::Dim),
            };
        };
        let Some(place) = places.get(at).copied() else { return };
        self.findings.place = at + 1;
        self.in_session(session, Then::Ask(Box::new(Request::FindStep { session, place })));
    }

    /// Goes to the verdict that the finding was first seen in.
    pub fn go_to_verdict(&mut self) {
        let Some(detail) = self.findings.detail() else {
            return self.say("no finding is selected", Role::Warn);
        };
        let (session, verdict) = (detail.finding.id.session, &detail.finding.verdict);
        let request = Request::FindVerdict { session, slot: verdict.slot, test: verdict.test };
        self.in_session(session, Then::Ask(Box::new(request)));
    }

    /// From a verdict to the step that its evidence names, from a step to the verdict on its test.
    pub fn go_to_counterpart(&mut self) {
        let Some(session) = self.session.id else { return };
        let request = match self.focus() {
            Pane::Verdicts => match self.session.verdict_log.get(self.session.verdicts.cursor) {
                Some(verdict) => Request::FindEvidence { session, verdict: verdict.seq },
                None => return self.say("no verdict is selected", Role::Warn),
            },
            _ => match self.session.step() {
                Some(step) => Request::FindVerdict { session, slot: step.slot, test: step.test },
                None => return self.say("no step is selected", Role::Warn),
            },
        };
        self.ask_once(request);
    }

    /// Shows a finding and why it is one.
    pub(super) fn open_finding(&mut self, id: &FindingId) {
        if !self.findings.rows.iter().any(|row| row.id == *id) {
            return self.say(format!("{id} is no finding yet"), Role::Dim);
        }
        self.remember_place();
        self.reveal_finding(id);
        self.show(Screen::Findings);
        self.findings.opened = true;
        self.set_focus(Pane::Why);
        self.landed();
    }

    /// Does what waited for a session that the lab shows.
    pub(super) fn go_on_with_awaited(&mut self) {
        let shown = |awaited: &Awaited| self.view.sessions.iter().any(|known| known.id == awaited.session);
        let Some(Awaited { session, then }) = self.awaited.take_if(|awaited| shown(awaited)) else { return };
        self.do_in(session, then);
    }

    /// The lab does not have what was waited for.
    pub(super) fn wait_no_more(&mut self) {
        self.awaited = None;
    }

    /// The answer to [`Request::FindStep`].
    pub(super) fn take_found_step(&mut self, session: SessionId, place: TurnPlace, row: Option<u64>) {
        match row {
            Some(row) => self.show_step(session, row),
            None => {
                let TurnPlace { slot, turn } = place;
                self.say(format!("{session} has no step at turn {turn} of {slot} or after it"), Role::Warn);
            }
        }
    }

    /// The answer to [`Request::FindEvidence`].
    pub(super) fn take_found_evidence(&mut self, session: SessionId, row: Option<u64>) {
        match row {
            Some(row) => self.show_step(session, row),
            None => self.say("no step of this verdict is in the log", Role::Warn),
        }
    }

    /// The answer to [`Request::FindVerdict`].
    pub(super) fn take_found_verdict(
        &mut self,
        session: SessionId,
        (slot, test): (Slot, u16),
        row: Option<u64>,
    ) {
        let Some(row) = row else {
            return self.say(format!("there is no verdict on {slot}/{test} yet"), Role::Dim);
        };
        self.remember_place();
        self.open_session(Some(session));
        self.show(Screen::Session);
        self.session.shown.verdicts = true;
        self.session.verdicts.cursor = row;
        self.set_focus(Pane::Verdicts);
    }

    /// Shows a step of a session, which is opened if the lab does not show it.
    pub(super) fn go_to_step_of(&mut self, session: SessionId, seq: u64) {
        self.in_session(session, Then::Step(seq));
    }

    /// Shows the first step of a job, in a session that is opened if the lab does not show it.
    pub(super) fn go_to_job_of(&mut self, session: SessionId, place: TurnPlace) {
        self.in_session(session, Then::Ask(Box::new(Request::FindStep { session, place })));
    }

    /// Shows a step of the whole log.
    pub(super) fn show_step(&mut self, session: SessionId, row: u64) {
        self.remember_place();
        self.open_session(Some(session));
        self.show(Screen::Session);
        self.look_at_all();
        self.session.follows = false;
        self.session.shown.trace = true;
        self.session.trace.cursor = row;
        self.set_focus(Pane::Trace);
    }

    /// Does something in a session, which is opened if the lab does not show it.
    fn in_session(&mut self, session: SessionId, then: Then) {
        if self.view.sessions.iter().any(|known| known.id == session) {
            return self.do_in(session, then);
        }
        self.effect(Effect::Send(Request::Open(session)));
        self.say(format!("{session} is read from the store"), Role::Dim);
        self.awaited = Some(Awaited { session, then });
    }

    fn do_in(&mut self, session: SessionId, then: Then) {
        match then {
            Then::Ask(request) => self.ask_once(*request),
            Then::Choose => {
                self.lab.followed = None;
                self.open_session(Some(session));
            }
            Then::Show => {
                let tile = self.view.sessions.iter().position(|known| known.id == session);
                self.tiles.cursor = tile.map_or(self.tiles.cursor, |tile| tile as u64);
                self.remember_place();
                self.open_session(Some(session));
                // A digest that lies over the screen stays.
                let dialog = self.dialog.take();
                self.show(Screen::Session);
                self.dialog = dialog;
            }
            Then::Step(seq) => self.show_step(session, seq),
            Then::Test(slot, test) => {
                self.remember_place();
                self.open_session(Some(session));
                self.show(Screen::Session);
                self.look_through(Lens::Test { slot, test }, None);
                self.set_focus(Pane::Trace);
            }
        }
    }

    /// Asks the lab, unless it is asked already.
    pub(super) fn ask_once(&mut self, request: Request) {
        if self.asked.may_send(&request) {
            self.effect(Effect::Send(request));
        }
    }
}
