//! Running a finding's tests again: replays and shrinkings that people ask for.
//!
//! In: a finding of the store. Out: the definition of a session that runs its tests again, or that session under way.
//! What such a session comes to belongs to the finding; otherwise it is a session like any other.

use super::{Lab, SessionOptions};
use droidmux_record::{Finding, FindingId, JobRun, ReplaySettings, SessionDefinition, ShrinkSettings, Test};
use droidmux_store::{Store, StoreError};
use droidmux_technique::recipe;

/// The most replays in a shrinking, not counting those of the result.
pub const ROUNDS: u32 = 500;
/// How often the result of a shrinking is replayed.
pub const TIMES: u32 = 3;

/// Why a finding cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// There is no such finding.
    #[error("there is no finding {0}: it is not in the store")]
    Unknown(FindingId),
    /// The finding's session, or its run, was removed.
    #[error("the trace of {0} is no longer in the store")]
    Gone(FindingId),
    /// The finding's evidence names no test.
    #[error("nothing is recorded that could show {0} again")]
    Nothing(FindingId),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A finding with what is needed to run it again.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The finding as it is stored.
    pub finding: Finding,
    /// That of the session it was found in, with nothing left in it to replay, shrink or step.
    pub definition: SessionDefinition,
    /// The job it was first seen in.
    pub run: JobRun,
    /// The tests that showed it.
    pub tests: Vec<Test>,
}

impl Recorded {
    /// Looks up a finding and the tests that showed it.
    ///
    /// # Errors
    /// When the finding or its trace is not in the store, or the store cannot be read.
    pub fn read(store: &Store, id: &FindingId) -> Result<Self, AgainError> {
        let finding = store.finding(id)?.ok_or_else(|| AgainError::Unknown(id.clone()))?;
        let session = store.session(id.session)?;
        let run = store.run(id.session, finding.verdict.slot)?;
        let (Some(session), Some(run)) = (session, run) else { return Err(AgainError::Gone(id.clone())) };
        let tests = recipe(&run, &finding.verdict);
        let definition = SessionDefinition { replay: None, shrink: None, step: None, ..session.definition };
        Ok(Self { finding, definition, run, tests })
    }

    /// A session that runs these tests this many times.
    pub fn replay(self, tests: Vec<Test>, times: u32) -> SessionDefinition {
        let replay = ReplaySettings { finding: self.finding.id, key: self.finding.verdict.key, times, tests };
        SessionDefinition { replay: Some(replay), ..self.definition }
    }

    /// A session that looks for the fewest events that show it. This many replays in a row, `confirm`, must show it
    /// before events are left out (1, or 2 if a replay did not show it); `times` replays confirm the result, after
    /// `rounds` at most.
    ///
    /// # Errors
    /// When there are no tests.
    pub fn shrink(
        self,
        confirm: Option<u32>,
        times: u32,
        rounds: u32,
    ) -> Result<SessionDefinition, AgainError> {
        if self.tests.is_empty() {
            return Err(AgainError::Nothing(self.finding.id));
        }
        let known = &self.finding.confirmation;
        let flaky = known.absent > 0 || known.unfaithful > 0;
        let shrink = ShrinkSettings {
            finding: self.finding.id,
            key: self.finding.verdict.key,
            tests: self.tests,
            confirm: confirm.unwrap_or(if flaky { 2 } else { 1 }),
            times,
            rounds,
        };
        Ok(SessionDefinition { shrink: Some(shrink), ..self.definition })
    }
}

/// Begins a session that replays a finding on the lab's devices.
pub(super) fn replay(lab: &Lab, id: &FindingId, times: u32) -> Result<(), AgainError> {
    let recorded = Recorded::read(&lab.store, id)?;
    let tests = recorded.tests.clone();
    if tests.is_empty() {
        return Err(AgainError::Nothing(id.clone()));
    }
    begin(lab, recorded.replay(tests, times));
    Ok(())
}

/// Begins a session that shrinks a finding on the lab's devices.
pub(super) fn shrink(lab: &Lab, id: &FindingId) -> Result<(), AgainError> {
    begin(lab, Recorded::read(&lab.store, id)?.shrink(None, TIMES, ROUNDS)?);
    Ok(())
}

/// Runs a session in the background; if it ends with an error, the lab's log says why.
fn begin(lab: &Lab, definition: SessionDefinition) {
    let (lab, rng) = (lab.clone(), rand::random());
    tokio::spawn(async move {
        let options = SessionOptions { rng, ..SessionOptions::default() };
        if let Err(error) = lab.run(definition, options).await {
            lab.hub.error("", &format!("a finding cannot be run again: {error}"));
        }
    });
}
