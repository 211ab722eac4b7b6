//! Dialogs over a screen: help, palette, lines to fill in, questions.
//!
//! ```text
//! ╭ Command ────────────────────────────────────────────╮
//! │ > paus▏                                             │
//! │▌pause          p        Pause the session, or let … │
//! │ …                                                   │
//! ╰─────────────────────────────────────────────────────╯
//! ```

mod lines;
mod lists;
mod pages;
mod questions;

use crate::app::{App, Dialog, Prompt};
use crate::command::{self, Command};
use crate::keymap::written;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use ratatui::layout::{Position, Rect};

pub use pages::{digest_overflow, help_overflow};

/// Shown beside a text that the next character typed will replace.
const OFFERED: &str = "(typing replaces it, ← keeps it)";

/// Draws what may follow the keys pressed so far.
///
/// ```text
/// ╭ w … ───────────────────────────────────────────────╮
/// │ s      sort            Sort the sessions by the …  │
/// ╰────────────────────────────────────────────────────╯
/// ```
pub fn draw_pending(app: &App, painter: &mut Painter<'_>) {
    let offered = |command: &Command| command::offered(app).any(|known| known.name == command.name);
    let mut after = app.keymap.after(&app.pending, app.screen);
    after.retain(|(_, command)| offered(command));
    let body = super::body(app);
    let height = u16::try_from(after.len()).unwrap_or(u16::MAX).saturating_add(2).min(body.height);
    let width = body.width.min(100);
    let area = Rect { x: body.x, y: body.bottom() - height, width, height };
    let inside = padded(open(painter, area, &format!("{} {}", written(&app.pending), app.glyphs.ellipsis)));
    for (y, (keys, command)) in (inside.top()..inside.bottom()).zip(&after) {
        let keys = format!("{:<8}", keys.to_string());
        let name = format!("{:<20}", command.name);
        let pieces = [(keys.as_str(), Role::Key), (name.as_str(), Role::Strong), (command.what, Role::Text)];
        painter.pieces(inside.x, y, inside.width, &pieces);
    }
}

/// Draws the open dialog; gives the place of the text cursor.
pub fn draw(app: &App, painter: &mut Painter<'_>) -> Option<Position> {
    let dialog = app.dialog.as_ref()?;
    let title = dialog.prompt();
    match dialog {
        Dialog::Help(list) => {
            pages::help(app, painter, list);
            None
        }
        Dialog::Digest(digest, list) => {
            pages::digest(app, painter, digest, list);
            None
        }
        Dialog::Palette { input, list } => lists::palette(app, painter, title, input, *list),
        Dialog::Bookmarks(list) => {
            lists::bookmarks(app, painter, title, *list);
            None
        }
        Dialog::Device { subject, input, list, .. } => {
            lists::devices(app, painter, title, subject, (input, *list))
        }
        Dialog::Recording(form) => lists::recording(app, painter, title, form),
        Dialog::Start(form) => super::start::draw(app, painter, form),
        Dialog::Filter(input) => lines::filter(app, painter, input),
        Dialog::Goto(input) => {
            lines::hinted(app, painter, title, "a step, 1234; +20 or -20 from here; a part, 50%", input)
        }
        Dialog::Open(input) => lines::hinted(
            app,
            painter,
            title,
            "a session of the store, s12; it may have ended long ago",
            input,
        ),
        Dialog::TraceFilter(input) => {
            lines::hinted(app, painter, title, "all of these words; none shows all steps again", input)
        }
        Dialog::Note { findings, state, input } => {
            lines::note(app, painter, title, (findings, *state), input)
        }
        Dialog::Insert(input) => lines::inserted(app, painter, title, input),
        Dialog::Entry(entry, input) => lines::entry(app, painter, title, entry, input),
        Dialog::Drop(_) => {
            let what = "What was performed and not written is dropped.";
            questions::ask(app, painter, title, what, "enter drops it, esc keeps it");
            None
        }
        Dialog::Stop(session) => {
            let what = format!("{session} ends cleanly after the acts under way.");
            questions::ask(app, painter, title, &what, "enter stops it, esc lets it run");
            None
        }
        Dialog::Quit(sessions) => {
            questions::quit(app, painter, title, sessions);
            None
        }
    }
}

/// A command's keys, as the configuration has them.
fn keys(app: &App, command: &Command) -> String {
    let keys: Vec<_> = app.keymap.keys(command).iter().map(ToString::to_string).collect();
    keys.join(" ")
}

/// A cell left free at both sides.
pub(super) fn padded(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}

/// Clears the place of a dialog and draws its frame; gives what is inside.
pub(super) fn open(painter: &mut Painter<'_>, area: Rect, title: &str) -> Rect {
    painter.fill(area, Role::Dialog);
    painter.pane(area, title, "", true)
}

/// A line being typed, scrolled so that its cursor is in view.
pub(super) fn draw_input(
    painter: &mut Painter<'_>,
    line: Rect,
    lead: &str,
    input: &Prompt,
) -> Option<Position> {
    let used = painter.text(line.x, line.y, line.width, lead, Role::Key);
    let room = line.width.saturating_sub(used + 1);
    let scroll = input.visual_scroll(usize::from(room));
    let mut hidden = 0;
    let shown: String = input
        .value()
        .chars()
        .skip_while(|c| {
            let skip = hidden < scroll;
            hidden += text::width(c.encode_utf8(&mut [0; 4]));
            skip
        })
        .collect();
    let end = used + painter.text(line.x + used, line.y, room, &shown, Role::Strong);
    if input.is_offered() {
        painter.text(line.x + end + 2, line.y, line.width.saturating_sub(end + 2), OFFERED, Role::Dim);
    }
    let column = u16::try_from(input.visual_cursor().saturating_sub(scroll)).unwrap_or(room);
    (line.width > used).then(|| Position::new(line.x + used + column.min(room), line.y))
}
