//! `getprop` and `setprop`.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("getprop", getprop), light("setprop", setprop)];

/// The simulator's own: whether the screen has yet to become what the phone is. No list shows it, and a real phone
/// answers with an empty line.
const SCHEDULED: &str = "debug.droidmux.scheduled";

fn getprop(call: &mut Call) -> i32 {
    let key = call.arg(1).to_owned();
    if key.is_empty() {
        let properties = call.device.phone().properties().clone();
        for (key, value) in properties {
            call.line(&format!("[{key}]: [{value}]"));
        }
        return 0;
    }
    if key == SCHEDULED {
        let settled = call.device.is_settled();
        call.line(if settled { "0" } else { "1" });
        return 0;
    }
    let value = call.device.phone().properties().get(&key).cloned();
    let default = call.arg(2).to_owned();
    call.line(&value.unwrap_or(default));
    0
}

/// A shell user may set `debug.` and `log.` properties, which nothing here reads.
fn setprop(call: &mut Call) -> i32 {
    let key = call.arg(1).to_owned();
    if ["debug.", "log.", "persist.log."].iter().any(|prefix| key.starts_with(prefix)) {
        return 0;
    }
    call.complain(&format!(
        "Failed to set property '{key}' to '{}'.\nSee dmesg for error reason.",
        call.arg(2)
    ));
    1
}
