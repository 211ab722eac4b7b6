//! State abstraction: which layouts count as the same state.

use serde::{Deserialize, Serialize};

use super::Layout;

/// Abstraction levels, coarse to fine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Package,
    Activity,
    Types,
    #[default]
    Widgets,
    Events,
    Content,
}

/// Where a layout was seen: what a dump does not say itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    pub package: &'a str,
    pub activity: &'a str,
}

/// A state's name: a hash of what its level keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StateId(pub u64);

impl Level {
    /// The state of a layout at this level.
    pub fn state(self, _page: Page<'_>, _layout: &Layout) -> StateId {
        todo!()
    }
}

/// 2·|A∩B| / (|A|+|B|) over the multisets of (class, resource-id, description), 0.0 to 1.0.
pub fn likeness(_a: &Layout, _b: &Layout) -> f64 {
    todo!()
}
