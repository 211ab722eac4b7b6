//! Events: what a person can do to a screen, ⟨type, receiver, data⟩ in the papers' notation.

use serde::{Deserialize, Serialize};

use super::Selector;

/// One event. Its receiver is found again by [`Selector`] on whatever layout is current then.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// What is done to the receiver, or to the device if there is none.
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
    /// A tap on the middle of the receiver.
    Click,
    /// A tap that is held on the middle of the receiver.
    LongClick,
    /// Replace the text of the receiver.
    Edit,
    /// Swipe inside the receiver so that content further in this direction comes into view.
    Scroll(Direction),
    /// The back key.
    Back,
    /// The home key.
    Home,
    /// The menu key.
    Menu,
    /// The enter key (the keyboard's action).
    Enter,
    /// Turn the screen to the other of portrait and landscape.
    Rotate,
    /// Bring the app to the front again from its launcher icon.
    Launch,
    /// Do nothing for this many seconds: the event's data, at most [`Event::LONGEST_WAIT`].
    Wait,
    /// Ends the app's process as the system does when memory runs short: what it saved comes back with
    /// the next [`EventKind::Launch`]. Works on an app in the background only.
    Kill,
    /// Force-stop the app and start it from its launcher icon, without clearing its data.
    Relaunch,
    /// Turn the screen off.
    Sleep,
    /// Turn the screen on, with the app that was there in front again.
    Wake,
    /// Turn the screen off and put the keyguard before it.
    Lock,
    /// Turn the screen on and put the keyguard away.
    Unlock,
    /// Change a setting of the device to the event's data.
    Set(DeviceSetting),
}

/// A setting of the device that an event changes; every session restores what it found. Without data, or with an empty
/// value, the event itself puts back what was there before the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceSetting {
    /// The dark theme: `on` or `off`.
    Dark,
    /// The first language, as a BCP 47 tag: `de-DE`.
    Language,
    /// The font's scale: `1.3`.
    FontSize,
    /// Wi-Fi and mobile data together: `on` or `off`.
    Network,
    /// The clock, which goes on: by a day with `+1d`. It is back with the next reset, and not before.
    Clock,
}

impl DeviceSetting {
    /// How many days this value of [`DeviceSetting::Clock`] lets pass: `+1d` to `+14d`.
    pub fn days(value: &str) -> Option<u32> {
        let number = value.strip_prefix('+')?.strip_suffix('d')?;
        let digits = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        number.parse().ok().filter(|days| digits && (1..=14).contains(days))
    }
}

/// The direction in which one looks: the content that lies there comes into view, the finger moves the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Towards the beginning.
    Up,
    /// Towards the end.
    Down,
    /// What lies left of the screen.
    Left,
    /// What lies right of the screen.
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

    /// The longest wait of one event, in seconds.
    pub const LONGEST_WAIT: u32 = 30;

    /// An event that does nothing for this many seconds.
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

    /// A day passes, in which nobody touches the device.
    pub fn day() -> Self {
        Self::set(DeviceSetting::Clock, "+1d")
    }

    /// How many days pass: 1 to 14; `None` for every other event, and for a value that says something else.
    pub fn days(&self) -> Option<u32> {
        let data = self.data.as_deref().filter(|_| self.kind == EventKind::Set(DeviceSetting::Clock))?;
        DeviceSetting::days(data)
    }

    /// Changes a setting of the device.
    pub fn set(setting: DeviceSetting, value: impl Into<String>) -> Self {
        Self { kind: EventKind::Set(setting), receiver: None, data: Some(value.into()) }
    }

    /// Replaces the text of a field by this one.
    pub fn edit(receiver: Selector, text: impl Into<String>) -> Self {
        Self { kind: EventKind::Edit, receiver: Some(receiver), data: Some(text.into()) }
    }

    /// For a person: `click Button "Save"`.
    pub fn words(&self) -> String {
        format!("{} {}", self.kind.name(), self.receiver_words()).trim_end().to_owned()
    }

    /// What it acts on and what it types, in a few words; empty for an event without either.
    pub fn receiver_words(&self) -> String {
        let receiver = self.receiver.as_ref().map(Selector::words).unwrap_or_default();
        match &self.data {
            Some(text) => format!("{receiver} ← {text:?}"),
            None => receiver,
        }
    }
}

/// Why what a person wrote is no event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventWordsError {
    /// The first word names no kind that a person can perform.
    #[error("{name:?} is no kind of event: {}", kinds())]
    Kind {
        /// The first word.
        name: String,
    },
    /// Nothing says which widget the event acts on.
    #[error("{} takes a widget", .0.name())]
    NoWidget(EventKind),
    /// What follows a wait is no number of seconds, or too large a one.
    #[error("{} takes seconds, from 1 to {}", EventKind::Wait.name(), Event::LONGEST_WAIT)]
    Seconds,
    /// More words than the event takes.
    #[error("{} takes nothing more, not {words:?}", .kind.name())]
    TooMuch {
        /// What is to be done.
        kind: EventKind,
        /// What follows all that it takes.
        words: String,
    },
}

/// The kinds of events that a person can perform, for a message.
fn kinds() -> String {
    EventKind::by_hand().map(EventKind::name).collect::<Vec<_>>().join(", ")
}

impl Event {
    /// Parses an event as a person writes it: `rotate`, `wait 3`, `edit … tea`. For an event that acts on a widget,
    /// `receiver` finds the widget in the text after its kind, and returns the rest of the text.
    ///
    /// # Errors
    /// Those of `receiver`; when the words name no event.
    pub fn typed<'w, E: From<EventWordsError>>(
        words: &'w str,
        receiver: impl FnOnce(&'w str) -> Result<(Selector, &'w str), E>,
    ) -> Result<Self, E> {
        let words = words.trim();
        let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let kind = EventKind::named(name).ok_or_else(|| EventWordsError::Kind { name: name.to_owned() })?;
        if !kind.is_on_widget() {
            return Ok(Self::by_hand(kind, None, rest)?);
        }
        let (receiver, rest) = receiver(rest.trim())?;
        Ok(Self::by_hand(kind, Some(receiver), rest)?)
    }

    /// An event of a kind, on its widget if it acts on one, with the text to type or the seconds to wait.
    fn by_hand(kind: EventKind, receiver: Option<Selector>, words: &str) -> Result<Self, EventWordsError> {
        let words = words.trim();
        let receiver = match (kind.is_on_widget(), receiver) {
            (true, None) => return Err(EventWordsError::NoWidget(kind)),
            (true, receiver) => receiver,
            (false, _) => None,
        };
        match (kind, words) {
            (EventKind::Wait, seconds) => match seconds.parse::<u32>() {
                Ok(seconds @ 1..=Self::LONGEST_WAIT) => Ok(Self::wait(seconds)),
                _ => Err(EventWordsError::Seconds),
            },
            (EventKind::Edit, text) => Ok(Self { kind, receiver, data: Some(text.to_owned()) }),
            (_, "") => Ok(Self { kind, receiver, data: None }),
            (_, words) => Err(EventWordsError::TooMuch { kind, words: words.to_owned() }),
        }
    }
}

impl EventKind {
    /// The kinds that a person can perform by name, those that act on a widget first.
    const BY_HAND: [Self; 20] = [
        Self::Click,
        Self::LongClick,
        Self::Edit,
        Self::Scroll(Direction::Up),
        Self::Scroll(Direction::Down),
        Self::Scroll(Direction::Left),
        Self::Scroll(Direction::Right),
        Self::Back,
        Self::Home,
        Self::Menu,
        Self::Enter,
        Self::Rotate,
        Self::Launch,
        Self::Relaunch,
        Self::Kill,
        Self::Sleep,
        Self::Wake,
        Self::Lock,
        Self::Unlock,
        Self::Wait,
    ];

    /// The kinds that a person can perform by name.
    pub fn by_hand() -> impl Iterator<Item = Self> {
        Self::BY_HAND.into_iter()
    }

    /// The kind with this name, among those that a person can perform.
    pub fn named(name: &str) -> Option<Self> {
        Self::by_hand().find(|kind| kind.name() == name)
    }

    /// Whether it acts on a widget.
    pub fn is_on_widget(self) -> bool {
        matches!(self, Self::Click | Self::LongClick | Self::Edit | Self::Scroll(_))
    }

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
            Self::Kill => "kill",
            Self::Relaunch => "relaunch",
            Self::Sleep => "sleep",
            Self::Wake => "wake",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Set(DeviceSetting::Dark) => "set-dark",
            Self::Set(DeviceSetting::Language) => "set-language",
            Self::Set(DeviceSetting::FontSize) => "set-font-size",
            Self::Set(DeviceSetting::Network) => "set-network",
            Self::Set(DeviceSetting::Clock) => "set-clock",
        }
    }

    /// Events that leave or turn the page instead of acting on a widget of it.
    pub fn is_navigation(self) -> bool {
        matches!(self, Self::Back | Self::Home | Self::Menu | Self::Rotate | Self::Launch) || self.is_system()
    }

    /// Events caused by the system: they reach the app as a change around it, never as a touch.
    pub fn is_system(self) -> bool {
        matches!(
            self,
            Self::Kill | Self::Relaunch | Self::Sleep | Self::Wake | Self::Lock | Self::Unlock | Self::Set(_)
        )
    }
}
