//! The lab's state as a viewer sees it.

use serde::{Deserialize, Serialize};

use super::ModelView;
use crate::gui::LayoutHash;
use crate::record::{BlobHash, Confirmation, FindingId, FindingState, Progress, SessionId, Slot, Technique};

/// Everything that changes all the time; sent whole, latest wins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabView {
    /// The host's name, or `demo`.
    pub name: String,
    pub devices: Vec<DeviceView>,
    pub sessions: Vec<SessionView>,
    /// Findings of the sessions shown.
    pub findings: u64,
    /// Raised whenever a finding is new or changed.
    pub findings_version: u64,
    /// Lines in the lab's log so far.
    pub log_lines: u64,
    /// Warnings and errors among them.
    pub log_alarms: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceView {
    pub serial: String,
    pub model: String,
    pub android: String,
    pub health: DeviceHealth,
    /// The owner of the lease.
    pub lease: Option<String>,
    pub session: Option<SessionId>,
    pub job: Option<(Slot, String)>,
    pub activity: String,
    /// Steps in each of the last 30 spans of 2 s, oldest first.
    pub steps: Vec<u16>,
    pub steps_per_minute: f32,
    /// Milliseconds since the last settled dump.
    pub dump_age_ms: Option<u64>,
    /// No new layout for many steps.
    pub stuck: bool,
    pub layout: Option<LayoutHash>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceHealth {
    Idle,
    Busy,
    /// Gone, offline or unauthorised: ADB's word.
    Away(String),
    /// Answers ADB but not what is asked of it.
    Sick(String),
    /// Found, or back after trouble, and not yet looked at.
    Unproven(String),
    /// Kept out after repeated trouble until then (milliseconds since the Unix epoch).
    Quarantined {
        why: String,
        until_ms: u64,
    },
    /// Leased by another user or host since then.
    Elsewhere {
        whose: String,
        since_ms: u64,
    },
    /// Charging, cooling down, or short of space.
    Resting(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionView {
    pub id: SessionId,
    pub technique: Technique,
    pub app: String,
    pub state: SessionState,
    /// Sessions of a higher one get devices first.
    pub priority: i32,
    pub progress: Progress,
    pub rng: u64,
    pub steps: u64,
    pub verdicts: u64,
    pub findings: u64,
    pub confirmed: u64,
    pub steps_per_minute: f32,
    /// Seconds since the start, and left by the present rate.
    pub elapsed_s: u64,
    pub left_s: Option<u64>,
    /// The last few steps, oldest first.
    pub recent: Vec<StepView>,
    pub layout: Option<LayoutHash>,
    /// Notes on dumps that lack ids or content, newest last.
    pub degraded: Vec<String>,
    pub model: ModelView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionState {
    Running,
    Paused(String),
    Stopping,
    /// It ended by itself: complete, or out of time.
    Done,
    /// Ended by a person; it can be gone on with.
    Stopped,
    Failed(String),
}

impl SessionState {
    /// It has ended, however that was.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Running | Self::Paused(_) | Self::Stopping => false,
            Self::Done | Self::Stopped | Self::Failed(_) => true,
        }
    }
}

/// A line of a session's event trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// Position in the session's log, from 0.
    pub seq: u64,
    pub slot: Slot,
    /// Test of the job, from 0, and turn of the episode, from 0.
    pub test: u16,
    pub turn: u32,
    pub device: String,
    /// What kind of job: `mine`, `seed`, `mutants`, `confirm`, `replay`.
    pub work: String,
    /// `reset`, or the event's name.
    pub event: String,
    /// The receiver in a few words.
    pub receiver: String,
    /// Inserted into a mutant.
    pub inserted: bool,
    /// `exact`, `similar 0.87`, `not found`, or why it failed.
    pub outcome: String,
    pub failed: bool,
    pub settled: bool,
    /// The layout after the step, and the one before with the widget acted on.
    pub layout: Option<LayoutHash>,
    pub before: Option<LayoutHash>,
    pub widget: Option<u32>,
    pub activity: String,
    pub in_app: bool,
    /// Headlines of crashes and ANRs.
    pub signals: Vec<String>,
    /// Of the layout after the step, also when it was taken at an earlier step.
    pub screenshot: Option<BlobHash>,
    pub at_ms: u64,
    pub took_ms: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictView {
    pub seq: u64,
    pub slot: Slot,
    pub test: u16,
    pub oracle: String,
    /// `pass`, `violation` or `inconclusive`.
    pub outcome: String,
    pub title: String,
    pub key: String,
}

/// A line of the findings list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingView {
    pub id: FindingId,
    pub rank: u32,
    pub technique: String,
    pub app: String,
    pub oracle: String,
    pub title: String,
    pub occurrences: u64,
    pub confirmation: Confirmation,
    pub state: FindingState,
    /// Causes of the hints.
    pub hints: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogView {
    pub seq: u64,
    pub at_ms: u64,
    pub level: LogLevel,
    /// Device serial or session, empty for the lab itself.
    pub source: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogLevel {
    Info,
    Warn,
    Error,
}
