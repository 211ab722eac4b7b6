//! Before and after a session: screen on and unlocked, settings changed and put back.

use super::alteration::{Altered, asleep_command};
use super::clock;
use super::data_copy::kept_command;
use super::device::AdbDevice;
use super::life::Life;
use super::settings::{SavedSettings, current_command, saved_command, session_command};
use super::vitals::WAKE;
use crate::DeviceErrorKind;
use droidmux_record::AppPlace;

impl AdbDevice {
    /// Screen on, settings as a session needs them, previous values kept on the device.
    pub(super) async fn prepare_now(&self) -> Result<(), DeviceErrorKind> {
        self.profile().await?;
        let mut script = self.marks().script();
        script.section("saved", &saved_command());
        script.section("current", &current_command(self.profile().await?.api));
        script.section("clock", &clock::saved_command());
        script.section("copies", &kept_command());
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        self.put_clock_back(&sections.text("clock")).await?;
        self.forget_copies(&sections.text("copies")).await?;
        let mut commands: Vec<String> = Vec::new();
        let current = SavedSettings::current(&sections.text("current"));
        match SavedSettings::read(&sections.text("saved")) {
            // What an earlier session saved and never put back is older, and therefore authoritative.
            Some(saved) => {
                commands.extend(saved.surroundings.commands(&current.surroundings, &|app| self.as_user(app)))
            }
            None => commands.push(current.save_command()),
        }
        *self.altered() = Altered::default();
        // What became of the app of an earlier session is nobody's concern any more.
        *self.life() = Life::default();
        commands.push(session_command());
        self.must_after(WAKE, &commands.join(" && ")).await?;
        // Earlier crashes do not belong to this session: the log is read from the start of a second.
        self.try_log().await?;
        self.unlocked().await
    }

    /// Ends the agent and puts back what is kept on the device; nothing is kept there when nothing was changed.
    pub(super) async fn restore_now(&self) -> Result<(), DeviceErrorKind> {
        self.resident().await.dismiss(self).await?;
        self.known().begun.clear();
        let mut script = self.marks().script();
        script.section("saved", &saved_command());
        script.section("current", &current_command(self.profile().await?.api));
        script.section("asleep", &asleep_command());
        script.section("clock", &clock::saved_command());
        script.section("copies", &kept_command());
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        self.put_clock_back(&sections.text("clock")).await?;
        self.forget_copies(&sections.text("copies")).await?;
        *self.altered() = Altered::default();
        if !sections.text("asleep").trim().is_empty() {
            self.run(WAKE).await?;
        }
        let Some(saved) = SavedSettings::read(&sections.text("saved")) else { return Ok(()) };
        let now = SavedSettings::current(&sections.text("current"));
        self.give_keyboard_back(&saved, &now).await?;
        let restore = saved.restore_command(&now, &|app| self.as_user(app));
        let restored = self.must(&restore).await;
        self.place().choose("", &AppPlace::default());
        self.forget_apps();
        restored.map(drop)
    }
}
