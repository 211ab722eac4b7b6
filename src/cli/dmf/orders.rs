//! What a person may type while recording.

use thiserror::Error;

use droidmux_gui::{Direction, WidgetId};
use droidmux_lab::recorder::Deed;
use droidmux_record::{DmfAction, Operation, Relation};
use droidmux_technique::pbfdroid::recording::{Predicate, When};

pub(super) const HELP: &str = "  click N | long N            touch widget N of the list
  edit N TEXT | edit N random replace the text of widget N
  scroll N up|down|left|right scroll inside widget N, or `scroll down` in the largest
  back | enter | home         press a key
  sleep S                     wait S seconds
  look | all                  list the widgets again; all of them
  begin                       the function begins here: what came before only leads to it
  over                        start over: the app's data is cleared again
  done                        the function ends here
  quit                        leave; nothing is written
";

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum OrderError {
    #[error("`{0}` is nothing that can be done here; `help` lists what can")]
    Unknown(String),
    #[error("`{0}` is no number of a widget in the list")]
    Widget(String),
    #[error("sleep takes a number of seconds from 1 to 30")]
    Seconds,
    #[error("edit takes a widget and a text, or `random`")]
    NoText,
    /// A specification would hold another thing than the text.
    #[error("`{0}` would be read as a reference; type another text")]
    Reference(String),
    #[error("scroll takes a widget and up, down, left or right")]
    Direction,
    #[error("`{0}` is no type; there are {known}", known = Operation::ALL.map(Operation::name).join(", "))]
    Operation(String),
    #[error("a number from 1 to 1000")]
    Weight,
    #[error("a condition begins with `pre` or `post`")]
    When,
    #[error("`{0}` is no relation; there are {known}", known = Relation::ALL.map(Relation::name).join(", "))]
    Relation(String),
    #[error("`{name}` asks the data model, not a widget", name = .0.name())]
    NotOnWidget(Relation),
    #[error("`{0}` is no number of a layout")]
    Layout(String),
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Do(Deed),
    Look { all: bool },
    Begin,
    Over,
    Done,
    Quit,
    Help,
}

/// Reads a line.
pub(super) fn order(line: &str) -> Result<Order, OrderError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let key = |action| Ok(deed(action, None, ""));
    match word {
        "click" => Ok(deed(DmfAction::Click, Some(widget(rest)?), "")),
        "long" => Ok(deed(DmfAction::LongClick, Some(widget(rest)?), "")),
        "edit" => edit(rest),
        "scroll" => scroll(rest),
        "back" => key(DmfAction::Back),
        "enter" => key(DmfAction::Enter),
        "home" => key(DmfAction::Home),
        "sleep" => match rest.parse::<u32>() {
            Ok(1..=30) => Ok(deed(DmfAction::Sleep, None, rest)),
            _ => Err(OrderError::Seconds),
        },
        "look" | "" => Ok(Order::Look { all: false }),
        "all" => Ok(Order::Look { all: true }),
        "begin" => Ok(Order::Begin),
        "over" => Ok(Order::Over),
        "done" => Ok(Order::Done),
        "quit" => Ok(Order::Quit),
        "help" | "?" => Ok(Order::Help),
        _ => Err(OrderError::Unknown(word.to_owned())),
    }
}

fn deed(action: DmfAction, widget: Option<WidgetId>, text: &str) -> Order {
    Order::Do(Deed { action, widget, text: Some(text.to_owned()) })
}

fn widget(text: &str) -> Result<WidgetId, OrderError> {
    text.parse().map(WidgetId).map_err(|_| OrderError::Widget(text.to_owned()))
}

fn edit(rest: &str) -> Result<Order, OrderError> {
    let (number, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let widget = Some(widget(number)?);
    match text.trim() {
        "" => Err(OrderError::NoText),
        "random" => Ok(Order::Do(Deed { action: DmfAction::Edit, widget, text: None })),
        text if text.ends_with(".text") || text.ends_with("::random") => {
            Err(OrderError::Reference(text.to_owned()))
        }
        text => Ok(deed(DmfAction::Edit, widget, text)),
    }
}

fn scroll(rest: &str) -> Result<Order, OrderError> {
    let (number, way) = match rest.split_once(char::is_whitespace) {
        Some((number, way)) => (Some(widget(number)?), way.trim()),
        None => (None, rest),
    };
    let direction = match way {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "left" => Direction::Left,
        "right" => Direction::Right,
        _ => return Err(OrderError::Direction),
    };
    Ok(deed(DmfAction::Scroll(direction), number, ""))
}

/// Reads the type of a function.
pub(super) fn operation(line: &str) -> Result<Operation, OrderError> {
    let found = Operation::ALL.into_iter().find(|operation| operation.name() == line.trim());
    found.ok_or_else(|| OrderError::Operation(line.trim().to_owned()))
}

/// Reads `pre in 3`, `post not in 5@0` or `pre smaller`; `end` is the number of the last layout.
pub(super) fn predicate(line: &str, end: usize) -> Result<Predicate, OrderError> {
    let line = line.trim();
    let (when, rest) = match line.split_once(char::is_whitespace) {
        Some(("pre", rest)) => (When::Before, rest.trim()),
        Some(("post", rest)) => (When::After, rest.trim()),
        _ => return Err(OrderError::When),
    };
    let longest_first =
        [Relation::IsNotEmpty, Relation::IsEmpty, Relation::NotIn, Relation::Smaller, Relation::In];
    let named =
        longest_first.into_iter().find_map(|relation| Some((relation, rest.strip_prefix(relation.name())?)));
    let Some((relation, rest)) = named else {
        return Err(OrderError::Relation(rest.to_owned()));
    };
    let on_widget = matches!(relation, Relation::In | Relation::NotIn);
    let place = rest.trim();
    if !on_widget {
        return match place {
            "" => Ok(Predicate { when, relation, widget: None }),
            _ => Err(OrderError::NotOnWidget(relation)),
        };
    }
    let here = if when == When::Before { 0 } else { end };
    let (number, layout) = match place.split_once('@') {
        Some((number, layout)) => {
            (number, layout.parse().map_err(|_| OrderError::Layout(layout.to_owned()))?)
        }
        None => (place, here),
    };
    Ok(Predicate { when, relation, widget: Some((layout, widget(number)?)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        let done = |action, widget: Option<u32>, text: Option<&str>| {
            Ok(Order::Do(Deed { action, widget: widget.map(WidgetId), text: text.map(str::to_owned) }))
        };
        let cases: [(&str, Result<Order, &str>); 19] = [
            ("click 12", done(DmfAction::Click, Some(12), Some(""))),
            ("  long   3 ", done(DmfAction::LongClick, Some(3), Some(""))),
            ("edit 4 green tea", done(DmfAction::Edit, Some(4), Some("green tea"))),
            ("edit 4 random", done(DmfAction::Edit, Some(4), None)),
            ("edit 4", Err("edit takes a widget and a text")),
            ("edit 4 a.text", Err("`a.text` would be read as a reference")),
            ("click", Err("`` is no number of a widget")),
            ("click x", Err("`x` is no number of a widget")),
            ("scroll 7 down", done(DmfAction::Scroll(Direction::Down), Some(7), Some(""))),
            ("scroll up", done(DmfAction::Scroll(Direction::Up), None, Some(""))),
            ("scroll 7", Err("scroll takes a widget and up")),
            ("back", done(DmfAction::Back, None, Some(""))),
            ("sleep 5", done(DmfAction::Sleep, None, Some("5"))),
            ("sleep 500", Err("sleep takes a number of seconds")),
            ("", Ok(Order::Look { all: false })),
            ("all", Ok(Order::Look { all: true })),
            ("begin", Ok(Order::Begin)),
            ("done", Ok(Order::Done)),
            ("fly", Err("`fly` is nothing that can be done here")),
        ];
        for (line, expected) in cases {
            match (order(line), expected) {
                (Ok(order), Ok(expected)) => assert_eq!(order, expected, "{line}"),
                (Err(said), Err(expected)) => {
                    assert!(said.to_string().starts_with(expected), "{line}: {said}")
                }
                (read, expected) => panic!("{line}: {read:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn predicates() {
        let on = |when, relation, widget: Option<(usize, u32)>| {
            Ok(Predicate { when, relation, widget: widget.map(|(layout, id)| (layout, WidgetId(id))) })
        };
        let cases: [(&str, Result<Predicate, &str>); 9] = [
            ("pre in 3", on(When::Before, Relation::In, Some((0, 3)))),
            ("post in 3", on(When::After, Relation::In, Some((4, 3)))),
            ("post not in 3@1", on(When::After, Relation::NotIn, Some((1, 3)))),
            ("pre is not empty", on(When::Before, Relation::IsNotEmpty, None)),
            ("pre smaller", on(When::Before, Relation::Smaller, None)),
            ("pre smaller 3", Err("`smaller` asks the data model")),
            ("pre on 3", Err("`on 3` is no relation")),
            ("in 3", Err("a condition begins with `pre` or `post`")),
            ("post in 3@x", Err("`x` is no number of a layout")),
        ];
        for (line, expected) in cases {
            match (predicate(line, 4), expected) {
                (Ok(read), Ok(expected)) => assert_eq!(read, expected, "{line}"),
                (Err(said), Err(expected)) => {
                    assert!(said.to_string().starts_with(expected), "{line}: {said}")
                }
                (read, expected) => panic!("{line}: {read:?}, not {expected:?}"),
            }
        }
    }
}
