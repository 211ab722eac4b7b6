//! The table of relations: the one place that knows all of them.

use super::Relation;
use super::anatomy::ANATOMY;
use super::conservation::CONSERVATION;
use super::controls::CONTROLS;
use super::dead_end::DEAD_END;
use super::freshness::FRESHNESS;
use super::loading::LOADING;
use super::locality::LOCALITY;
use super::relaunch::RELAUNCH;
use super::removal::REMOVAL;
use super::response::RESPONSE;
use super::round_trip::NEUTRAL;
use super::row_page::VIEW;
use super::saving::SAVING;
use super::search_field::SEARCH;
use super::swap::SWAP;
use super::undo::UNDO;
use super::wording::WORDING;

/// All relations, in the order in which people read about them.
static TABLE: [&Relation; 17] = [
    &UNDO,
    &CONSERVATION,
    &VIEW,
    &LOCALITY,
    &RELAUNCH,
    &SEARCH,
    &CONTROLS,
    &LOADING,
    &ANATOMY,
    &SWAP,
    &REMOVAL,
    &SAVING,
    &FRESHNESS,
    &NEUTRAL,
    &RESPONSE,
    &DEAD_END,
    &WORDING,
];

/// The names of all relations.
pub fn names() -> Vec<&'static str> {
    TABLE.iter().map(|relation| relation.name).collect()
}

/// Whether a relation of this name holds the pictures of two screens of one layout against each other.
pub fn compares_pictures(relation: &str) -> bool {
    [RESPONSE.name, DEAD_END.name].contains(&relation)
}

/// What is wrong with a choice of relations, if a name in it belongs to none.
pub fn unknown(chosen: &[String]) -> Option<String> {
    let name = chosen.iter().find(|name| !names().contains(&name.as_str()))?;
    let known: Vec<String> = names().iter().map(|name| format!("`{name}`")).collect();
    Some(format!("there is no relation `{name}`, only {}", known.join(", ")))
}

/// The relations of these names; all of them for `None`.
pub fn chosen(names: Option<&[String]>) -> Vec<&'static Relation> {
    let wanted =
        |relation: &&&Relation| names.is_none_or(|names| names.iter().any(|name| name == relation.name));
    TABLE.iter().filter(wanted).copied().collect()
}
