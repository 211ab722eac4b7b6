//! How long a look waits for the screen to come to rest.

use std::sync::Arc;

use droidmux_gui::LayoutHash;

/// How long a look waits for the screen to come to rest.
#[derive(Clone, Debug, Default)]
pub enum Manner {
    /// As long as the device asks for, and then until two dumps in a row are equal.
    #[default]
    Strict,
    /// Not at all where the dump shows what is expected; otherwise until nothing has moved for a quiet time.
    Swift(Expectation),
}

/// What a screen may show at once after a gesture.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// What it showed before the gesture: that is never taken at once.
    pub before: Option<LayoutHash>,
    /// What the gesture has led to before, as the device dumps it.
    pub after: Arc<[LayoutHash]>,
}

impl Manner {
    /// What is expected may be taken from the first dump.
    pub fn is_swift(&self) -> bool {
        matches!(self, Self::Swift(_))
    }
}

impl Expectation {
    /// Whether a dump like this one is enough.
    pub fn holds(&self, found: LayoutHash) -> bool {
        self.before != Some(found) && self.after.contains(&found)
    }
}
