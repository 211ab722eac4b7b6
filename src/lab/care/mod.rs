//! Care for devices: what the lab does so that a night's run survives its phones.
//!
//! In: what devices say of themselves, and trouble that jobs had with them. Out: devices that are
//! fit to be leased, others kept out with the reason, interventions on a device that is leased, and
//! a line in the log for each.
//!
//! | policy | file |
//! |---|---|
//! | probes when found and after trouble, waiting for a system that starts | `attendant`, `look` |
//! | quarantine for growing times | `trouble` |
//! | battery, heat, space: rest until it is better | `limits`, `checkup` |
//! | leases that other users and hosts see | `tenure` |
//! | a screen asleep, a keyguard, a frozen app | `rescue`, and `look` while nobody leases the device |
//! | a keyboard in the way | `keyboard` |
//!
//! Invariants: a device is looked at only while nobody leases it; an idle one is not woken; between the steps of a job
//! nothing is asked that `Device::observe` does not report anyway; whatever is done to a device inside an episode is
//! noted in the observation that follows, so that acts still follow from what is stored.

pub(super) mod attendant;
pub(super) mod checkup;
pub(super) mod keyboard;
pub(super) mod limits;
pub(super) mod look;
pub(super) mod rescue;
pub(super) mod tenure;
pub(super) mod trouble;

use std::time::Duration;

use droidmux_device::DeviceErrorKind;

/// Intervals and durations in the care of devices.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Between two looks at a device that should answer soon: it is starting, the ADB server is away, or a first look
    /// failed.
    pub soon: Duration,
    /// Between two looks at a device that is charging, cooling down, locked or leased by others.
    pub rest: Duration,
    /// Between two looks at a device that is fit and idle: does it answer, has anybody leased it.
    pub idle: Duration,
    /// The first quarantine; each further one without a job done between is twice as long.
    pub quarantine: Duration,
    /// No quarantine is longer, however often a device failed.
    pub longest_quarantine: Duration,
    /// Between two check-ups of a device at work, which are made between jobs.
    pub checkup: Duration,
    /// How long the lease on a device is good without being renewed.
    pub lease: Duration,
    /// Between two renewals. A lease of others that ran out is watched for longer than that before it is taken over:
    /// the clock may have jumped, but a lab that is still there renews its lease.
    pub renewal: Duration,
    /// Between writing a lease and reading it back. Zero for devices that nobody else can reach.
    pub settle: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            soon: Duration::from_secs(1),
            rest: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            quarantine: Duration::from_secs(15),
            longest_quarantine: Duration::from_secs(30 * 60),
            checkup: Duration::from_secs(10),
            lease: Duration::from_secs(120),
            renewal: Duration::from_secs(20),
            settle: Duration::from_millis(600),
        }
    }
}

/// The device answered, or hung, but gave no layout.
fn is_unreadable(kind: &DeviceErrorKind) -> bool {
    matches!(kind, DeviceErrorKind::Answer(_) | DeviceErrorKind::TimedOut(_))
}
