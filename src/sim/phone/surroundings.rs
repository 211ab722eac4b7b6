//! What surrounds an app and reaches it as a change: whether it is on the screen, language, size of the
//! font, network.
//!
//! Invariant: whatever was done to the phone, [`Phone::attend`] comes last: the app that left the screen is
//! notified, and the one on it has activities of the current configuration.

use super::system::SystemWindow;
use super::{Front, Phone};
use droidmux_sim_toolkit::platform::News;
use droidmux_words::number::whole;

/// Scales of the font that a phone takes, in percent, as Android limits them.
const FONT_SCALES: std::ops::RangeInclusive<u32> = 25..=500;

/// The language of the system.
const SYSTEM_LANGUAGE: &str = "persist.sys.locale";

/// Longest list of languages, in bytes.
const MAX_LOCALES: usize = 200;

impl Phone {
    /// Tells apps that left the screen or came to it.
    pub(super) fn attend(&mut self) {
        let lit = self.screen_on && self.booted && self.keyguard.is_none();
        let seen = match &self.front {
            Front::App(package) if lit => Some(package.clone()),
            _ => None,
        };
        let before = std::mem::replace(&mut self.seen, seen.clone());
        if let Some(package) = before.filter(|before| Some(before) != seen.as_ref()) {
            let env = self.env_of(Some(&package));
            if let Some(installed) = self.installed.get_mut(&package).filter(|app| app.reacts()) {
                installed.program.hide(&env);
            }
        }
        let reacts = |phone: &Self| phone.installed.get(phone.front_package()).is_none_or(|app| app.reacts());
        if lit && reacts(self) {
            let env = self.front_env();
            let effects = self.front_program_mut().map(|program| program.show(&env));
            self.carry_out(effects.unwrap_or_default());
        }
    }

    /// The configuration changed: what is on the screen is created again.
    pub(super) fn configure(&mut self) {
        self.clock.input();
        self.toast = None;
        self.attend();
    }

    /// The screen goes off, and the lock screen appears unless there is none.
    pub(super) fn fall_asleep(&mut self) {
        self.cover_front();
        self.screen_on = false;
        self.tell(News::Screen(false));
        if !self.lock_disabled {
            self.keyguard.get_or_insert(SystemWindow::Keyguard { secure: false });
        }
    }

    /// Whether the user wants no lock screen, as `locksettings` says.
    pub fn is_lock_disabled(&self) -> bool {
        self.lock_disabled
    }

    /// Says whether the user wants no lock screen from now on.
    pub fn disable_lock(&mut self, disabled: bool) {
        self.lock_disabled = disabled;
    }

    /// Packages whose processes a service in the foreground keeps alive.
    pub fn foreground_services(&self) -> Vec<String> {
        let plays = |package: &&String| {
            self.installed.get(*package).is_some_and(|installed| installed.program.keeps_running())
        };
        self.processes.iter().filter(plays).cloned().collect()
    }

    /// The font's scale in percent.
    pub(super) fn font_percent(&self) -> u32 {
        let scale =
            self.settings.get("system", "font_scale").and_then(|value| value.trim().parse::<f64>().ok());
        let percent = scale.map_or(100, |scale| u32::try_from(whole(scale * 100.0)).unwrap_or(u32::MAX));
        percent.clamp(*FONT_SCALES.start(), *FONT_SCALES.end())
    }

    /// The language an app is to speak: the first of its own, else the system's.
    pub(super) fn language_of(&self, package: Option<&str>) -> String {
        let own = package.and_then(|package| self.installed.get(package)).map_or("", |app| &app.locales);
        match own.split(',').next().unwrap_or_default() {
            "" => self.properties.get(SYSTEM_LANGUAGE).cloned().unwrap_or_default(),
            first => first.to_owned(),
        }
    }

    /// The languages an app is to speak, as tags with commas between; `None` when it is not installed,
    /// empty when it speaks the system's.
    pub fn app_locales(&self, package: &str) -> Option<&str> {
        Some(&self.installed.get(package)?.locales)
    }

    /// Changes the languages of an app; false when it is not installed. Tags that are not valid are left out.
    pub fn set_app_locales(&mut self, package: &str, tags: &str) -> bool {
        let Some(installed) = self.installed.get_mut(package) else { return false };
        let sound = |tag: &&str| {
            let plain = tag.chars().all(|char| char.is_ascii_alphanumeric() || char == '-');
            plain && tag.starts_with(|char: char| char.is_ascii_alphabetic())
        };
        let mut tags = tags.split(',').map(str::trim).filter(sound).collect::<Vec<_>>().join(",");
        tags.truncate(MAX_LOCALES);
        if installed.locales != tags {
            installed.locales = tags;
            self.configure();
        }
        true
    }

    /// Whether Wi-Fi or mobile data connects it.
    pub fn is_online(&self) -> bool {
        let is = |key, value| self.settings.get("global", key) == Some(value);
        let wifi = is("wifi_on", "1") || is("wifi_on", "2");
        wifi || (is("mobile_data", "1") && !is("airplane_mode_on", "1"))
    }

    /// Switches Wi-Fi on or off, as `svc wifi` does.
    pub fn set_wifi(&mut self, on: bool) {
        let airplane = self.settings.get("global", "airplane_mode_on") == Some("1");
        self.connect(
            "wifi_on",
            if !on {
                "0"
            } else if airplane {
                "2"
            } else {
                "1"
            },
        );
    }

    /// Switches mobile data on or off, as `svc data` does.
    pub fn set_mobile_data(&mut self, on: bool) {
        self.connect("mobile_data", if on { "1" } else { "0" });
    }

    /// Switches all radios off, or back to what they were.
    pub fn set_airplane_mode(&mut self, on: bool) {
        // 3 stands for a Wi-Fi that is off only as long as this mode lasts.
        let wifi = match (on, self.settings.get("global", "wifi_on")) {
            (true, Some("1")) => Some("3"),
            (false, Some("2" | "3")) => Some("1"),
            _ => None,
        };
        if let Some(wifi) = wifi {
            self.settings.set("global", "wifi_on", Some(wifi));
        }
        self.connect("airplane_mode_on", if on { "1" } else { "0" });
    }

    fn connect(&mut self, key: &str, value: &str) {
        let told = self.online_told;
        self.settings.set("global", key, Some(value));
        self.online_told = self.is_online();
        if told != self.online_told {
            self.clock.input();
            if self.seen.is_some() {
                let env = self.front_env();
                let effects = self.front_program_mut().map(|program| program.network(&env));
                self.carry_out(effects.unwrap_or_default());
            }
            self.attend();
        }
    }
}
