//! What a phone reports about itself, and why it refuses.

use thiserror::Error;

/// What has the focus, as `dumpsys window` and `dumpsys input_method` report it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Package of the resumed activity.
    pub package: String,
    /// Full class name of the resumed activity, e.g. `org.droidmux.diary.MainActivity`.
    pub activity: String,
    /// Title of the focused window: `package/full.Activity`, or a system window's name such as
    /// `Application Not Responding: org.droidmux.notes` or `NotificationShade`.
    pub window: String,
    /// True while the keyboard is on the screen.
    pub keyboard: bool,
    /// Task number of the resumed activity.
    pub task: u32,
    /// Running processes, package and process id, in order of start.
    pub processes: Vec<(String, u32)>,
}

/// An installed package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// The application id, e.g. `org.droidmux.diary`.
    pub name: String,
    /// The name under its icon.
    pub label: String,
    /// The version as people write it, e.g. `1.0`.
    pub version_name: String,
    /// The version as the system compares it.
    pub version_code: u32,
    /// The oldest API level it runs on; 0 for the launcher and ADBKeyBoard.
    pub min_sdk: u32,
    /// The API level it is made for; 0 for the launcher and ADBKeyBoard.
    pub target_sdk: u32,
    /// `package/full.Activity` of the launcher activity.
    pub launcher: Option<String>,
    /// Full class names of its activities.
    pub activities: Vec<String>,
    /// Requested runtime permissions and whether they are granted.
    pub permissions: Vec<(String, bool)>,
    /// Permissions it has from its installation on.
    pub install_permissions: Vec<String>,
    /// Linux user id.
    pub uid: u32,
    /// True for the launcher and other parts of the system image.
    pub system: bool,
}

/// How a launch went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launched {
    /// `package/full.Activity`.
    pub component: String,
    /// False when the app was running already and was only brought to the front.
    pub cold: bool,
}

/// Why a component was not started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LaunchFault {
    /// This has no slash between package and activity.
    #[error("Bad component name: {0}")]
    BadComponent(String),
    /// The words of `am start`.
    #[error("Activity class {{{0}}} does not exist.")]
    NoActivity(String),
}

/// Why a permission was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GrantFault {
    /// No package of this name is installed.
    #[error("Unknown package: {0}")]
    NoPackage(String),
    /// The package does not declare it as a runtime permission.
    #[error("Package {package} has not requested permission {permission}")]
    NotRequested {
        /// The application id.
        package: String,
        /// Its full name, e.g. `android.permission.CAMERA`.
        permission: String,
    },
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
    /// The screen never rests: an endless animation.
    #[error("could not get idle state.")]
    NotIdle,
    /// No window answers: the screen is off, the phone boots or the app in front is stuck.
    #[error("null root node returned by UiTestAutomationBridge.")]
    NoRoot,
}
