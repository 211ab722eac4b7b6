//! From functions to JSON, with the fields in the order of the published files.

use serde_json::{Value, json};

use droidmux_record::{Condition, Dmf, DmfEvent, DmfWidget, Impact};

pub(super) const FUNCTION: [&str; 9] = [
    "datatype",
    "events",
    "impacts",
    "name",
    "post-conditions",
    "preconditions",
    "proportion",
    "type",
    "widgets",
];
pub(super) const WIDGET: [&str; 8] =
    ["UI_layout_num", "class", "content-desc", "instance", "name", "resource-id", "text", "xpath"];
pub(super) const EVENT: [&str; 4] = ["action", "force", "text", "widget"];
pub(super) const CONDITION: [&str; 4] = ["UI_layout_num", "datatype", "relation", "widget"];
pub(super) const IMPACT: [&str; 2] = ["object", "operator"];

pub(super) fn dmf(dmf: &Dmf) -> Value {
    json!({
        "datatype": dmf.datatype,
        "events": dmf.events.iter().map(event).collect::<Vec<_>>(),
        "impacts": dmf.impacts.iter().map(impact).collect::<Vec<_>>(),
        "name": dmf.name,
        "post-conditions": dmf.postconditions.iter().map(condition).collect::<Vec<_>>(),
        "preconditions": dmf.preconditions.iter().map(condition).collect::<Vec<_>>(),
        "proportion": dmf.proportion.to_string(),
        "type": dmf.operation.name(),
        "widgets": dmf.widgets.iter().map(widget).collect::<Vec<_>>(),
    })
}

fn widget(widget: &DmfWidget) -> Value {
    json!({
        "UI_layout_num": number(widget.layout),
        "class": widget.class,
        "content-desc": widget.description,
        "instance": number(widget.instance),
        "name": widget.name,
        "resource-id": widget.resource_id,
        "text": widget.text,
        "xpath": widget.xpath,
    })
}

fn event(event: &DmfEvent) -> Value {
    json!({
        "action": event.action.name(),
        "force": event.force,
        "text": event.text,
        "widget": event.widget,
    })
}

fn condition(condition: &Condition) -> Value {
    json!({
        "UI_layout_num": number(condition.layout),
        "datatype": condition.datatype,
        "relation": condition.relation.name(),
        "widget": condition.widget,
    })
}

fn impact(impact: &Impact) -> Value {
    json!({ "object": impact.object, "operator": impact.operator.name() })
}

/// Numbers are texts in the files, and none is the empty one.
fn number(number: Option<u32>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}
