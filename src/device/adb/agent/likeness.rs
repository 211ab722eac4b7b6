//! Makes layouts look as if `uiautomator` had dumped them.
//!
//! The agent has a copy of AOSP's dumper that reports more. Both may dump during one session, when one of them fails,
//! and what only one reports would look like an effect of the events in between.

use droidmux_gui::{Flags, Layout, LayoutBuilder, NewWidget, Widget};

/// Android 14: from then on `uiautomator` writes hints, too.
const FIRST_WITH_HINTS: u32 = 34;

/// The layout of an agent's dump on a device of this API level, without what `uiautomator` would not have reported;
/// `None` when there is nothing of that kind.
///
/// That is: hints before Android 14, which widgets are invisible (the root may be; others are left out
/// by both), and the position of a bar as its text.
pub(in crate::adb) fn as_uiautomator_writes(layout: &Layout, api: u32) -> Option<Layout> {
    let more = |widget: Widget<'_>| {
        widget.has(Flags::INVISIBLE)
            || (api < FIRST_WITH_HINTS && !widget.hint().is_empty())
            || is_position(widget)
    };
    if !layout.widgets().any(more) {
        return None;
    }
    let mut builder = LayoutBuilder::new();
    builder.rotation(layout.rotation());
    for widget in layout.widgets() {
        while builder.depth() > widget.depth() {
            builder.close();
        }
        builder.open(NewWidget {
            class: widget.class(),
            resource_id: widget.resource_id(),
            text: if is_position(widget) { "" } else { widget.text() },
            description: widget.description(),
            hint: if api < FIRST_WITH_HINTS { "" } else { widget.hint() },
            package: widget.package(),
            bounds: widget.bounds(),
            flags: widget.flags().with(Flags::INVISIBLE, false),
            index: widget.index(),
        });
    }
    Some(builder.finish())
}

/// The agent writes the position of sliders and progress bars the way Java prints a `float`.
fn is_position(widget: Widget<'_>) -> bool {
    let text = widget.text();
    widget.short_class().ends_with("Bar")
        && text.contains('.')
        && text.parse::<f32>().is_ok_and(f32::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::read_dump;

    #[test]
    fn what_only_the_agent_tells_is_left_out() {
        let read = |xml: &str| read_dump(xml.as_bytes()).expect("a dump").layout;
        let dump = |root: &str, field: &str, bar: &str| {
            read(&format!(
                "<hierarchy rotation=\"1\"><node class=\"a.Frame\" bounds=\"[0,0][9,9]\"{root}>\
                 <node class=\"a.EditText\" text=\"x\" bounds=\"[0,0][9,3]\"{field}><node class=\"a.B\" bounds=\"[0,0][1,1]\"/></node>\
                 <node class=\"android.widget.SeekBar\" bounds=\"[0,3][9,9]\"{bar}/></node></hierarchy>"
            ))
        };
        let stock = dump("", "", "");
        let agent = dump(" visible-to-user=\"false\"", " hint=\"Name\"", " text=\"50.0\"");
        assert_ne!(agent, stock);
        assert_eq!(as_uiautomator_writes(&agent, 33), Some(stock.clone()));
        let hinting = dump("", " hint=\"Name\"", "");
        assert_eq!(as_uiautomator_writes(&agent, 34), Some(hinting.clone()));
        assert_eq!(as_uiautomator_writes(&hinting, 34), None, "nothing to leave out");
        assert_eq!(as_uiautomator_writes(&stock, 33), None);
        for kept in ["50", "5.0 stars", "inf."] {
            let said = dump("", "", &format!(" text=\"{kept}\""));
            assert_eq!(as_uiautomator_writes(&said, 33), None, "{kept}");
        }
    }
}
