//! Events as commands of the device's shell, for scripts that have access to it.

use super::Plan;
use super::quote::shell;
use droidmux_gui::{DeviceSetting, Event, EventKind};

/// Brings the app to the front as its launcher icon does: `$(…)` is the device's shell's.
pub(super) fn start(app: &str) -> String {
    let app = shell(app);
    format!(
        "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER \
         -n \"$(cmd package resolve-activity --brief {app} | tail -n 1)\""
    )
}

/// Ends the app, clears its data and grants the permissions it requests, turns the screen upright and switches the
/// animations off.
pub(super) fn reset(plan: &Plan) -> Vec<String> {
    let app = shell(&plan.app);
    vec![
        "settings put global window_animation_scale 0".into(),
        "settings put global transition_animation_scale 0".into(),
        "settings put global animator_duration_scale 0".into(),
        "settings put system accelerometer_rotation 0".into(),
        "settings put system user_rotation 0".into(),
        format!("am force-stop {app}"),
        format!("pm clear {app}"),
        // What the app would ask the person for; droidmux grants it, too.
        format!(
            "for p in $(dumpsys package {app} | grep granted=false | cut -d: -f1); do pm grant {app} \"$p\"; done"
        ),
    ]
}

/// The command of an event that touches no widget; `None` for the others.
pub(super) fn command(event: &Event, app: &str) -> Option<String> {
    let data = event.data.clone().unwrap_or_default();
    let quoted = shell(app);
    Some(match event.kind {
        EventKind::Back => "input keyevent KEYCODE_BACK".into(),
        EventKind::Home => "input keyevent KEYCODE_HOME".into(),
        EventKind::Menu => "input keyevent KEYCODE_MENU".into(),
        EventKind::Enter => "input keyevent KEYCODE_ENTER".into(),
        EventKind::Launch => start(app),
        EventKind::Relaunch => format!("am force-stop {quoted}; {}", start(app)),
        EventKind::Kill => format!("am kill {quoted}"),
        EventKind::Sleep | EventKind::Lock => "input keyevent KEYCODE_SLEEP".into(),
        EventKind::Wake | EventKind::Unlock => "input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard".into(),
        EventKind::Wait => format!("sleep {}", event.seconds()),
        EventKind::Set(DeviceSetting::Dark) => {
            format!("cmd uimode night {}", if data == "on" { "yes" } else { "no" })
        }
        EventKind::Set(DeviceSetting::Language) => {
            format!("cmd locale set-app-locales {quoted} --locales {}", shell(&data))
        }
        EventKind::Set(DeviceSetting::FontSize) => {
            let scale = if data.is_empty() { "1.0" } else { &data };
            format!("settings put system font_scale {}", shell(scale))
        }
        EventKind::Set(DeviceSetting::Network) => {
            let able = if data == "off" { "disable" } else { "enable" };
            format!("svc wifi {able}; svc data {able}")
        }
        EventKind::Set(DeviceSetting::Clock) => {
            let seconds = u64::from(event.days().unwrap_or(1)) * 86_400;
            format!("cmd alarm set-time $(( ($(date +%s) + {seconds}) * 1000 ))")
        }
        EventKind::Click
        | EventKind::LongClick
        | EventKind::Edit
        | EventKind::Scroll(_)
        | EventKind::Rotate => {
            return None;
        }
    })
}

/// The commands that type a text into the focused field; `None` when `input` has no keys for it.
pub(super) fn type_text(text: &str) -> Option<String> {
    if !text.chars().all(|char| matches!(char, ' '..='~' | '\n')) {
        return None;
    }
    let mut commands = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            commands.push("input keyevent KEYCODE_ENTER".to_owned());
        }
        // `input` reads %s as a space, so it cannot type these two characters in one go.
        let mut rest = line;
        while let Some(at) = rest.find("%s") {
            let (head, tail) = rest.split_at(at + 1);
            commands.push(format!("input text {}", shell(&head.replace(' ', "%s"))));
            rest = tail;
        }
        if !rest.is_empty() {
            commands.push(format!("input text {}", shell(&rest.replace(' ', "%s"))));
        }
    }
    Some(commands.join(" && "))
}
