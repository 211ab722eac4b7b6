//! The terminal's cursor and style, and the shortest bytes that change them.

use std::io::Write;

use ratatui::buffer::{Cell, CellWidth};
use ratatui::style::{Color, Modifier};

/// Where the terminal's cursor is, and in which style it writes.
#[derive(Debug)]
pub struct Pen {
    /// Row and column; `None` when that is not known.
    pub at: Option<(usize, usize)>,
    fg: Color,
    bg: Color,
    underline: Color,
    modifier: Modifier,
}

impl Default for Pen {
    /// A pen after `ESC [ 0 m`.
    fn default() -> Self {
        Self {
            at: None,
            fg: Color::Reset,
            bg: Color::Reset,
            underline: Color::Reset,
            modifier: Modifier::empty(),
        }
    }
}

const MODIFIERS: [(Modifier, &str); 9] = [
    (Modifier::BOLD, "1"),
    (Modifier::DIM, "2"),
    (Modifier::ITALIC, "3"),
    (Modifier::UNDERLINED, "4"),
    (Modifier::SLOW_BLINK, "5"),
    (Modifier::RAPID_BLINK, "6"),
    (Modifier::REVERSED, "7"),
    (Modifier::HIDDEN, "8"),
    (Modifier::CROSSED_OUT, "9"),
];

impl Pen {
    /// Brings the cursor to a place.
    pub fn go(&mut self, bytes: &mut Vec<u8>, row: usize, column: usize) {
        // Into a vector: writing cannot fail.
        let _ = match self.at {
            Some(at) if at == (row, column) => Ok(()),
            Some((y, x)) if y == row && x + 1 == column => write!(bytes, "\x1b[C"),
            Some((y, x)) if y == row && x < column => write!(bytes, "\x1b[{}C", column - x),
            _ => write!(bytes, "\x1b[{};{}H", row + 1, column + 1),
        };
        self.at = Some((row, column));
    }

    /// Whether a cell looks right in the style as it is.
    pub fn has(&self, cell: &Cell) -> bool {
        let plain = cell.symbol() == " " && !cell.modifier.intersects(VISIBLE_ON_BLANKS);
        let same_paper = cell.bg == self.bg;
        if plain {
            return same_paper && !self.modifier.intersects(VISIBLE_ON_BLANKS);
        }
        same_paper && cell.fg == self.fg && cell.modifier == self.modifier && self.has_underline(cell)
    }

    /// Writes a cell at the cursor.
    pub fn put(&mut self, bytes: &mut Vec<u8>, cell: &Cell) {
        if !self.has(cell) {
            self.dip(bytes, cell);
        }
        bytes.extend_from_slice(cell.symbol().as_bytes());
        let mut chars = cell.symbol().chars();
        let simple = matches!((chars.next(), chars.next()), (Some(' '..), None));
        // Terminals disagree on the width of clusters; images leave the cursor anywhere.
        self.at = match (self.at, simple) {
            (Some((row, column)), true) => Some((row, column + usize::from(cell.cell_width().max(1)))),
            _ => None,
        };
    }

    fn has_underline(&self, cell: &Cell) -> bool {
        !cell.modifier.contains(Modifier::UNDERLINED) || cell.underline_color == self.underline
    }

    fn dip(&mut self, bytes: &mut Vec<u8>, cell: &Cell) {
        let mut codes = String::new();
        let mut add = |code: &str| {
            if !codes.is_empty() {
                codes.push(';');
            }
            codes.push_str(code);
        };
        if !cell.modifier.contains(self.modifier) {
            add("0");
            *self = Self { at: self.at, ..Self::default() };
        }
        for (modifier, code) in MODIFIERS {
            if cell.modifier.contains(modifier) && !self.modifier.contains(modifier) {
                add(code);
            }
        }
        self.modifier = cell.modifier;
        if cell.bg != self.bg {
            add(&colour(cell.bg, 40));
            self.bg = cell.bg;
        }
        // Ink does not show on a blank.
        let blank = cell.symbol() == " " && !cell.modifier.intersects(VISIBLE_ON_BLANKS);
        if cell.fg != self.fg && !blank {
            add(&colour(cell.fg, 30));
            self.fg = cell.fg;
        }
        if !self.has_underline(cell) {
            add(&underline(cell.underline_color));
            self.underline = cell.underline_color;
        }
        let _ = write!(bytes, "\x1b[{codes}m");
    }
}

/// What shows where there is no character.
const VISIBLE_ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

/// The code of a colour; `base` is 30 for ink and 40 for paper.
fn colour(colour: Color, base: u8) -> String {
    let dark = |n: u8| (base + n).to_string();
    let light = |n: u8| (base + 60 + n).to_string();
    match colour {
        Color::Reset => dark(9),
        Color::Black => dark(0),
        Color::Red => dark(1),
        Color::Green => dark(2),
        Color::Yellow => dark(3),
        Color::Blue => dark(4),
        Color::Magenta => dark(5),
        Color::Cyan => dark(6),
        Color::Gray => dark(7),
        Color::DarkGray => light(0),
        Color::LightRed => light(1),
        Color::LightGreen => light(2),
        Color::LightYellow => light(3),
        Color::LightBlue => light(4),
        Color::LightMagenta => light(5),
        Color::LightCyan => light(6),
        Color::White => light(7),
        Color::Indexed(n) => format!("{};5;{n}", base + 8),
        Color::Rgb(red, green, blue) => format!("{};2;{red};{green};{blue}", base + 8),
    }
}

/// The colour of an underline, which has no short codes.
fn underline(colour: Color) -> String {
    match colour {
        Color::Indexed(n) => format!("58;5;{n}"),
        Color::Rgb(red, green, blue) => format!("58;2;{red};{green};{blue}"),
        _ => "59".to_owned(),
    }
}
