//! What the screen is to show, what it shows, and the bytes from one to the other, in pieces.
//!
//! In: whole drawings. Out: as many bytes as the link takes, first those that a person is waiting for. A newer drawing
//! replaces whatever part of an older one is not out yet, so nothing queues up: a slow link shows fewer states, not old
//! ones.

use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};
use ratatui::layout::{Position, Rect};

use super::link::Urgency;
use super::pen::Pen;

/// Bytes around a piece: begin and end of a synchronised update.
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";
/// Cells that may be written again to save a movement of the cursor.
const BRIDGE: usize = 3;

/// The screen on both sides of the link.
pub struct Canvas {
    wanted: Buffer,
    /// What the terminal was sent; `None` where that is not known.
    shown: Vec<Option<Cell>>,
    /// Cells that a person waits for.
    echo: Vec<bool>,
    /// Rows that may differ, by urgency: echo, moves.
    rows: Vec<[bool; 2]>,
    cursor: Option<Position>,
    shown_cursor: Option<Position>,
    pen: Pen,
    /// Everything is to be wiped before the next piece.
    wipe: bool,
}

impl Canvas {
    /// An empty canvas on a screen of which nothing is known.
    pub fn new(area: Rect) -> Self {
        let cells = usize::from(area.width) * usize::from(area.height);
        Self {
            wanted: Buffer::empty(area),
            shown: vec![None; cells],
            echo: vec![false; cells],
            rows: vec![[true; 2]; area.height.into()],
            cursor: None,
            shown_cursor: None,
            pen: Pen::default(),
            wipe: true,
        }
    }

    /// Takes over a drawing; what differs from the previous one is this urgent.
    pub fn show(&mut self, drawn: Buffer, cursor: Option<Position>, urgency: Urgency) {
        if drawn.area != self.wanted.area {
            *self = Self::new(drawn.area);
        }
        let width = self.width();
        let mut uncovered = false;
        let cells = drawn.content.iter().zip(&self.wanted.content).zip(&mut self.echo).enumerate();
        for (n, ((new, old), echo)) in cells {
            if new != old {
                uncovered |= is_skipped(new) && !is_skipped(old);
                *echo |= urgency == Urgency::Echo;
                if let Some(row) = self.rows.get_mut(n / width) {
                    row[usize::from(!*echo)] = true;
                }
            }
        }
        self.wanted = drawn;
        self.cursor = cursor;
        if uncovered {
            self.images_anew();
        }
    }

    /// What lay over an image is gone: only the image as a whole can take its place.
    fn images_anew(&mut self) {
        let width = self.width();
        for (n, _) in self.wanted.content.iter().enumerate().filter(|(_, cell)| is_image(cell)) {
            self.shown[n] = None;
            self.rows[n / width][1] = true;
        }
    }

    /// Every cell is to be written again, on a screen of which nothing is known.
    pub fn repaint(&mut self) {
        self.echo.fill(true);
        self.rows.fill([true; 2]);
        self.shown_cursor = None;
        self.wipe = true;
    }

    /// The most urgent thing that is not out yet.
    pub fn urgency(&mut self) -> Option<Urgency> {
        if self.wipe || self.cursor != self.shown_cursor {
            return Some(Urgency::Echo);
        }
        for (n, urgency) in [Urgency::Echo, Urgency::Moves].into_iter().enumerate() {
            for row in 0..self.rows.len() {
                if self.rows[row][n] {
                    if self.has(row, urgency) {
                        return Some(urgency);
                    }
                    self.rows[row][n] = false;
                }
            }
        }
        None
    }

    /// The next bytes, about `most` of them; an image cannot be cut.
    pub fn take(&mut self, most: usize, urgency: Urgency) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(most.min(1 << 16) + 64);
        bytes.extend_from_slice(BEGIN);
        if std::mem::take(&mut self.wipe) {
            self.pen = Pen::default();
            bytes.extend_from_slice(b"\x1b[0m\x1b[?25l\x1b[2J");
            self.shown.fill(Some(Cell::EMPTY));
            self.shown_cursor = None;
        }
        let most = bytes.len() + most;
        if self.shown_cursor.is_some() {
            bytes.extend_from_slice(b"\x1b[?25l");
        }
        self.pen.at = None;
        let mut nearer = false;
        // A person looks at the cursor.
        let looked_at = self.cursor.filter(|_| urgency == Urgency::Echo).map(|cursor| usize::from(cursor.y));
        let looked_at = looked_at.filter(|row| *row < self.rows.len());
        let others = (0..self.rows.len()).filter(|row| Some(*row) != looked_at);
        'rows: for row in looked_at.into_iter().chain(others) {
            let wanted = self.rows[row];
            if !wanted[0] && (urgency == Urgency::Echo || !wanted[1]) {
                continue;
            }
            for x in self.differing(row, urgency) {
                // Each piece brings the screen a step nearer, however small it is to be.
                if bytes.len() >= most && nearer {
                    break 'rows;
                }
                nearer |= self.is_due(row * self.width() + x, urgency);
                self.write(&mut bytes, row, x);
            }
        }
        if let Some(cursor) = self.cursor {
            self.pen.go(&mut bytes, usize::from(cursor.y), usize::from(cursor.x));
            bytes.extend_from_slice(b"\x1b[?25h");
        }
        self.shown_cursor = self.cursor;
        bytes.extend_from_slice(END);
        bytes
    }

    fn width(&self) -> usize {
        usize::from(self.wanted.area.width).max(1)
    }

    fn has(&self, row: usize, urgency: Urgency) -> bool {
        let from = row * self.width();
        (from..from + self.width()).any(|n| self.is_due(n, urgency))
    }

    /// Whether a cell is to be written for this urgency or a greater one.
    fn is_due(&self, n: usize, urgency: Urgency) -> bool {
        let (Some(wanted), Some(shown)) = (self.wanted.content.get(n), self.shown.get(n)) else {
            return false;
        };
        shown.as_ref() != Some(wanted) && (urgency == Urgency::Moves || self.echo.get(n) == Some(&true))
    }

    /// The columns of a row that must be written, in order. Where a wide character comes or goes, everything between
    /// the first and the last of them must be: a half of one belongs to nobody.
    fn differing(&self, row: usize, urgency: Urgency) -> Vec<usize> {
        let width = self.width();
        let from = row * width;
        let mut columns: Vec<usize> = (0..width).filter(|x| self.is_due(from + x, urgency)).collect();
        let (Some(&first), Some(&last)) = (columns.first(), columns.last()) else { return columns };
        let is_wide = |x: &usize| {
            let shown = self.shown.get(from + x).and_then(Option::as_ref);
            let wide = |cell: &Cell| is_image(cell) || cell.cell_width() > 1;
            self.wanted.content.get(from + x).is_some_and(wide) || shown.is_some_and(wide)
        };
        if columns.iter().any(is_wide) {
            let first = if first > 0 && is_wide(&(first - 1)) { first - 1 } else { first };
            let is_still_image = |x: usize| {
                !self.is_due(from + x, Urgency::Moves)
                    && self.wanted.content.get(from + x).is_some_and(is_image)
            };
            columns = (first..width.min(last + 2)).filter(|x| !is_still_image(*x)).collect();
        }
        columns
    }

    /// Writes a cell, and also what lies between it and the cursor if that is shorter than a movement.
    fn write(&mut self, bytes: &mut Vec<u8>, row: usize, x: usize) {
        let from = row * self.width();
        let n = from + x;
        let Some(cell) = self.wanted.content.get(n).cloned() else { return };
        self.echo[n] = false;
        let covered = is_covered(x, |x| self.wanted.content.get(from + x).is_some_and(is_wide));
        if !is_skipped(&cell) && !covered {
            if let Some((y, at)) = self.pen.at
                && y == row
                && at < x
                && x - at <= BRIDGE
            {
                let between: Vec<Cell> =
                    self.wanted.content.get(from + at..n).map(<[Cell]>::to_vec).unwrap_or_default();
                let same = |(m, cell): (usize, &Cell)| {
                    self.shown.get(from + at + m).and_then(Option::as_ref) == Some(cell)
                        && cell.symbol().len() == 1
                        && self.pen.has(cell)
                };
                if between.iter().enumerate().all(same) {
                    between.iter().for_each(|cell| self.pen.put(bytes, cell));
                }
            }
            self.pen.go(bytes, row, x);
            self.pen.put(bytes, &cell);
            self.halve(row, x, usize::from(cell.cell_width()).max(1));
        }
        self.shown[n] = Some(cell);
    }

    /// What a terminal does with the other half of a wide character, one of whose cells was taken by `x..x + width`, is
    /// its own affair: that half must be written.
    fn halve(&mut self, row: usize, x: usize, width: usize) {
        let from = row * self.width();
        let wide = |x: usize| self.shown.get(from + x).and_then(Option::as_ref).is_some_and(is_wide);
        let takes_two = |x: &usize| wide(*x) && !is_covered(*x, wide);
        let left = x.checked_sub(1).filter(takes_two);
        let end = x + width;
        let right = Some(end).filter(|right| *right < self.width() && takes_two(&(end - 1)));
        for half in left.into_iter().chain(right) {
            self.shown[from + half] = None;
            self.rows[row][1] = true;
        }
    }
}

/// Whether the character to the left of a column covers that column, too. When wide characters overlap, as they may in
/// a drawing in which one part was laid over another, the first hides the second.
fn is_covered(column: usize, is_wide: impl Fn(usize) -> bool) -> bool {
    (0..column).rev().take_while(|left| is_wide(*left)).count() % 2 == 1
}

/// A character that takes two cells.
fn is_wide(cell: &Cell) -> bool {
    !is_image(cell) && cell.cell_width() > 1
}

/// An image's escape sequence, which covers other cells.
fn is_image(cell: &Cell) -> bool {
    cell.symbol().starts_with('\u{1b}')
}

/// A cell that an image covers.
fn is_skipped(cell: &Cell) -> bool {
    cell.diff_option == CellDiffOption::Skip
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::{Color, Modifier, Style};

    use super::*;

    const AREA: Rect = Rect { x: 0, y: 0, width: 24, height: 6 };

    /// A screen as the terminal has it: texts, and the colours of what is not blank.
    fn screen(parser: &vt100::Parser) -> Vec<String> {
        let screen = parser.screen();
        let style = |row, column| {
            let cell = screen.cell(row, column).expect("a cell");
            let ink = cell.has_contents() && cell.contents() != " ";
            let text = ink.then(|| (cell.contents(), cell.fgcolor(), cell.bold()));
            format!("{text:?} {:?} {}", cell.bgcolor(), cell.inverse())
        };
        let cells = (0..AREA.height).flat_map(|row| (0..AREA.width).map(move |column| (row, column)));
        cells.map(|(row, column)| style(row, column)).collect()
    }

    fn drawing(texts: &[(u16, u16, String, u8)]) -> Buffer {
        let mut buffer = Buffer::empty(AREA);
        let styles = [
            Style::new(),
            Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD),
            Style::new().bg(Color::Indexed(42)),
            Style::new().fg(Color::LightRed).add_modifier(Modifier::REVERSED),
        ];
        for (x, y, text, style) in texts {
            buffer.set_stringn(*x, *y, text, usize::from(AREA.width - x), styles[usize::from(*style) % 4]);
        }
        buffer
    }

    fn all_out(canvas: &mut Canvas, parser: &mut vt100::Parser, most: usize) {
        for _ in 0..10_000 {
            let Some(urgency) = canvas.urgency() else { return };
            parser.process(&canvas.take(most, urgency));
        }
        panic!("the canvas does not come to rest");
    }

    proptest! {
        #[test]
        fn pieces_make_the_same_screen_as_the_whole(
            drawings in proptest::collection::vec(
                proptest::collection::vec((0u16..24, 0u16..6, "[a-c ]{0,9}|[a世]{1,6}", 0u8..4), 0..9), 1..5),
            most in 1usize..400,
            echoes in any::<bool>(),
        ) {
            let mut canvas = Canvas::new(AREA);
            let mut parser = vt100::Parser::new(AREA.height, AREA.width, 0);
            for (n, texts) in drawings.iter().enumerate() {
                let urgency = if echoes && n % 2 == 0 { Urgency::Echo } else { Urgency::Moves };
                canvas.show(drawing(texts), None, urgency);
                // Some pieces only: the next drawing comes before this one is out.
                if let Some(urgency) = canvas.urgency() {
                    parser.process(&canvas.take(most, urgency));
                }
            }
            all_out(&mut canvas, &mut parser, most);
            let mut whole = Canvas::new(AREA);
            let mut expected = vt100::Parser::new(AREA.height, AREA.width, 0);
            whole.show(drawing(drawings.last().expect("one")), None, Urgency::Moves);
            all_out(&mut whole, &mut expected, usize::MAX / 2);
            prop_assert_eq!(screen(&parser), screen(&expected));
        }
    }

    #[test]
    fn what_a_person_waits_for_goes_before_what_moves() {
        let mut canvas = Canvas::new(AREA);
        let mut parser = vt100::Parser::new(AREA.height, AREA.width, 0);
        let text = |row, text: &str| (0, row, text.to_owned(), 0);
        canvas.show(drawing(&[]), None, Urgency::Moves);
        all_out(&mut canvas, &mut parser, 400);
        assert_eq!(canvas.urgency(), None, "nothing is left");
        let moved: Vec<_> = (0..5).map(|row| text(row, "moving along")).collect();
        canvas.show(drawing(&moved), None, Urgency::Moves);
        let echo: Vec<_> = moved.iter().cloned().chain([text(5, "the key")]).collect();
        canvas.show(drawing(&echo), Some(Position::new(7, 5)), Urgency::Echo);
        assert_eq!(canvas.urgency(), Some(Urgency::Echo));
        parser.process(&canvas.take(400, Urgency::Echo));
        assert_eq!(parser.screen().contents().trim(), "the key", "the echo alone");
        assert_eq!(parser.screen().cursor_position(), (5, 7));
        assert_eq!(canvas.urgency(), Some(Urgency::Moves));
        all_out(&mut canvas, &mut parser, 40);
        assert_eq!(parser.screen().contents().matches("moving along").count(), 5);
    }

    #[test]
    fn an_image_comes_back_whole_when_what_lay_over_it_is_gone() {
        let image = |covered: bool| {
            let mut buffer = Buffer::empty(AREA);
            for x in 2..6 {
                buffer[(x, 1)].set_diff_option(CellDiffOption::Skip);
            }
            buffer[(2, 1)].set_symbol("\u{1b}Pq~\u{1b}\\").set_diff_option(CellDiffOption::None);
            if covered {
                buffer[(4, 1)] = Cell::new("x");
            }
            buffer
        };
        let mut canvas = Canvas::new(AREA);
        let mut written = Vec::new();
        for covered in [false, true, false] {
            canvas.show(image(covered), None, Urgency::Moves);
            let mut bytes = Vec::new();
            while let Some(urgency) = canvas.urgency() {
                bytes.extend(canvas.take(400, urgency));
            }
            written.push(String::from_utf8_lossy(&bytes).matches("\u{1b}Pq").count());
        }
        assert_eq!(written, [1, 0, 1]);
    }
}
