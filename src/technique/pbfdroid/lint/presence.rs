//! What a function's widgets and conditions find on a layout.

use std::sync::Arc;

use crate::pbfdroid::condition::{self, words};
use crate::pbfdroid::data_model::DataModel;
use crate::pbfdroid::locate;
use crate::pbfdroid::passage::{Passage, Reading};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{Condition, Dmf, DmfWidget, Layouts};

/// A widget or condition of a function on a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presence {
    /// `widget`, `precondition 1` and so on.
    pub part: String,
    /// What is asked: the widget's name, or the condition in words.
    pub asked: String,
    /// `None` when it cannot be told from one layout.
    pub fits: Option<bool>,
    /// What was found, or what of the nearest widget differs.
    pub found: String,
}

/// The widgets and preconditions of a function on one layout, its data model empty.
pub fn presence(dmf: &Dmf, layout: &Arc<Layout>) -> Vec<Presence> {
    let only = Only { hash: layout.hash(), layout: layout.clone() };
    let passage = Passage::from(only.hash);
    let reading = Reading { dmf, passage: &passage, layouts: &only };
    let conditions = dmf.preconditions.iter().enumerate();
    let conditions = conditions.map(|(number, condition)| asked(number, condition, &reading, only.hash));
    conditions.chain(dmf.widgets.iter().map(|widget| there(widget, layout))).collect()
}

/// One layout as if it were all.
struct Only {
    hash: LayoutHash,
    layout: Arc<Layout>,
}

impl Layouts for Only {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        (hash == self.hash).then(|| self.layout.clone())
    }
}

fn asked(number: usize, condition: &Condition, reading: &Reading<'_>, on: LayoutHash) -> Presence {
    let answer = condition::answer(condition, reading, on, &DataModel::default());
    let (fits, found) = match answer {
        Ok(answer) => (Some(answer.holds), answer.found),
        Err(unread) => (None, unread.0),
    };
    Presence { part: format!("precondition {}", number + 1), asked: words(condition, None), fits, found }
}

fn there(widget: &DmfWidget, layout: &Layout) -> Presence {
    let refers = widget.text_source().is_some();
    let text = if refers { "" } else { widget.text.as_str() };
    let found = locate::find(layout, widget, text);
    let words = match found.as_slice() {
        [] => locate::why_not(layout, widget, text),
        [only] => format!("{} {}", only.short_class(), shown(only.text(), only.short_id())),
        [first, ..] => {
            let first = format!("{} {}", first.short_class(), shown(first.text(), first.short_id()));
            format!("{} widgets, the first is {first}", found.len())
        }
    };
    let words = if refers { format!("with any text: {words}") } else { words };
    Presence {
        part: "widget".into(),
        asked: widget.name.clone(),
        fits: Some(!found.is_empty()),
        found: words,
    }
}

fn shown(text: &str, id: &str) -> String {
    if text.is_empty() { format!("#{id}") } else { format!("{text:?}") }
}
