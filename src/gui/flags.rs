//! The boolean attributes of a widget.

use serde::{Deserialize, Serialize};

/// The boolean attributes of a widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flags(u16);

impl Flags {
    pub const CHECKABLE: Flags = Flags(1);
    pub const CHECKED: Flags = Flags(1 << 1);
    pub const CLICKABLE: Flags = Flags(1 << 2);
    pub const ENABLED: Flags = Flags(1 << 3);
    pub const FOCUSABLE: Flags = Flags(1 << 4);
    pub const FOCUSED: Flags = Flags(1 << 5);
    pub const SCROLLABLE: Flags = Flags(1 << 6);
    pub const LONG_CLICKABLE: Flags = Flags(1 << 7);
    pub const PASSWORD: Flags = Flags(1 << 8);
    pub const SELECTED: Flags = Flags(1 << 9);
    /// `visible-to-user="false"`; most dumps leave invisible widgets out.
    pub const INVISIBLE: Flags = Flags(1 << 10);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub fn with(self, other: Flags, on: bool) -> Flags {
        if on { Flags(self.0 | other.0) } else { Flags(self.0 & !other.0) }
    }
}
