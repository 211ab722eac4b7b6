//! What tells one simulated phone from another.

use std::collections::BTreeSet;

use super::Oddity;
use droidmux_sim_toolkit::DefectSwitches;

/// How a phone is built. `Default` is a steady 1080×1920 phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneOptions {
    /// As the ADB server lists it.
    pub serial: String,
    /// `ro.product.model`.
    pub model: String,
    /// Version of Android as people write it.
    pub release: String,
    /// API level.
    pub sdk: u32,
    /// Width and height in portrait, in pixels.
    pub size: (u32, u32),
    /// Dots per inch: a dp is `density / 160` pixels.
    pub density: u32,
    /// What its volatile content is drawn from.
    pub seed: u64,
    /// True: no volatile content; clocks in apps stand still.
    pub steady: bool,
    /// Whether ADBKeyBoard is installed.
    pub adb_keyboard: bool,
    /// Other builds of its apps that clients may install.
    pub builds: Vec<SimBuild>,
    /// What makes it unlike the usual phone.
    pub oddities: BTreeSet<Oddity>,
}

/// Another build of an app that a phone comes with: installing a package of this name and version makes the app
/// that build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimBuild {
    /// The app's package.
    pub package: String,
    /// The version code that names the build.
    pub version_code: u32,
    /// The defects of this build.
    pub defects: DefectSwitches,
}

impl Default for PhoneOptions {
    fn default() -> Self {
        Self {
            serial: "sim-1".into(),
            model: "Sim 5".into(),
            release: "13".into(),
            sdk: 33,
            size: (1080, 1920),
            density: 480,
            seed: 1,
            steady: true,
            adb_keyboard: false,
            builds: Vec::new(),
            oddities: BTreeSet::new(),
        }
    }
}
