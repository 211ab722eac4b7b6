//! Why a function cannot be carried out or checked as it is written, and why a key view fits nothing
//! or everything.

use super::fields::quoted;
use droidmux_gui::Bounds;
use droidmux_record::{Condition, Dmf, DmfAction, DmfEvent, KeyView, Operator, Relation, text_source};

/// The first contradiction in a function, as a sentence; `None` when it can be used.
pub fn fault(dmf: &Dmf) -> Option<String> {
    twice(dmf)
        .or_else(|| first(dmf.events.iter(), "event", |event| event_fault(dmf, event)))
        .or_else(|| first(dmf.preconditions.iter(), "precondition", |it| condition_fault(dmf, it)))
        .or_else(|| first(dmf.postconditions.iter(), "post-condition", |it| condition_fault(dmf, it)))
        .or_else(|| {
            first(dmf.impacts.iter(), "impact", |impact| match impact.operator {
                Operator::Clear => None,
                _ if impact.object.is_empty() => Some("names no object".to_owned()),
                _ => source_fault(dmf, &impact.object),
            })
        })
        .or_else(|| first(dmf.widgets.iter(), "widget", |widget| source_fault(dmf, &widget.text)))
        .or_else(|| circle(dmf))
        .or_else(|| dmf.events.is_empty().then(|| "it has no events".to_owned()))
}

/// The first of several parts that is wrong, by its number from 1.
fn first<T>(
    parts: impl Iterator<Item = T>,
    what: &str,
    wrong: impl Fn(T) -> Option<String>,
) -> Option<String> {
    parts
        .enumerate()
        .find_map(|(number, part)| wrong(part).map(|said| format!("{what} {} {said}", number + 1)))
}

fn twice(dmf: &Dmf) -> Option<String> {
    let names = || dmf.widgets.iter().map(|widget| widget.name.as_str());
    let name = names().enumerate().find(|(n, name)| names().take(*n).any(|earlier| earlier == *name))?.1;
    Some(format!("two of its widgets are called {}", quoted(name)))
}

fn event_fault(dmf: &Dmf, event: &DmfEvent) -> Option<String> {
    let needs_widget = matches!(event.action, DmfAction::Click | DmfAction::LongClick | DmfAction::Edit);
    if event.action == DmfAction::Sleep {
        let right =
            event.text.trim().parse::<f64>().is_ok_and(|seconds| seconds.is_finite() && seconds > 0.0);
        return (!right).then(|| format!("sleeps for {}, not for a number of seconds", quoted(&event.text)));
    }
    if event.action == DmfAction::ScrollTo {
        return match (event.text.as_str(), event.widget.as_str()) {
            ("", "") => Some("(scrollto) names neither a text nor a widget".to_owned()),
            ("", widget) => undefined(dmf, widget),
            (text, _) => source_fault(dmf, text),
        };
    }
    if event.widget.is_empty() {
        return needs_widget.then(|| format!("({}) names no widget", event.action.name()));
    }
    undefined(dmf, &event.widget).or_else(|| source_fault(dmf, &event.text))
}

/// Why a key view cannot be used; `None` when it can.
pub fn key_view_fault(view: &KeyView) -> Option<String> {
    let bounds = view.bounds().map(|text| (text, Bounds::parse(text)));
    match bounds {
        Some((text, None)) => Some(format!(
            "has the bounds {}, not `[left,top][right,bottom]`: it fits no widget",
            quoted(text)
        )),
        _ if view.is_any() => Some("fits every widget: nothing would ever be touched at random".to_owned()),
        _ => None,
    }
}

fn condition_fault(dmf: &Dmf, condition: &Condition) -> Option<String> {
    let on_widget = matches!(condition.relation, Relation::In | Relation::NotIn);
    if condition.widget.is_empty() {
        return on_widget.then(|| format!("({}) names no widget", condition.relation.name()));
    }
    undefined(dmf, &condition.widget)
}

fn undefined(dmf: &Dmf, name: &str) -> Option<String> {
    let defined = dmf.widget(name).is_some();
    (!defined).then(|| format!("names the widget {}, which is not defined", quoted(name)))
}

/// An `X.text` whose X is not there.
fn source_fault(dmf: &Dmf, text: &str) -> Option<String> {
    let name = text_source(text)?;
    let defined = dmf.widget(name).is_some();
    (!defined).then(|| format!("refers to the text of the widget {}, which is not defined", quoted(name)))
}

/// Widgets whose texts refer to each other in a circle.
fn circle(dmf: &Dmf) -> Option<String> {
    let around = |start: &str| {
        let mut at = start;
        for _ in 0..dmf.widgets.len() {
            match dmf.widget(at).and_then(|widget| widget.text_source()) {
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    };
    let widget = dmf.widgets.iter().find(|widget| around(&widget.name))?;
    Some(format!("the text of the widget {} refers back to itself", quoted(&widget.name)))
}
