//! One simulated phone.
//!
//! In: taps, keys, text and the requests of a shell (start this, clear that). Out: the dump of the
//! active window, a screenshot, what has the focus, logcat lines.
//!
//! Invariants: synchronous and deterministic; the clock moves only with input, launches and clears;
//! only the active window is in a dump; an app that crashes or hangs is reported in logcat in the
//! words a real phone uses.

use std::collections::BTreeMap;

use image::RgbaImage;
use thiserror::Error;

use super::toolkit::{DefectSwitches, SimApp};
use crate::gui::Point;

mod logcat;
mod options;

pub use logcat::{Buffer, LogLine};
pub use options::PhoneOptions;

/// A phone with apps installed. See the module's description.
pub struct Phone {}

/// What has the focus, as `dumpsys window` and `dumpsys input_method` tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Package of the resumed activity.
    pub package: String,
    /// Full class name of the resumed activity, e.g. `org.droidmux.diary.MainActivity`.
    pub activity: String,
    /// Title of the focused window: `package/full.Activity`, or a system window's name such as
    /// `Application Not Responding: org.droidmux.notes`.
    pub window: String,
    /// True while the keyboard is on the screen.
    pub keyboard: bool,
    /// Task number of the resumed activity.
    pub task: u32,
    /// Running processes, package and process id, in order of start.
    pub processes: Vec<(String, u32)>,
}

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub name: String,
    pub label: String,
    pub version_name: String,
    pub version_code: u32,
    /// `package/full.Activity` of the launcher activity.
    pub launcher: Option<String>,
    /// Full class names of its activities.
    pub activities: Vec<String>,
    /// Requested runtime permissions and whether they are granted.
    pub permissions: Vec<(String, bool)>,
    /// Linux user id.
    pub uid: u32,
    /// True for the launcher and other parts of the system image.
    pub system: bool,
}

/// Why a component was not started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LaunchFault {
    #[error("Bad component name: {0}")]
    BadComponent(String),
    /// The words of `am start`.
    #[error("Activity class {{{0}}} does not exist.")]
    NoActivity(String),
}

/// How a launch went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launched {
    /// `package/full.Activity`.
    pub component: String,
    /// False when the app was running already and was only brought to the front.
    pub cold: bool,
}

/// Why a permission was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GrantFault {
    #[error("Unknown package: {0}")]
    NoPackage(String),
    #[error("Package {package} has not requested permission {permission}")]
    NotRequested { package: String, permission: String },
}

/// A key the phone does not know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("Unknown keycode: {0}")]
pub struct UnknownKey(pub String);

/// A text with a character no key types; nothing of it was typed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no key types {0:?}")]
pub struct Untypable(pub char);

/// Why there is no dump, as `uiautomator dump` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DumpFault {
    #[error("could not get idle state.")]
    NotIdle,
    #[error("null root node returned by UiTestAutomationBridge.")]
    NoRoot,
}

impl Phone {
    /// A phone that has just booted and shows its home screen.
    pub fn new(_options: PhoneOptions, _apps: &[SimApp], _defects: &DefectSwitches) -> Self {
        todo!()
    }

    pub fn options(&self) -> &PhoneOptions {
        todo!()
    }

    /// A short touch.
    pub fn tap(&mut self, _at: Point) {
        todo!()
    }

    /// A touch longer than the long-press time-out.
    pub fn long_press(&mut self, _at: Point) {
        todo!()
    }

    /// A drag lasting this many milliseconds. Without movement it is a tap, or a long press from
    /// 500 ms on.
    pub fn swipe(&mut self, _from: Point, _to: Point, _ms: u32) {
        todo!()
    }

    /// Presses a key: its name with or without `KEYCODE_`, or its number.
    ///
    /// # Errors
    /// When there is no such key.
    pub fn key(&mut self, _key: &str) -> Result<(), UnknownKey> {
        todo!()
    }

    /// Types on a hardware keyboard, as `input text` does: ASCII only.
    ///
    /// # Errors
    /// When a character has no key; nothing is typed then.
    pub fn text(&mut self, _text: &str) -> Result<(), Untypable> {
        todo!()
    }

    /// Commits text as an input method does, any Unicode.
    pub fn commit_text(&mut self, _text: &str) {
        todo!()
    }

    /// Replaces the text of the focused field; false when no field has the focus.
    pub fn set_field_text(&mut self, _text: &str) -> bool {
        todo!()
    }

    /// Starts `package/.Activity` or `package/full.Activity`.
    ///
    /// # Errors
    /// When it does not name an installed activity.
    pub fn launch(&mut self, _component: &str) -> Result<Launched, LaunchFault> {
        todo!()
    }

    /// The launcher activity of a package as `package/full.Activity`.
    pub fn launcher_of(&self, _package: &str) -> Option<String> {
        todo!()
    }

    /// Shows the home screen.
    pub fn home(&mut self) {
        todo!()
    }

    /// Ends an app's process and its activities; its data stays.
    pub fn force_stop(&mut self, _package: &str) {
        todo!()
    }

    /// Clears an app's data and ends it; false when it is not installed. Takes back its granted
    /// permissions, as `pm clear` does.
    pub fn clear(&mut self, _package: &str) -> bool {
        todo!()
    }

    /// Grants or revokes a requested permission.
    ///
    /// # Errors
    /// When the package is unknown or does not request it.
    pub fn grant(&mut self, _package: &str, _permission: &str, _granted: bool) -> Result<(), GrantFault> {
        todo!()
    }

    /// Removes an app; false when it was not installed.
    pub fn uninstall(&mut self, _package: &str) -> bool {
        todo!()
    }

    /// Turns the screen: quarter turns, 0 to 3; others are taken modulo 4. Activities are recreated
    /// when this changes between portrait and landscape.
    pub fn set_rotation(&mut self, _quarter_turns: u8) {
        todo!()
    }

    /// Quarter turns, 0 to 3.
    pub fn rotation(&self) -> u8 {
        todo!()
    }

    /// Width and height in pixels in the current rotation.
    pub fn size(&self) -> (u32, u32) {
        todo!()
    }

    /// The active window as XML, byte for byte as `uiautomator dump` writes it.
    ///
    /// # Errors
    /// When the screen never rests or is off.
    pub fn dump(&self) -> Result<String, DumpFault> {
        todo!()
    }

    /// The screen as it looks, status bar, keyboard and toasts included.
    pub fn screenshot(&self) -> RgbaImage {
        todo!()
    }

    pub fn focus(&self) -> Focus {
        todo!()
    }

    /// Installed packages in alphabetic order.
    pub fn packages(&self) -> Vec<Package> {
        todo!()
    }

    pub fn package(&self, _name: &str) -> Option<Package> {
        todo!()
    }

    /// The process id of a running app.
    pub fn pid_of(&self, _package: &str) -> Option<u32> {
        todo!()
    }

    /// A setting; `None` when unset. Namespaces: global, system, secure.
    pub fn setting(&self, _namespace: &str, _key: &str) -> Option<&str> {
        todo!()
    }

    /// Changes a setting, or unsets it. `system user_rotation` with `accelerometer_rotation` 0
    /// turns the screen.
    pub fn set_setting(&mut self, _namespace: &str, _key: &str, _value: Option<&str>) {
        todo!()
    }

    /// All settings of a namespace.
    pub fn settings(&self, _namespace: &str) -> Vec<(String, String)> {
        todo!()
    }

    /// What `getprop` lists.
    pub fn properties(&self) -> &BTreeMap<String, String> {
        todo!()
    }

    /// The lines of these buffers, oldest first.
    pub fn logcat(&self, _buffers: &[Buffer]) -> Vec<&LogLine> {
        todo!()
    }

    /// Empties these buffers.
    pub fn clear_logcat(&mut self, _buffers: &[Buffer]) {
        todo!()
    }

    /// The phone's clock: milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        todo!()
    }

    pub fn is_screen_on(&self) -> bool {
        todo!()
    }
}
