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

    /// The flag that an attribute of dumps sets when it is true; `visible-to-user`, which sets one
    /// when it is false, is not among them.
    pub fn named(attribute: &str) -> Option<Flags> {
        Some(match attribute {
            "checkable" => Self::CHECKABLE,
            "checked" => Self::CHECKED,
            "clickable" => Self::CLICKABLE,
            "enabled" => Self::ENABLED,
            "focusable" => Self::FOCUSABLE,
            "focused" => Self::FOCUSED,
            "scrollable" => Self::SCROLLABLE,
            "long-clickable" => Self::LONG_CLICKABLE,
            "password" => Self::PASSWORD,
            "selected" => Self::SELECTED,
            _ => return None,
        })
    }

    /// The value of a boolean attribute by its name in dumps.
    pub fn by_attribute(self, name: &str) -> Option<bool> {
        match name {
            "visible-to-user" => Some(!self.has(Self::INVISIBLE)),
            name => Self::named(name).map(|flag| self.has(flag)),
        }
    }

    #[must_use]
    pub fn with(self, other: Flags, on: bool) -> Flags {
        if on { Flags(self.0 | other.0) } else { Flags(self.0 & !other.0) }
    }
}
