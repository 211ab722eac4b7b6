//! What a salvage recovers, and what it cannot.

use serde::Serialize;

use crate::{Exported, Problem};
use droidmux_record::Example;

/// How many losses are listed; the rest is counted.
const LISTED: usize = 1_000;

/// What could be read, and what could not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "salvaged"))]
pub struct Salvaged {
    /// The archive; `None` when there is nothing to put into one.
    pub exported: Option<Exported>,
    /// The first 1,000.
    pub lost: Vec<Problem>,
    /// The number of further ones.
    pub more: u64,
    /// The store's examples: they belong to no session, and so go into no archive.
    #[serde(skip)]
    pub examples: Vec<Example>,
}

impl Salvaged {
    /// Whether everything could be read.
    pub fn is_whole(&self) -> bool {
        self.lost.is_empty()
    }

    /// Records something lost.
    pub(super) fn lose(&mut self, at: impl ToString, what: impl ToString) {
        if self.lost.len() < LISTED {
            self.lost.push(Problem { at: at.to_string(), what: what.to_string() });
        } else {
            self.more += 1;
        }
    }
}
