//! Check-ups of a device at work, between its jobs.

use std::time::{Duration, Instant};

use super::limits::Limits;
use crate::{Hub, Lease};
use droidmux_device::{DeviceError, Patience};

/// Whether a leased device can take another job.
pub(crate) struct Checkup {
    limits: Limits,
    every: Duration,
    last: Option<Instant>,
}

impl Checkup {
    pub(crate) fn new(limits: Limits, every: Duration) -> Self {
        Self { limits, every, last: None }
    }

    /// Like [`Checkup::passes`], but asks however recently it last did.
    ///
    /// # Errors
    /// The same as there.
    pub(crate) async fn again(
        &mut self,
        lease: &Lease,
        hub: &Hub,
        patience: &Patience,
    ) -> Result<bool, DeviceError> {
        self.last = None;
        self.passes(lease, hub, patience).await
    }

    /// True if it can: nothing is asked if it was asked recently. A device that breaks a limit is sent to rest; one
    /// that fell asleep is woken.
    ///
    /// # Errors
    /// When the device does not answer, or is locked by a secret.
    pub(crate) async fn passes(
        &mut self,
        lease: &Lease,
        hub: &Hub,
        patience: &Patience,
    ) -> Result<bool, DeviceError> {
        if self.last.is_some_and(|last| last.elapsed() < self.every) {
            return Ok(true);
        }
        let vitals = lease.device.vitals(patience).await?;
        self.last = Some(Instant::now());
        if let Some(rest) = self.limits.broken(&vitals) {
            lease.rests(rest, self.limits);
            return Ok(false);
        }
        if vitals.awake == Some(false) || vitals.locked {
            lease.device.wake(patience).await?;
            hub.info(lease.serial(), if vitals.locked { "keyguard dismissed" } else { "screen woken" });
        }
        Ok(true)
    }
}
