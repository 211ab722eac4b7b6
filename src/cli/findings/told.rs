//! A finding as it is presented, in one line or as JSON.

use std::collections::BTreeSet;

use crate::finding_json::{FindingJson, LaterJson, ShrunkJson};
use crate::headless::finding_line;
use droidmux_record::{Finding, FindingId, Shrunk};

/// A finding and what happened to it later.
pub(super) struct Told {
    pub(super) finding: Finding,
    /// What it was shrunk to.
    pub(super) shrunk: Option<Shrunk>,
    /// The oracles besides its own that say the same.
    pub(super) agrees: BTreeSet<String>,
    /// How many others it stands for.
    pub(super) members: u64,
    /// The findings that it stands for, with their sentences, if it is shown in full.
    pub(super) others: Vec<(FindingId, String)>,
}

impl Told {
    pub(super) fn json(&self) -> FindingJson<'_> {
        let shrunk = self.shrunk.as_ref().map(ShrunkJson::of);
        let later = LaterJson { members: self.members, agrees: &self.agrees, shrunk };
        FindingJson::of(&self.finding, &self.finding.app).with(later)
    }

    pub(super) fn line(&self) -> String {
        let shrunk = self.shrunk.as_ref().map(|s| format!("  shrunk from {} to {} events", s.from, s.to));
        let agrees: Vec<&str> = self.agrees.iter().map(String::as_str).collect();
        let agrees = match agrees.is_empty() {
            true => String::new(),
            false => format!("  agrees: {}", agrees.join(", ")),
        };
        finding_line(&self.finding, self.members) + &agrees + &shrunk.unwrap_or_default()
    }
}
