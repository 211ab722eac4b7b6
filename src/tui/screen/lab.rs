//! The Lab screen.
//!
//! ```text
//! ╭ Devices ──────────────────────────────────────────────────────────────────────────────── 1/4 ╮
//! │ health   device          model    android  session  job      activity      steps/min  minute │
//! │▌● busy   emulator-5554   Pixel 7  13       s1       j12 mut… DiaryActivity      34.2  ▂▃▅▆▇█ │
//! │ ○ idle   emulator-5556   Pixel 7  13                                               -         │
//! ╰──────────────────────────────────────────────────────────────────────────────────────────────╯
//! ╭ s1 genie org.diary ──────────────────── 1/2 ╮╭ s2 genie org.files ──────────────────── 2/2 ╮
//! │ ▶ running  running mutants  ████░░░  62 %   ││                                              │
//! │ 34.2 steps/min │ 12:04 gone │ 6:10 left     ││                                              │
//! │ 2 findings │ 1 confirmed                    ││                                              │
//! │ layout drawn   │  1,203 + click Button #save││                                              │
//! │ small          │  1,204   back              ││                                              │
//! │ seeds 20 → mutants 412 → run 124 → …        ││                                              │
//! ╰─────────────────────────────────────────────╯╰──────────────────────────────────────────────╯
//! ```

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use crate::app::App;
use crate::pane::Pane;
use crate::pane::devices::Grid;
use crate::pane::hosts::Blocks;
use droidmux_words::number::{real, whole};

/// Cells a tile needs.
const TILE: (u16, u16) = (62, 12);

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    if app.lab.zoomed {
        return vec![(Pane::Tiles, body)];
    }
    let arrangement = &app.lab.arrangement;
    let devices = app.view.devices.len() as u64;
    let width = body.width.saturating_sub(2);
    let in_lines = u16::try_from(devices).unwrap_or(u16::MAX);
    let (in_lines, in_columns) =
        Blocks::heights(app, width).unwrap_or_else(|| (in_lines, Grid::height_for(devices, width)));
    let wanted = in_lines.saturating_add(3).max(4);
    // In columns, so that all of a large number are seen, if half of the screen is enough for that.
    let in_columns = in_columns.saturating_add(3);
    let usual = wanted.min((body.height / 3).max(5).max(in_columns.min(body.height / 2)));
    let devices =
        usual.saturating_add_signed(arrangement.more_devices).clamp(4, body.height.saturating_sub(5).max(4));
    let sessions = if arrangement.table { Pane::Sessions } else { Pane::Tiles };
    vec![
        (Pane::Devices, Rect { height: devices, ..body }),
        (sessions, Rect { y: body.y + devices, height: body.height.saturating_sub(devices), ..body }),
    ]
}

/// How the devices on screen stand, where they are not grouped.
pub fn device_grid(app: &App) -> Grid {
    Grid::of(app.lab.devices.len() as u64, device_rows(app))
}

/// How many devices can be on screen.
pub fn device_room(app: &App) -> u16 {
    match Blocks::of(app, device_rows(app)) {
        // They keep the cursor in view by themselves.
        Some(_) => u16::MAX,
        None => device_grid(app).capacity(),
    }
}

/// How many devices further the one beside stands; `None` where they stand in one column.
pub fn device_aside(app: &App) -> Option<u64> {
    match Blocks::of(app, device_rows(app)) {
        Some(blocks) => (blocks.columns > 1).then(|| blocks.aside(app.devices.cursor)),
        None => {
            let grid = device_grid(app);
            (grid.columns > 1).then_some(grid.height.into())
        }
    }
}

fn device_rows(app: &App) -> Rect {
    let frame = super::frames(app).into_iter().find(|(pane, _)| *pane == Pane::Devices);
    frame.map_or(Rect::default(), |(pane, frame)| pane.rows(frame))
}

/// The row of the device at a place.
pub fn device_row(app: &App, rows: Rect, at: Position) -> u64 {
    if let Some(blocks) = Blocks::of(app, rows) {
        return blocks.at(at).unwrap_or(app.devices.cursor);
    }
    let grid = device_grid(app);
    let width = (rows.width / grid.columns).max(1);
    let column = (at.x.saturating_sub(rows.x) / width).min(grid.columns - 1);
    app.devices.offset + u64::from(column * grid.height + at.y.saturating_sub(rows.y))
}

/// The tiles on screen: rows of the sessions shown, with their places.
pub fn tiles(app: &App) -> Vec<(usize, Rect)> {
    let Some(area) = area(app) else { return Vec::new() };
    let (columns, rows) = grid(app, area);
    let visible = visible_tiles(app);
    let place = |n: usize| {
        let (column, row) = (n % columns, n / columns);
        let cut =
            |whole: u16, n: usize, of: usize| u16::try_from(usize::from(whole) * n / of).unwrap_or(whole);
        let (left, right) = (cut(area.width, column, columns), cut(area.width, column + 1, columns));
        let (top, bottom) = (cut(area.height, row, rows), cut(area.height, row + 1, rows));
        Rect { x: area.x + left, y: area.y + top, width: right - left, height: bottom - top }
    };
    visible.clone().map(|session| (session, place(session - visible.start))).collect()
}

/// The sessions whose tiles are on screen: the page the cursor is on.
pub fn visible_tiles(app: &App) -> Range<usize> {
    let Some(area) = area(app) else { return 0..0 };
    let (columns, rows) = grid(app, area);
    let page = columns * rows;
    let first = usize::try_from(app.tiles.cursor).unwrap_or(0) / page * page;
    first..(first + page).min(app.lab.shown.len()).max(first)
}

pub fn tile_at(app: &App, at: Position) -> Option<usize> {
    tiles(app).into_iter().find(|(_, place)| place.contains(at)).map(|(n, _)| n)
}

/// How many tiles stand side by side.
pub fn tile_columns(app: &App) -> usize {
    area(app).map_or(1, |area| grid(app, area).0)
}

fn area(app: &App) -> Option<Rect> {
    super::frames(app).into_iter().find(|(pane, _)| *pane == Pane::Tiles).map(|(_, area)| area)
}

/// Columns and rows: as few holes as possible, then tiles about three times as wide as high.
fn grid(app: &App, area: Rect) -> (usize, usize) {
    if app.lab.zoomed {
        return (1, 1);
    }
    let sessions = app.lab.shown.len().max(1);
    let most_columns = usize::from(area.width / TILE.0).max(1);
    let most_rows = usize::from(area.height / TILE.1).max(1);
    let shape = |columns: usize| {
        let rows = sessions.div_ceil(columns).min(most_rows);
        let hidden = sessions.saturating_sub(columns * rows);
        let holes = (columns * rows).saturating_sub(sessions);
        let aspect = f64::from(area.width) * real(rows) / (f64::from(area.height) * real(columns));
        let off = whole(((aspect / 3.0).ln().abs() * 1_000.0).floor());
        ((hidden, holes, off), (columns, rows))
    };
    (1..=most_columns).map(shape).min().map_or((1, 1), |(_, grid)| grid)
}
