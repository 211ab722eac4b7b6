//! What a function that was carried out did to the data model, and whether its property holds.

use super::condition::{self, Answer};
use super::data_model::{Change, DataModel};
use super::passage::{Passage, Reading, Unread};
use droidmux_record::{Condition, Dmf, Layouts, Operator};

/// The end of one execution.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// D after the impacts.
    pub model: DataModel,
    /// One for each impact, in their order.
    pub changes: Vec<Change>,
    /// The objects of the impacts, in their order; those of conditions besides them.
    pub objects: Vec<String>,
    /// Each postcondition with what became of it, in the order of the specification.
    pub answers: Vec<Result<Answer, Unread>>,
}

impl Conclusion {
    /// The first postcondition that does not hold.
    pub fn violated<'a>(&self, dmf: &'a Dmf) -> Option<(&'a Condition, &Answer)> {
        let pairs = dmf.postconditions.iter().zip(&self.answers);
        let mut failed = pairs.filter_map(|(condition, answer)| Some((condition, answer.as_ref().ok()?)));
        failed.find(|(_, answer)| !answer.holds)
    }
}

/// Applies the impacts to the data model, then reads the postconditions on lₙ.
///
/// # Errors
/// When an object cannot be read off its layout: nothing is known of the data then.
pub fn conclude(
    dmf: &Dmf,
    passage: &Passage,
    before: &DataModel,
    layouts: &dyn Layouts,
) -> Result<Conclusion, Unread> {
    let reading = Reading { dmf, passage, layouts };
    let mut model = before.clone();
    let mut changes = Vec::new();
    let mut objects = Vec::new();
    for impact in &dmf.impacts {
        let object = match impact.operator {
            Operator::Clear => String::new(),
            _ => reading.text(&impact.object)?,
        };
        changes.push(match impact.operator {
            Operator::Add | Operator::AddConflict => model.add(&dmf.datatype, &object),
            Operator::AddNoDuplicate => model.add_once(&dmf.datatype, &object),
            Operator::Delete => model.remove(&dmf.datatype, &object),
            Operator::Clear => model.clear(&dmf.datatype),
        });
        if !object.is_empty() {
            objects.push(object);
        }
    }
    let end = passage.last().ok_or_else(|| Unread("there is no layout".into()))?;
    let answers: Vec<Result<Answer, Unread>> =
        dmf.postconditions.iter().map(|c| condition::answer(c, &reading, end, &model)).collect();
    let asked = answers.iter().flatten().filter_map(|answer| answer.object.clone());
    for object in asked.collect::<Vec<_>>() {
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    Ok(Conclusion { model, changes, objects, answers })
}
