//! The hub: the lab's present state for viewers.
//!
//! Episodes and sessions tell it what happens; it never makes them wait. What viewers see of it
//! is published when something changed (`publishing`).

mod asked;
mod device;
mod doctor;
pub(crate) mod host;
mod log;
mod outlines;
mod publishing;
mod screenshots;
mod session;
mod state;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, broadcast, watch};
use tokio_util::sync::CancellationToken;

use super::gate::{Gate, Mode};
use super::journal::now_ms;
use super::question_view::waiting_view;
use super::queues::{QueueMarks, Queues};
use super::roster::Tenant;
use super::stepper::stands::Stands;
pub(super) use device::STUCK_AFTER;
pub(super) use outlines::Outline;
pub(super) use publishing::publish;
pub(super) use screenshots::Looks;
pub(super) use session::Resumed;
use session::{BY_HAND, SessionFeed, Want};
use state::State;

use droidmux_device::Shortcoming;
use droidmux_gui::LayoutHash;
use droidmux_llm::People;
use droidmux_proto::{AskingView, DeviceHealth, LabView, LogLevel, SessionState, SessionView, StepView};
use droidmux_record::{
    Agent, BlobHash, Budget, DeviceInfo, Handling, Incident, IncidentKind, LookTally, Progress, SessionId,
    Slot, Spent, StepOrder, TierCounts,
};

/// How many incidents may wait for a follower; one that falls behind misses the oldest.
const INCIDENTS: usize = 4_096;

/// Devices, sessions and log of one lab, as they are at this moment; shared by all its tasks.
pub struct Hub {
    state: Mutex<State>,
    view: watch::Sender<Arc<LabView>>,
    /// Something changed that a viewer is to be told.
    stirred: Notify,
    incidents: broadcast::Sender<Incident>,
    /// How full the lab's queues were.
    pub(super) queues: Arc<Queues>,
    /// Where tests that people lead wait for orders.
    pub(super) stands: Stands,
    /// Where questions wait for people.
    pub(super) people: Arc<People>,
}

impl Hub {
    pub(super) fn new(name: &str) -> Self {
        Self {
            state: Mutex::new(State::new(name)),
            view: watch::Sender::new(Arc::default()),
            stirred: Notify::new(),
            incidents: broadcast::Sender::new(INCIDENTS),
            queues: Arc::default(),
            stands: Stands::default(),
            people: Arc::default(),
        }
    }

    /// Tells those who follow incidents.
    pub(super) fn happened(&self, source: &str, what: IncidentKind) {
        // Sending fails when nobody follows incidents, which is no error.
        let _ = self.incidents.send(Incident { at_ms: now_ms(), source: source.into(), what });
    }

    /// What happens from now on.
    pub(super) fn incidents(&self) -> broadcast::Receiver<Incident> {
        self.incidents.subscribe()
    }

    /// The most the lab's queues ever held.
    pub fn queue_marks(&self) -> QueueMarks {
        self.queues.marks()
    }

    /// The lab's name.
    pub fn name(&self) -> String {
        self.lock().name.clone()
    }

    /// The recorder has something new to show.
    pub(super) fn recorder_changed(&self) {
        self.change(|state| state.recorder += 1);
    }

    /// Changes what is known of a host, which is thereby known.
    pub(super) fn host<T>(&self, name: &str, change: impl FnOnce(&mut host::HostFeed) -> T) -> T {
        let mut state = self.lock();
        let changed = change(state.hosts.entry(name.to_owned()).or_insert_with(host::HostFeed::new));
        self.stir();
        changed
    }

    /// What keeps a host from being reached, in words; `None` for one that can be, and for one that nobody knows.
    pub(super) fn host_trouble(&self, name: &str) -> Option<String> {
        let state = self.lock();
        let host = state.hosts.get(name)?;
        match host.state().words() {
            ("reachable", _) => None,
            (word, "") => Some(format!("{name} is {word}")),
            (word, why) => Some(format!("{name} is {word}: {why}")),
        }
    }

    pub(super) fn devices(&self, devices: Vec<(String, Option<String>, DeviceHealth, Option<Tenant>)>) {
        self.change(|state| {
            for (serial, host, health, owner) in devices {
                let feed = state.device(&serial);
                feed.view.host = host;
                feed.view.lease = match &health {
                    DeviceHealth::Elsewhere { whose, .. } => Some(whose.clone()),
                    _ => owner.map(|tenant| tenant.to_string()),
                };
                feed.view.health = health;
                feed.view.session = owner.and_then(Tenant::session);
                if owner.is_none() {
                    feed.view.job = None;
                }
            }
        });
    }

    pub(super) fn describe(&self, serial: &str, info: &DeviceInfo) {
        self.change(|state| {
            let view = &mut state.device(serial).view;
            view.model.clone_from(&info.model);
            view.android.clone_from(&info.android);
        });
    }

    /// What sessions do without on a device. The log says so once, when it begins and when it is over.
    pub(super) fn lacks(&self, serial: &str, now: &[Shortcoming]) {
        let (new, over) = self.lock().device(serial).lack(now);
        for shortcoming in &new {
            match shortcoming.may_cost_findings() {
                true => self.warn(serial, &shortcoming.to_string()),
                false => self.info(serial, &shortcoming.to_string()),
            }
        }
        // One that came in other words is not over.
        let is_over = |one: &&Shortcoming| !now.iter().any(|other| other.brief() == one.brief());
        for shortcoming in over.iter().filter(is_over) {
            self.info(serial, &format!("no longer so: {}", shortcoming.brief()));
        }
    }

    pub(super) fn job(&self, serial: &str, job: Option<(Slot, String)>) {
        self.change(|state| state.device(serial).view.job = job);
    }

    /// A session begins, or goes on; returns false, and does nothing, if it is already running.
    pub(super) fn session_began(&self, view: SessionView, gate: Gate) -> bool {
        let mut fits = false;
        self.change(|state| {
            fits = state.sessions.get(&view.id).is_none_or(SessionFeed::is_over);
            if fits {
                state.sessions.insert(view.id, SessionFeed::new(view, gate));
            }
        });
        fits
    }

    /// What a session may use besides events.
    pub(super) fn limit(&self, session: SessionId, until: Option<Instant>, llm: Budget) {
        self.of(session, |feed| feed.limit(until, llm));
    }

    /// This many people look at the lab through its server.
    pub(super) fn viewers(&self, count: u32) {
        self.change(|state| state.viewers = count);
    }

    /// Shows a session of the store that does not go on; does nothing if it is already shown.
    pub(super) fn session_over(&self, view: SessionView, gate: Gate, past: Resumed, under_way: Duration) {
        self.change(|state| {
            state.sessions.entry(view.id).or_insert_with(|| SessionFeed::over(view, gate, past, under_way));
        });
    }

    /// What the store tells of a session that goes on.
    pub(super) fn recorded(&self, session: SessionId, past: Resumed) {
        self.of(session, |feed| feed.remember(past));
    }

    /// A session goes on after this much time under way.
    pub(super) fn session_resumed(&self, session: SessionId, progress: Progress, earlier: Duration) {
        self.of(session, |feed| {
            feed.progress(progress);
            feed.go_on(earlier);
        });
    }

    /// Screenshots of layouts that were taken before this lab began, oldest first.
    pub(super) fn photographed(&self, screenshots: Vec<(LayoutHash, BlobHash)>) {
        self.change(|state| {
            for (layout, screenshot) in screenshots {
                state.screenshots.put(layout, screenshot);
            }
        });
    }

    /// True while a session runs in this lab.
    pub(super) fn is_running(&self, session: SessionId) -> bool {
        self.lock().sessions.get(&session).is_some_and(|feed| !feed.is_over())
    }

    /// A session has ended; `resumable` when that was before its end.
    pub(super) fn session_ended(&self, session: SessionId, how: SessionState, resumable: bool) {
        self.of(session, |feed| {
            feed.become_now(how);
            feed.view.resumable = resumable;
        });
    }

    pub(super) fn progress(&self, session: SessionId, progress: Progress) {
        self.of(session, |feed| feed.progress(progress));
    }

    /// Takes in what looking at screens cost so far.
    pub(super) fn looks(&self, session: SessionId, looks: LookTally) {
        self.of(session, |feed| feed.view.looks = looks);
    }

    /// Notes how dumps are degraded.
    pub(super) fn degraded(&self, session: SessionId, note: &str) {
        self.of(session, |feed| feed.degraded(note));
    }

    /// Shows a session as paused for want of disk space, or as running again.
    pub(super) fn space(&self, session: SessionId, low: Option<&str>) {
        self.wants(session, Want::Space, low, "disk space is back, going on");
    }

    /// Shows a session as paused for want of a device, or as running again.
    pub(super) fn alone(&self, session: SessionId, why: Option<&str>) {
        self.wants(session, Want::Device, why, "there is a device, going on");
    }

    fn wants(&self, session: SessionId, want: Want, why: Option<&str>, over: &str) {
        let text = why.map_or_else(|| over.to_owned(), |why| format!("paused: {why}"));
        let mut changed = false;
        self.change(|state| {
            let Some(feed) = state.sessions.get_mut(&session) else { return };
            if !feed.wants(want, why) {
                return;
            }
            state.journal.write(LogLevel::Warn, &session.to_string(), &text);
            changed = true;
        });
        if changed {
            self.happened(&session.to_string(), IncidentKind::Warning(text));
        }
    }

    /// Shows what a person's pause, resume, step or stop led to.
    pub(super) fn mode_changed(&self, session: SessionId, mode: Mode) {
        let now = match mode {
            Mode::Run | Mode::Step(_) => SessionState::Running,
            Mode::Pause => SessionState::Paused(BY_HAND.into()),
            Mode::Stop => SessionState::Stopping,
        };
        self.of(session, |feed| {
            if !feed.is_over() {
                feed.view.state = now;
            }
        });
    }

    /// A turn was recorded, as this step of the session's log. Steps of several devices may arrive in a different order
    /// from the log's.
    pub(super) fn step(&self, session: SessionId, mut step: StepView) {
        self.change(|state| {
            state.device(&step.device).stepped(&step);
            let Some(feed) = state.sessions.get_mut(&session) else { return };
            if let (Some(layout), Some(screenshot)) = (step.layout, step.screenshot) {
                state.screenshots.put(layout, screenshot);
            }
            step.screenshot = step.screenshot.or_else(|| state.screenshots.get(step.layout?));
            feed.stepped(step);
        });
    }

    /// A question is being answered on a device, or (`None`) no longer is.
    pub(super) fn asking(&self, session: SessionId, device: &str, asking: Option<AskingView>) {
        self.of(session, |feed| feed.asking(device, asking));
    }

    /// More of the reply to a device's question came; its end is shown.
    pub(super) fn partial(&self, session: SessionId, device: &str, tail: String) {
        self.of(session, |feed| feed.partial(device, tail));
    }

    /// An exchange was recorded, as this one of the session's log.
    pub(super) fn exchanged(&self, session: SessionId, seq: u64, agent: Agent, spent: Spent) {
        self.of(session, |feed| feed.exchanged(seq, agent, spent));
    }

    /// The numbers of the exchanges in rows `from` … of a session's list, or of the list of one
    /// agent.
    pub(super) fn exchanges(
        &self,
        session: SessionId,
        agent: Option<Agent>,
        from: u64,
        limit: u32,
    ) -> Vec<u64> {
        let state = self.lock();
        state.sessions.get(&session).map_or_else(Vec::new, |feed| feed.exchanges(agent, from, limit))
    }

    pub(super) fn judged(&self, session: SessionId, slot: Slot, verdicts: usize) {
        self.of(session, |feed| feed.judged(slot, verdicts));
    }

    pub(super) fn findings(&self, session: SessionId, counts: TierCounts) {
        self.change(|state| {
            state.findings_version += 1;
            if let Some(feed) = state.sessions.get_mut(&session) {
                feed.view.findings = counts;
            }
        });
    }

    /// A person's mark changed a finding of this session, which now has this many marked true.
    pub(super) fn marked(&self, session: SessionId, marked_true: u64) {
        self.change(|state| {
            state.findings_version += 1;
            if let Some(feed) = state.sessions.get_mut(&session) {
                feed.marked(marked_true);
            }
        });
    }

    /// A step was marked, or its mark taken away.
    pub(super) fn bookmarked(&self) {
        self.change(|state| state.bookmarks_version += 1);
    }

    /// A session photographed a layout on a device of this look.
    pub(super) fn put_into_album(&self, layout: LayoutHash, looks: Looks, screenshot: BlobHash) {
        self.lock().album.put((layout, looks), screenshot);
    }

    /// The screenshot of a layout that any session of this lab took on a device of this look.
    pub(super) fn in_album(&self, layout: LayoutHash, looks: Looks) -> Option<BlobHash> {
        self.lock().album.get((layout, looks))
    }

    /// A session photographed a screen of this outline.
    pub(super) fn put_outline(&self, session: SessionId, looks: Looks, outline: Outline) {
        self.lock().outlines.put(session, looks, outline);
    }

    /// Whether a screen that a session photographed differs from this one by a few texts alone.
    pub(super) fn has_like(&self, session: SessionId, looks: Looks, outline: &Outline) -> bool {
        self.lock().outlines.has_like(session, looks, outline)
    }

    /// The screenshot taken when this layout was first seen.
    pub(super) fn screenshot(&self, layout: Option<LayoutHash>) -> Option<BlobHash> {
        self.lock().screenshots.get(layout?)
    }

    /// Sessions were removed from the store: those that have ended are no longer shown, nor are their findings.
    pub(super) fn forget(&self, sessions: &BTreeSet<SessionId>) {
        self.change(|state| {
            state.sessions.retain(|id, feed| !sessions.contains(id) || !feed.is_over());
            state.findings_version += 1;
            state.bookmarks_version += 1;
        });
    }

    /// The verdicts from sequence `from` on: their sequence numbers, jobs and numbers in the
    /// jobs' judgements.
    pub(super) fn verdicts(&self, session: SessionId, from: u64, limit: u32) -> Vec<(u64, Slot, usize)> {
        self.lock().sessions.get(&session).map_or_else(Vec::new, |feed| feed.verdicts(from, limit))
    }

    /// The sequence number of the first verdict on a job.
    pub(super) fn first_verdict(&self, session: SessionId, slot: Slot) -> Option<u64> {
        self.lock().sessions.get(&session).and_then(|feed| feed.first_verdict(slot))
    }

    /// Steps recorded in a session so far.
    pub fn steps(&self, session: SessionId) -> u64 {
        self.lock().sessions.get(&session).map_or(0, |feed| feed.view.steps)
    }

    /// Shows which sessions get devices first.
    pub(super) fn priority(&self, session: SessionId, priority: i32) {
        self.of(session, |feed| feed.view.priority = priority);
    }

    /// How people want a session handled; `None` for one that is ending or not here.
    pub(super) fn handling(&self, session: SessionId) -> Option<Handling> {
        self.lock().sessions.get(&session).and_then(SessionFeed::handling)
    }

    pub(super) fn gate(&self, session: SessionId) -> Option<Gate> {
        self.lock().sessions.get(&session).map(|feed| feed.gate.clone())
    }

    /// The state as it is this moment.
    pub fn snapshot(&self) -> LabView {
        let questions = self.people.waiting().iter().map(|waiting| waiting_view(waiting)).collect();
        LabView { questions, ..self.lock().view() }
    }

    /// Waits for a person's order in a session's test; `None` when it is cancelled.
    pub(super) async fn lead(
        &self,
        session: SessionId,
        number: u32,
        cancel: &CancellationToken,
    ) -> Option<StepOrder> {
        self.of(session, |feed| feed.view.asks = Some(number));
        let order = self.stands.ask(session, number, cancel).await;
        self.of(session, |feed| feed.view.asks = None);
        order
    }

    /// Gives an order to a session's test; false when it waits for none.
    pub(super) fn order(&self, session: SessionId, order: StepOrder) -> bool {
        self.stands.give(session, order)
    }

    /// The question of a session's test that waits for an order.
    pub(super) fn question(&self, session: SessionId) -> Option<u32> {
        self.stands.watch(session)?.borrow().waiting
    }

    fn of(&self, session: SessionId, change: impl FnOnce(&mut SessionFeed)) {
        self.change(|state| {
            if let Some(feed) = state.sessions.get_mut(&session) {
                change(feed);
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        self.stir();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
