//! The resident agent: dumps and texts by a program that stays on the device, instead of a
//! `uiautomator dump` that starts a virtual machine and waits a second each time.
//!
//! In: the user's `u2.jar` (of the Python package `uiautomator2`), by path. Out: dumps as
//! `uiautomator` would have made them, gestures without the start of a tool, whether windows react and keep still,
//! what toasts say, and texts that `input text` cannot type.
//!
//! The jar is pushed and started in a shell that stays open (`process`); requests are JSON-RPC in
//! HTTP (`rpc`, `http`) on a connection to the device's `tcp:9008` that stays open between them.
//! `resident` keeps it running and gives way to `uiautomator` when it cannot; `choice` measures which
//! of the two is faster; `movement` says what it is believed about a screen that moves.
//!
//! Invariants: only one of the two runs at a time, since a device has one UiAutomation connection; what the agent adds
//! to a dump is removed again (`likeness`), so that layouts do not depend on which tool dumped them; an agent that
//! another program started is used and left running; every answer is capped, and no typed text ever appears in a
//! message.

mod choice;
mod fault;
mod finger;
mod http;
mod jar;
mod likeness;
mod movement;
mod process;
mod resident;
mod rpc;
mod text;

#[cfg(test)]
mod tests;

pub use fault::AgentError;
pub(super) use finger::Made;
pub use jar::{AgentJar, JarError};
pub(super) use likeness::as_uiautomator_writes;
pub(super) use resident::{Dumped, Resident};
pub(super) use rpc::Refusal;

use fault::{Breakdown, Fault};

/// The port that the agent and its Python client agree on.
const PORT: u16 = 9_008;
