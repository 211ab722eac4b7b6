//! What a device shows and says at one moment.

use serde::{Deserialize, Serialize};

use droidmux_gui::LayoutHash;

/// A screen: the layout's hash and its context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// Identifies what the dump showed; the store has the layout itself.
    pub layout: LayoutHash,
    /// The focused package; empty when nothing is focused.
    pub package: String,
    /// The full class name of the focused activity, or the name of a system window; empty when
    /// unknown.
    pub activity: String,
    /// False is the papers' l = ⊥: something other than the app under test is in the foreground.
    pub in_app: bool,
    /// Quarter turns, 0 to 3.
    pub rotation: u8,
    /// The on-screen keyboard is up.
    pub keyboard: bool,
}

/// A device as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// Its name on the ADB server, e.g. `emulator-5554`.
    pub serial: String,
    /// `ro.product.model`, e.g. `Pixel 7`.
    pub model: String,
    /// `ro.build.version.release`, e.g. `13`.
    pub android: String,
    /// `ro.build.version.sdk`.
    pub api: u32,
    /// `ro.build.fingerprint`.
    pub build: String,
    /// In pixels, in portrait, the override if there is one.
    pub width: u32,
    /// In pixels, as `width`.
    pub height: u32,
}

impl DeviceInfo {
    /// The model of what runs an app on Android's own classes without a device.
    pub const FRAMEWORK_LAB: &str = "Framework lab";

    /// Whether it is no device, but the framework lab.
    pub fn is_framework_lab(&self) -> bool {
        self.model == Self::FRAMEWORK_LAB
    }
}

/// The app under test as installed on a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppBuild {
    /// The name it is installed under, e.g. `org.example.notes`.
    pub package: String,
    /// `versionName` of its manifest, cut to 100 characters; empty when it has none.
    pub version_name: String,
    /// `versionCode` of its manifest; 0 when it cannot be read.
    pub version_code: u64,
}
