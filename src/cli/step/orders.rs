//! Orders as people and scripts write them.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use thiserror::Error;
use tokio::sync::mpsc;

use crate::Usage;
use droidmux_gui::{Event, EventWordsError, Layout, Widget, WidgetId, short_id};
use droidmux_record::StepOrder;

/// The longest line that is read, in bytes.
const LONGEST: usize = 64 << 10;

pub(super) const HELP: &str = "orders:
  next, or an empty line      perform the next event
  skip                        leave it out
  insert KIND [WIDGET] [TEXT] perform another event before it: insert click \"Save\", insert edit 12 tea, insert back
  back                        undo the last order, by running all before it again
  to N                        go on until event N is the next one; backwards by running all before it again
  violation                   go on until the violation shows
  end                         go on to the end of the test
  look                        list the widgets that are there, with their numbers
  lanes                       list the events of both tests
  leave                       end the stepping";

/// What a person writes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    Order(StepOrder),
    Look,
    Lanes,
    Help,
}

/// Why a line is no order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum LineError {
    #[error("there is no order {0:?}; `help` lists them")]
    Unknown(String),
    #[error("`{order}` takes nothing more, not {rest:?}")]
    TooMuch { order: String, rest: String },
    #[error("to takes the number of an event, from 1")]
    NoNumber,
    #[error("no screen is known yet")]
    NoScreen,
    #[error("a quoted label ends with a quote")]
    NoQuote,
    #[error("name a widget: its number (`look` lists them), or its label in quotes")]
    NoWidget,
    #[error("there is no widget {0}")]
    UnknownNumber(u32),
    #[error("no widget is called {0:?}; `look` lists them")]
    UnknownLabel(String),
    #[error(transparent)]
    Event(#[from] EventWordsError),
}

/// Where lines come from.
pub(super) enum Orders {
    Listed(VecDeque<String>),
    Typed(mpsc::Receiver<io::Result<String>>),
}

impl Orders {
    /// Orders separated by commas.
    pub fn listed(list: &str) -> Self {
        Self::Listed(list.split(',').map(|order| order.trim().to_owned()).collect())
    }

    /// The lines of standard input, read on a thread of its own: it may wait for ever.
    pub fn typed() -> Self {
        let (sender, lines) = mpsc::channel(16);
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self::Typed(lines)
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    /// When standard input cannot be read.
    pub async fn next(&mut self) -> color_eyre::Result<Option<String>> {
        match self {
            Self::Listed(orders) => Ok(orders.pop_front()),
            Self::Typed(lines) => match lines.recv().await {
                Some(Ok(line)) if line.len() > LONGEST => {
                    Err(Usage::new("a line of the input is too long").into())
                }
                Some(line) => Ok(Some(line?)),
                None => Ok(None),
            },
        }
    }

    pub fn are_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }
}

/// Parses a line against the current layout.
pub(super) fn read(line: &str, layout: Option<&Layout>) -> Result<Line, LineError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = |line: Line| match rest {
        "" => Ok(line),
        rest => Err(LineError::TooMuch { order: word.to_owned(), rest: rest.to_owned() }),
    };
    match word {
        "next" | "" => alone(Line::Order(StepOrder::Next)),
        "skip" => alone(Line::Order(StepOrder::Skip)),
        "back" => alone(Line::Order(StepOrder::Back)),
        "violation" => alone(Line::Order(StepOrder::RunToViolation)),
        "end" => alone(Line::Order(StepOrder::RunToEnd)),
        "leave" | "quit" => alone(Line::Order(StepOrder::Leave)),
        "look" => alone(Line::Look),
        "lanes" => alone(Line::Lanes),
        "help" => alone(Line::Help),
        "to" => match rest.parse::<u16>() {
            Ok(event @ 1..) => Ok(Line::Order(StepOrder::RunTo(event - 1))),
            _ => Err(LineError::NoNumber),
        },
        "insert" => Ok(Line::Order(StepOrder::Insert(event(rest, layout)?))),
        other => Err(LineError::Unknown(other.to_owned())),
    }
}

fn event(words: &str, layout: Option<&Layout>) -> Result<Event, LineError> {
    Event::typed(words, |rest| {
        let layout = layout.ok_or(LineError::NoScreen)?;
        let (widget, text) = widget(rest, layout)?;
        Ok((layout.selector(widget), text))
    })
}

/// A widget by its number, by a quoted label, or by a one-word label or id; and whatever comes after it.
fn widget<'w>(words: &'w str, layout: &Layout) -> Result<(WidgetId, &'w str), LineError> {
    let (name, rest) = match words.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').ok_or(LineError::NoQuote)?,
        None => words.split_once(char::is_whitespace).unwrap_or((words, "")),
    };
    let rest = rest.trim_start();
    if name.is_empty() {
        return Err(LineError::NoWidget);
    }
    if let Ok(number) = name.parse::<u32>()
        && !words.starts_with('"')
    {
        let widget = layout.get(WidgetId(number)).ok_or(LineError::UnknownNumber(number))?;
        return Ok((widget.id(), rest));
    }
    let named = |widget: &Widget<'_>| {
        widget.text() == name || widget.description() == name || short_id(widget.resource_id()) == name
    };
    let found = layout.widgets().filter(|widget| !widget.bounds().is_empty()).find(named);
    let widget = found.ok_or_else(|| LineError::UnknownLabel(name.to_owned()))?;
    // Content inside a widget that takes touches is touched along with it.
    let touched = std::iter::once(widget)
        .chain(widget.ancestors())
        .find(|widget| !widget.interactions().is_empty())
        .unwrap_or(widget);
    Ok((touched.id(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, EventKind, LayoutBuilder, NewWidget};

    fn layout() -> Layout {
        let mut builder = LayoutBuilder::new();
        let bounds = Bounds { left: 0, top: 0, right: 100, bottom: 40 };
        for (class, resource_id, text) in
            [("android.widget.Button", "a:id/save", "Save it"), ("android.widget.EditText", "a:id/name", "")]
        {
            builder.open(NewWidget { class, resource_id, text, bounds, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn orders_are_read() {
        let layout = layout();
        let on = |kind, widget| Event::on(kind, layout.selector(WidgetId(widget)));
        let cases: [(&str, Result<StepOrder, &str>); 16] = [
            ("", Ok(StepOrder::Next)),
            (" skip ", Ok(StepOrder::Skip)),
            ("back", Ok(StepOrder::Back)),
            ("to 3", Ok(StepOrder::RunTo(2))),
            ("to 0", Err("from 1")),
            ("violation", Ok(StepOrder::RunToViolation)),
            ("end now", Err("nothing more")),
            ("insert click 0", Ok(StepOrder::Insert(on(EventKind::Click, 0)))),
            ("insert click \"Save it\"", Ok(StepOrder::Insert(on(EventKind::Click, 0)))),
            ("insert long-click save", Ok(StepOrder::Insert(on(EventKind::LongClick, 0)))),
            (
                "insert edit name two words",
                Ok(StepOrder::Insert(Event::edit(layout.selector(WidgetId(1)), "two words"))),
            ),
            ("insert back", Ok(StepOrder::Insert(Event::global(EventKind::Back)))),
            ("insert click Nobody", Err("no widget is called")),
            ("insert click 99", Err("no widget 99")),
            ("insert wobble", Err("no kind of event")),
            ("jump", Err("no order")),
        ];
        for (line, expected) in cases {
            match (read(line, Some(&layout)), expected) {
                (Ok(Line::Order(order)), Ok(expected)) => assert_eq!(order, expected, "{line}"),
                (Err(why), Err(expected)) => assert!(why.to_string().contains(expected), "{line}: {why}"),
                (read, expected) => panic!("{line}: {read:?} instead of {expected:?}"),
            }
        }
    }
}
