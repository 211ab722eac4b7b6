//! System settings that are changed for a session and put back after it.
//!
//! What was set before is written to a file on the device before anything is changed, and the
//! file goes only after everything is back: whoever prepares or restores next finds it there,
//! even when the session died.

use super::shell::quoted;

/// Where the values are kept.
const FILE: &str = "/data/local/tmp/droidmux-settings";

/// First word of the file's only line; the last one shows that it is whole.
const HEAD: &str = "droidmux-settings-1";
const TAIL: &str = "end";

/// A setting and its value during a session.
struct Setting {
    space: &'static str,
    key: &'static str,
    session: &'static str,
}

/// Animations off, the screen kept on while plugged in, rotation by us alone and upright.
const SETTINGS: [Setting; 6] = [
    Setting { space: "global", key: "window_animation_scale", session: "0" },
    Setting { space: "global", key: "transition_animation_scale", session: "0" },
    Setting { space: "global", key: "animator_duration_scale", session: "0" },
    Setting { space: "global", key: "stay_on_while_plugged_in", session: "7" },
    Setting { space: "system", key: "accelerometer_rotation", session: "0" },
    Setting { space: "system", key: "user_rotation", session: "0" },
];

/// The values from before the session, in the order of [`SETTINGS`]; `None` was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedSettings(Vec<Option<String>>);

/// Prints the saved line, if there is one.
pub(super) fn saved_command() -> String {
    format!("cat {FILE} 2>/dev/null")
}

/// Prints the current values, one a line.
pub(super) fn current_command() -> String {
    let get = |s: &Setting| format!("settings get {} {}", s.space, s.key);
    SETTINGS.iter().map(get).collect::<Vec<_>>().join("; ")
}

/// Sets everything as a session needs it.
pub(super) fn session_command() -> String {
    let put = |s: &Setting| format!("settings put {} {} {}", s.space, s.key, s.session);
    SETTINGS.iter().map(put).collect::<Vec<_>>().join(" && ")
}

/// Turns the screen by hand, whatever the sensor says.
pub(super) fn rotation_command(quarter_turns: u8) -> String {
    format!(
        "settings put system accelerometer_rotation 0 && settings put system user_rotation {quarter_turns}"
    )
}

impl SavedSettings {
    /// Reads the file's line; `None` when there is none or it was cut short, in which case
    /// nothing had been changed yet.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        (words.next()? == HEAD).then_some(())?;
        let mut saved = SETTINGS.iter().map(|_| None).collect::<Vec<_>>();
        for word in words {
            if word == TAIL {
                return Some(Self(saved));
            }
            let (name, value) = word.split_once('=')?;
            let position = SETTINGS.iter().position(|s| name == format!("{}/{}", s.space, s.key));
            if let Some(slot) = position.and_then(|n| saved.get_mut(n)) {
                *slot = usable(value);
            }
        }
        None
    }

    /// Reads what [`current_command`] printed: `null` is a setting that was never set.
    pub(super) fn current(text: &str) -> Self {
        let mut lines = text.lines();
        Self(SETTINGS.iter().map(|_| lines.next().and_then(usable)).collect())
    }

    /// Writes the file.
    pub(super) fn save_command(&self) -> String {
        let pairs = self.pairs().filter_map(|(s, value)| Some(format!("{}/{}={}", s.space, s.key, value?)));
        let line = [HEAD.to_owned()].into_iter().chain(pairs).chain([TAIL.to_owned()]);
        format!("echo {} > {FILE}", quoted(&line.collect::<Vec<_>>().join(" ")))
    }

    /// Puts everything back, then forgets it.
    pub(super) fn restore_command(&self) -> String {
        let put = |(s, value): (&Setting, Option<&str>)| match value {
            Some(value) => format!("settings put {} {} {}", s.space, s.key, quoted(value)),
            None => format!("settings delete {} {}", s.space, s.key),
        };
        let commands: Vec<String> = self.pairs().map(put).chain([format!("rm -f {FILE}")]).collect();
        commands.join(" && ")
    }

    fn pairs(&self) -> impl Iterator<Item = (&'static Setting, Option<&str>)> {
        SETTINGS.iter().zip(self.0.iter().map(Option::as_deref))
    }
}

/// A value as these settings have them: a short number. Anything else counts as not set.
fn usable(value: &str) -> Option<String> {
    let value = value.trim();
    let number = !value.is_empty() && value.len() <= 16 && value.parse::<f64>().is_ok_and(f64::is_finite);
    number.then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_a_dead_session() {
        let before = SavedSettings::current("1.0\n0.5\nnull\n3\n1\n0\n");
        let command = before.save_command();
        let line = command.split('\'').nth(1).expect("a quoted line");
        assert_eq!(SavedSettings::read(&format!("{line}\n")), Some(before.clone()));
        let expected = "settings put global window_animation_scale '1.0' && \
            settings put global transition_animation_scale '0.5' && \
            settings delete global animator_duration_scale && \
            settings put global stay_on_while_plugged_in '3' && \
            settings put system accelerometer_rotation '1' && \
            settings put system user_rotation '0' && \
            rm -f /data/local/tmp/droidmux-settings";
        assert_eq!(before.restore_command(), expected);
    }

    #[test]
    fn files_that_are_none() {
        let cases = [
            "",
            "end",
            "droidmux-settings-1",
            "droidmux-settings-1 global/window_animation_scale=1.0",
            "other-1 end",
        ];
        for text in cases {
            assert_eq!(SavedSettings::read(text), None, "{text}");
        }
        let foreign =
            SavedSettings::read("droidmux-settings-1 system/x=1 system/user_rotation=$(reboot) end");
        assert_eq!(foreign, Some(SavedSettings(vec![None; SETTINGS.len()])));
    }
}
