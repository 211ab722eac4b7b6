//! What a tool of the device says when it does not do what it was told: whether the device refuses it to the shell, or it
//! failed for another reason, which of several commands it was, and what to do about it.
//!
//! Vendors word it differently, on either output, with any exit code; so words decide, and the code only where there are none.

use super::capped;

/// The most that is quoted.
const MOST: usize = 300;

/// A tool, the commands of it that are used here, and what to do when it fails. Nothing else of a line is ever quoted: it
/// may hold a password.
struct Tool {
    name: &'static str,
    verbs: &'static [&'static str],
    remedy: &'static str,
}

const RESTART: &str = "restart the device; if it stays, its system lacks it";

const TOOLS: [Tool; 15] = [
    Tool {
        name: "settings",
        verbs: &["put", "delete", "get"],
        remedy: "try `adb shell settings get global window_animation_scale`: where that fails, too, restart the device",
    },
    Tool {
        name: "input",
        verbs: &["tap", "swipe", "keyevent", "text"],
        remedy: "try `adb shell input keyevent 0`: where that fails, too, restart the device",
    },
    Tool {
        name: "pm",
        verbs: &["clear", "grant", "install", "list"],
        remedy: "see with `adb shell pm path PACKAGE` whether it is installed for this user; an app that a device owner \
                 protects cannot be cleared",
    },
    Tool {
        name: "am",
        verbs: &["start", "force-stop", "kill", "broadcast"],
        remedy: "start the app by hand: does it start there, and for this user?",
    },
    Tool { name: "screencap", verbs: &[], remedy: "set `[run] screens = \"never\"`, or restart the device" },
    Tool { name: "wm", verbs: &["size", "density", "dismiss-keyguard"], remedy: RESTART },
    Tool {
        name: "cmd",
        verbs: &["package", "uimode", "locale", "connectivity", "alarm"],
        remedy: "this Android may be too old for it: leave out the events that need it",
    },
    Tool { name: "svc", verbs: &["wifi", "data"], remedy: "leave out events of the network" },
    Tool { name: "ime", verbs: &["enable", "disable", "set", "list"], remedy: "install ADBKeyBoard again" },
    Tool { name: "dumpsys", verbs: &[], remedy: RESTART },
    Tool { name: "uiautomator", verbs: &["dump"], remedy: "close what else uses UI automation" },
    Tool { name: "content", verbs: &["insert", "query", "delete"], remedy: "leave out contacts" },
    Tool { name: "logcat", verbs: &[], remedy: RESTART },
    Tool { name: "date", verbs: &[], remedy: RESTART },
    Tool { name: "echo", verbs: &[], remedy: "see that /data/local/tmp can be written and has room" },
];

/// Words, in lower case, of a system that keeps the shell from something.
const REFUSES: [&str; 21] = [
    "securityexception",
    "security exception",
    "permission denial",
    "permission denied",
    "inject_events",
    "clear_app_user_data",
    "write_secure_settings",
    "write_settings",
    "requires permission",
    "requires:android.permission",
    "does not have permission",
    "doesn't have permission",
    "not have the permission",
    "has no permission",
    "no permission to",
    "without permission",
    "not permitted",
    "not allowed",
    "usb debugging (security",
    "权限",
    "禁止",
];

/// Words of refusals that no switch of the vendor's lifts: they concern one app or one user.
const PARTICULAR: [&str; 6] = [
    "not exported",
    "protected package",
    "to access user",
    "as user",
    "read-only file system",
    "can't create",
];

/// Words, in lower case, that are no success whatever the exit code.
const FAILS: [&str; 9] = [
    "exception",
    "error:",
    "inaccessible or not found",
    ": not found",
    "can't find service",
    "failure calling service",
    "unknown command",
    "killed",
    "aborted",
];

/// What became of a command, by what it printed on both outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing that speaks of a failure.
    Fine,
    /// The system keeps the shell from it.
    Refused,
    Failed,
}

/// Judges by the words alone.
pub(crate) fn read_told(text: &str) -> Told {
    let mut told = Told::Fine;
    for line in text.lines().map(str::to_lowercase).filter(|line| !is_warning(line)) {
        let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
        if has(&PARTICULAR) {
            return Told::Failed;
        }
        if has(&REFUSES) {
            told = Told::Refused;
        } else if told == Told::Fine && has(&FAILS) {
            told = Told::Failed;
        }
    }
    told
}

/// The part of an output that says what went wrong, in one line: from the line of the refusal or failure on, or all of it.
pub(crate) fn complaint(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("at "));
    let telling = |told| lines().find(|line| read_told(line) == told);
    let found = match read_told(text) {
        Told::Refused => telling(Told::Refused),
        Told::Failed | Told::Fine => None,
    };
    match found {
        Some(line) => capped(line, MOST),
        None => capped(&lines().collect::<Vec<_>>().join(" "), MOST),
    }
}

/// The command of this line that failed, as far as words of the line and of what it said tell: `settings put`, `input tap`.
pub(crate) fn command_of(line: &str, said: &str) -> String {
    let known = commands(line);
    let named = |(tool, verb): &&(&'static Tool, &'static str)| {
        let said_by_tool = said.starts_with(&format!("{}:", tool.name));
        said_by_tool || (!verb.is_empty() && said.contains(&format!("'{verb}'")))
    };
    let refused = |(tool, _): &&(&'static Tool, &'static str)| match tool.name {
        "input" => said.contains("INJECT_EVENTS"),
        "settings" => said.contains("WRITE_SE") || said.contains("to settings"),
        "pm" => said.contains("CLEAR_APP_USER_DATA"),
        _ => false,
    };
    // Notes are written along with other commands, and fail in the shell's own words.
    let is_note = |(tool, _): &&(&'static Tool, &'static str)| tool.name == "echo";
    let unwritten = ["can't create", "No space left"].iter().any(|words| said.contains(words));
    let likely = known.iter().find(|call| is_note(call) == unwritten);
    let found = known.iter().find(named).or_else(|| known.iter().find(refused)).or(likely).or(known.first());
    found.map_or_else(
        || "the shell".to_owned(),
        |(tool, verb)| format!("{} {verb}", tool.name).trim_end().to_owned(),
    )
}

/// What to do about a command that failed, as [`command_of`] names it.
pub(crate) fn remedy_of(command: &str) -> &'static str {
    let name = command.split(' ').next().unwrap_or_default();
    TOOLS.iter().find(|tool| tool.name == name).map_or(RESTART, |tool| tool.remedy)
}

/// The tools that a line calls, in order.
fn commands(line: &str) -> Vec<(&'static Tool, &'static str)> {
    let parts = line.split(['&', ';', '|', '(', '{']);
    let calls = parts.filter_map(|part| {
        let mut words = part.split_whitespace();
        let name = words.next()?;
        let tool = TOOLS.iter().find(|tool| tool.name == name)?;
        let next = words.next().unwrap_or_default();
        Some((tool, tool.verbs.iter().find(|verb| **verb == next).copied().unwrap_or_default()))
    });
    calls.collect()
}

/// What linkers and runtimes print on many phones before any tool says something.
fn is_warning(line: &str) -> bool {
    line.trim_start().starts_with("warning")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_from_failures() {
        use Told::{Failed, Fine, Refused};
        let cases = [
            ("", Fine),
            ("Success\n", Fine),
            ("WARNING: linker: permission denied for libfoo.so\n", Fine),
            ("Error: Invalid arguments for command: tap\n", Failed),
            ("/system/bin/sh: input: inaccessible or not found\n", Failed),
            ("cmd: Can't find service: settings\n", Failed),
            ("Killed\n", Failed),
            ("java.lang.NullPointerException: x\n\tat a.b(C.java)\n", Failed),
            (
                "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission",
                Refused,
            ),
            (
                "Error: SecurityException: shell does not have permission android.permission.CLEAR_APP_USER_DATA",
                Refused,
            ),
            (
                "Security exception: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS",
                Refused,
            ),
            ("\nException occurred while executing 'put':\njava.lang.SecurityException: x\n", Refused),
            ("Operation not permitted\n", Refused),
            ("input: operation not allowed by the vendor's policy\n", Refused),
            ("没有权限\n", Refused),
            (
                "java.lang.SecurityException: Permission Denial: starting Intent { cmp=a/.B } not exported from uid 10\n",
                Failed,
            ),
            ("java.lang.SecurityException: Cannot clear data for a protected package: a.b\n", Failed),
            ("java.lang.SecurityException: Shell does not have permission to access user 10\n", Failed),
            ("/system/bin/sh: can't create /data/local/tmp/droidmux-settings: Permission denied\n", Failed),
        ];
        for (text, expected) in cases {
            assert_eq!(read_told(text), expected, "{text}");
        }
    }

    #[test]
    fn the_telling_line_is_quoted() {
        let cases = [
            (
                "\nException occurred while executing 'tap':\njava.lang.SecurityException: INJECT_EVENTS\n\tat a.b(C)\n",
                "java.lang.SecurityException: INJECT_EVENTS",
            ),
            ("Error: no such thing\n\nusage: x\n", "Error: no such thing usage: x"),
            ("  \n", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(complaint(text), expected, "{text}");
        }
        assert_eq!(complaint(&"x".repeat(9_000)).len(), MOST);
    }

    #[test]
    fn the_command_that_failed_is_named_and_nothing_else() {
        let typing = "input tap 1 2 && input keyevent 123 && input text 'p4ss && word'";
        let cases = [
            ("settings put global a 0 && settings put global b 0", "x", "settings put"),
            (typing, "Exception occurred while executing 'text':", "input text"),
            (typing, "no words that help", "input tap"),
            (
                "echo a > f && settings put global a 0",
                "SecurityException: WRITE_SECURE_SETTINGS",
                "settings put",
            ),
            ("input keyevent 224; wm dismiss-keyguard; rm -f x", "wm: not found", "wm dismiss-keyguard"),
            ("echo a > f && settings put global a 0", "cmd: Broken pipe", "settings put"),
            ("echo a > f && settings put global a 0", "sh: can't create f: Permission denied", "echo"),
            ("screencap -p", "", "screencap"),
            ("pm clear a.b 2>&1", "Failed", "pm clear"),
            ("frobnicate 'secret'", "secret", "the shell"),
        ];
        for (line, said, expected) in cases {
            assert_eq!(command_of(line, said), expected, "{line}");
            assert!(!remedy_of(&command_of(line, said)).is_empty());
        }
    }
}
