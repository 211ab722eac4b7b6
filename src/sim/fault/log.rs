//! What has struck.

use std::fmt;
use std::sync::Mutex;

use tokio::sync::watch;

use super::Occasion;
use crate::device::lock;

/// A fault that struck, with everything needed to reproduce it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injected {
    /// The device's serial, or `server`.
    pub device: String,
    /// From 1, for each device.
    pub number: u64,
    /// The name that fault files know it by.
    pub fault: &'static str,
    /// Which rule of the plan, from 1; those that were injected later follow.
    pub rule: usize,
    /// What was under way when it struck.
    pub occasion: Occasion,
    /// Which of its device's occasions it was, from 1.
    pub at: u64,
    /// The seed of the plan.
    pub seed: u64,
}

impl fmt::Display for Injected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Injected { device, number, fault, rule, occasion, at, seed } = self;
        write!(f, "fault {number} of {device}: {fault} (rule {rule}, {occasion} {at}, seed {seed})")
    }
}

/// All faults of a lab that struck, in the order they did.
#[derive(Debug)]
pub(crate) struct FaultLog {
    struck: Mutex<Vec<Injected>>,
    count: watch::Sender<usize>,
}

impl Default for FaultLog {
    fn default() -> Self {
        FaultLog { struck: Mutex::default(), count: watch::channel(0).0 }
    }
}

impl FaultLog {
    /// Later faults strike all the same and are not kept.
    const MOST: usize = 100_000;

    pub(super) fn add(&self, injected: Injected) {
        let mut struck = lock(&self.struck);
        if struck.len() < Self::MOST {
            tracing::info!("{injected}");
            struck.push(injected);
            self.count.send_replace(struck.len());
        }
    }

    /// Those after the first `from`.
    pub(crate) fn since(&self, from: usize) -> Vec<Injected> {
        lock(&self.struck).get(from..).unwrap_or_default().to_vec()
    }

    /// Notified of each new one.
    pub(crate) fn count(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }
}
