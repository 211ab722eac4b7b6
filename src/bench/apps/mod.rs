//! The bench of real apps: defects that a machine wove in, chosen blindly, found or not by techniques that know neither.
//!
//! In: the APKs that `groups.tsv` names, translated with mutants. Out: for each the mutants that were chosen, as the
//! [`Subject`](crate::defects::Subject) of a bench; everything after that is the defect bench's.
//!
//! Invariants: the groups are fixed by name before rules are made; mutants are chosen by a seed and by what random events do,
//! never by what is found of them; a choice that was made is kept, and is not made again for the same APK and seed.

mod choice;
mod choosing;
mod groups;
mod showing;

pub use choice::{Choice, Chosen, Rejected};
pub use choosing::{ChoiceOptions, Woven, choose};
pub use groups::RealApp;
pub use showing::{Shown, show};
