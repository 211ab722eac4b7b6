//! `cmd locale`, `cmd connectivity airplane-mode`, `locksettings`: what surrounds apps. After AOSP's
//! `LocaleManagerShellCommand` (Android 13), `ConnectivityService.ShellCmd` (11) and
//! `LockSettingsShellCommand`.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("locksettings", locksettings)];

/// API levels that brought the services.
pub(super) const WITH_LOCALE: u32 = 33;
pub(super) const WITH_AIRPLANE_MODE: u32 = 30;

/// `cmd locale set-app-locales PACKAGE [--user U] [--locales TAGS]`, `get-app-locales PACKAGE [--user U]`.
pub(super) fn locale(call: &mut Call) -> i32 {
    let verb = call.arg(1).to_owned();
    if !["set-app-locales", "get-app-locales"].contains(&verb.as_str()) {
        call.unknown();
        call.complain(&format!("Unknown command: {verb}"));
        return 255;
    }
    let package = call.arg(2).to_owned();
    if package.is_empty() {
        call.complain("Error: no package specified");
        return 255;
    }
    if verb == "get-app-locales" {
        let text = match call.device.phone().app_locales(&package) {
            Some(tags) => format!("Locales for {package} for user 0 are [{tags}]"),
            None => format!("Unknown package {package} for userId 0"),
        };
        call.line(&text);
        return 0;
    }
    let tags = call.option("--locales").unwrap_or_default().to_owned();
    let known = call.device.phone().set_app_locales(&package, &tags);
    if !known {
        call.line(&format!("Unknown package {package} for userId 0"));
    }
    0
}

/// `cmd connectivity airplane-mode [enable|disable]`.
pub(super) fn connectivity(call: &mut Call) -> i32 {
    if call.arg(1) != "airplane-mode" {
        let text = format!("Unknown command: {}", call.arg(1));
        call.unknown();
        call.complain(&text);
        return 255;
    }
    match call.arg(2) {
        "enable" => call.device.phone().set_airplane_mode(true),
        "disable" => call.device.phone().set_airplane_mode(false),
        "" => {
            let on = call.device.phone().setting("global", "airplane_mode_on") == Some("1");
            call.line(if on { "enabled" } else { "disabled" });
        }
        _ => {
            call.complain("Unknown argument, usage: airplane-mode [enable|disable]");
            return 255;
        }
    }
    0
}

/// `locksettings get-disabled|set-disabled true|false`.
fn locksettings(call: &mut Call) -> i32 {
    match (call.arg(1), call.arg(2)) {
        ("get-disabled", _) => {
            let disabled = call.device.phone().is_lock_disabled();
            call.line(if disabled { "true" } else { "false" });
            0
        }
        ("set-disabled", value @ ("true" | "false")) => {
            let disabled = value == "true";
            call.device.phone().disable_lock(disabled);
            call.line(&format!("Lock screen disabled set to {disabled}"));
            0
        }
        (other, _) => {
            let text = format!("Unknown command: {other}");
            call.unknown();
            call.complain(&text);
            255
        }
    }
}
