//! The condition of the device, in one round trip; and waking it.

use std::time::Duration;

use super::device::AdbDevice;
use super::foreground::FIRST_WITH_FOCUS_IN_DISPLAYS;
use crate::output::{
    Charge, Told, read_awake, read_battery, read_heat, read_locked, read_space, read_throttling,
    usable_property,
};
use crate::{DeviceErrorKind, Shortcoming, Vitals};

/// How often the keyguard is checked, and the pause between checks.
const UNLOCK_LOOKS: u32 = 8;
const UNLOCK_PAUSE: Duration = Duration::from_millis(250);

/// What the window manager prints about the keyguard, across Android versions.
const LOCKED: &str = "isKeyguardShowing|isStatusBarKeyguard|mShowingLockscreen";

/// Switches the screen on and dismisses a keyguard that needs no secret. Old systems cannot dismiss it by command, so
/// the outcome is ignored. From then on, the screen does not count as switched off by us.
pub(super) const WAKE: &str =
    "input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard; rm -f /data/local/tmp/droidmux-asleep";

impl AdbDevice {
    /// Battery, heat, screen, space.
    pub(super) async fn vitals_now(&self) -> Result<Vitals, DeviceErrorKind> {
        let mut script = self.marks().script();
        script.section("booted", "getprop sys.boot_completed");
        script.section("boot", "cat /proc/sys/kernel/random/boot_id 2>/dev/null");
        script.section("battery", "dumpsys battery 2>/dev/null");
        script.section(
            "thermal",
            "dumpsys thermalservice 2>/dev/null | grep -E 'Thermal Status|Temperature\\{'",
        );
        script.section("power", "dumpsys power 2>/dev/null | grep -E 'akefulness.*=|mScreenOn='");
        // Both parts: which of them mentions the keyguard depends on the version, and the version is unknown until the
        // system has started.
        script.section(
            "lock",
            &format!("(dumpsys window policy; dumpsys window displays) 2>/dev/null | grep -E '{LOCKED}'"),
        );
        script.section("space", "df /data 2>/dev/null");
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let text = |name| sections.text(name);
        let booted = text("booted").trim() == "1";
        let battery = match read_battery(&text("battery")) {
            Charge::Percent(charge) => Ok(charge),
            Charge::Unwatched(why) => Err(why),
        };
        if booted {
            let unwatched = battery.as_ref().err().map(|why| Shortcoming::Battery(why.clone()));
            self.falls_short(|known| matches!(known, Shortcoming::Battery(_)), unwatched);
        }
        Ok(Vitals {
            booted,
            boot: usable_property(&text("boot")),
            battery: battery.ok(),
            heat: read_heat(&text("battery"), &text("thermal")),
            throttling: read_throttling(&text("thermal")),
            awake: read_awake(&text("power")),
            locked: read_locked(&text("lock")),
            space: read_space(&text("space")),
        })
    }

    /// Screen on, keyguard gone.
    ///
    /// # Errors
    /// [`DeviceErrorKind::NotReady`] when a PIN or a pattern keeps it locked.
    /// The error of the device where it keeps the shell from pressing a key.
    pub(super) async fn wake_now(&self) -> Result<(), DeviceErrorKind> {
        let output = self.run(WAKE).await?;
        if output.told() == Told::Refused {
            let refused = self.failure(WAKE, &output).await;
            // Where there is no keyguard, it does no harm that the shell may not dismiss it.
            if matches!(&refused, DeviceErrorKind::Refused { command, .. } if command.starts_with("input")) {
                return Err(refused);
            }
        }
        self.unlocked().await
    }

    /// Waits until the keyguard is gone; with a PIN or a pattern it stays.
    pub(super) async fn unlocked(&self) -> Result<(), DeviceErrorKind> {
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
}
