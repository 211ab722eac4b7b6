//! The questions before a recording: device, app, function, type of the data. One after the other, each with what
//! there is to choose from.

use super::choice::{Choice, devices};
use super::{App, Dialog, Prompt};
use crate::list::List;
use crate::theme::Role;
use droidmux_proto::RecorderOpening;
use droidmux_record::Operation;

/// The answers so far, and the question that is asked.
pub struct RecordingForm {
    pub asks: Asks,
    device: String,
    app: String,
    operation: Operation,
    pub input: Prompt,
    pub list: List,
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Device,
    App,
    Function,
    Datatype,
}

impl Asks {
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Device => "Record on which device?",
            Self::App => "Which app? Its data on the device is cleared",
            Self::Function => "What does the function do?",
            Self::Datatype => "What are its objects called? e.g. note, task",
        }
    }
}

impl RecordingForm {
    fn new() -> Self {
        let (device, app) = (String::new(), String::new());
        let (input, list) = (Prompt::default(), List::default());
        Self { asks: Asks::Device, device, app, operation: Operation::Add, input, list }
    }

    /// What there is to choose from, the best match first; what was typed itself where any text will do.
    pub fn choices(&self, app: &App) -> Vec<Choice> {
        let typed = self.input.value().trim();
        let all = match self.asks {
            Asks::Device => devices(app),
            Asks::App => apps(app),
            Asks::Function => Operation::ALL.into_iter().map(function).collect(),
            Asks::Datatype => Vec::new(),
        };
        let mut choices = Choice::matching(typed, &all);
        let known = all.iter().any(|choice| choice.value == typed);
        if self.asks != Asks::Function && !typed.is_empty() && !known {
            let words = if self.asks == Asks::Datatype { "" } else { "as typed" };
            choices.push(Choice { value: typed.into(), name: typed.into(), words: words.into() });
        }
        choices
    }

    fn answered(mut self, value: &str) -> Result<Self, RecorderOpening> {
        self.asks = match self.asks {
            Asks::Device => {
                self.device = value.into();
                Asks::App
            }
            Asks::App => {
                self.app = value.into();
                Asks::Function
            }
            Asks::Function => {
                let named = Operation::ALL.into_iter().find(|operation| operation.name() == value);
                self.operation = named.unwrap_or(self.operation);
                Asks::Datatype
            }
            Asks::Datatype => {
                return Err(RecorderOpening {
                    serial: Some(self.device).filter(|serial| !serial.is_empty()),
                    app: self.app,
                    operation: self.operation,
                    datatype: value.into(),
                });
            }
        };
        (self.input, self.list) = (Prompt::default(), List::default());
        Ok(self)
    }
}

impl App {
    /// Asks what is to be recorded.
    pub fn ask_recording(&mut self) {
        self.dialog = Some(Dialog::Recording(Box::new(RecordingForm::new())));
    }

    /// Takes the row under the cursor for an answer; asks the next question, or begins.
    pub(super) fn answer_recording(&mut self, form: Box<RecordingForm>) {
        let choices = form.choices(self);
        let chosen = usize::try_from(form.list.cursor).ok().and_then(|n| choices.get(n));
        let Some(chosen) = chosen else {
            self.say("type a name", Role::Warn);
            self.dialog = Some(Dialog::Recording(form));
            return;
        };
        match form.answered(&chosen.value) {
            Ok(next) => self.dialog = Some(Dialog::Recording(Box::new(next))),
            Err(opening) => self.open_recorder(opening),
        }
    }
}

/// The apps of the lab's sessions, and the app of the last recording.
fn apps(app: &App) -> Vec<Choice> {
    let recorded = app.recorder.view.iter().map(|view| view.app.clone());
    let mut apps: Vec<String> = recorded.collect();
    for session in app.view.sessions.iter().rev() {
        if !apps.contains(&session.app) {
            apps.push(session.app.clone());
        }
    }
    let choice = |app: String| Choice { name: app.clone(), value: app, words: String::new() };
    apps.into_iter().map(choice).collect()
}

fn function(operation: Operation) -> Choice {
    let words = match operation {
        Operation::Add => "create: it makes an object",
        Operation::View => "read: it shows an object that is there",
        Operation::Edit => "update: it replaces an object by another one",
        Operation::Delete => "delete: it takes an object away",
        Operation::Search => "search: it looks for an object by its text",
    };
    Choice { value: operation.name().into(), name: operation.name().into(), words: words.into() }
}
