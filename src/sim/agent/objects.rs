//! What the agent reports about the phone and about a widget.

use serde_json::{Value, json};

use crate::Phone;
use droidmux_gui::Bounds;
use droidmux_sim_toolkit::platform::Scene;

/// `deviceInfo`.
pub(super) fn device_info(phone: &Phone) -> Value {
    let (width, height) = phone.size();
    let dp = |pixels: u32| pixels * 160 / phone.options().density.max(1);
    json!({
        "currentPackageName": phone.focus().package,
        "displayHeight": height,
        "displayRotation": phone.rotation(),
        "displaySizeDpX": dp(width),
        "displaySizeDpY": dp(height),
        "displayWidth": width,
        "productName": phone.properties().get("ro.product.name").cloned().unwrap_or_default(),
        "screenOn": phone.is_screen_on(),
        "sdkInt": phone.options().sdk,
        "naturalOrientation": phone.rotation().is_multiple_of(2),
    })
}

/// `objInfo` of the widget at this place.
pub(super) fn widget_info(scene: &Scene, place: usize) -> Option<Value> {
    let node = scene.nodes.get(place)?;
    let children = scene.nodes.iter().filter(|child| child.parent == Some(place)).count();
    let flags = node.flags;
    Some(json!({
        "bounds": sides(node.bounds),
        "checkable": flags.checkable,
        "checked": flags.checked,
        "childCount": children,
        "className": node.class,
        "clickable": node.is_clickable(),
        "contentDescription": some(&node.description),
        "enabled": flags.enabled,
        "focusable": node.is_focusable(),
        "focused": flags.focused,
        "longClickable": node.is_long_clickable(),
        "packageName": scene.package,
        "resourceName": some(&node.id),
        "scrollable": node.is_scrollable(),
        "selected": flags.selected,
        "text": some(&node.text),
        "visibleBounds": sides(node.bounds),
    }))
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn sides(bounds: Bounds) -> Value {
    json!({"bottom": bounds.bottom, "left": bounds.left, "right": bounds.right, "top": bounds.top})
}
