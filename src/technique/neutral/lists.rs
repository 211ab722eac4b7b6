//! Rows of lists before and after an insertion.
//!
//! In: two layouts and what is left out of them. Out: which rows are gone, which have come, or whether a list is only
//! at another place.

use std::collections::BTreeMap;

use droidmux_gui::{Flags, Layout, Widget, WidgetId, row_of};

/// A list of a layout with its rows in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct List {
    /// The list itself.
    pub node: WidgetId,
    /// More rows than are shown.
    pub scrolls: bool,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub widget: WidgetId,
    /// What people read in it, a line for each widget; what passes is left out.
    pub text: String,
    /// How many texts were left out because they pass, as a time does.
    pub passing: usize,
    /// It lies at the edge of its list, where less of it may be in view.
    pub at_edge: bool,
    /// In pixels.
    pub height: i32,
}

/// What people read on a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read<'a> {
    Lasting(&'a str),
    /// It will be different a little later.
    Passing,
}

/// How two sequences differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// They do not.
    None,
    /// They are parts of one longer sequence, as a list at two places.
    Moved,
    /// They begin alike, like a list of which more or less is in view.
    Extent,
    /// The same members in another order.
    Order,
    /// Members of the first that the second lacks, and the other way round, by their places.
    Members { lost: Vec<usize>, gained: Vec<usize> },
}

/// How many rows of a list are looked at, at most.
const MOST: usize = 300;

/// The lists of a layout with what `reads` says of the widgets of their rows; rows that say nothing are left
/// out.
pub(super) fn lists<'a>(layout: &'a Layout, reads: impl Fn(Widget<'a>) -> Option<Read<'a>>) -> Vec<List> {
    let mut lists: BTreeMap<WidgetId, BTreeMap<WidgetId, (String, usize)>> = BTreeMap::new();
    for widget in layout.widgets() {
        let Some(row) = row_of(widget) else { continue };
        let Some(list) = row.parent() else { continue };
        let rows = lists.entry(list.id()).or_default();
        if rows.len() >= MOST && !rows.contains_key(&row.id()) {
            continue;
        }
        let (text, passing) = rows.entry(row.id()).or_default();
        match reads(widget) {
            Some(Read::Lasting(read)) => {
                text.push_str(read);
                text.push('\n');
            }
            Some(Read::Passing) => *passing += 1,
            None => {}
        }
    }
    let bounds = |id| layout.get(id).map(Widget::bounds).unwrap_or_default();
    let list = |(node, rows): (WidgetId, BTreeMap<WidgetId, (String, usize)>)| {
        let rows = rows.into_iter().filter(|(_, (text, _))| !text.is_empty());
        let rows = rows.map(|(widget, (text, passing))| {
            let (inner, outer) = (bounds(widget), bounds(node));
            let at_edge = inner.top <= outer.top || inner.bottom >= outer.bottom;
            Row { widget, text, passing, at_edge, height: inner.height() }
        });
        let rows = rows.collect();
        List { node, scrolls: layout.get(node).is_some_and(|list| list.has(Flags::SCROLLABLE)), rows }
    };
    lists.into_iter().map(list).collect()
}

impl Row {
    /// True for the same row when a text of it passes on one of the screens only: "just now" becomes "1 min".
    pub(super) fn is_later(&self, other: &Row) -> bool {
        let all = |row: &Row| row.text.lines().count() + row.passing;
        let (few, many) = if self.passing > other.passing { (self, other) } else { (other, self) };
        few.passing != many.passing && all(few) == all(many) && few.is_part_of(many)
    }

    /// True for the same row when one screen cuts some of it off.
    pub(super) fn is_cut_off(&self, other: &Row) -> bool {
        let (part, row) = if self.height < other.height { (self, other) } else { (other, self) };
        part.at_edge && part.height < row.height && part.is_part_of(row)
    }

    /// It begins as the other one and says nothing else, in the same order.
    fn is_part_of(&self, other: &Row) -> bool {
        let mut rest = other.text.lines();
        self.text.lines().next() == other.text.lines().next()
            && self.text.lines().all(|line| rest.any(|other| other == line))
    }
}

/// How two sequences differ; `scrolls` says that either may be a part of something longer.
pub(super) fn compare<T: PartialEq + Ord>(before: &[T], after: &[T], scrolls: bool) -> Change {
    if before == after {
        return Change::None;
    }
    let (lost, gained) = (missing(before, after), missing(after, before));
    if lost.is_empty() && gained.is_empty() {
        return Change::Order;
    }
    // A row that is there twice is no row from further up.
    let doubled =
        lost.is_empty() && gained.iter().filter_map(|&n| after.get(n)).all(|row| before.contains(row));
    let same_beginning = before.starts_with(after) || after.starts_with(before);
    let in_parts = scrolls && !doubled && !before.is_empty() && !after.is_empty();
    match in_parts {
        true if same_beginning => Change::Extent,
        true if is_moved(before, after) => Change::Moved,
        _ => Change::Members { lost, gained },
    }
}

/// True when one sequence goes on where the other overlaps it, or they have nothing in common. Neither is empty.
fn is_moved<T: PartialEq>(before: &[T], after: &[T]) -> bool {
    let overlaps = |long: &[T], other: &[T]| {
        (0..long.len()).any(|offset| {
            let both = (long.len() - offset).min(other.len());
            long.iter().skip(offset).zip(other).take(both).all(|(a, b)| a == b)
        })
    };
    let apart = || before.iter().all(|row| !after.contains(row));
    overlaps(before, after) || overlaps(after, before) || apart()
}

/// The places of the members that the other sequence has fewer of.
fn missing<T: Ord>(of: &[T], from: &[T]) -> Vec<usize> {
    let mut there: BTreeMap<&T, usize> = BTreeMap::new();
    from.iter().for_each(|row| *there.entry(row).or_default() += 1);
    let mut missing = Vec::new();
    for (place, row) in of.iter().enumerate() {
        match there.get_mut(row).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => missing.push(place),
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str, at_edge: bool, height: i32) -> Row {
        Row { widget: WidgetId(0), text: format!("{text}\n"), passing: 0, at_edge, height }
    }

    #[test]
    fn a_row_that_is_cut_off_is_the_same_row() {
        for (one, other, expected) in [
            (row("tea\nhot", false, 90), row("tea", true, 40), true),
            (row("tea", true, 40), row("tea\nhot", false, 90), true),
            (row("tea", true, 90), row("tea\nhot", false, 90), false),
            (row("tea", false, 40), row("tea\nhot", false, 90), false),
            (row("milk", true, 40), row("tea\nhot", false, 90), false),
            (row("tea\ncold", true, 40), row("tea\nhot", false, 90), false),
        ] {
            assert_eq!(one.is_cut_off(&other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_row_a_little_later_is_the_same_row() {
        let row = |text: &str, passing| Row { passing, ..row(text, false, 90) };
        for (one, other, expected) in [
            (row("tea\njust now\nhot", 0), row("tea\nhot", 1), true),
            (row("tea\nhot", 1), row("tea\njust now\nhot", 0), true),
            (row("tea\nhot", 1), row("tea\nhot", 1), false),
            (row("tea\njust now\nhot", 0), row("tea\ncold", 1), false),
            (row("tea\njust now\nhot", 0), row("milk\nhot", 1), false),
            (row("just now", 0), row("tea", 1), false),
            (row("tea\njust now\nhot", 0), row("tea\nhot", 2), false),
        ] {
            assert_eq!(one.is_later(&other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn how_lists_differ() {
        let members = |lost: &[usize], gained: &[usize]| Change::Members {
            lost: lost.to_vec(),
            gained: gained.to_vec(),
        };
        for (before, after, scrolls, expected) in [
            ("abc", "abc", false, Change::None),
            ("abc", "abc", true, Change::None),
            ("abcd", "cdef", true, Change::Moved),
            ("cdef", "abcd", true, Change::Moved),
            ("abcd", "bcd", true, Change::Moved),
            ("abcd", "abc", true, Change::Extent),
            ("ab", "abcd", true, Change::Extent),
            ("abc", "xyz", true, Change::Moved),
            ("abcd", "cdef", false, members(&[0, 1], &[2, 3])),
            ("abcd", "abd", true, members(&[2], &[])),
            ("abc", "ab", false, members(&[2], &[])),
            ("ab", "aab", false, members(&[], &[1])),
            ("ab", "aab", true, members(&[], &[1])),
            ("abc", "acb", false, Change::Order),
            ("abc", "acb", true, Change::Order),
            ("abc", "", true, members(&[0, 1, 2], &[])),
            ("", "a", false, members(&[], &[0])),
        ] {
            let rows = |text: &str| text.chars().collect::<Vec<char>>();
            assert_eq!(compare(&rows(before), &rows(after), scrolls), expected, "{before} {after} {scrolls}");
        }
    }
}
