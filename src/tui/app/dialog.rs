//! Dialogs over the screens: help, the palette, questions and lines to fill in.

use tui_input::{Input, InputRequest};

use super::{App, Effect, Screen};
use crate::proto::{Digest, Request};
use crate::record::{FindingId, FindingState, SessionId};
use crate::tui::command::{self, Command};
use crate::tui::filter;
use crate::tui::keymap::Key;
use crate::tui::list::List;
use crate::tui::theme::Role;
use crossterm::event::KeyCode;

/// Longest line a person may type.
const MAX_INPUT: usize = 500;

pub enum Dialog {
    Help(List),
    Palette {
        input: Input,
        list: List,
    },
    /// Filters the findings, or searches the layout or the exchanges.
    Filter(Input),
    /// A note to a mark.
    Note {
        finding: FindingId,
        state: FindingState,
        input: Input,
    },
    /// The device on which a finding is stepped through; empty for any.
    Device {
        finding: FindingId,
        input: Input,
    },
    /// The event that is inserted into a stepped test.
    Insert(Input),
    /// Asks before a session is stopped.
    Stop(SessionId),
    /// What happened while nobody looked.
    Digest(Box<Digest>, List),
}

impl Dialog {
    pub fn input(&self) -> Option<&Input> {
        match self {
            Self::Palette { input, .. }
            | Self::Filter(input)
            | Self::Note { input, .. }
            | Self::Device { input, .. }
            | Self::Insert(input) => Some(input),
            Self::Help(_) | Self::Stop(_) | Self::Digest(..) => None,
        }
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Palette { input, .. }
            | Self::Filter(input)
            | Self::Note { input, .. }
            | Self::Device { input, .. }
            | Self::Insert(input) => Some(input),
            Self::Help(_) | Self::Stop(_) | Self::Digest(..) => None,
        }
    }

    /// What the person is asked to do, for the line above the input.
    pub fn prompt(&self) -> &'static str {
        match self {
            Self::Help(_) => "Help",
            Self::Palette { .. } => "Command",
            Self::Filter(_) => "Filter",
            Self::Note { state, .. } => match state {
                FindingState::New => "Mark as new again",
                FindingState::True => "Mark as a true bug",
                FindingState::FalseAlarm => "Mark as a false alarm",
                FindingState::Duplicate => "Mark as a duplicate (say of which)",
                FindingState::Promoted => "Put among the reported",
                FindingState::Demoted => "Put among the suspicious",
            },
            Self::Device { .. } => "Step through it on the device (empty: any)",
            Self::Insert(_) => "Insert (click, edit TEXT, back …) on the chosen widget",
            Self::Stop(_) => "Stop the session?",
            Self::Digest(..) => "Since you left",
        }
    }
}

/// The commands of the palette for what was typed: those that apply on the screen, best first.
pub fn palette_rows(app: &App, typed: &str) -> Vec<&'static Command> {
    let here: Vec<&'static Command> =
        command::offered(app).filter(|command| command.scope.is_on(app.screen)).collect();
    let text = |command: &&'static Command| format!("{} {}", command.name, command.what);
    filter::matching(typed, &here, text).into_iter().map(|n| here[n]).collect()
}

impl App {
    /// Handles a key that is for the text of a dialog.
    pub(super) fn type_into_dialog(&mut self, key: Key) {
        let Some(input) = self.dialog.as_mut().and_then(Dialog::input_mut) else { return };
        let request = match (key.code, key.ctrl, key.alt) {
            (KeyCode::Char(c), false, false) if input.value().len() < MAX_INPUT => {
                InputRequest::InsertChar(c)
            }
            (KeyCode::Backspace, false, false) => InputRequest::DeletePrevChar,
            (KeyCode::Backspace, ..) | (KeyCode::Char('w'), true, false) => InputRequest::DeletePrevWord,
            (KeyCode::Delete, ..) => InputRequest::DeleteNextChar,
            (KeyCode::Left, true, _) | (KeyCode::Char('b'), _, true) => InputRequest::GoToPrevWord,
            (KeyCode::Right, true, _) | (KeyCode::Char('f'), _, true) => InputRequest::GoToNextWord,
            (KeyCode::Left, ..) => InputRequest::GoToPrevChar,
            (KeyCode::Right, ..) => InputRequest::GoToNextChar,
            (KeyCode::Home, ..) | (KeyCode::Char('a'), true, false) => InputRequest::GoToStart,
            (KeyCode::End, ..) | (KeyCode::Char('e'), true, false) => InputRequest::GoToEnd,
            (KeyCode::Char('u'), true, false) => InputRequest::DeleteFromStart,
            (KeyCode::Char('k'), true, false) => InputRequest::DeleteTillEnd,
            _ => return,
        };
        input.handle(request);
        self.typed();
    }

    pub(super) fn paste(&mut self, text: &str) {
        let Some(input) = self.dialog.as_mut().and_then(Dialog::input_mut) else { return };
        for c in text.chars().filter(|c| !c.is_control()).take(MAX_INPUT) {
            if input.value().len() < MAX_INPUT {
                input.handle(InputRequest::InsertChar(c));
            }
        }
        self.typed();
    }

    /// What was typed takes effect as it is typed.
    fn typed(&mut self) {
        match &mut self.dialog {
            Some(Dialog::Palette { list, .. }) => *list = List::default(),
            Some(Dialog::Filter(input)) => {
                let value = input.value().to_string();
                match self.screen {
                    Screen::Session => self.session.search = value,
                    Screen::Transcripts => self.transcripts.search = value,
                    Screen::Lab | Screen::Findings | Screen::Stepper | Screen::Log => {
                        self.findings.filter = value;
                        self.filter_findings();
                        // While typing, the best match is what is meant.
                        self.findings.table = List::default();
                    }
                }
            }
            _ => {}
        }
    }

    /// Enter.
    pub fn accept_dialog(&mut self) {
        match self.dialog.take() {
            Some(Dialog::Palette { input, list }) => {
                let rows = palette_rows(self, input.value());
                if let Some(command) = usize::try_from(list.cursor).ok().and_then(|n| rows.get(n)) {
                    (command.run)(self);
                }
            }
            Some(Dialog::Filter(_)) if self.screen == Screen::Session => self.search_layout(true),
            Some(Dialog::Filter(_)) if self.screen == Screen::Transcripts => self.search_transcripts(true),
            Some(Dialog::Note { finding, state, input }) => {
                let note = input.value().trim().to_string();
                self.effect(Effect::Send(Request::Mark { finding, state, note }));
            }
            Some(Dialog::Device { finding, input }) => self.open_stepper(finding, input.value()),
            Some(Dialog::Insert(input)) => self.insert_event(input.value()),
            Some(Dialog::Stop(session)) => {
                self.effect(Effect::Send(Request::Stop(session)));
                self.say(format!("{session} ends after the acts under way"), Role::Warn);
            }
            Some(Dialog::Help(_) | Dialog::Filter(_) | Dialog::Digest(..)) | None => {}
        }
    }

    /// Escape: what was typed for a filter is undone.
    pub fn cancel_dialog(&mut self) {
        if let Some(Dialog::Filter(_)) = self.dialog.take() {
            match self.screen {
                Screen::Session => self.session.search.clear(),
                Screen::Transcripts => self.transcripts.search.clear(),
                Screen::Lab | Screen::Findings | Screen::Stepper | Screen::Log => {
                    self.findings.filter.clear();
                    self.filter_findings();
                }
            }
        }
    }

    /// Moves the cursor of a dialog's list.
    pub fn move_in_dialog(&mut self, delta: i64) {
        let len = match &self.dialog {
            Some(Dialog::Palette { input, .. }) => palette_rows(self, input.value()).len() as u64,
            Some(Dialog::Help(_) | Dialog::Digest(..)) => u64::MAX,
            _ => return,
        };
        let list = match &mut self.dialog {
            Some(Dialog::Palette { list, .. } | Dialog::Help(list) | Dialog::Digest(_, list)) => Some(list),
            _ => None,
        };
        if let Some(list) = list {
            list.move_by(delta, len);
        }
    }
}
