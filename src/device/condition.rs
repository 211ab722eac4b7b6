//! The settings of a device and how long its dumps take: what a person wants to know before a night's run.

use std::time::Duration;

use crate::adb::agent::AgentError;

/// How a device is set up; nothing is changed to find out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Commands return their exit code, and errors on a separate stream (shell v2, Android 7).
    pub exit_codes: bool,
    /// The scales of windows, of transitions and of animators, as set; `None` where nothing is set, which means 1.
    pub animations: [Option<String>; 3],
    /// The chosen keyboard, `package/class`.
    pub keyboard: Option<String>,
    /// ADBKeyBoard is installed.
    pub has_adb_keyboard: bool,
    /// ADBKeyBoard is the chosen keyboard.
    pub uses_adb_keyboard: bool,
    /// The screen in pixels, upright.
    pub size: Option<(u32, u32)>,
    /// A screen size other than the physical one was set by hand.
    pub resized: bool,
    /// Dots per inch.
    pub density: Option<u32>,
    /// A session's settings are in place: one is running, or one died.
    pub is_prepared: bool,
}

/// Why a screen could not be dumped, each time it was tried.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NoDumps {
    /// What the last try, or the agent when it gave way, said.
    pub why: String,
}

/// How long dumps of the current screen take.
#[derive(Clone, Debug)]
pub struct DumpTimes {
    /// By `uiautomator dump`: the median of a few, or why there is none.
    pub uiautomator: Result<Duration, NoDumps>,
    /// Whether the resident agent starts, or why not; `None` when none is configured.
    pub agent: Option<Result<(), AgentError>>,
    /// By the agent, if it started.
    pub by_agent: Option<Result<Duration, NoDumps>>,
    /// Both ways gave a dump, and the dumps differ.
    pub differ: bool,
}
