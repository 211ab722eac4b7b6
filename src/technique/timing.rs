//! How many events a session will come to when its time is up.
//!
//! In: the session's time, finished jobs in slot order. Out: a forecast of its events, and whether its last part has begun.
//!
//! Invariants: it goes by the times that are stored with each step, so planning again from the store forecasts the same;
//! the time between an interruption and its end does not count.

use std::collections::{BTreeSet, VecDeque};

use droidmux_record::JobRun;

/// The devices of this many jobs count as those that work side by side.
const RECENT: usize = 16;

/// Percent of the time that must be gone before it is forecast from.
const FROM: u64 = 2;

/// Percent of the time after which nothing new is looked for: what was found is still replayed.
const LAST: u64 = 90;

/// The time of a session, and how much of it is gone.
#[derive(Clone, Debug)]
pub struct Timing {
    whole_ms: u64,
    gone_ms: u64,
    /// The devices of the last jobs.
    devices: VecDeque<String>,
}

impl Timing {
    /// A session that has this many seconds; `None` where time is no limit.
    pub fn of(seconds: u32) -> Option<Self> {
        let whole_ms = u64::from(seconds) * 1_000;
        (seconds > 0).then_some(Self { whole_ms, gone_ms: 0, devices: VecDeque::new() })
    }

    /// Counts the time of a finished job.
    pub fn count(&mut self, run: &JobRun) {
        let (Some(first), Some(last)) = (run.turns.first(), run.turns.last()) else { return };
        let took = last.at_ms.saturating_add(last.took_ms.into()).saturating_sub(first.at_ms);
        if self.devices.len() == RECENT {
            self.devices.pop_front();
        }
        self.devices.push_back(run.device.serial.clone());
        let side_by_side: BTreeSet<&String> = self.devices.iter().collect();
        self.gone_ms += took / (side_by_side.len() as u64).max(1);
    }

    /// The events that will have been performed when the time is up, after `spent`; `None` as long as too little is known,
    /// and once the time is over: whoever goes on with a session gives it more.
    pub fn forecast(&self, spent: u64) -> Option<u64> {
        if self.gone_ms >= self.whole_ms || self.gone_ms < self.percent(FROM) {
            return None;
        }
        let events = u128::from(spent) * u128::from(self.whole_ms) / u128::from(self.gone_ms.max(1));
        Some(u64::try_from(events).unwrap_or(u64::MAX))
    }

    /// True when what is left of the time is for replays of what was found.
    pub fn is_last_part(&self) -> bool {
        (self.percent(LAST)..self.whole_ms).contains(&self.gone_ms)
    }

    fn percent(&self, percent: u64) -> u64 {
        self.whole_ms / 100 * percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{
        Act, AppBuild, Choice, DeviceInfo, Explore, Goal, Job, Observation, Slot, Turn, Work,
    };

    /// A job on this device that began at this second and took as many.
    fn job(serial: &str, at: u64, took: u32) -> JobRun {
        let work = Work::Explore(Explore::new(Goal::Mine, Choice::Random, 9));
        let turn = Turn {
            act: Act::Reset,
            observation: Observation::Started,
            at_ms: at * 1_000,
            took_ms: took * 1_000,
        };
        JobRun {
            job: Job { slot: Slot(0), rng: 1, work },
            attempt: 1,
            device: DeviceInfo { serial: serial.into(), ..DeviceInfo::default() },
            app: AppBuild::default(),
            turns: vec![turn],
        }
    }

    #[test]
    fn events_are_forecast_from_the_time_that_jobs_took() {
        // The jobs, events so far, the forecast for 1,000 seconds, whether it is the last part.
        let cases = [
            ("nothing done", vec![], 0, None, false),
            ("too early", vec![job("a", 0, 19)], 10, None, false),
            ("a tenth", vec![job("a", 0, 100)], 40, Some(400), false),
            ("idle in between", vec![job("a", 0, 50), job("a", 90_000, 50)], 40, Some(400), false),
            (
                "two devices",
                vec![job("a", 0, 100), job("b", 0, 100), job("a", 100, 50)],
                70,
                Some(400),
                false,
            ),
            ("near the end", vec![job("a", 0, 900)], 900, Some(1_000), true),
            ("over", vec![job("a", 0, 1_000)], 900, None, false),
        ];
        for (name, jobs, spent, forecast, last) in cases {
            let mut timing = Timing::of(1_000).expect("a limit");
            jobs.iter().for_each(|job| timing.count(job));
            assert_eq!((timing.forecast(spent), timing.is_last_part()), (forecast, last), "{name}");
        }
        assert!(Timing::of(0).is_none());
    }
}
