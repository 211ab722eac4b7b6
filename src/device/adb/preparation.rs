//! Before and after a session: screen on and unlocked, settings changed and put back.

use std::time::Duration;

use super::device::AdbDevice;
use super::observe::FIRST_WITH_FOCUS_IN_DISPLAYS;
use super::settings::{SavedSettings, current_command, saved_command, session_command};
use crate::device::DeviceErrorKind;
use crate::device::output::read_locked;

/// How often the keyguard is looked at, and the pause between.
const UNLOCK_LOOKS: u32 = 8;
const UNLOCK_PAUSE: Duration = Duration::from_millis(250);

/// What the window manager prints of the keyguard, over the versions.
const LOCKED: &str = "isKeyguardShowing|isStatusBarKeyguard|mShowingLockscreen";

impl AdbDevice {
    /// Screen on, settings as a session needs them, what was set before kept on the device.
    pub(super) async fn prepare_now(&self) -> Result<(), DeviceErrorKind> {
        self.profile().await?;
        let mut script = self.marks().script();
        script.section("saved", &saved_command());
        script.section("current", &current_command());
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let mut commands: Vec<String> = Vec::new();
        // What an earlier session saved and never put back is older, and so the truth.
        if SavedSettings::read(&sections.text("saved")).is_none() {
            commands.push(SavedSettings::current(&sections.text("current")).save_command());
        }
        commands.push(session_command());
        // Waking comes first and may fail: old systems cannot dismiss the keyguard by command.
        let wake = "input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard";
        self.run(&format!("{wake}; {}", commands.join(" && "))).await?.checked()?;
        // What crashed before is none of this session's: the log is read from a whole second on.
        self.signals_now().await?;
        self.unlocked().await
    }

    /// Waits until the keyguard is gone; with a PIN or a pattern it stays.
    async fn unlocked(&self) -> Result<(), DeviceErrorKind> {
        let part =
            if self.profile().await?.api >= FIRST_WITH_FOCUS_IN_DISPLAYS { "displays" } else { "policy" };
        for _ in 0..UNLOCK_LOOKS {
            let output = self.run(&format!("dumpsys window {part} | grep -E '{LOCKED}'")).await?;
            if !read_locked(&output.text()) {
                return Ok(());
            }
            tokio::time::sleep(UNLOCK_PAUSE).await;
        }
        Err(DeviceErrorKind::NotReady("locked; unlock it by hand and remove its screen lock".into()))
    }

    /// Puts back what is kept on the device; nothing is kept when nothing was changed.
    pub(super) async fn restore_now(&self) -> Result<(), DeviceErrorKind> {
        let output = self.run(&saved_command()).await?;
        match SavedSettings::read(&output.text()) {
            Some(saved) => self.run(&saved.restore_command()).await?.checked().map(drop),
            None => Ok(()),
        }
    }
}
