//! What differs between any two steps of the cockpit's sessions.
//!
//! In: a step that was set, and the one under the cursor. Out: their layouts side by side, and requests for them.

use super::{App, Half};
use crate::alignment::LayoutPair;
use crate::list::List;
use crate::pane::Pane;
use crate::theme::Role;
use droidmux_proto::StepView;
use droidmux_record::SessionId;
use droidmux_words::figure::thousands;

/// The step that others are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    pub session: SessionId,
    pub step: StepView,
}

/// The comparison on the Session screen.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    pub base: Option<Base>,
    /// The difference is shown, in the place of layout and screenshot.
    pub shown: bool,
    pub list: List,
}

impl App {
    /// Takes the step under the cursor as the one that others are compared with.
    pub fn set_base(&mut self) {
        let (Some(session), Some(step)) = (self.session.id, self.session.step()) else {
            return self.say("no step is selected", Role::Warn);
        };
        let step = step.clone();
        self.say(format!("other steps are compared with step {}", thousands(step.seq)), Role::Good);
        self.difference =
            Difference { base: Some(Base { session, step }), shown: true, ..Difference::default() };
    }

    /// Shows what differs, or layout and screenshot again.
    pub fn toggle_difference(&mut self) {
        if self.difference.base.is_none() {
            return self.say("no step is set to compare with; x sets the one under the cursor", Role::Warn);
        }
        self.difference.shown = !self.difference.shown;
        if self.focus() == Pane::Difference {
            self.set_focus(Pane::Trace);
        }
    }

    /// The two layouts, once both steps are known.
    pub(super) fn difference_pair(&self) -> Option<LayoutPair> {
        let base = self.difference.base.as_ref().filter(|_| self.difference.shown)?;
        Some((base.step.layout?, self.session.pictured.as_ref()?.layout?))
    }

    /// The two layouts side by side.
    pub fn difference_half(&self) -> Option<Half> {
        let hashes = self.difference_pair()?;
        let base = self.difference.base.as_ref()?;
        let title =
            |session: SessionId, step: &StepView| format!("{session} after step {}", thousands(step.seq));
        let titles =
            [title(base.session, &base.step), title(self.session.id?, self.session.pictured.as_ref()?)];
        let aligned = self.cache.alignments.peek(&hashes).cloned();
        let shown = aligned.as_ref().map(|aligned| aligned.shown(false, |_| false)).unwrap_or_default();
        Some(Half { titles, told: "", hashes, aligned, shown, marks: [Vec::new(), Vec::new()] })
    }

    /// Asks for what the comparison lacks.
    pub(super) fn fetch_difference(&mut self) {
        let Some(pair) = self.difference_pair() else { return };
        [pair.0, pair.1].into_iter().for_each(|hash| self.ask_layout(hash));
        self.align(pair);
    }
}
