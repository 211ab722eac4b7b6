//! What VisionDroid's agents made of a test: which of its steps carry out a function, and what the Detector objects to
//! in them.

use serde::{Deserialize, Serialize};

use super::{Frame, WidgetNote};
use droidmux_gui::LayoutHash;

/// The function that the Detector is asked about after a test: its last steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// As the Monitor named it.
    pub function: String,
    /// The number of its first event in the test, from 0; it goes on to the test's end.
    pub first: u16,
}

/// A function whose steps did not do what it is for, in the Detector's words, with those of its claims that were found
/// on the screens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mismatch {
    /// As the Monitor named it.
    pub function: String,
    /// The function as the Detector described it.
    pub description: String,
    /// The activity on whose screen the bug shows.
    pub page: String,
    /// The widget that shows it, if one on that screen matches what the Detector named.
    pub widget: Option<WidgetNote>,
    /// What the Detector named, whether or not a widget matches it.
    pub named: String,
    /// The step that triggers it, in words.
    pub operation: String,
    /// What the function should have led to, one sentence each.
    pub expected: Vec<String>,
    /// What it led to, one sentence each.
    pub actual: Vec<String>,
    /// Why the Detector calls that wrong, in its words.
    pub reasoning: String,
    /// The turns of the function's first and last step.
    pub span: (u32, u32),
    /// The turn of the step that triggers it.
    pub turn: u32,
    /// The turn of the Detector's reply.
    pub asked: u32,
    /// The layouts before and after the step that triggers it.
    pub layouts: (LayoutHash, LayoutHash),
    /// The screens that the Detector was shown.
    pub frames: Vec<Frame>,
    /// Who answered for the Detector: `rules`, or a model.
    pub answered_by: String,
}
