//! What is wrong with a reply of one of the agents, in words for the model that gave it.

use super::phrase::quoted;
use droidmux_gui::Interaction;

/// Why a reply is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misreply {
    #[error("there is no JSON object in it")]
    NoObject,
    #[error("it has no member `action`")]
    NoAction,
    #[error("there is no action {}", quoted(.0))]
    UnknownAction(String),
    #[error("`{}` needs the number of a widget", .0.name())]
    NoWidget(Interaction),
    #[error("there is no widget {} in the list", quoted(.0))]
    Unlisted(String),
    #[error("widget {number} does not take `{}`, only {}", .way.name(), names(.takes))]
    Refused { number: u32, way: Interaction, takes: Vec<Interaction> },
    #[error("the widget is not there any more")]
    Gone,
    #[error("`type` needs a `text`")]
    NoText,
    #[error("it has no member `meets_expectations` that is true or false")]
    NoOpinion,
    #[error("it has none of the members `function`, `new_function` and `finished`")]
    NoRemark,
}

fn names(ways: &[Interaction]) -> String {
    ways.iter().map(|way| way.name()).collect::<Vec<_>>().join(", ")
}
