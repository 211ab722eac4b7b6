//! What a session went without on its devices, collected for its summary.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use droidmux_device::Device;

/// Each shortcoming that may have cost a finding, once; clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lacking(Arc<Mutex<BTreeSet<String>>>);

impl Lacking {
    /// Takes in what a device lacks now.
    pub(super) fn note(&self, device: &dyn Device) {
        let shortcomings = device.shortcomings();
        let telling = shortcomings.iter().filter(|shortcoming| shortcoming.may_cost_findings());
        let words = telling.map(|shortcoming| format!("{}: {shortcoming}", device.serial()));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(words);
    }

    /// In words, by device.
    pub(super) fn words(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
