//! `pm` and `cmd package`.

use super::activity::short;
use super::{Call, Command, light};
use super::{install, package_dump};
use crate::phone::Package;

pub(super) const COMMANDS: &[Command] = &[light("pm", pm)];

/// Where an intent leads that several activities take.
const RESOLVER: &str = "android/com.android.internal.app.ResolverActivity";

/// `pm COMMAND …`, also as `cmd package COMMAND …`.
pub(super) fn pm(call: &mut Call) -> i32 {
    match call.arg(1) {
        "list" => list(call),
        "path" => {
            match installed(call, &last_operand(call)).filter(|it| call.has_app(&it.name, call.user(0))) {
                Some(package) => {
                    call.line(&format!("package:{}", package_dump::apk_path(&package)));
                    0
                }
                None => 1,
            }
        }
        "clear" => clear(call),
        "grant" => grant(call, true),
        "revoke" => grant(call, false),
        "dump" => package_dump::print(call, 2),
        "resolve-activity" => resolve(call),
        "query-activities" => query(call),
        "install" => install::install(call),
        "install-create" => install::create(call),
        "install-write" => install::write(call),
        "install-commit" => install::commit(call),
        "install-abandon" => install::abandon(call),
        "uninstall" => uninstall(call),
        "enable" | "disable" | "disable-user" => {
            let state = if call.arg(1) == "enable" { "enabled" } else { "disabled-user" };
            let text = format!("Package {} new state: {state}", call.words.last().map_or("", String::as_str));
            call.line(&text);
            0
        }
        "reset-permissions" | "trim-caches" => 0,
        "get-max-users" => {
            call.line("Maximum supported users: 4");
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

/// The package, unless it is not installed or made to be missing.
pub(super) fn installed(call: &Call, name: &str) -> Option<Package> {
    if call.device.is_hidden(name) { None } else { call.device.phone().package(name) }
}

pub(super) fn last_operand(call: &Call) -> String {
    let mut words = call.words.iter().skip(2);
    let mut found = String::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--user" => drop(words.next()),
            word if word.starts_with('-') => {}
            word => word.clone_into(&mut found),
        }
    }
    found
}

fn list(call: &mut Call) -> i32 {
    match call.arg(2) {
        "packages" | "package" => {}
        "features" => {
            call.line("feature:android.hardware.touchscreen\nfeature:android.software.input_methods");
            return 0;
        }
        "users" => {
            let users = call.device.phone().users();
            call.line("Users:");
            for (user, name) in users {
                call.line(&format!("\tUserInfo{{{user}:{name}:c13}} running"));
            }
            return 0;
        }
        "instrumentation" | "libraries" => return 0,
        other => {
            let text = format!("Error: unknown list type '{other}'");
            call.unknown();
            call.complain(&text);
            return 255;
        }
    }
    let (third, system, files, versions, uids) =
        (call.has("-3"), call.has("-s"), call.has("-f"), call.has("--show-versioncode"), call.has("-U"));
    let filter = if call.words.len() > 3 { last_operand(call) } else { String::new() };
    let filter = if filter == "packages" { String::new() } else { filter };
    let packages = call.device.phone().packages();
    let user = call.user(0);
    for package in packages {
        let hidden = !call.has_app(&package.name, user);
        if hidden || third && package.system || system && !package.system || !package.name.contains(&filter) {
            continue;
        }
        let mut text = String::from("package:");
        if files {
            text += &format!("{}=", package_dump::apk_path(&package));
        }
        text += &package.name;
        if versions {
            text += &format!(" versionCode:{}", package.version_code);
        }
        if uids {
            text += &format!(" uid:{}", package.uid);
        }
        call.line(&text);
    }
    0
}

fn clear(call: &mut Call) -> i32 {
    let package = last_operand(call);
    let cleared = call.has_app(&package, call.user(0)) && call.device.phone().clear(&package);
    if cleared {
        call.line("Success");
        return 0;
    }
    call.complain("Failed");
    1
}

fn grant(call: &mut Call, granted: bool) -> i32 {
    let command = call.arg(1).to_owned();
    let mut words = call.args(2);
    if words.first().is_some_and(|word| word == "--user") {
        words.drain(..words.len().min(2));
    }
    let [package, permission, ..] = words.as_slice() else {
        return call.exception(&command, "java.lang.IllegalArgumentException: Argument expected");
    };
    let outcome = if !call.has_app(package, call.user(0)) {
        Err(format!("java.lang.IllegalArgumentException: Unknown package: {package}"))
    } else {
        use crate::phone::GrantFault;
        call.device.phone().grant(package, permission, granted).map_err(|fault| match fault {
            GrantFault::NoPackage(_) => format!("java.lang.IllegalArgumentException: {fault}"),
            GrantFault::NotRequested { .. } => format!("java.lang.SecurityException: {fault}"),
        })
    };
    match outcome {
        Ok(()) => 0,
        Err(what) => call.exception(&command, &what),
    }
}

fn resolve(call: &mut Call) -> i32 {
    let package = last_operand(call);
    let here = call.has_app(&package, call.user(0));
    let launchers = if here { call.device.phone().launchers_of(&package) } else { Vec::new() };
    // With several to choose from, it is the window that lets the user choose.
    let chosen = match launchers.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        _ => Some(RESOLVER.to_owned()),
    };
    let Some(component) = chosen else {
        call.line("No activity found");
        return 0;
    };
    if call.has("--brief") {
        let default = component != RESOLVER;
        call.line(&format!(
            "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault={default}"
        ));
        call.line(&short(&component));
    } else {
        call.line(
            "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\nActivityInfo:",
        );
        let (package, class) = component.split_once('/').unwrap_or((&component, ""));
        call.line(&format!("  name={class}\n  packageName={package}\n  enabled=true exported=true"));
    }
    0
}

fn query(call: &mut Call) -> i32 {
    let packages = call.device.phone().packages();
    let found: Vec<String> = packages
        .into_iter()
        .filter(|package| call.has_app(&package.name, call.user(0)))
        .filter_map(|package| package.launcher)
        .collect();
    call.line(&format!("{} activities found:", found.len()));
    for (number, component) in found.iter().enumerate() {
        call.line(&format!("  Activity #{number}:\n    {}", short(component)));
    }
    0
}

fn uninstall(call: &mut Call) -> i32 {
    let package = last_operand(call);
    let removed = !call.device.is_hidden(&package) && call.device.phone().uninstall(&package);
    if removed {
        call.line("Success");
        return 0;
    }
    call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]");
    1
}
