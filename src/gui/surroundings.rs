//! The canonical strings of a widget that selectors hold: what is below it and what is around it.

use super::{Flags, Widget};

/// The most texts taken from a widget's row.
const ROW_TEXTS: usize = 8;
/// The most widgets of a row looked at for texts.
const ROW_WIDGETS: usize = 200;
/// The longest text, in characters; longer ones are cut (Genie drops them altogether).
const TEXT: usize = 50;
/// The most ancestors in the path, nearest first.
const ANCESTORS: usize = 24;
/// A description of a subtree longer than this is replaced by its hash.
const CHILDREN_BYTES: usize = 160;

/// A widget's text, nothing for a password field: selectors are stored and shown.
pub(super) fn open_text(widget: Widget<'_>) -> &str {
    if widget.has(Flags::PASSWORD) { "" } else { widget.text() }
}

/// The subtree below a widget: of each descendant class, resource-id, text and description, with
/// brackets for the nesting; empty for a leaf, a hash when long.
pub(super) fn children(widget: Widget<'_>) -> String {
    if widget.is_leaf() {
        return String::new();
    }
    let mut out = String::new();
    let mut open: Vec<u32> = Vec::new();
    for below in widget.subtree().skip(1) {
        let at = below.id().0;
        while open.last().is_some_and(|&end| end <= at) {
            open.pop();
            out.push(')');
        }
        out.push('(');
        for part in [below.short_class(), below.short_id(), open_text(below), below.description()] {
            quote(part, &mut out);
            out.push('|');
        }
        open.push(at + below.subtree().len() as u32);
    }
    if out.len() <= CHILDREN_BYTES {
        return out;
    }
    let digest = blake3::hash(out.as_bytes()).to_hex();
    format!("#{}", &digest[..32])
}

/// Marks in a text that the form itself uses are escaped, so that different subtrees never look
/// the same.
fn quote(text: &str, out: &mut String) {
    for char in text.chars() {
        if matches!(char, '|' | '(' | ')' | '\\') {
            out.push('\\');
        }
        out.push(char);
    }
}

/// What is around a widget, for comparing by likeness: its own text, the texts of its row, and
/// the path of its ancestors from the nearest up, each by its id or else its class.
///
/// The row is the nearest ancestor with more than one child in which anything outside the widget
/// says something.
pub(super) fn context(widget: Widget<'_>) -> String {
    let mut out = String::with_capacity(256);
    push_cut(label(widget), &mut out);
    out.push('|');
    if let Some(row) = row(widget) {
        let mut texts = 0;
        for other in outside(row, widget) {
            let text = label(other);
            if text.is_empty() {
                continue;
            }
            push_cut(text, &mut out);
            out.push(';');
            texts += 1;
            if texts == ROW_TEXTS {
                break;
            }
        }
    }
    out.push('|');
    for ancestor in widget.ancestors().take(ANCESTORS) {
        let id = ancestor.short_id();
        out.push_str(if id.is_empty() { ancestor.short_class() } else { id });
        out.push('/');
    }
    out
}

fn row<'a>(widget: Widget<'a>) -> Option<Widget<'a>> {
    let mut looked = 0;
    widget.ancestors().find(|&ancestor| {
        // Widgets looked at count over all levels, so that a huge flat dump costs no square.
        if looked >= ROW_WIDGETS || ancestor.children().nth(1).is_none() {
            return false;
        }
        let mut others = outside(ancestor, widget).inspect(|_| looked += 1);
        others.any(|other| !label(other).is_empty())
    })
}

/// The widgets of a row that are not in the widget's own subtree, as far as they are looked at.
fn outside<'a>(row: Widget<'a>, widget: Widget<'a>) -> impl Iterator<Item = Widget<'a>> {
    let id = widget.id();
    row.subtree().take(ROW_WIDGETS).skip(1).filter(move |other| !other.is_inside(id))
}

fn label<'a>(widget: Widget<'a>) -> &'a str {
    let text = open_text(widget);
    if text.is_empty() { widget.description() } else { text }
}

fn push_cut(text: &str, out: &mut String) {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => out.push_str(&text[..end]),
        None => out.push_str(text),
    }
}
