//! What neutral insertions do.

use serde::{Deserialize, Serialize};

/// Actions that, the platform promises, leave an app as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeutralInsertion {
    /// Turn the phone, and turn it back.
    Rotate,
    /// Go to the home screen, and open the app again.
    Home,
    /// Lock the phone, and unlock it.
    Lock,
    /// Turn the screen off, and on.
    Sleep,
    /// Go to the home screen, have the system end the app's process, and open the app again.
    Kill,
    /// Open a page, and go back.
    Page,
    /// Switch the dark theme on and off.
    Dark,
    /// Choose another language, and take it back.
    Language,
    /// Make the font larger, then restore its size.
    FontSize,
    /// Switch the network off and on.
    Network,
    /// Let a day pass in which nobody touches the device.
    Day,
}

impl NeutralInsertion {
    /// All there are.
    pub const ALL: [Self; 11] = [
        Self::Rotate,
        Self::Home,
        Self::Lock,
        Self::Sleep,
        Self::Kill,
        Self::Page,
        Self::Dark,
        Self::Language,
        Self::FontSize,
        Self::Network,
        Self::Day,
    ];

    /// Those that a session inserts that names none: what every device can do.
    pub const USUAL: [Self; 10] = [
        Self::Rotate,
        Self::Home,
        Self::Lock,
        Self::Sleep,
        Self::Kill,
        Self::Page,
        Self::Dark,
        Self::Language,
        Self::FontSize,
        Self::Network,
    ];

    /// As session files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rotate => "rotate",
            Self::Home => "home",
            Self::Lock => "lock",
            Self::Sleep => "sleep",
            Self::Kill => "kill",
            Self::Page => "page",
            Self::Dark => "dark",
            Self::Language => "language",
            Self::FontSize => "font-size",
            Self::Network => "network",
            Self::Day => "day",
        }
    }

    /// The activities are recreated on the way from their saved state.
    pub fn recreates(self) -> bool {
        matches!(self, Self::Rotate | Self::Kill | Self::Dark | Self::Language | Self::FontSize)
    }

    /// The app is in the background for a while, without a network, or left alone: it may find something new afterwards.
    pub fn leaves(self) -> bool {
        matches!(self, Self::Home | Self::Lock | Self::Sleep | Self::Kill | Self::Network | Self::Day)
    }
}
