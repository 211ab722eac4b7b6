//! How often defects made an app behave differently than it would without them.
//!
//! In: the inputs that reach an app, and what its code says about a defect where it acts on one. Out: for
//! each defect the number of inputs that set it off. An input sets a defect off when the app's data, or
//! what the app shows until the next input, comes out differently because of the defect.
//!
//! Invariant: each input counts once for a defect, however often the code asks and a screen is drawn.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The counters of one installed app, shared by its process and its switches.
#[derive(Debug, Default)]
pub(super) struct SetOff(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    /// Inputs that reached the app so far.
    inputs: u64,
    /// By the id of the defect.
    defects: BTreeMap<String, Count>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Inputs that set it off.
    inputs: u64,
    /// The last of them, by its number.
    last: Option<u64>,
}

impl SetOff {
    /// An input reaches the app: what is noted from here on is its doing.
    pub(super) fn next_input(&self) {
        let mut counted = self.counted();
        counted.inputs = counted.inputs.saturating_add(1);
    }

    /// The app did, or showed, something else because of this defect.
    pub(super) fn note(&self, id: &str) {
        let mut counted = self.counted();
        let now = counted.inputs;
        if !counted.defects.contains_key(id) {
            counted.defects.insert(id.to_owned(), Count::default());
        }
        if let Some(count) = counted.defects.get_mut(id).filter(|count| count.last != Some(now)) {
            *count = Count { inputs: count.inputs.saturating_add(1), last: Some(now) };
        }
    }

    /// The number of inputs that set a defect off, by its id; defects that no input set off are left out.
    pub(super) fn counts(&self) -> BTreeMap<String, u64> {
        self.counted().defects.iter().map(|(id, count)| (id.clone(), count.inputs)).collect()
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_counts_once_for_a_defect() {
        let set_off = SetOff::default();
        // Letters are defects that are noted, `.` is the next input.
        for (what, expected) in [("", ""), ("a", "a1"), ("aa.b", "a1 b1"), (".a.a.ba", "a4 b2")] {
            for letter in what.chars() {
                match letter {
                    '.' => set_off.next_input(),
                    id => set_off.note(&id.to_string()),
                }
            }
            let told: Vec<String> = set_off.counts().iter().map(|(id, n)| format!("{id}{n}")).collect();
            assert_eq!(told.join(" "), expected, "{what}");
        }
    }
}
