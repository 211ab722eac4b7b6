//! The core of a session: what is planned, handed out, judged and absorbed next, what becomes of jobs
//! that fail, and how the session ends.
//!
//! In: events with the time they came at. Out: effects, which the rest of `lab::session` carries out
//! in their order. Nothing here waits, reads a clock or knows what a job holds.
//!
//! Invariants: planning and absorbing follow the [`Schedule`]; the planner has one thing to do at a time; a job runs on
//! one device at a time; a try that ended because a device or the ADB server was lost does not count against its job,
//! but all other tries are limited; once the time is over no test begins, and what still runs after the grace is given
//! up; after [`Effect::End`] nothing follows.

mod course;
mod message;
#[cfg(test)]
mod tests;
mod trial;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

pub(crate) use message::{Answer, Cause, Effect, Ending, Event, Moment, Outlook, Saying};
pub(crate) use trial::{Stage, Trial};

use crate::schedule::{Next, Schedule};
use droidmux_record::Slot;

/// The part of what a session was given that the core goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How often a job with a test that timed out is run again.
    pub(crate) retries: u32,
    /// How long work may wait for a device.
    pub(crate) patience: Duration,
    /// When no further test begins.
    pub(crate) until: Option<Moment>,
    /// How long tests may go on after that.
    pub(crate) grace: Duration,
}

/// What a leased device does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// The device is being made ready, or does something that no longer counts.
    None,
    Idle,
    Job(Slot),
}

pub(crate) struct Core {
    limits: Limits,
    schedule: Schedule,
    trials: BTreeMap<Slot, Trial>,
    /// The slots to be run, next first.
    queue: VecDeque<Slot>,
    /// Those to be run without a device.
    desk: VecDeque<Slot>,
    workers: BTreeMap<String, Duty>,
    /// What the planner is doing.
    asked: Option<Next>,
    /// The planner has nothing more.
    done: bool,
    /// When the time was over.
    closed: Option<Moment>,
    /// Jobs left out or cut for want of time.
    lost: usize,
    paused: bool,
    /// Since when work has waited without any device.
    alone_since: Option<Moment>,
    /// Why none can be used, as last heard.
    why_alone: String,
    /// The last [`Effect::Alone`], unless what a person sees has changed since.
    shown: Option<Option<String>>,
    ended: bool,
}

impl Core {
    /// The core of a session that stands at this point of its schedule, with the slots that are planned and not
    /// absorbed.
    pub(crate) fn new(limits: Limits, schedule: Schedule, trials: BTreeMap<Slot, Trial>) -> Self {
        let waiting = |at_desk: bool| {
            let trials = trials.iter();
            let waits =
                trials.filter(move |(_, trial)| trial.stage == Stage::Waiting && trial.at_desk == at_desk);
            waits.map(|(slot, _)| *slot).collect()
        };
        let (queue, desk) = (waiting(false), waiting(true));
        Self {
            limits,
            schedule,
            queue,
            desk,
            trials,
            workers: BTreeMap::new(),
            asked: None,
            done: false,
            closed: None,
            lost: 0,
            paused: false,
            alone_since: None,
            why_alone: String::new(),
            shown: Some(None),
            ended: false,
        }
    }

    /// Takes in what happened at this time and gives what is to be done for it.
    pub(crate) fn take(&mut self, now: Moment, event: Event) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.ended {
            return effects;
        }
        let hired = match &event {
            Event::Hired { outlook, .. } => Some(outlook.clone()),
            _ => None,
        };
        let ending = match self.note(event, &mut effects) {
            Err(ending) => Some(ending),
            Ok(()) => {
                self.keep_time(now, &mut effects);
                self.go_on(now, hired, &mut effects).err()
            }
        };
        if let Some(ending) = ending {
            self.ended = true;
            effects.push(Effect::End(ending));
        }
        effects
    }

    /// When there is something to do though nothing happens.
    pub(crate) fn wakes_at(&self) -> Option<Moment> {
        let until = self.limits.until.filter(|_| self.closed.is_none());
        let grace = self.closed.map(|closed| closed.saturating_add(self.limits.grace));
        let grace = grace.filter(|_| self.running() > 0);
        let patience = self.alone_since.map(|since| since.saturating_add(self.limits.patience));
        [until, grace, patience].into_iter().flatten().min()
    }

    /// Jobs that wait for a device.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Jobs that were left out or cut for want of time.
    pub(crate) fn lost(&self) -> usize {
        self.lost
    }

    /// Changes what the event says has changed.
    fn note(&mut self, event: Event, effects: &mut Vec<Effect>) -> Result<(), Ending> {
        match event {
            Event::Began => {
                for (slot, trial) in &mut self.trials {
                    if trial.stage == Stage::Whole {
                        trial.stage = Stage::Judging;
                        effects.push(Effect::Judge(*slot));
                    }
                }
            }
            Event::Planned(answer) => self.planned(answer)?,
            Event::Absorbed => {
                if let Some(Next::Absorb(slot)) = self.asked.take() {
                    self.trials.remove(&slot);
                    self.schedule.absorbed();
                }
            }
            Event::Hired { serials, .. } => {
                self.workers.extend(serials.into_iter().map(|serial| (serial, Duty::None)));
            }
            Event::Ready { serial } => {
                self.workers.insert(serial, Duty::Idle);
            }
            Event::Finished { serial, slot, timed_out, leaving } => {
                match leaving {
                    true => self.workers.remove(&serial),
                    false => self.workers.insert(serial, Duty::Idle),
                };
                self.finished(slot, timed_out, effects);
            }
            Event::Broken { serial, slot, cause, words } => {
                self.workers.remove(&serial);
                self.broken(slot, cause, words)?;
            }
            Event::Cut { serial, slot } => {
                self.workers.remove(&serial);
                self.give_up(slot);
            }
            Event::Left { serial } => {
                if let Some(Duty::Job(slot)) = self.workers.remove(&serial) {
                    self.again(slot);
                }
            }
            Event::Vanished { serial, words } => {
                if let Some(Duty::Job(slot)) = self.workers.remove(&serial) {
                    self.broken(slot, Cause::Panic, words)?;
                }
            }
            Event::Judged(slot) => self.become_now(slot, Stage::Judging, Stage::Judged),
            Event::Failed => return Err(Ending::Failed),
            Event::Paused(paused) => {
                self.paused = paused;
                self.shown = None;
            }
            Event::Tick => {}
            Event::Stopped => return Err(Ending::Stopped),
        }
        Ok(())
    }

    fn planned(&mut self, answer: Answer) -> Result<(), Ending> {
        let Some(Next::Plan(slot)) = self.asked.take() else { return Ok(()) };
        match answer {
            Answer::Job | Answer::AtDesk if self.closed.is_some() => {
                self.lost += 1;
                self.trials.insert(slot, Trial::new(Stage::Empty, 1, 0));
            }
            Answer::Job => {
                self.trials.insert(slot, Trial::new(Stage::Waiting, 1, 0));
                self.queue.push_back(slot);
            }
            Answer::AtDesk => {
                self.trials.insert(slot, Trial::new(Stage::Waiting, 1, 0).at_desk(true));
                self.desk.push_back(slot);
            }
            Answer::Done => {
                self.done = true;
                return Ok(());
            }
            Answer::Idle if self.trials.values().all(|trial| trial.stage == Stage::Empty) => {
                return Err(Ending::Stalled(slot));
            }
            Answer::Idle => {
                self.trials.insert(slot, Trial::new(Stage::Empty, 1, 0));
            }
        }
        self.schedule.planned();
        Ok(())
    }

    /// A run came back whole: it is run again when a test timed out and that is allowed, else judged.
    fn finished(&mut self, slot: Slot, timed_out: bool, effects: &mut Vec<Effect>) {
        let Some(trial) = self.trials.get_mut(&slot) else { return };
        if trial.stage != Stage::Running {
            return;
        }
        if timed_out && trial.time_outs < self.limits.retries && self.closed.is_none() {
            trial.time_outs += 1;
            return self.again(slot);
        }
        trial.stage = Stage::Judging;
        effects.push(Effect::Judge(slot));
    }

    fn broken(&mut self, slot: Slot, cause: Cause, words: String) -> Result<(), Ending> {
        let Some(trial) = self.trials.get_mut(&slot) else { return Ok(()) };
        if trial.stage != Stage::Running {
            return Ok(());
        }
        if let Some(attempts) = trial.failed(cause)
            && self.closed.is_none()
        {
            return Err(Ending::JobFailed { slot, attempts, last: words });
        }
        self.again(slot);
        Ok(())
    }

    fn again(&mut self, slot: Slot) {
        if self.closed.is_some() {
            return self.give_up(slot);
        }
        if let Some(trial) = self.trials.get_mut(&slot).filter(|trial| trial.stage == Stage::Running) {
            trial.again();
            let queue = if trial.at_desk { &mut self.desk } else { &mut self.queue };
            queue.push_front(slot);
        }
    }

    /// Leaves a job out for want of time.
    fn give_up(&mut self, slot: Slot) {
        if let Some(trial) = self.trials.get_mut(&slot)
            && matches!(trial.stage, Stage::Waiting | Stage::Running)
        {
            trial.stage = Stage::Empty;
            self.lost += 1;
        }
    }

    fn become_now(&mut self, slot: Slot, from: Stage, to: Stage) {
        if let Some(trial) = self.trials.get_mut(&slot).filter(|trial| trial.stage == from) {
            trial.stage = to;
        }
    }

    /// Nothing more is planned.
    fn is_over(&self) -> bool {
        self.done || self.closed.is_some()
    }

    fn running(&self) -> usize {
        self.workers.values().filter(|duty| matches!(duty, Duty::Job(_))).count()
    }
}
