//! The hub: the lab's present state for viewers.
//!
//! Episodes and sessions tell it what happens; it never makes them wait. A task publishes a
//! snapshot when something changed, at most ten times a second.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::gate::{Gate, Mode};
use super::journal::Journal;
use super::screenshots::Screenshots;
use crate::gui::LayoutHash;
use crate::proto::{
    DeviceHealth, DeviceView, LabView, LogLevel, LogView, SessionState, SessionView, StepView,
};
use crate::record::{BlobHash, DeviceInfo, Progress, SessionId, Slot};

const SPAN: Duration = Duration::from_secs(2);
const SPANS: usize = 30;
const RECENT: usize = 12;
/// Steps in a row that change nothing, after which a device is shown as stuck.
const STUCK_AFTER: u32 = 20;
const PUBLISH_EVERY: Duration = Duration::from_millis(100);

pub struct Hub {
    state: Mutex<State>,
    view: watch::Sender<Arc<LabView>>,
}

struct State {
    name: String,
    devices: BTreeMap<String, DeviceFeed>,
    sessions: BTreeMap<SessionId, SessionFeed>,
    screenshots: Screenshots,
    journal: Journal,
    findings_version: u64,
    changed: bool,
}

struct DeviceFeed {
    view: DeviceView,
    spans: VecDeque<u16>,
    span_began: Instant,
    dumped: Option<Instant>,
    /// Steps in a row that left the layout as it was.
    stale: u32,
}

struct SessionFeed {
    view: SessionView,
    gate: Gate,
    low_space: bool,
    began: Instant,
    ended: Option<Instant>,
    /// The judged jobs with the sequence number of their first verdict.
    judged: Vec<(u64, Slot)>,
    /// In the order of the log.
    recent: VecDeque<StepView>,
    rate: VecDeque<(Instant, u64)>,
}

impl Hub {
    pub(super) fn new(name: &str) -> Self {
        let state = State {
            name: name.into(),
            devices: BTreeMap::new(),
            sessions: BTreeMap::new(),
            screenshots: Screenshots::default(),
            journal: Journal::default(),
            findings_version: 0,
            changed: true,
        };
        Self { state: Mutex::new(state), view: watch::Sender::new(Arc::default()) }
    }

    pub fn subscribe(&self) -> watch::Receiver<Arc<LabView>> {
        self.view.subscribe()
    }

    pub fn info(&self, source: &str, text: &str) {
        self.change(|state| state.journal.write(LogLevel::Info, source, text));
    }

    pub fn warn(&self, source: &str, text: &str) {
        self.change(|state| state.journal.write(LogLevel::Warn, source, text));
    }

    pub fn error(&self, source: &str, text: &str) {
        self.change(|state| state.journal.write(LogLevel::Error, source, text));
    }

    pub(super) fn log(&self, from: u64, limit: u32) -> Vec<LogView> {
        self.lock().journal.read(from, limit)
    }

    pub(super) fn devices(&self, devices: Vec<(String, DeviceHealth, Option<SessionId>)>) {
        self.change(|state| {
            for (serial, health, owner) in devices {
                let feed = state.device(&serial);
                feed.view.health = health;
                feed.view.session = owner;
                feed.view.lease = owner.map(|session| session.to_string());
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

    pub(super) fn job(&self, serial: &str, job: Option<(Slot, String)>) {
        self.change(|state| state.device(serial).view.job = job);
    }

    pub(super) fn session_began(&self, view: SessionView, gate: Gate) {
        self.change(|state| {
            let feed = SessionFeed {
                gate,
                low_space: false,
                began: Instant::now(),
                ended: None,
                judged: Vec::new(),
                recent: VecDeque::new(),
                rate: VecDeque::new(),
                view,
            };
            state.sessions.insert(feed.view.id, feed);
        });
    }

    pub(super) fn session_state(&self, session: SessionId, now: SessionState) {
        self.of(session, |feed| {
            let over = matches!(now, SessionState::Done | SessionState::Failed(_));
            feed.ended = if over { feed.ended.or(Some(Instant::now())) } else { None };
            feed.view.state = now;
        });
    }

    pub(super) fn progress(&self, session: SessionId, progress: Progress) {
        self.of(session, |feed| feed.view.progress = progress);
    }

    /// Notes how dumps are degraded. Notes that differ only in their figures count as one, and
    /// the latest figures are shown.
    pub(super) fn degraded(&self, session: SessionId, note: &str) {
        let words = |note: &str| note.replace(|c: char| c.is_ascii_digit(), "");
        self.of(session, |feed| {
            match feed.view.degraded.iter_mut().find(|known| words(known) == words(note)) {
                Some(known) if known == note => {}
                Some(known) => note.clone_into(known),
                None => feed.view.degraded.push(note.into()),
            }
        });
    }

    /// Shows a session as paused for want of disk space, or as running again.
    pub(super) fn space(&self, session: SessionId, low: Option<&str>) {
        let text = match low {
            Some(why) => format!("paused: {why}"),
            None => "disk space is back, going on".to_owned(),
        };
        self.change(|state| {
            let Some(feed) = state.sessions.get_mut(&session) else { return };
            if feed.low_space == low.is_some() {
                return;
            }
            feed.low_space = low.is_some();
            feed.view.state = match low {
                Some(why) => SessionState::Paused(why.into()),
                None => SessionState::Running,
            };
            state.journal.write(LogLevel::Warn, &session.to_string(), &text);
        });
    }

    /// Shows what a person's pause, resume or stop led to.
    pub(super) fn mode_changed(&self, session: SessionId, mode: Mode) {
        let now = match mode {
            Mode::Run => SessionState::Running,
            Mode::Pause => SessionState::Paused("by hand".into()),
            Mode::Stop => SessionState::Stopping,
        };
        self.of(session, |feed| {
            if feed.ended.is_none() {
                feed.view.state = now;
            }
        });
    }

    /// A turn was recorded, which is this step of the session's log. Steps of several devices may
    /// come in another order than the log's.
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

    pub(super) fn judged(&self, session: SessionId, slot: Slot, verdicts: usize) {
        self.of(session, |feed| {
            if verdicts > 0 {
                feed.judged.push((feed.view.verdicts, slot));
            }
            feed.view.verdicts += verdicts as u64;
        });
    }

    pub(super) fn findings(&self, session: SessionId, all: u64, confirmed: u64) {
        self.change(|state| {
            state.findings_version += 1;
            if let Some(feed) = state.sessions.get_mut(&session) {
                feed.view.findings = all;
                feed.view.confirmed = confirmed;
            }
        });
    }

    /// A person's mark changed a finding.
    pub(super) fn marked(&self) {
        self.change(|state| state.findings_version += 1);
    }

    /// The screenshot taken when this layout was first seen.
    pub(super) fn screenshot(&self, layout: Option<LayoutHash>) -> Option<BlobHash> {
        self.lock().screenshots.get(layout?)
    }

    /// The verdicts from sequence `from` on: their sequence numbers, jobs and numbers in the
    /// jobs' judgements.
    pub(super) fn verdicts(&self, session: SessionId, from: u64, limit: u32) -> Vec<(u64, Slot, usize)> {
        let state = self.lock();
        let Some(feed) = state.sessions.get(&session) else { return Vec::new() };
        let end = feed.view.verdicts.min(from.saturating_add(limit.into()));
        let place = |seq| {
            let after = feed.judged.partition_point(|(first, _)| *first <= seq);
            let (first, slot) = *feed.judged.get(after.checked_sub(1)?)?;
            Some((seq, slot, usize::try_from(seq - first).ok()?))
        };
        (from..end).filter_map(place).collect()
    }

    /// Steps recorded in a session so far.
    pub fn steps(&self, session: SessionId) -> u64 {
        self.lock().sessions.get(&session).map_or(0, |feed| feed.view.steps)
    }

    pub(super) fn gate(&self, session: SessionId) -> Option<Gate> {
        self.lock().sessions.get(&session).map(|feed| feed.gate.clone())
    }

    /// The state as it is this moment.
    pub fn snapshot(&self) -> LabView {
        let mut state = self.lock();
        state.changed = false;
        state.view()
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
        state.changed = true;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Publishes snapshots until the lab closes.
pub(super) async fn publish(hub: Arc<Hub>, closing: CancellationToken) {
    let mut ticks: u32 = 0;
    while !closing.is_cancelled() {
        // Ages and rates move without events: refresh once a second while anything runs.
        ticks += 1;
        let due = {
            let state = hub.lock();
            let live = state.sessions.values().any(|feed| feed.ended.is_none());
            state.changed || (live && ticks.is_multiple_of(10))
        };
        if due {
            hub.view.send_replace(Arc::new(hub.snapshot()));
        }
        tokio::select! {
            () = closing.cancelled() => {}
            () = tokio::time::sleep(PUBLISH_EVERY) => {}
        }
    }
}

impl State {
    fn device(&mut self, serial: &str) -> &mut DeviceFeed {
        self.devices.entry(serial.to_owned()).or_insert_with(|| DeviceFeed::new(serial))
    }

    fn view(&mut self) -> LabView {
        let now = Instant::now();
        let devices = self.devices.values_mut().map(|feed| feed.view(now)).collect();
        let sessions: Vec<SessionView> = self.sessions.values_mut().map(|feed| feed.view(now)).collect();
        LabView {
            name: self.name.clone(),
            devices,
            findings: sessions.iter().map(|session| session.findings).sum(),
            sessions,
            findings_version: self.findings_version,
            log_lines: self.journal.len(),
            log_alarms: self.journal.alarms(),
        }
    }
}

impl DeviceFeed {
    fn new(serial: &str) -> Self {
        let view = DeviceView {
            serial: serial.into(),
            model: String::new(),
            android: String::new(),
            health: DeviceHealth::Idle,
            lease: None,
            session: None,
            job: None,
            activity: String::new(),
            steps: Vec::new(),
            steps_per_minute: 0.0,
            dump_age_ms: None,
            stuck: false,
            layout: None,
        };
        Self {
            view,
            spans: VecDeque::from(vec![0; SPANS]),
            span_began: Instant::now(),
            dumped: None,
            stale: 0,
        }
    }

    fn stepped(&mut self, step: &StepView) {
        self.roll(Instant::now());
        if let Some(span) = self.spans.back_mut() {
            *span = span.saturating_add(1);
        }
        self.view.activity.clone_from(&step.activity);
        let Some(layout) = step.layout else { return };
        if step.settled {
            self.dumped = Some(Instant::now());
        }
        self.stale = if self.view.layout == Some(layout) { self.stale + 1 } else { 0 };
        self.view.layout = Some(layout);
    }

    fn roll(&mut self, now: Instant) {
        let mut rolled = 0;
        while now.duration_since(self.span_began) >= SPAN {
            self.span_began += SPAN;
            rolled += 1;
            if rolled > SPANS {
                self.span_began = now;
            }
            self.spans.pop_front();
            self.spans.push_back(0);
        }
    }

    fn view(&mut self, now: Instant) -> DeviceView {
        self.roll(now);
        let whole: u32 = self.spans.iter().map(|&span| u32::from(span)).sum();
        DeviceView {
            steps: self.spans.iter().copied().collect(),
            steps_per_minute: whole as f32 * 60.0 / (SPAN.as_secs_f32() * SPANS as f32),
            dump_age_ms: self.dumped.map(|then| millis(now.duration_since(then))),
            stuck: self.stale >= STUCK_AFTER,
            ..self.view.clone()
        }
    }
}

impl SessionFeed {
    fn stepped(&mut self, step: StepView) {
        if step.seq >= self.view.steps {
            self.view.steps = step.seq.saturating_add(1);
            self.view.layout = step.layout.or(self.view.layout);
        }
        let place = self.recent.partition_point(|known| known.seq < step.seq);
        self.recent.insert(place, step);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    fn view(&mut self, now: Instant) -> SessionView {
        let now = self.ended.unwrap_or(now);
        self.rate.push_back((now, self.view.steps));
        while self.rate.len() > 2 && now.duration_since(self.rate[0].0) > Duration::from_secs(30) {
            self.rate.pop_front();
        }
        let per_second = match self.rate.front() {
            Some((then, steps)) if now > *then => {
                (self.view.steps - steps) as f64 / now.duration_since(*then).as_secs_f64()
            }
            _ => 0.0,
        };
        let progress = &self.view.progress;
        let left = progress.max_events.saturating_sub(progress.events);
        SessionView {
            recent: self.recent.iter().cloned().collect(),
            steps_per_minute: (per_second * 60.0) as f32,
            elapsed_s: now.duration_since(self.began).as_secs(),
            left_s: (per_second > 0.0 && self.ended.is_none()).then(|| (left as f64 / per_second) as u64),
            ..self.view.clone()
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
