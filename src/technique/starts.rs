//! How starts of the app under test go, whether it responds to anything, and when no more of that is worth while.
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

/// The same for starts after which the app did not come in front, whatever was tried.
const ABSENT_FROM_THE_BEGINNING: u32 = 4;
const ABSENT_IN_BETWEEN: u32 = 40;

/// Touches without any effect, none ever having had one, after which the device counts as one that ignores them.
const IGNORED: u32 = 24;

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
    /// The app was seen in front.
    shown: bool,
    /// Resets in a row after which it did not come in front.
    absent: u32,
    /// A touch changed the screen.
    moved: bool,
    /// Touches that did not, as long as none did.
    ignored: u32,
    /// Resets in a row without an event.
    eventless: u32,
    /// What was reached first.
    over: Option<Over>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Dead(u32),
    Absent(u32),
    Ignored(u32),
    Eventless(u32),
}

impl Starts {
    /// Takes in a finished job.
    pub fn count(&mut self, run: &JobRun) {
        let of_finding = matches!(&run.job.work, Work::Batch(batch)
            if batch.purpose.follows_a_finding());
        let mut before = None;
        for turn in &run.turns {
            let Some(seen) = turn.observation.seen() else { continue };
            let layout = seen.screen.layout;
            let changed = before.replace(layout).is_some_and(|before| before != layout);
            if turn.act == Act::Reset && !of_finding && !seen.crashed(&run.app.package) {
                self.absent = self.absent.saturating_add(1);
            }
            if seen.screen.in_app {
                (self.shown, self.absent) = (true, 0);
            }
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
                Act::Perform(event) => {
                    self.eventless = 0;
                    if event.receiver.is_some() {
                        self.moved |= changed;
                        self.ignored = self.ignored.saturating_add(1);
                    }
                }
                Act::Consult(_) | Act::Finish(_) => {}
            }
        }
        let dead = if self.lived { DEAD_IN_BETWEEN } else { DEAD_FROM_THE_BEGINNING };
        let absent = if self.shown { ABSENT_IN_BETWEEN } else { ABSENT_FROM_THE_BEGINNING };
        let reached = [
            (self.dead >= dead).then_some(Over::Dead(self.dead)),
            (self.absent >= absent).then_some(Over::Absent(self.absent)),
            (!self.moved && self.ignored >= IGNORED).then_some(Over::Ignored(self.ignored)),
            (self.eventless >= WITHOUT_EVENTS).then_some(Over::Eventless(self.eventless)),
        ];
        self.over = self.over.or(reached.into_iter().flatten().next());
    }

    /// True when nothing more is worth looking for.
    pub fn are_over(&self) -> bool {
        self.over.is_some()
    }

    /// True when that is because the app does not outlive its start.
    pub fn are_dead(&self) -> bool {
        matches!(self.over, Some(Over::Dead(_)))
    }

    /// Why nothing could be found, where that is the reason.
    pub fn in_vain(&self) -> Option<String> {
        self.words().filter(|_| matches!(self.over, Some(Over::Ignored(_))))
    }

    /// Why nothing more is looked for, in words.
    pub fn words(&self) -> Option<String> {
        Some(match self.over? {
            Over::Dead(times) => format!(
                "the app cannot be tested: it crashed, hung or ended at each of {times} starts in a row; nothing more was \
                 looked for"
            ),
            Over::Absent(times) => format!(
                "the app did not come in front after {times} starts in a row; nothing more was looked for"
            ),
            Over::Ignored(times) => format!(
                "none of {times} touches changed anything; some devices ignore what `input` injects, without a word, until \
                 a switch of their developer options allows it (docs/devices.md)"
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
            hears_toasts: false,
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
    /// `?`: one after which something else was in front, and nobody knows why; `e`: an event that led out of the app;
    /// `t`: a touch that changed nothing; `c`: one that did.
    fn after(story: &str) -> Starts {
        let mut starts = Starts::default();
        let mut turns = Vec::new();
        let mut page = 0;
        let button = droidmux_testutils::selector("OK", "", "");
        for step in story.chars() {
            let mut seen = seen_on(if "ortc".contains(step) { "a" } else { "launcher" });
            page += u8::from(step == 'c');
            seen.screen.layout = LayoutHash([page; 16]);
            if "xr".contains(step) {
                let (kind, process, headline) = (SignalKind::Crash, "a".to_owned(), "x.Y".to_owned());
                seen.signals.push(Signal { kind, process, headline, stack: Vec::new() });
            }
            let act = match step {
                'e' => Act::Perform(Event::global(EventKind::Back)),
                't' | 'c' => Act::Perform(Event::on(EventKind::Click, button.clone())),
                _ => Act::Reset,
            };
            // One job a start.
            if act == Act::Reset && !turns.is_empty() {
                starts.count(&run_of("a", std::mem::take(&mut turns)));
            }
            turns.push(Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms: 0, took_ms: 0 });
        }
        starts.count(&run_of("a", turns));
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
            ("something else is in front", "?e".repeat(3), false, false),
            ("for ever", "?e".repeat(4), true, false),
            ("it came in front", format!("?e?eoe{}", "?e".repeat(39)), false, false),
            ("and never again", format!("oe{}", "?e".repeat(40)), true, false),
            ("touches are ignored", format!("o{}", "t".repeat(23)), false, false),
            ("all of them", format!("o{}o{}", "t".repeat(12), "t".repeat(12)), true, false),
            ("one was not", format!("o{}co{}", "t".repeat(12), "t".repeat(99)), false, false),
            ("only starts", "o".repeat(79), false, false),
            ("and nothing else", "o".repeat(80), true, false),
        ] {
            let starts = after(&story);
            assert_eq!((starts.are_over(), starts.are_dead()), (over, dead), "{name}");
            assert_eq!(starts.words().is_some(), over, "{name}");
        }
    }
}
