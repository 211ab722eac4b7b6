//! Conditions: whether they hold, and what was found, in words.

use std::sync::Arc;

use super::data_model::DataModel;
use super::locate;
use super::passage::{Passage, Reading, Unread};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{Condition, Dmf, DmfWidget, Layouts, Relation, WidgetNote};

/// The most objects for `smaller`.
pub const SMALL: usize = 5;

/// What became of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// True when the layout or the data model is as the condition says.
    pub holds: bool,
    /// What was found, for a person.
    pub found: String,
    /// The object that the condition is about.
    pub object: Option<String>,
    /// Widgets to look at: those that fit, or what is where the wanted one should be.
    pub widgets: Vec<WidgetNote>,
}

/// The most widgets that are noted.
const MOST_WIDGETS: usize = 5;

/// Whether a condition holds on a layout and a data model. That no widget shows d is asked only when d is not in the
/// function's own D, and when no more widgets showed it as the function began: an equal twin may still be there, also
/// one that came about by events between the functions.
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

/// The first precondition of a function that does not hold on a layout, or cannot be judged there;
/// `None` when the function may begin.
pub fn missing<'d>(
    dmf: &'d Dmf,
    here: LayoutHash,
    model: &DataModel,
    layouts: &dyn Layouts,
) -> Option<&'d Condition> {
    let start = Passage::from(here);
    let reading = Reading { dmf, passage: &start, layouts };
    dmf.preconditions
        .iter()
        .find(|condition| !answer(condition, &reading, here, model).is_ok_and(|answer| answer.holds))
}

/// `in` and `not in` a layout.
fn shown(
    condition: &Condition,
    reading: &Reading<'_>,
    on: LayoutHash,
    model: &DataModel,
) -> Result<Answer, Unread> {
    let (wanted, layout, text) = sought(condition, reading, on)?;
    let object = wanted.text_source().map(|_| text.clone());
    let found = locate::find(&layout, wanted, &text);
    let name = &wanted.name;
    let note = |widgets: &[droidmux_gui::Widget<'_>]| {
        widgets.iter().take(MOST_WIDGETS).map(|w| WidgetNote::of(*w)).collect::<Vec<_>>()
    };
    if condition.relation == Relation::NotIn {
        let twin = object.as_ref().is_some_and(|object| model.has(&reading.dmf.datatype, object));
        let start = reading.passage.layouts.first().and_then(|start| reading.layout(*start).ok());
        let earlier = start.map_or(0, |start| locate::find(&start, wanted, &text).len());
        let fewer = found.len() < earlier;
        let numbers: Vec<String> = found.iter().map(|widget| widget.id().0.to_string()).collect();
        let found_words = match numbers.len() {
            0 => format!("{name} is not there"),
            _ if twin => format!("{name} is there, as an equal object still should"),
            now if fewer => format!("{name} is there {now} of {earlier} times"),
            1 => format!("{name} is widget {} of the layout", numbers.concat()),
            _ => format!("{name} is widgets {} of the layout", numbers.join(", ")),
        };
        let holds = found.is_empty() || twin || fewer;
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
    let (wanted, layout, bound) = sought(condition, reading, on)?;
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

fn defined<'a>(condition: &Condition, reading: &Reading<'a>) -> Result<&'a DmfWidget, Unread> {
    let name = &condition.widget;
    reading.dmf.widget(name).ok_or_else(|| Unread(format!("no widget {name:?} is defined")))
}

/// The widget that a condition names, the layout to look for it on, and the text it has there.
fn sought<'a>(
    condition: &Condition,
    reading: &Reading<'a>,
    on: LayoutHash,
) -> Result<(&'a DmfWidget, Arc<Layout>, String), Unread> {
    let wanted = defined(condition, reading)?;
    Ok((wanted, reading.layout(on)?, reading.text(&wanted.text)?))
}

/// A condition that does not hold, in words: `add_object, showing "tea", is not on the layout`.
pub fn broken(condition: &Condition, object: Option<&str>) -> String {
    let negated = match condition.relation {
        Relation::In => Relation::NotIn,
        Relation::NotIn => Relation::In,
        Relation::IsEmpty => Relation::IsNotEmpty,
        Relation::IsNotEmpty => Relation::IsEmpty,
        Relation::Smaller => {
            return format!("the data model has more than {SMALL} of {}", condition.datatype);
        }
    };
    words(&Condition { relation: negated, ..condition.clone() }, object)
}

/// A condition in words: `add_object, showing "tea", is on the layout`.
pub fn words(condition: &Condition, object: Option<&str>) -> String {
    let Condition { widget, relation, datatype, .. } = condition;
    let showing = object.map(|object| format!(", showing {object:?},")).unwrap_or_default();
    match (relation, datatype.as_str()) {
        (Relation::In, "") => format!("{widget}{showing} is on the layout"),
        (Relation::NotIn, "") => format!("{widget}{showing} is not on the layout"),
        (Relation::In, datatype) => format!("the text of {widget} is a {datatype} of the data model"),
        (Relation::NotIn, datatype) => format!("the text of {widget} is no {datatype} of the data model"),
        (Relation::IsEmpty, datatype) => format!("the data model has no {datatype}"),
        (Relation::IsNotEmpty, datatype) => format!("the data model has a {datatype}"),
        (Relation::Smaller, datatype) => format!("the data model has at most {SMALL} of {datatype}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::pbfdroid::passage::Passage;
    use droidmux_gui::{Layout, LayoutBuilder, NewWidget};
    use droidmux_record::{Dmf, DmfWidget, Layouts, Operation};

    struct Few(Vec<Arc<Layout>>);

    impl Layouts for Few {
        fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
            self.0.iter().find(|layout| layout.hash() == hash).cloned()
        }
    }

    /// A field with `tea` typed, and notes.
    fn screen(notes: &[&str]) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "Page", ..NewWidget::default() });
        let notes = notes.iter().map(|note| ("title", *note));
        for (id, text) in std::iter::once(("field", "tea")).chain(notes).chain([("empty", "")]) {
            builder.open(NewWidget { class: "Text", resource_id: id, text, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    fn function() -> Dmf {
        let widget = |name: &str, id: &str, text: &str| DmfWidget {
            name: name.into(),
            resource_id: id.into(),
            text: text.into(),
            ..DmfWidget::default()
        };
        Dmf {
            datatype: "note".into(),
            name: "any".into(),
            operation: Operation::View,
            proportion: 1,
            widgets: vec![
                widget("typed", "field", ""),
                widget("object", "title", "typed.text"),
                widget("milk", "title", "milk"),
                widget("beer", "title", "beer"),
                widget("blank", "empty", ""),
                widget("of_blank", "title", "blank.text"),
                widget("gone", "elsewhere", ""),
                widget("of_gone", "title", "gone.text"),
            ],
            preconditions: Vec::new(),
            events: Vec::new(),
            impacts: Vec::new(),
            postconditions: Vec::new(),
            fault: None,
        }
    }

    #[test]
    fn conditions_on_layout_and_data_model() {
        let layouts = Few(vec![Arc::new(screen(&["tea", "milk"]))]);
        let (dmf, here) = (function(), layouts.0[0].hash());
        let passage = Passage::from(here);
        // widget, relation, datatype, notes of the data model; what becomes of it
        for (widget, relation, datatype, notes, expected) in [
            ("object", "in", "", "", "holds: object is widget 2 of the layout"),
            ("beer", "in", "", "", "fails: beer is not there: of the nearest widget its text is \"milk\""),
            ("object", "not in", "", "", "fails: object is widget 2 of the layout"),
            ("object", "not in", "", "tea", "holds: object is there, as an equal object still should"),
            ("milk", "not in", "", "milk", "fails: milk is widget 3 of the layout"),
            ("beer", "not in", "", "", "holds: beer is not there"),
            ("typed", "in", "note", "tea", "holds: \"tea\" is in the data model of note"),
            ("typed", "in", "note", "milk", "fails: \"tea\" is not in the data model of note"),
            ("typed", "not in", "note", "milk", "holds: \"tea\" is not in the data model of note"),
            ("", "is empty", "note", "", "holds: note in the data model: 0"),
            ("", "is not empty", "note", "", "fails: note in the data model: 0"),
            ("", "smaller", "note", "a b c d e", "holds: note in the data model: 5"),
            ("", "smaller", "note", "a b c d e f", "fails: note in the data model: 6"),
            ("of_blank", "in", "", "", "unread: blank shows no text"),
            ("of_gone", "not in", "", "", "unread: gone is not on its layout"),
            ("gone", "in", "note", "", "unread: gone is not there"),
            ("undefined", "in", "", "", "unread: no widget \"undefined\" is defined"),
        ] {
            let mut model = DataModel::default();
            notes.split_whitespace().for_each(|note| drop(model.add("note", note)));
            let relation = Relation::ALL.into_iter().find(|r| r.name() == relation).expect("relation");
            let condition =
                Condition { widget: widget.into(), relation, datatype: datatype.into(), layout: None };
            let reading = Reading { dmf: &dmf, passage: &passage, layouts: &layouts };
            let said = match answer(&condition, &reading, here, &model) {
                Ok(Answer { holds: true, found, .. }) => format!("holds: {found}"),
                Ok(Answer { holds: false, found, .. }) => format!("fails: {found}"),
                Err(Unread(why)) => format!("unread: {why}"),
            };
            assert!(said.starts_with(expected), "{widget} {} {datatype} {notes}: {said}", relation.name());
        }
    }

    #[test]
    fn a_twin_that_no_function_made_may_stay() {
        // The notes as the function began and as it ended; what becomes of `object` not being there.
        for (before, after, expected) in [
            ("tea tea", "tea", (true, "object is there 1 of 2 times")),
            ("tea tea", "tea tea", (false, "object is widgets 2, 3 of the layout")),
            ("tea milk", "tea", (false, "object is widget 2 of the layout")),
            ("milk", "tea", (false, "object is widget 2 of the layout")),
            ("tea tea", "milk", (true, "object is not there")),
        ] {
            let notes = |notes: &str| Arc::new(screen(&notes.split(' ').collect::<Vec<_>>()));
            let layouts = Few(vec![notes(before), notes(after)]);
            let (dmf, end) = (function(), layouts.0[1].hash());
            let mut passage = Passage::from(layouts.0[0].hash());
            passage.step(0, end);
            let relation = Relation::NotIn;
            let condition =
                Condition { widget: "object".into(), relation, datatype: String::new(), layout: None };
            let reading = Reading { dmf: &dmf, passage: &passage, layouts: &layouts };
            let said = answer(&condition, &reading, end, &DataModel::default()).expect("it can be read");
            assert_eq!((said.holds, said.found.as_str()), expected, "{before}, then {after}");
        }
    }
}
