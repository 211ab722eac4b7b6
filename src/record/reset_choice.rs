//! With which data the tests of a session begin.

use serde::{Deserialize, Serialize};

/// With which data tests begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResetChoice {
    /// With none: the app's data is cleared before each.
    #[default]
    Clear,
    /// With what the last test on the device left, where nothing is compared with it; with none everywhere else.
    Restart,
    /// With a copy of what the app's data was after the set-up rules, on devices with root; with none on others.
    Snapshot,
}
