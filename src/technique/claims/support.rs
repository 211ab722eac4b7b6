//! How often a claim held and failed, and what that says.
//!
//! In: cases, one by one. Out: the [`Standing`] of a claim with these counts. Invariants: all cases count; memory is
//! bounded, for of what they were about no more is remembered than any kind of claim asks for.

use std::collections::BTreeSet;

use super::kind::Kind;
use droidmux_record::Claim;
use droidmux_words::figure::{count, thousands};

/// Situations of one claim that are remembered.
pub const MOST_SITUATIONS: usize = 32;

/// Situations in which a promise must be broken before it counts as one that the app never made.
const BROKEN_PROMISES: usize = 3;

/// How often a claim held, and how often not.
#[derive(Clone, Debug, Default)]
pub struct Support {
    held: u64,
    broken: u64,
    /// Hashed: what it held for.
    situations: BTreeSet<u64>,
    /// Hashed: the keys of its counter-examples.
    failures: BTreeSet<u64>,
    /// Hashed: the screens that its counter-examples began on, and what they acted on there.
    scenes: BTreeSet<u64>,
}

/// What the counts of a claim say of its counter-examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It held often enough, in enough situations, and failed seldom.
    Kept,
    /// It held too seldom to say that it must.
    Rare,
    /// What takes a single case to keep was not broken on enough screens.
    Untried,
    /// What takes a single case to keep was broken in so many others that this one may be chance; or it was kept in so
    /// many that the others may be.
    Chance,
    /// What takes a single case to keep never was on this page, but on another.
    Elsewhere,
    /// It failed too often to say that it must.
    Mixed,
    /// It fails more often than it holds: the app does so as a habit.
    Habit,
}

impl Support {
    /// Counts a case in which it held.
    pub fn hold(&mut self, situation: u64) {
        self.held += 1;
        remember(&mut self.situations, situation);
    }

    /// Counts a counter-example with this key.
    pub fn contradict(&mut self, key: u64, scene: u64) {
        self.broken += 1;
        remember(&mut self.failures, key);
        remember(&mut self.scenes, scene);
    }

    /// Whether it ever held.
    pub fn was_kept(&self) -> bool {
        self.held > 0
    }

    /// What the counts say of the claim's counter-examples.
    pub fn standing(&self, claim: &Claim) -> Standing {
        let all = self.held + self.broken;
        let share = |cases: u64| cases * 100 >= all * u64::from(claim.share);
        match Kind::of(claim) {
            Kind::Habit => self.standing_of_a_habit(claim, share(self.held)),
            Kind::Lasting | Kind::Promise if !share(self.broken) => Standing::Chance,
            Kind::Lasting | Kind::Promise => {
                let (kept, failed) = (self.situations.len(), self.failures.len());
                if failed >= BROKEN_PROMISES && failed > kept { Standing::Mixed } else { Standing::Kept }
            }
            Kind::Ability if !share(self.broken) => Standing::Habit,
            Kind::Ability if self.scenes.len() < claim.variety as usize => Standing::Untried,
            Kind::Ability if self.held > 0 => Standing::Chance,
            Kind::Ability => Standing::Kept,
        }
    }

    fn standing_of_a_habit(&self, claim: &Claim, often: bool) -> Standing {
        let much = self.held >= u64::from(claim.needed) && self.situations.len() >= claim.variety as usize;
        match (often, much) {
            (true, true) => Standing::Kept,
            // A habit shows in as many cases as it takes to speak. A defect may strike often, but not most of the time.
            (false, _) if self.broken >= u64::from(claim.needed) && self.broken > self.held => {
                Standing::Habit
            }
            (false, true) => Standing::Mixed,
            _ => Standing::Rare,
        }
    }

    /// `this held 14 times in 4 situations, and failed once`, without a full stop.
    pub fn words(&self) -> String {
        let failed = times(self.broken);
        if self.held == 0 {
            let screens = if self.scenes.len() > 1 {
                format!(" on {} screens", self.scenes.len())
            } else {
                String::new()
            };
            return format!("This never held, and failed {failed}{screens}");
        }
        let more = if self.situations.len() >= MOST_SITUATIONS { "at least " } else { "" };
        let situations = count(self.situations.len(), "situation");
        format!("This held {} in {more}{situations}, and failed {failed}", times(self.held))
    }

    /// How many situations, keys and scenes are remembered.
    #[cfg(test)]
    pub fn remembered(&self) -> [usize; 3] {
        [self.situations.len(), self.failures.len(), self.scenes.len()]
    }
}

/// Adds one while there is room for it.
fn remember(known: &mut BTreeSet<u64>, one: u64) {
    if known.len() < MOST_SITUATIONS {
        known.insert(one);
    }
}

/// `once`, `twice`, `14 times`.
fn times(number: u64) -> String {
    match number {
        1 => "once".into(),
        2 => "twice".into(),
        number => format!("{} times", thousands(number)),
    }
}
