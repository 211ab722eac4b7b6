//! The lab's state as a viewer sees it.

use serde::{Deserialize, Serialize};

use super::{HostView, ModelView, WaitingView};
use droidmux_gui::LayoutHash;
use droidmux_record::{
    BlobHash, Confirmation, FindingId, FindingState, Harm, LookTally, Progress, SessionId, Slot, Technique,
    Tier, TierCounts,
};

/// Everything that changes continuously; sent whole, the latest wins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabView {
    /// The host's name, or `demo`.
    pub name: String,
    /// Every known device, by serial.
    pub devices: Vec<DeviceView>,
    /// The hosts that the devices hang on, by name; empty where all hang on one.
    pub hosts: Vec<HostView>,
    /// Those that are running in this lab or ended in it, by number.
    pub sessions: Vec<SessionView>,
    /// The questions that wait for people, the oldest first.
    pub questions: Vec<WaitingView>,
    /// How many findings of the sessions shown there are to read.
    pub findings: TierCounts,
    /// Raised whenever a finding is new or changed.
    pub findings_version: u64,
    /// Raised whenever a step is marked, or its mark removed.
    pub bookmarks_version: u64,
    /// Raised whenever the doctor has found more.
    pub doctor_version: u64,
    /// Lines written to the lab's log so far.
    pub log_lines: u64,
    /// Its rows, with repeated lines folded.
    pub log_rows: u64,
    /// Warnings and errors among them.
    pub log_alarms: u64,
    /// Raised whenever the recorder has something new to show; 0 before the first recording.
    pub recorder: u64,
    /// People's viewers at the lab server, including this one; 0 if the lab has no server.
    pub viewers: u32,
}

/// A row of the devices pane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceView {
    /// As the ADB server lists it; `SERIAL@HOST` where there are several.
    pub serial: String,
    /// The host that it hangs on, one of [`LabView::hosts`]; `None` where all hang on one.
    pub host: Option<String>,
    /// `ro.product.model`; empty until the device was described.
    pub model: String,
    /// The Android release, e.g. `13`; empty until the device was described.
    pub android: String,
    /// Whether it can be used, and why not.
    pub health: DeviceHealth,
    /// The owner of the lease.
    pub lease: Option<String>,
    /// The session of this lab that has it leased.
    pub session: Option<SessionId>,
    /// The job under way: its slot and its kind, as in [`StepView::work`]; `None` between jobs.
    pub job: Option<(Slot, String)>,
    /// The focused activity after the last step, its full class name; empty before the first one.
    pub activity: String,
    /// Steps in each of the last 30 spans of 2 s, oldest first.
    pub steps: Vec<u16>,
    /// Over the last minute.
    pub steps_per_minute: f32,
    /// Milliseconds since the last settled dump.
    pub dump_age_ms: Option<u64>,
    /// No new layout for many steps.
    pub stuck: bool,
    /// What sessions do without on it, in two or three words each, e.g. `no log`.
    pub lacks: Vec<String>,
    /// The screenshot after the last step that led to one.
    pub layout: Option<LayoutHash>,
}

/// What a device can be used for at this moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceHealth {
    /// Leased by nobody.
    Idle,
    /// Leased by a session of this lab.
    Busy,
    /// Gone, offline or unauthorised: ADB's word.
    Away(String),
    /// Answers ADB, but not the requests made of it.
    Sick(String),
    /// Found, or back after trouble, and not yet checked.
    Unproven(String),
    /// Excluded for a time after repeated trouble.
    Quarantined {
        /// Its most recent trouble.
        why: String,
        /// In milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// Leased by another user or host.
    Elsewhere {
        /// The holder, as named in the note on the device.
        whose: String,
        /// In milliseconds since the Unix epoch.
        since_ms: u64,
    },
    /// Charging, cooling down, or short of space.
    Resting(String),
}

/// A row of the sessions pane, with what its details show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionView {
    /// The store's number for it.
    pub id: SessionId,
    /// Which technique plans, drives and judges.
    pub technique: Technique,
    /// Package of the app under test.
    pub app: String,
    /// Whether it is running.
    pub state: SessionState,
    /// It ended before it was finished, so that it can be continued.
    pub resumable: bool,
    /// Sessions with a higher priority get devices first.
    pub priority: i32,
    /// As the planner last reported it.
    pub progress: Progress,
    /// What looking at screens cost, and how often a swift look was premature.
    pub looks: LookTally,
    /// The RNG seed that the session was started with.
    pub rng: u64,
    /// Steps in its log so far; the next one has this sequence number.
    pub steps: u64,
    /// Verdicts so far; the next one has this sequence number.
    pub verdicts: u64,
    /// How many of its findings there are to read so far.
    pub findings: TierCounts,
    /// Over the last half minute.
    pub steps_per_minute: f32,
    /// Seconds under way, including times before a restart.
    pub elapsed_s: u64,
    /// Seconds left until a budget is used up, at the present rate and at the latest when the time is over; `None`
    /// while nothing can be said, or when it has ended.
    pub left_s: Option<u64>,
    /// What it may use, events first.
    pub budgets: Vec<BudgetView>,
    /// The last few steps, oldest first.
    pub recent: Vec<StepView>,
    /// The screenshot after the newest step that led to one.
    pub layout: Option<LayoutHash>,
    /// Notes on dumps that lack ids or content, newest last.
    pub degraded: Vec<String>,
    /// Its language model: who answers, what was spent.
    pub model: ModelView,
    /// The number of the question that waits for an order, if a person leads its test.
    pub asks: Option<u32>,
}

/// A budget of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetView {
    /// What is counted.
    pub of: BudgetKind,
    /// So far.
    pub used: u64,
    /// The limit; above 0.
    pub limit: u64,
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetKind {
    /// Events performed.
    Events,
    /// Seconds under way.
    Time,
    /// Questions to a language model.
    Questions,
    /// Tokens of prompts and replies.
    Tokens,
    /// Millionths of the currency the prices are in.
    Money,
}

/// Whether a session is running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionState {
    /// Its jobs are being given to devices.
    Running,
    /// Why: a person's pause, or what it waits for.
    Paused(String),
    /// Asked to end; acts under way are completed.
    Stopping,
    /// It ended by itself: complete, or out of time.
    Done,
    /// Ended by a person.
    Stopped,
    /// It failed, or achieved nothing, and why.
    Failed(String),
}

impl SessionState {
    /// It has ended, in whatever way.
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
    /// The job that the step belongs to.
    pub slot: Slot,
    /// Test of the job, from 0.
    pub test: u16,
    /// Turn of the episode, from 0.
    pub turn: u32,
    /// Serial of the device that performed it.
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
    /// The act could not be done; there is no layout after it in that case.
    pub failed: bool,
    /// False when no two dumps in a row were equal.
    pub settled: bool,
    /// The layout after the step; `None` when it failed.
    pub layout: Option<LayoutHash>,
    /// The layout it acted on; `None` for the first step of a job.
    pub before: Option<LayoutHash>,
    /// Number of the widget acted on, on `before`; `None` for events without a receiver.
    pub widget: Option<u32>,
    /// Full class name of the focused activity after the step; empty when it failed.
    pub activity: String,
    /// Whether the app under test was in front after the step.
    pub in_app: bool,
    /// Headlines of crashes and ANRs.
    pub signals: Vec<String>,
    /// What a toast said.
    pub toast: Option<String>,
    /// Of the layout after the step, even if it was taken at an earlier step.
    pub screenshot: Option<BlobHash>,
    /// When the act began, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Milliseconds for act and observation.
    pub took_ms: u32,
}

/// A line of a session's verdicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictView {
    /// Position among the session's verdicts, from 0.
    pub seq: u64,
    /// The job that was judged.
    pub slot: Slot,
    /// Test of the job, from 0.
    pub test: u16,
    /// The oracle that spoke: `genie`, `crash`.
    pub oracle: String,
    /// `pass`, `violation` or `inconclusive`.
    pub outcome: String,
    /// One line for a person.
    pub title: String,
    /// The canonical key of a violation; empty for other outcomes.
    pub key: String,
}

/// A line of the findings list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingView {
    /// Names the finding in requests.
    pub id: FindingId,
    /// Among the findings of its session, 1 is the first to read.
    pub rank: u32,
    /// How far it can be believed.
    pub tier: Tier,
    /// What it does to a person who encounters it.
    pub harm: Harm,
    /// Its explanation, in the words shared by all findings with the same one; empty unless it is explained.
    pub explanation: String,
    /// The finding that stands for it; its own id if it stands for itself.
    pub cluster: FindingId,
    /// How many others it stands for.
    pub members: u64,
    /// The technique of its session: `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
    /// The oracle that called it a violation.
    pub oracle: String,
    /// That of its first verdict.
    pub title: String,
    /// How often it was seen, replays not counted.
    pub occurrences: u64,
    /// The results of fresh replays so far.
    pub confirmation: Confirmation,
    /// What a person says about it.
    pub state: FindingState,
    /// Causes of the hints.
    pub hints: Vec<String>,
    /// A person's words about it.
    pub note: String,
    /// The finding that its session ran again; `None` if the session searched for findings.
    pub replays: Option<FindingId>,
}

/// A line of the lab's own log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogView {
    /// Position in the log, from 0.
    pub seq: u64,
    /// In milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// How much it matters.
    pub level: LogLevel,
    /// Device serial, host or session, empty for the lab itself.
    pub source: String,
    /// One line, as it was logged: made printable only where it is drawn.
    pub text: String,
}

/// How much a line of the log matters; warnings and errors are incidents, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LogLevel {
    /// What the lab does in the ordinary course.
    Info,
    /// Something is wrong, but the lab continues.
    Warn,
    /// Something has ended because of it.
    Error,
}
