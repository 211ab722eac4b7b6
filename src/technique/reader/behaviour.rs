//! Behaviours: what a step shows of an app, whatever the names in it.

use droidmux_account::words::{Meaning, says};
use droidmux_account::{DifferenceKind, StepTold};
use droidmux_gui::EventKind;

/// A kind of step: on which page, what was done to what, and what kind of effect it had.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Behaviour {
    page: String,
    event: Option<EventKind>,
    target: String,
    effect: Effect,
}

/// What kind of effect a step had.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Effect {
    Nothing,
    /// Which kinds of differences, each once; of rows or beside them.
    Lines(Vec<(DifferenceKind, bool)>),
    /// Another page.
    Page(String),
    Failed,
}

/// What a behaviour is worth that was not read before, in hundredths; each repeat is worth less, the fourth nothing.
const PLAIN: u32 = 100;
/// Data was changed: made, deleted, renamed, moved, ticked.
const DATA: u32 = 300;
/// The app was left and came back, or was turned.
const SURROUNDINGS: u32 = 200;
/// Nothing came of it.
const IDLE: u32 = 25;
/// The share of its worth that a behaviour has when it was read this many times, in hundredths.
const REPEATS: [u32; 3] = [100, 60, 40];

impl Behaviour {
    /// The behaviour of a step that began on the screen after `before`.
    pub fn of(before: Option<&StepTold>, step: &StepTold) -> Self {
        let page =
            |step: &StepTold| step.screen.as_ref().map(|screen| screen.kind.clone()).unwrap_or_default();
        let effect = if step.failed {
            Effect::Failed
        } else if step.whole {
            Effect::Page(page(step))
        } else {
            let lines = step.differences.iter().filter(|line| line.kind != DifferenceKind::Now);
            let mut kinds: Vec<(DifferenceKind, bool)> = lines.map(|line| (line.kind, line.is_row)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            if kinds.is_empty() { Effect::Nothing } else { Effect::Lines(kinds) }
        };
        Self {
            page: before.map(page).unwrap_or_default(),
            event: step.kind,
            target: step.target.clone(),
            effect,
        }
    }

    /// What it is worth to read it after having read it `times` times.
    pub fn worth(&self, times: usize) -> u32 {
        let Some(share) = REPEATS.get(times) else { return 0 };
        self.weight() * share / 100
    }

    fn weight(&self) -> u32 {
        use EventKind::{Kill, Launch, Relaunch, Rotate, Set, Unlock, Wake};
        if says(&self.target, Meaning::Undo) {
            return DATA;
        }
        match (&self.effect, self.event) {
            (Effect::Failed | Effect::Nothing, _) => IDLE,
            (_, Some(Rotate | Kill | Relaunch | Launch | Wake | Unlock | Set(_))) => SURROUNDINGS,
            // Scrolling brings rows to light, and typing fills a field; neither changes data by itself.
            (Effect::Lines(kinds), Some(kind)) if !matches!(kind, EventKind::Scroll(_) | EventKind::Edit) => {
                if kinds.iter().any(|(_, is_row)| *is_row) {
                    DATA
                } else {
                    PLAIN
                }
            }
            (Effect::Page(page), _) if page.contains(" window ") => IDLE,
            _ => PLAIN,
        }
    }
}
