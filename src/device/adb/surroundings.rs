//! What surrounds an app and events change: dark theme, language, size of the font, network, power, and
//! the life of its process in the background.
//!
//! Before the first change what was set is written to the file of `settings`; that the screen is off by our
//! doing is a file of its own. So whoever prepares or restores next puts everything back, also after a
//! session that died; within a session, each reset does.

use std::collections::BTreeMap;
use std::time::Duration;

use super::device::AdbDevice;
use super::settings::{SavedSettings, current_command, saved_command};
use super::shell::quoted;
use crate::device::output::is_package_name;
use crate::device::{DeviceErrorKind, Power};
use crate::gui::DeviceSetting;

/// Says that the screen is off because a test wanted it.
const ASLEEP: &str = "/data/local/tmp/droidmux-asleep";

/// Android 10: `cmd uimode night`.
const FIRST_WITH_NIGHT: u32 = 29;
/// Android 13: `cmd locale`. What older systems have needs root, a helper app or a reboot.
const FIRST_WITH_LOCALE: u32 = 33;

/// Begins what `cmd uimode night` prints.
const NIGHT: &str = "Night mode:";

/// Names in the file.
const NIGHT_KEY: &str = "night";
const FONT_KEY: &str = "font_scale";
const WIFI_KEY: &str = "wifi";
const DATA_KEY: &str = "data";
const LOCALE_KEY: &str = "locale/";

/// What `settings get` prints for a setting that was never set.
const UNSET: &str = "null";

/// Most apps whose languages are kept.
const MAX_LOCALES: usize = 50;

/// How often the process is looked at, and the pause between: an activity that has just left the screen is
/// not yet one that the system would kill.
const KILL_LOOKS: u32 = 8;
const KILL_PAUSE: Duration = Duration::from_millis(250);

/// How often the network is looked for once it is switched on, and the pause between.
const NETWORK_LOOKS: u32 = 20;
const NETWORK_PAUSE: Duration = Duration::from_millis(500);

/// What surrounds apps at some time; `None` is not known, and then it is left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// A word of `cmd uimode night`.
    night: Option<String>,
    /// A number, or `null` when it was never set.
    font: Option<String>,
    wifi: Option<bool>,
    data: Option<bool>,
    /// Languages of apps, as tags with commas between; empty for the system's.
    locales: BTreeMap<String, String>,
}

/// What events of this session changed and no reset has put back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Altered {
    settings: bool,
    asleep: bool,
}

impl Surroundings {
    /// Prints the present ones, but for languages.
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

    /// Takes a word of the file, or what a device said, if it is sound.
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

    /// Puts these in the place of what is there `now`.
    pub(super) fn commands(&self, now: &Self) -> Vec<String> {
        let mut commands = Vec::new();
        commands
            .extend(self.night.iter().filter(|_| self.night != now.night).map(|mode| night_command(mode)));
        commands.extend(self.font.iter().filter(|_| self.font != now.font).map(|scale| font_command(scale)));
        commands.extend(self.wifi.filter(|_| self.wifi != now.wifi).map(|on| svc("wifi", on)));
        commands.extend(self.data.filter(|_| self.data != now.data).map(|on| svc("data", on)));
        commands.extend(self.locales.iter().map(|(package, tags)| locale_command(package, tags)));
        commands
    }

    /// Changes a setting, as far as it concerns this app, to a value; an empty one is what these say.
    /// `None` when nothing has to be done.
    fn set_command(&self, package: &str, setting: DeviceSetting, value: &str) -> Option<String> {
        match (setting, value) {
            (DeviceSetting::Dark, "") => self.night.as_deref().map(night_command),
            (DeviceSetting::Dark, value) => Some(night_command(if value == "on" { "yes" } else { "no" })),
            (DeviceSetting::FontSize, "") => self.font.as_deref().map(font_command),
            (DeviceSetting::FontSize, value) => Some(font_command(value)),
            (DeviceSetting::Language, "") => {
                self.locales.get(package).map(|tags| locale_command(package, tags))
            }
            (DeviceSetting::Language, value) => Some(locale_command(package, value)),
            (DeviceSetting::Network, value) => {
                // What was off before stays off, unless there was no network at all.
                let none = self.wifi != Some(true) && self.data != Some(true);
                let ways = [("wifi", self.wifi), ("data", self.data)];
                let ways = ways.into_iter().filter(|(_, on)| *on == Some(true) || (none && value == "on"));
                let commands: Vec<String> = ways.map(|(way, _)| svc(way, value != "off")).collect();
                (!commands.is_empty()).then(|| commands.join(" && "))
            }
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

fn locale_command(package: &str, tags: &str) -> String {
    match tags {
        "" => format!("cmd locale set-app-locales {package}"),
        tags => format!("cmd locale set-app-locales {package} --locales {}", quoted(tags)),
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

fn is_scale(value: &str) -> bool {
    value == UNSET
        || value.len() <= 16 && value.parse::<f64>().is_ok_and(|scale| (0.2..=6.0).contains(&scale))
}

/// Tags of languages with commas between, or nothing.
fn are_tags(value: &str) -> bool {
    value.len() <= 200 && value.chars().all(|char| char.is_ascii_alphanumeric() || "-,".contains(char))
}

/// The languages in what `cmd locale get-app-locales` prints: `Locales for p for user 0 are [de-DE]`.
fn read_locales(text: &str) -> Option<&str> {
    let (_, tags) = text.rsplit_once('[')?;
    tags.split_once(']').map(|(tags, _)| tags).filter(|tags| are_tags(tags))
}

/// Whether a device of this serial may be reached over the Wi-Fi that an event would switch off.
fn hangs_on_network(serial: &str) -> bool {
    let host = serial.rsplit_once(':').map(|(host, _)| host);
    let local = host.is_some_and(|host| host == "localhost" || host.starts_with("127.") || host == "[::1]");
    serial.contains("._adb-tls-") || (host.is_some() && !local)
}

impl AdbDevice {
    /// Changes a setting, as far as it concerns this app, to a value; an empty one is what was set before
    /// the session.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Unsupported`] when this device has no way to do it.
    pub(super) async fn set_now(
        &self,
        package: &str,
        setting: DeviceSetting,
        value: &str,
    ) -> Result<(), DeviceErrorKind> {
        let api = self.profile().await?.api;
        let lacks = |what: &str| Err(DeviceErrorKind::Unsupported(what.to_owned()));
        let sound = match setting {
            DeviceSetting::Dark | DeviceSetting::Network => ["", "on", "off"].contains(&value),
            DeviceSetting::Language => are_tags(value) && is_package_name(package),
            DeviceSetting::FontSize => value.is_empty() || (is_scale(value) && value != UNSET),
        };
        match setting {
            _ if !sound => return lacks("it is set to a value that there is not"),
            DeviceSetting::Dark if api < FIRST_WITH_NIGHT => {
                return lacks("the dark theme is set by command from Android 10 on");
            }
            DeviceSetting::Language if api < FIRST_WITH_LOCALE => {
                return lacks("the language of an app is set by command from Android 13 on");
            }
            DeviceSetting::Network if hangs_on_network(self.name()) => {
                return lacks("it is reached over the network that would be switched off");
            }
            _ => {}
        }
        let before = self.surroundings_before(package, setting).await?;
        let Some(command) = before.set_command(package, setting, value) else { return Ok(()) };
        self.altered().settings = true;
        self.run(&command).await?.checked()?;
        if setting == DeviceSetting::Network && value != "off" {
            self.await_network().await?;
        }
        Ok(())
    }

    /// What was set before the session; written to the file first where it is not there yet.
    async fn surroundings_before(
        &self,
        package: &str,
        setting: DeviceSetting,
    ) -> Result<Surroundings, DeviceErrorKind> {
        let speaks = setting == DeviceSetting::Language;
        let mut script = self.marks().script();
        script.section("saved", &saved_command());
        script.section("current", &current_command(self.profile().await?.api));
        if speaks {
            script.section("locales", &format!("cmd locale get-app-locales {package} 2>&1"));
        }
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let saved = SavedSettings::read(&sections.text("saved"));
        let known = saved.is_some();
        let mut saved = saved.unwrap_or_else(|| SavedSettings::current(&sections.text("current")));
        let before = saved.surroundings.clone();
        let current = SavedSettings::current(&sections.text("current")).surroundings;
        saved.surroundings.complete(current);
        if speaks && !saved.surroundings.locales.contains_key(package) {
            let said = sections.text("locales");
            let tags = read_locales(&said)
                .ok_or_else(|| DeviceErrorKind::Answer(format!("get-app-locales said `{}`", said.trim())))?;
            saved.surroundings.take(&format!("{LOCALE_KEY}{package}"), tags);
        }
        if !known || saved.surroundings != before {
            self.run(&saved.save_command()).await?.checked()?;
        }
        Ok(saved.surroundings)
    }

    /// Puts back what events changed, and wakes the device when one of them sent it to sleep.
    pub(super) async fn put_surroundings_back(&self) -> Result<(), DeviceErrorKind> {
        let altered = *self.altered();
        if altered.asleep {
            self.wake_now().await?;
        }
        if altered.settings {
            let mut script = self.marks().script();
            script.section("saved", &saved_command());
            script.section("current", &current_command(self.profile().await?.api));
            let output = self.run(&script.line()).await?;
            let sections = script.split(&output.stdout)?;
            if let Some(saved) = SavedSettings::read(&sections.text("saved")) {
                let now = SavedSettings::current(&sections.text("current"));
                let commands = saved.surroundings.commands(&now.surroundings);
                if !commands.is_empty() {
                    self.run(&commands.join(" && ")).await?.checked()?;
                }
            }
        }
        *self.altered() = Altered::default();
        Ok(())
    }

    /// Switches the screen off or on.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Unsupported`] when nobody could unlock it again.
    pub(super) async fn power_now(&self, power: Power) -> Result<(), DeviceErrorKind> {
        match power {
            Power::Sleep | Power::Lock => {
                let output = self.run("dumpsys window policy | grep -E 'secure=|mIsSecure'").await?;
                if output.text().contains("ecure=true") {
                    let why = "its lock screen asks for a secret".to_owned();
                    return Err(DeviceErrorKind::Unsupported(why));
                }
                self.altered().asleep = true;
                let command = format!("echo asleep > {ASLEEP} && input keyevent KEYCODE_SLEEP");
                self.run(&command).await?.checked().map(drop)
            }
            Power::Wake | Power::Unlock => {
                self.wake_now().await?;
                self.altered().asleep = false;
                Ok(())
            }
        }
    }

    /// Ends the process of an app in the background. One that a service in the foreground keeps alive, and
    /// one that is in front, goes on, as the system would let it.
    pub(super) async fn kill_now(&self, package: &str) -> Result<(), DeviceErrorKind> {
        if !is_package_name(package) {
            return Err(DeviceErrorKind::NotInstalled(package.to_owned()));
        }
        for _ in 0..KILL_LOOKS {
            let output = self.run(&format!("am kill {package}; pidof {package}")).await?;
            if output.text().trim().is_empty() {
                return Ok(());
            }
            let services = format!("dumpsys activity services {package} | grep -F 'isForeground=true'");
            if !self.run(&services).await?.text().trim().is_empty() {
                return Ok(());
            }
            tokio::time::sleep(KILL_PAUSE).await;
        }
        Ok(())
    }

    /// Waits for a network, for a while: there may be none in reach.
    async fn await_network(&self) -> Result<(), DeviceErrorKind> {
        for _ in 0..NETWORK_LOOKS {
            let output = self.run("dumpsys connectivity | grep -F 'Active default network:'").await?;
            if !output.text().contains(": none") {
                break;
            }
            tokio::time::sleep(NETWORK_PAUSE).await;
        }
        Ok(())
    }
}

/// Prints something when the screen is off by our doing.
pub(super) fn asleep_command() -> String {
    format!("cat {ASLEEP} 2>/dev/null")
}

impl Surroundings {
    /// Fills what is missing, as it is in a file that an older version wrote.
    fn complete(&mut self, current: Self) {
        self.night = self.night.take().or(current.night);
        self.font = self.font.take().or(current.font);
        self.wifi = self.wifi.or(current.wifi);
        self.data = self.data.or(current.data);
    }
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
            assert_eq!(before.commands(&around(now)), *commands, "{now:?}");
        }
        assert!(Surroundings::default().commands(&before).is_empty(), "what is not known is left alone");
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
            let made = surroundings.set_command("org.a", setting, value);
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

    #[test]
    fn devices_on_the_network_keep_it() {
        let cases = [
            ("emulator-5554", false),
            ("R58M123", false),
            ("127.0.0.1:6555", false),
            ("localhost:5555", false),
            ("192.168.1.7:5555", true),
            ("adb-R58M-x1._adb-tls-connect._tcp", true),
        ];
        for (serial, hangs) in cases {
            assert_eq!(hangs_on_network(serial), hangs, "{serial}");
        }
    }
}
