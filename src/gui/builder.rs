//! Building a layout.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::layout::Node;
use super::strings::Strings;
use super::{Bounds, Flags, Layout, Str, WidgetId};

/// The attributes of a widget about to be added.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewWidget<'a> {
    /// With its package, e.g. `android.widget.TextView`; its element's name if the dump gives none.
    pub class: &'a str,
    /// `package:id/name`, empty when it has none.
    pub resource_id: &'a str,
    /// As dumped. Of a password field the layout keeps only its length, as a row of bullets.
    pub text: &'a str,
    /// The `content-desc`, which screen readers read out; empty when it has none.
    pub description: &'a str,
    /// What an empty field asks for; empty when it has none or the dump does not tell.
    pub hint: &'a str,
    /// The package of the app it belongs to.
    pub package: &'a str,
    /// On the screen, in pixels; all 0 when the dump's bounds could not be read.
    pub bounds: Bounds,
    /// Its boolean attributes.
    pub flags: Flags,
    /// The dump's `index` attribute: kept for tools that print it, 0 when it is not a number.
    pub index: u16,
}

/// Builds a layout in document order: `open` a widget, its children, then `close` it.
#[derive(Debug, Default)]
pub struct LayoutBuilder {
    nodes: Vec<Node>,
    strings: Strings,
    seen: HashMap<Box<str>, Str>,
    open: Vec<WidgetId>,
    rotation: u8,
}

/// Longest row of bullets that stands for a password.
const BULLETS: usize = 64;

/// The text of a widget; for a password field only its length, so that no password reaches a store, a prompt or a
/// screen.
fn open_text<'t>(widget: &NewWidget<'t>) -> Cow<'t, str> {
    // Some systems report the hint as the text of an empty field.
    if widget.flags.contains(Flags::PASSWORD) && widget.text != widget.hint {
        Cow::Owned("•".repeat(widget.text.chars().count().min(BULLETS)))
    } else {
        Cow::Borrowed(widget.text)
    }
}

impl LayoutBuilder {
    /// A builder of a layout without widgets, not turned.
    pub fn new() -> Self {
        Self::default()
    }

    /// Quarter turns; taken modulo 4.
    pub fn rotation(&mut self, quarter_turns: u8) {
        self.rotation = quarter_turns % 4;
    }

    /// Adds a widget below the one that is open, as a root when none is. It stays open for its children.
    pub fn open(&mut self, widget: NewWidget<'_>) -> WidgetId {
        let id = WidgetId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let node = Node {
            class: self.intern(widget.class),
            resource_id: self.intern(widget.resource_id),
            text: self.intern(&open_text(&widget)),
            description: self.intern(widget.description),
            hint: self.intern(widget.hint),
            package: self.intern(widget.package),
            bounds: widget.bounds,
            flags: widget.flags,
            index: widget.index,
            parent: self.open.last().copied(),
            end: id.0.saturating_add(1),
        };
        self.nodes.push(node);
        self.open.push(id);
        id
    }

    /// Closes the widget opened last; without effect when none is open.
    pub fn close(&mut self) {
        if let Some(id) = self.open.pop() {
            self.nodes[id.0 as usize].end = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        }
    }

    /// Adds all widgets of a layout below the one that is open, as further roots when none is.
    pub fn append(&mut self, layout: &Layout) {
        let depth = self.depth();
        for widget in layout.widgets() {
            while self.depth() > depth.saturating_add(widget.depth()) {
                self.close();
            }
            self.open(NewWidget {
                class: widget.class(),
                resource_id: widget.resource_id(),
                text: widget.text(),
                description: widget.description(),
                hint: widget.hint(),
                package: widget.package(),
                bounds: widget.bounds(),
                flags: widget.flags(),
                index: widget.index(),
            });
        }
        while self.depth() > depth {
            self.close();
        }
    }

    /// How many widgets are open: the depth of the next one.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// How many widgets were added so far, closed or not.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True before the first widget is added.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Closes whatever is open and gives the layout.
    pub fn finish(mut self) -> Layout {
        while !self.open.is_empty() {
            self.close();
        }
        self.nodes.shrink_to_fit();
        self.strings.shrink();
        let (hash, positions) = (OnceLock::new(), OnceLock::new());
        Layout { nodes: self.nodes, strings: self.strings, rotation: self.rotation, hash, positions }
    }

    fn intern(&mut self, text: &str) -> Str {
        if text.is_empty() {
            return Str::EMPTY;
        }
        if let Some(&str) = self.seen.get(text) {
            return str;
        }
        let str = self.strings.push(text);
        self.seen.insert(text.into(), str);
        str
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_password_only_the_length_is_kept() {
        let secret = Flags::default().with(Flags::PASSWORD, true);
        // Text, hint and flags of a field, and the text in the layout.
        let cases = [
            ("hush", "", secret, "••••"),
            ("", "", secret, ""),
            ("Password", "Password", secret, "Password"),
            ("hush", "", Flags::default(), "hush"),
        ];
        for (text, hint, flags, expected) in cases {
            let mut builder = LayoutBuilder::new();
            let field = builder.open(NewWidget { text, hint, flags, ..NewWidget::default() });
            let layout = builder.finish();
            assert_eq!(layout.get(field).map(|field| field.text()), Some(expected), "{text:?}");
        }
        let mut builder = LayoutBuilder::new();
        let long = "x".repeat(1_000);
        let field = builder.open(NewWidget { text: &long, flags: secret, ..NewWidget::default() });
        assert_eq!(builder.finish().get(field).map(|field| field.text().chars().count()), Some(BULLETS));
    }
}
