//! What a device is: asked once, before anything else.

use super::device::AdbDevice;
use super::log_reading::NOW;
use super::place::CURRENT_USER;
use crate::DeviceErrorKind;
use crate::output::{read_size, read_window_size, usable_property};
use droidmux_record::DeviceInfo;

/// Sections and the properties they hold.
const PROPERTIES: [(&str, &str); 4] = [
    ("model", "ro.product.model"),
    ("android", "ro.build.version.release"),
    ("api", "ro.build.version.sdk"),
    ("build", "ro.build.fingerprint"),
];

impl AdbDevice {
    /// Asks for the properties, and marks the log: signals count from the first contact.
    pub(super) async fn ask_profile(&self) -> Result<DeviceInfo, DeviceErrorKind> {
        let mut script = self.marks().script();
        for (section, property) in PROPERTIES {
            script.section(section, &format!("getprop {property}"));
        }
        script.section("size", "wm size");
        script.section("now", NOW);
        script.section("user", CURRENT_USER);
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let property = |section| usable_property(&sections.text(section));
        let unreadable = |what: &str, said: &str| {
            let said: String = said.trim().chars().take(100).collect();
            DeviceErrorKind::Answer(format!("{what} is `{said}`"))
        };
        let api = property("api");
        let (width, height) = match read_size(&sections.text("size")) {
            Some(size) => size,
            None => self.size_without_wm(&sections.text("size"), &output.stderr).await?,
        };
        self.log().begin(&sections.text("now"))?;
        self.place().is_of_user(&sections.text("user"));
        Ok(DeviceInfo {
            serial: self.name().to_owned(),
            model: property("model"),
            android: property("android"),
            api: api.parse().map_err(|_| unreadable("ro.build.version.sdk", &api))?,
            build: property("build"),
            width,
            height,
        })
    }

    /// The size of the screen by the window manager's dump, where `wm` does not tell it. The error is about `wm`, which
    /// said `out` and `err`.
    async fn size_without_wm(&self, out: &str, err: &[u8]) -> Result<(u32, u32), DeviceErrorKind> {
        let output = self.run("dumpsys window displays").await?;
        if let Some(size) = read_window_size(&String::from_utf8_lossy(&output.stdout)) {
            return Ok(size);
        }
        let said = format!("{out}\n{}", String::from_utf8_lossy(err));
        Err(self.failed("wm size", 0, &said).await)
    }
}
