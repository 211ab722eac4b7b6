//! The state of the Session screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::App;
use crate::list::List;
use crate::pages::Pages;
use crate::text;
use droidmux_gui::{Layout, LayoutHash, WidgetId};
use droidmux_proto::{Lens, StepView, VerdictView};
use droidmux_record::{BlobHash, SessionId};

/// Screenshots remembered by layout.
const SCREENSHOTS: usize = 4_096;
/// How many steps back to look, while following, for a layout that is already here.
const LOOK_BACK: u64 = 64;

pub struct SessionScreen {
    pub id: Option<SessionId>,
    /// Which steps the trace shows; its rows are counted among them.
    pub lens: Lens,
    /// How many steps the session had when what the lens shows was last asked for.
    pub lens_steps: Option<u64>,
    /// How many of them the lab has looked through for the words of the lens.
    pub lens_looked: u64,
    pub steps: Pages<StepView>,
    pub verdict_log: Pages<VerdictView>,
    pub trace: List,
    pub verdicts: List,
    /// The cursor's row is the widget's number.
    pub tree: List,
    /// The layout the tree's cursor was last set for.
    pub tree_of: Option<LayoutHash>,
    /// The trace's cursor stays on the newest step.
    pub follows: bool,
    /// The step whose layout the panes show: the one under the cursor; while following, the newest
    /// one whose layout is here, so that a fast session never leaves the panes empty.
    pub pictured: Option<StepView>,
    /// The layout before the step is shown, with the widget acted on, not the one after it.
    pub before: bool,
    pub shown: ShownPanes,
    /// What is searched for in the layout.
    pub search: String,
    /// What is searched for in the trace.
    pub sought: String,
    /// Screenshots by the layout they show; a layout seen before has no screenshot of its own.
    pub screenshots: BTreeMap<LayoutHash, BlobHash>,
}

/// Which panes are not hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct ShownPanes {
    pub tree: bool,
    pub picture: bool,
    pub trace: bool,
    pub verdicts: bool,
    /// Shown for sessions that ask a language model.
    pub talk: bool,
}

impl Default for ShownPanes {
    fn default() -> Self {
        Self { tree: true, picture: true, trace: true, verdicts: true, talk: true }
    }
}

impl Default for SessionScreen {
    fn default() -> Self {
        Self {
            id: None,
            lens: Lens::All,
            lens_steps: None,
            lens_looked: 0,
            steps: Pages::default(),
            verdict_log: Pages::default(),
            trace: List::default(),
            verdicts: List::default(),
            tree: List::default(),
            tree_of: None,
            follows: true,
            pictured: None,
            before: false,
            shown: ShownPanes::default(),
            search: String::new(),
            sought: String::new(),
            screenshots: BTreeMap::new(),
        }
    }
}

impl SessionScreen {
    /// The step under the cursor, once fetched.
    pub fn step(&self) -> Option<&StepView> {
        self.steps.get(self.trace.cursor)
    }

    /// The layout the panes show.
    pub fn layout_hash(&self) -> Option<LayoutHash> {
        self.layout_at(self.pictured.as_ref()?)
    }

    /// The layout of a step at the moment looked at.
    pub fn layout_at(&self, step: &StepView) -> Option<LayoutHash> {
        if self.before { step.before } else { step.layout }
    }

    /// The screenshot of the layout shown, if one was taken.
    pub fn screenshot(&self) -> Option<BlobHash> {
        let own = if self.before { None } else { self.pictured.as_ref()?.screenshot };
        own.or_else(|| self.screenshots.get(&self.layout_hash()?).copied())
    }

    /// Takes in steps of the whole log.
    pub(super) fn take_steps(&mut self, from: u64, steps: Vec<StepView>) {
        self.take_rows(from, steps.into_iter().map(|step| (step.seq, step)).collect());
    }

    /// Takes in steps with their rows.
    pub(super) fn take_rows(&mut self, from: u64, steps: Vec<(u64, StepView)>) {
        for (_, step) in &steps {
            if let (Some(layout), Some(blob)) = (step.layout, step.screenshot) {
                if self.screenshots.len() >= SCREENSHOTS {
                    self.screenshots.pop_first();
                }
                self.screenshots.insert(layout, blob);
            }
        }
        self.steps.insert(from, steps);
        self.steps.trim(self.trace.cursor);
    }
}

impl App {
    /// The panes of the Session screen that are not hidden and have something to tell of the open session.
    pub fn shown_panes(&self) -> ShownPanes {
        let asks = self.current_session().is_some_and(|session| !session.model.name.is_empty());
        let shown = self.session.shown;
        ShownPanes { talk: shown.talk && asks, ..shown }
    }

    /// The layout of the Session screen, once fetched.
    pub fn shown_layout(&self) -> Option<&Arc<Layout>> {
        self.cache.layout(self.session.layout_hash()?)
    }

    /// The widget under the tree's cursor.
    pub fn selected_widget(&self) -> Option<WidgetId> {
        let layout = self.shown_layout()?;
        let id = WidgetId(u32::try_from(self.session.tree.cursor).ok()?);
        layout.get(id).map(|widget| widget.id())
    }

    /// Chooses the step whose layout the panes show.
    pub(super) fn settle_pictured(&mut self) {
        let session = &self.session;
        if !session.follows {
            self.session.pictured = session.step().cloned();
            return;
        }
        let cursor = session.trace.cursor;
        let shown = session.pictured.as_ref().map_or(0, |step| step.seq);
        let rows = shown.max(cursor.saturating_sub(LOOK_BACK))..=cursor;
        let is_here = |step: &&StepView| {
            let hash = session.layout_at(step);
            hash.is_some_and(|hash| self.cache.layout(hash).is_some())
        };
        let newest = rows.rev().filter_map(|row| session.steps.get(row)).find(is_here);
        if let Some(step) = newest.or_else(|| session.step().filter(|_| session.pictured.is_none())) {
            self.session.pictured = Some(step.clone());
        }
    }

    /// Puts the tree's cursor on the widget acted on when another layout comes up.
    pub(super) fn settle_tree(&mut self) {
        let hash = self.session.layout_hash();
        if hash == self.session.tree_of || self.shown_layout().is_none() {
            return;
        }
        let pictured = self.session.pictured.as_ref();
        let acted = pictured.filter(|_| self.session.before).and_then(|step| step.widget);
        if let Some(widget) = acted {
            self.session.tree.cursor = widget.into();
        }
        self.session.tree_of = hash;
    }

    /// Goes to the next match of what was searched for, in the trace or in the layout.
    pub fn search_session(&mut self, forwards: bool) {
        match self.searches_trace() {
            true => self.search_trace(forwards),
            false => self.search_layout(forwards),
        }
    }

    /// Moves the tree's cursor to the next widget that holds the text searched for.
    pub fn search_layout(&mut self, forwards: bool) {
        let Some(layout) = self.shown_layout() else { return };
        let needle = self.session.search.to_lowercase();
        if needle.is_empty() {
            return;
        }
        let holds = |n: usize| {
            let widget = u32::try_from(n).ok().and_then(|n| layout.get(WidgetId(n)));
            widget.is_some_and(|w| {
                let texts = [w.class(), w.resource_id(), w.text(), w.description(), w.hint()];
                texts.iter().any(|text| text::safe(text).to_lowercase().contains(&needle))
            })
        };
        let len = layout.len();
        let cursor = usize::try_from(self.session.tree.cursor).unwrap_or(0);
        let order = (1..=len).map(|n| if forwards { (cursor + n) % len } else { (cursor + len - n) % len });
        let found = order.into_iter().find(|&n| holds(n));
        match found {
            Some(n) => self.session.tree.cursor = n as u64,
            None => {
                let text = format!("no widget of this layout has `{}`", self.session.search);
                self.say(text, crate::theme::Role::Warn);
            }
        }
    }
}
