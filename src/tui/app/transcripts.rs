//! The Transcripts screen's state: the exchanges of the open session with language models.

use std::sync::Arc;

use lru::LruCache;

use super::answering::{Draft, Opening};
use super::cache::recent;
use super::{App, Effect, Screen};
use crate::list::List;
use crate::pages::Pages;
use crate::paint::Words;
use crate::pane::Pane;
use crate::reply;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{ExchangeDetail, ExchangeView, Request, SuspicionView};
use droidmux_record::{Agent, BlobHash, SessionId, TurnPlace};
use droidmux_words::figure;

/// Exchanges kept in full.
const DETAILS: usize = 12;

pub struct TranscriptsScreen {
    /// Only the exchanges of this agent.
    pub agent: Option<Agent>,
    pub list: List,
    pub lines: Pages<ExchangeView>,
    /// The list shows its end as it grows.
    pub follows: bool,
    /// With little room: the exchange instead of the list.
    pub opened: bool,
    pub search: String,
    /// By number in the session's log; `None` when the lab has none.
    pub details: LruCache<u64, Option<Arc<ExchangeDetail>>>,
    pub text: List,
    pub text_lines: Vec<Words>,
    /// The exchange and the width the text was laid out for.
    text_of: Option<(u64, u16)>,
    /// The first picture shown, of those that were sent.
    pub picture: usize,
    /// An exchange, and which of the steps that it cites is gone to next.
    pub(super) cited: Option<(u64, usize)>,
    /// A reply of this person to a waiting question, until it is taken.
    pub draft: Option<Draft>,
    /// A question that waits for its pictures before it is opened in the editor.
    pub(super) opening: Option<Opening>,
}

impl Default for TranscriptsScreen {
    fn default() -> Self {
        Self {
            agent: None,
            list: List::default(),
            lines: Pages::default(),
            follows: true,
            opened: false,
            search: String::new(),
            details: recent(DETAILS),
            text: List::default(),
            text_lines: Vec::new(),
            text_of: None,
            picture: 0,
            cited: None,
            draft: None,
            opening: None,
        }
    }
}

impl TranscriptsScreen {
    /// The number in the log of the exchange under the cursor, once its line is here.
    pub fn selected(&self) -> Option<u64> {
        self.lines.get(self.list.cursor).map(|line| line.seq)
    }

    /// The exchange under the cursor, once fetched.
    pub fn detail(&self) -> Option<&Arc<ExchangeDetail>> {
        self.details.peek(&self.selected()?)?.as_ref()
    }

    /// The pictures of the exchange under the cursor, from the first one shown on.
    pub fn pictures(&self) -> &[BlobHash] {
        let all = self.detail().map_or(&[][..], |detail| &detail.pictures);
        all.get(self.picture..).unwrap_or_default()
    }
}

impl App {
    /// Goes to the Transcripts screen, at the exchange under the cursor.
    pub fn open_exchange(&mut self) {
        self.go_to(Screen::Transcripts);
        self.landed();
        self.transcripts.opened = self.transcripts.lines.len() > 0;
        self.set_focus(if self.transcripts.opened { Pane::Exchange } else { Pane::Exchanges });
    }

    /// Shows the exchanges of the next agent that asked; after the last one, those of all.
    pub fn next_agent(&mut self) {
        let Some(session) = self.current_session() else { return };
        let agents: Vec<Agent> = session.model.by_agent.iter().map(|(agent, _)| *agent).collect();
        let next = match self.transcripts.agent {
            None => agents.first().copied(),
            Some(now) => {
                let place = agents.iter().position(|agent| *agent == now);
                place.and_then(|place| agents.get(place + 1)).copied()
            }
        };
        self.show_agent(next);
    }

    /// Lists the exchanges of this agent only, or of all.
    fn show_agent(&mut self, agent: Option<Agent>) {
        let search = std::mem::take(&mut self.transcripts.search);
        let draft = self.transcripts.draft.take();
        self.transcripts = TranscriptsScreen { agent, search, draft, ..TranscriptsScreen::default() };
        self.grow_transcripts();
    }

    /// Shows a row again that was left.
    pub(super) fn show_exchange(&mut self, agent: Option<Agent>, row: u64) {
        if self.transcripts.agent != agent {
            self.show_agent(agent);
        }
        self.grow_transcripts();
        self.transcripts.list.cursor = row;
    }

    /// Shows the next of the pictures that were sent, or the one before.
    pub fn turn_pictures(&mut self, forwards: bool) {
        let count = self.transcripts.detail().map_or(0, |detail| detail.pictures.len());
        let now = self.transcripts.picture;
        self.transcripts.picture =
            if forwards { (now + 1).min(count.saturating_sub(1)) } else { now.saturating_sub(1) };
    }

    /// Copies the reply of the exchange under the cursor as it came, or the whole exchange.
    pub fn copy_exchange(&mut self, whole: bool) {
        let Some(detail) = self.transcripts.detail().cloned() else {
            return self.say("no exchange is selected", Role::Warn);
        };
        let (what, text) = match whole {
            false => ("the reply", detail.reply.clone()),
            true => {
                let head = figures(&detail.line);
                let ExchangeDetail { role, prompt, reply, .. } = &*detail;
                ("the exchange", format!("{head}\n\nRole\n{role}\n\nPrompt\n{prompt}\n\nReply\n{reply}\n"))
            }
        };
        self.say(format!("copied {what} of {} {}", detail.line.agent.name(), detail.line.slot), Role::Good);
        self.effect(Effect::Copy(text));
    }

    /// Goes to what the exchange under the cursor is about: the next step that a reader's reply cites, the finding that
    /// a reviewer judges, else the step that came of it.
    pub fn go_to_use(&mut self) {
        let about = self.transcripts.detail().map(|detail| (cited(detail), detail.finding.clone()));
        match about {
            Some((cited, _)) if !cited.is_empty() => return self.go_to_cited(&cited),
            Some((_, Some(finding))) => return self.open_finding(&finding),
            _ => {}
        }
        let (Some(session), Some(line)) =
            (self.session.id, self.transcripts.lines.get(self.transcripts.list.cursor))
        else {
            return self.say("no exchange is selected", Role::Warn);
        };
        let place = TurnPlace { slot: line.slot, turn: line.turn };
        let request = Request::FindStep { session, place };
        if self.asked.may_send(&request) {
            self.effect(Effect::Send(request));
        }
    }

    /// Goes to the first of these steps, and each further time to the next one.
    fn go_to_cited(&mut self, cited: &[Cited]) {
        let Some(seq) = self.transcripts.selected() else { return };
        let gone_to = self.transcripts.cited.filter(|(of, _)| *of == seq).map_or(0, |(_, steps)| steps);
        let Some(at) = gone_to.checked_rem(cited.len()) else { return };
        let Some(Cited { suspicion, session, place }) = cited.get(at) else { return };
        self.transcripts.cited = Some((seq, at + 1));
        let (step, of) = (at + 1, cited.len());
        self.say(format!("cited step {step} of {of}, suspicion {suspicion}"), Role::Dim);
        self.go_to_job_of(*session, *place);
    }

    /// Asks for the next exchange that holds the text searched for.
    pub fn search_transcripts(&mut self, forwards: bool) {
        let Some(session) = self.session.id else { return };
        let (agent, cursor) = (self.transcripts.agent, self.transcripts.list.cursor);
        let text = self.transcripts.search.clone();
        let from = if forwards { cursor.saturating_add(1) } else { cursor.saturating_sub(1) };
        if text.is_empty() || (!forwards && cursor == 0) {
            return;
        }
        let request = Request::FindExchange { session, agent, from, backwards: !forwards, text };
        if self.asked.may_send(&request) {
            self.effect(Effect::Send(request));
        }
    }

    /// The answer to a search.
    pub(super) fn take_found(&mut self, text: &str, row: Option<u64>) {
        match row {
            Some(row) => {
                self.transcripts.follows = false;
                self.transcripts.list.cursor = row;
            }
            None => self.say(format!("no further exchange has `{text}`"), Role::Warn),
        }
    }

    /// Notes how long the list has become.
    pub(super) fn grow_transcripts(&mut self) {
        let Some(model) = self.current_session().map(|session| session.model.clone()) else { return };
        let rows = match self.transcripts.agent {
            None => model.exchanges,
            Some(agent) => {
                model.by_agent.iter().find(|(asked, _)| *asked == agent).map_or(0, |(_, rows)| *rows)
            }
        };
        self.transcripts.lines.grow(rows);
    }

    /// Lays the exchange under the cursor out for this width.
    pub(super) fn settle_transcript(&mut self, width: u16) {
        let selected = self.transcripts.selected();
        let wanted = selected.filter(|_| self.transcripts.detail().is_some()).map(|seq| (seq, width));
        if wanted == self.transcripts.text_of {
            return;
        }
        let other = wanted.map(|(seq, _)| seq) != self.transcripts.text_of.map(|(seq, _)| seq);
        if other {
            self.transcripts.text = List::default();
            self.transcripts.picture = 0;
        }
        let lines = self.transcripts.detail().map(|detail| lay_out(detail, width)).unwrap_or_default();
        self.transcripts.text_lines = lines;
        self.transcripts.text_of = wanted;
    }
}

/// A step that a reader's reply cites.
struct Cited {
    /// The suspicion's number, from 1.
    suspicion: usize,
    session: SessionId,
    place: TurnPlace,
}

/// The steps that a reader's reply cites, suspicion by suspicion.
fn cited(detail: &ExchangeDetail) -> Vec<Cited> {
    let numbered = (1..).zip(&detail.suspicions);
    let steps = numbered.flat_map(|(suspicion, view)| {
        let session = view.session;
        view.steps.iter().map(move |place| Cited { suspicion, session, place: *place })
    });
    steps.collect()
}

/// The exchange as lines: when and how it went, what a reader suspects and noted, the reply, the prompt, the role.
fn lay_out(detail: &ExchangeDetail, width: u16) -> Vec<Words> {
    let line = &detail.line;
    let width = usize::from(width).max(1);
    let mut lines: Vec<Words> = Vec::new();
    let paragraph = |lines: &mut Vec<Words>, text: &str, role: Role| {
        let wrapped = text.lines().flat_map(|line| text::wrap(line, width));
        lines.extend(wrapped.map(|line| vec![(line, role)]));
    };
    paragraph(&mut lines, &figures(line), Role::Dim);
    for failed in &detail.tries {
        paragraph(&mut lines, &format!("failed before: {failed}"), Role::Warn);
    }
    if !detail.differs.is_empty() {
        paragraph(&mut lines, &format!("differs from the recording: {}", detail.differs), Role::Warn);
    }
    if !detail.suspicions.is_empty() {
        paragraph(&mut lines, " \nSuspicions", Role::Title);
        for (number, suspicion) in (1..).zip(&detail.suspicions) {
            paragraph(&mut lines, &format!("{number}. {}", told(suspicion)), Role::Text);
        }
    }
    if !detail.notebook.is_empty() {
        paragraph(&mut lines, " \nNotebook", Role::Title);
        paragraph(&mut lines, &detail.notebook.join("\n"), Role::Text);
    }
    paragraph(&mut lines, " \nReply", Role::Title);
    let reply_role = if line.failed { Role::Bad } else { Role::Text };
    let reply = reply::lines(&detail.reply, reply_role);
    lines.extend(reply.iter().flat_map(|line| text::wrap_pieces(line, width)));
    for (title, text, role) in [("Prompt", &detail.prompt, Role::Text), ("Role", &detail.role, Role::Dim)] {
        paragraph(&mut lines, &format!(" \n{title}"), Role::Title);
        paragraph(&mut lines, text, role);
    }
    lines
}

/// A suspicion with the steps that it cites.
fn told(suspicion: &SuspicionView) -> String {
    let names = |places: &[TurnPlace]| {
        let names: Vec<String> =
            places.iter().map(|place| format!("{}.{}", place.slot.0, place.turn)).collect();
        names.join(", ")
    };
    let controls = match suspicion.controls.is_empty() {
        true => String::new(),
        false => format!("; went right at {}", names(&suspicion.controls)),
    };
    let SuspicionView { words, confidence, steps, .. } = suspicion;
    format!("{words} ({confidence} %; shown by {}{controls})", names(steps))
}

/// Who answered when, and what it took.
fn figures(line: &ExchangeView) -> String {
    let answered = match line.answered_by.as_str() {
        "" => "nobody answered".to_owned(),
        who => format!("answered by {who}"),
    };
    format!(
        "asked at {} UTC, {answered}, {} ms, {} tokens in, {} out, cost {}",
        figure::clock(line.at_ms),
        figure::thousands(line.latency_ms.into()),
        figure::thousands(line.tokens_in),
        figure::thousands(line.tokens_out),
        figure::money(line.cost),
    )
}
