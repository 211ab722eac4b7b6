//! How people want a session handled.

use serde::{Deserialize, Serialize};

/// What a person said of a session while it was under way, kept until it ends, so that a restart
/// forgets none of it. It decides when acts are performed and on which device, never which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handling {
    /// It performs nothing until a person lets it, single steps among that.
    pub paused: bool,
    /// Sessions of a higher one get devices first.
    pub priority: i32,
}
