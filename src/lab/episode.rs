//! The episode: runs a driver on one leased device and records every turn as it happens.
//!
//! The only code that waits for a device, always with a deadline and a cancellation. A turn is
//! durable before the next act begins.

mod photograph;
mod reset;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::care::{keyboard, rescue};
use super::desk::{Answered, Asking, Desk};
use super::dialog::answer_dialogs;
use super::exchange_view::exchange_of;
use super::hub::{Looks, STUCK_AFTER};
use super::journal::now_ms;
use super::pace::{Pace, Step};
use super::panics::{Panic, guarded};
use super::patient_writer::PatientWriter;
use super::step_view::step_view;
use super::{Gate, Hub, LabError};
use droidmux_device::{Device, DeviceError, DeviceErrorKind, Gesture, Key, Manner, Observed, Patience};
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, Resolution};
use droidmux_record::{
    Act, Agent, BlobHash, Consultation, Failure, Job, Observation, Screen, Seen, SessionDefinition,
    SessionId, Settling, SetupReport, Signal, StepPlace, Turn,
};
use droidmux_store::{Append, Store};
use droidmux_technique::Driver;
use droidmux_words::printable;

/// The longest any single request to a device may take.
const REQUEST_LIMIT: Duration = Duration::from_secs(60);

/// What an episode needs to know and to reach.
pub(super) struct Episode<'a> {
    pub(super) device: &'a dyn Device,
    pub(super) store: &'a Store,
    pub(super) hub: &'a Hub,
    pub(super) gate: &'a Gate,
    pub(super) desk: &'a Desk,
    pub(super) pace: &'a Pace,
    pub(super) definition: &'a SessionDefinition,
    pub(super) session: SessionId,
    pub(super) job: &'a Job,
    pub(super) attempt: u32,
    /// How layouts look on the device.
    pub(super) looks: Looks,
    /// Times the app was started again because nothing could be read.
    pub(super) restarts: AtomicU32,
    /// A test switched the screen off and not yet on again: nobody is to wake it.
    pub(super) dark: AtomicBool,
}

/// Why an episode ended before its driver finished.
#[derive(Debug)]
pub(super) enum Interrupted {
    Device(DeviceError),
    /// The session is stopping.
    Stopped,
    /// No further test may begin, and the next act would have begun one.
    NoTime,
    /// The driver panicked with this message.
    Panicked(Panic),
    Lab(LabError),
}

/// A screen together with its layout.
pub(super) struct Glimpse {
    pub(super) layout: Arc<Layout>,
    pub(super) screen: Screen,
    /// The layout as the device dumped it, with everything that the session keeps out of reach.
    pub(super) dumped: LayoutHash,
    pub(super) settling: Settling,
    pub(super) dumps: u32,
    pub(super) signals: Vec<Signal>,
    pub(super) toast: Option<String>,
    /// What was done to the device so that there is something to see, in words.
    pub(super) care: Vec<String>,
}

/// Where the episode stands.
struct EpisodeState {
    turn: u32,
    test: Option<u16>,
    event: u16,
    test_began: Instant,
    last: Option<Glimpse>,
    /// Events in a row that left the layout as it was.
    still: u32,
    /// Questions so far, by who asked.
    asked: BTreeMap<Agent, u32>,
    /// The pictures of the question just answered.
    sent: Vec<(BlobHash, Vec<u8>)>,
}

impl Episode<'_> {
    /// Runs the driver to its end and gives all turns; every one of them is stored by then.
    pub(super) async fn run(&self, mut driver: Box<dyn Driver>) -> Result<Vec<Turn>, Interrupted> {
        let mut state = EpisodeState {
            turn: 0,
            test: None,
            event: 0,
            test_began: Instant::now(),
            last: None,
            still: 0,
            asked: BTreeMap::new(),
            sent: Vec::new(),
        };
        let mut turns = Vec::new();
        let mut observation = Observation::Started;
        loop {
            let act;
            (driver, act) = self.decide(driver, observation).await?;
            let asked = Instant::now();
            if !self.gate.pass().await {
                return Err(Interrupted::Stopped);
            }
            // A pause is no part of the test's time.
            state.test_began += asked.elapsed();
            if act == Act::Reset && !self.gate.lets_tests_begin() {
                return Err(Interrupted::NoTime);
            }
            let (began, at_ms) = (Instant::now(), now_ms());
            let before = state.last.as_ref().map(|look| look.layout.clone());
            observation = self.act(&act, &mut state).await?;
            let mut pictures = std::mem::take(&mut state.sent);
            pictures.extend(self.screenshot(&mut observation, &state).await?);
            let took_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
            let turn = Turn { act, observation: observation.clone(), at_ms, took_ms };
            let finished = matches!(turn.act, Act::Finish(_));
            let place = self.place(&state);
            let number = self.record(&turn, &place, pictures, &state).await?;
            self.show(&turn, before.as_deref(), number, &place);
            turns.push(turn);
            state.turn += 1;
            if finished {
                return Ok(turns);
            }
        }
    }

    /// Asks the driver, off the async workers: it may read layouts from the disk.
    async fn decide(
        &self,
        mut driver: Box<dyn Driver>,
        observation: Observation,
    ) -> Result<(Box<dyn Driver>, Act), Interrupted> {
        let store = self.store.clone();
        let asked = tokio::task::spawn_blocking(move || {
            let act = guarded(|| driver.next(&observation, &store))?;
            Ok((driver, act))
        });
        asked.await.map_err(LabError::from)?.map_err(Interrupted::Panicked)
    }

    pub(super) fn patience(&self) -> Patience {
        Patience { within: REQUEST_LIMIT, cancel: self.gate.cancelled().clone() }
    }

    async fn act(&self, act: &Act, state: &mut EpisodeState) -> Result<Observation, Interrupted> {
        match act {
            Act::Reset => {
                self.tell_stuck(state);
                state.test = Some(state.test.map_or(0, |test| test.saturating_add(1)));
                state.event = 0;
                state.test_began = Instant::now();
                self.reset(state).await
            }
            Act::Perform(event) => {
                state.event = state.event.saturating_add(1);
                let limit = Duration::from_secs(self.definition.run.test_timeout.into());
                if state.test_began.elapsed() > limit {
                    let words =
                        format!("a test took longer than `[run] test-timeout` ({} s)", limit.as_secs());
                    self.hub.warn(self.device.serial(), &words);
                    return Ok(Observation::Failed(Failure::TimedOut));
                }
                self.perform(event, state).await
            }
            Act::Finish(_) => Ok(Observation::Ended),
            Act::Consult(consultation) => self.consult(consultation, state).await,
        }
    }

    async fn perform(&self, event: &Event, state: &mut EpisodeState) -> Result<Observation, Interrupted> {
        let Some(last) = &mut state.last else { return Ok(Observation::Failed(Failure::NotFound)) };
        let mut aimed = self.aim(event, last);
        let mut care = Vec::new();
        if let Ok((gesture, _)) = &aimed
            && last.screen.keyboard
            && keyboard::is_in_the_way(&last.layout, gesture)
        {
            // The first back only closes it.
            self.device.perform(&Gesture::Key(Key::Back), &self.patience()).await?;
            self.look_again(last).await?;
            care.push("keyboard closed: it lay over the widget".to_owned());
            aimed = self.aim(event, last);
        }
        let (gesture, resolution) = match aimed {
            Ok(aimed) => aimed,
            Err(failure) => return Ok(Observation::Failed(failure)),
        };
        let widget = resolution.and_then(|found| found.widget());
        let step = Step::of(event, widget, &last.screen.activity, &last.layout);
        let before = last.dumped;
        let manner = self.pace.manner(self.job, &step, Some(before));
        match self.touch(event, &gesture, &manner).await {
            Err(DeviceError { kind: DeviceErrorKind::Untypable(_), .. }) => {
                return Ok(Observation::Failed(Failure::Untypable));
            }
            Err(error @ DeviceError { kind: DeviceErrorKind::Unsupported(_), .. }) => {
                self.hub.warn(self.device.serial(), &error.to_string());
                return Ok(Observation::Failed(Failure::Unsupported));
            }
            done => done?,
        }
        match event.kind {
            EventKind::Sleep | EventKind::Lock => self.dark.store(true, Ordering::Relaxed),
            EventKind::Wake | EventKind::Unlock => self.dark.store(false, Ordering::Relaxed),
            _ => {}
        }
        if event.kind == EventKind::Edit && self.device.foreground(&self.patience()).await?.keyboard {
            // It would be closed after the look as well, which would have to be taken again.
            self.device.perform(&Gesture::Key(Key::Back), &self.patience()).await?;
        }
        let mut look = self.look_after(&step, &manner, state.turn).await?;
        if look.screen.keyboard && event.kind == EventKind::Edit {
            // The keyboard hides what the next events may want to touch; the first back only
            // closes it.
            self.device.perform(&Gesture::Key(Key::Back), &self.patience()).await?;
            self.look_again(&mut look).await?;
        }
        care.extend(answer_dialogs(self, &mut look).await?);
        Ok(self.seen(look, resolution, Vec::new(), care, state))
    }

    /// Makes a gesture. Where nothing comes between it and the look, the device is told how it will be looked at.
    async fn touch(&self, event: &Event, gesture: &Gesture, manner: &Manner) -> Result<(), DeviceError> {
        let apart = matches!(event.kind, EventKind::Edit | EventKind::Sleep | EventKind::Lock);
        if apart || self.dark.load(Ordering::Relaxed) {
            return self.device.perform(gesture, &self.patience()).await;
        }
        let tries = self.definition.run.dump_tries;
        self.device.perform_before(gesture, manner, tries, &self.patience()).await
    }

    /// Asks whoever can answer; a session that stops meanwhile does not wait for it.
    async fn consult(
        &self,
        consultation: &Consultation,
        state: &mut EpisodeState,
    ) -> Result<Observation, Interrupted> {
        let ordinal = match consultation.question() {
            Some(question) => {
                let asked = state.asked.entry(question.agent).or_insert(0);
                *asked += 1;
                *asked - 1
            }
            None => 0,
        };
        let place = Asking { device: self.device.serial(), slot: self.job.slot, ordinal };
        let asked = Instant::now();
        let answered = self.desk.consult(&place, consultation, self.gate.cancelled()).await?;
        // A person may think for as long as it takes, a model as long as its own limit allows: that is no part of
        // the test's time.
        state.test_began += asked.elapsed();
        match answered {
            Some(Answered { answer, pictures }) => {
                state.sent = pictures;
                Ok(Observation::Answered(Box::new(answer)))
            }
            None => Err(Interrupted::Stopped),
        }
    }

    /// What a finger does for an event on this screen, and how its widget was found.
    fn aim(&self, event: &Event, on: &Glimpse) -> Result<(Gesture, Option<Resolution>), Failure> {
        let resolution = event.receiver.as_ref().map(|selector| on.layout.resolve(selector));
        let widget = match resolution {
            None => None,
            Some(found) => match found.widget().and_then(|id| on.layout.get(id)) {
                None => return Err(Failure::NotFound),
                Some(widget) if widget.bounds().is_empty() => return Err(Failure::Untouchable),
                Some(widget) => Some(widget),
            },
        };
        let barred = self.definition.out_of_reach(&on.screen.activity, &on.layout);
        if widget
            .is_some_and(|widget| on.screen.package == self.definition.app && barred.contains(&widget.id()))
        {
            return Err(Failure::Untouchable);
        }
        let gesture = Gesture::of(event, widget, &self.definition.app).ok_or(Failure::NotFound)?;
        Ok((gesture, resolution))
    }

    /// A driver starts afresh on a page where nothing moves any more.
    fn tell_stuck(&self, state: &mut EpisodeState) {
        let still = std::mem::take(&mut state.still);
        if let Some(look) = state.last.as_ref().filter(|_| still >= STUCK_AFTER) {
            let page = printable(&look.screen.activity);
            let words = format!("stuck: {still} events in a row changed nothing on {page}; starting afresh");
            self.hub.warn(self.device.serial(), &words);
        }
    }

    /// Looks once more, keeping the signals already seen and what was done already.
    pub(super) async fn look_again(&self, look: &mut Glimpse) -> Result<(), Interrupted> {
        let fresh = self.look().await?;
        let before = std::mem::replace(look, fresh);
        look.dumps += before.dumps;
        look.toast = before.toast.or(look.toast.take());
        look.signals.splice(0..0, before.signals);
        look.care.splice(0..0, before.care);
        Ok(())
    }

    /// The screen after a step, as swiftly as the session may look here; now and then a strict look checks that.
    async fn look_after(&self, step: &Step, manner: &Manner, turn: u32) -> Result<Glimpse, Interrupted> {
        let mut look = self.look_in(manner).await?;
        if look.settling.is_swift() && Pace::checks(self.job, turn) {
            let hasty = look.dumped;
            self.look_again(&mut look).await?;
            let premature = (look.dumped != hasty).then_some(hasty);
            if look.settling.is_settled() {
                look.settling = if premature.is_some() { Settling::Premature } else { Settling::Verified };
            }
            if let Some(words) = self.pace.checked(step, premature) {
                self.hub.warn(self.device.serial(), &words);
            }
        }
        if look.settling.is_settled() {
            self.pace.learn(step, &look.screen.activity, look.dumped);
        }
        Ok(look)
    }

    /// The settled screen, with crashes and ANRs since the last look.
    pub(super) async fn look(&self) -> Result<Glimpse, Interrupted> {
        self.look_in(&Manner::Strict).await
    }

    async fn look_in(&self, manner: &Manner) -> Result<Glimpse, Interrupted> {
        let (observed, care) = rescue::observe(self, manner).await?;
        let Observed { settled, foreground: front, signals, toast } = observed;
        let dumped = settled.layout.hash();
        for remark in self.device.remarks() {
            self.hub.warn(self.device.serial(), &remark);
        }
        self.hub.lacks(self.device.serial(), &self.device.shortcomings());
        let of_app = front.package == self.definition.app;
        let in_app = of_app && self.definition.allows_page(&front.activity);
        let barred = match of_app {
            true => self.definition.out_of_reach(&front.activity, &settled.layout),
            // Nor is anything done on a page of another app that is to be avoided.
            false if self.is_avoided(&front.activity) => {
                settled.layout.widgets().map(droidmux_gui::Widget::id).collect()
            }
            false => Vec::new(),
        };
        let layout = match barred.is_empty() {
            true => settled.layout,
            false => Arc::new(settled.layout.with_disabled(&barred)),
        };
        // What the launcher or a dialog of the system lacks says nothing about the app under test.
        for note in settled.notes.iter().filter(|note| of_app && note.is_degrading()) {
            self.hub.degraded(self.session, &note.to_string());
        }
        let screen = Screen {
            layout: layout.hash(),
            package: front.package,
            activity: front.activity,
            in_app,
            rotation: front.rotation,
            keyboard: front.keyboard,
        };
        let (settling, dumps) = (settled.settling, settled.dumps);
        Ok(Glimpse { layout, screen, dumped, settling, dumps, signals, toast, care })
    }

    /// Whether the session has a rule that leaves this whole page out.
    fn is_avoided(&self, activity: &str) -> bool {
        self.definition.avoid.iter().any(|rule| !rule.names_widget() && rule.is_of_page(activity))
    }

    fn seen(
        &self,
        look: Glimpse,
        resolution: Option<Resolution>,
        setup: Vec<SetupReport>,
        mut dialogs: Vec<String>,
        state: &mut EpisodeState,
    ) -> Observation {
        dialogs.splice(0..0, look.care.iter().cloned());
        let same = state.last.as_ref().is_some_and(|last| last.screen.layout == look.screen.layout);
        state.still = if same && state.event > 0 { state.still + 1 } else { 0 };
        for rule in setup.iter().filter(|rule| !rule.matched) {
            self.hub.warn(self.device.serial(), &format!("set-up rule {}: {}", rule.rule, rule.detail));
        }
        let seen = Seen {
            screen: look.screen.clone(),
            settling: look.settling,
            dumps: look.dumps,
            resolution,
            signals: look.signals.clone(),
            toast: look.toast.clone(),
            setup,
            dialogs,
            screenshot: None,
        };
        state.last = Some(look);
        Observation::Seen(Box::new(seen))
    }

    /// Stores a turn durably and gives its number in the log it belongs to; while the disk is too
    /// full, waits and says so.
    async fn record(
        &self,
        turn: &Turn,
        place: &StepPlace,
        screenshots: Vec<(BlobHash, Vec<u8>)>,
        state: &EpisodeState,
    ) -> Result<u64, Interrupted> {
        let layouts = match (&turn.observation, &state.last) {
            (Observation::Seen(_), Some(look)) => vec![look.layout.clone()],
            _ => Vec::new(),
        };
        let append = Append {
            session: self.session,
            slot: self.job.slot,
            attempt: self.attempt,
            first_turn: state.turn,
            turns: vec![turn.clone()],
            steps: turn.act.is_step().then(|| place.clone()).into_iter().collect(),
            exchanges: exchange_of(turn).map(|_| place.clone()).into_iter().collect(),
            layouts,
            screenshots,
        };
        let writer = PatientWriter {
            hub: self.hub,
            gate: self.gate,
            session: self.session,
            patience: self.definition.run.patience,
        };
        match writer.write(|| self.store.append(append.clone())).await? {
            Some(number) => Ok(number),
            None => Err(Interrupted::Stopped),
        }
    }

    fn place(&self, state: &EpisodeState) -> StepPlace {
        StepPlace {
            slot: self.job.slot,
            attempt: self.attempt,
            turn: state.turn,
            test: state.test.unwrap_or(0),
            event: state.event,
            device: self.device.serial().to_owned(),
        }
    }

    fn show(&self, turn: &Turn, before: Option<&Layout>, number: u64, place: &StepPlace) {
        if let Some(step) = step_view(self.job, number, place, turn, before.map(Layout::hash)) {
            for headline in &step.signals {
                self.hub.warn(self.device.serial(), &printable(headline));
            }
            self.hub.step(self.session, step);
        }
        if let Some((question, _)) = exchange_of(turn) {
            self.hub.exchanged(self.session, number, question.agent, self.desk.spent());
        }
    }
}

impl From<LabError> for Interrupted {
    fn from(error: LabError) -> Self {
        Self::Lab(error)
    }
}

impl From<DeviceError> for Interrupted {
    fn from(error: DeviceError) -> Self {
        match error.kind {
            DeviceErrorKind::Cancelled => Self::Stopped,
            _ => Self::Device(error),
        }
    }
}

#[cfg(test)]
mod tests;
