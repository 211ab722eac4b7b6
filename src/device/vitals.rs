//! How a device is: what decides whether it can work now.

/// What a device says of itself; whatever it does not say is unknown and counts as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vitals {
    /// The system has started whole; before that most commands fail.
    pub booted: bool,
    /// Another text after every start of the system; empty when unknown.
    pub boot: String,
    /// Charge of the battery in percent, 0 to 100.
    pub battery: Option<u8>,
    /// The highest of the temperatures that a hand would feel (battery, skin), in tenths of °C.
    pub heat: Option<i32>,
    /// How hard the system throttles: 0 none, 3 severe, 4 critical and up.
    pub throttling: Option<u8>,
    /// False when the screen is off or dreams.
    pub awake: Option<bool>,
    /// The keyguard covers the screen.
    pub locked: bool,
    /// Free space of the data partition in MiB.
    pub space: Option<u64>,
}
