//! What differs between two looks at a page, in lines that models and rules read.

use super::phrase::{self, Secrets, id_words, list_name, quoted, row_words};
use droidmux_gui::{Flags, Layout, Widget, WidgetId, edit_mapping, row_of};

/// Lines for one step; more are counted.
const MOST_LINES: usize = 24;

/// What a person sees come, go and change from an earlier to a later screen, one line each:
///
/// - `gone:`, `new:` a widget, with its row
/// - `changed:` a widget that shows another text
/// - `checked:`, `unchecked:`, `selected:`, `deselected:`, `enabled:`, `disabled:`
/// - `rows:` a list with another number of rows
pub fn lines(earlier: &Layout, later: &Layout, secrets: &Secrets) -> Vec<String> {
    let mut lines = row_counts(earlier, later);
    for (a, b) in edit_mapping(earlier, later) {
        let (a, b) = (a.and_then(|id| earlier.get(id)), b.and_then(|id| later.get(id)));
        match (a, b) {
            (Some(a), Some(b)) if is_same(a, b) => lines.extend(changes(a, b, secrets)),
            (a, b) => {
                lines.extend(a.filter(|a| is_telling(*a)).map(|a| line("gone", a, secrets)));
                lines.extend(b.filter(|b| is_telling(*b)).map(|b| line("new", b, secrets)));
            }
        }
    }
    capped(lines)
}

/// Whether a person sees the widget as something of its own.
fn is_telling(widget: Widget<'_>) -> bool {
    let picture = widget.is_leaf() && widget.short_class().contains("Image");
    !widget.has(Flags::INVISIBLE)
        && (!phrase::own_label(widget).is_empty() || widget.is_actionable() || picture)
}

fn is_same(a: Widget<'_>, b: Widget<'_>) -> bool {
    a.class() == b.class() && a.resource_id() == b.resource_id()
}

fn line(what: &str, widget: Widget<'_>, secrets: &Secrets) -> String {
    format!("{what}: {}{}", phrase::name(widget, secrets), row_words(widget, secrets))
}

/// ` | checked`, for what can be.
pub fn state(widget: Widget<'_>) -> &'static str {
    match (widget.has(Flags::CHECKABLE), widget.has(Flags::CHECKED)) {
        (true, true) => " | checked",
        (true, false) => " | unchecked",
        (false, _) => "",
    }
}

fn changes(a: Widget<'_>, b: Widget<'_>, secrets: &Secrets) -> Vec<String> {
    let mut lines = Vec::new();
    let (old, new) = (phrase::own_label(a), phrase::own_label(b));
    if old != new {
        let (old, new) = (quoted(&secrets.redacted(old)), quoted(&secrets.redacted(new)));
        let (class, id, row) = (b.short_class(), id_words(b.resource_id()), row_words(b, secrets));
        lines.push(format!("changed: {class}{id} {old} -> {new}{row}"));
    }
    for (flag, on, off) in [
        (Flags::CHECKED, "checked", "unchecked"),
        (Flags::SELECTED, "selected", "deselected"),
        (Flags::ENABLED, "enabled", "disabled"),
    ] {
        if a.has(flag) != b.has(flag) {
            lines.push(line(if b.has(flag) { on } else { off }, b, secrets));
        }
    }
    lines
}

/// A `rows:` line for every list that has a different number of rows, including lists that came or went.
fn row_counts(earlier: &Layout, later: &Layout) -> Vec<String> {
    let (before, after) = (lists(earlier), lists(later));
    let mut names: Vec<&String> = after.iter().chain(&before).map(|(name, _)| name).collect();
    names.dedup();
    let count = |of: &[(String, usize)], name: &str| {
        of.iter().find(|(other, _)| other == name).map_or(0, |(_, rows)| *rows)
    };
    let mut lines = Vec::new();
    for name in names {
        let (before, after) = (count(&before, name), count(&after, name));
        let line = format!("rows:{name} {before} -> {after}");
        if before != after && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// The lists of a screen by name, with how many rows they show.
fn lists(layout: &Layout) -> Vec<(String, usize)> {
    let mut seen: Vec<WidgetId> = Vec::new();
    let mut lists = Vec::new();
    for list in layout.widgets().filter_map(|widget| row_of(widget)?.parent()) {
        if !seen.contains(&list.id()) {
            seen.push(list.id());
            lists.push((list_name(list), list.children().count()));
        }
    }
    lists
}

/// The lines of a step, as many as are told.
pub fn capped(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget};

    /// A list with rows of these labels, and a switch.
    fn page(rows: &[&str], on: bool) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "LinearLayout", ..NewWidget::default() });
        builder.open(NewWidget { class: "a.RecyclerView", resource_id: "a:id/list", ..NewWidget::default() });
        for text in rows {
            builder.open(NewWidget { class: "a.LinearLayout", ..NewWidget::default() });
            builder.open(NewWidget {
                class: "a.TextView",
                resource_id: "a:id/title",
                text,
                ..NewWidget::default()
            });
            builder.close();
            builder.close();
        }
        builder.close();
        let flags = Flags::ENABLED.with(Flags::CHECKABLE, true).with(Flags::CHECKED, on);
        builder.open(NewWidget {
            class: "a.Switch",
            resource_id: "a:id/sound",
            flags,
            ..NewWidget::default()
        });
        builder.finish()
    }

    #[test]
    fn what_a_person_sees_change() {
        for (rows, on, expected) in [
            (&["Tea", "Milk"][..], true, &[][..]),
            (&["Tea"], true, &["rows: #list 2 -> 1", "gone: TextView \"Milk\" #title | row 2 of 2 in #list"]),
            (
                &["Tea", "Milk", "Se\"cret"],
                true,
                &["rows: #list 2 -> 3", "new: TextView \"•••\" #title | row 3 of 3 in #list"],
            ),
            (
                &["Tea", "Cocoa"],
                true,
                &["changed: TextView #title \"Milk\" -> \"Cocoa\" | row 2 of 2 in #list"],
            ),
            (&["Tea", "Milk"], false, &["unchecked: Switch #sound"]),
            (
                &[],
                true,
                &[
                    "rows: #list 2 -> 0",
                    "gone: TextView \"Tea\" #title | row 1 of 2 in #list",
                    "gone: TextView \"Milk\" #title | row 2 of 2 in #list",
                ],
            ),
        ] {
            let mut secrets = Secrets::default();
            secrets.add("Se\"cret");
            assert_eq!(lines(&page(&["Tea", "Milk"], true), &page(rows, on), &secrets), expected);
        }
    }
}
