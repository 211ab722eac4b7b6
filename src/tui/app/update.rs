//! The one place where the cockpit's state changes.

use crossterm::event::{KeyCode, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::{App, Dialog, Effect, Msg, Screen};
use crate::command::Command;
use crate::keymap::{Key, Meaning, written};
use crate::pane::Pane;
use crate::screen;
use crate::theme::{Role, ThemeChoice};
use droidmux_proto::{LogLens, Request};
use droidmux_record::FindingId;

/// Rows a turn of the mouse wheel moves.
const WHEEL: i64 = 3;

/// Takes in what happened; gives what is to be done. No I/O, no clock.
pub fn update(app: &mut App, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Key(event) if event.kind != KeyEventKind::Release => app.key(event.into()),
        Msg::Key(_) => {}
        Msg::Paste(text) => app.paste(&text),
        Msg::Mouse(event) => app.mouse(event),
        Msg::Resize(width, height) => app.area = Rect::new(0, 0, width, height),
        Msg::View(view) => {
            app.take_view(view);
            app.follow();
        }
        Msg::Reply(reply) => app.take_reply(reply),
        Msg::NotSent(request) => {
            app.asked.not_sent(&request);
            if let Request::Start(_) = request {
                app.start_refused("the lab takes nothing at this moment; enter tries again");
            }
        }
        Msg::Lapsed => app.ask_again(),
        Msg::LabGone => {
            app.lab_gone = true;
            app.asked.lapse();
            app.say("the lab has ended; what is shown is the last it said", Role::Warn);
        }
        Msg::Connection(connection) => app.take_connection(connection),
        Msg::Picture(key, picture) => {
            app.cache.making.retain(|making| *making != key);
            app.cache.pictures.put(key, picture);
        }
        Msg::Saved(Ok(name)) => app.say(format!("written: {name}"), Role::Good),
        Msg::Saved(Err(error)) => app.say(error.to_string(), Role::Bad),
        Msg::Edited(number, edited) => app.take_edited(number, edited),
        Msg::PicturesAnew => app.cache.forget_pictures(),
        Msg::Aligned(pair, aligned) => {
            app.cache.aligning.retain(|aligning| *aligning != pair);
            app.cache.alignments.put(pair, aligned);
        }
        Msg::ThemesChanged => app.effect(Effect::Theme(ThemeChoice::Again)),
        Msg::Theme(choice, read) => app.take_theme(&choice, read),
    }
    app.go_on_with_tour();
    app.settle();
    app.fetch();
    app.keep_arrangement();
    std::mem::take(&mut app.outbox)
}

impl App {
    fn key(&mut self, key: Key) {
        self.status = None;
        let Some(dialog) = &self.dialog else {
            let mut pressed = std::mem::take(&mut self.pending);
            pressed.push(key);
            match self.keymap.on_screen(&pressed, self.screen) {
                Meaning::Command(command) => self.perform(command),
                Meaning::Prefix => self.pending = pressed,
                Meaning::Nothing if pressed.len() > 1 && key.code != KeyCode::Esc => {
                    self.say(format!("`{}` runs nothing", written(&pressed)), Role::Dim);
                }
                Meaning::Nothing => {}
            }
            return;
        };
        let has_input = dialog.input().is_some();
        if key.code == KeyCode::Char(' ') && self.pick_device() {
            return;
        }
        if let Some(command) = self.keymap.in_dialog(key) {
            (command.run)(self);
        } else if has_input && !key.ctrl {
            self.type_into_dialog(key);
        } else if let Meaning::Command(command) = self.keymap.on_screen(&[key], self.screen)
            && command.scope == crate::command::Scope::EVERYWHERE
            // What was filled in is not lost to a key that means something elsewhere.
            && (key.ctrl || !matches!(self.dialog, Some(Dialog::Start(_))))
        {
            (command.run)(self);
        } else {
            self.type_into_dialog(key);
        }
    }

    fn perform(&mut self, command: &Command) {
        if self.options.read_only && command.changes {
            let words = "it was attached with --read-only";
            return self.say(format!("`{}`: this viewer may only look, {words}", command.name), Role::Warn);
        }
        if !command.fits(self) {
            let why = match self.meant_session().map(|session| (session.id, session.state.is_over())) {
                None => "no session is selected".to_owned(),
                Some((id, true)) => format!("`{}`: {id} has ended", command.name),
                Some((id, false)) => format!("`{}`: {id} is ending", command.name),
            };
            return self.say(why, Role::Warn);
        }
        (command.run)(self);
    }

    fn keep_arrangement(&mut self) {
        let now = self.arrangement();
        if now != self.kept {
            self.kept = now.clone();
            self.effect(Effect::Keep(now));
        }
    }

    fn mouse(&mut self, event: MouseEvent) {
        let at = Position::new(event.column, event.row);
        let delta = match event.kind {
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::Down(MouseButton::Left) => 0,
            _ => return,
        };
        if self.dialog.is_some() {
            return self.move_in_dialog(delta);
        }
        if delta == 0 && event.row == 0 {
            if let Some(screen) = screen::tab_at(self, event.column) {
                self.go_to(screen);
            }
            return;
        }
        let hit = screen::panes(self).into_iter().find(|(_, rows)| rows.contains(at));
        let Some((pane, rows)) = hit else { return };
        if delta != 0 {
            return self.move_in(pane, delta);
        }
        if pane == Pane::Picture {
            return self.choose_on_picture(rows, at);
        }
        self.choose_focus(pane);
        match pane {
            Pane::Devices => {
                self.devices.cursor = screen::lab::device_row(self, rows, at);
                self.moved(Pane::Devices);
            }
            Pane::Tiles => {
                if let Some(tile) = screen::lab::tile_at(self, at) {
                    self.tiles.cursor = tile as u64;
                    self.moved(Pane::Tiles);
                }
            }
            _ if pane.is_text() => {}
            _ => {
                if let Some((list, len)) = self.list_mut(pane) {
                    let row = list.offset + u64::from(event.row - rows.y);
                    list.move_to(row, len);
                    self.moved(pane);
                }
            }
        }
    }

    /// Moves the focus among the panes on screen.
    pub fn cycle_focus(&mut self, forwards: bool) {
        let panes = screen::focus_order(self);
        if panes.is_empty() {
            return;
        }
        let now = panes.iter().position(|pane| *pane == self.focus()).unwrap_or(0);
        let step = if forwards { 1 } else { panes.len() - 1 };
        self.choose_focus(panes[(now + step) % panes.len()]);
    }

    pub fn move_rows(&mut self, delta: i64) {
        if self.dialog.is_some() {
            return self.move_in_dialog(delta);
        }
        let pane = self.focus();
        let columns = match pane {
            Pane::Tiles if delta.unsigned_abs() == 1 => {
                i64::try_from(screen::lab::tile_columns(self)).unwrap_or(i64::MAX)
            }
            _ => 1,
        };
        self.move_in(pane, delta.saturating_mul(columns));
    }

    pub fn move_sideways(&mut self, delta: i64) {
        match self.focus() {
            Pane::Tiles => self.move_in(Pane::Tiles, delta),
            Pane::Devices => match screen::lab::device_aside(self) {
                Some(aside) => {
                    let aside = i64::try_from(aside).unwrap_or(i64::MAX);
                    self.move_in(Pane::Devices, delta.saturating_mul(aside));
                }
                None => self.cycle_focus(delta > 0),
            },
            _ => self.cycle_focus(delta > 0),
        }
    }

    pub fn move_pages(&mut self, pages: i64) {
        let focus = self.focus();
        let rows = screen::panes(self).into_iter().find(|(pane, _)| *pane == focus).map(|(_, rows)| rows);
        let height = rows.map_or(10, |rows| i64::from(rows.height.max(2)) - 1);
        match self.dialog {
            Some(_) => self.move_in_dialog(pages * height),
            None => self.move_in(focus, pages * height),
        }
    }

    fn move_in(&mut self, pane: Pane, delta: i64) {
        if let Some((list, len)) = self.list_mut(pane) {
            list.move_by(delta, len);
            self.moved(pane);
        }
    }

    /// Moving the cursor away from the end stops following it; coming back resumes that.
    fn moved(&mut self, pane: Pane) {
        match pane {
            Pane::Trace => self.session.follows = self.session.trace.cursor + 1 >= self.session.steps.len(),
            Pane::Talk | Pane::Exchanges => {
                let screen = &mut self.transcripts;
                screen.follows = screen.list.cursor + 1 >= screen.lines.len();
            }
            Pane::Log => self.log.follows = self.log.list.cursor + 1 >= self.log.rows.len(),
            Pane::Tiles | Pane::Sessions | Pane::Devices => {
                self.lab.followed = None;
                self.choose_session(pane);
            }
            _ => {}
        }
    }

    /// Enter.
    pub fn open_selected(&mut self) {
        match (self.screen, self.focus()) {
            (Screen::Lab, _) => match self.meant_session().map(|session| session.id) {
                Some(id) => {
                    self.remember_place();
                    self.open_session(Some(id));
                    self.show(Screen::Session);
                }
                None => self.say("no session runs there", Role::Dim),
            },
            (Screen::Session, Pane::Trace) => self.step_into(Pane::Tree),
            (Screen::Session, Pane::Verdicts) => self.open_verdict(),
            (Screen::Session, Pane::Talk) => self.open_exchange(),
            (Screen::Session, _) => self.choose_focus(Pane::Trace),
            (Screen::Findings, Pane::Table) if self.toggle_explanation() => {}
            (Screen::Findings, Pane::Table) => {
                self.step_into(Pane::Why);
                self.findings.opened = true;
            }
            (Screen::Findings, Pane::Why) => self.step_into(Pane::Compare),
            (Screen::Transcripts, Pane::Exchanges) => {
                self.step_into(Pane::Exchange);
                self.transcripts.opened = true;
            }
            (Screen::Model, Pane::States) => self.step_into(Pane::Way),
            (Screen::Model, _) => self.choose_focus(Pane::States),
            (Screen::Stepper, Pane::Lanes) => self.choose_widget(),
            (Screen::Stepper, _) => self.choose_focus(Pane::Lanes),
            (Screen::Recorder, Pane::Live) => self.step_into(Pane::Draft),
            (Screen::Recorder, _) => self.choose_focus(Pane::Live),
            (Screen::Log, Pane::Doctor) => self.go_to_check(),
            (Screen::Log, _) => self.go_to_line(),
            (Screen::Findings | Screen::Transcripts, _) => {}
        }
    }

    /// From a verdict to the finding it is part of.
    fn open_verdict(&mut self) {
        let verdict = self.session.verdict_log.get(self.session.verdicts.cursor);
        let (Some(verdict), Some(session)) = (verdict, self.current_session()) else { return };
        if verdict.key.is_empty() {
            return self.say("this verdict is no violation", Role::Dim);
        }
        let id = FindingId::of(session.id, session.technique.name(), &verdict.key);
        self.open_finding(&id);
    }

    /// Escape.
    pub fn go_back(&mut self) {
        if self.dialog.is_some() {
            self.cancel_dialog();
        } else if self.enlarged.take().is_some() || (self.landed && self.return_to_place()) || self.step_out()
        {
        } else if self.screen == Screen::Findings && self.findings.opened {
            self.findings.opened = false;
            self.set_focus(Pane::Table);
        } else if self.screen == Screen::Transcripts && self.transcripts.opened {
            self.transcripts.opened = false;
            self.set_focus(Pane::Exchanges);
        } else if self.screen == Screen::Lab && self.leave_zoom() {
        } else if self.screen == Screen::Session && !self.session.lens.words().is_empty() {
            self.hold_words("");
        } else if self.screen == Screen::Lab && !self.lab.filter.is_empty() {
            self.lab.filter.clear();
        } else if self.screen == Screen::Findings && !self.findings.filter.is_empty() {
            self.findings.filter.clear();
            self.filter_findings();
        } else if self.screen == Screen::Model && !self.map.filter.is_empty() {
            self.map.filter.clear();
            self.map.sort();
        } else if self.screen == Screen::Log && self.log.lens != LogLens::default() {
            self.look_at_log(LogLens::default());
        } else if !self.return_to_place() {
            self.show(Screen::Lab);
        }
    }

    /// Brings every list into bounds for the panes as they are laid out now.
    fn settle(&mut self) {
        self.settle_sessions();
        if self.session.follows {
            self.session.trace.cursor = self.session.steps.len().saturating_sub(1);
        }
        if self.transcripts.follows {
            self.transcripts.list.cursor = self.transcripts.lines.len().saturating_sub(1);
        }
        if self.log.follows {
            self.log.list.cursor = self.log.rows.len().saturating_sub(1);
        }
        match self.screen {
            Screen::Findings => self.findings.unseen = 0,
            Screen::Log => self.log.seen = self.view.log_alarms,
            Screen::Lab
            | Screen::Session
            | Screen::Stepper
            | Screen::Transcripts
            | Screen::Model
            | Screen::Recorder => {}
        }
        self.settle_pictured();
        self.settle_tree();
        let panes = screen::panes(self);
        if !panes.iter().any(|(pane, _)| *pane == self.focus())
            && let Some((first, _)) = panes.iter().find(|(pane, _)| *pane != Pane::Picture)
        {
            self.focus[self.screen as usize] = *first;
        }
        if self.screen == Screen::Findings {
            let rows = |wanted: Pane| panes.iter().find(|(pane, _)| *pane == wanted).map(|(_, rows)| *rows);
            let why_width = rows(Pane::Why).map_or(80, |rows| rows.width);
            let room = rows(Pane::Compare).map_or(0, |rows| rows.height);
            self.settle_finding(why_width, room);
        }
        if self.screen == Screen::Stepper {
            let rows = |wanted: Pane| panes.iter().find(|(pane, _)| *pane == wanted).map(|(_, rows)| *rows);
            let width = rows(Pane::Account).map_or(80, |rows| rows.width);
            self.settle_stepper(width, rows(Pane::Beside).map_or(0, |rows| rows.height));
            self.offer_device();
        }
        if self.screen == Screen::Recorder {
            let draft = panes.iter().find(|(pane, _)| *pane == Pane::Draft);
            self.settle_recorder(draft.map_or(80, |(_, rows)| rows.width));
        }
        if self.screen == Screen::Transcripts {
            let width =
                panes.iter().find(|(pane, _)| *pane == Pane::Exchange).map_or(80, |(_, rows)| rows.width);
            self.settle_transcript(width);
        }
        if self.screen == Screen::Log {
            let pane = panes.iter().find(|(pane, _)| *pane == Pane::Doctor);
            self.settle_doctor(pane.map_or(80, |(_, rows)| rows.width.saturating_sub(1)));
        }
        if self.screen == Screen::Model {
            let width = panes.iter().find(|(pane, _)| *pane == Pane::Way).map_or(80, |(_, rows)| rows.width);
            self.map.settle_text(width);
        }
        for (pane, rows) in panes {
            let height = match pane {
                Pane::Tiles => continue,
                Pane::Devices => screen::lab::device_room(self),
                _ => rows.height,
            };
            if let Some((list, len)) = self.list_mut(pane) {
                if pane.is_text() {
                    list.cursor = list.cursor.min(len.saturating_sub(u64::from(height)));
                    list.offset = list.cursor;
                } else {
                    list.settle(len, height);
                }
            }
        }
        self.settle_dialog();
    }

    fn settle_dialog(&mut self) {
        let help_rows = screen::dialog::help_overflow(self);
        let digest_rows = screen::dialog::digest_overflow(self);
        let (list, rows) = match &mut self.dialog {
            Some(Dialog::Help(list)) => (list, help_rows),
            Some(Dialog::Digest(_, list)) => (list, digest_rows),
            _ => return,
        };
        list.cursor = list.cursor.min(rows);
        list.offset = list.cursor;
    }
}
