//! An event as written by DroidBot, and by Genie after it: `events/event_TAG.json`.

use serde::Deserialize;

use super::state::{DroidbotView, State};
use droidmux_gui::{Direction, Event, EventKind};

#[derive(Debug, Deserialize)]
pub(super) struct EventFile {
    pub tag: String,
    pub event: EventBody,
    /// The names of the states before and after.
    pub start_state: String,
    pub stop_state: String,
    /// The event in words: the name of its Python class first.
    #[serde(default)]
    event_str: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct EventBody {
    /// Kea's rotations have none.
    #[serde(default)]
    event_type: Option<String>,
    #[serde(default)]
    view: Option<DroidbotView>,
    /// For a key.
    #[serde(default)]
    name: Option<String>,
    /// For a scroll.
    #[serde(default)]
    direction: Option<String>,
    /// For a text entry.
    #[serde(default)]
    text: Option<String>,
    /// For an intent: the `am` command.
    #[serde(default)]
    intent: Option<String>,
    /// For Kea's stop that is followed by a start: the `am` command.
    #[serde(default)]
    start_intent: Option<String>,
}

/// What an event of another tool means to us.
#[derive(Debug, PartialEq)]
pub(super) enum Deed {
    Event(Event),
    /// The app was started from nothing or brought back.
    Start,
    /// The app was stopped: a trace ends.
    Stop,
    /// Something we have no event for; with its description.
    Other(String),
}

impl EventFile {
    /// The event with its receiver as a selector of the layout it acted on.
    pub(super) fn deed(&self, before: &State) -> Deed {
        match (&self.event.event_type, self.event_str.as_deref()) {
            (Some(name), _) => self.event.deed(name, before),
            (None, Some(words)) if words.starts_with("RotateDevice") => {
                Deed::Event(Event::global(EventKind::Rotate))
            }
            (None, Some(words)) => Deed::Other(format!("`{words}` has no type")),
            (None, None) => Deed::Other("they have no type".to_owned()),
        }
    }
}

impl EventBody {
    fn deed(&self, name: &str, before: &State) -> Deed {
        let other = |field: &str, value: Option<&str>| match value {
            Some(value) => Deed::Other(format!("{name} with {field} `{value}`")),
            None => Deed::Other(format!("`{name}` without a {field} we know")),
        };
        let kind = match name {
            "touch" | "select" | "unselect" => EventKind::Click,
            "long_touch" => EventKind::LongClick,
            "set_text" => EventKind::Edit,
            "scroll" => match self.direction.as_deref().and_then(direction) {
                Some(direction) => EventKind::Scroll(direction),
                None => return other("direction", self.direction.as_deref()),
            },
            "key" => {
                return match self.name.as_deref().and_then(key) {
                    Some(kind) => Deed::Event(Event::global(kind)),
                    None => other("key", self.name.as_deref()),
                };
            }
            "intent" => {
                let intent = self.intent.as_deref().unwrap_or("").trim_start();
                return match intent {
                    _ if intent.starts_with("am start") => Deed::Start,
                    _ if intent.starts_with("am force-stop") || intent.starts_with("am kill") => Deed::Stop,
                    _ => other("intent", self.intent.as_deref()),
                };
            }
            "kill_app" if self.start_intent.is_some() => return Deed::Start,
            "kill_app" => return Deed::Stop,
            "fresh_reinstall_app" => return Deed::Start,
            _ => return other("type", None),
        };
        let Some(view) = &self.view else { return other("view", None) };
        let Some(selector) = before.selector(view) else {
            return Deed::Other(format!("{name} on a view that the state before does not have"));
        };
        match kind {
            EventKind::Edit => Deed::Event(Event::edit(selector, self.text.clone().unwrap_or_default())),
            kind => Deed::Event(Event::on(kind, selector)),
        }
    }
}

/// DroidBot's `UP` drags downwards: what is above comes into view, as with ours.
fn direction(name: &str) -> Option<Direction> {
    Some(match name {
        "UP" => Direction::Up,
        "DOWN" => Direction::Down,
        "LEFT" => Direction::Left,
        "RIGHT" => Direction::Right,
        _ => return None,
    })
}

fn key(name: &str) -> Option<EventKind> {
    Some(match name {
        "BACK" => EventKind::Back,
        "HOME" => EventKind::Home,
        "MENU" => EventKind::Menu,
        "ENTER" => EventKind::Enter,
        _ => return None,
    })
}
