//! Asking for what is visible and not there yet.

use ratatui::layout::{Rect, Size};

use super::{App, Effect, Screen};
use crate::alignment::LayoutPair;
use crate::list::List;
use crate::pane::{Pane, sent};
use crate::picture::{Boxes, PictureJob, PictureKey};
use crate::screen;
use droidmux_gui::{LayoutHash, WidgetId};
use droidmux_proto::{Connection, Lens, Request, SessionState};

impl App {
    /// Asks the lab, and the workers, for whatever the panes on screen lack.
    pub(super) fn fetch(&mut self) {
        if self.lab_gone || self.connection != Connection::Up {
            return;
        }
        let panes = screen::panes(self);
        let rows = |wanted: Pane| panes.iter().find(|(pane, _)| *pane == wanted).map(|(_, rows)| *rows);
        self.fetch_findings_list();
        match self.screen {
            Screen::Lab => self.fetch_tiles(),
            Screen::Session => {
                self.fetch_bookmarks();
                self.fetch_logs(rows(Pane::Trace), rows(Pane::Verdicts));
                self.fetch_step_layouts();
                self.fetch_difference();
                if let Some(rows) = rows(Pane::Talk) {
                    self.fetch_exchange_lines(Some(rows));
                }
                if let Some(key) = rows(Pane::Picture).and_then(|area| self.picture_key(area)) {
                    self.fetch_picture(key);
                }
            }
            Screen::Findings => self.fetch_finding(),
            Screen::Stepper => {
                self.fetch_stepper();
                if let Some(key) = rows(Pane::Picture).and_then(|area| self.picture_key(area)) {
                    self.fetch_picture(key);
                }
            }
            Screen::Transcripts => {
                self.fetch_exchange_lines(rows(Pane::Exchanges));
                self.fetch_exchange();
                let places = rows(Pane::Sent).map(|area| sent::places(self, area)).unwrap_or_default();
                places.into_iter().for_each(|(key, _)| self.fetch_picture(key));
            }
            Screen::Model => self.fetch_map(),
            Screen::Recorder => self.fetch_recorder(),
            Screen::Log => {
                let height = rows(Pane::Log).map_or(1, |rows| rows.height);
                self.fetch_log(height);
            }
        }
    }

    pub(super) fn ask_layout(&mut self, hash: LayoutHash) {
        if !self.cache.layouts.promote(&hash) {
            self.ask_once(Request::Layout(hash));
        }
    }

    fn fetch_findings_list(&mut self) {
        let version = self.view.findings_version;
        let known = self.findings.asked_version == Some(version);
        if !known && self.asked.may_send(&Request::Findings) {
            self.findings.asked_version = Some(version);
            self.effect(Effect::Send(Request::Findings));
        }
    }

    fn fetch_tiles(&mut self) {
        let visible = screen::lab::visible_tiles(self);
        let hashes: Vec<_> = visible.filter_map(|n| self.session_at(n as u64)?.layout).collect();
        hashes.into_iter().for_each(|hash| self.ask_layout(hash));
    }

    fn fetch_logs(&mut self, trace: Option<Rect>, verdicts: Option<Rect>) {
        let Some(session) = self.session.id else { return };
        // The cursor's step matters even when the trace is hidden: the layout shown is its.
        let around = List { cursor: self.session.trace.cursor, offset: self.session.trace.cursor };
        let (list, height) = trace.map_or((around, 1), |rows| (self.session.trace, rows.height));
        self.fetch_lens();
        let visible = list.visible(self.session.steps.len(), height);
        if let Some((from, limit)) = self.session.steps.missing(visible) {
            self.ask_once(match self.session.lens.clone() {
                Lens::All => Request::Steps { session, from, limit },
                lens => Request::Trace { session, lens, from, limit },
            });
        }
        if let Some(rows) = verdicts {
            let visible = self.session.verdicts.visible(self.session.verdict_log.len(), rows.height);
            if let Some((from, limit)) = self.session.verdict_log.missing(visible) {
                self.ask_once(Request::Verdicts { session, from, limit });
            }
        }
    }

    /// The layout at the cursor, then those of the neighbouring steps, so that moving by one step is immediate. While
    /// following, only one is under way at a time: a fast session would be asked for more than can be looked at, and
    /// the newest would wait behind those that are already old.
    fn fetch_step_layouts(&mut self) {
        if let Some(shown) = self.session.layout_hash() {
            self.cache.layouts.promote(&shown);
        }
        let cursor = self.session.trace.cursor;
        let wanted = [Some(cursor), cursor.checked_add(1), cursor.checked_sub(1)]
            .map(|row| self.session.layout_at(self.session.steps.get(row?)?));
        for hash in wanted.into_iter().flatten() {
            if !self.session.follows || !self.asked.is_waiting_for(is_layout) {
                self.ask_layout(hash);
            }
        }
    }

    /// The lines on screen; if there is no list, the one under the cursor.
    fn fetch_exchange_lines(&mut self, list: Option<Rect>) {
        let Some(session) = self.session.id else { return };
        let screen = &self.transcripts;
        let around = List { cursor: screen.list.cursor, offset: screen.list.cursor };
        let (list, height) = list.map_or((around, 1), |rows| (screen.list, rows.height));
        let agent = screen.agent;
        if let Some((from, limit)) = screen.lines.missing(list.visible(screen.lines.len(), height)) {
            self.ask_once(Request::Exchanges { session, agent, from, limit });
        }
    }

    /// The exchange under the cursor.
    fn fetch_exchange(&mut self) {
        let Some(session) = self.session.id else { return };
        if let Some(seq) = self.transcripts.selected()
            && !self.transcripts.details.promote(&seq)
        {
            self.ask_once(Request::Exchange { session, seq });
        }
    }

    fn fetch_picture(&mut self, key: PictureKey) {
        let png = match self.cache.screenshots.peek(&key.blob) {
            None if self.screen == Screen::Session
                && self.session.follows
                && self.asked.is_waiting_for(is_screenshot) =>
            {
                return;
            }
            None => return self.ask_once(Request::Screenshot(key.blob)),
            Some(None) => return,
            Some(Some(png)) => png.clone(),
        };
        self.cache.screenshots.promote(&key.blob);
        if self.cache.pictures.promote(&key) {
            return;
        }
        // One at a time: while the cursor is moving fast, only where it stops is worth the work.
        if self.cache.making.is_empty() {
            self.cache.making.push(key);
            let boxes = self.boxes(&key);
            self.effect(Effect::Picture(PictureJob { key, png, boxes }));
        }
    }

    /// Which picture belongs in the picture pane.
    pub fn picture_key(&self, area: Rect) -> Option<PictureKey> {
        // While a session runs on, each picture would be old before a thrifty link has carried it.
        let runs_on = self.screen == Screen::Session
            && self.session.follows
            && self.current_session().is_some_and(|session| session.state == SessionState::Running);
        let is_wasted = self.options.budget.is_some() && runs_on;
        if !self.options.images || is_wasted || area.width == 0 || area.height == 0 {
            return None;
        }
        let scene = self.scene();
        let blob = scene.screenshot?;
        let size = Size::new(area.width, area.height);
        let root = |widget: &WidgetId| {
            let widget = scene.layout.as_ref().and_then(|layout| layout.get(*widget));
            widget.is_some_and(|widget| widget.parent().is_none())
        };
        // The root's box is the screen's own edge.
        let selected = scene.bounds(scene.selected.filter(|widget| !root(widget)));
        let acted = scene.bounds(scene.acted);
        let layout = scene.layout.as_ref().map(|layout| layout.hash());
        Some(PictureKey { blob, size, layout, acted, selected: selected.filter(|_| selected != acted) })
    }

    /// What is boxed on a picture.
    fn boxes(&self, key: &PictureKey) -> Boxes {
        let layout = key.layout.and_then(|hash| self.cache.layout(hash));
        let operable = layout.map(|layout| {
            let widgets = layout.operable().into_iter().filter_map(|operable| layout.get(operable.widget));
            widgets.map(|widget| widget.bounds()).collect()
        });
        Boxes { operable: operable.unwrap_or_default(), acted: key.acted, selected: key.selected }
    }

    /// Where the led test stands, the layout that is on the device and the recorded one.
    fn fetch_stepper(&mut self) {
        if let Some(request) = self.missing_stepper() {
            self.effect(Effect::Send(request));
        }
        if let Some(live) = self.stepper.view.as_ref().and_then(|view| view.live) {
            self.ask_layout(live);
        }
        if let Some(pair) = self.beside_pair() {
            self.ask_layout(pair.0);
            self.align(pair);
        }
    }

    /// Where the recording stands, and the layout that is on the device.
    fn fetch_recorder(&mut self) {
        if let Some(request) = self.missing_recording() {
            self.effect(Effect::Send(request));
        }
        if let Some(live) = self.recorder.view.as_ref().and_then(|view| view.live) {
            self.ask_layout(live);
        }
    }

    fn fetch_finding(&mut self) {
        let Some(id) = self.findings.selected().map(|row| row.id.clone()) else { return };
        match self.findings.detail() {
            None => return self.ask_once(Request::Finding(id)),
            Some(_) if self.findings.stale.contains(&id) => self.ask_once(Request::Finding(id.clone())),
            Some(_) => {}
        }
        self.findings.details.promote(&id);
        let (layouts, pairs) = self.wanted_alignments();
        layouts.into_iter().for_each(|hash| self.ask_layout(hash));
        pairs.into_iter().for_each(|pair| self.align(pair));
    }

    /// Has two layouts aligned, once both are here.
    pub(super) fn align(&mut self, pair: LayoutPair) {
        if self.cache.alignments.promote(&pair) {
            return;
        }
        let layouts = self.cache.layout(pair.0).cloned().zip(self.cache.layout(pair.1).cloned());
        if let Some((left, right)) = layouts
            && !self.cache.aligning.contains(&pair)
        {
            self.cache.aligning.push(pair);
            self.effect(Effect::Align(pair, left, right));
        }
    }
}

fn is_layout(request: &Request) -> bool {
    matches!(request, Request::Layout(_))
}

fn is_screenshot(request: &Request) -> bool {
    matches!(request, Request::Screenshot(_))
}
