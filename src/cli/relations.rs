//! A choice of relations on the command line.

use droidmux_record::SessionDefinition;
use droidmux_technique::relation::unknown;

/// A choice of relations, as session definitions hold it.
#[derive(Clone, Debug)]
pub(super) struct Relations(Option<Vec<String>>);

/// Reads `undo,search`, `all` or `none`.
pub(super) fn relations(text: &str) -> Result<Relations, String> {
    let chosen = match text {
        "all" => None,
        "none" => Some(Vec::new()),
        names => Some(names.split(',').map(|name| name.trim().to_owned()).collect()),
    };
    match chosen.as_deref().and_then(unknown) {
        Some(what) => Err(what),
        None => Ok(Relations(chosen)),
    }
}

impl Relations {
    /// Makes these the relations that a session's traces are judged by.
    pub(super) fn choose(self, definition: &mut SessionDefinition) {
        definition.run.relations = self.0;
    }
}
