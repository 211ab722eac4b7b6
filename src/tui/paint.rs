//! Painting cells: every text that reaches the screen goes through here and comes out safe.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Widget};

use super::glyphs::Glyphs;
use super::text;
use super::theme::{Role, Theme};
use droidmux_words::number::whole;

/// A line: its pieces with their roles.
pub type Words = Vec<(String, Role)>;

/// A buffer with the theme and signs to paint it with. Painting outside the buffer, or into zero cells, does nothing.
pub struct Painter<'a> {
    pub buffer: &'a mut Buffer,
    pub theme: &'a Theme,
    pub glyphs: &'static Glyphs,
}

impl Painter<'_> {
    /// Text in at most `width` cells from (x, y); gives the cells used.
    pub fn text(&mut self, x: u16, y: u16, width: u16, text: &str, role: Role) -> u16 {
        self.styled(x, y, width, text, self.theme.patch(role))
    }

    /// As [`Painter::text`], with a style laid over what the cells have.
    pub fn styled(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        let area = *self.buffer.area();
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return 0;
        }
        let width = width.min(area.right() - x);
        let fitted = text::fit(text, usize::from(width), self.glyphs.ellipsis);
        let (end, _) = self.buffer.set_stringn(x, y, &fitted, usize::from(width), style);
        end.saturating_sub(x)
    }

    /// Text that ends at the right edge of `area`'s first row; gives the cells used.
    pub fn right(&mut self, area: Rect, text: &str, role: Role) -> u16 {
        let width = u16::try_from(text::width(text)).unwrap_or(u16::MAX).min(area.width);
        self.text(area.right().saturating_sub(width), area.y, width, text, role)
    }

    /// Pieces one after the other; gives the cells used.
    pub fn pieces(&mut self, x: u16, y: u16, width: u16, pieces: &[(&str, Role)]) -> u16 {
        let mut used = 0;
        for (text, role) in pieces {
            used += self.text(x.saturating_add(used), y, width.saturating_sub(used), text, *role);
        }
        used
    }

    /// A framed pane; gives the area inside. The focus shows by the kind of line, not by colour
    /// alone. `note` stands at the right of the top line when there is room.
    pub fn pane(&mut self, area: Rect, title: &str, note: &str, focused: bool) -> Rect {
        if area.width < 2 || area.height < 2 {
            return Rect::default();
        }
        let (set, role) = match focused {
            true => (self.glyphs.border_focus, Role::BorderFocus),
            false => (self.glyphs.border, Role::Border),
        };
        let block = Block::bordered().border_set(set).border_style(self.theme.style(role));
        let inner = block.inner(area);
        block.render(area, self.buffer);
        let room = area.width.saturating_sub(4);
        let title = format!(" {title} ");
        let used = self.text(area.x + 1, area.y, room, &title, Role::Title);
        let note_room = room.saturating_sub(used + 2);
        if !note.is_empty() && text::width(note) + 2 <= usize::from(note_room) {
            let top = Rect { x: area.x + 1, width: area.width - 2, height: 1, ..area };
            self.right(top, &format!(" {note} "), Role::Dim);
        }
        inner
    }

    /// Fills an area with a role's style and spaces.
    pub fn fill(&mut self, area: Rect, role: Role) {
        let area = area.intersection(*self.buffer.area());
        let style = self.theme.style(role);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// Lays a role's style over cells already painted.
    pub fn shade(&mut self, area: Rect, role: Role) {
        let area = area.intersection(*self.buffer.area());
        self.buffer.set_style(area, self.theme.patch(role));
    }

    /// Marks a row as selected: by a sign in its first cell and by style.
    pub fn select(&mut self, row: Rect, focused: bool) {
        self.shade(row, if focused { Role::Selection } else { Role::SelectionBlur });
        let sign = if focused { self.glyphs.cursor } else { self.glyphs.cursor_blur };
        self.text(row.x, row.y, 1.min(row.width), sign, Role::Accent);
    }

    /// A progress bar over `area`'s first row, `part` from 0.0 to 1.0.
    pub fn bar(&mut self, area: Rect, part: f64) {
        let eighths = whole(part.clamp(0.0, 1.0) * f64::from(area.width) * 8.0);
        let eighths = usize::try_from(eighths).unwrap_or(usize::MAX);
        for n in 0..area.width {
            let (sign, role) = match eighths.saturating_sub(usize::from(n) * 8) {
                0 => (self.glyphs.bar_rest, Role::ProgressRest),
                8.. => (self.glyphs.bar_full, Role::Progress),
                some => match self.glyphs.bar_parts.get(some - 1) {
                    Some(sign) => (*sign, Role::Progress),
                    None => (self.glyphs.bar_rest, Role::ProgressRest),
                },
            };
            self.text(area.x + n, area.y, 1, sign, role);
        }
    }

    /// The newest of `values` as columns of their height, ending at the right of `area`'s first
    /// row. Scaled to the largest shown.
    pub fn spark(&mut self, area: Rect, values: &[u16]) {
        let shown = &values[values.len().saturating_sub(usize::from(area.width))..];
        let most = usize::from(shown.iter().copied().max().unwrap_or(0).max(1));
        let top = self.glyphs.spark.len() - 1;
        let left = area.right().saturating_sub(u16::try_from(shown.len()).unwrap_or(area.width));
        for (x, &value) in (left..).zip(shown) {
            let level = (usize::from(value) * top).div_ceil(most);
            self.text(x, area.y, 1, self.glyphs.spark.get(level).unwrap_or(&" "), Role::Spark);
        }
    }

    /// Lines of text with roles from the top of `area`.
    pub fn lines<'t>(&mut self, area: Rect, lines: impl IntoIterator<Item = &'t [(String, Role)]>) {
        for (y, line) in (area.top()..area.bottom()).zip(lines) {
            let mut x = area.x;
            for (text, role) in line {
                x += self.text(x, y, area.right().saturating_sub(x), text, *role);
            }
        }
    }

    /// A message in the middle of an area, for panes with nothing to show.
    pub fn notice(&mut self, area: Rect, message: &str) {
        let lines = text::wrap(message, usize::from(area.width.saturating_sub(2)));
        let height = u16::try_from(lines.len()).unwrap_or(area.height).min(area.height);
        let top = area.y + (area.height - height) / 2;
        for (y, line) in (top..top + height).zip(&lines) {
            let indent = usize::from(area.width).saturating_sub(text::width(line)) / 2;
            let x = area.x + u16::try_from(indent).unwrap_or(0);
            self.text(x, y, area.right().saturating_sub(x), line, Role::Dim);
        }
    }
}
