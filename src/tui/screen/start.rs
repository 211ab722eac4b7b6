//! The form in which a session is started.
//!
//! ```text
//! ╭ Start a session ─────────────────────────────────────────────────────────╮
//! │ file     diary▏                                                          │
//! │▌  sessions/diary-genie.toml      genie org.diary, 2000 events, sim       │
//! │ ✗ sessions/diary-wrong.toml      line 4: unknown field `max-event`       │
//! │ devices  any                                                             │
//! │ events   as in the file                                                  │
//! │ time     no limit                                                        │
//! │ tab next field, space picks a device, enter starts, esc leaves           │
//! ╰──────────────────────────────────────────────────────────────────────────╯
//! ```

use ratatui::layout::{Position, Rect};

use super::dialog::{draw_input, open, padded};
use super::rows::rows;
use crate::app::{App, Prompt, StartField, StartForm};
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::{SessionFileView, StartFault};

/// Cells of the names of the fields.
const NAMES: u16 = 9;
/// The most rows of the list under a field.
const ROWS: u16 = 8;
/// Rows of what is wrong.
const FAULT: u16 = 3;
/// Cells of a file's name, if there is room.
const FILE: u16 = 36;
/// Cells of a serial, and of a model.
const SERIAL: u16 = 20;
const MODEL: u16 = 16;

/// Draws it; gives the place of the text cursor.
pub fn draw(app: &App, painter: &mut Painter<'_>, form: &StartForm) -> Option<Position> {
    let body = super::body(app);
    let rows = match form.field {
        StartField::File => form.matching(&app.session_files).len().max(1),
        StartField::Devices => app.view.devices.len().max(1),
        StartField::Events | StartField::Time => 0,
    };
    let room = body.height.saturating_sub(2 + 4 + FAULT + 1);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(ROWS).min(room);
    let area = super::centred(body, 96, 2 + 4 + rows + FAULT + 1);
    let inside = padded(open(painter, area, "Start a session"));
    let mut y = inside.y;
    let mut cursor = None;
    for (field, name) in [
        (StartField::File, "file"),
        (StartField::Devices, "devices"),
        (StartField::Events, "events"),
        (StartField::Time, "time"),
    ] {
        let line = Rect { y, height: 1, ..inside };
        let chosen = field == form.field;
        let sign = if chosen { painter.glyphs.cursor } else { " " };
        painter.text(line.x.saturating_sub(1), y, 1, sign, Role::Accent);
        painter.text(line.x, y, NAMES, name, if chosen { Role::Strong } else { Role::Dim });
        let value = Rect { x: line.x + NAMES, width: line.width.saturating_sub(NAMES), ..line };
        let typed = draw_value(app, painter, value, form, field);
        cursor = cursor.or(typed.filter(|_| chosen));
        y += 1;
        if chosen && rows > 0 {
            let list = Rect { y, height: rows, ..inside };
            match field {
                StartField::File => draw_files(app, painter, list, form),
                _ => draw_devices(app, painter, list, form),
            }
            y += rows;
        }
    }
    let below = Rect { y, height: inside.bottom().saturating_sub(y), ..inside };
    draw_fault(app, painter, below, form);
    cursor
}

/// What a field holds, or what it means if it is empty.
fn draw_value(
    app: &App,
    painter: &mut Painter<'_>,
    value: Rect,
    form: &StartForm,
    field: StartField,
) -> Option<Position> {
    let (input, empty): (&Prompt, &str) = match field {
        StartField::File => (&form.file, "a part of a name, or a path"),
        StartField::Events => (&form.events, "as in the file; or a number: 2000"),
        StartField::Time => (&form.time, "no limit; or 10h, 30m"),
        StartField::Devices => {
            let picked: Vec<&str> = form.picked.iter().map(String::as_str).collect();
            let (words, role) = match picked.as_slice() {
                [] => ("any that are free".to_owned(), Role::Dim),
                some => (some.join(", "), Role::Strong),
            };
            painter.text(
                value.x,
                value.y,
                value.width,
                &text::fit(&words, value.width.into(), app.glyphs.ellipsis),
                role,
            );
            return None;
        }
    };
    if input.value().is_empty() {
        painter.text(value.x + 1, value.y, value.width.saturating_sub(1), empty, Role::Dim);
    }
    draw_input(painter, value, "", input)
}

fn draw_files(app: &App, painter: &mut Painter<'_>, area: Rect, form: &StartForm) {
    let files = form.matching(&app.session_files);
    if files.is_empty() {
        let why = match (app.session_files.is_empty(), form.file.value().is_empty()) {
            (true, true) => "no session file in sessions/ or here: type the path of one",
            _ => "no file of that name in sessions/ or here: it is taken for a path",
        };
        painter.text(area.x + 2, area.y, area.width.saturating_sub(2), why, Role::Dim);
        return;
    }
    rows(painter, area, form.files, files.len(), |painter, line, n| {
        let Some(file) = files.get(n) else { return };
        let (sign, words, role) = match &file.fault {
            None => (" ", file.words.clone(), Role::Dim),
            Some(fault) => (painter.glyphs.bad, told(fault), Role::Bad),
        };
        let name = text::fit_end(&file.path, FILE.into(), painter.glyphs.ellipsis);
        painter.text(line.x, line.y, 1, sign, role);
        painter.text(line.x + 2, line.y, line.width.saturating_sub(2).min(FILE), &name, Role::Text);
        let x = line.x + 2 + FILE + 1;
        painter.text(x, line.y, line.right().saturating_sub(x), &words, role);
    });
}

/// What is wrong with a file, and on which of its lines.
fn told(fault: &StartFault) -> String {
    match &fault.place {
        Some(place) => format!("line {}: {}", place.line, fault.what),
        None => fault.what.clone(),
    }
}

fn draw_devices(app: &App, painter: &mut Painter<'_>, area: Rect, form: &StartForm) {
    if app.view.devices.is_empty() {
        painter.text(area.x + 2, area.y, area.width.saturating_sub(2), "this lab has no device", Role::Dim);
        return;
    }
    rows(painter, area, form.devices, app.view.devices.len(), |painter, line, n| {
        let Some(device) = app.view.devices.get(n) else { return };
        let sign = if form.picked.contains(&device.serial) { "[x]" } else { "[ ]" };
        let (_, health, role) = words::health(&device.health, app.glyphs);
        let session = device.session.map(|id| format!(", works for {id}")).unwrap_or_default();
        let serial = text::fit_end(&device.serial, SERIAL.into(), painter.glyphs.ellipsis);
        let cells =
            [(sign, 3, Role::Accent), (&serial, SERIAL, Role::Text), (&device.model, MODEL, Role::Dim)];
        let mut x = line.x;
        for (text, width, role) in cells {
            painter.text(x, line.y, line.right().saturating_sub(x).min(width), text, role);
            x += width + 1;
        }
        painter.text(x, line.y, line.right().saturating_sub(x), &format!("{health}{session}"), role);
    });
}

/// What is wrong with what was chosen, and the line where it stands; then the keys.
fn draw_fault(app: &App, painter: &mut Painter<'_>, area: Rect, form: &StartForm) {
    let shown = chosen(app, form).and_then(|file| file.fault.as_ref().map(|fault| (&file.path, fault)));
    let own = form.fault.as_ref().map(|fault| (None, fault));
    let fault = own.or_else(|| shown.map(|(path, fault)| (Some(path), fault)));
    let width = usize::from(area.width);
    let mut lines: Vec<(String, Role)> = Vec::new();
    if let Some((_, fault)) = fault {
        let words = match &fault.place {
            Some(place) => format!("{}:{}: {}", place.path, place.line, fault.what),
            None => fault.what.clone(),
        };
        let line = fault.place.as_ref().map(|place| format!("{:>5} | {}", place.line, place.text.trim_end()));
        let room = usize::from(FAULT) - usize::from(line.is_some());
        lines.extend(text::wrap(&words, width).into_iter().take(room).map(|line| (line, Role::Bad)));
        lines.extend(line.map(|line| (line, Role::Text)));
    } else if form.asked.is_some() {
        lines.push(("It is being started.".into(), Role::Good));
    }
    let keys = match form.field {
        StartField::Devices => "space picks, tab next field, enter starts, esc leaves",
        _ => "tab next field, enter starts, esc leaves",
    };
    for (y, (line, role)) in (area.top()..area.bottom().saturating_sub(1)).zip(&lines) {
        painter.text(area.x, y, area.width, line, *role);
    }
    painter.text(area.x, area.bottom().saturating_sub(1), area.width, keys, Role::Dim);
}

/// The file that is meant, if it is one in the list.
fn chosen<'a>(app: &'a App, form: &StartForm) -> Option<&'a SessionFileView> {
    let path = form.path(&app.session_files);
    app.session_files.iter().find(|file| file.path == path)
}
