//! The state of the Stepper screen: a test that this person leads.

use std::sync::Arc;

use super::{App, Dialog, Effect, Screen};
use crate::gui::{Event, EventKind, Layout, WidgetId};
use crate::proto::{Request, RowState, StepperView};
use crate::record::{FindingId, SessionId, StepOrder};
use crate::tui::list::List;
use crate::tui::pane::account;
use crate::tui::theme::Role;
use crate::tui::why::Words;

#[derive(Default)]
pub struct StepperScreen {
    /// The session that leads the test; `None` before a finding is opened.
    pub session: Option<SessionId>,
    /// Where the test stood when the lab was asked last.
    pub view: Option<StepperView>,
    /// What of the session was known then: it is asked for again when that changes.
    asked_at: Option<Moment>,
    pub lanes: List,
    pub widgets: List,
    pub account: List,
    pub account_lines: Vec<Words>,
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

    /// Asks on which device to step through the selected finding.
    pub fn ask_stepper(&mut self) {
        match self.findings.selected() {
            Some(row) => {
                let finding = row.id.clone();
                self.dialog = Some(Dialog::Device { finding, input: Default::default() });
            }
            None => self.say("no finding is selected", Role::Warn),
        }
    }

    /// Opens the stepper on the device of this serial, or on any.
    pub(super) fn open_stepper(&mut self, finding: FindingId, serial: &str) {
        let serial = Some(serial.trim().to_owned()).filter(|serial| !serial.is_empty());
        self.say(format!("stepping through {finding}: waiting for a device"), Role::Dim);
        self.effect(Effect::Send(Request::OpenStepper { finding, serial }));
    }

    pub(super) fn take_opened(&mut self, session: SessionId) {
        self.stepper = StepperScreen { session: Some(session), ..StepperScreen::default() };
        self.status = None;
        self.show(Screen::Stepper);
    }

    pub(super) fn take_stepper(&mut self, session: SessionId, view: Option<StepperView>) {
        if self.stepper.session != Some(session) {
            return;
        }
        let before = self.stepper.view.take().map(|view| view.device).unwrap_or_default();
        if let Some(view) = &view
            && !before.is_empty()
            && before != view.device
        {
            self.say(format!("{before} was lost; the same orders go on {}", view.device), Role::Warn);
        }
        self.stepper.view = view;
    }

    /// What of the led session the lab tells at this moment.
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
    pub(super) fn settle_stepper(&mut self, width: u16) {
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
        self.effect(Effect::Send(Request::Order { session, order }));
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
            Err(why) => self.say(why, Role::Warn),
        }
    }

    fn typed_event(&self, words: &str) -> Result<Event, String> {
        let words = words.trim();
        let (name, text) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let kind = EventKind::named(name).ok_or_else(|| {
            let known: Vec<_> = EventKind::by_hand().map(EventKind::name).collect();
            format!("{name:?} is no kind of event: {}", known.join(", "))
        })?;
        if !kind.is_on_widget() {
            return Event::by_hand(kind, None, text);
        }
        let layout = self.stepped_layout().ok_or("the screen is not known yet")?;
        let widget = layout.get(self.stepper.widget()).ok_or("choose a widget in the tree first")?;
        Event::by_hand(kind, Some(layout.selector(widget.id())), text)
    }
}
