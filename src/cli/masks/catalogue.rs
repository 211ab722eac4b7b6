//! All masks of a session: those the oracle found, and what people changed.

use std::collections::BTreeMap;

use serde::Serialize;

use droidmux_record::{Mask, MaskId, SessionId};
use droidmux_store::{Store, StoreError};

pub(super) struct Catalogue {
    pub(super) session: SessionId,
    entries: BTreeMap<MaskId, Entry>,
}

/// One mask.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    /// `m1a2b3c4d`
    pub(super) id: String,
    pub(super) state: State,
    /// How many jobs it was found in.
    pub(super) jobs: u64,
    #[serde(flatten)]
    pub(super) mask: Mask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// By the oracle; it holds.
    Found,
    /// By a person; it holds.
    Added,
    /// Taken away by a person.
    Removed,
}

impl Catalogue {
    /// Reads the session's judgements one by one, then people's edits.
    pub(super) fn read(store: &Store, session: SessionId) -> Result<Self, StoreError> {
        let mut entries = BTreeMap::new();
        for job in store.jobs(session) {
            let Some(judgement) = store.judgement(session, job?.slot)? else { continue };
            for mask in judgement.masks {
                let entry = entries.entry(mask.id()).or_insert_with(|| Entry::new(mask, State::Found));
                entry.jobs += 1;
            }
        }
        for edit in store.mask_edits(session)? {
            let state = if edit.masked { State::Added } else { State::Removed };
            let entry = entries.entry(edit.mask.id()).or_insert_with(|| Entry::new(edit.mask, state));
            entry.state = state;
        }
        Ok(Self { session, entries })
    }

    /// By activity and widget.
    pub(super) fn masks(&self) -> Vec<&Entry> {
        let mut all: Vec<&Entry> = self.entries.values().collect();
        all.sort_by(|a, b| a.mask.cmp(&b.mask));
        all
    }

    /// The masks with this id, or on widgets with this path.
    pub(super) fn named(&self, name: &str) -> Vec<&Entry> {
        self.masks().into_iter().filter(|entry| entry.id == name || entry.mask.path == name).collect()
    }
}

impl Entry {
    fn new(mask: Mask, state: State) -> Self {
        Self { id: mask.id().to_string(), state, jobs: 0, mask }
    }
}
