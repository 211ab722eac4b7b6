//! What a salvage brings, and what it cannot.

use serde::Serialize;

use crate::record::Example;
use crate::store::{Exported, Problem};

/// What is lost is listed up to here; the rest is counted.
const LISTED: usize = 1_000;

/// What could be read, and what could not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Salvaged {
    /// The archive; `None` when there is nothing to put into one.
    pub exported: Option<Exported>,
    /// The first 1,000.
    pub lost: Vec<Problem>,
    /// Further ones.
    pub more: u64,
    /// Those of the store: they belong to no session, and so into no archive.
    #[serde(skip)]
    pub examples: Vec<Example>,
}

impl Salvaged {
    /// Whether everything could be read.
    pub fn is_whole(&self) -> bool {
        self.lost.is_empty()
    }

    /// Notes what is lost.
    pub(super) fn lose(&mut self, at: impl ToString, what: impl Into<String>) {
        if self.lost.len() < LISTED {
            self.lost.push(Problem { at: at.to_string(), what: what.into() });
        } else {
            self.more += 1;
        }
    }
}
