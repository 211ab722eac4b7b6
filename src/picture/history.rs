//! History sheets: screens of past operations, left to right and top to bottom.

use image::RgbaImage;

use super::{Darkroom, PictureError, SMALLEST, Source, shot};
use droidmux_gui::Bounds;
use droidmux_paint::{Canvas, Color, Type, text_width};
use droidmux_record::Frame;
use droidmux_words::number::scaled;

/// The most screens on a sheet, the newest ones.
const MOST: usize = 30;

/// Pixels between screens, and the most lines of a caption.
const GAP: u32 = 8;
const LINES: u32 = 2;

const PAPER: Color = Color(245, 245, 245);
const BLANK: Color = Color(200, 200, 200);

/// How a sheet is divided.
#[derive(Clone, Copy, Debug)]
struct Grid {
    columns: u32,
    rows: u32,
    /// Largest width and height of a screen after scaling.
    screen: (u32, u32),
}

/// Draws a sheet of screens, each scaled after its marks are drawn.
pub(super) fn draw(
    frames: &[Frame],
    room: &Darkroom,
    source: &dyn Source,
    longest: u32,
) -> Result<RgbaImage, PictureError> {
    let frames = frames.get(frames.len().saturating_sub(MOST)..).unwrap_or_default();
    let sizes: Vec<_> = frames.iter().map(|frame| room.size(frame, source)).collect();
    let largest = sizes.iter().flatten().map(|(size, _)| *size).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
    let Some(largest) = largest else {
        return Err(sizes.into_iter().find_map(Result::err).unwrap_or(PictureError::Empty));
    };
    let kind = Type::of_digits(SMALLEST, false);
    let line = u32::from(kind.size) + u32::from(kind.size) / 4;
    let captioned = frames.iter().any(|frame| !frame.caption.is_empty());
    let caption = if captioned { line * LINES + GAP } else { 0 };
    let grid = Grid::of(frames.len(), largest, caption, longest);
    let (wide, high) = (grid.screen.0 + GAP, grid.screen.1 + caption + GAP);
    let mut sheet = Canvas::new(int(wide * grid.columns + GAP), int(high * grid.rows + GAP), PAPER);
    for (n, (frame, size)) in (0..).zip(frames.iter().zip(sizes)) {
        let at = (int(GAP + n % grid.columns * wide), int(GAP + n / grid.columns * high));
        let place = Bounds::new(at.0, at.1, at.0 + int(grid.screen.0), at.1 + int(grid.screen.1));
        let small = size
            .and_then(|(size, screen)| room.small(frame, screen, shot::scale_to(size, grid.screen), source));
        match small {
            Ok(small) => sheet.place(&small, at),
            Err(_) => {
                sheet.fill(place, BLANK);
                sheet.centered(place, "no picture", kind, Color::INK);
            }
        }
        for (n, text) in (1..).zip(lines(&frame.caption, kind, place.width())) {
            let base = place.bottom + n * int(line);
            sheet.text((place.left, base), &text, kind, place.width(), Color::INK);
        }
    }
    Ok(sheet.finish())
}

impl Grid {
    /// The number of columns at which the screens are largest.
    fn of(count: usize, (width, height): (u32, u32), caption: u32, longest: u32) -> Self {
        let count = u32::try_from(count).unwrap_or(1).max(1);
        let grids = (1..=count).map(|columns| {
            let rows = count.div_ceil(columns);
            let room = |cells: u32, lost: u32| {
                (longest.saturating_sub(GAP) / cells).saturating_sub(GAP + lost).max(1)
            };
            let (wide, high) = (room(columns, 0), room(rows, caption));
            let scale =
                (f64::from(wide) / f64::from(width)).min(f64::from(high) / f64::from(height)).min(1.0);
            (scale, Grid { columns, rows, screen: (scaled(width, scale), scaled(height, scale)) })
        });
        let best = grids.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.columns.cmp(&a.1.columns)));
        best.map_or(Grid { columns: 1, rows: 1, screen: (1, 1) }, |(_, grid)| grid)
    }
}

/// A caption split into lines; the last one takes the rest, and is cut when it is drawn.
fn lines(caption: &str, kind: Type, room: i32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in caption.chars().take(400).collect::<String>().split_whitespace() {
        let full = lines.len() == LINES as usize;
        let Some(line) = lines.last_mut() else { break };
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if full || line.is_empty() || text_width(&longer, kind) <= room {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn int(length: u32) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_divided_so_that_screens_are_largest() {
        let cases = [
            (1, (1080, 2400), 1568, (1, 1)),
            (2, (1080, 2400), 1568, (2, 1)),
            (9, (1080, 2400), 1568, (5, 2)),
            (9, (2400, 1080), 1568, (2, 5)),
            (4, (100, 100), 1568, (1, 4)),
            (30, (1080, 1920), 1024, (8, 4)),
        ];
        for (count, size, longest, expected) in cases {
            let grid = Grid::of(count, size, 40, longest);
            assert_eq!((grid.columns, grid.rows), expected, "{count} {size:?}");
            assert!(grid.rows * (grid.screen.1 + 40 + GAP) + GAP <= longest, "{grid:?}");
            assert!(grid.columns * (grid.screen.0 + GAP) + GAP <= longest, "{grid:?}");
        }
    }

    #[test]
    fn captions_are_broken_between_words() {
        let kind = Type::of_digits(SMALLEST, false);
        let caption = "add a new entry to the list of today";
        let cases: [(&str, i32, &[&str]); 4] = [
            ("", 100, &[""]),
            ("one", 100, &["one"]),
            (caption, text_width("add a new entry", kind), &["add a new entry", "to the list of today"]),
            ("onelongwordalone", 20, &["onelongwordalone"]),
        ];
        for (caption, room, expected) in cases {
            assert_eq!(lines(caption, kind, room), expected, "{caption:?}");
        }
    }
}
