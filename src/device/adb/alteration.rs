//! Events that change the conditions around an app: settings, power, and the life of its process in the background.
//!
//! Before the first change, the previous values are written to the file of `settings`; that the screen is off because
//! of us is recorded in a file of its own. So the next session that prepares or restores puts everything back, even
//! after a session that died; within a session, each reset does.

use std::time::Duration;

use super::device::AdbDevice;
use super::settings::{SavedSettings, current_command, saved_command};
use super::surroundings::{
    FIRST_WITH_NIGHT, LOCALE_KEY, Surroundings, UNSET, are_tags, is_scale, read_locales,
};
use crate::output::is_package_name;
use crate::{DeviceErrorKind, Power};
use droidmux_gui::DeviceSetting;

/// Records that the screen is off because a test wanted it.
const ASLEEP: &str = "/data/local/tmp/droidmux-asleep";

/// Android 13: `cmd locale`. On older systems this would need root, a helper app or a reboot.
const FIRST_WITH_LOCALE: u32 = 33;

/// How often the process is checked, and the pause between checks: an activity that has just left the screen is not yet
/// one that the system would kill.
const KILL_LOOKS: u32 = 8;
const KILL_PAUSE: Duration = Duration::from_millis(250);

/// How often the network is checked once it is switched on, and the pause between checks.
const NETWORK_LOOKS: u32 = 20;
const NETWORK_PAUSE: Duration = Duration::from_millis(500);

/// What events of this session changed and no reset has put back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Altered {
    settings: bool,
    asleep: bool,
}

impl AdbDevice {
    /// Changes a setting, as far as it concerns this app, to a value; an empty one means the value from before the
    /// session.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Unsupported`] when this device has no way to do it.
    pub(super) async fn set_now(
        &self,
        package: &str,
        setting: DeviceSetting,
        value: &str,
    ) -> Result<(), DeviceErrorKind> {
        if setting == DeviceSetting::Clock {
            return match DeviceSetting::days(value) {
                Some(days) => self.let_days_pass(days).await,
                None => {
                    Err(DeviceErrorKind::Unsupported("its clock only goes on, by a day or some".to_owned()))
                }
            };
        }
        let api = self.profile().await?.api;
        let lacks = |what: &str| Err(DeviceErrorKind::Unsupported(what.to_owned()));
        let sound = match setting {
            DeviceSetting::Dark | DeviceSetting::Network => ["", "on", "off"].contains(&value),
            DeviceSetting::Language => are_tags(value) && is_package_name(package),
            DeviceSetting::FontSize => value.is_empty() || (is_scale(value) && value != UNSET),
            DeviceSetting::Clock => false,
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
        let user = self.as_user(package);
        let Some(command) = before.set_command((package, &user), setting, value) else { return Ok(()) };
        self.altered().settings = true;
        match self.must(&command).await {
            // Sessions do without such events.
            Err(refused @ DeviceErrorKind::Refused { .. }) => {
                return Err(DeviceErrorKind::Unsupported(refused.to_string()));
            }
            done => done?,
        };
        if setting == DeviceSetting::Network && value != "off" {
            self.await_network().await?;
        }
        Ok(())
    }

    /// The values from before the session; written to the file first if they are not there yet.
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
            script.section(
                "locales",
                &format!("cmd locale get-app-locales {package}{} 2>&1", self.as_user(package)),
            );
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
            self.must(&saved.save_command()).await?;
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
                let commands = saved.surroundings.commands(&now.surroundings, &|app| self.as_user(app));
                if !commands.is_empty() {
                    self.must(&commands.join(" && ")).await?;
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
                self.must(&command).await.map(drop)
            }
            Power::Wake | Power::Unlock => {
                self.wake_now().await?;
                self.altered().asleep = false;
                Ok(())
            }
        }
    }

    /// Ends the process of an app in the background. A process that a foreground service keeps alive, and one that is
    /// in front, survives, just as the system would let it.
    pub(super) async fn kill_now(&self, package: &str) -> Result<(), DeviceErrorKind> {
        if !is_package_name(package) {
            return Err(DeviceErrorKind::NotInstalled(package.to_owned()));
        }
        self.life().ended_by_us(package);
        let user = self.as_user(package);
        for _ in 0..KILL_LOOKS {
            let output = self.run(&format!("am kill{user} {package}; pidof {package}")).await?;
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

    /// Waits for a network, but only for a while: there may be none in reach.
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

/// Prints something when the screen is off because of us.
pub(super) fn asleep_command() -> String {
    format!("cat {ASLEEP} 2>/dev/null")
}

/// Whether a device with this serial may be connected over the Wi-Fi that an event would switch off.
fn hangs_on_network(serial: &str) -> bool {
    let host = serial.rsplit_once(':').map(|(host, _)| host);
    let local = host.is_some_and(|host| host == "localhost" || host.starts_with("127.") || host == "[::1]");
    serial.contains("._adb-tls-") || (host.is_some() && !local)
}

#[cfg(test)]
mod tests {
    use super::*;

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
