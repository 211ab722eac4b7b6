//! All examples: those that ship and those of a store.

use std::collections::BTreeMap;

use crate::Usage;
use droidmux_llm::library::starter;
use droidmux_record::{Example, ExampleId};
use droidmux_store::{Store, StoreError};

pub(super) struct Catalogue {
    entries: BTreeMap<ExampleId, Entry>,
}

pub(super) struct Entry {
    pub(super) example: Example,
    /// The example is in the store, and can be changed.
    pub(super) is_stored: bool,
}

impl Catalogue {
    pub(super) fn read(store: &Store) -> Result<Self, StoreError> {
        let ships = starter().into_iter().map(|example| Entry { example, is_stored: false });
        let mut entries: BTreeMap<_, _> = ships.map(|entry| (entry.example.id(), entry)).collect();
        for example in store.examples(None) {
            let example = example?;
            entries.insert(example.id(), Entry { example, is_stored: true });
        }
        Ok(Self { entries })
    }

    /// Sorted by kind, app and content.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        let mut all: Vec<&Entry> = self.entries.values().collect();
        all.sort_by(|a, b| a.example.cmp(&b.example));
        all.into_iter()
    }

    /// The example with this name, as shown in the list.
    pub(super) fn named(&self, name: &str) -> Result<&Entry, Usage> {
        let mut found = self.entries.iter().filter(|(id, _)| id.to_string() == name).map(|(_, entry)| entry);
        match (found.next(), found.next()) {
            (Some(entry), None) => Ok(entry),
            (Some(_), Some(_)) => Err(Usage::new(format!("several examples are called `{name}`"))),
            (None, _) => Err(Usage::new(format!("there is no example `{name}`"))
                .hint("`droidmux examples list` lists them")),
        }
    }

    /// [`Catalogue::named`], if it can be changed.
    pub(super) fn stored(&self, name: &str) -> Result<&Entry, Usage> {
        let entry = self.named(name)?;
        if entry.is_stored {
            return Ok(entry);
        }
        Err(Usage::new(format!(
            "example `{name}` ships with droidmux; only those of the store can be changed"
        )))
    }
}
