//! Accessibility services: which apps bring them, and which are on.
//!
//! As on Android the latter are settings: `enabled_accessibility_services` and `accessibility_enabled`. What
//! a service's own code does is known only for [`DROIDBOT_SERVICE`], so only apps with that one are taken.

use super::Phone;

/// The service of DroidBot's helper app: tells clients of [`DROIDBOT_PORT`] what is on the screen.
pub const DROIDBOT_SERVICE: &str =
    "io.github.ylimit.droidbotapp/io.github.privacystreams.accessibility.PSAccessibilityService";
/// The port of the device on which that service listens while it is on.
pub const DROIDBOT_PORT: u16 = 7_336;

impl Phone {
    /// The services that are installed and on, as `package/full.Service`.
    pub fn accessibility_services(&self) -> Vec<String> {
        if self.setting("secure", "accessibility_enabled") != Some("1") {
            return Vec::new();
        }
        let enabled = self.setting("secure", "enabled_accessibility_services").unwrap_or_default();
        let is_enabled = |id: &String| enabled.split(':').any(|one| one == id);
        let installed = self.installed.values().map(|installed| installed.app.declaration());
        installed.flat_map(|declared| declared.watchers()).filter(is_enabled).collect()
    }

    /// Whether DroidBot's service watches the screen.
    pub(crate) fn is_watched_by_droidbot(&self) -> bool {
        self.accessibility_services().iter().any(|id| id == DROIDBOT_SERVICE)
    }
}
