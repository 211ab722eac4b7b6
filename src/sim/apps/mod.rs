//! The apps every simulated lab comes with.

use super::toolkit::SimApp;

/// Diary, files, notes and units, in this order.
pub fn all() -> Vec<SimApp> {
    todo!()
}
