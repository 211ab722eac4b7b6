//! Shrinking: a finding's tests with as few events as still show it.
//!
//! In: the tests of a finding and the key of its violation, then replays of shorter versions with
//! their judgements. Out: the next versions to be run, and the shortest one that shows the same.
//!
//! Delta debugging (Zeller, "Simplifying and isolating failure-inducing input", 2002) over units: a unit is what can
//! only be left out as a whole: one event, or several events of several tests. Roles say what the units are
//! ([`units`]); the search ([`ddmin`]) knows nothing of events. A session of its own shrinks one finding
//! ([`ShrinkPlanner`]); a session that looks for bugs shrinks what stands for its clusters as it goes
//! ([`Representatives`]), and findings whose shrunk tests are alike ([`fn@shape`]) need only one reading.
//!
//! Invariants: the original comes first and must show, else nothing is tried; a version is taken
//! when it showed in as many replays in a row as the settings ask for; if several show, the one
//! that comes first in the order of the search is taken, whichever finished first, so the result is
//! that of a search without a window; the result is replayed again, and what that showed is its
//! confirmation.

mod ddmin;
mod planner;
mod representatives;
mod shape;
#[cfg(test)]
mod tests;
mod units;
mod versions;

pub use planner::ShrinkPlanner;
pub use representatives::Representatives;
pub use shape::shape;
