//! Replays of one finding in a session of its own.

use super::findings::{Findings, Replay};
use droidmux_record::{Confirmation, Finding, FindingId, JobRun, Judgement, Test};

/// A finding of another session that is replayed in this one: once it shows, a finding of this
/// session stands for it and counts all its replays.
#[derive(Clone, Debug)]
pub struct Reshown {
    findings: Findings,
    /// The canonical key of its violation.
    key: String,
    /// The finding that stands for it.
    stands: Option<FindingId>,
    /// Replays that came before it first showed.
    earlier: Vec<Replay>,
}

impl Reshown {
    pub fn new(findings: Findings, key: &str) -> Self {
        Self { findings, key: key.to_owned(), stands: None, earlier: Vec::new() }
    }

    /// Counts a replay of these tests.
    pub fn absorb(&mut self, tests: &[Test], run: &JobRun, judgement: &Judgement) {
        let shown = judgement.violations_of(&self.key).next();
        if self.stands.is_none()
            && let Some(verdict) = shown
        {
            self.stands = self.findings.add(run.job.slot, verdict);
            for replay in std::mem::take(&mut self.earlier) {
                self.count(replay);
            }
        }
        self.count(Replay::read(&self.key, tests, run, judgement));
    }

    /// The finding that stands for it, if it showed.
    pub fn findings(&self) -> Vec<Finding> {
        self.findings.ranked()
    }

    /// What the replays showed so far.
    pub fn confirmation(&self) -> Confirmation {
        if let Some(finding) = self.stands.as_ref().and_then(|id| self.findings.get(id)) {
            return finding.confirmation;
        }
        let mut confirmation = self.findings.unconfirmed();
        self.earlier.iter().for_each(|replay| replay.count_in(&mut confirmation));
        confirmation
    }

    fn count(&mut self, replay: Replay) {
        match &self.stands {
            Some(id) => drop(self.findings.replayed(id, replay)),
            None => self.earlier.push(replay),
        }
    }
}
