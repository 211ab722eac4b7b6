//! `wm` and `cmd window`: size, density, rotation, the lock screen.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("wm", wm)];

fn wm(call: &mut Call) -> i32 {
    match call.arg(1) {
        "size" => size(call),
        "density" => density(call),
        _ => cmd_window(call),
    }
}

/// `cmd window COMMAND …`; `wm` takes the same since Android 11.
pub(super) fn cmd_window(call: &mut Call) -> i32 {
    match call.arg(1) {
        "size" => size(call),
        "density" => density(call),
        "dismiss-keyguard" => {
            call.device.phone().dismiss_keyguard();
            0
        }
        "tracing" | "logging" | "fixed-to-user-rotation" => 0,
        "user-rotation" | "set-user-rotation" => rotation(call),
        other => {
            let text = format!("Unknown command: {other}");
            call.unknown();
            call.complain(&text);
            255
        }
    }
}

/// The overrides are kept as settings, as the framework does.
fn size(call: &mut Call) -> i32 {
    const KEY: &str = "display_size_forced";
    match call.arg(2) {
        "" => {
            let (text, forced) = {
                let phone = call.device.phone();
                let (width, height) = phone.options().size;
                (format!("Physical size: {width}x{height}"), phone.setting("global", KEY).map(str::to_owned))
            };
            call.line(&text);
            if let Some(forced) = forced {
                call.line(&format!("Override size: {}", forced.replace(',', "x")));
            }
            0
        }
        "reset" => {
            call.device.phone().set_setting("global", KEY, None);
            0
        }
        size => {
            // Kept and reported, but the simulated screen keeps its size.
            let parsed = size
                .split_once('x')
                .and_then(|(w, h)| Some((w.parse::<u16>().ok()?, h.parse::<u16>().ok()?)));
            let Some((width, height)) = parsed else {
                let text = format!("Error: bad size {size}");
                call.complain(&text);
                return 255;
            };
            call.device.phone().set_setting("global", KEY, Some(&format!("{width},{height}")));
            0
        }
    }
}

fn density(call: &mut Call) -> i32 {
    const KEY: &str = "display_density_forced";
    match call.arg(2) {
        "" => {
            let (density, forced) = {
                let phone = call.device.phone();
                (phone.options().density, phone.setting("secure", KEY).map(str::to_owned))
            };
            call.line(&format!("Physical density: {density}"));
            if let Some(forced) = forced {
                call.line(&format!("Override density: {forced}"));
            }
            0
        }
        "reset" => {
            call.device.phone().set_setting("secure", KEY, None);
            0
        }
        density => {
            let Ok(density) = density.parse::<u16>() else {
                let text = format!("Error: bad number {density}");
                call.complain(&text);
                return 255;
            };
            call.device.phone().set_setting("secure", KEY, Some(&density.to_string()));
            0
        }
    }
}

/// `user-rotation [-d DISPLAY] [free|lock [ROTATION]]`.
fn rotation(call: &mut Call) -> i32 {
    let mut words = call.args(2);
    if words.first().is_some_and(|word| word == "-d") {
        words.drain(..words.len().min(2));
    }
    let word = |n: usize| words.get(n).map_or("", String::as_str);
    match word(0) {
        "" => {
            let phone = call.device.phone();
            let free = phone.setting("system", "accelerometer_rotation") == Some("1");
            let rotation = phone.rotation();
            drop(phone);
            call.line(&if free { "free".to_owned() } else { format!("lock {rotation}") });
            0
        }
        "free" => {
            call.device.phone().set_setting("system", "accelerometer_rotation", Some("1"));
            0
        }
        "lock" => {
            let wanted = match word(1) {
                "" => None,
                "0" => Some(0),
                "1" => Some(1),
                "2" => Some(2),
                "3" => Some(3),
                other => {
                    let text = format!("Error: rotation needs to be an int between 0 and 3: {other}");
                    call.complain(&text);
                    return 255;
                }
            };
            let mut phone = call.device.phone();
            let rotation = wanted.unwrap_or_else(|| phone.rotation());
            phone.set_setting("system", "accelerometer_rotation", Some("0"));
            phone.set_setting("system", "user_rotation", Some(&rotation.to_string()));
            0
        }
        other => {
            let text = format!("Error: expecting argument 'free' or 'lock', not {other}");
            call.complain(&text);
            255
        }
    }
}
