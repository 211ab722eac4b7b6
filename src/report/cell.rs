//! A cell of a lane: a screen of a finding's steps, what is done on it, and what is boxed and told there.

use crate::gui::{Bounds, LayoutHash};
use crate::record::{BlobHash, SessionId};

/// A screen, and what is done on it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Of the layout in its test, from 1.
    pub(super) number: u16,
    /// The event; `None` on the last screen.
    pub(super) event: Option<String>,
    /// Why it could not be performed; empty when it was.
    pub(super) failed: &'static str,
    pub(super) session: SessionId,
    /// The layout with the screenshot taken of it; `None` where the step before failed.
    pub(super) screen: Option<(LayoutHash, Option<BlobHash>)>,
    pub(super) activity: String,
    pub(super) boxes: Vec<Boxed>,
    /// Crashes and ANRs after the event.
    pub(super) signals: Vec<String>,
    /// What of the violation is to be seen here.
    pub(super) marks: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Boxed {
    pub(super) bounds: Bounds,
    pub(super) kind: BoxKind,
    pub(super) title: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxKind {
    /// The event acts on it.
    Acted,
    /// The violation is about it.
    Violation,
}
