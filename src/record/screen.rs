//! What a device shows and says at one moment.

use serde::{Deserialize, Serialize};

use crate::gui::LayoutHash;

/// A screen: the layout's hash and what surrounds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// Names the dump's content; the layout itself is stored once, by this hash.
    pub layout: LayoutHash,
    /// The focused package; empty when nothing is focused.
    pub package: String,
    /// The full class name of the focused activity, or the name of a system window; empty when
    /// unknown.
    pub activity: String,
    /// False is the seeds' l = ⊥: something other than the app under test is in the foreground.
    pub in_app: bool,
    /// Quarter turns, 0 to 3.
    pub rotation: u8,
    /// The on-screen keyboard is up.
    pub keyboard: bool,
}

/// A crash or an ANR seen on the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// How the process came to grief.
    pub kind: SignalKind,
    /// The process's name as logged: a package, or `package:service`; empty when the log does not tell.
    pub process: String,
    /// The exception with its message, or the ANR's reason: one line.
    pub headline: String,
    /// The stack as logged, at most 64 lines.
    pub stack: Vec<String>,
}

/// What ended or froze a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignalKind {
    /// An uncaught exception or a native crash, also one that the app's own reporter caught.
    Crash,
    /// It did not answer within the system's time ("isn't responding").
    Anr,
}

/// A device as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// As the ADB server lists it: `emulator-5554`, `10.0.0.5:5555`.
    pub serial: String,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.build.version.release`, e.g. `13`.
    pub android: String,
    /// `ro.build.version.sdk`.
    pub api: u32,
    /// `ro.build.fingerprint`.
    pub build: String,
    /// In pixels, held upright; the override of `wm size` if there is one.
    pub width: u32,
    /// In pixels, held upright.
    pub height: u32,
}

/// The app under test as installed on a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppBuild {
    /// The package's name; empty where nothing is known of the app.
    pub package: String,
    /// `versionName` of `dumpsys package`; empty when it has none.
    pub version_name: String,
    /// `versionCode` of `dumpsys package`; 0 when it has none.
    pub version_code: u64,
}
