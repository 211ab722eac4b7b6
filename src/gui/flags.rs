//! The boolean attributes of a widget.

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

/// The boolean attributes of a widget. Stored as their bits, whatever the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flags(u16);

bitflags! {
    impl Flags: u16 {
        /// It can be switched on and off: a check box, a switch.
        const CHECKABLE = 1;
        /// It is on.
        const CHECKED = 1 << 1;
        /// It takes taps.
        const CLICKABLE = 1 << 2;
        /// It takes events; set unless the dump says otherwise.
        const ENABLED = 1 << 3;
        /// It can take the focus.
        const FOCUSABLE = 1 << 4;
        /// It has the focus: what is typed goes there.
        const FOCUSED = 1 << 5;
        /// Its content can be scrolled.
        const SCROLLABLE = 1 << 6;
        /// It takes long presses.
        const LONG_CLICKABLE = 1 << 7;
        /// A field that hides what is typed.
        const PASSWORD = 1 << 8;
        /// It is the chosen one of several, such as a tab.
        const SELECTED = 1 << 9;
        /// `visible-to-user="false"`; most dumps leave invisible widgets out.
        const INVISIBLE = 1 << 10;
    }
}

impl Flags {
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
            "visible-to-user" => Some(!self.contains(Self::INVISIBLE)),
            name => Self::named(name).map(|flag| self.contains(flag)),
        }
    }

    /// The same with a flag set or cleared.
    #[must_use]
    pub fn with(mut self, other: Flags, on: bool) -> Flags {
        self.set(other, on);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits are in stores and in the hashes of layouts: they must never change.
    #[test]
    fn flags_are_stored_as_their_bits() {
        let all = [
            ("checkable", 1_u16),
            ("checked", 2),
            ("clickable", 4),
            ("enabled", 8),
            ("focusable", 16),
            ("focused", 32),
            ("scrollable", 64),
            ("long-clickable", 128),
            ("password", 256),
            ("selected", 512),
        ];
        for (name, bits) in all {
            let flags = Flags::named(name).expect(name);
            assert_eq!(flags.bits(), bits, "{name}");
            assert_eq!(flags.by_attribute(name), Some(true));
            assert_eq!(postcard::to_stdvec(&flags), postcard::to_stdvec(&bits), "{name}");
            assert_eq!(serde_json::to_string(&flags).expect("JSON"), bits.to_string());
        }
        let hidden = Flags::INVISIBLE.with(Flags::ENABLED, true);
        assert_eq!((hidden.bits(), hidden.by_attribute("visible-to-user")), (1 << 10 | 8, Some(false)));
        assert_eq!(hidden.with(Flags::INVISIBLE, false), Flags::ENABLED);
        assert_eq!(postcard::from_bytes(&[0x88, 0x08]), Ok(hidden));
    }
}
