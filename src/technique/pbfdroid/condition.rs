//! Conditions: whether they hold, and what was found, in words.

use super::data_model::DataModel;
use super::locate;
use super::passage::{Reading, Unread};
use crate::gui::LayoutHash;
use crate::record::{Condition, Relation, WidgetNote};

/// Objects at most for `smaller`.
pub const SMALL: usize = 5;

/// What became of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub holds: bool,
    /// What was found, for a person.
    pub found: String,
    /// The object that the condition is about.
    pub object: Option<String>,
    /// Widgets to look at: those that fit, or what is where the wanted one should be.
    pub widgets: Vec<WidgetNote>,
}

/// Widgets noted at most.
const MOST_WIDGETS: usize = 5;

/// Whether a condition holds on a layout and a data model. `datatype` is the function's own:
/// that no widget shows d is asked only when d is not in D, for an equal twin may still be there.
///
/// # Errors
/// When it cannot be judged: a text it refers to cannot be read.
pub fn answer(
    condition: &Condition,
    reading: &Reading<'_>,
    on: LayoutHash,
    model: &DataModel,
) -> Result<Answer, Unread> {
    let objects = model.objects(&condition.datatype).len();
    let of_model = |holds| {
        let found = format!("{} in the data model: {objects}", condition.datatype);
        Ok(Answer { holds, found, object: None, widgets: Vec::new() })
    };
    match condition.relation {
        Relation::IsEmpty => of_model(objects == 0),
        Relation::IsNotEmpty => of_model(objects > 0),
        Relation::Smaller => of_model(objects <= SMALL),
        Relation::In | Relation::NotIn if condition.datatype.is_empty() => {
            shown(condition, reading, on, model)
        }
        Relation::In | Relation::NotIn => known(condition, reading, on, model),
    }
}

/// `in` and `not in` a layout.
fn shown(
    condition: &Condition,
    reading: &Reading<'_>,
    on: LayoutHash,
    model: &DataModel,
) -> Result<Answer, Unread> {
    let wanted = defined(condition, reading)?;
    let layout = reading.layout(on)?;
    let text = reading.text(&wanted.text)?;
    let object = wanted.text_source().map(|_| text.clone());
    let found = locate::find(&layout, wanted, &text);
    let name = &wanted.name;
    let note = |widgets: &[crate::gui::Widget<'_>]| {
        widgets.iter().take(MOST_WIDGETS).map(|w| WidgetNote::of(*w)).collect::<Vec<_>>()
    };
    if condition.relation == Relation::NotIn {
        let twin = object.as_ref().is_some_and(|object| model.has(&reading.dmf.datatype, object));
        let found_words = match (found.len(), twin) {
            (0, _) => format!("no widget is {name}"),
            (n, true) => format!("{n} widgets are {name}, and an equal object is still there"),
            (n, false) => format!("{n} widgets are {name}"),
        };
        let holds = found.is_empty() || twin;
        return Ok(Answer { holds, found: found_words, object, widgets: note(&found) });
    }
    if let Some(first) = found.first() {
        let words = format!("{name} is widget {} of the layout", first.id().0);
        return Ok(Answer { holds: true, found: words, object, widgets: note(&found) });
    }
    let words = format!("{name} is not there: {}", locate::why_not(&layout, wanted, &text));
    let near = locate::find_with_any_text(&layout, wanted);
    let near = if wanted.text.is_empty() { &[][..] } else { &near };
    Ok(Answer { holds: false, found: words, object, widgets: note(near) })
}

/// `in` and `not in` a data model.
fn known(
    condition: &Condition,
    reading: &Reading<'_>,
    on: LayoutHash,
    model: &DataModel,
) -> Result<Answer, Unread> {
    let wanted = defined(condition, reading)?;
    let layout = reading.layout(on)?;
    let bound = reading.text(&wanted.text)?;
    let widget = locate::find(&layout, wanted, &bound).first().copied().ok_or_else(|| {
        Unread(format!("{} is not there: {}", wanted.name, locate::why_not(&layout, wanted, &bound)))
    })?;
    let text = widget.text().to_owned();
    let is_known = model.has(&condition.datatype, &text);
    let words = if is_known { "is in" } else { "is not in" };
    let found = format!("{text:?} {words} the data model of {}", condition.datatype);
    let holds = is_known == (condition.relation == Relation::In);
    Ok(Answer { holds, found, object: Some(text), widgets: vec![WidgetNote::of(widget)] })
}

fn defined<'a>(condition: &Condition, reading: &Reading<'a>) -> Result<&'a crate::record::DmfWidget, Unread> {
    let name = &condition.widget;
    reading.dmf.widget(name).ok_or_else(|| Unread(format!("no widget {name:?} is defined")))
}

/// A condition in words: `add_object, showing "tea", is on the layout`.
pub fn words(condition: &Condition, object: Option<&str>) -> String {
    let Condition { widget, relation, datatype, .. } = condition;
    let showing = object.map(|object| format!(", showing {object:?},")).unwrap_or_default();
    match (relation, datatype.as_str()) {
        (Relation::In, "") => format!("{widget}{showing} is on the layout"),
        (Relation::NotIn, "") => format!("no {widget}{showing} is on the layout"),
        (Relation::In, datatype) => format!("the text of {widget} is a {datatype} of the data model"),
        (Relation::NotIn, datatype) => format!("the text of {widget} is no {datatype} of the data model"),
        (Relation::IsEmpty, datatype) => format!("the data model has no {datatype}"),
        (Relation::IsNotEmpty, datatype) => format!("the data model has a {datatype}"),
        (Relation::Smaller, datatype) => format!("the data model has at most {SMALL} of {datatype}"),
    }
}
