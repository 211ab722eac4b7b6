//! The state of the Stepper screen: a test that this person leads.

use std::sync::Arc;

use thiserror::Error;

use super::{App, Effect, Half, Screen};
use crate::alignment::{AlignedRow, LayoutPair};
use crate::list::List;
use crate::paint::Words;
use crate::pane::{Pane, account};
use crate::screen;
use crate::theme::Role;
use droidmux_gui::{Event, EventWordsError, Layout, WidgetId};
use droidmux_proto::{Request, RowState, StepSubject, StepperView};
use droidmux_record::{SessionId, StepOrder};

#[derive(Default)]
pub struct StepperScreen {
    /// The session that leads the test; `None` before a finding is opened.
    pub session: Option<SessionId>,
    /// Which test that is, as the person chose it.
    pub subject: Option<StepSubject>,
    /// The only device that it may run on; `None` if any will do.
    pub serial: Option<String>,
    /// What was chosen for a session that has not begun: the device, and the session that it goes on from.
    pub opening: (Option<String>, Option<SessionId>),
    /// Another device was offered.
    pub offered: bool,
    /// Where the test stood when the lab was last asked.
    pub view: Option<StepperView>,
    /// What was known of the session then: it is asked for again when that changes.
    asked_at: Option<Moment>,
    pub lanes: List,
    pub widgets: List,
    pub account: List,
    pub account_lines: Vec<Words>,
    /// The screen beside the recorded one; whether it takes the place of picture and widgets; and how many rows there
    /// is room for: what fits is not folded.
    pub beside: List,
    pub compares: bool,
    pub beside_room: usize,
    /// The cursors follow the next event, until a person moves them.
    placed: Option<u32>,
}

/// What the lab's view tells of a led session.
type Moment = (Option<u32>, u64, bool);

impl StepperScreen {
    /// The layout's number of the widget under the cursor.
    pub fn widget(&self) -> WidgetId {
        WidgetId(u32::try_from(self.widgets.cursor).unwrap_or(u32::MAX))
    }
}

impl App {
    /// The layout that is on the device.
    pub fn stepped_layout(&self) -> Option<&Arc<Layout>> {
        self.cache.layout(self.stepper.view.as_ref()?.live?)
    }

    pub(super) fn take_opened(&mut self, subject: StepSubject, session: SessionId) {
        let (serial, after) = std::mem::take(&mut self.stepper.opening);
        let is_over = |id| self.view.sessions.iter().any(|known| known.id == id && known.state.is_over());
        if let Some(left) = after.filter(|&left| left != session && !is_over(left)) {
            self.effect(Effect::Send(Request::Stop(left)));
        }
        let compares = self.stepper.compares;
        let (subject, session) = (Some(subject), Some(session));
        self.stepper = StepperScreen { session, subject, serial, compares, ..StepperScreen::default() };
        self.status = None;
        self.go_to(Screen::Stepper);
    }

    /// Takes up a test that waits for orders and is not led here: one that another cockpit opened, or this one before
    /// it was restarted.
    pub(super) fn take_up_led(&mut self) {
        let own = self.stepper.session;
        let goes_on = |id| self.view.sessions.iter().any(|known| known.id == id && !known.state.is_over());
        if own.is_some_and(goes_on) {
            return;
        }
        let mut asking = self.view.sessions.iter().filter(|session| session.asks.is_some());
        if let Some(id) = asking.next().map(|session| session.id).filter(|id| own != Some(*id)) {
            let opening = std::mem::take(&mut self.stepper.opening);
            self.stepper = StepperScreen { session: Some(id), opening, ..StepperScreen::default() };
            self.say(format!("{id} steps through a test and waits for an order: 4 leads there"), Role::Dim);
        }
    }

    pub(super) fn take_stepper(&mut self, session: SessionId, view: Option<StepperView>) {
        if self.stepper.session != Some(session) {
            return;
        }
        let before = self.stepper.view.take();
        if let Some(view) = &view {
            self.stepper.subject.get_or_insert_with(|| view.subject.clone());
            let device = before.as_ref().map(|view| view.device.as_str()).unwrap_or_default();
            let first = before.as_ref().is_none_or(|view| view.question.is_none());
            if !device.is_empty() && device != view.device {
                let words = format!("{device} was lost; the same orders go on {}", view.device);
                self.say(words, Role::Warn);
            } else if first && view.question == Some(0) {
                self.say(format!("on {}: {}", view.device, begins(view)), Role::Good);
            }
        }
        self.stepper.view = view;
    }

    /// The recorded layout and the one that is on the device.
    pub(super) fn beside_pair(&self) -> Option<LayoutPair> {
        let view = self.stepper.view.as_ref()?;
        Some((view.recorded?, view.live?))
    }

    /// Both side by side, the widget of the next event marked.
    pub fn beside_half(&self) -> Option<Half> {
        let hashes = self.beside_pair()?;
        let aligned = self.cache.alignments.peek(&hashes).cloned();
        let next = self.stepper.view.as_ref().and_then(|view| view.next.as_ref()?.widget).map(WidgetId);
        let is_next = |row: &AlignedRow| next.is_some() && row.right == next;
        let shown = aligned.as_ref().map(|aligned| {
            let all = aligned.rows.len() <= self.stepper.beside_room;
            aligned.shown(all, is_next)
        });
        let titles = ["When it was recorded", "On the device"].map(str::to_owned);
        let marks = [Vec::new(), next.map(|widget| (widget, true)).into_iter().collect()];
        Some(Half { titles, told: "", hashes, aligned, shown: shown.unwrap_or_default(), marks })
    }

    /// Shows the screen beside the recorded one, or the widgets again; if both are shown, goes to it.
    pub fn toggle_beside(&mut self) {
        let is_there = self.focus() == Pane::Beside;
        self.stepper.compares = !is_there;
        self.set_focus(if is_there { Pane::Lanes } else { Pane::Beside });
    }

    /// Lets the screenshot fill the screen, or brings the other panes back.
    pub fn toggle_large_picture(&mut self) {
        self.enlarged = if self.enlarged == Some(Pane::Picture) { None } else { Some(Pane::Picture) };
    }

    /// Goes to the widgets, to choose one.
    pub(super) fn choose_widget(&mut self) {
        self.stepper.compares = false;
        self.step_into(Pane::Widgets);
    }

    /// What the lab says of the led session at this moment.
    fn led(&self) -> Option<(SessionId, Moment)> {
        let id = self.stepper.session?;
        let session = self.view.sessions.iter().find(|session| session.id == id)?;
        Some((id, (session.asks, session.steps, session.state.is_over())))
    }

    /// What must be asked for: the view of a test that has gone on since.
    pub(super) fn missing_stepper(&mut self) -> Option<Request> {
        let (session, now) = self.led()?;
        (self.stepper.asked_at != Some(now)).then(|| {
            self.stepper.asked_at = Some(now);
            Request::Stepper(session)
        })
    }

    /// Puts the cursors on the next event and its widget when the test has gone on.
    pub(super) fn settle_stepper(&mut self, width: u16, beside: u16) {
        self.stepper.beside_room = beside.into();
        // Without the layout there is no widget to be found.
        let is_there = self.stepped_layout().is_some();
        let ended = self.led().is_some_and(|(_, (.., is_over))| is_over);
        let Some(view) = &self.stepper.view else {
            self.stepper.account_lines.clear();
            return;
        };
        if is_there && view.question.is_some() && self.stepper.placed != view.question {
            self.stepper.placed = view.question;
            let end = view.rows.len().saturating_sub(1) as u64;
            self.stepper.lanes.cursor = view.next_row.map_or(end, u64::from);
            if let Some(widget) = view.next.as_ref().and_then(|next| next.widget) {
                self.stepper.widgets.cursor = widget.into();
            }
            self.stepper.account = List::default();
            self.stepper.beside = List::default();
        }
        self.stepper.account_lines = account::lines(view, ended, usize::from(width));
    }

    /// Gives an order to the test.
    pub fn order(&mut self, order: StepOrder) {
        let Some((session, _)) = self.led() else {
            return self.say("no test is led: press R on a finding", Role::Warn);
        };
        if self.stepper.view.as_ref().is_none_or(|view| view.question.is_none()) {
            return self.say("the test is under way: it takes no order", Role::Warn);
        }
        if order == StepOrder::Back
            && let Some(view) = &self.stepper.view
        {
            let seconds = view.back_ms.div_ceil(1000);
            self.say(format!("going back by running again what came before: about {seconds} s"), Role::Dim);
        }
        if order == StepOrder::Leave {
            self.tell_what_is_left(session);
        }
        self.effect(Effect::Send(Request::Order { session, order }));
        // If the widgets took the place of what is told, that comes back: the order was given for its sake.
        let told = screen::panes(self).iter().any(|(pane, _)| *pane == Pane::Account);
        if self.focus() == Pane::Widgets && self.enlarged.is_none() && !told {
            self.choose_focus(Pane::Lanes);
        }
    }

    /// Says what can be done with a stepping that is left.
    fn tell_what_is_left(&mut self, session: SessionId) {
        let of_finding = |view: &&StepperView| match &view.subject {
            StepSubject::Finding(_) => true,
            StepSubject::Test { key, .. } => !key.is_empty(),
        };
        let finding = self.stepper.view.as_ref().filter(of_finding).map(|view| view.finding.clone());
        let command = finding
            .and_then(|finding| self.options.home.command(&format!("replay {finding} --stepped {session}")));
        self.say(
            match command {
                Some(command) => format!("recorded as {session}; `{command}` runs it again"),
                None => format!("recorded as {session}"),
            },
            Role::Good,
        );
    }

    /// Runs to the event under the cursor.
    pub fn run_to_cursor(&mut self) {
        let row = usize::try_from(self.stepper.lanes.cursor).unwrap_or(usize::MAX);
        let row = self.stepper.view.as_ref().and_then(|view| view.rows.get(row));
        match row.and_then(|row| Some((row.number?, row.state))) {
            Some((_, RowState::Next)) => self.say("this event is the next one", Role::Dim),
            Some((number, _)) => self.order(StepOrder::RunTo(number.saturating_sub(1))),
            None => self.say("this event is not one of the test", Role::Warn),
        }
    }

    /// Inserts what was typed, on the widget under the cursor.
    pub(super) fn insert_event(&mut self, words: &str) {
        match self.typed_event(words) {
            Ok(event) => self.order(StepOrder::Insert(event)),
            Err(error) => self.say(error.to_string(), Role::Warn),
        }
    }

    fn typed_event(&self, words: &str) -> Result<Event, NotInserted> {
        Event::typed(words, |text| {
            let layout = self.stepped_layout().ok_or(NotInserted::NoScreen)?;
            let widget = layout.get(self.stepper.widget()).ok_or(NotInserted::NoWidget)?;
            Ok((layout.selector(widget.id()), text))
        })
    }
}

/// Why no event is inserted.
#[derive(Debug, Error)]
enum NotInserted {
    #[error("the screen is not known yet")]
    NoScreen,
    #[error("choose a widget in the tree first")]
    NoWidget,
    #[error(transparent)]
    Words(#[from] EventWordsError),
}

/// Where a test waits for its first order, and what to do.
fn begins(view: &StepperView) -> String {
    let row = view.next_row.and_then(|row| view.rows.get(usize::try_from(row).ok()?));
    match row.and_then(|row| row.number) {
        Some(number) => format!("paused before event {number}; n performs it, v goes on to the violation"),
        None => "paused at the end of the test".into(),
    }
}
