//! Traces, derived from the turns of an episode.

use serde::{Deserialize, Serialize};

use super::{
    Act, AppBuild, DeviceInfo, Failure, Job, Observation, Role, Screen, Seen, Test, Turn, TurnPlace, Verdict,
};
use droidmux_gui::Event;

/// The most turns named for one verdict.
const MOST_PLACES: usize = 256;

/// A finished job: what was to be done, and everything that was done and seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRun {
    /// What was to be done.
    pub job: Job,
    /// Counted from 1; a job that lost its device is run again from the beginning.
    pub attempt: u32,
    /// Where this attempt ran.
    pub device: DeviceInfo,
    /// What was installed there.
    pub app: AppBuild,
    /// From the driver's first act on; the last one is `Finish` if the episode came to its end.
    pub turns: Vec<Turn>,
}

/// One test as it ran: layouts l₁ … lₙ₊₁ with the events between them.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    /// The test's number in its job, from 0.
    pub test: u16,
    /// The turn that reset the app; its screen is l₁. `None` when the reset failed.
    pub start: Option<&'a Seen>,
    /// In the order of the test, as far as it ran.
    pub steps: Vec<Step<'a>>,
}

/// An event and the screen it led to.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// What was to be performed.
    pub event: &'a Event,
    /// The result: the next screen, or why it could not be done.
    pub after: Result<&'a Seen, &'a Failure>,
    /// Where both come from, with its times.
    pub turn: &'a Turn,
}

impl JobRun {
    /// The tests of this job as far as they ran, in order.
    pub fn traces(&self) -> Vec<Trace<'_>> {
        let mut traces: Vec<Trace<'_>> = Vec::new();
        for turn in &self.turns {
            match &turn.act {
                Act::Reset => traces.push(Trace {
                    test: u16::try_from(traces.len()).unwrap_or(u16::MAX),
                    start: turn.observation.seen(),
                    steps: Vec::new(),
                }),
                Act::Perform(event) => {
                    let after = match &turn.observation {
                        Observation::Seen(seen) => Ok(&**seen),
                        Observation::Failed(failure) => Err(failure),
                        Observation::Started | Observation::Ended | Observation::Answered(_) => continue,
                    };
                    if let Some(trace) = traces.last_mut() {
                        trace.steps.push(Step { event, after, turn });
                    }
                }
                Act::Consult(_) | Act::Finish(_) => {}
            }
        }
        traces
    }

    /// The events of each test as they were performed, as tests in their own right.
    pub fn as_tests(&self) -> Vec<Test> {
        let events = |trace: Trace<'_>| trace.steps.iter().map(|step| step.event.clone()).collect();
        self.traces().into_iter().map(|trace| Test { role: Role::Seed, events: events(trace) }).collect()
    }

    /// What was seen last before a turn.
    pub fn seen_before(&self, turn: u32) -> Option<&Seen> {
        let before = self.turns.get(..turn as usize)?;
        before.iter().rev().find_map(|turn| turn.observation.seen())
    }

    /// The turn after which a test showed its layout number `n` (from 1): the reset for the first one.
    pub fn turn_of_layout(&self, test: u16, n: u16) -> Option<u32> {
        let (mut tests, mut layouts) = (0_u16, 0_u16);
        for (number, turn) in (0_u32..).zip(&self.turns) {
            match turn.act {
                Act::Reset => (tests, layouts) = (tests.saturating_add(1), 1),
                Act::Perform(_) => layouts = layouts.saturating_add(1),
                Act::Consult(_) | Act::Finish(_) => continue,
            }
            if tests == test.saturating_add(1) && layouts == n {
                return Some(number);
            }
        }
        None
    }

    /// The turns that the evidence of a verdict on this job names, the violation itself first: for unmatched effects,
    /// those at which the mutant lacks them, then those at which the seed has them.
    pub fn places(&self, verdict: &Verdict) -> Vec<TurnPlace> {
        let mut places = Vec::new();
        for effect in verdict.evidence.effects().iter().filter(|_| verdict.evidence.is_of_effects()) {
            let layouts = [
                (verdict.test, effect.mutant.1),
                (verdict.test, effect.mutant.0),
                (0, effect.seed.1),
                (0, effect.seed.0),
            ];
            for (test, n) in layouts {
                let turn = self.turn_of_layout(test, n);
                places.extend(turn.map(|turn| TurnPlace { slot: self.job.slot, turn }));
            }
        }
        places.extend(verdict.places());
        let mut once = Vec::new();
        for place in places {
            if !once.contains(&place) && once.len() < MOST_PLACES {
                once.push(place);
            }
        }
        once
    }

    /// Resets of the app, failed ones included.
    pub fn resets(&self) -> u64 {
        self.turns.iter().filter(|t| matches!(t.act, Act::Reset)).count() as u64
    }

    /// Events performed, failed ones included.
    pub fn events(&self) -> u64 {
        self.turns.iter().filter(|t| matches!(t.act, Act::Perform(_))).count() as u64
    }
}

impl<'a> Trace<'a> {
    /// The screens l₁ … as far as steps succeeded without a gap.
    pub fn screens(&self) -> Vec<&'a Screen> {
        let first = self.start.map(|seen| &seen.screen);
        let rest = self.steps.iter().map_while(|step| step.after.ok()).map(|seen| &seen.screen);
        first.into_iter().chain(rest).collect()
    }

    /// True when the reset and every step succeeded.
    pub fn is_whole(&self) -> bool {
        self.start.is_some() && self.steps.iter().all(|step| step.after.is_ok())
    }
}
