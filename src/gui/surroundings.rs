//! The canonical strings of a widget that selectors hold: what is below it and what is around it.

use super::{Flags, Widget};
use droidmux_words::{beginning, number};

/// The most texts taken from a widget's row.
const ROW_TEXTS: usize = 8;
/// The most widgets of a row looked at for texts.
const ROW_WIDGETS: usize = 200;
/// The longest text, in characters; longer ones are cut (Genie drops them altogether).
const TEXT: usize = 50;
/// The most ancestors in the path, nearest first.
const ANCESTORS: usize = 24;

/// A widget's text, nothing for a password field: selectors are stored and shown.
pub(super) fn open_text(widget: Widget<'_>) -> &str {
    if widget.has(Flags::PASSWORD) { "" } else { widget.text() }
}

/// The subtree below a widget: how many widgets, and a hash over their nesting, classes,
/// resource-ids, texts and descriptions. Empty for a leaf.
pub(super) fn children(widget: Widget<'_>) -> String {
    match fingerprint(widget) {
        Some((count, hash)) => format!("{count}:{hash:016x}"),
        None => String::new(),
    }
}

/// True when the widget's [`children`] equal these.
pub(super) fn has_children(widget: Widget<'_>, children: &str) -> bool {
    let Some((count, hash)) = children.split_once(':') else {
        return children.is_empty() && widget.is_leaf();
    };
    // The hash is computed only if the count agrees: most candidates are eliminated by then.
    count.parse() == Ok(widget.subtree().len() - 1)
        && fingerprint(widget).is_some_and(|(_, found)| u64::from_str_radix(hash, 16) == Ok(found))
}

fn fingerprint(widget: Widget<'_>) -> Option<(usize, u64)> {
    if widget.is_leaf() {
        return None;
    }
    let mut hash = Fnv::default();
    for below in widget.subtree().skip(1) {
        // Where each subtree ends says how they nest.
        hash.add(&number::count(below.subtree().len()).to_le_bytes());
        for part in [below.class(), below.resource_id(), open_text(below), below.description()] {
            hash.add(part.as_bytes());
            hash.add(&[0xff]);
        }
    }
    Some((widget.subtree().len() - 1, hash.0))
}

/// FNV-1a, 64 bits: equal on every machine and fast on short strings. If an app makes two of its own rows collide, that
/// harms nothing but its own test.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// What is around a widget, for comparing by similarity: its own text, the texts of its row, and the path of its
/// ancestors from the nearest up, each by its id or else its class.
///
/// The row is the nearest ancestor with more than one child in which anything outside the widget
/// says something.
pub(super) fn context(widget: Widget<'_>) -> String {
    let mut context = String::with_capacity(256);
    // Writing to a string never fails.
    let _ = write_context(widget, &mut context);
    context
}

/// True when the widget's [`context`] equals this one. Stops at the first difference, which for the rows of a list
/// comes early.
pub(super) fn has_context(widget: Widget<'_>, context: &str) -> bool {
    let mut left = context;
    write_context(widget, &mut left).is_some() && left.is_empty()
}

/// Takes a text piece by piece; `None` stops the writer.
trait Sink {
    fn take(&mut self, piece: &str) -> Option<()>;
}

impl Sink for String {
    fn take(&mut self, piece: &str) -> Option<()> {
        self.push_str(piece);
        Some(())
    }
}

/// The rest of an expected text.
impl Sink for &str {
    fn take(&mut self, piece: &str) -> Option<()> {
        *self = self.strip_prefix(piece)?;
        Some(())
    }
}

fn write_context(widget: Widget<'_>, sink: &mut impl Sink) -> Option<()> {
    sink.take(beginning(label(widget), TEXT))?;
    sink.take("|")?;
    if let Some(row) = row(widget) {
        for text in outside(row, widget).map(label).filter(|text| !text.is_empty()).take(ROW_TEXTS) {
            sink.take(beginning(text, TEXT))?;
            sink.take(";")?;
        }
    }
    sink.take("|")?;
    for ancestor in widget.ancestors().take(ANCESTORS) {
        let id = ancestor.short_id();
        sink.take(if id.is_empty() { ancestor.short_class() } else { id })?;
        sink.take("/")?;
    }
    Some(())
}

fn row<'a>(widget: Widget<'a>) -> Option<Widget<'a>> {
    let mut looked = 0;
    widget.ancestors().find(|&ancestor| {
        // The limit on widgets holds across all levels, so that a huge flat dump does not cost quadratic time.
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
