//! Device lanes: one line a device.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::proto::DeviceView;
use crate::tui::app::App;
use crate::tui::columns::{Column, fitted, left, place, right};
use crate::tui::glyphs::Glyphs;
use crate::tui::paint::Painter;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::words;

const COLUMNS: [Column; 11] = [
    left("health", 7, 34, 0),
    left("device", 13, 24, 0),
    left("model", 7, 18, 6),
    left("android", 7, 8, 7),
    left("session", 7, 8, 1),
    left("job", 6, 16, 4),
    left("lease", 5, 14, 9),
    left("activity", 10, 44, 3),
    right("steps/min", 9, 9, 2),
    left("last minute", 12, 30, 8),
    right("dump", 6, 8, 5),
];
const SPARK: usize = 9;

/// Dumps older than this are worth a warning.
const OLD_DUMP: u64 = 30_000;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Devices;
    let devices = &app.view.devices;
    let note = position(app.devices.cursor, devices.len() as u64);
    let inner = painter.pane(frame, "Devices", &note, focused);
    let rows = Pane::Devices.rows(frame);
    if devices.is_empty() {
        return painter.notice(inner, "No device yet. Plug one in, or check `droidmux doctor`.");
    }
    let cells: Vec<_> = devices.iter().map(|device| cells(device, painter.glyphs)).collect();
    let mut columns = fitted(&COLUMNS, &cells);
    columns[SPARK].most = COLUMNS[SPARK].most;
    let placed = place(&columns, rows.width);
    placed.headings(painter, &columns, Rect { height: 1, ..inner });
    for (n, index) in app.devices.visible(devices.len() as u64, rows.height).enumerate() {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let (Some(device), Some(cells)) = (devices.get(at), cells.get(at)) else { continue };
        let line = row(rows, n as u64);
        placed.cells(painter, &columns, line, cells);
        if let Some(cell) = placed.cell(line, SPARK) {
            painter.spark(Rect { width: cell.width.min(30), ..cell }, &device.steps);
        }
        if index == app.devices.cursor {
            painter.select(line, focused);
        }
    }
}

fn cells(device: &DeviceView, glyphs: &Glyphs) -> [(String, Role); 11] {
    let (sign, word, role) = words::health(&device.health, glyphs);
    let (stuck, role) = if device.stuck { (", stuck", Role::Warn) } else { ("", role) };
    let job = device.job.as_ref().map(|(slot, work)| format!("{slot} {work}"));
    [
        (format!("{sign} {word}{stuck}"), role),
        (device.serial.clone(), Role::Strong),
        (device.model.clone(), Role::Text),
        (device.android.clone(), Role::Text),
        (device.session.map(|id| id.to_string()).unwrap_or_default(), Role::Accent),
        (job.unwrap_or_default(), Role::Text),
        (device.lease.clone().unwrap_or_default(), Role::Dim),
        (text::last_part(&device.activity).to_string(), Role::Text),
        (rate(device), Role::Text),
        (String::new(), Role::Spark),
        dump_age(device),
    ]
}

fn rate(device: &DeviceView) -> String {
    if device.session.is_some() && device.steps_per_minute > 0.0 {
        format!("{:.1}", device.steps_per_minute)
    } else {
        "-".into()
    }
}

fn dump_age(device: &DeviceView) -> (String, Role) {
    match device.dump_age_ms {
        Some(age) if age >= OLD_DUMP => (text::age(age), Role::Warn),
        Some(age) => (text::age(age), Role::Dim),
        None => ("-".into(), Role::Dim),
    }
}
