//! What is to be done now: the end of the time, jobs for devices, the planner's next step, and the wait
//! for devices.

use super::{Core, Duty, Effect, Ending, Moment, Outlook, Saying, Stage};
use crate::at_desk::serial_of;
use crate::schedule::Next;

impl Core {
    /// Sees to the end of the time given, and of the grace after it.
    pub(super) fn keep_time(&mut self, now: Moment, effects: &mut Vec<Effect>) {
        let (running, unbegun) = (self.running(), self.queue.len());
        if self.closed.is_none() && self.limits.until.is_some_and(|until| until <= now) {
            self.closed = Some(now);
            // All that was planned is done already.
            if self.done && running + unbegun == 0 {
                return;
            }
            while let Some(slot) = self.queue.pop_front().or_else(|| self.desk.pop_front()) {
                self.give_up(slot);
            }
            let over = Saying::TimeOver { running, unbegun, grace: self.limits.grace };
            effects.extend([Effect::LastTests, Effect::Say(over)]);
        }
        let Some(closed) = self.closed else { return };
        let running = self.running();
        if running > 0 && closed.saturating_add(self.limits.grace) <= now {
            for duty in self.workers.values_mut() {
                if let Duty::Job(slot) = *duty {
                    *duty = Duty::None;
                    if let Some(trial) = self.trials.get_mut(&slot) {
                        trial.stage = Stage::Empty;
                        self.lost += 1;
                    }
                }
            }
            effects.push(Effect::Say(Saying::GraceOver { cut: running }));
        }
    }

    /// Finds out what is to be done now.
    pub(super) fn go_on(
        &mut self,
        now: Moment,
        hired: Option<Outlook>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Ending> {
        self.hand_out(effects);
        if let Some(next) = self.planner_step() {
            effects.push(match next {
                Next::Plan(slot) => Effect::Plan(slot),
                Next::Absorb(slot) => Effect::Absorb(slot),
            });
        }
        if self.asked.is_some() {
            return Ok(());
        }
        if self.is_over() && self.schedule.is_level() {
            return Err(if self.done && self.lost == 0 { Ending::Complete } else { Ending::OutOfTime });
        }
        match hired {
            None => effects.push(Effect::Hire(self.queue.len())),
            Some(outlook) => self.look_out(now, outlook, effects)?,
        }
        Ok(())
    }

    /// The next thing for the planner; none while it is busy, or waits for a run.
    fn planner_step(&mut self) -> Option<Next> {
        while self.asked.is_none() {
            let next = match self.is_over() {
                false => self.schedule.next(),
                true => Next::Absorb(self.schedule.rest().next()?),
            };
            if let Next::Absorb(slot) = next {
                match self.trials.get(&slot).map(|trial| trial.stage) {
                    Some(Stage::Judged) => {}
                    Some(Stage::Empty) | None => {
                        self.trials.remove(&slot);
                        self.schedule.absorbed();
                        continue;
                    }
                    Some(_) => return None,
                }
            }
            self.asked = Some(next);
            return Some(next);
        }
        None
    }

    fn hand_out(&mut self, effects: &mut Vec<Effect>) {
        while let Some(slot) = self.desk.pop_front() {
            let Some(trial) = self.trials.get_mut(&slot) else { continue };
            trial.stage = Stage::Running;
            let serial = serial_of(slot);
            self.workers.insert(serial.clone(), Duty::Job(slot));
            effects.push(Effect::Hand { serial, slot, attempt: trial.attempt });
        }
        let idle = self.workers.iter_mut().filter(|(_, duty)| **duty == Duty::Idle);
        for (serial, duty) in idle {
            let Some(slot) = self.queue.pop_front() else { return };
            let Some(trial) = self.trials.get_mut(&slot) else { continue };
            trial.stage = Stage::Running;
            *duty = Duty::Job(slot);
            effects.push(Effect::Hand { serial: serial.clone(), slot, attempt: trial.attempt });
        }
    }

    /// Sees to work that waits without any device.
    fn look_out(&mut self, now: Moment, outlook: Outlook, effects: &mut Vec<Effect>) -> Result<(), Ending> {
        if !self.workers.is_empty() || self.queue.is_empty() {
            self.alone_since = None;
            self.show_alone(None, effects);
            return Ok(());
        }
        if self.paused {
            // It needs none now: a person who pauses it may take the devices away, or restart the host.
            self.alone_since = None;
            return Ok(());
        }
        match outlook {
            Outlook::None => return Err(Ending::NoneFits),
            Outlook::Passing(why) => {
                self.alone_since = None;
                self.show_alone(Some(why), effects);
                return Ok(());
            }
            Outlook::Open(why) => {
                self.why_alone.clone_from(&why);
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                self.show_alone(Some(format!("waiting for a device{why}")), effects);
            }
            Outlook::Soon => {}
        }
        let since = *self.alone_since.get_or_insert(now);
        if now.saturating_sub(since) >= self.limits.patience {
            return Err(Ending::NoDevice { waited: self.limits.patience, why: self.why_alone.clone() });
        }
        Ok(())
    }

    /// Shows a change.
    fn show_alone(&mut self, why: Option<String>, effects: &mut Vec<Effect>) {
        if self.shown.as_ref() != Some(&why) {
            self.shown = Some(why.clone());
            effects.push(Effect::Alone(why));
        }
    }
}
