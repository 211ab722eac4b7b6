//! A session as its store records it.

use serde::{Deserialize, Serialize};

use super::{JobId, SessionDefinition};

/// What a session was started with and how it ended: together with its jobs, turns and judgements, this is all that is
/// needed to rebuild it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// The session file with all defaults filled in.
    pub definition: SessionDefinition,
    /// The RNG seed.
    pub rng: u64,
    /// The planner's version: another version may plan other jobs, so a restart under it is refused.
    pub planner_version: u32,
    /// Jobs of other sessions whose traces the planner used before its first job, in that order. They stay in the store
    /// as long as this session does.
    pub inputs: Vec<JobId>,
    /// What it was given in addition to its definition.
    pub terms: Terms,
    /// The version of droidmux that started the session.
    pub droidmux: String,
    /// Milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// Each time it was continued after an interruption, oldest first.
    pub resumed: Vec<Resumption>,
    /// `None` while it runs, and after a crash.
    pub ended_ms: Option<u64>,
    /// Why it ended, for a person; `None` as long as `ended_ms` is.
    pub ending: Option<String>,
    /// It ended by itself: there is nothing to continue.
    pub over: bool,
}

/// What a session was given in addition to its definition: kept, so that it can continue without being given it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The most devices leased; 0 for all that are available.
    pub most_devices: u32,
    /// When it stops planning, in milliseconds since the Unix epoch, if the budget lasts longer.
    pub until_ms: Option<u64>,
    /// How the simulated lab is built, for sessions that bring one.
    pub sim: SimTerms,
}

/// What a simulated lab consists of besides its number of devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimTerms {
    /// Nothing volatile in its apps.
    pub steady: bool,
    /// The defects that are on: `all`, `none`, or ids separated by commas.
    pub defects: String,
}

/// A record that a session was continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumption {
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// How long nothing had been recorded before, in milliseconds.
    pub idle_ms: u64,
    /// A person accepted that the builds of the app and of the devices differ from before.
    pub accepted_builds: bool,
}

impl SessionRecord {
    /// The planner's version of a session that no planner can retrace: its traces were imported, or only some of its
    /// jobs are there.
    pub const IMPORTED: u32 = 0;

    /// The record of a session that begins at this moment (milliseconds since the Unix epoch) under this version of its
    /// planner.
    pub fn begun(definition: SessionDefinition, rng: u64, planner_version: u32, started_ms: u64) -> Self {
        Self {
            definition,
            rng,
            planner_version,
            inputs: Vec::new(),
            terms: Terms::default(),
            droidmux: env!("CARGO_PKG_VERSION").into(),
            started_ms,
            resumed: Vec::new(),
            ended_ms: None,
            ending: None,
            over: false,
        }
    }

    /// How long it had been under way when it last recorded something, as of this moment (milliseconds since the Unix
    /// epoch): the times between interruptions and resumptions are left out.
    pub fn under_way_ms(&self, last_ms: u64) -> u64 {
        let idle: u64 = self.resumed.iter().map(|resumption| resumption.idle_ms).sum();
        last_ms.saturating_sub(self.started_ms).saturating_sub(idle)
    }
}

impl Default for SimTerms {
    fn default() -> Self {
        Self { steady: false, defects: "all".into() }
    }
}
