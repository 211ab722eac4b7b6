//! The events a layout handles.

use std::sync::OnceLock;

use super::comparable::behind_drawer;
use super::{Direction, EventKind, Flags, Layout, Widget, WidgetId};

impl Layout {
    /// What can be done to the widgets, by their flags: clicks and long clicks, edits of text
    /// fields, scrolling; in document order. Only [reachable](Self::reachable) widgets have any.
    pub fn events(&self) -> Vec<(EventKind, WidgetId)> {
        let mut events = Vec::new();
        for widget in self.reachable() {
            widget.each_event(|kind| events.push((kind, widget.id())));
        }
        events
    }

    /// The widgets that a finger reaches, in document order: they [can be touched](Widget::is_touchable), and no open
    /// drawer lies above them. Dumps list what lies behind a drawer as if it could be touched; a tap there only closes
    /// the drawer.
    pub fn reachable(&self) -> impl Iterator<Item = Widget<'_>> {
        self.in_front().filter(|widget| widget.is_touchable())
    }

    /// The widgets that no open drawer lies above, in document order: what is behind one can only be seen, and is
    /// another page each time that the drawer is the same.
    pub fn in_front(&self) -> impl Iterator<Item = Widget<'_>> {
        let behind = behind_drawer(self);
        self.widgets().filter(move |widget| !behind.iter().any(|part| widget.is_inside(*part)))
    }

    /// The same layout with these widgets disabled, as if the app took no touches on them.
    #[must_use]
    pub fn with_disabled(&self, widgets: &[WidgetId]) -> Self {
        let mut nodes = self.nodes.clone();
        for id in widgets {
            if let Some(node) = usize::try_from(id.0).ok().and_then(|n| nodes.get_mut(n)) {
                node.flags = node.flags.with(Flags::ENABLED, false);
            }
        }
        let (strings, rotation) = (self.strings.clone(), self.rotation);
        Self { nodes, strings, rotation, hash: OnceLock::new(), positions: OnceLock::new() }
    }
}

impl Widget<'_> {
    /// True when it takes touches: enabled, shown, with an area whose middle is on the screen. Whether something lies
    /// above it is a question for its [layout](Layout::reachable).
    pub fn is_touchable(self) -> bool {
        let middle = self.bounds().center();
        self.has(Flags::ENABLED)
            && !self.has(Flags::INVISIBLE)
            && !self.bounds().is_empty()
            && middle.x >= 0
            && middle.y >= 0
    }

    /// True for fields that text can be typed into. Dumps have no flag for it; the class they print is the one
    /// announced to accessibility services, and every text field of the platform and its libraries announces one of
    /// these.
    pub fn is_editable(self) -> bool {
        let class = self.short_class();
        class.ends_with("EditText")
            || class.ends_with("AutoCompleteTextView")
            || class == "SearchAutoComplete"
    }

    /// True when the widget takes an event of its own that acts on this widget: a click, a long
    /// click or an edit (scrolling acts on what is inside).
    pub fn is_actionable(self) -> bool {
        [Flags::CLICKABLE, Flags::LONG_CLICKABLE, Flags::CHECKABLE].into_iter().any(|flag| self.has(flag))
            || self.is_editable()
    }

    fn each_event(self, mut event: impl FnMut(EventKind)) {
        if self.has(Flags::CLICKABLE) || self.has(Flags::CHECKABLE) {
            event(EventKind::Click);
        }
        if self.has(Flags::LONG_CLICKABLE) {
            event(EventKind::LongClick);
        }
        if self.is_editable() {
            event(EventKind::Edit);
        }
        if self.has(Flags::SCROLLABLE) {
            self.directions().into_iter().for_each(|direction| event(EventKind::Scroll(direction)));
        }
    }

    /// The ways a scrollable widget scrolls, judged by its class, since dumps do not say. The direction of what comes
    /// next is first.
    pub fn directions(self) -> [Direction; 2] {
        let class = self.short_class();
        if class.contains("Horizontal") || class.contains("ViewPager") || class == "Gallery" {
            [Direction::Right, Direction::Left]
        } else {
            [Direction::Down, Direction::Up]
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bounds, EventKind, Flags, LayoutBuilder, NewWidget};

    #[test]
    fn by_flags_and_only_where_a_finger_reaches() {
        let on = Flags::ENABLED;
        let both = on.with(Flags::CLICKABLE, true).with(Flags::LONG_CLICKABLE, true);
        let shown = Bounds::new(0, 0, 10, 10);
        let cases = [
            ("android.widget.Button", both, shown, "click long-click"),
            ("android.widget.Button", both.with(Flags::ENABLED, false), shown, ""),
            ("android.widget.Button", both.with(Flags::INVISIBLE, true), shown, ""),
            ("android.widget.Button", both, Bounds::new(5, 5, 5, 9), ""),
            ("android.widget.Button", both, Bounds::new(-20, 0, -5, 9), ""),
            ("android.widget.CheckBox", on.with(Flags::CHECKABLE, true), shown, "click"),
            ("android.widget.EditText", on, shown, "edit"),
            ("android.widget.TextView", on, shown, ""),
            ("a.b.RecyclerView", on.with(Flags::SCROLLABLE, true), shown, "scroll-down scroll-up"),
            ("a.b.ViewPager", on.with(Flags::SCROLLABLE, true), shown, "scroll-right scroll-left"),
        ];
        for (class, flags, bounds, expected) in cases {
            let mut builder = LayoutBuilder::new();
            builder.open(NewWidget { class, flags, bounds, ..NewWidget::default() });
            let events = builder.finish().events();
            let names: Vec<&str> = events.iter().map(|(kind, _): &(EventKind, _)| kind.name()).collect();
            assert_eq!(names.join(" "), expected, "{class} {flags:?} {bounds}");
        }
    }
}
