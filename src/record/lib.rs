//! Everything that is recorded, as plain data.
//!
//! In: nothing; the other modules fill these types. Out: what planners, drivers, oracles, the
//! store, the lab and the viewers exchange. Every type here serialises to postcard (store,
//! frames) and JSON (reports).
//!
//! Invariants: no behaviour that decides anything; nothing here holds a layout, only its hash,
//! so a million turns stay small; layouts are looked up through [`Layouts`].

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod app_place;
mod bookmark;
mod broken;
mod consultation;
mod deviation;
mod dmf;
mod errand;
mod example;
mod finding;
mod generation;
mod handling;
mod hosts_choice;
mod ids;
mod incident;
mod job;
mod json;
mod lab_servers;
mod lab_written;
mod llm_settings;
mod look_tally;
mod mistreatment;
mod neutral_insertion;
mod phase;
mod picture;
mod progress;
mod question;
mod reach;
mod recheck;
mod reset_choice;
mod rule;
mod screen;
mod server_name;
mod session;
mod session_record;
mod session_stored;
mod setting;
mod settings;
mod settings_kind;
mod settling;
mod shrunk;
mod signal;
mod spent;
mod start_at;
mod step_place;
mod stepping;
mod suspected;
mod technique;
mod tier;
mod tour;
mod trace;
mod turn;
mod uses;
mod verdict;

use std::sync::Arc;

pub use app_place::AppPlace;
pub use bookmark::Bookmark;
pub use broken::{Broken, Claim, Held, Threshold};
pub use consultation::{Answer, Comparison, Consultation};
pub use deviation::{Abstraction, Conduct, Deviation, Expected, Fingerprint, FrontLayout, Source};
pub use dmf::{
    Breach, Call, CallNote, CallStep, Condition, Dmf, DmfAction, DmfEvent, DmfWidget, Impact, KeyView,
    Operation, Operator, Relation, Specification, text_source,
};
pub use errand::{Errand, ErrandContent};
pub use example::{BugExample, Example, ExampleKind, InputExample, Recall};
pub use finding::{Confirmation, Finding, FindingState, TierCounts};
pub use generation::{Expectation, Foretold, Generated, Generation, GeneratorFailure};
pub use handling::Handling;
pub use hosts_choice::HostsChoice;
pub use ids::{BlobHash, ExampleId, FindingId, JobId, MaskId, NoId, SessionId, Slot};
pub use incident::{Incident, IncidentKind};
pub use job::{
    Batch, Choice, Explore, Goal, Handled, Insertion, Job, Manifest, Purpose, Role, Test, Texts, Work,
    events_of,
};
pub use lab_servers::is_called;
pub use llm_settings::{Budget, LlmMode, LlmSettings, Provider, ReplyStyle, Vectors};
pub use look_tally::{ActivityLooks, LookTally};
pub use mistreatment::{Mistreated, Mistreatment, told};
pub use neutral_insertion::NeutralInsertion;
pub use phase::Phase;
pub use picture::{Frame, Mark, Picture};
pub use progress::{Cuts, DmfTally, FormTally, Funnel, FunnelStage, Progress, Strays, Tally, TourTally};
pub use question::{Agent, Exchange, NoReply, Part, Question, Reply, Unanswered};
pub use reach::PermissionAnswer;
pub use recheck::{Objection, Recheck, RecheckOracle, TracePlace};
pub use reset_choice::ResetChoice;
pub use rule::IgnoreRule;
pub use screen::{AppBuild, DeviceInfo, Screen};
pub use server_name::{ADB_PORT, NamedTwice, NoServerName, ServerName, SshPlace, name_at, split_name};
pub use session::*;
pub use session_record::{Resumption, SessionRecord, SimTerms, Terms};
pub use setting::{Setting, SettingComplaint, Takes, not_fewer, out_of_range, outside};
pub use settings::{NamedFile, ReadNamed, Settings, SettingsContent};
pub use settings_kind::SettingsKind;
pub use settling::{Settling, SettlingChoice};
pub use shrunk::{ShrinkEnding, ShrinkSettings, Shrunk, events_told, telling_tests};
pub use signal::{Signal, SignalKind, is_frame_of};
pub use spent::Spent;
pub use start_at::{StartAt, StartAtError};
pub use step_place::StepPlace;
pub use stepping::{StepOrder, StepQuestion, StepSettings, Stepping};
pub use suspected::{ScreenCheck, Suspected};
pub use technique::{NoTechniqueName, Technique};
pub use tier::{Bearing, Experiment, ExperimentKind, Harm, Tier, TurnPlace};
pub use tour::{Mismatch, Stretch};
pub use trace::{JobRun, Step, Trace};
pub use turn::{Act, Ending, Failure, KEYBOARD_CLOSED, Observation, Seen, SetupReport, Turn};
pub use uses::Use;
pub use verdict::{
    EffectKind, Evidence, Fidelity, Hint, Judgement, Mask, MaskEdit, Outcome, UnmatchedEffect, Verdict,
    WidgetNote,
};

use droidmux_gui::{Layout, LayoutHash};

/// Read-only look-up of layouts by hash: the store, or a map in tests.
pub trait Layouts: Send + Sync {
    /// The layout of this hash; `None` when it is unknown or unreadable.
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>>;
}
