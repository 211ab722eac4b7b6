//! Whether the evidence of a suspicion exists.
//!
//! In: a suspicion, and the screens of the account by the names of their steps. Out: where all that it cites is, if it
//! is there and its check holds on the screen after its last step.
//!
//! Invariants: a suspicion whose evidence does not exist reports nothing by itself, whatever its reader says of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux_account::{TestTold, Told};
use droidmux_record::{ScreenCheck, Slot};

use super::suspicion::{Check, StepName, Suspicion};

/// The screens of an account, by the steps that led to them.
#[derive(Default)]
pub struct Screens(BTreeMap<StepName, Place>);

/// Where a step is.
struct Place {
    test: u16,
    /// Events of its test that were performed by then.
    events: u16,
    failed: bool,
    screen: Option<Arc<Told>>,
}

/// Where the evidence of a suspicion is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The job of the last step that it cites.
    pub slot: Slot,
    /// The test in that job.
    pub test: u16,
    /// The turns of the first and of the last step of that test that it cites.
    pub turns: (u32, u32),
    /// The check, as any run of the test can make it.
    pub check: ScreenCheck,
    /// The numbers of the events of that test that it cites, from 0, without those that failed.
    pub needed: Vec<u16>,
    /// The kind of the page on which it shows.
    pub page: String,
}

/// Why the evidence of a suspicion does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEvidence {
    /// A step that it cites is not in the account.
    #[error("step {0} is not in the account")]
    NoStep(StepName),
    /// The step whose screen is compared is one of another test.
    #[error("step {0} is not of the same test as the last one")]
    OtherTest(StepName),
    /// A line that it quotes is not on the screen.
    #[error("{line:?} does not stand on the screen after step {step}")]
    NoLine {
        /// As it was quoted.
        line: String,
        /// The last step that it cites.
        step: StepName,
    },
    /// A line that it misses was on no earlier screen of the test: of such a line nothing is proved.
    #[error("{line:?} stood on no screen of that test before step {step}")]
    NeverSeen {
        /// As it was quoted.
        line: String,
        /// The last step that it cites.
        step: StepName,
    },
    /// The screen is not as the check says.
    #[error("the screen after step {step} is not as the check says")]
    CheckFails {
        /// The last step that it cites.
        step: StepName,
    },
}

impl Screens {
    /// Takes in the account of a job.
    pub fn add(&mut self, slot: Slot, tests: &[TestTold]) {
        for test in tests {
            let mut events = 0_u16;
            for step in &test.steps {
                events = events.saturating_add(u16::from(step.kind.is_some() && !step.failed));
                let place =
                    Place { test: test.test, events, failed: step.failed, screen: step.screen.clone() };
                self.0.insert(StepName { slot: slot.0, turn: step.turn }, place);
            }
        }
    }

    /// Looks up what a suspicion cites.
    ///
    /// # Errors
    /// The first thing that is not there.
    pub fn evidence(&self, suspicion: &Suspicion) -> Result<Proof, NoEvidence> {
        let missing =
            suspicion.steps.iter().chain(&suspicion.controls).find(|step| !self.0.contains_key(step));
        if let Some(step) = missing {
            return Err(NoEvidence::NoStep(*step));
        }
        // Its reader makes sure that there is one.
        let last = suspicion.steps.last().copied().unwrap_or(StepName { slot: 0, turn: 0 });
        let place = self.0.get(&last).ok_or(NoEvidence::NoStep(last))?;
        let Some(screen) = &place.screen else { return Err(NoEvidence::CheckFails { step: last }) };
        let lines = lines(screen);
        let (check, earlier) = match &suspicion.check {
            Check::Present(quoted) | Check::Order(quoted) => {
                if let Some(line) = quoted.iter().find(|line| times(&lines, line) == 0) {
                    return Err(NoEvidence::NoLine { line: line.clone(), step: last });
                }
                let order = matches!(suspicion.check, Check::Order(_));
                let kind = if order { ScreenCheck::Order } else { ScreenCheck::Present };
                (kind(quoted.clone()), None)
            }
            Check::Absent(quoted) => {
                self.were_seen(quoted, last, place)?;
                (ScreenCheck::Absent(quoted.clone()), None)
            }
            Check::Count(line, times) => {
                if *times == 0 {
                    self.were_seen(std::slice::from_ref(line), last, place)?;
                }
                let times = u16::try_from(*times).unwrap_or(u16::MAX);
                (ScreenCheck::Count { line: line.clone(), times }, None)
            }
            Check::Same(other) => {
                let earlier = self.0.get(other).ok_or(NoEvidence::NoStep(*other))?;
                if (other.slot, earlier.test) != (last.slot, place.test) || other.turn >= last.turn {
                    return Err(NoEvidence::OtherTest(*other));
                }
                (ScreenCheck::Same { after: earlier.events }, earlier.screen.clone())
            }
        };
        let earlier = earlier.map(|screen| self::lines(&screen));
        if !holds(&check, &lines, earlier.as_deref()) {
            return Err(NoEvidence::CheckFails { step: last });
        }
        let of_test = |step: &&StepName| {
            step.slot == last.slot && self.0.get(step).is_some_and(|other| other.test == place.test)
        };
        let own: Vec<StepName> = suspicion.steps.iter().filter(of_test).copied().collect();
        let event = |step: &StepName| {
            let place = self.0.get(step).filter(|place| !place.failed)?;
            place.events.checked_sub(1)
        };
        let mut needed: Vec<u16> = own.iter().filter_map(event).collect();
        needed.dedup();
        Ok(Proof {
            slot: Slot(last.slot),
            test: place.test,
            turns: (own.first().map_or(last.turn, |first| first.turn), last.turn),
            check,
            needed,
            page: screen.kind.clone(),
        })
    }
}

impl Screens {
    /// Whether each of these lines, or a line that holds it, stood on a screen of the test before a step.
    fn were_seen(&self, quoted: &[String], last: StepName, place: &Place) -> Result<(), NoEvidence> {
        let first = StepName { slot: last.slot, turn: 0 };
        let of_test = |other: &&Place| other.test == place.test;
        let earlier = self.0.range(first..last).map(|(_, other)| other).filter(of_test);
        let screens: Vec<&Arc<Told>> = earlier.filter_map(|other| other.screen.as_ref()).collect();
        let is_on = |screen: &Told, quoted: &str| {
            lines(screen).iter().any(|line| plain(line).contains(&plain(quoted)))
        };
        let never = |line: &&String| !screens.iter().any(|screen| is_on(screen, line));
        match quoted.iter().find(never) {
            Some(line) => Err(NoEvidence::NeverSeen { line: line.clone(), step: last }),
            None => Ok(()),
        }
    }
}

/// What stands on a screen, line by line, the page's name first.
pub fn lines(screen: &Told) -> Vec<String> {
    std::iter::once(screen.page.clone()).chain(screen.lines.iter().map(|line| line.text.clone())).collect()
}

/// Whether the lines of a screen are as a check says. `earlier`: the lines of the screen that [`ScreenCheck::Same`]
/// names, as it was in the same run.
pub fn holds(check: &ScreenCheck, lines: &[String], earlier: Option<&[String]>) -> bool {
    match check {
        ScreenCheck::Present(quoted) => quoted.iter().all(|line| times(lines, line) > 0),
        ScreenCheck::Absent(quoted) => quoted.iter().all(|line| times(lines, line) == 0),
        ScreenCheck::Count { line, times: expected } => times(lines, line) == usize::from(*expected),
        ScreenCheck::Order(quoted) => {
            let mut rest = lines.iter();
            quoted.iter().all(|line| rest.any(|other| is_line(other, line)))
        }
        ScreenCheck::Same { .. } => earlier.is_some_and(|earlier| {
            let plain = |lines: &[String]| lines.iter().map(|line| plain(line)).collect::<Vec<_>>();
            plain(lines) == plain(earlier)
        }),
    }
}

fn times(lines: &[String], quoted: &str) -> usize {
    lines.iter().filter(|line| is_line(line, quoted)).count()
}

/// Whether a line is the one that is quoted, or has it as one of its parts.
fn is_line(line: &str, quoted: &str) -> bool {
    let (line, quoted) = (plain(line), plain(quoted));
    line == quoted || line.split(" | ").any(|part| part == quoted)
}

/// A line without what the account puts around it: readers quote with it and without.
fn plain(line: &str) -> String {
    let line = line.trim();
    let heads = ["gone: ", "new: ", "changed: ", "moved: ", "now: ", "back on: "];
    let line = heads.iter().find_map(|head| line.strip_prefix(head)).unwrap_or(line);
    let line = line.strip_prefix("- ").unwrap_or(line);
    // ` (2nd of 5)`, ` (3rd → 1st)`
    let line = match line.rsplit_once(" (") {
        Some((before, place)) if is_place(place) => before,
        _ => line,
    };
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_place(text: &str) -> bool {
    let Some(text) = text.strip_suffix(')') else { return false };
    let is_ordinal = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        !digits.is_empty() && digits.len() < word.len() && digits.chars().all(|c| c.is_ascii_digit())
    };
    match text.split_once(" of ").or_else(|| text.split_once(" → ")) {
        Some((from, to)) => is_ordinal(from) && (is_ordinal(to) || to.parse::<usize>().is_ok()),
        None => false,
    }
}
