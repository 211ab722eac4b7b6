//! The event trace: one line per step, however many there are.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::columns::{Column, Placed, left, place, right};
use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{Lens, StepView};
use droidmux_words::figure::thousands;
use droidmux_words::printable;

const RECEIVER: usize = 5;
const DEVICE: usize = 8;
const ROOMY: u16 = 80;
const COLUMNS: [Column; 10] = [
    right("step", 6, 9, 2),
    left("test", 6, 9, 3),
    left("work", 7, 7, 7),
    left("", 1, 1, 0),
    left("event", 10, 12, 0),
    left("receiver", 16, 60, 0),
    left("found", 12, 14, 1),
    left("activity", 12, 28, 5),
    left("device", 6, 16, 3),
    right("ms", 6, 6, 6),
];

/// With room to spare, what was acted on matters more than the lesser columns.
fn columns(width: u16) -> [Column; 10] {
    let mut columns = COLUMNS;
    if width >= ROOMY {
        columns[RECEIVER].least = 34;
    }
    columns
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Trace;
    let session = &app.session;
    let follows = if session.follows { "following" } else { "f follows" };
    let note = format!("{}  {follows}", position(session.trace.cursor, session.steps.len()));
    let inside = painter.pane(frame, &title(&session.lens), &note, focused);
    let rows = Pane::Trace.rows(frame);
    if session.steps.len() == 0 {
        let steps = app.current_session().map_or(0, |session| session.steps);
        let looked = session.lens_looked;
        let why = match session.lens {
            Lens::All => "No step yet.".to_owned(),
            Lens::Holding { .. } if looked >= steps => {
                "No step has these words. Esc takes them away.".to_owned()
            }
            Lens::Holding { .. } => {
                format!("{} of {} steps looked through.", thousands(looked), thousands(steps))
            }
            Lens::Test { .. } | Lens::Device(_) => "Its steps are looked up.".to_owned(),
        };
        return painter.notice(inside, &why);
    }
    let columns = columns(rows.width);
    let placed = place(&columns, rows.width);
    placed.headings(painter, &columns, Rect { height: 1, ..inside });
    for (n, index) in session.trace.visible(session.steps.len(), rows.height).enumerate() {
        let line = row(rows, n as u64);
        match session.steps.get(index) {
            Some(step) => draw_step(painter, &placed, line, step, app.is_bookmarked(step.seq)),
            None => placed.put(painter, &COLUMNS, line, 0, &thousands(index), Role::Dim),
        }
        if index == session.trace.cursor {
            painter.select(line, focused);
        }
    }
}

/// Whose steps these are.
fn title(lens: &Lens) -> String {
    match lens {
        Lens::All => "Trace".into(),
        Lens::Test { slot, test } => format!("Trace of {slot}/{test} only"),
        Lens::Device(serial) => format!("Trace on {} only", text::fit(serial, 24, "…")),
        Lens::Holding { words, within } => {
            format!("{} with “{}”", title(within), text::fit(words, 24, "…"))
        }
    }
}

fn draw_step(painter: &mut Painter<'_>, placed: &Placed, line: Rect, step: &StepView, marked: bool) {
    let (sign, sign_role) = sign(step, painter.glyphs);
    let role = match step {
        step if step.event == "reset" => Role::Accent,
        step if step.inserted => Role::Inserted,
        _ => Role::Text,
    };
    let (receiver, receiver_role) = match (step.signals.first(), &step.toast) {
        (Some(signal), _) => (signal.clone(), Role::Bad),
        (None, Some(toast)) => (format!("{} “{}”", step.receiver, printable(toast)), Role::Text),
        (None, None) => (step.receiver.clone(), Role::Text),
    };
    let unsettled = if step.settled { "" } else { " unsettled" };
    let found_role = if step.failed || !step.settled { Role::Warn } else { Role::Dim };
    let (activity, activity_role) = match step.in_app {
        true => (text::last_part(&step.activity).to_string(), Role::Text),
        false => (format!("left: {}", text::last_part(&step.activity)), Role::Warn),
    };
    // Serials differ at their ends.
    let room = placed.cell(line, DEVICE).map_or(0, |cell| usize::from(cell.width));
    let device = text::fit_end(&step.device, room, painter.glyphs.ellipsis);
    let number = if marked { format!("*{}", thousands(step.seq)) } else { thousands(step.seq) };
    let cells = [
        (number, if marked { Role::Accent } else { Role::Dim }),
        (format!("{}/{}", step.slot, step.test), Role::Dim),
        (step.work.clone(), Role::Dim),
        (sign.into(), sign_role),
        (step.event.clone(), role),
        (receiver, receiver_role),
        (format!("{}{unsettled}", step.outcome), found_role),
        (activity, activity_role),
        (device, Role::Dim),
        (thousands(step.took_ms.into()), Role::Dim),
    ];
    placed.cells(painter, &COLUMNS, line, &cells);
}

/// What is special about a step, in one cell: a crash takes precedence over a failure, a failure over an insertion.
pub fn sign(step: &StepView, glyphs: &Glyphs) -> (&'static str, Role) {
    match step {
        step if !step.signals.is_empty() => (glyphs.bad, Role::Bad),
        step if step.failed => (glyphs.unsure, Role::Warn),
        step if step.inserted => (glyphs.inserted, Role::Inserted),
        step if !step.settled => (glyphs.unsettled, Role::Warn),
        _ => (" ", Role::Dim),
    }
}
