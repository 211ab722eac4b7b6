//! Device lanes: one line per device; several columns of them if there are more devices than lines. Where they hang on
//! several hosts, those group them ([`hosts`](super::hosts)).

use ratatui::layout::Rect;

use super::hosts::{self, Blocks, Line};
use super::{Pane, position};
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
pub(super) const LEAST_CELL: u16 = 19;
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
    let blocks = Blocks::of(app, Pane::Devices.rows(frame));
    let rows = Pane::Devices.rows(frame);
    let grid = Grid::of(len, rows);
    let in_columns = blocks.as_ref().map_or(grid.columns, |blocks| blocks.columns) > 1;
    // Cells have room for a mark only: what it means on the device under the cursor is told above.
    let lacks = match app.device_at(app.devices.cursor) {
        Some(device) if in_columns && !device.lacks.is_empty() => {
            format!("{}: {}  ", device.serial, device.lacks.join(", "))
        }
        _ => String::new(),
    };
    let note = format!("{lacks}{sorted}{}", position(app.devices.cursor, len));
    let inner = painter.pane(frame, "Devices", &note, focused);
    if len == 0 && blocks.is_none() {
        let words = match app.view.devices.is_empty() {
            true => "No device yet. Plug one in, or check `droidmux doctor`.",
            false => "No device passes the filter. Esc takes it away.",
        };
        return painter.notice(inner, words);
    }
    let head = Rect { height: 1, ..inner };
    let places: Vec<(u64, Rect)> = match &blocks {
        Some(blocks) => {
            let mut places = Vec::new();
            for (line, place) in blocks.shown() {
                match line {
                    Line::Host(host) => hosts::draw_host(app, painter, place, host.as_deref()),
                    Line::Device(device, _) => places.push((device, place)),
                }
            }
            places
        }
        None => app.devices.visible(len, grid.capacity()).zip(grid.places(rows)).collect(),
    };
    match in_columns {
        true => draw_cells(app, painter, head, &places),
        false => draw_lines(app, painter, head, &places),
    }
}

/// A line for each device, with as many columns as there is room for.
fn draw_lines(app: &App, painter: &mut Painter<'_>, head: Rect, places: &[(u64, Rect)]) {
    let shown = (0..app.lab.devices.len() as u64).filter_map(|row| app.device_at(row));
    let all: Vec<_> = shown.map(|device| cells(app, device, painter.glyphs)).collect();
    let mut columns = fitted(&COLUMNS, &all);
    columns[SPARK].most = COLUMNS[SPARK].most;
    let placed = place(&columns, head.width);
    placed.headings(painter, &columns, head);
    for &(index, line) in places {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let (Some(device), Some(cells)) = (app.device_at(index), all.get(at)) else { continue };
        placed.cells(painter, &columns, line, cells);
        if let Some(cell) = placed.cell(line, SPARK) {
            painter.spark(Rect { width: cell.width.min(30), ..cell }, &device.steps);
        }
        if index == app.devices.cursor {
            painter.select(line, app.focus() == Pane::Devices);
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

    /// Where they stand, one after the other.
    fn places(self, rows: Rect) -> impl Iterator<Item = Rect> {
        let width = rows.width / self.columns;
        (0..self.capacity()).map(move |n| {
            let (column, down) = (n / self.height, n % self.height);
            Rect { x: rows.x + column * width, y: rows.y + down, width, height: 1 }
        })
    }

    /// Devices on screen.
    pub fn capacity(self) -> u16 {
        self.columns.saturating_mul(self.height)
    }
}

/// Sign and word, serial, session, rate and activity, as far as the cell's width allows. The line above counts what
/// there is, and says what the marks mean.
fn draw_cells(app: &App, painter: &mut Painter<'_>, head: Rect, places: &[(u64, Rect)]) {
    let focused = app.focus() == Pane::Devices;
    painter.text(head.x + 1, head.y, head.width.saturating_sub(2), &counts(app), Role::Heading);
    let grouped = hosts::are_grouped(app);
    for &(index, cell) in places {
        let Some(device) = app.device_at(index) else { continue };
        let (sign, word, role) = words::health(&device.health, painter.glyphs);
        // A narrow cell has no room for words: the line above counts what the signs mean.
        let wide = cell.width >= WIDE_CELL;
        let (sign, mark, role) = match (device.stuck, wide) {
            (true, true) => (sign, " stuck", Role::Warn),
            (true, false) => (STUCK, "", Role::Warn),
            (false, _) => (sign, "", role),
        };
        let lacking = if device.lacks.is_empty() { " " } else { painter.glyphs.lacking };
        let session = device.session.map(|id| format!(" {id}")).unwrap_or_default();
        let word = if wide { format!(" {word}") } else { String::new() };
        let rate = if device.session.is_some() { format!(" {}", rate(device)) } else { String::new() };
        let activity = format!(" {}", text::last_part(&device.activity));
        let name = if grouped { hosts::name(device) } else { device.serial.as_str() };
        let pieces = [
            (sign.to_owned(), role),
            (lacking.to_owned(), Role::Warn),
            (name.to_owned(), Role::Strong),
            (session, Role::Accent),
            (mark.to_owned(), role),
            (word, role),
            (rate, Role::Text),
            (activity.trim_end().to_owned(), Role::Dim),
        ];
        let pieces: Vec<_> = pieces.iter().map(|(text, role)| (text.as_str(), *role)).collect();
        painter.pieces(cell.x + 1, cell.y, cell.width.saturating_sub(1), &pieces);
        if index == app.devices.cursor {
            painter.select(Rect { width: cell.width.saturating_sub(1), ..cell }, focused);
        }
    }
}

/// `64 devices: 60 busy, 3 idle, 1 away, 2 stuck (!), 5 lack something (▿)`.
fn counts(app: &App) -> String {
    let shown: Vec<&DeviceView> =
        (0..app.lab.devices.len() as u64).filter_map(|row| app.device_at(row)).collect();
    let told = hosts::counts(&shown, app.glyphs);
    let marked = [
        (shown.iter().filter(|device| device.stuck).count(), "stuck", STUCK),
        (shown.iter().filter(|device| !device.lacks.is_empty()).count(), "lacking", app.glyphs.lacking),
    ];
    let marked = marked.iter().filter(|(count, ..)| *count > 0);
    marked.fold(told, |told, (count, word, mark)| format!("{told}, {count} {word} ({mark})"))
}

fn cells(app: &App, device: &DeviceView, glyphs: &Glyphs) -> [(String, Role); 11] {
    let (sign, word, role) = words::health(&device.health, glyphs);
    let (stuck, role) = if device.stuck { (", stuck", Role::Warn) } else { ("", role) };
    let lacks: String = device.lacks.iter().map(|lack| format!(", {lack}")).collect();
    let followed = if app.lab.followed.as_ref() == Some(&device.serial) { " followed" } else { "" };
    let name = if hosts::are_grouped(app) { hosts::name(device) } else { device.serial.as_str() };
    let job = device.job.as_ref().map(|(slot, work)| format!("{slot} {work}"));
    [
        (format!("{sign} {word}{stuck}{lacks}"), role),
        (format!("{name}{followed}"), Role::Strong),
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
