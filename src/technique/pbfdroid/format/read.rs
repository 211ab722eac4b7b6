//! From JSON to functions.

use serde_json::Value;

use super::fault::fault;
use super::fields::{Fields, quoted};
use super::{FormatError, write};
use droidmux_record::{
    Condition, Dmf, DmfAction, DmfEvent, DmfWidget, Impact, Operation, Operator, Relation,
};

/// Widgets, events, conditions or impacts of one function.
const MOST_PARTS: usize = 200;
/// The greatest weight, so that sums stay far from overflowing.
const MOST_PROPORTION: u32 = 1_000_000;
const MOST_LAYOUT: u32 = 1_000;
const MOST_INSTANCE: u32 = 10_000;

/// Reads a function; `number` is its place in the file, from 0.
pub(super) fn dmf(file: &str, number: usize, value: &Value) -> Result<Dmf, FormatError> {
    let name = value.get("name").and_then(Value::as_str).unwrap_or("");
    let place = format!("function {} {}", number + 1, quoted(name));
    let fields = Fields::new(file, place, value, &write::FUNCTION)?;
    let mut dmf = Dmf {
        datatype: fields.name("datatype")?,
        name: fields.name("name")?,
        operation: fields.one_of("type", &Operation::ALL, Operation::name)?,
        proportion: match fields.number("proportion", MOST_PROPORTION)? {
            Some(proportion) => proportion,
            None => return Err(fields.wrong("proportion", "is missing: a weight such as \"10\"")),
        },
        widgets: parts(&fields, "widgets", widget)?,
        preconditions: parts(&fields, "preconditions", condition)?,
        events: parts(&fields, "events", event)?,
        impacts: parts(&fields, "impacts", impact)?,
        postconditions: parts(&fields, "post-conditions", condition)?,
        fault: None,
    };
    dmf.fault = fault(&dmf);
    Ok(dmf)
}

type Part<T> = fn(&Fields<'_>, &str, usize, &Value) -> Result<T, FormatError>;

fn parts<T>(fields: &Fields<'_>, key: &str, part: Part<T>) -> Result<Vec<T>, FormatError> {
    let what = key.strip_suffix('s').unwrap_or(key);
    let values = fields.list(key, MOST_PARTS)?.iter().enumerate();
    values.map(|(number, value)| part(fields, what, number, value)).collect()
}

fn widget(outer: &Fields<'_>, what: &str, number: usize, value: &Value) -> Result<DmfWidget, FormatError> {
    let fields = outer.inner(what, number, value, &write::WIDGET)?;
    Ok(DmfWidget {
        name: fields.name("name")?,
        layout: fields.number("UI_layout_num", MOST_LAYOUT)?,
        class: fields.text("class")?,
        description: fields.text("content-desc")?,
        instance: fields.number("instance", MOST_INSTANCE)?,
        resource_id: fields.text("resource-id")?,
        text: fields.text("text")?,
        xpath: fields.text("xpath")?,
    })
}

fn event(outer: &Fields<'_>, what: &str, number: usize, value: &Value) -> Result<DmfEvent, FormatError> {
    let fields = outer.inner(what, number, value, &write::EVENT)?;
    Ok(DmfEvent {
        action: fields.one_of("action", &DmfAction::ALL, DmfAction::name)?,
        widget: fields.text("widget")?,
        text: fields.text("text")?,
        force: fields.flag("force")?,
    })
}

fn condition(outer: &Fields<'_>, what: &str, number: usize, value: &Value) -> Result<Condition, FormatError> {
    let fields = outer.inner(what, number, value, &write::CONDITION)?;
    Ok(Condition {
        widget: fields.text("widget")?,
        relation: fields.one_of("relation", &Relation::ALL, Relation::name)?,
        datatype: fields.text("datatype")?,
        layout: fields.number("UI_layout_num", MOST_LAYOUT)?,
    })
}

fn impact(outer: &Fields<'_>, what: &str, number: usize, value: &Value) -> Result<Impact, FormatError> {
    let fields = outer.inner(what, number, value, &write::IMPACT)?;
    Ok(Impact {
        object: fields.text("object")?,
        operator: fields.one_of("operator", &Operator::ALL, Operator::name)?,
    })
}
