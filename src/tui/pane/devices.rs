//! Device lanes: one line per device; several columns of them if there are more devices than lines.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::columns::{Column, fitted, left, place, right};
use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::DeviceView;
use droidmux_words::figure;

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

/// The width of a device in several columns, and the width from which its state is given in a word.
const LEAST_CELL: u16 = 19;
const WIDE_CELL: u16 = 34;

/// Stands for a device that sees nothing new, if there is no room for the word.
const STUCK: &str = "!";

/// Dumps older than this are worth a warning.
const OLD_DUMP: u64 = 30_000;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Devices;
    let len = app.lab.devices.len() as u64;
    let sorted = match app.lab.arrangement.sort_devices {
        order if order == Default::default() => String::new(),
        order => format!("by {}  ", order.words()),
    };
    let note = format!("{sorted}{}", position(app.devices.cursor, len));
    let inner = painter.pane(frame, "Devices", &note, focused);
    let rows = Pane::Devices.rows(frame);
    if len == 0 {
        let words = match app.view.devices.is_empty() {
            true => "No device yet. Plug one in, or check `droidmux doctor`.",
            false => "No device passes the filter. Esc takes it away.",
        };
        return painter.notice(inner, words);
    }
    let grid = Grid::of(len, rows);
    if grid.columns > 1 {
        return draw_grid(app, painter, Rect { height: 1, ..inner }, rows, grid);
    }
    let shown = (0..len).filter_map(|row| app.device_at(row));
    let cells: Vec<_> = shown.map(|device| cells(app, device, painter.glyphs)).collect();
    let mut columns = fitted(&COLUMNS, &cells);
    columns[SPARK].most = COLUMNS[SPARK].most;
    let placed = place(&columns, rows.width);
    placed.headings(painter, &columns, Rect { height: 1, ..inner });
    for (n, index) in app.devices.visible(len, rows.height).enumerate() {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let (Some(device), Some(cells)) = (app.device_at(index), cells.get(at)) else { continue };
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

/// Devices side by side when there is no room for a line for each: they fill one column after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub columns: u16,
    pub height: u16,
}

impl Grid {
    /// The fewest columns that show all of this many devices, as far as they can be read.
    pub fn of(devices: u64, rows: Rect) -> Self {
        let height = rows.height.max(1);
        let needed = u16::try_from(devices.div_ceil(height.into())).unwrap_or(u16::MAX);
        Self { columns: needed.clamp(1, (rows.width / LEAST_CELL).max(1)), height }
    }

    /// How many rows this many devices take when they stand side by side as closely as can be read.
    pub fn height_for(devices: u64, width: u16) -> u16 {
        let columns = (width / LEAST_CELL).max(1);
        u16::try_from(devices.div_ceil(columns.into())).unwrap_or(u16::MAX)
    }

    /// Devices on screen.
    pub fn capacity(self) -> u16 {
        self.columns.saturating_mul(self.height)
    }
}

/// Sign and word, serial, session, rate and activity, as far as the cell's width allows. The line above counts what
/// there is.
fn draw_grid(app: &App, painter: &mut Painter<'_>, head: Rect, rows: Rect, grid: Grid) {
    let focused = app.focus() == Pane::Devices;
    painter.text(head.x + 1, head.y, head.width.saturating_sub(2), &counts(app), Role::Heading);
    let width = rows.width / grid.columns;
    let visible = app.devices.visible(app.lab.devices.len() as u64, grid.capacity());
    for (n, index) in (0..grid.capacity()).zip(visible) {
        let Some(device) = app.device_at(index) else { continue };
        let (column, down) = (n / grid.height, n % grid.height);
        let cell = Rect { x: rows.x + column * width, y: rows.y + down, width, height: 1 };
        let (sign, word, role) = words::health(&device.health, painter.glyphs);
        // A narrow cell has no room for words: the line above counts what the signs mean.
        let wide = width >= WIDE_CELL;
        let (sign, mark, role) = match (device.stuck, wide) {
            (true, true) => (sign, " stuck", Role::Warn),
            (true, false) => (STUCK, "", Role::Warn),
            (false, _) => (sign, "", role),
        };
        let session = device.session.map(|id| format!(" {id}")).unwrap_or_default();
        let word = if wide { format!(" {word}") } else { String::new() };
        let rate = if device.session.is_some() { format!(" {}", rate(device)) } else { String::new() };
        let activity = format!(" {}", text::last_part(&device.activity));
        let pieces = [
            (format!("{sign} "), role),
            (device.serial.clone(), Role::Strong),
            (session, Role::Accent),
            (mark.to_owned(), role),
            (word, role),
            (rate, Role::Text),
            (activity.trim_end().to_owned(), Role::Dim),
        ];
        let pieces: Vec<_> = pieces.iter().map(|(text, role)| (text.as_str(), *role)).collect();
        painter.pieces(cell.x + 1, cell.y, width.saturating_sub(1), &pieces);
        if index == app.devices.cursor {
            painter.select(Rect { width: width.saturating_sub(1), ..cell }, focused);
        }
    }
}

/// `64 devices: 60 busy, 3 idle, 1 away`.
fn counts(app: &App) -> String {
    let mut counts: Vec<(String, u64)> = Vec::new();
    let shown = (0..app.lab.devices.len() as u64).filter_map(|row| app.device_at(row));
    for device in shown {
        let (_, word, _) = words::health(&device.health, app.glyphs);
        // Words say why, too: the first one says what.
        let word = word.split([' ', ':', ',']).next().unwrap_or_default().to_owned();
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let stuck = (0..app.lab.devices.len() as u64).filter_map(|row| app.device_at(row));
    match stuck.filter(|device| device.stuck).count() as u64 {
        0 => {}
        stuck => counts.push((format!("stuck ({STUCK})"), stuck)),
    }
    let told: Vec<_> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    format!("{}: {}", figure::count(app.lab.devices.len(), "device"), told.join(", "))
}

fn cells(app: &App, device: &DeviceView, glyphs: &Glyphs) -> [(String, Role); 11] {
    let (sign, word, role) = words::health(&device.health, glyphs);
    let (stuck, role) = if device.stuck { (", stuck", Role::Warn) } else { ("", role) };
    let lacks: String = device.lacks.iter().map(|lack| format!(", {lack}")).collect();
    let followed = if app.lab.followed.as_ref() == Some(&device.serial) { " followed" } else { "" };
    let job = device.job.as_ref().map(|(slot, work)| format!("{slot} {work}"));
    [
        (format!("{sign} {word}{stuck}{lacks}"), role),
        (format!("{}{followed}", device.serial), Role::Strong),
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
        Some(age) if age >= OLD_DUMP => (figure::age(age), Role::Warn),
        Some(age) => (figure::age(age), Role::Dim),
        None => ("-".into(), Role::Dim),
    }
}
