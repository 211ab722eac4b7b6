//! Masks for widgets that show a date somewhere in a recording.

use std::collections::BTreeMap;

use super::screens::for_each_screen;
use droidmux_gui::{Flags, Widget, holds_date};
use droidmux_import::Recording;
use droidmux_record::{Mask, MaskEdit};
use droidmux_technique::path;

/// One mask for each widget that shows a date, a time or a duration in any layout that is to be compared: by class and
/// resource-id, or by its position if it has no id. It applies to every layout, even where the widget shows something
/// else ("-" before the first entry).
pub(super) fn masks(recording: &Recording) -> Vec<MaskEdit> {
    let mut masks: BTreeMap<[String; 4], Mask> = BTreeMap::new();
    for_each_screen(recording, recording.comparisons(), |activity, layout| {
        for widget in layout.widgets().filter(|w| shows_date(*w)) {
            let mask = mask(activity, widget);
            let identity = [&mask.activity, &mask.class, &mask.resource_id, &mask.path].map(String::clone);
            masks.entry(identity).or_insert(mask);
        }
    });
    let mut masks: Vec<Mask> = masks.into_values().collect();
    masks.sort();
    masks.into_iter().map(|mask| MaskEdit { mask, masked: true }).collect()
}

fn shows_date(widget: Widget<'_>) -> bool {
    !widget.has(Flags::PASSWORD) && (holds_date(widget.text()) || holds_date(widget.description()))
}

fn mask(activity: &str, widget: Widget<'_>) -> Mask {
    let named = !widget.resource_id().is_empty();
    let text = if widget.text().is_empty() { widget.description() } else { widget.text() };
    Mask {
        activity: activity.to_owned(),
        class: widget.class().to_owned(),
        resource_id: widget.resource_id().to_owned(),
        description: String::new(),
        path: if named { String::new() } else { path(widget) },
        example: (text.to_owned(), String::new()),
    }
}
