//! Dialogs over a screen: help, palette, lines to fill in, questions.
//!
//! ```text
//! ╭ Command ────────────────────────────────────────────╮
//! │ > paus▏                                             │
//! │▌pause          p        Pause the session, or let … │
//! │ …                                                   │
//! ╰─────────────────────────────────────────────────────╯
//! ```

use super::rows::rows;
use crate::app::{App, Choice, Dialog, PaletteRow, Prompt, Screen, devices, digest, palette_rows};
use crate::command::{self, Command};
use crate::keymap::written;
use crate::list::List;
use crate::paint::Painter;
use crate::query;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::Digest;
use droidmux_record::{FindingId, FindingState, SessionId};
use ratatui::layout::{Position, Rect};

/// Shown beside a text that the next character typed will replace.
const OFFERED: &str = "(typing replaces it, ← keeps it)";

/// Kinds of events that are often wanted.
const INSERTED: &str = "click, long-click, edit TEXT, scroll-down, back, home, rotate, wait 3 …";

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
    let area = super::body(app);
    match app.dialog.as_ref()? {
        Dialog::Help(list) => {
            draw_help(app, painter, list);
            None
        }
        Dialog::Digest(digest, list) => {
            draw_digest(app, painter, digest, list);
            None
        }
        Dialog::Palette { input, list } => {
            let found = palette_rows(app, input.value());
            let height = u16::try_from(found.len()).unwrap_or(u16::MAX).saturating_add(3).clamp(6, 24);
            let inside = open(painter, super::centred(area, 100, height), "Command");
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            let below = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
            rows(painter, below, *list, found.len(), |painter, line, n| {
                if let Some(row) = found.get(n) {
                    draw_row(app, painter, line, row);
                }
            });
            cursor
        }
        Dialog::Filter(input) => {
            let line = Rect { y: app.area.bottom().saturating_sub(1), height: 1, ..app.area };
            painter.fill(line, Role::Dialog);
            if app.screen == Screen::Findings && input.value().is_empty() {
                let hint = format!("words, and {}", query::fields());
                painter.text(line.x + 4, line.y, line.width.saturating_sub(4), &hint, Role::Dim);
            }
            draw_input(painter, padded(line), "/", input)
        }
        dialog @ Dialog::Bookmarks(list) => {
            let height =
                u16::try_from(app.bookmarks.rows.len()).unwrap_or(u16::MAX).saturating_add(2).clamp(3, 20);
            let inside = open(painter, super::centred(area, 80, height), dialog.prompt());
            let marks = &app.bookmarks.rows;
            rows(painter, inside, *list, marks.len(), |painter, line, n| {
                let Some(mark) = marks.get(n) else { return };
                let place = format!("{:<6}{:>9}  ", mark.session.to_string(), text::thousands(mark.seq));
                let pieces = [(place.as_str(), Role::Strong), (mark.words.as_str(), Role::Text)];
                painter.pieces(line.x, line.y, line.width, &pieces);
            });
            None
        }
        Dialog::Start(form) => super::start::draw(app, painter, form),
        dialog @ (Dialog::Goto(input) | Dialog::Open(input) | Dialog::TraceFilter(input)) => {
            let inside = open(painter, super::centred(area, 60, 4), dialog.prompt());
            let what = match dialog {
                Dialog::Goto(_) => "a step, 1234; +20 or -20 from here; a part, 50%",
                Dialog::TraceFilter(_) => "all of these words; none shows all steps again",
                _ => "a session of the store, s12; it may have ended long ago",
            };
            painter.text(inside.x + 1, inside.y, inside.width.saturating_sub(1), what, Role::Dim);
            draw_input(painter, Rect { y: inside.y + 1, height: 1, ..padded(inside) }, "> ", input)
        }
        dialog @ Dialog::Note { findings, state, input } => {
            let inside = open(painter, super::centred(area, 76, 5), dialog.prompt());
            painter.text(inside.x + 1, inside.y, inside.width, &note_words(findings, *state), Role::Dim);
            let cursor =
                draw_input(painter, Rect { y: inside.y + 1, height: 1, ..padded(inside) }, "> ", input);
            let keys = "enter marks it, esc leaves it as it is";
            painter.text(inside.x + 1, inside.y + 2, inside.width, keys, Role::Dim);
            cursor
        }
        dialog @ Dialog::Quit(sessions) => {
            draw_quit(app, painter, dialog.prompt(), sessions);
            None
        }
        dialog @ Dialog::Device { subject, input, list, .. } => {
            let choices = Choice::matching(input.value(), &devices(app));
            let height = u16::try_from(choices.len()).unwrap_or(u16::MAX).saturating_add(4).clamp(5, 20);
            let inside = open(painter, super::centred(area, 76, height), dialog.prompt());
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            let keys = format!("enter steps through {subject}, esc does not; type to filter");
            painter.text(inside.x + 1, inside.bottom() - 1, inside.width, &keys, Role::Dim);
            let below = Rect { y: inside.y + 1, height: inside.height.saturating_sub(2), ..inside };
            draw_choices(painter, below, &choices, *list);
            cursor
        }
        dialog @ Dialog::Insert(input) => {
            let inside = open(painter, super::centred(area, 76, 6), dialog.prompt());
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            let chosen = app.stepped_layout().and_then(|layout| layout.get(app.stepper.widget()));
            let chosen = chosen.map_or_else(|| "no widget is chosen".into(), words::widget);
            let lines = [
                (format!("on: {chosen}"), Role::Text),
                (INSERTED.to_owned(), Role::Dim),
                ("enter performs it before the next event, esc does not".to_owned(), Role::Dim),
            ];
            for (y, (line, role)) in (inside.y + 1..inside.bottom()).zip(&lines) {
                painter.text(inside.x + 1, y, inside.width.saturating_sub(1), line, *role);
            }
            cursor
        }
        dialog @ Dialog::Recording(form) => {
            let choices = form.choices(app);
            let height = u16::try_from(choices.len()).unwrap_or(u16::MAX).saturating_add(3).clamp(6, 20);
            let inside = open(painter, super::centred(area, 76, height), dialog.prompt());
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", &form.input);
            let below = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
            draw_choices(painter, below, &choices, form.list);
            cursor
        }
        dialog @ Dialog::Entry(entry, input) => {
            let inside = open(painter, super::centred(area, 76, 4), dialog.prompt());
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            painter.text(inside.x + 1, inside.y + 1, inside.width, entry.hint(), Role::Dim);
            cursor
        }
        dialog @ Dialog::Drop(_) => {
            let inside = open(painter, super::centred(area, 60, 4), dialog.prompt());
            let text = "What was performed and not written is dropped.";
            painter.text(inside.x + 1, inside.y, inside.width, text, Role::Text);
            painter.text(inside.x + 1, inside.y + 1, inside.width, "enter drops it, esc keeps it", Role::Dim);
            None
        }
        dialog @ Dialog::Stop(session) => {
            let inside = open(painter, super::centred(area, 60, 4), dialog.prompt());
            let text = format!("{session} ends cleanly after the acts under way.");
            painter.text(inside.x + 1, inside.y, inside.width, &text, Role::Text);
            painter.text(
                inside.x + 1,
                inside.y + 1,
                inside.width,
                "enter stops it, esc lets it run",
                Role::Dim,
            );
            None
        }
    }
}

fn draw_choices(painter: &mut Painter<'_>, area: Rect, choices: &[Choice], list: List) {
    rows(painter, area, list, choices.len(), |painter, line, n| {
        let Some(choice) = choices.get(n) else { return };
        let name = format!("{:<20} ", choice.name);
        let pieces = [(name.as_str(), Role::Strong), (choice.words.as_str(), Role::Text)];
        painter.pieces(line.x, line.y, line.width, &pieces);
    });
}

fn draw_quit(app: &App, painter: &mut Painter<'_>, prompt: &str, sessions: &[SessionId]) {
    let area = super::centred(super::body(app), 76, 8);
    let width = usize::from(area.width.saturating_sub(4));
    let names: Vec<_> = sessions.iter().map(ToString::to_string).collect();
    let (them, verb) = if let [_] = sessions { ("it", "lives") } else { ("each", "live") };
    let text = format!("{} {verb} in this process: leaving the cockpit stops {them}.", names.join(", "));
    let mut lines: Vec<_> = text::wrap(&text, width).into_iter().map(|line| (line, Role::Text)).collect();
    let first = sessions.first().map_or(String::new(), ToString::to_string);
    if let Some(command) = app.options.home.command(&format!("run --resume {first}")) {
        lines.push((format!("To go on with {them} later:"), Role::Text));
        lines.push((format!("  {command}"), Role::Key));
    }
    lines.push(("enter stops and leaves, esc stays".into(), Role::Dim));
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let inside = padded(open(painter, Rect { height: height.min(area.height), ..area }, prompt));
    let lines: Vec<_> = lines.into_iter().map(|line| [line]).collect();
    painter.lines(inside, lines.iter().map(<[_; 1]>::as_slice));
}

/// What is to be typed beside a mark.
fn note_words(findings: &[FindingId], state: FindingState) -> String {
    let which = match findings {
        [one] => one.to_string(),
        several => text::count(several.len() as u64, "finding"),
    };
    match state {
        FindingState::Duplicate => format!("{which}, of which finding? its id or its rank here, then a note"),
        _ => format!("{which}, with a note if you like:"),
    }
}

/// How far the help can be scrolled.
pub fn help_overflow(app: &App) -> u64 {
    let area = help_area(app);
    let lines = help_lines(app, usize::from(area.width.saturating_sub(4))).len();
    (lines as u64).saturating_sub(u64::from(area.height.saturating_sub(2)))
}

/// How far the digest can be scrolled.
pub fn digest_overflow(app: &App) -> u64 {
    let Some(Dialog::Digest(digest, _)) = &app.dialog else { return 0 };
    let area = help_area(app);
    let lines = digest::lines(digest, app.glyphs, usize::from(area.width.saturating_sub(4))).len();
    (lines as u64).saturating_sub(u64::from(area.height.saturating_sub(2)))
}

fn help_area(app: &App) -> Rect {
    super::centred(super::body(app), 110, 46)
}

/// A cell left free at both sides.
pub(super) fn padded(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}

pub(super) fn open(painter: &mut Painter<'_>, area: Rect, title: &str) -> Rect {
    painter.fill(area, Role::Dialog);
    painter.pane(area, title, "", true)
}

fn draw_help(app: &App, painter: &mut Painter<'_>, list: &List) {
    let area = help_area(app);
    let title = format!("Keys of the {} screen", app.screen.name());
    let inside = open_scrolled(app, painter, area, &title, list.offset, help_overflow(app));
    let lines = help_lines(app, usize::from(inside.width));
    let from = usize::try_from(list.offset).unwrap_or(0);
    painter.lines(inside, lines.iter().skip(from).map(Vec::as_slice));
}

/// Opens a dialog whose text may be longer than the dialog is high: if so, its frame says so, and how to see the rest.
fn open_scrolled(
    app: &App,
    painter: &mut Painter<'_>,
    area: Rect,
    title: &str,
    offset: u64,
    overflow: u64,
) -> Rect {
    painter.fill(area, Role::Dialog);
    let note = match (overflow, offset.min(overflow)) {
        (0, _) => String::new(),
        (_, 0) => format!("{} more below: down", text::count(overflow, "line")),
        (_, at) if at == overflow => format!("{} more above: up", text::count(at, "line")),
        (_, at) => format!("{at} more above, {} below: up, down", overflow - at),
    };
    let inside = painter.pane(area, title, &note, true);
    let edge = Rect { x: area.right().saturating_sub(1), width: 1, ..area };
    let (up, down) = (app.glyphs.more_above, app.glyphs.more_below);
    if offset > 0 {
        painter.text(edge.x, area.y + 1, 1, up, Role::Accent);
    }
    if offset < overflow {
        painter.text(edge.x, area.bottom().saturating_sub(2), 1, down, Role::Accent);
    }
    padded(inside)
}

fn draw_digest(app: &App, painter: &mut Painter<'_>, digest: &Digest, list: &List) {
    let title = format!("Since you left at {}", text::clock(digest.since_ms));
    let inside = open_scrolled(app, painter, help_area(app), &title, list.offset, digest_overflow(app));
    let lines = digest::lines(digest, app.glyphs, usize::from(inside.width));
    let from = usize::try_from(list.offset).unwrap_or(0);
    painter.lines(inside, lines.iter().skip(from).map(Vec::as_slice));
}

/// The help's lines: what applies on this screen first, then what applies everywhere.
fn help_lines(app: &App, width: usize) -> Vec<Vec<(String, Role)>> {
    let mut lines = Vec::new();
    for problem in &app.problems {
        for line in text::wrap(problem, width) {
            lines.push(vec![(line, Role::Warn)]);
        }
    }
    if app.options.read_only {
        let words = "This viewer may only look: what changes something in the lab is left out.";
        lines.extend(text::wrap(words, width).into_iter().map(|line| vec![(line, Role::Warn)]));
    }
    let mut scope = None;
    for command in command::offered(app).filter(|command| command.scope.is_on(app.screen)) {
        if scope != Some(command.scope) {
            if !lines.is_empty() {
                lines.push(Vec::new());
            }
            lines.push(vec![(command.scope.words(), Role::Accent)]);
            scope = Some(command.scope);
        }
        let keys = format!("{:<22}", text::fit(&keys(app, command), 21, app.glyphs.ellipsis));
        let name = format!("{:<18}", command.name);
        lines.push(vec![(keys, Role::Key), (name, Role::Strong), (command.what.into(), Role::Text)]);
    }
    lines
}

fn keys(app: &App, command: &Command) -> String {
    let keys: Vec<_> = app.keymap.keys(command).iter().map(ToString::to_string).collect();
    keys.join(" ")
}

fn draw_row(app: &App, painter: &mut Painter<'_>, line: Rect, row: &PaletteRow) {
    let command = row.command;
    let (name, keys) = match (&row.argument, command::argument(command)) {
        (Some(value), _) => (format!("{} {value}", command.name), String::new()),
        (None, Some(argument)) => (format!("{} {}", command.name, argument.name), keys(app, command)),
        (None, None) => (command.name.to_owned(), keys(app, command)),
    };
    let cells =
        [(name.as_str(), 22, Role::Strong), (keys.as_str(), 18, Role::Key), (command.what, 200, Role::Text)];
    let mut x = line.x;
    for (text, width, role) in cells {
        let room = line.right().saturating_sub(x).min(width);
        painter.text(x, line.y, room.saturating_sub(1), text, role);
        x += room;
    }
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
