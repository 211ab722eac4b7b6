//! A choice of relations on the command line.

use thiserror::Error;

use droidmux_record::SessionDefinition;
use droidmux_technique::relation::unknown;

/// A choice of relations, as session definitions hold it.
#[derive(Clone, Debug)]
pub(super) struct Relations(Option<Vec<String>>);

/// A name that no relation has: says which there are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub(super) struct UnknownRelation {
    what: String,
}

/// Reads `undo,search`, `all` or `none`.
pub(super) fn relations(text: &str) -> Result<Relations, UnknownRelation> {
    let chosen = match text {
        "all" => None,
        "none" => Some(Vec::new()),
        names => Some(names.split(',').map(|name| name.trim().to_owned()).collect()),
    };
    match chosen.as_deref().and_then(unknown) {
        Some(what) => Err(UnknownRelation { what }),
        None => Ok(Relations(chosen)),
    }
}

impl Relations {
    /// None of them.
    pub(super) fn none() -> Self {
        Self(Some(Vec::new()))
    }

    /// Makes these the relations that a session's traces are judged by.
    pub(super) fn choose(self, definition: &mut SessionDefinition) {
        definition.run.relations = self.0;
    }
}
