//! Selectors of widgets that are on no layout.

use droidmux_gui::Selector;

/// A button with this text, description and id.
pub fn selector(text: &str, description: &str, id: &str) -> Selector {
    Selector {
        class: "android.widget.Button".into(),
        resource_id: id.into(),
        description: description.into(),
        text: text.into(),
        children: String::new(),
        context: String::new(),
        position: 0,
    }
}
