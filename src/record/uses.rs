//! What a session's events went into, by the purpose of its jobs.

use serde::{Deserialize, Serialize};

use super::JobRun;
use droidmux_words::figure::thousands;

/// What the jobs of one purpose took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// The name of their work: `mine`, `mutants`, `shrink`.
    pub purpose: String,
    /// Absorbed jobs.
    pub jobs: u64,
    /// Resets of the app: one for each test.
    pub resets: u64,
    /// Events performed.
    pub events: u64,
}

impl Use {
    /// Counts a finished job among the others; those that took most events come first.
    pub fn count(uses: &mut Vec<Self>, run: &JobRun) {
        let purpose = run.job.work.name();
        let at = uses.iter().position(|known| known.purpose == purpose).unwrap_or_else(|| {
            uses.push(Self { purpose: purpose.to_owned(), ..Self::default() });
            uses.len() - 1
        });
        if let Some(known) = uses.get_mut(at) {
            known.jobs += 1;
            known.resets += run.resets();
            known.events += run.events();
        }
        uses.sort_by_key(|known| std::cmp::Reverse(known.events));
    }

    /// All of them in a line; empty when there are none.
    pub fn words(uses: &[Self]) -> String {
        let all: u64 = uses.iter().map(|known| known.events).sum();
        let resets: u64 = uses.iter().map(|known| known.resets).sum();
        let share = |events: u64| events.saturating_mul(100).checked_div(all).unwrap_or(0);
        let one = |known: &Self| {
            format!("{} {} ({} %)", known.purpose, thousands(known.events), share(known.events))
        };
        match uses {
            [] => String::new(),
            _ => {
                let each: Vec<String> = uses.iter().map(one).collect();
                format!("events went into: {}; {} resets beside", each.join(", "), thousands(resets))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Act, AppBuild, DeviceInfo, Ending, Job, Observation, Slot, Turn, Work};
    use crate::{Choice, Explore, Goal};

    #[test]
    fn uses_are_counted_by_the_name_of_the_work() {
        let run = |goal, acts: Vec<Act>| JobRun {
            job: Job { slot: Slot(0), rng: 0, work: Work::Explore(Explore::new(goal, Choice::Random, 9)) },
            attempt: 1,
            device: DeviceInfo::default(),
            app: AppBuild::default(),
            turns: acts
                .into_iter()
                .map(|act| Turn { act, observation: Observation::Ended, at_ms: 0, took_ms: 0 })
                .collect(),
        };
        let back = || Act::Perform(droidmux_gui::Event::global(droidmux_gui::EventKind::Back));
        let mut uses = Vec::new();
        assert_eq!(Use::words(&uses), "");
        Use::count(&mut uses, &run(Goal::Mine, vec![Act::Reset, back(), Act::Finish(Ending::Complete)]));
        Use::count(&mut uses, &run(Goal::Seed, vec![Act::Reset, back(), back()]));
        Use::count(&mut uses, &run(Goal::Seed, vec![Act::Reset, back()]));
        assert_eq!(Use::words(&uses), "events went into: seed 3 (75 %), mine 1 (25 %); 3 resets beside");
    }
}
