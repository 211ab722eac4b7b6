//! What is on the screen but missing from the tree.

use super::Note;
use crate::{Flags, Layout, Widget};
use droidmux_words::number;

/// Fewer widgets than this say nothing about how an app is built.
const FEW: u32 = 4;

/// Fewer widgets that take events than this are a dialog or a splash screen, where ids are rare
/// in any app.
const FEW_ACTIVE: u32 = 8;

/// Adds the notes that follow from the layout itself.
pub(super) fn diagnose(layout: &Layout, notes: &mut Vec<Note>) {
    if layout.is_empty() {
        notes.push(Note::NoWidgets);
        return;
    }
    let count = Count::of(layout);
    if count.roots > 1 {
        notes.push(Note::SeveralRoots { roots: count.roots });
    }
    if count.empty > 0 {
        notes.push(Note::EmptyBounds { widgets: count.empty, touchable: count.empty_touchable });
    }
    if count.control > 0 {
        notes.push(Note::ControlCharacters { widgets: count.control });
    }
    if count.says_nothing() {
        notes.push(Note::NoTexts { widgets: count.mute, of: count.labels });
    }
    if count.opaque > 0 {
        notes.push(Note::OpaqueWebView { views: count.opaque });
    }
    let mut explained = false;
    if count.compose.widgets > 0 {
        notes.push(Note::Compose { widgets: count.compose.widgets, named: count.compose.named });
        explained = true;
    } else if count.is_flutter() {
        notes.push(Note::Flutter { widgets: count.bare });
        explained = true;
    }
    let active = count.active;
    if !explained && active.widgets >= FEW_ACTIVE && active.named * 4 < active.widgets {
        notes.push(Note::FewIds { widgets: active.widgets, named: active.named });
    }
}

#[derive(Clone, Copy, Default)]
struct Named {
    widgets: u32,
    named: u32,
}

impl Named {
    fn add(&mut self, widget: Widget<'_>) {
        self.widgets += 1;
        self.named += u32::from(!widget.resource_id().is_empty());
    }
}

#[derive(Default)]
struct Count {
    roots: u32,
    empty: u32,
    empty_touchable: u32,
    control: u32,
    opaque: u32,
    compose: Named,
    /// Widgets that take events.
    active: Named,
    /// Plain views and images without id and text that carry a description.
    bare: u32,
    /// Widgets that show a text of their own (except input fields, which Flutter has too).
    texts: u32,
    /// Widgets that show a description.
    descriptions: u32,
    /// Labels and buttons.
    labels: u32,
    /// Of them: without text and description, also of what is in them.
    mute: u32,
    flutter: bool,
}

impl Count {
    fn of(layout: &Layout) -> Self {
        let mut count = Self::default();
        // Subtrees already counted as a whole end here.
        let mut web_end = 0;
        let mut compose_end = 0;
        for widget in layout.widgets() {
            let at = widget.id().0;
            count.add(widget);
            let class = widget.short_class();
            if class.ends_with("WebView") && at >= web_end {
                web_end = at.saturating_add(number::count(widget.subtree().len()));
                count.opaque += u32::from(is_opaque(widget));
            }
            if matches!(class, "ComposeView" | "AndroidComposeView") && at >= compose_end {
                compose_end = at.saturating_add(number::count(widget.subtree().len()));
                widget.subtree().skip(1).for_each(|w| count.compose.add(w));
            }
        }
        count.roots = number::count(layout.roots().count());
        count
    }

    fn add(&mut self, widget: Widget<'_>) {
        let touchable = takes_touches(widget);
        if touchable {
            self.active.add(widget);
        }
        if widget.bounds().is_empty() {
            self.empty += 1;
            self.empty_touchable += u32::from(touchable);
        }
        if [widget.text(), widget.description(), widget.hint()].into_iter().any(has_control) {
            self.control += 1;
        }
        let class = widget.class();
        self.descriptions += u32::from(!widget.description().is_empty());
        if is_label(widget) {
            self.labels += 1;
            self.mute +=
                u32::from(is_opaque(widget) && widget.text().is_empty() && widget.description().is_empty());
        }
        self.flutter |= class.starts_with("io.flutter.");
        let named = !widget.resource_id().is_empty();
        let plain = matches!(class, "android.view.View" | "android.widget.ImageView");
        if !widget.text().is_empty() && !class.ends_with("EditText") {
            self.texts += 1;
        } else if plain && !named && !widget.description().is_empty() {
            self.bare += 1;
        }
    }

    /// Most labels are mute, or all that there are on a screen that says nothing.
    fn says_nothing(&self) -> bool {
        let silent = self.texts == 0 && self.descriptions == 0 && self.mute == self.labels;
        self.mute > 0 && (silent || (self.labels >= FEW && self.mute * 2 > self.labels))
    }

    /// Flutter's semantics tree: descriptions on plain views, and no text anywhere.
    fn is_flutter(&self) -> bool {
        self.flutter || (self.bare >= FEW && self.texts == 0)
    }
}

fn takes_touches(widget: Widget<'_>) -> bool {
    [Flags::CLICKABLE, Flags::LONG_CLICKABLE, Flags::CHECKABLE, Flags::SCROLLABLE]
        .into_iter()
        .any(|flag| widget.has(flag))
}

/// What is there to be read. A picture that is a button need not say anything.
fn is_label(widget: Widget<'_>) -> bool {
    let class = widget.short_class();
    class.ends_with("TextView") || (widget.is_button() && !class.ends_with("ImageButton"))
}

/// A view with nothing in it that a person would see.
fn is_opaque(view: Widget<'_>) -> bool {
    view.subtree().skip(1).all(|w| w.text().is_empty() && w.description().is_empty())
}

fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
}
