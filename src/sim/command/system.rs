//! The rest of the system: `svc`, `service`, `reboot`, `which`, the status bar.

use super::{Call, Command, is_known, light};
use crate::phone::Night;
use crate::service::reboot as boot;
use droidmux_sim_toolkit::platform::Meanwhile;

pub(super) const COMMANDS: &[Command] = &[light("svc", svc), light("reboot", reboot), light("which", which)];

/// `svc power stayon WHEN`, `svc wifi|data enable|disable`; other radios are switched without effect.
fn svc(call: &mut Call) -> i32 {
    match (call.arg(1), call.arg(2)) {
        ("power", "stayon") => {
            let value = match call.arg(3) {
                "true" => "7",
                "usb" => "2",
                "ac" => "1",
                _ => "0",
            };
            call.device.phone().set_setting("global", "stay_on_while_plugged_in", Some(value));
            0
        }
        ("power", "reboot") => reboot(call),
        ("wifi", way @ ("enable" | "disable")) => {
            let on = way == "enable";
            call.device.phone().set_wifi(on);
            0
        }
        ("data", way @ ("enable" | "disable")) => {
            let on = way == "enable";
            call.device.phone().set_mobile_data(on);
            0
        }
        ("bluetooth" | "nfc", "enable" | "disable") => 0,
        _ => {
            call.unknown();
            255
        }
    }
}

fn reboot(call: &mut Call) -> i32 {
    boot(&call.device);
    0
}

fn which(call: &mut Call) -> i32 {
    let mut code = 0;
    for name in call.args(1) {
        if is_known(&name) {
            call.line(&format!("/system/bin/{name}"));
        } else {
            code = 1;
        }
    }
    code
}

/// `cmd statusbar expand-notifications|expand-settings|collapse`.
pub(super) fn statusbar(call: &mut Call) -> i32 {
    match call.arg(1) {
        "expand-notifications" => call.device.phone().open_notifications(),
        "expand-settings" => call.device.phone().open_quick_settings(),
        "collapse" => call.device.phone().close_shade(),
        other => {
            let text = format!("Unknown command: {other}");
            call.unknown();
            call.complain(&text);
            return 255;
        }
    }
    0
}

/// `cmd alarm set-time MILLISECONDS`; and `advance-time`, which only apps on a clock of their own understand.
pub(super) fn alarm(call: &mut Call) -> i32 {
    let verb = call.arg(1).to_owned();
    let Ok(millis) = call.arg(2).parse::<u64>() else {
        let text = format!("Error: bad time {}", call.arg(2));
        call.complain(&text);
        return 255;
    };
    match verb.as_str() {
        "set-time" => {
            call.device.phone().set_time(millis);
            return 0;
        }
        "advance-time" if call.device.phone().pass_time(millis, Meanwhile::Asleep) => return 0,
        // Phones have no such command.
        "advance-time" => {}
        _ => call.unknown(),
    }
    call.complain(&format!("Unknown command: {verb}"));
    255
}

/// `cmd uimode night [yes|no|auto]`.
pub(super) fn uimode(call: &mut Call) -> i32 {
    if call.arg(1) != "night" {
        let text = format!("Unknown command: {}", call.arg(1));
        call.unknown();
        call.complain(&text);
        return 255;
    }
    let wanted = match call.arg(2) {
        "" => None,
        name => match [Night::Yes, Night::No, Night::Auto].into_iter().find(|night| night.name() == name) {
            Some(night) => Some(night),
            None => {
                call.complain("Error: mode must be 'yes', 'no', or 'auto'");
                return 255;
            }
        },
    };
    let night = {
        let mut phone = call.device.phone();
        if let Some(night) = wanted {
            phone.set_night(night);
        }
        phone.night()
    };
    call.line(&format!("Night mode: {}", night.name()));
    0
}
