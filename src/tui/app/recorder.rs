//! The state of the Recorder screen: a function that this person performs to get its specification.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{App, Dialog, Effect, Prompt, Screen};
use crate::list::List;
use crate::paint::Words;
use crate::pane::draft;
use crate::theme::Role;
use droidmux_gui::{Layout, LayoutHash, Widget, WidgetId};
use droidmux_proto::{RecorderOpening, RecorderOrder, RecorderPhase, RecorderView, RehearsalView, Request};
use droidmux_record::DmfAction;

#[derive(Default)]
pub struct RecorderScreen {
    /// Where the recording stood when the lab was last asked.
    pub view: Option<RecorderView>,
    /// What the lab's view said then: it is asked again when that changes.
    asked_at: Option<u64>,
    /// Widgets that take nothing and show nothing are listed, too.
    pub all: bool,
    pub live: List,
    /// The widgets of the list.
    pub shown: Vec<WidgetId>,
    /// What they belong to: the layout, and whether all are listed.
    listed: Option<(LayoutHash, bool)>,
    pub performed: List,
    pub draft: List,
    pub draft_lines: Vec<Words>,
    /// The width that the lines are made for; 0 when they must be made anew.
    draft_width: usize,
}

/// What a person types for the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Text,
    Seconds,
    Name,
    File,
    Device,
}

impl Entry {
    /// For the line above the input.
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Text => "Type into the chosen field",
            Self::Seconds => "Wait",
            Self::Name => "Name the function",
            Self::File => "Write the specification",
            Self::Device => "Go on with the recording",
        }
    }

    /// What may be typed.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Text => "the text, as it is typed every time",
            Self::Seconds => "seconds, 1 to 30",
            Self::Name => "as findings and session files are to call it",
            Self::File => "a file on the lab's machine; functions that it holds stay in it",
            Self::Device => "the serial of a device (empty: any)",
        }
    }

    fn order(self, text: &str, app: &App) -> Option<RecorderOrder> {
        Some(match self {
            Self::Text => app.deed(DmfAction::Edit, Some(text.to_owned()))?,
            Self::Seconds => app.deed(DmfAction::Sleep, Some(text.trim().to_owned()))?,
            Self::Name => RecorderOrder::Name(text.to_owned()),
            Self::File => RecorderOrder::Save(text.to_owned()),
            Self::Device => {
                RecorderOrder::Resume(Some(text.trim().to_owned()).filter(|serial| !serial.is_empty()))
            }
        })
    }
}

impl RecorderScreen {
    fn take(&mut self, view: Option<RecorderView>) {
        let live = |view: &Option<RecorderView>| view.as_ref().and_then(|view| view.live);
        if live(&self.view) != live(&view) {
            self.live = List::default();
        }
        if let Some(view) = &view
            && self.view.as_ref().is_none_or(|old| old.events != view.events)
        {
            self.performed.cursor = view.events.len().saturating_sub(1) as u64;
        }
        self.view = view;
        self.draft_width = 0;
    }

    /// The lab may not be the one that was asked.
    pub(super) fn ask_again(&mut self) {
        self.asked_at = None;
    }
}

impl App {
    /// The layout that is on the device.
    pub fn recorded_layout(&self) -> Option<&Arc<Layout>> {
        self.cache.layout(self.recorder.view.as_ref()?.live?)
    }

    /// The widget under the cursor.
    pub fn chosen_widget(&self) -> Option<Widget<'_>> {
        let row = usize::try_from(self.recorder.live.cursor).ok()?;
        self.recorded_layout()?.get(*self.recorder.shown.get(row)?)
    }

    pub(super) fn take_recorder(&mut self, view: Option<RecorderView>) {
        let before = self.recorder.view.as_ref().and_then(news);
        if let Some((words, role)) = view.as_ref().and_then(news).filter(|now| before.as_ref() != Some(now)) {
            self.say(words, role);
        }
        self.recorder.take(view);
    }

    /// Begins a recording.
    pub(super) fn open_recorder(&mut self, opening: RecorderOpening) {
        self.say(format!("recording `{} {}`", opening.operation, opening.datatype), Role::Dim);
        self.go_to(Screen::Recorder);
        self.effect(Effect::Send(Request::OpenRecorder(opening)));
    }

    /// What must be asked for: the recording as it is now.
    pub(super) fn missing_recording(&mut self) -> Option<Request> {
        let now = self.view.recorder;
        (self.recorder.asked_at != Some(now)).then(|| {
            self.recorder.asked_at = Some(now);
            Request::Recorder
        })
    }

    /// Lists the widgets, and writes the lines of the specification.
    pub(super) fn settle_recorder(&mut self, width: u16) {
        let (hash, all) = (self.recorder.view.as_ref().and_then(|view| view.live), self.recorder.all);
        let listed = self.recorded_layout().and(hash).map(|hash| (hash, all));
        if self.recorder.listed != listed {
            self.recorder.listed = listed;
            self.recorder.shown = self.recorded_layout().map_or(Vec::new(), |layout| listing(layout, all));
        }
        let width = usize::from(width.max(1));
        if self.recorder.draft_width != width {
            self.recorder.draft_width = width;
            self.recorder.draft_lines =
                self.recorder.view.as_ref().map_or(Vec::new(), |view| draft::lines(view, width));
        }
    }

    /// An event on the widget under the cursor, if it takes one; `None` without a screen.
    fn deed(&self, action: DmfAction, text: Option<String>) -> Option<RecorderOrder> {
        let seen = self.recorder.view.as_ref()?.live?;
        let on_widget = match action {
            DmfAction::Click | DmfAction::LongClick | DmfAction::Edit | DmfAction::Scroll(_) => true,
            DmfAction::Back | DmfAction::Home | DmfAction::Enter | DmfAction::ScrollTo | DmfAction::Sleep => {
                false
            }
        };
        let widget = match on_widget {
            true => Some(self.chosen_widget()?.id()),
            false => None,
        };
        Some(RecorderOrder::Do { action, widget, text, seen })
    }

    /// Performs an event, on the widget under the cursor if it needs one. Without a text, one is drawn at random.
    pub fn perform_recorded(&mut self, action: DmfAction, text: Option<&str>) {
        match self.deed(action, text.map(str::to_owned)) {
            Some(order) => self.record(order),
            None => self.say(self.no_screen(), Role::Warn),
        }
    }

    fn no_screen(&self) -> &'static str {
        match &self.recorder.view {
            None => NOTHING,
            Some(_) => "there is no screen, or no widget on it, to choose from",
        }
    }

    /// Marks what the chosen widget shows as the object that the function adds or shows, or removes.
    pub fn mark_data(&mut self, takes_away: bool) {
        let text = self.chosen_widget().map(|widget| widget.text().to_owned());
        match text {
            None => self.say(self.no_screen(), Role::Warn),
            Some(text) if text.is_empty() => {
                self.say("this widget shows no text: choose the one that shows the data", Role::Warn);
            }
            Some(text) if takes_away => self.record(RecorderOrder::Before(text)),
            Some(text) => self.record(RecorderOrder::After(text)),
        }
    }

    /// Gives an order to the recorder.
    pub fn record(&mut self, order: RecorderOrder) {
        let Some(view) = &self.recorder.view else { return self.say(NOTHING, Role::Warn) };
        let leaves = order == RecorderOrder::Leave;
        match view.phase {
            RecorderPhase::Ready | RecorderPhase::Lost(_) => {}
            _ if leaves => {}
            RecorderPhase::Opening | RecorderPhase::Acting | RecorderPhase::Rehearsing => {
                return self.say("the recorder is under way: it takes no order", Role::Warn);
            }
        }
        match &order {
            RecorderOrder::Undo => {
                self.say("undoing: the app is started anew and all before is performed again", Role::Dim);
            }
            RecorderOrder::Rehearse => {
                self.say("rehearsing: the app is started anew and the function carried out", Role::Dim);
            }
            _ => {}
        }
        self.effect(Effect::Send(Request::Record(order)));
    }

    /// Asks before what was performed is dropped; does not ask if nothing would be lost.
    pub fn ask_to_drop(&mut self, order: RecorderOrder) {
        let Some(view) = &self.recorder.view else { return self.say(NOTHING, Role::Warn) };
        match view.events.is_empty() || (order == RecorderOrder::Leave && !view.saved.is_empty()) {
            true => self.record(order),
            false => self.dialog = Some(Dialog::Drop(order)),
        }
    }

    /// Asks for a text.
    pub fn ask_entry(&mut self, entry: Entry) {
        let Some(view) = &self.recorder.view else { return self.say(NOTHING, Role::Warn) };
        let input: Prompt = match entry {
            Entry::Text | Entry::Device => Prompt::default(),
            Entry::Seconds => "2".to_owned().into(),
            Entry::Name => view.name.clone().into(),
            Entry::File => match view.saved.as_str() {
                "" => format!("{}.json", view.app).into(),
                saved => saved.to_owned().into(),
            },
        };
        if entry == Entry::Text && !self.chosen_widget().is_some_and(Widget::is_editable) {
            return self.say("choose a field that text can be typed into", Role::Warn);
        }
        self.dialog = Some(Dialog::Entry(entry, input));
    }

    pub(super) fn take_entry(&mut self, entry: Entry, text: &str) {
        match entry.order(text, self) {
            Some(order) => self.record(order),
            None => self.say(self.no_screen(), Role::Warn),
        }
    }

    /// Lists all widgets, or only those that take or show something.
    pub fn list_all_widgets(&mut self) {
        self.recorder.all = !self.recorder.all;
        self.recorder.live = List::default();
    }
}

const NOTHING: &str = "nothing is recorded: press n to begin";

/// What a person is told when it happens, wherever they are looking.
fn news(view: &RecorderView) -> Option<(String, Role)> {
    match (&view.phase, &view.rehearsal) {
        (RecorderPhase::Lost(why), _) => Some((why.clone(), Role::Bad)),
        _ if !view.trouble.is_empty() => Some((view.trouble.clone(), Role::Bad)),
        _ if !view.saved.is_empty() => Some((format!("written to {}", view.saved), Role::Good)),
        (_, Some(RehearsalView { good: true, .. })) => Some(("rehearsed: it works".into(), Role::Good)),
        (_, Some(_)) => Some(("rehearsed: it does not work as it is written".into(), Role::Bad)),
        (_, None) => None,
    }
}

fn listing(layout: &Layout, all: bool) -> Vec<WidgetId> {
    let shows = |widget: &Widget<'_>| !widget.text().is_empty() || !widget.description().is_empty();
    let takes = |widget: &Widget<'_>| !widget.interactions().is_empty();
    let taking: BTreeSet<WidgetId> = layout.reachable().filter(takes).map(Widget::id).collect();
    let listed = layout.widgets().filter(|w| all || shows(w) || taking.contains(&w.id()));
    listed.map(Widget::id).collect()
}
