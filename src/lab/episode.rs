//! The episode: runs a driver on one leased device and records every turn as it happens.
//!
//! The only code that waits for a device, always with a deadline and a cancellation. A turn is
//! durable before the next act begins.

mod likeness;
mod look;
mod photograph;
mod recording;
mod reset;

pub(super) use look::Glimpse;
pub(super) use photograph::Occasion;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::care::keyboard;
use super::desk::{Answered, Asking, Desk};
use super::dialog::answer_dialogs;
use super::hub::{Looks, STUCK_AFTER};
use super::journal::now_ms;
use super::pace::{Pace, Step};
use super::panics::{Panic, guarded};
use super::{Gate, Hub, LabError};
use droidmux_device::{Device, DeviceError, DeviceErrorKind, Gesture, Key, Manner, Patience};
use droidmux_gui::{Event, EventKind, Resolution};
use droidmux_record::{
    Act, Agent, BlobHash, Consultation, Failure, Job, KEYBOARD_CLOSED, Observation, Seen, SessionDefinition,
    SessionId, SetupReport, Turn,
};
use droidmux_store::Store;
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
    /// When a picture is taken.
    pub(super) occasion: Occasion,
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
            care.push(KEYBOARD_CLOSED.to_owned());
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
            hears_toasts: look.hears_toasts,
            setup,
            dialogs,
            screenshot: None,
        };
        state.last = Some(look);
        Observation::Seen(Box::new(seen))
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
