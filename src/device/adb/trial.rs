//! Trying each tool that a night needs, in a few round trips and without changing anything: what a phone refuses is known
//! before a session, not in its sixth minute.

use super::device::AdbDevice;
use super::settings::{ANIMATIONS, usable};
use crate::output::{Told, read_told};
use crate::{DeviceErrorKind, Trial};

/// A package that no phone has: what is done to it does nothing.
const NOTHING: &str = "org.droidmux.nothing.of.this.name";

/// Ends the output of a command that was tried; its exit code follows.
const CODE: &str = "droidmux-code:";

/// Android 7: `cmd package`.
const FIRST_WITH_CMD: u32 = 24;

/// Settings whose value is set again: one of each kind of permission (`WRITE_SECURE_SETTINGS`, `WRITE_SETTINGS`).
const SET_AGAIN: [(&str, &str); 2] = [("global", ANIMATIONS[0]), ("system", "accelerometer_rotation")];

/// A command that does nothing.
struct Harmless {
    command: &'static str,
    tried: &'static str,
    line: String,
    /// Whether its exit code counts: a package that does not exist is no success either.
    succeeds: bool,
}

impl AdbDevice {
    /// Each tool, in the order in which a session needs them. What the log is like is a shortcoming.
    pub(super) async fn try_tools_now(&self) -> Result<Vec<Trial>, DeviceErrorKind> {
        let api = self.profile().await?.api;
        let harmless = harmless(&self.values().await?, api);
        let mut script = self.marks().script();
        for Harmless { line, .. } in &harmless {
            script.section("tried", &format!("({line}) 2>&1; echo {CODE}$?"));
        }
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let mut trials = Vec::new();
        for (Harmless { command, tried, line, succeeds }, said) in harmless.iter().zip(sections.all("tried"))
        {
            let said = String::from_utf8_lossy(said);
            let (said, code) = said.rsplit_once(CODE).unwrap_or((&said, ""));
            let code: i32 = code.trim().parse().unwrap_or(-1);
            let fine = match read_told(said) {
                Told::Refused => false,
                // Of these, a package that does not exist may be an error, but not a tool that does not exist.
                Told::Failed if *succeeds => false,
                Told::Failed => !is_missing(said),
                Told::Fine => !succeeds || code == 0,
            };
            let outcome = if fine { Ok(()) } else { Err(self.failed(line, code, said).await) };
            let needed = *command != "cmd";
            trials.push(Trial { command: (*command).into(), tried: (*tried).into(), needed, outcome });
        }
        let outcome = self.picture().await.map(drop);
        if let Err(kind) = &outcome
            && kind.is_gone()
        {
            return Err(kind.clone());
        }
        trials.push(Trial {
            command: "screencap".into(),
            tried: "takes a picture".into(),
            needed: true,
            outcome,
        });
        self.try_log().await?;
        Ok(trials)
    }

    /// The values of [`SET_AGAIN`]; `None` where nothing is set.
    async fn values(&self) -> Result<Vec<Value>, DeviceErrorKind> {
        let mut script = self.marks().script();
        for (space, key) in SET_AGAIN {
            script.section("value", &format!("settings get {space} {key} 2>&1"));
        }
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let values = sections.all("value").map(|said| Value::read(&String::from_utf8_lossy(said)));
        Ok(values.collect())
    }
}

/// What a setting is set to.
enum Value {
    Set(String),
    Unset,
    /// Something that is not set again as it stands: asking once more shows what is wrong.
    Unreadable,
}

impl Value {
    fn read(said: &str) -> Self {
        match (usable(said), said.trim()) {
            (Some(value), _) => Self::Set(value),
            (None, "null") => Self::Unset,
            _ => Self::Unreadable,
        }
    }
}

fn harmless(values: &[Value], api: u32) -> Vec<Harmless> {
    let settings = SET_AGAIN.iter().zip(values).map(|((space, key), value)| match value {
        Value::Set(value) => format!("settings put {space} {key} {value}"),
        // Deletes nothing, and needs the same permission.
        Value::Unset => format!("settings delete {space} {key}"),
        Value::Unreadable => format!("settings get {space} {key}"),
    });
    let all = |command, tried, line: String| Harmless { command, tried, line, succeeds: true };
    let of_nothing = |command, tried, line: String| Harmless { command, tried, line, succeeds: false };
    let mut harmless = vec![
        all("settings put", "sets a setting to what it is", settings.collect::<Vec<_>>().join(" && ")),
        all("input", "presses a key without effect", "input keyevent 0".to_owned()),
        of_nothing("pm clear", "clears nothing", format!("pm clear {NOTHING}")),
        of_nothing("am", "stops nothing", format!("am force-stop {NOTHING}")),
        all("wm", "tells the size of the screen", "wm size".to_owned()),
    ];
    if api >= FIRST_WITH_CMD {
        let line = format!("cmd package resolve-activity --brief {NOTHING}");
        harmless.push(of_nothing("cmd", "looks for nothing", line));
    }
    harmless
}

/// Whether the tool itself is missing, or its service does not answer: that nothing is not found is as it should be.
fn is_missing(said: &str) -> bool {
    let said = said.to_lowercase();
    let by_shell = said.lines().any(|line| line.trim_end().ends_with(": not found"));
    let words =
        ["inaccessible or not found", "can't find service", "failure calling service", "killed", "aborted"];
    by_shell || words.iter().any(|word| said.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_set_to_what_it_is() {
        let cases = [
            (
                "1.0\n",
                "null\n",
                "settings put global window_animation_scale 1.0 && settings delete system accelerometer_rotation",
            ),
            (
                "java.lang.SecurityException: no\n",
                "1\n",
                "settings get global window_animation_scale && settings put system accelerometer_rotation 1",
            ),
            (
                "",
                "$(reboot)",
                "settings get global window_animation_scale && settings get system accelerometer_rotation",
            ),
        ];
        for (global, system, expected) in cases {
            let tried = harmless(&[Value::read(global), Value::read(system)], 30);
            assert_eq!(tried.first().map(|first| first.line.as_str()), Some(expected), "{global} {system}");
        }
    }

    #[test]
    fn a_package_that_is_missing_is_no_missing_tool() {
        let cases = [
            ("Failed\n", false),
            ("Error: package org.droidmux.nothing not found\n", false),
            ("java.lang.IllegalArgumentException: Unknown package: x\n", false),
            ("/system/bin/sh: pm: not found\n", true),
            ("/system/bin/sh: pm: inaccessible or not found\n", true),
            ("cmd: Can't find service: package\n", true),
        ];
        for (said, expected) in cases {
            assert_eq!(is_missing(said), expected, "{said}");
        }
    }
}
