//! Rows of lists before and after an insertion.
//!
//! In: two layouts and what of them is left out. Out: which rows are gone, which have come, or that a list
//! only stands at another place.

use std::collections::BTreeMap;

use crate::gui::{Flags, Layout, Widget, WidgetId, row_of};

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
    /// What people read in it.
    pub text: String,
}

/// How two sequences differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// They do not.
    None,
    /// They are parts of one longer sequence, as a list at two places.
    Moved,
    /// The same members in another order.
    Order,
    /// Members of the first that the second lacks, and the other way round, by their places.
    Members { lost: Vec<usize>, gained: Vec<usize> },
}

/// Rows of a list that are looked at.
const MOST: usize = 300;

/// The lists of a layout with what `reads` says of the widgets of their rows; rows that say nothing are left
/// out.
pub(super) fn lists<'a>(layout: &'a Layout, reads: impl Fn(Widget<'a>) -> Option<&'a str>) -> Vec<List> {
    let mut lists: BTreeMap<WidgetId, BTreeMap<WidgetId, String>> = BTreeMap::new();
    for widget in layout.widgets() {
        let Some(row) = row_of(widget) else { continue };
        let Some(list) = row.parent() else { continue };
        let rows = lists.entry(list.id()).or_default();
        if rows.len() >= MOST && !rows.contains_key(&row.id()) {
            continue;
        }
        let text = rows.entry(row.id()).or_default();
        if let Some(read) = reads(widget) {
            text.push_str(read);
            text.push('\n');
        }
    }
    let list = |(node, rows): (WidgetId, BTreeMap<WidgetId, String>)| {
        let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
        let rows = rows.map(|(widget, text)| Row { widget, text }).collect();
        List { node, scrolls: layout.get(node).is_some_and(|list| list.has(Flags::SCROLLABLE)), rows }
    };
    lists.into_iter().map(list).collect()
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
    match scrolls && !doubled && is_moved(before, after) {
        true => Change::Moved,
        false => Change::Members { lost, gained },
    }
}

/// True when one sequence goes on where the other overlaps it, or they have nothing in common.
fn is_moved<T: PartialEq>(before: &[T], after: &[T]) -> bool {
    if before.is_empty() || after.is_empty() {
        return false;
    }
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
            ("abcd", "abc", true, Change::Moved),
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
