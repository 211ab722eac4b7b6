//! Where a touch lands: in the middle of its receiver, which may be over another widget inside it.

use droidmux_gui::{Event, EventKind, Layout, Widget};

/// The widget inside the receiver that takes the touch instead of it, by id and words. `None` when the receiver takes
/// it itself, for events that are not touches, and if the receiver is not there.
pub(super) fn taken<'a>(layout: &'a Layout, event: &Event) -> Option<(&'a str, Vec<&'a str>)> {
    if !matches!(event.kind, EventKind::Click | EventKind::LongClick) {
        return None;
    }
    let receiver = layout.resolve(event.receiver.as_ref()?).widget()?;
    let receiver = layout.get(receiver)?;
    let middle = receiver.bounds().center();
    let takes = |widget: &Widget<'_>| {
        widget.is_actionable() && widget.is_touchable() && widget.bounds().contains(middle)
    };
    let inner = receiver.subtree().skip(1).rev().find(takes)?;
    let words = inner.subtree().flat_map(|widget| [widget.text(), widget.description()]);
    Some((inner.short_id(), words.filter(|words| !words.is_empty()).collect()))
}

/// Whether an event acts on this widget or on something in it.
pub(super) fn is_touched(widget: Widget<'_>, layout: &Layout, event: &Event) -> bool {
    let receiver = event.receiver.as_ref().and_then(|receiver| layout.resolve(receiver).widget());
    receiver.is_some_and(|receiver| widget.subtree().any(|inner| inner.id() == receiver))
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};

    /// A drawer of this height above two items that are 100 high each, and its empty rest.
    fn drawer(height: i32) -> Layout {
        let mut builder = LayoutBuilder::new();
        for (text, top, bottom) in [("", 0, height), ("Trash", 0, 100), ("Settings", 100, 200)] {
            let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
            let bounds = Bounds::new(0, top, 400, bottom);
            builder.open(NewWidget { class: "View", text, bounds, flags, ..NewWidget::default() });
            if !text.is_empty() {
                builder.close();
            }
        }
        builder.finish()
    }

    #[test]
    fn a_touch_lands_on_what_is_in_the_middle() {
        // the height of the drawer, the kind of event, what takes it
        for (height, kind, expected) in [
            (180, EventKind::Click, Some("Trash")),
            (380, EventKind::Click, Some("Settings")),
            (380, EventKind::LongClick, Some("Settings")),
            (800, EventKind::Click, None),
            (180, EventKind::Wait, None),
        ] {
            let layout = drawer(height);
            let receiver = layout.widgets().next().map(|widget| layout.selector(widget.id()));
            let event = Event { kind, receiver, data: None };
            let words = taken(&layout, &event).map(|(_, words)| words.concat());
            assert_eq!(words.as_deref(), expected, "{height} {kind:?}");
        }
    }
}
