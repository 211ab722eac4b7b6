//! Keys that are widgets of the system: the buttons of a navigation bar, the action key of a keyboard.
//!
//! Whoever records a specification clicks on them like on anything else. But they belong to other windows, which most
//! dumps leave out, and to the phone at hand: others have gestures instead of buttons, or another keyboard.
//!
//! In: a widget of a specification. Out: the event that a click on it is. Invariant: goes by what the specification says
//! of the widget alone.

use droidmux_gui::EventKind;
use droidmux_record::DmfWidget;

/// Parts of packages that are keyboards'.
const KEYBOARDS: [&str; 4] = ["inputmethod", "keyboard", "swiftkey", ".ime"];

/// Parts of the names of the key that ends typing: by AOSP's keyboard, Gboard and others.
const ACTION_KEYS: [&str; 5] = ["ime_action", "key_enter", "enter_key", "key_return", "action_key"];

/// What a click on this widget does, if it is a key of the system.
pub fn system_key(widget: &DmfWidget) -> Option<EventKind> {
    let named = [widget.resource_id.as_str(), within(&widget.xpath)];
    named.into_iter().find_map(key)
}

/// The first resource id that a path goes through.
fn within(xpath: &str) -> &str {
    let after = xpath.split_once("@resource-id=").map_or("", |(_, after)| after);
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
    quote.and_then(|quote| after.split(quote).nth(1)).unwrap_or_default()
}

fn key(resource_id: &str) -> Option<EventKind> {
    let (package, name) = resource_id.split_once(":id/")?;
    match name {
        "back" | "back_button" if package.contains("systemui") => Some(EventKind::Back),
        "home" | "home_button" if package.contains("systemui") => Some(EventKind::Home),
        _ if package.contains("systemui") => None,
        _ => {
            let keyboard = KEYBOARDS.iter().any(|part| package.contains(part));
            (keyboard && ACTION_KEYS.iter().any(|part| name.contains(part))).then_some(EventKind::Enter)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_who_they_belong_to() {
        for (resource_id, xpath, expected) in [
            ("com.android.systemui:id/back", "", Some(EventKind::Back)),
            ("com.android.systemui:id/home", "", Some(EventKind::Home)),
            ("com.android.systemui:id/recent_apps", "", None),
            ("org.notes:id/back", "", None),
            ("org.example.keyboard:id/key_enter", "", Some(EventKind::Enter)),
            ("org.example.keyboard:id/key_q", "", None),
            ("org.notes:id/key_enter", "", None),
            (
                "",
                r#"//*[@resource-id="org.vendor.inputmethod:id/key_ime_action"]/android.widget.ImageView[1]"#,
                Some(EventKind::Enter),
            ),
            ("", "//*[@resource-id='com.android.systemui:id/back']", Some(EventKind::Back)),
            ("", "//*[@resource-id=]", None),
            ("", "//android.widget.Button[1]", None),
            ("", "", None),
        ] {
            let widget =
                DmfWidget { resource_id: resource_id.into(), xpath: xpath.into(), ..DmfWidget::default() };
            assert_eq!(system_key(&widget), expected, "{resource_id} {xpath}");
        }
    }
}
