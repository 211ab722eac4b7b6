//! Rows of lists, as far as exploration looks at them: did an event add one, remove one, change or move one?

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::passing::is_passing_value;
use droidmux_gui::{Layout, Widget, WidgetId, is_dialog, row_of};

/// What happened to the rows of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowChange {
    /// There are more.
    Added,
    /// There are fewer.
    Removed,
    /// Some are different.
    Changed,
    /// The same in another order.
    Moved,
}

/// The rows of a layout in their order, each as a hash of what it says.
pub type Rows = Vec<u64>;

/// Rows looked at.
const MOST: usize = 500;

/// The rows of all lists of a layout.
pub fn rows_of(layout: &Layout) -> Rows {
    let mut rows: BTreeMap<WidgetId, DefaultHasher> = BTreeMap::new();
    for widget in layout.widgets() {
        let label = if widget.text().is_empty() { widget.description() } else { widget.text() };
        if label.is_empty() || is_passing_value(label) {
            continue;
        }
        let Some(row) = row_of(widget) else { continue };
        if rows.len() < MOST || rows.contains_key(&row.id()) {
            label.hash(rows.entry(row.id()).or_default());
        }
    }
    rows.into_values().map(|hasher| hasher.finish()).collect()
}

/// What names a page's rows: the first of each that says something. What menus and dialogs list is not the name of
/// anything.
pub fn names_of(layout: &Layout) -> Vec<Widget<'_>> {
    if is_dialog(layout) {
        return Vec::new();
    }
    let mut names: BTreeMap<WidgetId, Widget<'_>> = BTreeMap::new();
    for widget in layout.widgets() {
        let (name, row) = (widget.text().trim(), row_of(widget));
        if let Some(row) = row.filter(|_| !name.is_empty() && !is_passing_value(name)) {
            names.entry(row.id()).or_insert(widget);
        }
    }
    names.into_values().take(MOST).collect()
}

/// How rows changed; `None` when they did not.
pub fn change(before: &[u64], after: &[u64]) -> Option<RowChange> {
    if before == after {
        return None;
    }
    let (mut one, mut other) = (before.to_vec(), after.to_vec());
    one.sort_unstable();
    other.sort_unstable();
    if one == other {
        return Some(RowChange::Moved);
    }
    Some(match before.len().cmp(&after.len()) {
        std::cmp::Ordering::Less => RowChange::Added,
        std::cmp::Ordering::Equal => RowChange::Changed,
        std::cmp::Ordering::Greater => RowChange::Removed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_to_rows() {
        for (before, after, expected) in [
            ("", "", None),
            ("ab", "ab", None),
            ("ab", "abc", Some(RowChange::Added)),
            ("abc", "ac", Some(RowChange::Removed)),
            ("abc", "abd", Some(RowChange::Changed)),
            ("abc", "bca", Some(RowChange::Moved)),
        ] {
            let rows = |text: &str| text.bytes().map(u64::from).collect::<Rows>();
            assert_eq!(change(&rows(before), &rows(after)), expected, "{before} {after}");
        }
    }
}
