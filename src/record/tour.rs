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
    /// The turns of the function's first step, and of the one after which the bug shows.
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

impl Mismatch {
    /// Equal for the same bug: the page where it shows, the widget that shows it and the event that triggers it, all of
    /// it as it is on the screens. What texts and models say is left out: that changes from run to run.
    pub fn key(page: &str, widget: &str, trigger: &str) -> String {
        format!("{page}\n{widget}\n{trigger}")
    }

    /// Whether two keys may be of one bug: it shows on the same page, and comes of the same event or shows on the same
    /// widget.
    pub fn agree(one: &str, other: &str) -> bool {
        let (Some(one), Some(other)) = (parts(one), parts(other)) else { return false };
        one.0 == other.0 && (one.2 == other.2 || !one.1.is_empty() && one.1 == other.1)
    }

    /// Whether two keys are of one bug, for all that can be said: nothing tells them apart but that one names no
    /// widget.
    pub fn are_twins(one: &str, other: &str) -> bool {
        let (Some(one), Some(other)) = (parts(one), parts(other)) else { return false };
        (one.0, one.2) == (other.0, other.2) && (one.1 == other.1 || one.1.is_empty() || other.1.is_empty())
    }
}

/// Page, widget and trigger of a key.
fn parts(key: &str) -> Option<(&str, &str, &str)> {
    let (page, rest) = key.split_once('\n')?;
    let (widget, trigger) = rest.split_once('\n')?;
    Some((page, widget, trigger))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_may_be_of_one_bug() {
        let key = Mismatch::key("Main", "TextView#name", "click Button#ok");
        for (page, widget, trigger, agrees, twin) in [
            ("Main", "TextView#name", "click Button#ok", true, true),
            ("Main", "", "click Button#ok", true, true),
            ("Main", "ImageView#picture", "click Button#ok", true, false),
            ("Main", "TextView#name", "back", true, false),
            ("Main", "ImageView#picture", "back", false, false),
            ("List", "TextView#name", "click Button#ok", false, false),
        ] {
            let other = Mismatch::key(page, widget, trigger);
            let told = (Mismatch::agree(&key, &other), Mismatch::are_twins(&key, &other));
            assert_eq!(told, (agrees, twin), "{other:?}");
        }
        assert!(!Mismatch::agree("one", "one") && !Mismatch::agree(&key, "other\nkey"));
    }
}
