//! The rest of the system: `svc`, `ime`, `service`, `reboot`, `which`, the status bar.

use super::{Call, Command, is_known, light};
use crate::sim::service::reboot as boot;

pub(super) const COMMANDS: &[Command] =
    &[light("svc", svc), light("ime", ime), light("reboot", reboot), light("which", which)];

const KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";

/// `svc power stayon WHEN`; radios are switched without effect.
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
        ("wifi" | "data" | "bluetooth" | "nfc", "enable" | "disable") => 0,
        _ => {
            call.unknown();
            255
        }
    }
}

/// `ime list|set|enable|disable|reset`: one keyboard is installed.
fn ime(call: &mut Call) -> i32 {
    let id = call.words.last().cloned().unwrap_or_default();
    match call.arg(1) {
        "list" => {
            call.line(KEYBOARD);
            0
        }
        "reset" => {
            call.device.phone().set_setting("secure", "default_input_method", Some(KEYBOARD));
            call.line("Input method reset");
            0
        }
        command @ ("set" | "enable" | "disable") => {
            if id != KEYBOARD {
                let text = format!(
                    "Unknown input method {id} cannot be {}",
                    if command == "set" { "selected" } else { "enabled" }
                );
                call.complain(&text);
                return 255;
            }
            let text = match command {
                "set" => format!("Input method {id} selected for user #0"),
                "enable" => format!("Input method {id}: already enabled for user #0"),
                _ => format!("Input method {id}: now disabled for user #0"),
            };
            call.line(&text);
            0
        }
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

/// `cmd statusbar collapse` and its kin: the shade of a simulated phone is always closed.
pub(super) fn statusbar(_: &mut Call) -> i32 {
    0
}

/// `cmd uimode night …`.
pub(super) fn uimode(call: &mut Call) -> i32 {
    call.line("Night mode: no");
    0
}
