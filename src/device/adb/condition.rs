//! How the device is set up, in one round trip.

use super::device::AdbDevice;
use super::keyboard::ADB_KEYBOARD;
use super::settings::{ANIMATIONS, input_method, saved_command, usable};
use crate::output::read_size;
use crate::{Condition, DeviceErrorKind};

impl AdbDevice {
    /// Settings, screen, keyboards. Nothing is changed.
    pub(super) async fn condition_now(&self) -> Result<Condition, DeviceErrorKind> {
        let mut script = self.marks().script();
        let scales = ANIMATIONS.map(|key| format!("settings get global {key}"));
        script.section("animations", &scales.join("; "));
        script.section("keyboard", "settings get secure default_input_method");
        script.section("keyboards", "ime list -a -s");
        script.section("size", "wm size");
        script.section("density", "wm density");
        script.section("saved", &saved_command());
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let text = |name| sections.text(name);
        let scales = text("animations");
        let mut scales = scales.lines().map(usable);
        let keyboard = text("keyboard").lines().next().and_then(input_method);
        let size = text("size");
        let physical: String = size.lines().filter(|line| !line.contains("Override")).collect();
        Ok(Condition {
            exit_codes: self.has_shell_v2().await?,
            animations: [(); 3].map(|()| scales.next().flatten()),
            has_adb_keyboard: text("keyboards").lines().any(|line| line.trim() == ADB_KEYBOARD),
            uses_adb_keyboard: keyboard.as_deref() == Some(ADB_KEYBOARD),
            keyboard,
            size: read_size(&size),
            resized: read_size(&size) != read_size(&physical),
            density: read_density(&text("density")),
            is_prepared: !text("saved").trim().is_empty(),
        })
    }
}

/// Reads `wm density`; the override wins.
fn read_density(text: &str) -> Option<u32> {
    let value = |key: &str| text.lines().find_map(|line| line.trim().strip_prefix(key)?.trim().parse().ok());
    value("Override density:").or_else(|| value("Physical density:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities() {
        let cases = [
            ("Physical density: 420\n", Some(420)),
            ("Physical density: 420\nOverride density: 320\n", Some(320)),
            ("Physical density: many\n", None),
            ("Error: no such command", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_density(text), expected, "{text}");
        }
    }
}
