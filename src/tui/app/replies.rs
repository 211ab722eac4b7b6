//! Taking in what the lab says.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::groups::Groups;
use super::{App, Effect, Row, Screen};
use crate::text;
use crate::theme::Role;
use droidmux_proto::{
    Connection, ExchangeDetail, ExchangeView, FindingDetail, FindingView, LabView, Lens, LogLens, Reply,
    Request, StepView, VerdictView,
};
use droidmux_record::{Agent, FindingId, SessionId, Tier};
use droidmux_words::figure;

/// How many findings are announced one by one; more are only counted.
const MAX_ANNOUNCED: usize = 1;

impl App {
    pub(super) fn take_view(&mut self, view: Arc<LabView>) {
        let before = std::mem::replace(&mut self.view, view);
        if before.sessions.is_empty() {
            self.select_running();
        }
        self.leave_removed(&before);
        if self.log.lens == LogLens::default() {
            self.log.rows.grow(self.view.log_rows);
        }
        self.go_on_with_awaited();
        self.take_up_led();
        let open = self.session.id.and_then(|id| self.view.sessions.iter().find(|s| s.id == id)).cloned();
        let Some(open) = open else { return };
        if self.session.lens == Lens::All {
            self.session.steps.grow(open.steps);
            // A step of another device may come late: any gap is asked for.
            for run in open.recent.chunk_by(|step, next| step.seq.checked_add(1) == Some(next.seq)) {
                self.session.steps.grow(run[0].seq.saturating_add(run.len() as u64));
                self.session.take_steps(run[0].seq, run.to_vec());
            }
        }
        self.session.verdict_log.grow(open.verdicts);
        self.grow_transcripts();
    }

    /// Someone who comes to a lab that has worked for a while wants what it does now, not what ended first.
    fn select_running(&mut self) {
        let first = self.view.sessions.iter().position(|session| !session.state.is_over()).unwrap_or(0);
        if self.session.id.is_none() {
            self.session.id = self.view.sessions.get(first).map(|session| session.id);
        }
    }

    /// Leaves the open session if it had ended and the lab no longer has it. One that had not ended comes back: its lab
    /// is starting again.
    fn leave_removed(&mut self, before: &LabView) {
        let Some(open) = self.session.id.filter(|_| self.current_session().is_none()) else { return };
        if !before.sessions.iter().any(|session| session.id == open && session.state.is_over()) {
            return;
        }
        self.open_session(None);
        if matches!(self.screen, Screen::Session | Screen::Transcripts | Screen::Model) {
            self.show(Screen::Lab);
            self.say(format!("{open} is no longer in the lab"), Role::Warn);
        }
    }

    pub(super) fn take_reply(&mut self, reply: Reply) {
        self.asked.answered(&reply);
        match reply {
            Reply::Steps { session, from, steps } => self.take_steps(session, from, steps),
            Reply::Trace { session, lens, from, len, looked, steps } => {
                self.take_trace((session, &lens), from, (len, looked), steps);
            }
            Reply::Verdicts { session, from, verdicts } => self.take_verdicts(session, from, verdicts),
            Reply::Exchanges { session, agent, from, exchanges } => {
                self.take_exchanges((session, agent), from, exchanges);
            }
            Reply::Exchange { session, seq, detail } => self.take_exchange(session, seq, detail),
            Reply::FoundExchange { session, agent, text, row } => {
                if self.shows_exchanges(session, agent) {
                    self.take_found(&text, row);
                }
            }
            Reply::FoundStep { session, place, row } => self.take_found_step(session, place, row),
            Reply::Map(session, map) => self.take_map(session, map),
            Reply::FoundEvidence { session, row, .. } => self.take_found_evidence(session, row),
            Reply::FoundVerdict { session, slot, test, row } => {
                self.take_found_verdict(session, (slot, test), row);
            }
            Reply::SoughtStep { session, lens, sought, row, gave_up } => {
                self.take_sought((session, &lens), &sought, (row, gave_up));
            }
            Reply::Log { lens, from, len, written, rows } => self.take_log(&lens, (from, len, written), rows),
            Reply::SoughtLog { lens, text, row } => self.take_sought_line(&lens, &text, row),
            Reply::Doctor(view) => self.take_doctor(*view),
            Reply::Findings(rows) => self.take_findings(rows),
            Reply::Bookmarks(rows) => self.bookmarks.rows = rows,
            Reply::Finding(detail) => self.take_finding(*detail),
            Reply::Layout(hash, layout) => drop(self.cache.layouts.put(hash, layout)),
            Reply::Screenshot(hash, png) => {
                self.take_picture(hash, png.as_ref());
                self.cache.screenshots.put(hash, png);
            }
            Reply::Digest(digest) => self.take_digest(digest),
            Reply::Opened(subject, session) => self.take_opened(subject, session),
            Reply::Stepper(session, view) => self.take_stepper(session, view.map(|view| *view)),
            Reply::Recorder(view) => self.take_recorder(view.map(|view| *view)),
            Reply::SessionFiles { files, .. } => self.take_session_files(files),
            Reply::Started(start, begun) => self.take_started(&start, begun),
            Reply::Rechecked(finding, words) => {
                self.findings.stale.push(finding);
                self.say(words, Role::Good);
            }
            Reply::Resync(lost) => self.take_resync(lost),
            Reply::Question(_, question) => self.take_question(question),
            Reply::Answered(number, taking) => self.take_taking(number, taking),
            Reply::Refused { request, why } => self.take_refusal(&request, &why),
        }
    }

    /// Steps of the whole log, if the open session shows it.
    fn take_steps(&mut self, session: SessionId, from: u64, steps: Vec<StepView>) {
        if self.is_open(session) && self.session.lens == Lens::All {
            self.session.take_steps(from, steps);
        }
    }

    /// Steps that a lens lets through, if the open session is seen through it; how many there are, and how many have
    /// been looked at.
    fn take_trace(
        &mut self,
        (session, lens): (SessionId, &Lens),
        from: u64,
        (len, looked): (u64, u64),
        steps: Vec<(u64, StepView)>,
    ) {
        if self.is_open(session) && self.session.lens == *lens {
            self.looked_through(looked);
            self.session.steps.grow(len);
            self.session.take_rows(from, steps);
        }
    }

    fn take_verdicts(&mut self, session: SessionId, from: u64, verdicts: Vec<VerdictView>) {
        if self.is_open(session) {
            let rows = verdicts.into_iter().map(|verdict| (verdict.seq, verdict));
            self.session.verdict_log.insert(from, rows);
            self.session.verdict_log.trim(self.session.verdicts.cursor);
        }
    }

    fn take_exchanges(
        &mut self,
        (session, agent): (SessionId, Option<Agent>),
        from: u64,
        exchanges: Vec<ExchangeView>,
    ) {
        if self.shows_exchanges(session, agent) {
            // Rows of one agent are numbered by themselves.
            self.transcripts.lines.insert(from, (from..).zip(exchanges));
            self.transcripts.lines.trim(self.transcripts.list.cursor);
        }
    }

    fn take_exchange(&mut self, session: SessionId, seq: u64, detail: Option<Box<ExchangeDetail>>) {
        if self.is_open(session) {
            self.transcripts.details.put(seq, detail.map(Arc::from));
        }
    }

    fn is_open(&self, session: SessionId) -> bool {
        self.session.id == Some(session)
    }

    /// Whether these exchanges are the rows of the transcripts.
    fn shows_exchanges(&self, session: SessionId, agent: Option<Agent>) -> bool {
        self.is_open(session) && self.transcripts.agent == agent
    }

    fn take_finding(&mut self, detail: FindingDetail) {
        self.findings.stale.retain(|id| *id != detail.finding.id);
        self.findings.details.put(detail.finding.id.clone(), Arc::new(detail));
    }

    /// The lab dropped replies that did not get through.
    fn take_resync(&mut self, lost: u64) {
        self.ask_again();
        let lost = figure::count(lost, "answer");
        self.say(format!("the link is slow: {lost} did not get through and is asked for again"), Role::Warn);
    }

    fn take_refusal(&mut self, request: &Request, why: &str) {
        if let Request::Findings = request {
            self.findings.asked_version = None;
        }
        if let Request::Open(_) = request {
            self.wait_no_more();
        }
        if let Request::Start(_) = request {
            self.start_refused(why);
        }
        self.say(format!("the lab refused: {why}"), Role::Bad);
    }

    /// The connection to the lab broke, or is back: then everything is asked for again.
    pub(super) fn take_connection(&mut self, connection: Connection) {
        match &connection {
            Connection::Up => {
                self.ask_again();
                self.ask_digest();
                self.aside = self.options.opens.is_some();
                self.say("the lab is back", Role::Good);
            }
            Connection::Down { why, .. } => {
                self.asked.lapse();
                self.start_refused("the link to the lab broke: whether it has begun shows when it is back");
                self.say(format!("the link to the lab broke: {why}"), Role::Warn);
            }
            Connection::Refused(why) => {
                self.asked.lapse();
                self.say(why.clone(), Role::Bad);
            }
        }
        self.connection = connection;
    }

    /// What was asked for may never come: it may be asked for again.
    pub(super) fn ask_again(&mut self) {
        self.asked.lapse();
        self.log.doctor.version = None;
        self.start_open_again();
        self.findings.asked_version = None;
        self.bookmarks.ask_again();
        self.recorder.ask_again();
    }

    fn take_findings(&mut self, mut rows: Vec<FindingView>) {
        rows.sort_by_key(|row| (row.tier, row.rank, row.id.session));
        self.findings.groups = Groups::of(&rows);
        self.findings.picked.retain(|id| rows.iter().any(|row| row.id == *id));
        let old = std::mem::replace(&mut self.findings.rows, rows);
        let is_reported = |row: &&FindingView| row.tier == Tier::Reported && row.cluster == row.id;
        let known: BTreeSet<&FindingId> = old.iter().filter(is_reported).map(|row| &row.id).collect();
        // What another session found before, or what is run again, is no news.
        let leads = self.findings.rows.iter().enumerate().filter(|(n, _)| self.findings.groups.is_lead(*n));
        let reported = leads.map(|(_, row)| row).filter(is_reported);
        let new: Vec<_> = reported.filter(|row| !known.contains(&row.id)).collect();
        if self.findings.loaded && !new.is_empty() {
            for row in new.iter().take(MAX_ANNOUNCED) {
                let more = match new.len() - 1 {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                let text = format!("reported {}: {}{more}", row.id, text::fit(&row.title, 120, "…"));
                self.outbox.push(Effect::Announce(text));
            }
            if self.screen != Screen::Findings {
                self.findings.unseen += new.len() as u64;
            }
        }
        // If the list changed, so did the detail; the old one is shown until the new one is here.
        let rows = &self.findings.rows;
        let changed = old.iter().filter(|row| !rows.contains(row)).map(|row| row.id.clone());
        self.findings.stale.extend(changed);
        let rows = &self.findings.rows;
        self.findings.stale.retain(|id| rows.iter().any(|row| row.id == *id));
        self.findings.stale.sort_unstable();
        self.findings.stale.dedup();
        self.findings.loaded = true;
        self.refilter_keeping(&old);
    }

    /// Applies the filter again to new rows; the cursor stays on its finding.
    fn refilter_keeping(&mut self, old: &[FindingView]) {
        let selected = match self.findings.row() {
            Some(Row::Finding(number)) => old.get(*number).map(|row| row.id.clone()),
            Some(Row::Explanation { .. }) | None => None,
        };
        let table = self.findings.table;
        self.filter_findings();
        self.findings.table = table;
        if let Some(id) = selected {
            self.findings.select(&id);
        }
    }
}
