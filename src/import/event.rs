//! An event as DroidBot writes it, and Genie after it: `events/event_TAG.json`.

use serde::Deserialize;

use super::state::{State, View};
use crate::gui::{Direction, Event, EventKind};

#[derive(Debug, Deserialize)]
pub(super) struct EventFile {
    pub tag: String,
    pub event: EventBody,
    /// The names of the states before and after.
    pub start_state: String,
    pub stop_state: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct EventBody {
    event_type: String,
    #[serde(default)]
    view: Option<View>,
    /// Of a key.
    #[serde(default)]
    name: Option<String>,
    /// Of a scroll.
    #[serde(default)]
    direction: Option<String>,
    /// Of a text entry.
    #[serde(default)]
    text: Option<String>,
    /// Of an intent: the `am` command.
    #[serde(default)]
    intent: Option<String>,
}

/// What an event of another tool is to us.
#[derive(Debug, PartialEq)]
pub(super) enum Deed {
    Event(Event),
    /// The app was started from nothing or brought back.
    Start,
    /// The app was stopped: a trace ends.
    Stop,
    /// Something we have no event for, and what.
    Other(String),
}

impl EventBody {
    /// The event with its receiver as a selector of the layout it acted on.
    pub(super) fn deed(&self, before: &State) -> Deed {
        let kind = match self.event_type.as_str() {
            "touch" | "select" | "unselect" => EventKind::Click,
            "long_touch" => EventKind::LongClick,
            "set_text" => EventKind::Edit,
            "scroll" => match self.direction.as_deref().and_then(direction) {
                Some(direction) => EventKind::Scroll(direction),
                None => return self.other("direction", self.direction.as_deref()),
            },
            "key" => {
                return match self.name.as_deref().and_then(key) {
                    Some(kind) => Deed::Event(Event::global(kind)),
                    None => self.other("key", self.name.as_deref()),
                };
            }
            "intent" => return self.intent_deed(),
            "kill_app" => return Deed::Stop,
            _ => return self.other("type", None),
        };
        let Some(view) = &self.view else { return self.other("view", None) };
        let Some(selector) = before.selector(view) else {
            return Deed::Other(format!("{} on a view that the state before does not have", self.event_type));
        };
        match kind {
            EventKind::Edit => Deed::Event(Event::edit(selector, self.text.clone().unwrap_or_default())),
            kind => Deed::Event(Event::on(kind, selector)),
        }
    }

    fn intent_deed(&self) -> Deed {
        let intent = self.intent.as_deref().unwrap_or("").trim_start();
        if intent.starts_with("am start") {
            Deed::Start
        } else if intent.starts_with("am force-stop") || intent.starts_with("am kill") {
            Deed::Stop
        } else {
            self.other("intent", self.intent.as_deref())
        }
    }

    fn other(&self, field: &str, value: Option<&str>) -> Deed {
        match value {
            Some(value) => Deed::Other(format!("{} with {field} `{value}`", self.event_type)),
            None => Deed::Other(format!("`{}` without a {field} we know", self.event_type)),
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
