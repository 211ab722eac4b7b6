//! A finding with what is known of it beside what people see: its replays under way, its test, its experiments.

use std::collections::BTreeSet;

use crate::tier::prospect;
use droidmux_record::{Bearing, Evidence, Experiment, Finding, Harm, Hint, Slot, Tier, Verdict};

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) finding: Finding,
    /// Counted from 0 in the order of first sight.
    pub(super) order: usize,
    /// Replays planned, finished or not.
    pub(super) planned: u32,
    /// Events to run to see it again, as far as known.
    pub(super) length: Option<u64>,
    /// The steps that set it off, by their jobs and turns, of the first occurrences.
    pub(super) steps: BTreeSet<(Slot, u32)>,
    /// The form of its shrunk test.
    pub(super) shape: Option<String>,
    /// It was given more replays, since too few showed it.
    pub(super) is_prolonged: bool,
    /// The results of experiments on a device.
    pub(super) experiments: Vec<Experiment>,
    /// What the counts of its claim say; `None` where it rests on none.
    pub(super) support: Option<Experiment>,
}

impl Entry {
    /// Another violation stands for the finding, which keeps its name.
    pub(super) fn stand(&mut self, verdict: &Verdict) {
        let key = std::mem::take(&mut self.finding.verdict.key);
        self.finding.verdict = Verdict { key, ..verdict.clone() };
    }

    /// What was too slight alone no longer is where another violation of the finding, which could be reported, is not: an
    /// order of events is no reason to doubt it.
    pub(super) fn strengthen(&mut self, other: &Verdict) {
        let is_firm = matches!(&other.evidence, Evidence::Broken(broken) if !broken.slight);
        if let Evidence::Broken(broken) = &mut self.finding.verdict.evidence
            && is_firm
            && prospect(other) == Tier::Reported
        {
            broken.slight = false;
        }
    }

    /// The Detector says so.
    pub(super) fn is_mismatch(&self) -> bool {
        matches!(self.finding.verdict.evidence, Evidence::Mismatch(_))
    }

    /// True when one more replay, besides those under way, may settle the finding.
    pub(super) fn wants_replay(&self) -> bool {
        let c = &self.finding.confirmation;
        let under_way = self.planned.saturating_sub(c.shown + c.absent + c.unfaithful);
        self.is_open() && self.planned < c.of && c.shown + under_way < c.needed
    }

    /// Replays may still change it: not what is explained, nor what rests on a claim that held too seldom.
    pub(super) fn is_open(&self) -> bool {
        let doubted = |support: &Experiment| support.bearing == Bearing::Doubts;
        !self.finding.confirmation.is_settled()
            && self.prospect() != Tier::Explained
            && !self.support.as_ref().is_some_and(doubted)
    }

    /// Its place among the findings of its tier.
    pub(super) fn rank(&self) -> (Harm, u8, u64, u64, usize) {
        let confirmation = &self.finding.confirmation;
        let class = match (confirmation.is_confirmed(), confirmation.is_settled()) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        };
        let length = self.length.unwrap_or(u64::MAX);
        (self.finding.verdict.harm, class, length, self.finding.occurrences, self.order)
    }

    /// The tier it has if replays confirm it.
    pub(super) fn prospect(&self) -> Tier {
        if self.support.as_ref().is_some_and(Experiment::excuses) {
            return Tier::Explained;
        }
        prospect(&self.finding.verdict)
    }

    /// What violations with one likely cause have in common; `None` if it stands for itself.
    pub(super) fn cluster(&self) -> Option<&str> {
        Some(self.finding.verdict.cluster.as_str()).filter(|cluster| !cluster.is_empty())
    }

    /// The form of its shrunk test; of crashes the place in the app says more, for one step may set off several.
    pub(super) fn shape(&self) -> Option<&str> {
        self.shape.as_deref().filter(|_| !matches!(self.finding.verdict.evidence, Evidence::Signal { .. }))
    }

    pub(super) fn replay_hints(&self) -> Vec<Hint> {
        let c = &self.finding.confirmation;
        let run = c.shown + c.absent + c.unfaithful;
        let mut hints = Vec::new();
        if c.absent > 0 {
            let detail = format!("{} of {run} fresh replays did not show it", c.absent);
            hints.push(Hint { cause: "flaky".into(), detail });
        }
        if c.unfaithful > 0 {
            let detail = format!("{} of {run} fresh replays could not follow the recording", c.unfaithful);
            hints.push(Hint { cause: "unfaithful".into(), detail });
        }
        hints
    }
}
