//! What differs between two looks at a list.

use super::row::{Cell, List, Row};
use droidmux_gui::WidgetId;

/// Stands for a cell that is not there.
static NOTHING: Cell = Cell {
    widget: WidgetId(0),
    key: String::new(),
    has_id: true,
    text: String::new(),
    description: String::new(),
    checked: None,
};

/// What differs between an earlier and a later look at a list. Rows are told apart by their labels, so a row counts
/// only if no other row has its label.
#[derive(Debug, Default)]
pub struct Change<'l> {
    /// Rows that are not there any more. If a list is not fully in view, only those whose neighbours closed up.
    pub gone: Vec<&'l Row>,
    /// Rows that were not there before, in lists that are fully in view.
    pub added: Vec<&'l Row>,
    /// Rows that say something else in a cell: the row, the cell before and the cell after.
    pub changed: Vec<(&'l Row, &'l Cell, &'l Cell)>,
}

impl<'l> Change<'l> {
    pub fn between(before: &'l List, after: &'l List) -> Self {
        let whole = before.complete && after.complete;
        let is_gone = |(number, row): &(usize, &Row)| {
            let missing = before.only(&row.label).is_some() && after.labelled(&row.label).next().is_none();
            missing && (whole || before.closes_up(*number, after))
        };
        let is_added = |row: &&Row| whole && before.labelled(&row.label).next().is_none();
        let pairs = before.rows.iter().filter_map(|row| {
            let (_, earlier) = before.only(&row.label)?;
            let (_, later) = after.only(&row.label)?;
            (earlier.whole && later.whole && earlier.kind == later.kind).then_some((row, later))
        });
        let changed = pairs.flat_map(|(row, later)| {
            let kept =
                row.cells.iter().map(move |cell| (row, cell, later.cell(&cell.key).unwrap_or(&NOTHING)));
            let got = later.cells.iter().filter(|cell| row.cell(&cell.key).is_none());
            let cells = kept.chain(got.map(move |cell| (row, &NOTHING, cell)));
            // Without an id a cell is told by its place, which moves when others come and go.
            let told = |cell: &Cell, other: &Cell| cell.has_id && other.has_id;
            cells.filter(move |(_, was, is)| told(was, is) && was.differs(is) && !is_box_of_mode(was, is))
        });
        Self {
            gone: before.rows.iter().enumerate().filter(is_gone).map(|(_, row)| row).collect(),
            added: after.rows.iter().filter(is_added).collect(),
            changed: changed.collect(),
        }
    }

    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.added.is_empty() && self.changed.is_empty()
    }
}

/// A box without words comes to rows, and goes from them, with a mode of the list: it is nothing that a row says.
fn is_box_of_mode(was: &Cell, is: &Cell) -> bool {
    was.is_box() && is.is_nothing() || was.is_nothing() && is.is_box()
}
