//! Recording: from a function as a person performed it to its specification (section 4.5, "DMF
//! Instantiator").
//!
//! In: the layouts and events of one performance, and the person's answers: what kind of function it is, and which
//! texts are its objects. Out: the function, with its widgets found by mapping the texts onto the layouts and with the
//! conditions of its type; or which text is nowhere to be seen.
//!
//! Invariants: what is written has no fault; [`Recording::check`] says whether its conditions hold on the recorded
//! layouts, and whether its objects can be read off them. A text that is an object, or holds one, never identifies a
//! widget.

mod description;
mod draft;
mod places;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use thiserror::Error;

use super::conclusion::conclude;
use super::condition::{answer, words};
use super::data_model::DataModel;
use super::passage::{Passage, Reading};
pub use draft::{sketch, specify};
use droidmux_gui::{Layout, LayoutHash, WidgetId};
use droidmux_record::{Dmf, DmfAction, Layouts, Operation, Relation};

/// A function as it was performed.
#[derive(Clone, Debug)]
pub struct Recording {
    /// In the order they were performed; step k on lₖ.
    pub steps: Vec<RecordedStep>,
    /// lₙ
    pub last: Arc<Layout>,
}

/// An event of a recording.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// The layout it acted on.
    pub layout: Arc<Layout>,
    /// What was done.
    pub action: DmfAction,
    /// What it was done to, on `layout`; `None` for keys and waiting.
    pub widget: Option<WidgetId>,
    /// What was typed; for `sleep`, seconds.
    pub text: String,
    /// The text was drawn at random, and is to be every time.
    pub random: bool,
}

/// What the person said about a recording.
#[derive(Clone, Debug)]
pub struct Answers {
    /// What kind of function it is; its conditions and impacts are those of its kind.
    pub operation: Operation,
    /// The type of its objects, e.g. `note`.
    pub datatype: String,
    /// What the function is called, as in `functions` of a session file.
    pub name: String,
    /// Its weight where a test chooses among functions; 0 for never.
    pub proportion: u32,
    /// The text of the object that the function takes away: for edit and delete.
    pub before: String,
    /// The text of the object that it adds or shows: for add, edit, view and search.
    pub after: String,
    /// Conditions besides those of its kind.
    pub predicates: Vec<Predicate>,
}

/// A condition that the person adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// When it is to hold.
    pub when: When,
    /// What is to hold.
    pub relation: Relation,
    /// For `in` and `not in`: a widget of the layout of this number, the one that is (not) to be
    /// there.
    pub widget: Option<(usize, WidgetId)>,
}

/// Which end of a function a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A precondition, read on l₀.
    Before,
    /// A post-condition, read on lₙ.
    After,
}

/// Why a recording gives no function.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unmapped {
    /// No step.
    #[error("nothing was recorded")]
    Empty,
    /// The text that the person gave.
    #[error("{0:?} cannot be an object: the text is empty or reads as a reference")]
    NoObject(String),
    /// The object is not where the function must show it.
    #[error("no widget on layout {layout} shows {text:?}{}", nearest(near))]
    NotShown {
        /// The number of the last layout, counted from 0.
        layout: usize,
        /// The text of the object.
        text: String,
        /// The text there that is most like it; `None` when none is.
        near: Option<String>,
    },
    /// The text of the object that goes.
    #[error("no widget before the last layout shows {0:?}, the object that is taken away")]
    NeverShown(String),
    /// A step or a condition names a widget that its layout does not have.
    #[error("layout {layout} has no widget {widget}")]
    NoWidget {
        /// The number of the layout, from 0.
        layout: usize,
        /// The number of the widget in document order, from 0.
        widget: u32,
    },
}

fn nearest(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; the nearest text is {near:?}")).unwrap_or_default()
}

impl Recording {
    /// The layouts l₀ … lₙ.
    pub fn layouts(&self) -> Vec<&Arc<Layout>> {
        self.steps.iter().map(|step| &step.layout).chain([&self.last]).collect()
    }

    /// Checks the function on the layouts it was recorded on: what does not hold there, in words.
    pub fn check(&self, dmf: &Dmf, before: &DataModel) -> Vec<String> {
        let hashes: Vec<LayoutHash> = self.layouts().iter().map(|layout| layout.hash()).collect();
        let Some(first) = hashes.first().copied() else { return Vec::new() };
        let mut wrong = Vec::new();
        let start = Passage::from(first);
        let reading = Reading { dmf, passage: &start, layouts: self };
        for condition in &dmf.preconditions {
            match answer(condition, &reading, first, before) {
                Ok(answer) if answer.holds => {}
                Ok(answer) => wrong.push(format!("before it: {}: {}", words(condition, None), answer.found)),
                Err(unread) => wrong.push(format!("before it: {}: {}", words(condition, None), unread.0)),
            }
        }
        let mut passage = start.clone();
        for (event, hash) in (0_u16..).zip(hashes.iter().skip(1)) {
            passage.step(event, *hash);
        }
        match conclude(dmf, &passage, before, self) {
            Err(unread) => wrong.push(format!("its object cannot be read: {}", unread.0)),
            Ok(end) => {
                for (condition, answer) in dmf.postconditions.iter().zip(end.answers) {
                    match answer {
                        Ok(answer) if answer.holds => {}
                        Ok(answer) => {
                            let words = words(condition, answer.object.as_deref());
                            wrong.push(format!("after it: {words}: {}", answer.found));
                        }
                        Err(unread) => {
                            wrong.push(format!("after it: {}: {}", words(condition, None), unread.0))
                        }
                    }
                }
            }
        }
        wrong
    }
}

impl Layouts for Recording {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.layouts().into_iter().find(|layout| layout.hash() == hash).cloned()
    }
}

impl Answers {
    /// What the app holds when the function begins, as far as the answers say.
    pub fn data_before(&self) -> DataModel {
        let mut model = DataModel::default();
        match self.operation {
            Operation::Add => {}
            Operation::Edit | Operation::Delete => {
                model.add(&self.datatype, &self.before);
            }
            Operation::View | Operation::Search => {
                model.add(&self.datatype, &self.after);
            }
        }
        model
    }
}
