//! What a screen shows while its phone has already gone on.
//!
//! In: the phone before and after something was done to it, and the time. Out: the windows to draw in place of the
//! present ones, the moments at which they change, and how often a dump showed what was not there to stay.
//!
//! Invariants: a screen without a reaction time shows the phone as it is; the number of the movement, the phone's seed
//! and the windows decide how it moves, and nothing else; with the last stage the screen shows the phone as it is.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use super::Phone;
use super::motion::{Movement, Scale};
use droidmux_sim_toolkit::platform::{Scene, scramble};

/// The screen of one phone.
#[derive(Debug)]
pub(super) struct Screen {
    scale: Scale,
    seed: u64,
    /// How often it has begun to move.
    movements: u64,
    /// What is still to be seen, each until its moment.
    stages: VecDeque<Stage>,
    /// A toast that comes when the screen reacts.
    toast: Option<LateToast>,
    /// How often a window's content has changed.
    events: u64,
    /// When something happened last that an accessibility service hears of.
    last_event: Instant,
    /// Whether the last dump since the last gesture showed what did not stay.
    dumped: Option<bool>,
    observed: Observed,
}

/// What is to be seen until a moment.
#[derive(Debug)]
struct Stage {
    until: Instant,
    windows: Vec<Scene>,
    /// Whether it differs from what the screen shows in the end.
    passing: bool,
}

/// A toast that the screen has yet to show.
#[derive(Debug)]
struct LateToast {
    from: Instant,
    /// What was heard before.
    before: Option<String>,
}

/// How observations compare with what was to be seen: for each gesture after which the screen was dumped, the last dump
/// before the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Gestures after which the screen was dumped.
    pub observations: u64,
    /// Those of them whose last dump differs from what the screen showed once nothing was scheduled any more.
    pub premature: u64,
}

/// A phone before something is done to it.
#[derive(Debug)]
pub(super) struct Before {
    time: u64,
    toasts: u64,
    heard: Option<String>,
    /// As they will be at rest, and as text; `None` if nobody looks.
    windows: Option<(Vec<Scene>, String)>,
}

impl Before {
    /// The windows are taken down if somebody `looks`.
    pub(super) fn new(phone: &Phone, looks: bool) -> Self {
        let windows = looks.then(|| {
            let windows = phone.windows();
            let written = phone.written(&windows);
            (windows, written)
        });
        let heard = phone.last_toast().map(str::to_owned);
        Before { time: phone.now_ms(), toasts: phone.toasts(), heard, windows }
    }
}

impl Screen {
    /// At rest, with a phone of this seed. It takes up to `reaction` to react; zero: it never moves.
    pub(super) fn new(seed: u64, reaction: Duration) -> Self {
        Screen {
            scale: Scale::new(reaction),
            seed,
            movements: 0,
            stages: VecDeque::new(),
            toast: None,
            events: 0,
            last_event: Instant::now(),
            dumped: None,
            observed: Observed::default(),
        }
    }

    /// Whether it takes time to change.
    pub(super) fn moves(&self) -> bool {
        self.scale.moves()
    }

    /// The moment at which something is scheduled next: a change, or a toast.
    pub(super) fn next(&self) -> Option<Instant> {
        let change = self.stages.front().map(|stage| stage.until);
        change.into_iter().chain(self.toast.as_ref().map(|late| late.from)).min()
    }

    /// How often a window's content has changed.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// When something happened last.
    pub(super) fn last_event(&self) -> Instant {
        self.last_event
    }

    /// Ends the stages that are over. True if the phone now draws something else.
    pub(super) fn go_on(&mut self, now: Instant, phone: &mut Phone) -> bool {
        if let Some(late) = self.toast.take_if(|late| late.from <= now) {
            self.last_event = self.last_event.max(late.from);
        }
        let mut changed = false;
        while let Some(until) = self.stages.front().map(|stage| stage.until).filter(|until| *until <= now) {
            self.stages.pop_front();
            changed = true;
            self.events += 1;
            self.last_event = until;
        }
        if changed {
            self.draw(phone);
        }
        changed
    }

    /// Something was done to the phone: from now on its screen becomes what the phone is.
    pub(super) fn changed(&mut self, before: Before, now: Instant, phone: &mut Phone) {
        let acted = before.time != phone.now_ms();
        if acted && let Some(premature) = self.dumped.take() {
            self.observed.observations += 1;
            self.observed.premature += u64::from(premature);
        }
        let toasted = before.toasts != phone.toasts();
        let Some((old, written)) = before.windows else {
            self.last_event = now;
            return;
        };
        let new = phone.windows();
        let differs = phone.written(&new) != written;
        if !self.moves() || old.is_empty() || new.is_empty() {
            if differs || toasted {
                self.last_event = now;
                self.events += u64::from(differs);
            }
            if differs {
                self.stages.clear();
                self.draw(phone);
            }
            return;
        }
        if !differs && !toasted {
            return;
        }
        self.movements += 1;
        let draw = scramble(self.seed ^ scramble(self.movements));
        let movement = Movement::new(draw, self.scale);
        if toasted {
            self.toast = Some(LateToast { from: now + movement.reaction, before: before.heard });
        }
        if differs {
            // A gesture on a screen that still moves begins with what is to be seen of it.
            let shown = self.stages.pop_front().map_or(old, |stage| stage.windows);
            let stages = movement.stages(self.seed, &shown, &new, phone.touched_at());
            let end = phone.written(&new);
            self.stages.clear();
            let mut until = now;
            for (time, windows) in stages {
                until += time;
                let passing = phone.written(&windows) != end;
                self.stages.push_back(Stage { until, windows, passing });
            }
            self.draw(phone);
        }
    }

    /// Takes down that the screen was dumped.
    pub(super) fn observe(&mut self) {
        self.dumped = Some(self.stages.front().is_some_and(|stage| stage.passing));
    }

    /// How the observations so far compare with what was to be seen.
    pub(super) fn observed(&self) -> Observed {
        self.observed
    }

    /// What the last toast said, if it was heard by now.
    pub(super) fn toast(&self, phone: &Phone) -> Option<String> {
        match &self.toast {
            Some(late) => late.before.clone(),
            None => phone.last_toast().map(str::to_owned),
        }
    }

    /// Forgets what was heard so far.
    pub(super) fn forget_toast(&mut self, phone: &mut Phone) {
        match &mut self.toast {
            Some(late) => late.before = None,
            None => phone.forget_toast(),
        }
    }

    fn draw(&self, phone: &mut Phone) {
        phone.draw_instead(self.stages.front().map(|stage| stage.windows.clone()));
    }
}
