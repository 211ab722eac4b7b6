//! Remarks on a function's widgets.

use super::{Lint, event_name, is_blank};
use crate::pbfdroid::xpath::Path;
use droidmux_record::{DmfAction, DmfWidget, text_source};

impl Lint<'_> {
    pub(super) fn widgets(&mut self) {
        for widget in &self.dmf.widgets {
            let about = format!("widget `{}`", widget.name);
            self.use_of(&about, widget);
            self.attributes(&about, widget);
            if self.is_source(widget) {
                self.source(&about, widget);
            }
        }
    }

    /// Some text of the function refers to the widget.
    fn is_source(&self, widget: &DmfWidget) -> bool {
        let refers = |text: &str| text_source(text) == Some(widget.name.as_str());
        self.dmf.widgets.iter().any(|other| refers(&other.text))
            || self.dmf.events.iter().any(|event| refers(&event.text))
            || self.dmf.impacts.iter().any(|impact| refers(&impact.object))
    }

    /// A forced event or a condition needs the widget.
    fn is_needed(&self, widget: &DmfWidget) -> bool {
        let mut conditions = self.dmf.preconditions.iter().chain(&self.dmf.postconditions);
        self.dmf.events.iter().any(|event| event.force && event.widget == widget.name)
            || conditions.any(|condition| condition.widget == widget.name)
    }

    fn use_of(&mut self, about: &str, widget: &DmfWidget) {
        let named = self.is_needed(widget) || self.dmf.events.iter().any(|event| event.widget == widget.name);
        if !named && !self.is_source(widget) {
            self.note(about, "is defined and never used".into());
        }
    }

    fn attributes(&mut self, about: &str, widget: &DmfWidget) {
        let certain = |lint: &mut Self, what: String| {
            if lint.is_needed(widget) { lint.fault(about, what) } else { lint.note(about, what) }
        };
        if is_blank(widget) {
            certain(self, "names no attribute, so it fits no widget".into());
        }
        if !widget.xpath.is_empty()
            && let Err(error) = Path::parse(&widget.xpath)
        {
            certain(self, format!("its xpath is {error}"));
        }
        let DmfWidget { class, description, resource_id, .. } = widget;
        if !class.is_empty() && !class.contains('.') {
            self.note(about, format!("its class `{class}` has no package; classes are compared whole"));
        }
        if !resource_id.is_empty() && !resource_id.contains(":id/") {
            let what = format!(
                "its resource-id `{resource_id}` is not of the form `PACKAGE:id/NAME`; ids are compared whole"
            );
            self.note(about, what);
        }
        if description.contains(":id/") {
            self.note(about, format!("its content-desc `{description}` looks like a resource-id"));
        }
        if self.dmf.widget(&widget.text).is_some() {
            let text = &widget.text;
            self.note(
                about,
                format!("its text is the word `{text}`; for what the widget shows write `{text}.text`"),
            );
        }
    }

    /// A widget whose text is read: on which layout.
    fn source(&mut self, about: &str, widget: &DmfWidget) {
        let end = self.dmf.events.len();
        let at = self.position(widget.layout);
        if let Some(layout) = widget.layout.filter(|layout| *layout as usize > end && at == end) {
            self.note(
                about,
                format!("says layout {layout}; after {end} events the last one is {end}, where it is read"),
            );
        }
        if !self.additions().any(|impact| text_source(&impact.object) == Some(widget.name.as_str())) {
            return;
        }
        // The new object is what was typed: it is there after the edit.
        let types_into = |(number, event): &(usize, &droidmux_record::DmfEvent)| {
            *number >= at
                && event.action == DmfAction::Edit
                && self.dmf.receiver(event).is_some_and(|receiver| same_place(receiver, widget))
        };
        if let Some((number, event)) = self.dmf.events.iter().enumerate().find(types_into) {
            let what = format!("is read on layout {at}, before {} types into it", event_name(number, event));
            self.note(about, what);
        }
    }
}

/// Two descriptions with the same attributes, texts and layouts apart.
fn same_place(one: &DmfWidget, other: &DmfWidget) -> bool {
    let instance = |widget: &DmfWidget| widget.instance.unwrap_or(0);
    (&one.class, &one.resource_id, &one.description, &one.xpath, instance(one))
        == (&other.class, &other.resource_id, &other.description, &other.xpath, instance(other))
        && !is_blank(one)
}
