//! Whether the evidence of a suspicion exists.
//!
//! In: a suspicion, and the screens of the account by the names of their steps. Out: whether all that it cites is there,
//! and its check holds on the screen after its last step.
//!
//! Invariants: a suspicion whose evidence does not exist reports nothing by itself, whatever its reader says of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use droidmux_account::{TestTold, Told};
use droidmux_record::Slot;

use super::suspicion::{Check, StepName, Suspicion};

/// The screens of an account, by the steps that led to them.
#[derive(Default)]
pub struct Screens(BTreeMap<StepName, Option<Rc<Told>>>);

/// Why the evidence of a suspicion does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEvidence {
    /// A step that it cites is not in the account.
    #[error("step {0} is not in the account")]
    NoStep(StepName),
    /// A line that it quotes is not on the screen.
    #[error("{line:?} does not stand on the screen after step {step}")]
    NoLine {
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
        for step in tests.iter().flat_map(|test| &test.steps) {
            self.0.insert(StepName { slot: slot.0, turn: step.turn }, step.screen.clone());
        }
    }

    /// Looks up what a suspicion cites.
    ///
    /// # Errors
    /// The first thing that is not there.
    pub fn evidence(&self, suspicion: &Suspicion) -> Result<(), NoEvidence> {
        let missing =
            suspicion.steps.iter().chain(&suspicion.controls).find(|step| !self.0.contains_key(step));
        if let Some(step) = missing {
            return Err(NoEvidence::NoStep(*step));
        }
        let Some(step) = suspicion.steps.last().copied() else { return Ok(()) };
        let Some(lines) = self.lines(step) else { return Err(NoEvidence::CheckFails { step }) };
        if let Check::Present(quoted) | Check::Order(quoted) = &suspicion.check
            && let Some(line) = quoted.iter().find(|line| times(&lines, line) == 0)
        {
            return Err(NoEvidence::NoLine { line: line.clone(), step });
        }
        if let Check::Same(other) = &suspicion.check
            && !self.0.contains_key(other)
        {
            return Err(NoEvidence::NoStep(*other));
        }
        let earlier = match &suspicion.check {
            Check::Same(other) => self.lines(*other),
            _ => None,
        };
        if suspicion.check.holds(&lines, earlier.as_deref()) {
            Ok(())
        } else {
            Err(NoEvidence::CheckFails { step })
        }
    }

    /// The lines of the screen after a step.
    fn lines(&self, step: StepName) -> Option<Vec<String>> {
        self.0.get(&step)?.as_ref().map(|screen| lines(screen))
    }
}

/// What stands on a screen, line by line, the page's name first.
pub fn lines(screen: &Told) -> Vec<String> {
    std::iter::once(screen.page.clone()).chain(screen.lines.iter().map(|line| line.text.clone())).collect()
}

impl Check {
    /// Whether the lines of a screen are as the check says. `earlier`: the lines of the screen that [`Check::Same`]
    /// names, as it was in the same run.
    pub fn holds(&self, lines: &[String], earlier: Option<&[String]>) -> bool {
        match self {
            Self::Present(quoted) => quoted.iter().all(|line| times(lines, line) > 0),
            Self::Absent(quoted) => quoted.iter().all(|line| times(lines, line) == 0),
            Self::Count(quoted, expected) => times(lines, quoted) == *expected,
            Self::Order(quoted) => {
                let mut rest = lines.iter();
                quoted.iter().all(|line| rest.any(|other| is_line(other, line)))
            }
            Self::Same(_) => earlier.is_some_and(|earlier| {
                let plain = |lines: &[String]| lines.iter().map(|line| plain(line)).collect::<Vec<_>>();
                plain(lines) == plain(earlier)
            }),
        }
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
