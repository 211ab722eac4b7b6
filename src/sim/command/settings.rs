//! `settings`.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("settings", settings)];

/// Most settings a namespace takes, and the longest value.
const MAX_SETTINGS: usize = 1_000;
const MAX_VALUE: usize = 4_096;

/// `settings [--user U] get|put|delete|list|reset NAMESPACE [KEY [VALUE]]`.
pub(super) fn settings(call: &mut Call) -> i32 {
    let mut words = call.args(1);
    // The tool means user 0 if none is named.
    let user = call.user(0);
    let others = {
        let phone = call.device.phone();
        phone.users().len() > 1 && user != Some(phone.current_user())
    };
    if let Some(at) = words.iter().position(|word| word == "--user") {
        words.drain(at..(at + 2).min(words.len()));
    }
    let word = |n: usize| words.get(n).map_or("", String::as_str);
    let (verb, namespace, key) = (word(0), word(1), word(2));
    if !["get", "put", "delete", "list", "reset"].contains(&verb) {
        let text = format!("Invalid command: {verb}");
        call.unknown();
        call.complain(&text);
        return 255;
    }
    if !["global", "system", "secure"].contains(&namespace) {
        let text = format!("Invalid namespace '{namespace}'");
        call.complain(&text);
        return 255;
    }
    if namespace != "global" && others {
        // Another user's: nobody has set any.
        match verb {
            "get" => call.line("null"),
            "delete" => call.line("Deleted 0 rows"),
            _ => {}
        }
        return 0;
    }
    match verb {
        "get" => {
            let value = call.device.phone().setting(namespace, key).map(str::to_owned);
            call.line(value.as_deref().unwrap_or("null"));
        }
        "put" => {
            if words.len() < 4 {
                call.complain("Bad arguments");
                return 255;
            }
            return put(call, namespace, key, word(3));
        }
        "delete" => {
            let mut phone = call.device.phone();
            let known = phone.setting(namespace, key).is_some();
            phone.set_setting(namespace, key, None);
            drop(phone);
            call.line(&format!("Deleted {} rows", u8::from(known)));
        }
        "list" => {
            let all = call.device.phone().settings(namespace);
            for (key, value) in all {
                call.line(&format!("{key}={value}"));
            }
        }
        _ => {}
    }
    0
}

/// Sets a setting, unless there are too many or it is too long.
pub(super) fn put(call: &mut Call, namespace: &str, key: &str, value: &str) -> i32 {
    let too_many = call.device.phone().settings(namespace).len() >= MAX_SETTINGS;
    if key.is_empty() || value.len() > MAX_VALUE || too_many {
        call.complain("Bad arguments");
        return 255;
    }
    call.device.phone().set_setting(namespace, key, Some(value));
    0
}
