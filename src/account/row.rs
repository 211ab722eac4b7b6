//! Rows: the members of a list, told by structure.
//!
//! A list is a node whose class is that of a collection, or any other that scrolls or lines up members which are
//! alike and hold texts. Its rows are its members with a text; a row's label is its first text.

use std::collections::BTreeMap;

use droidmux_gui::{Flags, Groups, Layout, Widget, WidgetId};
use droidmux_record::WidgetNote;

/// A list with the rows it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The widget that its rows lie in.
    pub node: WidgetId,
    /// Its resource-id without the package, or the path of classes and ids to it where it has none.
    pub id: String,
    /// From the top down, those without any text left out.
    pub rows: Vec<Row>,
    /// All its rows are on the screen, each of them whole.
    pub complete: bool,
}

/// A row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The widget that all of it lies in.
    pub node: WidgetId,
    /// Class and id: rows of another type have different ones.
    pub kind: String,
    /// Its first text; of a row without texts its first description, where that is not the name of a box to tick or of
    /// a button: those are called the same in every row.
    pub label: String,
    /// The widget that says the label.
    pub named: WidgetId,
    /// What it shows, in document order.
    pub cells: Vec<Cell>,
    /// It is not cut off at the edge of its list.
    pub whole: bool,
}

/// A widget of a row that shows or holds something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The widget itself.
    pub widget: WidgetId,
    /// Its id without the package, or its class and place in the row: the same in every row of a type.
    pub key: String,
    /// Its key is an id, not a place.
    pub has_id: bool,
    /// What it shows.
    pub text: String,
    /// What a screen reader says.
    pub description: String,
    /// Of what can be checked, whether it is.
    pub checked: Option<bool>,
}

/// The most rows looked at in one list, and cells in one row.
const MOST_ROWS: usize = 200;
const MOST_CELLS: usize = 40;

/// The lists of a layout, in document order.
pub fn lists(layout: &Layout) -> Vec<List> {
    let mut found: Vec<List> = Vec::new();
    let groups = Groups::of(layout);
    for widget in layout.widgets() {
        let inside = |list: &List| widget.is_inside(list.node);
        if found.iter().any(inside) {
            continue;
        }
        let rows = if widget.is_list() {
            widget.children().filter_map(row).take(MOST_ROWS).collect()
        } else {
            lined_up(widget, &groups)
        };
        if !rows.is_empty() {
            found.push(list(widget, rows));
        }
    }
    found
}

/// The rows of a node that is no list: members of a group that are alike and have texts and more below them.
/// Bars and rows of buttons have members without anything below them.
fn lined_up(widget: Widget<'_>, groups: &Groups) -> Vec<Row> {
    let layout = widget.layout();
    let mut members: Vec<WidgetId> = groups.members(widget.id()).to_vec();
    if members.is_empty() && widget.has(Flags::SCROLLABLE) && widget.short_class() == "View" {
        members = widget.children().filter(|child| child.has(Flags::CLICKABLE)).map(Widget::id).collect();
    }
    let members: Vec<Widget<'_>> = members.into_iter().filter_map(|member| layout.get(member)).collect();
    let down = members.windows(2).all(|pair| pair[0].bounds().bottom <= pair[1].bounds().top);
    let alike = members.windows(2).all(|pair| pair[0].resource_id() == pair[1].resource_id());
    if members.len() < 2 || !down || !alike || members.iter().any(|member| member.is_leaf()) {
        return Vec::new();
    }
    members.into_iter().filter_map(row).take(MOST_ROWS).collect()
}

fn list(node: Widget<'_>, mut rows: Vec<Row>) -> List {
    let layout = node.layout();
    let mut heights: BTreeMap<&str, i32> = BTreeMap::new();
    let bounds = |row: &Row| layout.get(row.node).map(Widget::bounds).unwrap_or_default();
    for row in &rows {
        let height = heights.entry(row.kind.as_str()).or_default();
        *height = bounds(row).height().max(*height);
    }
    let edge = node.bounds();
    let cut: Vec<bool> = rows
        .iter()
        .map(|row| {
            let (own, full) = (bounds(row), heights.get(row.kind.as_str()).copied().unwrap_or_default());
            (own.top <= edge.top || own.bottom >= edge.bottom) && own.height() < full
        })
        .collect();
    let below = rows.last().map(|row| bounds(row).bottom);
    let room = below.is_some_and(|below| below < edge.bottom);
    let scrolls = node.has(Flags::SCROLLABLE) || node.ancestors().any(|above| above.has(Flags::SCROLLABLE));
    let complete = !cut.contains(&true) && (!scrolls || (room && !node.has(Flags::SCROLLABLE)));
    for (row, cut) in rows.iter_mut().zip(cut) {
        row.whole = !cut;
    }
    List { node: node.id(), id: name(node), rows, complete }
}

/// The id of a widget without its package, or a path of classes and ids where it has none.
pub fn name(widget: Widget<'_>) -> String {
    if !widget.short_id().is_empty() {
        return widget.short_id().to_owned();
    }
    let mut path = format!("{}{}", widget.short_class(), widget.position());
    let named = |above: &Widget<'_>| !above.short_id().is_empty();
    if let Some(above) = widget.ancestors().find(named) {
        path = format!("{}/{path}", above.short_id());
    }
    path
}

fn row(node: Widget<'_>) -> Option<Row> {
    if node.has(Flags::INVISIBLE) {
        return None;
    }
    let mut cells = Vec::new();
    let mut buttons = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for widget in node.subtree().take(MOST_CELLS) {
        let place = places.entry((widget.short_class(), widget.short_id())).or_default();
        let number = std::mem::replace(place, *place + 1);
        let checked = widget.has(Flags::CHECKABLE).then(|| widget.has(Flags::CHECKED));
        if widget.has(Flags::PASSWORD)
            || (widget.text().is_empty() && widget.description().is_empty() && checked.is_none())
        {
            continue;
        }
        let key = match (widget.short_id(), number) {
            ("", number) => format!("{}{number}", widget.short_class()),
            (id, 0) => id.to_owned(),
            (id, number) => format!("{id}{number}"),
        };
        if node.is_actionable() && widget.id() != node.id() && widget.is_actionable() {
            buttons.push(widget.id());
        }
        cells.push(Cell {
            widget: widget.id(),
            key,
            has_id: !widget.short_id().is_empty(),
            text: widget.text().trim().to_owned(),
            description: widget.description().trim().to_owned(),
            checked,
        });
    }
    let texts = cells.iter().map(|cell| (&cell.text, cell.widget));
    let described = cells.iter().filter(|cell| cell.checked.is_none() && !buttons.contains(&cell.widget));
    let texts = texts.chain(described.map(|cell| (&cell.description, cell.widget)));
    let (label, named) = texts.into_iter().find(|(text, _)| !text.is_empty())?;
    let label = label.clone();
    let kind = format!("{}#{}", node.short_class(), node.short_id());
    Some(Row { node: node.id(), kind, label, named, cells, whole: true })
}

impl List {
    /// The rows of this label.
    pub fn labelled<'a>(&'a self, label: &'a str) -> impl Iterator<Item = (usize, &'a Row)> {
        self.rows.iter().enumerate().filter(move |(_, row)| row.label == label)
    }

    /// The only row of this label; `None` when there is none, or several.
    pub fn only(&self, label: &str) -> Option<(usize, &Row)> {
        let mut rows = self.rows.iter().enumerate().filter(|(_, row)| row.label == label);
        let first = rows.next()?;
        rows.next().is_none().then_some(first)
    }

    /// The labels, from the top down.
    pub fn labels(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row.label.as_str()).collect()
    }

    /// The row that a widget is, or lies in.
    pub fn row_with(&self, layout: &Layout, widget: WidgetId) -> Option<(usize, &Row)> {
        let widget = layout.get(widget)?;
        self.rows.iter().enumerate().find(|(_, row)| widget.is_inside(row.node))
    }
}

impl Row {
    /// Whether one of its texts is this one.
    pub fn shows(&self, text: &str) -> bool {
        self.cells.iter().any(|cell| cell.text == text)
    }

    /// Whether this stands anywhere in what it says.
    pub fn mentions(&self, text: &str) -> bool {
        self.cells.iter().any(|cell| cell.text.contains(text) || cell.description.contains(text))
    }

    /// The cell of this key.
    pub fn cell(&self, key: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.key == key)
    }

    /// Whether a touch of this widget is one of the row itself, not of a button in it: the widget holds the label.
    pub fn is_touched_by(&self, layout: &Layout, widget: WidgetId) -> bool {
        layout.get(self.named).is_some_and(|named| named.is_inside(widget))
    }

    /// For evidence; of the layout that shows the row.
    pub fn note(&self, layout: &Layout) -> Vec<WidgetNote> {
        layout.get(self.named).map(WidgetNote::of).into_iter().collect()
    }
}

impl Cell {
    /// It stands in the place of a cell that is not there.
    pub fn is_nothing(&self) -> bool {
        self.key.is_empty()
    }

    /// A box to tick that says nothing itself.
    pub fn is_box(&self) -> bool {
        self.checked.is_some() && self.text.is_empty() && self.description.is_empty()
    }

    /// Whether two states of a cell differ in what no clock changes.
    pub fn differs(&self, other: &Self) -> bool {
        let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let texts = |a: &str, b: &str| differ_in_words(a, b) || (a != b && number(a) && number(b));
        texts(&self.text, &other.text)
            || texts(&self.description, &other.description)
            || self.checked != other.checked
    }
}

impl List {
    /// The rows above and below this one stand one after the other in a later look at the list.
    pub fn closes_up(&self, number: usize, after: &List) -> bool {
        let place = |number: Option<usize>| {
            let label = &self.rows.get(number?)?.label;
            self.only(label)?;
            Some(after.only(label)?.0)
        };
        let (above, below) = (place(number.checked_sub(1)), place(Some(number + 1)));
        above.zip(below).is_some_and(|(above, below)| above + 1 == below)
    }
}

/// Whether two texts differ in more than what clocks and counters change: both say something without digits, and not
/// the same.
pub fn differ_in_words(a: &str, b: &str) -> bool {
    let times = |text: &str| text.chars().any(char::is_numeric);
    a != b && !times(a) && !times(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_counters_differ_in_no_words() {
        for (a, b, differ) in [
            ("milk", "bread", true),
            ("12:05", "12:06", false),
            ("just now", "2 min ago", false),
            ("3 due", "2 due", false),
            ("same", "same", false),
        ] {
            assert_eq!(differ_in_words(a, b), differ, "{a} {b}");
        }
    }
}
