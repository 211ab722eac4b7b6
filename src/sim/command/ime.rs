//! `ime`: choosing a keyboard.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("ime", ime)];

/// `ime list [-a] [-s]`, `ime enable|disable|set ID`, `ime reset`.
fn ime(call: &mut Call) -> i32 {
    let id = call.words.iter().skip(2).find(|word| !word.starts_with('-')).cloned().unwrap_or_default();
    match call.arg(1) {
        "list" => list(call),
        "enable" | "disable" => enable(call, &id),
        "set" => set(call, &id),
        "reset" => {
            let known = call.device.phone().input_methods();
            let Some((first, others)) = known.split_first() else { return 0 };
            let mut phone = call.device.phone();
            for other in others {
                phone.enable_input_method(other, false);
            }
            phone.enable_input_method(first, true);
            phone.choose_input_method(first);
            drop(phone);
            call.line("Input method reset");
            0
        }
        other => {
            let text = format!("Unknown command: {other}");
            call.unknown();
            call.complain(&text);
            255
        }
    }
}

fn list(call: &mut Call) -> i32 {
    let shown = {
        let phone = call.device.phone();
        if call.has("-a") { phone.input_methods() } else { phone.enabled_input_methods() }
    };
    for id in shown {
        if call.has("-s") {
            call.line(&id);
        } else {
            let package = id.split('/').next().unwrap_or_default();
            call.line(&format!("{id}:\n  mId={id} mSettingsActivityName=null\n  packageName={package}"));
        }
    }
    0
}

fn enable(call: &mut Call, id: &str) -> i32 {
    let on = call.arg(1) == "enable";
    if !call.device.phone().input_methods().iter().any(|known| known == id) {
        call.complain(&format!("Unknown input method {id} cannot be {}d for user #0", call.arg(1)));
        return 255;
    }
    let changed = call.device.phone().enable_input_method(id, on);
    let (already, done) = (if changed { "now" } else { "already" }, if on { "enabled" } else { "disabled" });
    call.line(&format!("Input method {id}: {already} {done} for user #0"));
    0
}

fn set(call: &mut Call, id: &str) -> i32 {
    if !call.device.phone().choose_input_method(id) {
        call.complain(&format!("Unknown input method {id} cannot be selected for user #0"));
        return 255;
    }
    call.line(&format!("Input method {id} selected for user #0"));
    0
}
