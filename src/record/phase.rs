//! Phases: the stretches of a session, as its technique names them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What a session is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// One word for reports.
    pub name: Cow<'static, str>,
    /// For a person, as in "it is …".
    pub words: Cow<'static, str>,
}

impl Phase {
    /// Nothing is planned yet.
    pub const BEGINNING: Self = Self::new("begin", "beginning");
    /// Suspected violations are run again.
    pub const CONFIRM: Self = Self::new("confirm", "confirming findings");
    /// Nothing more, ever.
    pub const DONE: Self = Self::new("done", "done");

    /// A phase by its name for reports and its words for people.
    pub const fn new(name: &'static str, words: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), words: Cow::Borrowed(words) }
    }
}

impl Default for Phase {
    fn default() -> Self {
        Self::BEGINNING
    }
}
