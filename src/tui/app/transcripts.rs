//! The Transcripts screen's state: the exchanges of the open session with language models.

use std::sync::Arc;

use super::cache::Recent;
use super::{App, Effect, Screen};
use crate::proto::{ExchangeDetail, ExchangeView, Request};
use crate::record::{Agent, BlobHash};
use crate::tui::list::List;
use crate::tui::pages::Pages;
use crate::tui::pane::Pane;
use crate::tui::text;
use crate::tui::theme::Role;

/// A line of text in pieces.
type Line = Vec<(String, Role)>;

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
    pub details: Recent<u64, Option<Arc<ExchangeDetail>>>,
    pub text: List,
    pub text_lines: Vec<Line>,
    /// The exchange and the width the text was laid out for.
    text_of: Option<(u64, u16)>,
    /// The first picture shown, of those that were sent.
    pub picture: usize,
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
            details: Recent::new(DETAILS),
            text: List::default(),
            text_lines: Vec::new(),
            text_of: None,
            picture: 0,
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
        self.details.get(&self.selected()?)?.as_ref()
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

    /// Shows the exchanges of the next agent that asked, after the last those of all.
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
        let search = std::mem::take(&mut self.transcripts.search);
        self.transcripts = TranscriptsScreen { agent: next, search, ..TranscriptsScreen::default() };
        self.grow_transcripts();
    }

    /// Shows the next of the pictures that were sent, or the one before.
    pub fn turn_pictures(&mut self, forwards: bool) {
        let count = self.transcripts.detail().map_or(0, |detail| detail.pictures.len());
        let now = self.transcripts.picture;
        self.transcripts.picture =
            if forwards { (now + 1).min(count.saturating_sub(1)) } else { now.saturating_sub(1) };
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

/// The exchange as lines: how it went, the reply, the prompt, the role.
fn lay_out(detail: &ExchangeDetail, width: u16) -> Vec<Line> {
    let line = &detail.line;
    let mut lines = Vec::new();
    let mut paragraph = |text: &str, role: Role| {
        for line in text.lines() {
            // A blank line stays one.
            let wrapped = text::wrap(&text::safe(line), usize::from(width).max(1));
            let wrapped = if wrapped.is_empty() { vec![String::new()] } else { wrapped };
            lines.extend(wrapped.into_iter().map(|line| vec![(line, role)]));
        }
    };
    let answered = match line.answered_by.as_str() {
        "" => "nobody answered".to_owned(),
        who => format!("answered by {who}"),
    };
    let figures = format!(
        "{answered}, {} ms, {} tokens in, {} out, cost {}",
        text::thousands(line.latency_ms.into()),
        text::thousands(line.tokens_in),
        text::thousands(line.tokens_out),
        text::money(line.cost),
    );
    paragraph(&figures, Role::Dim);
    for failed in &detail.tries {
        paragraph(&format!("failed before: {failed}"), Role::Warn);
    }
    if !detail.differs.is_empty() {
        paragraph(&format!("differs from the recording: {}", detail.differs), Role::Warn);
    }
    let reply_role = if line.failed { Role::Bad } else { Role::Text };
    for (title, text, role) in [
        ("Reply", pretty(&detail.reply), reply_role),
        ("Prompt", detail.prompt.clone(), Role::Text),
        ("Role", detail.role.clone(), Role::Dim),
    ] {
        paragraph(" ", Role::Text);
        paragraph(title, Role::Title);
        paragraph(&text, role);
    }
    lines
}

/// JSON with a line for each value, anything else as it is.
fn pretty(reply: &str) -> String {
    let parsed: Result<serde_json::Value, _> = serde_json::from_str(reply);
    parsed.and_then(|value| serde_json::to_string_pretty(&value)).unwrap_or_else(|_| reply.to_owned())
}
