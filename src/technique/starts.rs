//! How starts of the app under test go, and when no more of them are worth while.
//!
//! In: finished jobs, in slot order. Out: why nothing more is to be looked for, once that is so.
//!
//! Invariants: a start that fails now and then ends nothing; replays of findings, which are limited anyway, count only
//! where they show that the app lives.

use droidmux_record::{Act, JobRun, Work};

/// Starts in a row without a living app after which it counts as one that cannot be tested: fewer while no start ever
/// went well, for then it is not one that fails sometimes.
const DEAD_FROM_THE_BEGINNING: u32 = 6;
const DEAD_IN_BETWEEN: u32 = 40;

/// Resets in a row without an event between them after which nothing more is expected: events are what a session is
/// limited by, and these would go on for ever.
const WITHOUT_EVENTS: u32 = 80;

/// Counts of starts so far.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    /// The app was seen to live after a start.
    lived: bool,
    /// Starts in a row at which the app crashed, hung or ended.
    dead: u32,
    /// Resets in a row without an event.
    eventless: u32,
    /// What was reached first.
    over: Option<Over>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Dead(u32),
    Eventless(u32),
}

impl Starts {
    /// Takes in a finished job.
    pub fn count(&mut self, run: &JobRun) {
        let of_finding = matches!(&run.job.work, Work::Batch(batch)
            if batch.purpose.is_replay() || batch.purpose.is_of_a_finding());
        for turn in &run.turns {
            let Some(seen) = turn.observation.seen() else { continue };
            match &turn.act {
                Act::Reset => {
                    // Whatever is in front then: no test goes on with an app that has just crashed.
                    let failed = seen.crashed(&run.app.package);
                    if !failed && seen.screen.package == run.app.package {
                        (self.lived, self.dead) = (true, 0);
                    } else if failed && !of_finding {
                        self.dead = self.dead.saturating_add(1);
                    }
                    self.eventless = self.eventless.saturating_add(u32::from(!of_finding));
                }
                Act::Perform(_) => self.eventless = 0,
                Act::Consult(_) | Act::Finish(_) => {}
            }
        }
        let most = if self.lived { DEAD_IN_BETWEEN } else { DEAD_FROM_THE_BEGINNING };
        if self.over.is_none() && self.dead >= most {
            self.over = Some(Over::Dead(self.dead));
        } else if self.over.is_none() && self.eventless >= WITHOUT_EVENTS {
            self.over = Some(Over::Eventless(self.eventless));
        }
    }

    /// True when nothing more is worth looking for.
    pub fn are_over(&self) -> bool {
        self.over.is_some()
    }

    /// True when that is because the app does not outlive its start.
    pub fn are_dead(&self) -> bool {
        matches!(self.over, Some(Over::Dead(_)))
    }

    /// Why nothing more is looked for, in words.
    pub fn words(&self) -> Option<String> {
        Some(match self.over? {
            Over::Dead(times) => format!(
                "the app cannot be tested: it crashed, hung or ended at each of {times} starts in a row; nothing more was \
                 looked for"
            ),
            Over::Eventless(times) => {
                format!("no event was performed between {times} resets in a row; nothing more was looked for")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Event, EventKind, LayoutHash};
    use droidmux_record::{
        AppBuild, Choice, DeviceInfo, Explore, Goal, Job, Observation, Screen, Seen, Settling, Signal,
        SignalKind, Slot, Turn,
    };

    fn seen_on(package: &str) -> Seen {
        let screen = Screen {
            layout: LayoutHash([0; 16]),
            package: package.into(),
            activity: String::new(),
            in_app: package == "a",
            rotation: 0,
            keyboard: false,
        };
        Seen {
            screen,
            settling: Settling::Strict,
            dumps: 1,
            toast: None,
            resolution: None,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }
    }

    fn run_of(package: &str, turns: Vec<Turn>) -> JobRun {
        let work = Work::Explore(Explore::new(Goal::Roam, Choice::Random, 9));
        let job = Job { slot: Slot(0), rng: 1, work };
        let app = AppBuild { package: package.into(), ..AppBuild::default() };
        JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns }
    }

    /// `x`: a start at which the app crashed; `r`: one at which it crashed and came again; `o`: one that it outlived;
    /// `?`: one after which something else was in front, and nobody knows why; `e`: an event.
    fn after(story: &str) -> Starts {
        let mut starts = Starts::default();
        for step in story.chars() {
            let mut seen = seen_on(if "or".contains(step) { "a" } else { "launcher" });
            if "xr".contains(step) {
                let (kind, process, headline) = (SignalKind::Crash, "a".to_owned(), "x.Y".to_owned());
                seen.signals.push(Signal { kind, process, headline, stack: Vec::new() });
            }
            let act = match step {
                'e' => Act::Perform(Event::global(EventKind::Back)),
                _ => Act::Reset,
            };
            let turn = Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms: 0, took_ms: 0 };
            starts.count(&run_of("a", vec![turn]));
        }
        starts
    }

    #[test]
    fn an_app_that_never_outlives_its_start_cannot_be_tested() {
        for (name, story, over, dead) in [
            ("a few starts", "xxxxx".to_owned(), false, false),
            ("one more", "xxxxxx".to_owned(), true, true),
            ("it comes again each time", "rrrrrr".to_owned(), true, true),
            ("events do not help it", "xexexexexexe".to_owned(), true, true),
            ("it sometimes lives", "xxxxxo".repeat(200).replace('o', "oe"), false, false),
            ("it lived once", format!("oe{}", "x".repeat(39)), false, false),
            ("and never again", format!("oe{}", "x".repeat(40)), true, true),
            ("something else is in front", "?".repeat(79), false, false),
            ("for ever", "?".repeat(80), true, false),
            ("with events", "?e".repeat(200), false, false),
        ] {
            let starts = after(&story);
            assert_eq!((starts.are_over(), starts.are_dead()), (over, dead), "{name}");
            assert_eq!(starts.words().is_some(), over, "{name}");
        }
    }
}
