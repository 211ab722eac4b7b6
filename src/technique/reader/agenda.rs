//! What the reader is to be asked next, and what it wants to be tried.
//!
//! In: how far the session is, stretches that were chosen, wishes of replies, what came of them. Out: when to choose what
//! is read, the next question, the next experiment.
//!
//! Invariants: questions come in the order in which they were chosen; what came of an experiment is told in the question
//! after it, and once.

use std::collections::VecDeque;

use super::errand::{Part, ReadStretches, TryOut};
use super::settings::ReaderSettings;
use super::stretch::Stretch;
use droidmux_record::{Progress, SessionId};
use droidmux_words::number::count;

/// The reader's questions and experiments that are to come.
pub struct Agenda {
    /// It is read at every so many hundredths of the session's events.
    every: u64,
    /// The hundredths at which it was last read.
    read_at: u64,
    read_at_end: bool,
    questions: VecDeque<Vec<Stretch>>,
    /// The number of the last question.
    asked: u32,
    /// The most experiments, those that are wanted, how many were made, and what came of those that no question told yet.
    most: u32,
    wanted: VecDeque<TryOut>,
    tried: u32,
    untold: Vec<String>,
}

/// A question to the reader: stretches, and what came of experiments.
pub type Asked = (Vec<Stretch>, Vec<String>);

impl Agenda {
    pub fn new(settings: &ReaderSettings) -> Self {
        Self {
            every: u64::from(settings.every.max(1)),
            read_at: 0,
            read_at_end: false,
            questions: VecDeque::new(),
            asked: 0,
            most: settings.experiments,
            wanted: VecDeque::new(),
            tried: 0,
            untold: Vec::new(),
        }
    }

    /// The percentage of the session up to which stretches are to be chosen now: at every so many hundredths of the
    /// events, and once it is over.
    pub fn due(&mut self, progress: &Progress, is_over: bool) -> Option<u32> {
        let reached = progress.events.saturating_mul(100) / progress.max_events.max(1);
        let share = match is_over {
            true if !self.read_at_end => {
                self.read_at_end = true;
                100
            }
            true => return None,
            false if reached >= self.read_at + self.every => {
                self.read_at = reached - reached % self.every;
                self.read_at.min(100)
            }
            false => return None,
        };
        Some(u32::try_from(share).unwrap_or(100))
    }

    /// Whether it was read before the session's end.
    pub fn has_begun(&self) -> bool {
        self.read_at > 0
    }

    /// Adds questions, each of these stretches.
    pub fn add(&mut self, questions: Vec<Vec<Stretch>>) {
        self.questions.extend(questions);
    }

    /// There are questions about stretches.
    pub fn has_questions(&self) -> bool {
        !self.questions.is_empty()
    }

    /// There is something to ask, to try or to tell.
    pub fn is_open(&self) -> bool {
        self.has_questions() || self.has_wishes() || !self.untold.is_empty()
    }

    /// Something is to be tried.
    pub fn has_wishes(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// How many questions there were.
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// The next question; where nothing is left to read, one that tells what came of the last experiments, unless others are
    /// under way.
    pub fn ask(&mut self, trying: bool, source: SessionId) -> Option<(ReadStretches, Asked)> {
        let last = !trying && !self.has_wishes() && !self.untold.is_empty();
        let stretches = self.questions.pop_front().or_else(|| last.then(Vec::new))?;
        self.asked += 1;
        let part = |stretch: &Stretch| Part { slot: stretch.slot.0, turns: stretch.turns };
        let parts = stretches.iter().map(part).collect();
        let errand = ReadStretches { question: self.asked, session: source, parts };
        Some((errand, (stretches, std::mem::take(&mut self.untold))))
    }

    /// Nobody is there to be asked.
    pub fn give_up(&mut self) {
        self.questions.clear();
    }

    /// Takes in the wishes of the last reply, as many as may still be tried.
    pub fn wish(&mut self, wishes: Vec<Vec<String>>) {
        let most = self.most.saturating_sub(self.tried + count(self.wanted.len()));
        let tries = wishes.into_iter().map(|wanted| TryOut { question: self.asked, wanted });
        self.wanted.extend(tries.take(usize::try_from(most).unwrap_or(usize::MAX)));
    }

    /// The next experiment that there is room for; those that there is none for are given up.
    pub fn next_try(&mut self, fits: impl Fn(&TryOut) -> bool) -> Option<TryOut> {
        let tried = std::iter::from_fn(|| self.wanted.pop_front()).find(fits)?;
        self.tried += 1;
        Some(tried)
    }

    /// Notes what came of an experiment.
    pub fn tell(&mut self, told: String) {
        self.untold.push(told);
    }
}
