//! Tables that give up their least important columns when room is short.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};

use super::paint::Painter;
use super::text;
use super::theme::Role;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub title: &'static str,
    /// Cells it needs to be worth showing.
    pub least: u16,
    /// Cells it makes use of.
    pub most: u16,
    /// The column with the largest number goes first when room is short.
    pub rank: u8,
    pub right: bool,
}

/// A left-aligned column.
pub const fn left(title: &'static str, least: u16, most: u16, rank: u8) -> Column {
    Column { title, least, most, rank, right: false }
}

/// A right-aligned column.
pub const fn right(title: &'static str, least: u16, most: u16, rank: u8) -> Column {
    Column { title, least, most, rank, right: true }
}

/// The widths that a person chose, by the titles of their columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Widths(BTreeMap<String, u16>);

impl Widths {
    /// Cells that a column may be made narrow or wide.
    const LIMITS: RangeInclusive<u16> = 3..=200;

    /// The width of a column, if one was chosen.
    pub fn of(&self, title: &str) -> Option<u16> {
        self.0.get(title).map(|width| *width.clamp(Self::LIMITS.start(), Self::LIMITS.end()))
    }

    /// The same with a column as wide as this, or as wide as usual.
    #[must_use]
    pub fn with(mut self, title: &str, width: Option<u16>) -> Self {
        match width {
            Some(width) => {
                let width = width.clamp(*Self::LIMITS.start(), *Self::LIMITS.end());
                self.0.insert(title.to_owned(), width);
            }
            None => drop(self.0.remove(title)),
        }
        self
    }
}

/// Where columns stand: offset and width by column, `None` for those left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed(Vec<Option<(u16, u16)>>);

/// The columns, none wider than its title and what is in it need.
pub fn fitted<const N: usize>(columns: &[Column; N], rows: &[[(String, Role); N]]) -> [Column; N] {
    let mut columns = *columns;
    for (n, column) in columns.iter_mut().enumerate() {
        let content = rows.iter().map(|row| text::width(&row[n].0)).max().unwrap_or(0);
        let needed = u16::try_from(content.max(text::width(column.title))).unwrap_or(u16::MAX);
        column.most = column.most.min(needed);
        column.least = column.least.min(column.most);
    }
    columns
}

/// The columns, with exactly the widths that a person chose where one was chosen.
pub fn sized<const N: usize>(columns: &[Column; N], widths: &Widths) -> [Column; N] {
    let mut columns = *columns;
    for column in &mut columns {
        if let Some(width) = widths.of(column.title) {
            (column.least, column.most) = (width, width);
        }
    }
    columns
}

/// Places columns in `width` cells with a space between them and one cell before the first for
/// the selection's sign.
pub fn place(columns: &[Column], width: u16) -> Placed {
    let mut shown = vec![true; columns.len()];
    let needed = |shown: &[bool]| -> u32 {
        let kept = columns.iter().zip(shown).filter(|(_, shown)| **shown);
        1 + kept.map(|(column, _)| u32::from(column.least) + 1).sum::<u32>()
    };
    while needed(&shown) > u32::from(width) + 1 {
        let kept = columns.iter().enumerate().filter(|(n, _)| shown[*n]);
        match kept.max_by_key(|(_, column)| column.rank) {
            Some((n, column)) if column.rank > 0 => shown[n] = false,
            _ => break,
        }
    }
    // A wide column left out may have made room for a narrower one.
    let mut dropped: Vec<usize> = (0..columns.len()).filter(|&n| !shown[n]).collect();
    dropped.sort_by_key(|&n| columns[n].rank);
    for n in dropped {
        shown[n] = true;
        shown[n] = needed(&shown) <= u32::from(width) + 1;
    }
    let mut spare = u32::from(width).saturating_sub(needed(&shown).saturating_sub(1));
    let mut placed = vec![None; columns.len()];
    let mut widths: Vec<u16> = columns.iter().map(|column| column.least).collect();
    // The most important columns are widened first.
    let mut order: Vec<usize> = (0..columns.len()).filter(|&n| shown[n]).collect();
    order.sort_by_key(|&n| columns[n].rank);
    for n in order {
        let extra = spare.min(u32::from(columns[n].most.saturating_sub(columns[n].least)));
        widths[n] += u16::try_from(extra).unwrap_or(0);
        spare -= extra;
    }
    let mut x = 1;
    for n in 0..columns.len() {
        if shown[n] && x < width {
            placed[n] = Some((x, widths[n].min(width - x)));
            x += widths[n] + 1;
        }
    }
    Placed(placed)
}

impl Placed {
    /// The cells of a column in a row.
    pub fn cell(&self, row: Rect, column: usize) -> Option<Rect> {
        let (x, width) = (*self.0.get(column)?)?;
        Some(Rect { x: row.x + x, width, height: 1, ..row })
    }

    /// The width of a column that is shown.
    pub fn width(&self, column: usize) -> Option<u16> {
        self.0.get(column).copied().flatten().map(|(_, width)| width)
    }

    /// Paints the titles into a row.
    pub fn headings(&self, painter: &mut Painter<'_>, columns: &[Column], row: Rect) {
        self.headings_with(painter, columns, row, None);
    }

    /// The same, with the title of a chosen column marked; the mark is only a colour, so its name must also be shown
    /// elsewhere.
    pub fn headings_with(
        &self,
        painter: &mut Painter<'_>,
        columns: &[Column],
        row: Rect,
        chosen: Option<&str>,
    ) {
        for (n, column) in columns.iter().enumerate() {
            let role = if chosen == Some(column.title) { Role::Accent } else { Role::Heading };
            self.put(painter, columns, row, n, column.title, role);
        }
    }

    /// Paints the cells of a row, each in its role.
    pub fn cells(&self, painter: &mut Painter<'_>, columns: &[Column], row: Rect, cells: &[(String, Role)]) {
        for (column, (text, role)) in cells.iter().enumerate() {
            self.put(painter, columns, row, column, text, *role);
        }
    }

    /// Paints one cell of a row.
    pub fn put(
        &self,
        painter: &mut Painter<'_>,
        columns: &[Column],
        row: Rect,
        column: usize,
        text: &str,
        role: Role,
    ) {
        let (Some(cell), Some(kind)) = (self.cell(row, column), columns.get(column)) else { return };
        if kind.right && text::width(text) <= usize::from(cell.width) {
            painter.right(cell, text, role);
        } else {
            painter.text(cell.x, cell.y, cell.width, text, role);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [left("name", 4, 20, 0), left("note", 6, 10, 2), right("n", 3, 3, 1)];

    #[test]
    fn columns_are_dropped_by_rank_and_widened_by_importance() {
        let cases = [
            (40, vec![Some((1, 20)), Some((22, 10)), Some((33, 3))]),
            (16, vec![Some((1, 4)), Some((6, 6)), Some((13, 3))]),
            (15, vec![Some((1, 10)), None, Some((12, 3))]),
            (9, vec![Some((1, 4)), None, Some((6, 3))]),
            (8, vec![Some((1, 7)), None, None]),
            (3, vec![Some((1, 2)), None, None]),
        ];
        for (width, expected) in cases {
            assert_eq!(place(&COLUMNS, width), Placed(expected), "{width}");
        }
    }

    #[test]
    fn a_chosen_width_stands_and_the_others_share_what_is_left() {
        // (column, cells chosen) and the widths in 40 cells.
        let cases = [
            ("name", Some(8), [Some(8), Some(10), Some(3)]),
            ("name", Some(30), [Some(30), None, Some(3)]),
            ("note", Some(20), [Some(14), Some(20), Some(3)]),
            ("n", Some(0), [Some(20), Some(10), Some(3)]),
            ("n", None, [Some(20), Some(10), Some(3)]),
        ];
        for (title, width, expected) in cases {
            let widths = Widths::default().with(title, Some(5)).with(title, width);
            let placed = place(&sized(&COLUMNS, &widths), 40);
            assert_eq!([0, 1, 2].map(|n| placed.width(n)), expected, "{title} {width:?}");
        }
    }
}
