//! Carrying out what the core wants, and telling it what happens.

use std::collections::VecDeque;

use tokio::sync::watch;

use super::core::{Effect, Event, Moment};
use super::judging::judge;
use super::{Session, SessionEnd, SessionEvent, at, end_of};
use crate::crew::News;
use crate::panics::guarded;
use crate::worker::Assignment;
use crate::{LabError, Mode};
use droidmux_record::Slot;

impl Session {
    /// Runs to the end.
    pub(super) async fn run(&mut self) -> Result<SessionEnd, LabError> {
        let mut devices = self.lab.roster.watch();
        let mut mode = self.site.gate.watch();
        let paused = self.site.gate.mode() == Mode::Pause;
        let mut events = VecDeque::from([Event::Began, Event::Paused(paused)]);
        loop {
            while let Some(event) = events.pop_front() {
                let stopped = self.site.gate.cancelled().is_cancelled();
                let event = if stopped { Event::Stopped } else { event };
                let now = self.now();
                for effect in self.core.take(now, event) {
                    match effect {
                        Effect::End(ending) => {
                            let ended = end_of(ending, &self.crew, self.failure.take());
                            return self.look_once_more(ended).await;
                        }
                        effect => events.extend(self.carry_out(effect).await?),
                    }
                }
                self.site.hub.queues.planned.saw(self.core.waiting());
            }
            events.push_back(self.next(&mut devices, &mut mode).await);
        }
    }

    fn now(&self) -> Moment {
        self.began.elapsed()
    }

    /// What happens next.
    async fn next(&mut self, devices: &mut watch::Receiver<u64>, mode: &mut watch::Receiver<Mode>) -> Event {
        let wakes = self.core.wakes_at().and_then(|at| self.began.checked_add(at));
        tokio::select! {
            news = self.crew.next() => match news {
                Ok(News { event, run }) => {
                    self.whole.extend(run.map(|run| (run.job.slot, run)));
                    event
                }
                Err(error) => self.failed(error),
            },
            judged = self.judged.recv() => match judged {
                Some(Ok(judged)) => {
                    let slot = judged.run.job.slot;
                    self.finished.insert(slot, judged);
                    let queues = &self.site.hub.queues;
                    queues.judged.saw(self.judged.len().saturating_add(1));
                    queues.unabsorbed.saw(self.finished.len());
                    Event::Judged(slot)
                }
                Some(Err(error)) => self.failed(error),
                // The channel cannot close while the session holds a sender.
                None => Event::Tick,
            },
            _ = devices.changed() => Event::Tick,
            _ = mode.changed() => Event::Paused(*mode.borrow_and_update() == Mode::Pause),
            () = self.site.gate.cancelled().cancelled() => Event::Stopped,
            () = at(wakes) => Event::Tick,
        }
    }

    fn failed(&mut self, error: LabError) -> Event {
        self.failure = Some(error);
        Event::Failed
    }

    /// Carries out what is wanted; returns what the core is to hear of it.
    async fn carry_out(&mut self, effect: Effect) -> Result<Vec<Event>, LabError> {
        let session = self.site.session;
        Ok(match effect {
            Effect::Plan(slot) => vec![Event::Planned(self.plan(slot).await?)],
            Effect::Absorb(slot) => {
                self.absorb(slot).await?;
                vec![Event::Absorbed]
            }
            Effect::Hire(waiting) => {
                let left = self.crew.yield_idle().into_iter().map(|serial| Event::Left { serial });
                let mut events: Vec<Event> = left.collect();
                let serials = self.crew.hire(waiting);
                events.push(Event::Hired { serials, outlook: self.crew.outlook() });
                events
            }
            Effect::Hand { serial, slot, attempt } => self.hand(serial, slot, attempt)?,
            Effect::Judge(slot) => {
                self.judge(slot)?;
                Vec::new()
            }
            Effect::LastTests => {
                self.site.gate.let_no_test_begin();
                Vec::new()
            }
            Effect::Alone(why) => {
                self.site.hub.alone(session, why.as_deref());
                Vec::new()
            }
            Effect::Say(saying) => {
                let words = saying.to_string();
                self.site.hub.warn(&session.to_string(), &words);
                self.tell(SessionEvent::Said(words)).await;
                Vec::new()
            }
            // Taken out before.
            Effect::End(_) => Vec::new(),
        })
    }

    fn hand(&mut self, serial: String, slot: Slot, attempt: u32) -> Result<Vec<Event>, LabError> {
        let planned = self.planned.get(&slot).ok_or_else(|| LabError::Task(format!("job {slot}")))?;
        let driver = guarded(|| planned.driver.fresh())
            .map_err(|what| LabError::Panicked { who: "a driver", what })?;
        let assignment = Assignment { job: planned.job.clone(), attempt, driver };
        if assignment.job.work.only_asks() {
            self.crew.ask(assignment);
            return Ok(Vec::new());
        }
        Ok(match self.crew.hand(&serial, assignment) {
            true => Vec::new(),
            false => vec![Event::Vanished { serial, words: "its worker is gone".into() }],
        })
    }

    /// Has a run judged alongside everything else.
    fn judge(&mut self, slot: Slot) -> Result<(), LabError> {
        let run = self.whole.remove(&slot).ok_or_else(|| LabError::Task(format!("run {slot}")))?;
        self.planned.remove(&slot);
        let (site, judged) = (self.site.clone(), self.judged_in.clone());
        let judging = tokio::spawn(judge(site, run));
        tokio::spawn(async move {
            let verdict = judging.await.unwrap_or_else(|error| Err(error.into()));
            // Fails only when the session is gone.
            let _ = judged.send(verdict).await;
        });
        Ok(())
    }
}
