//! How people want a session handled.

use serde::{Deserialize, Serialize};

/// A person's instructions for a session while it was under way, kept until it ends, so that they survive a restart.
/// They decide when acts are performed and on which device, never which acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handling {
    /// It performs nothing until a person allows it; a single step also counts as allowing.
    pub paused: bool,
    /// Sessions with a higher priority get devices first.
    pub priority: i32,
}
