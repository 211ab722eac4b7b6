//! `pm install` and the sessions behind `adb install-multiple`.

use std::collections::BTreeMap;

use super::Call;
use super::package::last_operand;
use crate::phone::{DROIDBOT_SERVICE, InstallOptions};
use crate::stand_in::app_of;
use droidmux_apk::{self as apk, Apk};

/// The largest package accepted: as much as a simulated phone has room for.
const MAX_INSTALL: u64 = 256 << 20;
/// Sessions that are open at once, and packages in each.
const MAX_SESSIONS: usize = 16;
const MAX_PARTS: usize = 200;

/// Installations that are being put together. Of each package only what it declares is kept.
#[derive(Debug, Default)]
pub(crate) struct InstallSessions {
    open: BTreeMap<u32, OpenInstall>,
    last: u32,
}

#[derive(Debug, Default)]
struct OpenInstall {
    options: InstallFlags,
    parts: Vec<Apk>,
}

/// What a client allows.
#[derive(Clone, Copy, Debug, Default)]
struct InstallFlags {
    of_phone: InstallOptions,
    /// Packages that are for tests only.
    tests: bool,
}

impl InstallFlags {
    fn read(call: &Call) -> InstallFlags {
        let has = |letter: char| {
            let short = |word: &String| {
                word.starts_with('-') && !word.starts_with("--") && word.contains(letter) && word != "-S"
            };
            call.words.iter().skip(2).any(short)
        };
        let of_phone = InstallOptions { grant: has('g'), downgrade: has('d'), only_new: has('R') };
        InstallFlags { of_phone, tests: has('t') }
    }
}

/// The bytes that follow `install -S SIZE` or `install-write -S SIZE`; `None` when the package is a file on
/// the device or is too large to be taken. `install-create` is only given the size of all packages.
pub(super) fn size_that_follows(words: &[String]) -> Option<u64> {
    let follows = words.iter().take(3).any(|word| word == "install" || word == "install-write");
    size(words).filter(|size| follows && *size <= MAX_INSTALL && !is_file(words))
}

fn size(words: &[String]) -> Option<u64> {
    let at = words.iter().position(|word| word == "-S")?;
    words.get(at + 1)?.parse().ok()
}

/// Whether the package is a file on the device: a path stands at the end.
fn is_file(words: &[String]) -> bool {
    words.last().is_some_and(|word| word.starts_with('/') || word.ends_with(".apk"))
}

/// `pm install [OPTIONS] [-S SIZE|PATH]`.
pub(super) fn install(call: &mut Call) -> i32 {
    let outcome = package_of(call).and_then(|apk| put(call, InstallFlags::read(call), &[apk]));
    told(call, outcome.map(|()| "Success".to_owned()))
}

/// `pm install-create [OPTIONS]`.
pub(super) fn create(call: &mut Call) -> i32 {
    let options = InstallFlags::read(call);
    let opened = {
        let mut sessions = call.device.install_sessions();
        if sessions.open.len() >= MAX_SESSIONS {
            Err(format!("a simulated phone keeps {MAX_SESSIONS} sessions open"))
        } else {
            sessions.last = sessions.last.wrapping_add(1);
            let number = sessions.last;
            sessions.open.insert(number, OpenInstall { options, parts: Vec::new() });
            Ok(format!("Success: created install session [{number}]"))
        }
    };
    told(call, opened)
}

/// `pm install-write [-S SIZE] SESSION NAME [PATH|-]`.
pub(super) fn write(call: &mut Call) -> i32 {
    let session = operands(call).into_iter().find_map(|word| word.parse().ok()).unwrap_or(0);
    let length = call.input.len();
    let outcome = package_of(call).and_then(|apk| {
        let mut sessions = call.device.install_sessions();
        let session = sessions.open.get_mut(&session).ok_or_else(|| no_session(session))?;
        if session.parts.len() >= MAX_PARTS {
            return Err(format!("INSTALL_FAILED_SESSION_INVALID: more than {MAX_PARTS} packages"));
        }
        session.parts.push(apk);
        Ok(format!("Success: streamed {length} bytes"))
    });
    told(call, outcome)
}

/// `pm install-commit SESSION`.
pub(super) fn commit(call: &mut Call) -> i32 {
    let number = last_operand(call).parse().unwrap_or(0);
    let session = call.device.install_sessions().open.remove(&number);
    let outcome = match session {
        None => Err(no_session(number)),
        Some(session) => put(call, session.options, &session.parts),
    };
    told(call, outcome.map(|()| "Success".to_owned()))
}

/// `pm install-abandon SESSION`.
pub(super) fn abandon(call: &mut Call) -> i32 {
    let number = last_operand(call).parse().unwrap_or(0);
    let known = call.device.install_sessions().open.remove(&number).is_some();
    told(call, if known { Ok("Success".to_owned()) } else { Err(no_session(number)) })
}

fn no_session(number: u32) -> String {
    format!("INSTALL_FAILED_SESSION_INVALID: no session {number}")
}

/// What is neither an option nor an option's value.
fn operands(call: &Call) -> Vec<String> {
    let mut words = call.words.iter().skip(2);
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-S" | "-i" | "-p" | "--user" | "--abi" => drop(words.next()),
            word if word.starts_with('-') && word != "-" => {}
            word => found.push(word.to_owned()),
        }
    }
    found
}

/// The package that came with the command, read.
fn package_of(call: &Call) -> Result<Apk, String> {
    let bytes = match size(&call.words) {
        Some(size) if size > MAX_INSTALL => {
            let most = MAX_INSTALL >> 20;
            return Err(format!("INSTALL_FAILED_INSUFFICIENT_STORAGE: a simulated phone takes {most} MiB"));
        }
        Some(size) if !is_file(&call.words) => {
            if u64::try_from(call.input.len()) != Ok(size) {
                return Err(
                    "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk: it was cut off".to_owned()
                );
            }
            call.input.clone()
        }
        _ => {
            let path = call.path(&operands(call).pop().unwrap_or_default());
            call.device.file(&path).ok_or_else(|| format!("INSTALL_FAILED_INVALID_URI: {path}"))?
        }
    };
    if call.device.files().is_full() {
        return Err(
            "INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location".to_owned()
        );
    }
    apk::read(&bytes).map_err(|fault| fault.to_string())
}

/// Puts an app on the phone that is made of these packages: itself, and parts that bring nothing a
/// simulated phone could show.
fn put(call: &Call, options: InstallFlags, parts: &[Apk]) -> Result<(), String> {
    let base = parts.iter().find(|apk| apk.split.is_empty());
    let base = base.ok_or("INSTALL_FAILED_INVALID_APK: Full install must include a base package")?;
    if let Some(other) = parts.iter().find(|apk| apk.package != base.package) {
        return Err(format!("INSTALL_FAILED_INVALID_APK: {} is no part of {}", other.package, base.package));
    }
    if let Some(unsigned) = parts.iter().find(|apk| !apk.signed) {
        let part = if unsigned.split.is_empty() { "base" } else { &unsigned.split };
        return Err(format!(
            "INSTALL_PARSE_FAILED_NO_CERTIFICATES: Failed to collect certificates from {part}.apk: no certificate"
        ));
    }
    if base.test_only && !options.tests {
        return Err("INSTALL_FAILED_TEST_ONLY: installPackageLI".to_owned());
    }
    let watchers = base.accessibility.iter().map(|class| format!("{}/{class}", base.package));
    if let Some(service) = watchers.into_iter().find(|id| id != DROIDBOT_SERVICE) {
        return Err(format!(
            "INSTALL_FAILED_ABORTED: {service} is an accessibility service; a simulated phone does not run its code, \
             and without it the app would only seem to work"
        ));
    }
    let app = app_of(base);
    call.device.phone().install(app, options.of_phone).map_err(|fault| fault.to_string())
}

/// Says how it went, on the output as the package manager does.
fn told(call: &mut Call, outcome: Result<String, String>) -> i32 {
    match outcome {
        Ok(text) => {
            call.line(&text);
            0
        }
        Err(why) => {
            call.line(&format!("Failure [{why}]"));
            1
        }
    }
}
