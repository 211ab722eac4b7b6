//! One line of `steps.log`.

use serde::Deserialize;
use serde_json::Value;

use droidmux_gui::{Bounds, Direction, EventKind, Flags, NewWidget};
use droidmux_words::printable;

/// A line as Kea2's device side writes it (`ProxyServer.recordLog`). Numbers come as numbers or as texts, and so does JSON.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(rename = "Type")]
    kind: String,
    #[serde(default, rename = "MonkeyStepsCount")]
    number: Value,
    #[serde(default, rename = "Time")]
    time: String,
    #[serde(default, rename = "Activity")]
    activity: Option<String>,
    #[serde(default, rename = "Info")]
    info: Value,
}

/// What Fastbot did (`Operate`).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Operate {
    act: String,
    pos: Vec<f64>,
    text: Option<String>,
    editable: bool,
    widget: Value,
}

/// The widget that an event acted on, as far as the log tells.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub(super) struct Widget {
    class: String,
    #[serde(rename = "resource-id")]
    resource_id: String,
    #[serde(rename = "content-desc")]
    description: String,
    text: String,
    #[serde(skip)]
    bounds: Bounds,
    #[serde(skip)]
    flags: Flags,
}

/// What a line tells.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Done {
    Event {
        kind: EventKind,
        data: Option<String>,
        widget: Option<Widget>,
    },
    /// The app was stopped, or nobody knows what happened: a trace ends.
    Stop,
    /// Something we have no event for; with its description.
    Other(String),
    /// A property failed: words for people.
    Said(String),
    #[default]
    Nothing,
}

/// A line as understood.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub done: Done,
    /// Which of the monkey's events, from 1.
    pub number: u64,
    pub activity: String,
    time: String,
}

impl Step {
    /// # Errors
    ///
    /// What is wrong with the line, for a person.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let number = match &line.number {
            Value::String(text) => text.trim().parse().unwrap_or(0),
            number => number.as_u64().unwrap_or(0),
        };
        let done = match line.kind.as_str() {
            "Monkey" if line.info == "kill_apps" => Done::Stop,
            "Monkey" => Operate::done(inside(&line.info)?)?,
            "Script" => script(&inside(&line.info)?),
            "ScriptInfo" => property(&inside(&line.info)?),
            other => Done::Other(format!("`{}` is no event we know", printable(other))),
        };
        Ok(Self { done, number, activity: line.activity.unwrap_or_default(), time: line.time })
    }

    /// A line of which nobody knows what it tells.
    pub(super) fn stop() -> Self {
        Self { done: Done::Stop, ..Self::default() }
    }

    /// The time in the form of a tag: `2026-01-31 120000`.
    pub(super) fn tag(&self) -> String {
        self.time.replace(':', "")
    }
}

/// JSON that may be written as a text.
fn inside(info: &Value) -> Result<Value, String> {
    match info {
        Value::String(text) if text.is_empty() => Ok(Value::Null),
        Value::String(text) => serde_json::from_str(text).map_err(|error| format!("in Info: {error}")),
        other => Ok(other.clone()),
    }
}

impl Operate {
    fn done(info: Value) -> Result<Done, String> {
        let Ok(operate) = serde_json::from_value::<Self>(info) else {
            return Err("Info is no action of Fastbot".to_owned());
        };
        let text = operate.text.clone().filter(|text| !text.is_empty());
        let kind = match operate.act.as_str() {
            "BACK" => return Ok(Done::Event { kind: EventKind::Back, data: None, widget: None }),
            "CLICK" if operate.editable && text.is_some() => EventKind::Edit,
            "CLICK" => EventKind::Click,
            "LONG_CLICK" => EventKind::LongClick,
            // The finger goes from the top down: what is above comes into view.
            "SCROLL_TOP_DOWN" => EventKind::Scroll(Direction::Up),
            "SCROLL_BOTTOM_UP" | "SCROLL_BOTTOM_UP_N" => EventKind::Scroll(Direction::Down),
            "SCROLL_LEFT_RIGHT" => EventKind::Scroll(Direction::Left),
            "SCROLL_RIGHT_LEFT" => EventKind::Scroll(Direction::Right),
            "START" | "RESTART" | "CLEAN_RESTART" | "ACTIVATE" => return Ok(Done::Stop),
            "NOP" => return Ok(Done::Nothing),
            other => return Ok(Done::Other(format!("`{}` is no event we know", printable(other)))),
        };
        let data = text.filter(|_| kind == EventKind::Edit);
        Ok(Done::Event { kind, data, widget: Some(operate.widget(kind)) })
    }

    fn widget(&self, kind: EventKind) -> Widget {
        let told = inside(&self.widget).ok().and_then(|widget| serde_json::from_value::<Widget>(widget).ok());
        let edge = |n: usize| self.pos.get(n).map_or(0, |&edge| droidmux_words::number::pixel(edge));
        let flag = match kind {
            EventKind::LongClick => Flags::LONG_CLICKABLE,
            EventKind::Scroll(_) => Flags::SCROLLABLE,
            _ => Flags::CLICKABLE,
        };
        let bounds = Bounds::new(edge(0), edge(1), edge(2), edge(3));
        Widget { bounds, flags: Flags::ENABLED | flag, ..told.unwrap_or_default() }
    }
}

impl Widget {
    pub(super) fn new_widget<'a>(&'a self, package: &'a str) -> NewWidget<'a> {
        NewWidget {
            // Without a class a widget is not found again.
            class: if self.class.is_empty() { "node" } else { &self.class },
            resource_id: &self.resource_id,
            text: &self.text,
            description: &self.description,
            package,
            bounds: self.bounds,
            flags: self.flags,
            ..NewWidget::default()
        }
    }
}

/// A request of a script to uiautomator2. On what it acted is not told in terms of widgets.
fn script(request: &Value) -> Done {
    let method = request.get("method").and_then(Value::as_str).unwrap_or("");
    let key = request.get("params").and_then(|params| params.get(0)).and_then(Value::as_str).unwrap_or("");
    let kind = match (method, key) {
        ("pressKey", "back") => EventKind::Back,
        ("pressKey", "home") => EventKind::Home,
        ("pressKey", "menu") => EventKind::Menu,
        ("pressKey", "enter") => EventKind::Enter,
        ("setOrientation", _) => EventKind::Rotate,
        _ => return Done::Other(format!("`{}` of a script", printable(method))),
    };
    Done::Event { kind, data: None, widget: None }
}

/// What a script said of its property. Only bad news is passed on.
fn property(info: &Value) -> Done {
    let field = |name: &str| info.get(name).and_then(Value::as_str).unwrap_or("");
    match field("state") {
        state @ ("fail" | "error") => {
            let end = if state == "fail" { "failed" } else { "broke off" };
            let kind = if field("kind").is_empty() { "property" } else { field("kind") };
            Done::Said(format!("Kea2 says: {} {} {end}", printable(kind), printable(field("propName"))))
        }
        _ => Done::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let monkey = |info: &str| format!(r#"{{"Type":"Monkey","MonkeyStepsCount":"3","Info":{info}}}"#);
        // The line, and in words what it tells.
        let cases = [
            (
                monkey(
                    r#""{\"act\":\"CLICK\",\"pos\":[1,2,3,4],\"widget\":\"{\\\"class\\\":\\\"a.B\\\"}\"}""#,
                ),
                "click a.B [1,2][3,4]",
            ),
            (
                monkey(r#"{"act":"CLICK","editable":true,"text":"tea","widget":{}}"#),
                "edit tea node [0,0][0,0]",
            ),
            (monkey(r#"{"act":"SCROLL_BOTTOM_UP_N","pos":[0,0,9,9]}"#), "scroll-down node [0,0][9,9]"),
            (monkey(r#"{"act":"BACK"}"#), "back"),
            (monkey(r#"{"act":"RESTART"}"#), "stop"),
            (monkey(r#"{"act":"NOP"}"#), "nothing"),
            (monkey(r#""kill_apps""#), "stop"),
            (monkey(r#"{"act":"DANCE"}"#), "other: `DANCE` is no event we know"),
            (monkey("[3]"), "error: Info is no action of Fastbot"),
            (monkey(r#""{""#), "error: in Info: EOF while parsing an object at line 1 column 1"),
            (
                r#"{"Type":"Script","Info":"{\"method\":\"pressKey\",\"params\":[\"back\",0]}"}"#.into(),
                "back",
            ),
            (r#"{"Type":"Script","Info":"{\"method\":\"swipe\"}"}"#.into(), "other: `swipe` of a script"),
            (r#"{"Type":"Fuzz","Info":"FUZZ"}"#.into(), "other: `Fuzz` is no event we know"),
            (r#"{"Type":"ScriptInfo","Info":{"propName":"a.b","state":"pass"}}"#.into(), "nothing"),
            (
                r#"{"Type":"ScriptInfo","Info":{"propName":"a.b","state":"fail"}}"#.into(),
                "Kea2 says: property a.b failed",
            ),
            ("{}".into(), "error: missing field `Type` at line 1 column 2"),
        ];
        for (line, expected) in cases {
            let said = match Step::read(&line) {
                Ok(step) => words(step),
                Err(why) => format!("error: {why}"),
            };
            assert_eq!(said, expected, "{line}");
        }
    }

    fn words(step: Step) -> String {
        match step.done {
            Done::Event { kind, data, widget } => {
                let data = data.map(|data| format!(" {data}")).unwrap_or_default();
                let widget = widget.map(|w| format!(" {} {}", w.new_widget("").class, w.bounds));
                format!("{}{data}{}", kind.name(), widget.unwrap_or_default())
            }
            Done::Stop => "stop".to_owned(),
            Done::Other(reason) => format!("other: {reason}"),
            Done::Said(said) => said,
            Done::Nothing => "nothing".to_owned(),
        }
    }
}
