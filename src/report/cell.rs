//! A cell of a lane: a screen of a finding's steps, what is done on it, and what is boxed and described there.

use droidmux_gui::{Bounds, LayoutHash};
use droidmux_record::{BlobHash, SessionId};

/// A screen, and what is done on it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The number of the layout in its test, from 1.
    pub(super) number: u16,
    /// The event; `None` on the last screen.
    pub(super) event: Option<String>,
    /// Why it could not be performed; empty if it was.
    pub(super) failed: &'static str,
    pub(super) session: SessionId,
    /// The layout with the screenshot taken of it; `None` if the previous step failed.
    pub(super) screen: Option<(LayoutHash, Option<BlobHash>)>,
    pub(super) activity: String,
    pub(super) boxes: Vec<Boxed>,
    /// Crashes and ANRs after the event.
    pub(super) signals: Vec<String>,
    /// The part of the violation that can be seen here.
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
    /// The widget that the event acts on.
    Acted,
    /// The widget that the violation is about.
    Violation,
}
