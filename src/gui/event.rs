//! Events: what a person can do to a screen, ⟨type, receiver, data⟩ in the papers' notation.

use serde::{Deserialize, Serialize};

use super::Selector;

/// One event. Its receiver is found again by [`Selector`] on whatever layout is current then.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    pub kind: EventKind,
    /// `None` for events that act on no widget (back, home, rotate …).
    pub receiver: Option<Selector>,
    /// The text of an edit.
    pub data: Option<String>,
}

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    Click,
    LongClick,
    /// Replace the text of the receiver.
    Edit,
    /// Swipe inside the receiver so that content further in this direction comes into view.
    Scroll(Direction),
    Back,
    Home,
    Menu,
    /// The enter key (the keyboard's action).
    Enter,
    /// Turn the screen to the other of portrait and landscape.
    Rotate,
    /// Bring the app to the front again from its launcher icon.
    Launch,
    /// Do nothing for so many seconds: the event's data, at most [`Event::LONGEST_WAIT`].
    Wait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Event {
    /// An event on a widget.
    pub fn on(kind: EventKind, receiver: Selector) -> Self {
        Self { kind, receiver: Some(receiver), data: None }
    }

    /// An event on no widget.
    pub fn global(kind: EventKind) -> Self {
        Self { kind, receiver: None, data: None }
    }

    /// Seconds that one event waits at most.
    pub const LONGEST_WAIT: u32 = 30;

    /// An event that does nothing for so many seconds.
    pub fn wait(seconds: u32) -> Self {
        Self {
            kind: EventKind::Wait,
            receiver: None,
            data: Some(seconds.min(Self::LONGEST_WAIT).to_string()),
        }
    }

    /// How long a wait is; 0 for every other event.
    pub fn seconds(&self) -> u32 {
        let data = self.data.as_ref().filter(|_| self.kind == EventKind::Wait);
        data.and_then(|data| data.parse().ok()).unwrap_or(0).min(Self::LONGEST_WAIT)
    }

    pub fn edit(receiver: Selector, text: impl Into<String>) -> Self {
        Self { kind: EventKind::Edit, receiver: Some(receiver), data: Some(text.into()) }
    }
}

impl EventKind {
    /// The name used in reports and session files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::LongClick => "long-click",
            Self::Edit => "edit",
            Self::Scroll(Direction::Up) => "scroll-up",
            Self::Scroll(Direction::Down) => "scroll-down",
            Self::Scroll(Direction::Left) => "scroll-left",
            Self::Scroll(Direction::Right) => "scroll-right",
            Self::Back => "back",
            Self::Home => "home",
            Self::Menu => "menu",
            Self::Enter => "enter",
            Self::Rotate => "rotate",
            Self::Launch => "launch",
            Self::Wait => "wait",
        }
    }

    /// Events that leave or turn the page instead of acting on a widget of it.
    pub fn is_navigation(self) -> bool {
        matches!(self, Self::Back | Self::Home | Self::Menu | Self::Rotate | Self::Launch)
    }
}
