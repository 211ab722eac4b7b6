//! Two layouts side by side: which widget of one corresponds to which of the other.

use droidmux_gui::{Layout, LayoutHash, Widget, WidgetId};
use droidmux_record::WidgetNote;

/// The layouts of an alignment.
pub type LayoutPair = (LayoutHash, LayoutHash);

/// How many equal rows are shown before and after one that differs.
const AROUND: usize = 2;

/// All widgets of two layouts in document order, with those that correspond to each other in one row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aligned {
    pub rows: Vec<AlignedRow>,
}

/// A row: at least one side is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedRow {
    pub left: Option<WidgetId>,
    pub right: Option<WidgetId>,
    pub difference: Difference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    None,
    /// The widget is on the left layout only.
    Deleted,
    /// The widget is on the right layout only.
    Added,
    /// On both sides, with another label.
    Changed,
}

/// What is shown of an alignment: rows, or the number of equal rows left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Row(usize),
    Folded(usize),
}

impl Aligned {
    /// Lines up two layouts by an edit mapping (pairs of widgets, in any order).
    pub fn new(left: &Layout, right: &Layout, mapping: &[(Option<WidgetId>, Option<WidgetId>)]) -> Self {
        let mut partners = vec![None; left.len()];
        for (a, b) in mapping.iter().filter_map(|(a, b)| Some(((*a)?, (*b)?))) {
            if let Some(slot) = partners.get_mut(a.0 as usize) {
                *slot = Some(b);
            }
        }
        let mut rows = Vec::with_capacity(left.len().max(right.len()));
        let mut next_right = 0;
        for widget in left.widgets() {
            // Edit mappings keep document order; a pair that would go back is shown as two rows.
            let partner = partners[widget.id().0 as usize].filter(|b| b.0 >= next_right);
            match partner.and_then(|id| right.get(id)) {
                Some(partner) => {
                    rows.extend((next_right..partner.id().0).map(added));
                    next_right = partner.id().0 + 1;
                    let equal = label(widget) == label(partner);
                    let difference = if equal { Difference::None } else { Difference::Changed };
                    let (left, right) = (Some(widget.id()), Some(partner.id()));
                    rows.push(AlignedRow { left, right, difference });
                }
                None => rows.push(AlignedRow {
                    left: Some(widget.id()),
                    right: None,
                    difference: Difference::Deleted,
                }),
            }
        }
        rows.extend((next_right..u32::try_from(right.len()).unwrap_or(u32::MAX)).map(added));
        Self { rows }
    }

    /// The right-hand widget in the row of this left-hand one.
    pub fn right_of(&self, left: WidgetId) -> Option<WidgetId> {
        self.rows.iter().find(|row| row.left == Some(left))?.right
    }

    /// The rows to show: all, or those that differ or are `marked`, with some around them.
    pub fn shown(&self, all: bool, marked: impl Fn(&AlignedRow) -> bool) -> Vec<Shown> {
        let telling = |row: &AlignedRow| row.difference != Difference::None || marked(row);
        let mut near = vec![all; self.rows.len()];
        for n in (0..self.rows.len()).filter(|&n| telling(&self.rows[n])) {
            let last = (n + AROUND).min(self.rows.len() - 1);
            near[n.saturating_sub(AROUND)..=last].fill(true);
        }
        let mut shown = Vec::new();
        for (n, near) in near.into_iter().enumerate() {
            match (near, shown.last_mut()) {
                (true, _) => shown.push(Shown::Row(n)),
                (false, Some(Shown::Folded(count))) => *count += 1,
                (false, _) => shown.push(Shown::Folded(1)),
            }
        }
        shown
    }
}

/// The widget that a note is about: equal in everything, or in everything but its place.
pub fn find(layout: &Layout, note: &WidgetNote) -> Option<WidgetId> {
    let same = |widget: &Widget<'_>| {
        widget.class() == note.class
            && widget.resource_id() == note.resource_id
            && widget.description() == note.description
            && widget.text() == note.text
    };
    let mut alike = layout.widgets().filter(same);
    let first = alike.next()?;
    let exact = std::iter::once(first).chain(alike).find(|widget| widget.bounds() == note.bounds);
    Some(exact.unwrap_or(first).id())
}

fn added(n: u32) -> AlignedRow {
    AlignedRow { left: None, right: Some(WidgetId(n)), difference: Difference::Added }
}

/// What Genie's tree form compares of a widget.
fn label<'a>(widget: Widget<'a>) -> [&'a str; 4] {
    [widget.class(), widget.resource_id(), widget.description(), widget.text()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::fixtures::layout;

    fn row(left: Option<u32>, right: Option<u32>, difference: Difference) -> AlignedRow {
        AlignedRow { left: left.map(WidgetId), right: right.map(WidgetId), difference }
    }

    fn mapping(pairs: &[(Option<u32>, Option<u32>)]) -> Vec<(Option<WidgetId>, Option<WidgetId>)> {
        pairs.iter().map(|(a, b)| (a.map(WidgetId), b.map(WidgetId))).collect()
    }

    #[test]
    fn rows_follow_both_documents() {
        let left = layout("List\n  Text 'a'\n  Text 'b'\n  Text 'c'");
        let right = layout("List\n  Text 'new'\n  Text 'a'\n  Text 'C'");
        let pairs = mapping(&[(Some(3), Some(3)), (Some(0), Some(0)), (Some(1), Some(2)), (Some(2), None)]);
        let expected = vec![
            row(Some(0), Some(0), Difference::None),
            row(None, Some(1), Difference::Added),
            row(Some(1), Some(2), Difference::None),
            row(Some(2), None, Difference::Deleted),
            row(Some(3), Some(3), Difference::Changed),
        ];
        assert_eq!(Aligned::new(&left, &right, &pairs).rows, expected);
    }

    #[test]
    fn crossed_and_foreign_pairs_lose_no_widget() {
        let left = layout("A\n  B\n  C");
        let right = layout("A\n  C\n  B");
        let pairs =
            mapping(&[(Some(0), Some(0)), (Some(1), Some(2)), (Some(2), Some(1)), (Some(9), Some(9))]);
        let rows = Aligned::new(&left, &right, &pairs).rows;
        for n in 0..3 {
            assert_eq!(rows.iter().filter(|row| row.left == Some(WidgetId(n))).count(), 1);
            assert_eq!(rows.iter().filter(|row| row.right == Some(WidgetId(n))).count(), 1);
        }
    }

    #[test]
    fn equal_rows_fold_away() {
        let text: String = (0..20).map(|n| format!("Text '{n}'\n")).collect();
        let left = layout(&text);
        let right = layout(&text.replace("'10'", "'ten'"));
        let pairs: Vec<_> = (0..20).map(|n| (Some(WidgetId(n)), Some(WidgetId(n)))).collect();
        let aligned = Aligned::new(&left, &right, &pairs);
        let mut expected = vec![Shown::Folded(8)];
        expected.extend((8..13).map(Shown::Row));
        expected.push(Shown::Folded(7));
        assert_eq!(aligned.shown(false, |_| false), expected);
        assert_eq!(aligned.shown(true, |_| false).len(), 20);
        let marked = aligned.shown(false, |row| row.left == Some(WidgetId(0)));
        assert_eq!(marked[..3], [Shown::Row(0), Shown::Row(1), Shown::Row(2)]);
    }
}
