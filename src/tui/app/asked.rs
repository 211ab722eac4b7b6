//! Requests under way, so that nothing is asked twice and nothing refused is asked again.

use droidmux_proto::{Reply, Request};

/// Requests under way at once.
const MOST: usize = 24;
/// Refusals remembered.
const REFUSALS: usize = 64;

#[derive(Debug, Default)]
pub struct Asked {
    waiting: Vec<Request>,
    refused: Vec<Request>,
}

impl Asked {
    /// Notes the request as sent; false when it must not be sent now.
    pub fn may_send(&mut self, request: &Request) -> bool {
        let known = self.waiting.contains(request) || self.refused.contains(request);
        if known || self.waiting.len() >= MOST {
            return false;
        }
        self.waiting.push(request.clone());
        true
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether a request of this kind is under way.
    pub fn is_waiting_for(&self, kind: impl Fn(&Request) -> bool) -> bool {
        self.waiting.iter().any(kind)
    }

    pub fn not_sent(&mut self, request: &Request) {
        self.waiting.retain(|waiting| waiting != request);
    }

    /// Crosses off what a reply answers.
    pub fn answered(&mut self, reply: &Reply) {
        self.waiting.retain(|request| !answers(reply, request));
        if let Reply::Refused { request, .. } = reply {
            if self.refused.len() == REFUSALS {
                self.refused.remove(0);
            }
            self.refused.push(request.clone());
        }
    }

    /// Gives up waiting: replies may have been dropped.
    pub fn lapse(&mut self) {
        self.waiting.clear();
    }

    /// Lets what was refused be asked again.
    pub fn forgive(&mut self) {
        self.refused.clear();
    }
}

fn answers(reply: &Reply, request: &Request) -> bool {
    match (reply, request) {
        (Reply::Steps { session, from, .. }, Request::Steps { session: s, from: f, .. })
        | (Reply::Verdicts { session, from, .. }, Request::Verdicts { session: s, from: f, .. }) => {
            session == s && from == f
        }
        (
            Reply::Exchanges { session, agent, from, .. },
            Request::Exchanges { session: s, agent: a, from: f, .. },
        ) => session == s && agent == a && from == f,
        (Reply::Exchange { session, seq, .. }, Request::Exchange { session: s, seq: n }) => {
            session == s && seq == n
        }
        (
            Reply::FoundExchange { session, text, .. },
            Request::FindExchange { session: s, text: wanted, .. },
        ) => session == s && text == wanted,
        (Reply::FoundStep { session, place, .. }, Request::FindStep { session: s, place: p }) => {
            session == s && place == p
        }
        (Reply::Map(session, _), Request::Map(s)) => session == s,
        (Reply::Trace { session, lens, from, .. }, Request::Trace { session: s, lens: l, from: f, .. }) => {
            session == s && lens == l && from == f
        }
        (
            Reply::SoughtStep { session, lens, sought, .. },
            Request::SeekStep { session: s, lens: l, sought: what, .. },
        ) => session == s && lens == l && sought == what,
        (
            Reply::FoundVerdict { session, slot, test, .. },
            Request::FindVerdict { session: s, slot: job, test: t },
        ) => session == s && slot == job && test == t,
        (Reply::FoundEvidence { session, verdict, .. }, Request::FindEvidence { session: s, verdict: v }) => {
            session == s && verdict == v
        }
        (Reply::Log { lens, from, .. }, Request::Log { lens: l, from: f, .. }) => lens == l && from == f,
        (Reply::SoughtLog { lens, text, .. }, Request::SeekLog { lens: l, text: wanted, .. }) => {
            lens == l && text == wanted
        }
        (Reply::Doctor(_), Request::Doctor) => true,
        (Reply::Findings(_), Request::Findings) | (Reply::Bookmarks(_), Request::Bookmarks) => true,
        (Reply::Finding(detail), Request::Finding(id)) => detail.finding.id == *id,
        (Reply::Layout(hash, _), Request::Layout(asked)) => hash == asked,
        (Reply::Screenshot(hash, _), Request::Screenshot(asked)) => hash == asked,
        (Reply::Stepper(session, _), Request::Stepper(asked)) => session == asked,
        (Reply::Recorder(_), Request::Recorder) => true,
        (Reply::SessionFiles { folder, .. }, Request::SessionFiles { folder: asked }) => folder == asked,
        (Reply::Started(start, _), Request::Start(asked)) => start == asked,
        (Reply::Rechecked(finding, _), Request::Recheck(asked)) => finding == asked,
        (Reply::Question(number, _), Request::Question(asked)) => number == asked,
        (Reply::Refused { request: refused, .. }, request) => refused == request,
        _ => false,
    }
}
