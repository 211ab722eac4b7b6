//! Dialogs of the system that lie over an app: permissions, "has stopped", "isn't responding".

use droidmux_gui::{Bounds, Layout, Widget, WidgetId};

/// A system dialog found on a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemDialog {
    /// What it is about, and so what its buttons mean.
    pub kind: DialogKind,
    /// The question or message, as shown; empty when the dialog shows none.
    pub message: String,
    /// The button that lets a test continue: allow, wait, close the stopped app.
    pub go_on: WidgetId,
    /// The button that does the opposite (deny, close the app that hangs), if there is one.
    pub decline: Option<WidgetId>,
}

/// What a system dialog is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DialogKind {
    /// The app asks for a permission.
    Permission,
    /// An app has stopped or keeps stopping.
    Stopped,
    /// An app isn't responding.
    NotResponding,
    /// A warning of the system about the app itself (built for an older Android, unsupported
    /// display size), shown before its first screen.
    Warning,
}

impl DialogKind {
    /// The dialog's kind in one word, for notes and the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Stopped => "stopped",
            Self::NotResponding => "not-responding",
            Self::Warning => "warning",
        }
    }
}

/// Buttons that grant, the narrowest that still lets the app work first (AOSP `PermissionController`,
/// `GrantPermissionsViewHandlerImpl`; before Android 10 `PackageInstaller`).
const ALLOW: [&str; 5] = [
    "permission_allow_foreground_only_button",
    "permission_allow_button",
    "permission_allow_all_button",
    "permission_allow_one_time_button",
    "permission_allow_always_button",
];
const DENY: [&str; 3] =
    ["permission_deny_button", "permission_deny_and_dont_ask_again_button", "permission_no_upgrade_button"];

/// The system dialog that covers this layout, recognised by packages and resource-ids, never by words, which differ
/// between languages.
pub fn system_dialog(layout: &Layout) -> Option<SystemDialog> {
    permission(layout).or_else(|| of_framework(layout))
}

fn permission(layout: &Layout) -> Option<SystemDialog> {
    let asks = |w: &Widget<'_>| {
        w.package().ends_with("permissioncontroller") || w.package().ends_with("packageinstaller")
    };
    let button = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| layout.widgets().filter(asks).find(|w| is_shown(*w, name)))
            .map(Widget::id)
    };
    Some(SystemDialog {
        kind: DialogKind::Permission,
        message: text_of(layout, &["permission_message"]),
        go_on: button(&ALLOW)?,
        decline: button(&DENY),
    })
}

/// The alert dialogs of the framework itself: package `android`, ids `android:id/…` (AOSP
/// `app_error_dialog.xml`, `app_anr_dialog.xml`, `alert_dialog.xml`).
fn of_framework(layout: &Layout) -> Option<SystemDialog> {
    let button = |name: &str| {
        let of_system =
            |w: &Widget<'_>| w.package() == "android" && w.resource_id().starts_with("android:id/");
        layout.widgets().filter(of_system).find(|w| is_shown(*w, name)).map(Widget::id)
    };
    let message = text_of(layout, &["alertTitle", "message"]);
    let close = button("aerr_close");
    let dialog = |kind, go_on, decline| SystemDialog { kind, message: message.clone(), go_on, decline };
    if let Some(wait) = button("aerr_wait") {
        return Some(dialog(DialogKind::NotResponding, wait, close));
    }
    if let Some(close) = close {
        return Some(dialog(DialogKind::Stopped, close, button("aerr_restart")));
    }
    let positive = button("button1")?;
    Some(match button("button2") {
        // Before Android 7 the dialogs had plain buttons: two for hanging apps, one for stopped apps.
        Some(wait) if layout.widgets().len() < 30 => dialog(DialogKind::NotResponding, wait, Some(positive)),
        Some(_) => return None,
        None => dialog(DialogKind::Warning, positive, None),
    })
}

fn is_shown(widget: Widget<'_>, name: &str) -> bool {
    widget.short_id() == name && widget.bounds() != Bounds::default() && !widget.bounds().is_empty()
}

fn text_of(layout: &Layout, names: &[&str]) -> String {
    let named = |name: &&str| layout.widgets().find(|w| w.short_id() == *name && !w.text().is_empty());
    names.iter().find_map(named).map_or_else(String::new, |w| w.text().chars().take(200).collect())
}
