//! The conditions around an app, as values: dark theme, language, font size, network.
//!
//! In: what a device reports about them, or the words in the file of `settings`. Out: words for that file, and the
//! commands that set them or put them back. Invariant: unknown values are left alone.

use std::collections::BTreeMap;

use super::shell::quoted;
use crate::output::is_package_name;
use droidmux_gui::DeviceSetting;

/// Android 10: `cmd uimode night`.
pub(super) const FIRST_WITH_NIGHT: u32 = 29;

/// The beginning of the output of `cmd uimode night`.
const NIGHT: &str = "Night mode:";

/// Names in the file.
const NIGHT_KEY: &str = "night";
const FONT_KEY: &str = "font_scale";
const WIFI_KEY: &str = "wifi";
const DATA_KEY: &str = "data";
pub(super) const LOCALE_KEY: &str = "locale/";

/// What `settings get` prints for a setting that was never set.
pub(super) const UNSET: &str = "null";

/// The most apps whose languages are kept.
const MAX_LOCALES: usize = 50;

/// The conditions around apps at some time; `None` means unknown, and the value is left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// A word of `cmd uimode night`.
    night: Option<String>,
    /// A number, or `null` when it was never set.
    font: Option<String>,
    wifi: Option<bool>,
    data: Option<bool>,
    /// Languages of apps, as tags with commas between; empty for the system's.
    pub(super) locales: BTreeMap<String, String>,
}

impl Surroundings {
    /// Prints the current ones, except languages.
    pub(super) fn current_command(api: u32) -> String {
        let night = if api < FIRST_WITH_NIGHT { "" } else { "; cmd uimode night 2>&1" };
        let font = "settings get system font_scale";
        format!("{font}; settings get global wifi_on; settings get global mobile_data{night}")
    }

    /// Reads what [`Surroundings::current_command`] printed.
    pub(super) fn current<'a>(mut lines: impl Iterator<Item = &'a str>) -> Self {
        let mut current = Self::default();
        for name in [FONT_KEY, WIFI_KEY, DATA_KEY] {
            current.take(name, lines.next().unwrap_or_default());
        }
        if let Some(night) = lines.find_map(|line| line.trim().strip_prefix(NIGHT)) {
            current.take(NIGHT_KEY, night);
        }
        current
    }

    /// Accepts a word from the file, or from the device, if it is sound.
    pub(super) fn take(&mut self, name: &str, value: &str) {
        let value = value.trim();
        match name {
            NIGHT_KEY => {
                let sound = |char: char| char.is_ascii_lowercase() || char == '_';
                let is_mode = !value.is_empty() && value.len() <= 30 && value.chars().all(sound);
                self.night = is_mode.then(|| value.to_owned());
            }
            FONT_KEY => self.font = is_scale(value).then(|| value.to_owned()),
            WIFI_KEY => self.wifi = switch(value),
            DATA_KEY => self.data = switch(value),
            _ => {
                let package = name.strip_prefix(LOCALE_KEY).filter(|package| is_package_name(package));
                if let Some(package) = package.filter(|_| are_tags(value) && self.locales.len() < MAX_LOCALES)
                {
                    self.locales.insert(package.to_owned(), value.to_owned());
                }
            }
        }
    }

    /// The words of the file.
    pub(super) fn words(&self) -> Vec<String> {
        let digit = |on: bool| if on { "1" } else { "0" };
        let mut words = Vec::new();
        words.extend(self.night.iter().map(|value| format!("{NIGHT_KEY}={value}")));
        words.extend(self.font.iter().map(|value| format!("{FONT_KEY}={value}")));
        words.extend(self.wifi.map(|on| format!("{WIFI_KEY}={}", digit(on))));
        words.extend(self.data.map(|on| format!("{DATA_KEY}={}", digit(on))));
        words.extend(self.locales.iter().map(|(package, tags)| format!("{LOCALE_KEY}{package}={tags}")));
        words
    }

    /// Restores these where they differ from `now`; `as_user` gives the option that names an app's user (` --user 10`), or
    /// nothing.
    pub(super) fn commands(&self, now: &Self, as_user: &dyn Fn(&str) -> String) -> Vec<String> {
        let mut commands = Vec::new();
        commands
            .extend(self.night.iter().filter(|_| self.night != now.night).map(|mode| night_command(mode)));
        commands.extend(self.font.iter().filter(|_| self.font != now.font).map(|scale| font_command(scale)));
        commands.extend(self.wifi.filter(|_| self.wifi != now.wifi).map(|on| svc("wifi", on)));
        commands.extend(self.data.filter(|_| self.data != now.data).map(|on| svc("data", on)));
        commands.extend(
            self.locales.iter().map(|(package, tags)| locale_command((package, &as_user(package)), tags)),
        );
        commands
    }

    /// Fills what is missing, as it is in a file that an older version wrote.
    pub(super) fn complete(&mut self, current: Self) {
        self.night = self.night.take().or(current.night);
        self.font = self.font.take().or(current.font);
        self.wifi = self.wifi.or(current.wifi);
        self.data = self.data.or(current.data);
    }

    /// Changes a setting, as far as it concerns this app of this user (` --user 10`, or nothing), to a value; an empty one
    /// means the value recorded here. `None` when nothing has to be done.
    pub(super) fn set_command(
        &self,
        app: (&str, &str),
        setting: DeviceSetting,
        value: &str,
    ) -> Option<String> {
        match (setting, value) {
            (DeviceSetting::Dark, "") => self.night.as_deref().map(night_command),
            (DeviceSetting::Dark, value) => Some(night_command(if value == "on" { "yes" } else { "no" })),
            (DeviceSetting::FontSize, "") => self.font.as_deref().map(font_command),
            (DeviceSetting::FontSize, value) => Some(font_command(value)),
            (DeviceSetting::Language, "") => self.locales.get(app.0).map(|tags| locale_command(app, tags)),
            (DeviceSetting::Language, value) => Some(locale_command(app, value)),
            (DeviceSetting::Network, value) => {
                // What was off before stays off, unless there was no network at all.
                let none = self.wifi != Some(true) && self.data != Some(true);
                let ways = [("wifi", self.wifi), ("data", self.data)];
                let ways = ways.into_iter().filter(|(_, on)| *on == Some(true) || (none && value == "on"));
                let commands: Vec<String> = ways.map(|(way, _)| svc(way, value != "off")).collect();
                (!commands.is_empty()).then(|| commands.join(" && "))
            }
            // It is no condition that is put back.
            (DeviceSetting::Clock, _) => None,
        }
    }
}

fn night_command(mode: &str) -> String {
    format!("cmd uimode night {}", quoted(mode))
}

fn font_command(scale: &str) -> String {
    match scale {
        UNSET => "settings delete system font_scale".to_owned(),
        scale => format!("settings put system font_scale {}", quoted(scale)),
    }
}

fn locale_command((package, user): (&str, &str), tags: &str) -> String {
    match tags {
        "" => format!("cmd locale set-app-locales {package}{user}"),
        tags => format!("cmd locale set-app-locales {package}{user} --locales {}", quoted(tags)),
    }
}

fn svc(way: &str, on: bool) -> String {
    format!("svc {way} {}", if on { "enable" } else { "disable" })
}

/// Whether a value of the settings says on or off: 2 is a Wi-Fi that is on in airplane mode, 3 one that is
/// off because of it.
fn switch(value: &str) -> Option<bool> {
    match value {
        "1" | "2" => Some(true),
        "0" | "3" => Some(false),
        _ => None,
    }
}

pub(super) fn is_scale(value: &str) -> bool {
    value == UNSET
        || value.len() <= 16 && value.parse::<f64>().is_ok_and(|scale| (0.2..=6.0).contains(&scale))
}

/// Tags of languages with commas between, or nothing.
pub(super) fn are_tags(value: &str) -> bool {
    value.len() <= 200 && value.chars().all(|char| char.is_ascii_alphanumeric() || "-,".contains(char))
}

/// The languages in what `cmd locale get-app-locales` prints: `Locales for p for user 0 are [de-DE]`.
pub(super) fn read_locales(text: &str) -> Option<&str> {
    let (_, tags) = text.rsplit_once('[')?;
    tags.split_once(']').map(|(tags, _)| tags).filter(|tags| are_tags(tags))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(words: &[&str]) -> Surroundings {
        let mut surroundings = Surroundings::default();
        for word in words {
            let (name, value) = word.split_once('=').expect("a pair");
            surroundings.take(name, value);
        }
        surroundings
    }

    #[test]
    fn what_a_device_says_becomes_words_and_back() {
        let cases: &[(&str, &[&str])] = &[
            ("1.0\n1\n0\nNight mode: no", &["night=no", "font_scale=1.0", "wifi=1", "data=0"]),
            (
                "null\n3\nnull\nNight mode: custom_schedule\n",
                &["night=custom_schedule", "font_scale=null", "wifi=0"],
            ),
            ("1.3\n2\n1\ncmd: Can't find service: uimode", &["font_scale=1.3", "wifi=1", "data=1"]),
            ("$(reboot)\nx\n\nNight mode: ;reboot", &[]),
            ("", &[]),
        ];
        for (said, words) in cases {
            let current = Surroundings::current(said.lines());
            assert_eq!(current.words(), *words, "{said:?}");
            assert_eq!(around(words), current, "{said:?}");
        }
        let apps =
            around(&["locale/org.a=de-DE,en", "locale/org.b=", "locale/x;reboot=de", "locale/org.c=;x"]);
        assert_eq!(apps.words(), ["locale/org.a=de-DE,en", "locale/org.b="]);
    }

    #[test]
    fn only_what_changed_is_put_back() {
        let before = around(&["night=auto", "font_scale=null", "wifi=1", "data=0", "locale/org.a="]);
        let cases: &[(&[&str], &[&str])] = &[
            (&["night=auto", "font_scale=null", "wifi=1", "data=0"], &["cmd locale set-app-locales org.a"]),
            (
                &["night=yes", "font_scale=1.3", "wifi=0", "data=0"],
                &[
                    "cmd uimode night 'auto'",
                    "settings delete system font_scale",
                    "svc wifi enable",
                    "cmd locale set-app-locales org.a",
                ],
            ),
        ];
        for (now, commands) in cases {
            assert_eq!(before.commands(&around(now), &|_| String::new()), *commands, "{now:?}");
        }
        assert!(
            Surroundings::default().commands(&before, &|_| String::new()).is_empty(),
            "what is not known is left alone"
        );
    }

    #[test]
    fn settings_become_commands() {
        use DeviceSetting::{Dark, FontSize, Language, Network};
        let before = around(&["night=auto", "font_scale=1.0", "wifi=1", "data=0", "locale/org.a=fr"]);
        let nothing = around(&["wifi=0", "data=0"]);
        let cases = [
            (&before, Dark, "on", Some("cmd uimode night 'yes'")),
            (&before, Dark, "off", Some("cmd uimode night 'no'")),
            (&before, Dark, "", Some("cmd uimode night 'auto'")),
            (&nothing, Dark, "", None),
            (&before, FontSize, "1.3", Some("settings put system font_scale '1.3'")),
            (&before, FontSize, "", Some("settings put system font_scale '1.0'")),
            (&before, Language, "de-DE", Some("cmd locale set-app-locales org.a --locales 'de-DE'")),
            (&before, Language, "", Some("cmd locale set-app-locales org.a --locales 'fr'")),
            (&before, Network, "off", Some("svc wifi disable")),
            (&before, Network, "on", Some("svc wifi enable")),
            (&before, Network, "", Some("svc wifi enable")),
            (&nothing, Network, "off", None),
            (&nothing, Network, "on", Some("svc wifi enable && svc data enable")),
        ];
        for (surroundings, setting, value, command) in cases {
            let made = surroundings.set_command(("org.a", ""), setting, value);
            assert_eq!(made.as_deref(), command, "{setting:?} {value:?}");
        }
    }

    #[test]
    fn languages_are_read_from_the_answer() {
        let cases = [
            ("Locales for org.a for user 0 are [de-DE,en]\n", Some("de-DE,en")),
            ("Locales for org.a for user 0 are []\n", Some("")),
            ("Unknown package org.a for userId 0", None),
            ("Locales for org.a for user 0 are [$(x)]", None),
        ];
        for (said, tags) in cases {
            assert_eq!(read_locales(said), tags, "{said}");
        }
    }
}
