//! What the hub keeps of a session.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::super::gate::Gate;
use crate::proto::{SessionState, SessionView, StepView};
use crate::record::Slot;

/// Steps shown with the session.
const RECENT: usize = 12;
/// The rate is taken over this long.
const RATE: Duration = Duration::from_secs(30);

pub(super) struct SessionFeed {
    pub(super) view: SessionView,
    pub(super) gate: Gate,
    /// Paused for want of disk space.
    pub(super) low_space: bool,
    began: Instant,
    ended: Option<Instant>,
    /// The judged jobs with the sequence number of their first verdict.
    judged: Vec<(u64, Slot)>,
    /// In the order of the log.
    recent: VecDeque<StepView>,
    rate: VecDeque<(Instant, u64)>,
}

impl SessionFeed {
    pub(super) fn new(view: SessionView, gate: Gate) -> Self {
        Self {
            view,
            gate,
            low_space: false,
            began: Instant::now(),
            ended: None,
            judged: Vec::new(),
            recent: VecDeque::new(),
            rate: VecDeque::new(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    pub(super) fn become_now(&mut self, now: SessionState) {
        let over = matches!(now, SessionState::Done | SessionState::Failed(_));
        self.ended = if over { self.ended.or(Some(Instant::now())) } else { None };
        self.view.state = now;
    }

    /// Notes how dumps are degraded. Notes that differ only in their figures count as one, and
    /// the latest figures are shown.
    pub(super) fn degraded(&mut self, note: &str) {
        let words = |note: &str| note.replace(|c: char| c.is_ascii_digit(), "");
        match self.view.degraded.iter_mut().find(|known| words(known) == words(note)) {
            Some(known) if known == note => {}
            Some(known) => note.clone_into(known),
            None => self.view.degraded.push(note.into()),
        }
    }

    pub(super) fn judged(&mut self, slot: Slot, verdicts: usize) {
        if verdicts > 0 {
            self.judged.push((self.view.verdicts, slot));
        }
        self.view.verdicts += verdicts as u64;
    }

    /// See [`super::Hub::verdicts`].
    pub(super) fn verdicts(&self, from: u64, limit: u32) -> Vec<(u64, Slot, usize)> {
        let end = self.view.verdicts.min(from.saturating_add(limit.into()));
        let place = |seq| {
            let after = self.judged.partition_point(|(first, _)| *first <= seq);
            let (first, slot) = *self.judged.get(after.checked_sub(1)?)?;
            Some((seq, slot, usize::try_from(seq - first).ok()?))
        };
        (from..end).filter_map(place).collect()
    }

    pub(super) fn stepped(&mut self, step: StepView) {
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

    /// As it is shown at this moment.
    pub(super) fn view(&mut self, now: Instant) -> SessionView {
        let now = self.ended.unwrap_or(now);
        self.rate.push_back((now, self.view.steps));
        while self.rate.len() > 2 && now.duration_since(self.rate[0].0) > RATE {
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
