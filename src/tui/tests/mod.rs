//! Tests of the whole cockpit.

mod answering;
mod arrangement;
mod bench;
mod commands;
mod keys;
mod leaving;
mod log;
mod news;
mod pictures;
mod preview;
mod pty;
mod recorder;
mod screens;
#[path = "../../../tests/suite/shaped.rs"]
mod shaped;
mod start;
mod stepping;
#[path = "../../../tests/suite/terminal.rs"]
mod terminal;
mod thrift;
mod tour;
mod triage;
mod ways;

use std::sync::Arc;

use crossterm::event::{KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;

use super::alignment::Aligned;
use super::app::{App, Effect, Msg, update};
use super::keymap::Key;
use super::{TuiOptions, screen};
use droidmux_gui::edit_mapping;
use droidmux_testutils::fixtures::FakeLab;

/// A cockpit with a made-up lab that answers at once.
pub struct Cockpit {
    pub app: App,
    pub lab: FakeLab,
    /// Effects other than requests and work, in words.
    pub effects: Vec<String>,
}

impl Cockpit {
    pub fn new(width: u16, height: u16, steps: u64) -> Self {
        Self::with(width, height, FakeLab::new(steps), TuiOptions { images: false, ..TuiOptions::default() })
    }

    pub fn with(width: u16, height: u16, lab: FakeLab, options: TuiOptions) -> Self {
        let mut cockpit = Self { app: App::new(options), lab, effects: Vec::new() };
        cockpit.tell(Msg::Resize(width, height));
        let view = Arc::new(cockpit.lab.view());
        cockpit.tell(Msg::View(view));
        cockpit
    }

    /// Updates, and lets the lab and the workers answer until all is quiet.
    pub fn tell(&mut self, msg: Msg) {
        let mut effects = update(&mut self.app, msg);
        let mut rounds = 0;
        while !effects.is_empty() {
            rounds += 1;
            assert!(rounds < 1_000, "the cockpit asks for ever: {effects:?}");
            let answers: Vec<Msg> = effects.drain(..).filter_map(|effect| self.answer(effect)).collect();
            for answer in answers {
                effects.extend(update(&mut self.app, answer));
            }
        }
    }

    fn answer(&mut self, effect: Effect) -> Option<Msg> {
        match effect {
            Effect::Send(request) => {
                if request.changes() {
                    self.effects.push(format!("{request:?}"));
                }
                self.lab.answer(&request).map(Msg::Reply)
            }
            Effect::Align(pair, left, right) => {
                let aligned = Aligned::new(&left, &right, &edit_mapping(&left, &right));
                Some(Msg::Aligned(pair, Arc::new(aligned)))
            }
            Effect::Theme(choice) => {
                let (present, options) = (&self.app.theme.name, &self.app.options);
                let read = choice.read(present, options.theme_folder.as_deref(), options.colours);
                Some(Msg::Theme(choice, read.map(|(theme, warnings)| (Box::new(theme), warnings))))
            }
            Effect::Picture(job) => Some(Msg::Picture(job.key, None)),
            other => {
                self.effects.push(format!("{other:?}"));
                None
            }
        }
    }

    /// The lab shows what it has become.
    pub fn look(&mut self) {
        let view = Arc::new(self.lab.view());
        self.tell(Msg::View(view));
    }

    /// Presses keys, written separated by spaces.
    pub fn press(&mut self, keys: &str) {
        for text in keys.split(' ').filter(|key| !key.is_empty()) {
            let key = Key::parse(text).unwrap_or_else(|| panic!("`{text}` is no key"));
            let modifiers = [
                (key.ctrl, KeyModifiers::CONTROL),
                (key.alt, KeyModifiers::ALT),
                (key.shift, KeyModifiers::SHIFT),
            ];
            let modifiers =
                modifiers.iter().filter(|(on, _)| *on).fold(KeyModifiers::NONE, |all, (_, one)| all | *one);
            self.tell(Msg::Key(KeyEvent::new(key.code, modifiers)));
        }
    }

    /// Types text into a dialog.
    pub fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.tell(Msg::Key(KeyEvent::new(crossterm::event::KeyCode::Char(c), KeyModifiers::NONE)));
        }
    }

    /// The screen as text.
    pub fn screen(&self) -> String {
        let mut buffer = Buffer::empty(self.app.area);
        screen::view(&self.app, &mut buffer);
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut x = 0;
            let mut line = String::new();
            while x < buffer.area.width {
                let cell = &buffer[(x, y)];
                line.push_str(cell.symbol());
                x += ratatui::buffer::CellWidth::cell_width(cell).max(1);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
