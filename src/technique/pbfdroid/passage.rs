//! A passage: how far a function has been carried out, with the layouts it went through.

use std::sync::Arc;

use super::locate;
use droidmux_gui::{Layout, LayoutHash, Widget};
use droidmux_record::{Dmf, Layouts, text_source};

/// The layouts l₀ … lₙ of one execution, and which of the function's events acts on each.
///
/// What a specification's layout numbers mean: number k is the layout on which the last event whose
/// widget says k acts; 0 is l₀; if no event's widget says k, it is the layout after k events, lₙ at
/// most. In the published files, numbers and event counts disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// One more than events.
    pub layouts: Vec<LayoutHash>,
    /// The function's events that were performed, by number.
    pub events: Vec<u16>,
}

/// Why something of a function cannot be read off its layouts, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread(pub String);

/// A function's passage with all that is needed to read texts off it.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The function that the texts and widgets are defined in.
    pub dmf: &'a Dmf,
    /// Its execution as far as it is.
    pub passage: &'a Passage,
    /// Where the layouts of the passage are looked up.
    pub layouts: &'a dyn Layouts,
}

/// Widgets whose text refers to another widget's, one after the other, at most.
const MOST_REFERENCES: usize = 4;

impl Passage {
    /// An execution about to begin.
    pub fn from(start: LayoutHash) -> Self {
        Self { layouts: vec![start], events: Vec::new() }
    }

    /// The function's event of this number was performed and led to a layout.
    pub fn step(&mut self, event: u16, after: LayoutHash) {
        self.events.push(event);
        self.layouts.push(after);
    }

    /// The layout that a number means.
    pub fn layout(&self, dmf: &Dmf, number: Option<u32>) -> Option<LayoutHash> {
        let number = number.unwrap_or(0);
        if number == 0 {
            return self.layouts.first().copied();
        }
        let says = |event: &u16| {
            let event = dmf.events.get(usize::from(*event));
            event.and_then(|event| dmf.receiver(event)).and_then(|widget| widget.layout) == Some(number)
        };
        match self.events.iter().rposition(says) {
            Some(at) => self.layouts.get(at).copied(),
            None => self.layouts.get(number as usize).or(self.layouts.last()).copied(),
        }
    }

    /// The layout it has reached, lₙ at its end.
    pub fn last(&self) -> Option<LayoutHash> {
        self.layouts.last().copied()
    }
}

impl Reading<'_> {
    /// What a text of the specification says in this execution: itself, or the text of the widget
    /// it refers to.
    ///
    /// # Errors
    /// When that widget is not on its layout, shows no text or refers to itself, or the layout is unavailable.
    pub fn text(&self, text: &str) -> Result<String, Unread> {
        self.text_within(text, MOST_REFERENCES)
    }

    fn text_within(&self, text: &str, references: usize) -> Result<String, Unread> {
        let Some(name) = text_source(text).filter(|name| self.dmf.widget(name).is_some()) else {
            return Ok(text.to_owned());
        };
        let wanted = self.dmf.widget(name).ok_or_else(|| Unread(format!("no widget {name} is defined")))?;
        if references == 0 {
            return Err(Unread(format!("the text of {name} refers to itself")));
        }
        let hash = self.passage.layout(self.dmf, wanted.layout);
        let layout = hash.and_then(|hash| self.layouts.layout(hash));
        let layout = layout.ok_or_else(|| Unread(format!("the layout of {name} is not there")))?;
        let own = self.text_within(&wanted.text, references - 1)?;
        let found = locate::find(&layout, wanted, &own);
        let Some(widget) = found.first() else {
            let why = locate::why_not(&layout, wanted, &own);
            return Err(Unread(format!("{name} is not on its layout: {why}")));
        };
        match widget.text() {
            "" => Err(Unread(format!("{name} shows no text"))),
            text => Ok(text.to_owned()),
        }
    }

    /// The layout of a hash.
    ///
    /// # Errors
    /// When it is unavailable.
    pub fn layout(&self, hash: LayoutHash) -> Result<Arc<Layout>, Unread> {
        self.layouts.layout(hash).ok_or_else(|| Unread(format!("layout {hash} is not there")))
    }
}

/// The first widget that fits, to act on; `None` when the function defines none of this name.
///
/// # Errors
/// When no widget of the layout fits, or its text cannot be read.
pub fn receiver<'a>(
    reading: &Reading<'_>,
    layout: &'a Layout,
    name: &str,
) -> Result<Option<Widget<'a>>, Unread> {
    let Some(wanted) = reading.dmf.widget(name) else { return Ok(None) };
    let text = reading.text(&wanted.text)?;
    match locate::find(layout, wanted, &text).first() {
        Some(widget) => Ok(Some(*widget)),
        None => Err(Unread(format!("{name} is not there: {}", locate::why_not(layout, wanted, &text)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{DmfAction, DmfEvent, DmfWidget, Operation};

    #[test]
    fn layout_numbers() {
        let widget = |name: &str, layout| DmfWidget { name: name.into(), layout, ..DmfWidget::default() };
        let event = |widget: &str| DmfEvent {
            action: DmfAction::Click,
            widget: widget.into(),
            text: String::new(),
            force: true,
        };
        let dmf = Dmf {
            datatype: "note".into(),
            name: "add".into(),
            operation: Operation::Add,
            proportion: 1,
            widgets: vec![
                widget("a", Some(0)),
                widget("b", Some(1)),
                widget("c", Some(5)),
                widget("d", None),
            ],
            preconditions: Vec::new(),
            events: ["a", "b", "c", "b", "d"].map(event).to_vec(),
            impacts: Vec::new(),
            postconditions: Vec::new(),
            fault: None,
        };
        // Which events were performed, a number, and which of the layouts it means.
        for (events, number, means) in [
            ("01234", Some(0), 0),
            ("01234", None, 0),
            ("01234", Some(1), 3),
            ("01234", Some(5), 2),
            ("01234", Some(2), 2),
            ("01234", Some(9), 5),
            ("01", Some(1), 1),
            ("01", Some(5), 2),
            ("", Some(3), 0),
        ] {
            let hash = |n: usize| LayoutHash([u8::try_from(n).expect("few"); 16]);
            let mut passage = Passage::from(hash(0));
            for (n, event) in events.chars().enumerate() {
                passage.step(
                    event.to_digit(10).and_then(|e| u16::try_from(e).ok()).expect("digit"),
                    hash(n + 1),
                );
            }
            assert_eq!(passage.layout(&dmf, number), Some(hash(means)), "{events} {number:?}");
        }
    }
}
