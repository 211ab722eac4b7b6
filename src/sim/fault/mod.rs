//! Faults: what goes wrong on real phones and between them and a host.
//!
//! In: rules that say what goes wrong, on which devices and at which of a device's requests. Out: the
//! faults that strike, each written to the lab's list with the number and the seed it was drawn from.
//!
//! Invariants: a rule is asked at *occasions* (requests, dumps and agent's calls of a device, commands that a
//! rule names, connections to the server), never by a clock, and draws from seed, rule, device and the occasion's number alone: the
//! same plan and the same requests give the same faults.

use std::time::Duration;

use super::LinkState;
use super::phone::{Condition, End};

mod active;
mod log;
mod refusal;
mod rule;
mod stream;

pub(super) use active::{Faults, Struck};
pub(super) use log::FaultLog;
pub use log::Injected;
pub use refusal::Refusal;
pub use rule::{FaultPlan, FaultRule, Occasion};
pub(super) use stream::{Trouble, garbage};

/// Something that goes wrong on a simulated device, or at the server that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Every request is first delayed by this long.
    Slow(Duration),
    /// Every request is first delayed by up to this long, by a different time each time.
    Jitter(Duration),
    /// The request's stream ends after this many bytes; the device stays.
    Drop(usize),
    /// The device is unplugged after this many more bytes of shell or file output.
    LoseAfter(usize),
    /// The service is opened and never says anything.
    HalfOpen,
    /// This many random bytes come instead of the service's own, then the stream ends.
    Garbage(usize),
    /// No two dumps are equal.
    DumpNeverSettles,
    /// `uiautomator dump` prints its success line and writes nothing: an old file stays.
    DumpWithoutFile,
    /// The dump is that of the previously dumped screen.
    DumpStale,
    /// `ERROR: null root node returned by UiTestAutomationBridge.`, exit code 0.
    DumpNullRoot,
    /// `ERROR: could not get idle state.`, exit code 0.
    DumpNoIdle,
    /// The dump process is killed: `Killed`, exit code 137.
    DumpKilled,
    /// Only this many bytes of the dump reach the file.
    DumpCut(usize),
    /// This many bytes of the dump are altered.
    DumpGarbled(usize),
    /// The resident agent's process ends at a call, which is never answered.
    AgentDies,
    /// The resident agent first takes this long over a call.
    AgentSlow(Duration),
    /// The resident agent does not have this method; `name/3` stands for its form with three parameters.
    AgentLacks(String),
    /// The resident agent says at once that the screen rests and that no window changed.
    AgentLies,
    /// Nothing can be written any more: `No space left on device`.
    DiskFull,
    /// This package is not installed.
    AppMissing(String),
    /// The shell may not run a command: it ends with words instead.
    Refuses(Refusal),
    /// Every open shell ends with code 137, along with whatever runs in it.
    KillShell,
    /// Every stream of the device ends; it is back a moment later, its apps as they were.
    KillAdbd,
    /// The device is gone for `away`, then back with its apps' data and without their processes;
    /// for `boot` more it answers ADB and shows nothing.
    Reboot {
        /// How long the server does not see it.
        away: Duration,
        /// How long it shows nothing afterwards.
        boot: Duration,
    },
    /// The server sees the device in another state.
    Link {
        /// As the server's list of devices shows it.
        state: LinkState,
        /// `None` for good.
        back_after: Option<Duration>,
    },
    /// The app's process ends right after each of its starts.
    EndsAtStart(End),
    /// Something about the phone itself.
    Phone(Condition),
    /// The ADB server stops, dropping all its connections, and then listens again.
    ServerRestart {
        /// How long nobody listens.
        away: Duration,
    },
    /// The ADB server takes a connection and never says anything.
    ServerHalfOpen,
}

impl Fault {
    /// The name of its kind in fault files and in the list of what struck.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Slow(_) => "slow",
            Fault::Jitter(_) => "jitter",
            Fault::Drop(_) => "drop",
            Fault::LoseAfter(_) => "lose",
            Fault::HalfOpen => "half-open",
            Fault::Garbage(_) => "garbage",
            Fault::DumpNeverSettles => "dump-never-settles",
            Fault::DumpWithoutFile => "dump-without-file",
            Fault::DumpStale => "dump-stale",
            Fault::DumpNullRoot => "dump-null-root",
            Fault::DumpNoIdle => "dump-no-idle",
            Fault::DumpKilled => "dump-killed",
            Fault::DumpCut(_) => "dump-cut",
            Fault::DumpGarbled(_) => "dump-garbled",
            Fault::AgentDies => "agent-dies",
            Fault::AgentSlow(_) => "agent-slow",
            Fault::AgentLacks(_) => "agent-lacks",
            Fault::AgentLies => "agent-lies",
            Fault::DiskFull => "disk-full",
            Fault::AppMissing(_) => "app-missing",
            Fault::Refuses(_) => "refuses",
            Fault::KillShell => "kill-shell",
            Fault::KillAdbd => "kill-adbd",
            Fault::Reboot { .. } => "reboot",
            Fault::Link { state: LinkState::Device, .. } => "plug",
            Fault::Link { state: LinkState::Offline, .. } => "offline",
            Fault::Link { state: LinkState::Unauthorized, .. } => "unauthorized",
            Fault::Link { state: LinkState::Absent, .. } => "unplug",
            Fault::EndsAtStart(_) => "end-at-start",
            Fault::Phone(condition) => condition.name(),
            Fault::ServerRestart { .. } => "server-restart",
            Fault::ServerHalfOpen => "server-half-open",
        }
    }

    /// When it can strike.
    pub fn occasion(&self) -> Occasion {
        match self {
            Fault::DumpNeverSettles
            | Fault::DumpWithoutFile
            | Fault::DumpStale
            | Fault::DumpNullRoot
            | Fault::DumpNoIdle
            | Fault::DumpKilled
            | Fault::DumpCut(_)
            | Fault::DumpGarbled(_) => Occasion::Dump,
            Fault::AgentDies | Fault::AgentSlow(_) | Fault::AgentLacks(_) | Fault::AgentLies => {
                Occasion::Call
            }
            Fault::Refuses(_) => Occasion::Command,
            Fault::ServerRestart { .. } | Fault::ServerHalfOpen => Occasion::Connection,
            Fault::EndsAtStart(_) => Occasion::Start,
            _ => Occasion::Request,
        }
    }

    /// Whether it happens at one moment and leaves the device changed, so that once is the natural
    /// number of times; the others spoil one request or dump each time.
    pub fn is_event(&self) -> bool {
        matches!(
            self,
            Fault::LoseAfter(_)
                | Fault::AgentDies
                | Fault::DiskFull
                | Fault::KillShell
                | Fault::KillAdbd
                | Fault::Reboot { .. }
                | Fault::Link { .. }
                | Fault::Phone(_)
                | Fault::ServerRestart { .. }
        )
    }
}
