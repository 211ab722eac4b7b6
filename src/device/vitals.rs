//! The condition of a device: what decides whether it can work now.

/// What a device reports about itself; a value it does not report is unknown and counts as fine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vitals {
    /// The system has started completely; before that most commands fail.
    pub booted: bool,
    /// A text that changes each time the system starts; empty when unknown.
    pub boot: String,
    /// Charge of the battery in percent, 0 to 100; `None` where there is no battery, or one that tells nothing of use.
    pub battery: Option<u8>,
    /// The highest of the temperatures that a hand would feel (battery, skin), in tenths of °C.
    pub heat: Option<i32>,
    /// How hard the system throttles: 0 none, 3 severe, 4 critical, and higher.
    pub throttling: Option<u8>,
    /// False when the screen is off or dreaming.
    pub awake: Option<bool>,
    /// The keyguard covers the screen.
    pub locked: bool,
    /// Free space of the data partition in MiB.
    pub space: Option<u64>,
}
