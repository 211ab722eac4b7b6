//! What a session went without on its devices, collected for its summary.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use droidmux_device::Device;

/// Each shortcoming that may have cost a finding, once; clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lacking(Arc<Mutex<BTreeSet<(String, String)>>>);

impl Lacking {
    /// Takes in what a device lacks now.
    pub(super) fn note(&self, device: &dyn Device) {
        let shortcomings = device.shortcomings();
        let telling = shortcomings.iter().filter(|shortcoming| shortcoming.may_cost_findings());
        let words = telling.map(|shortcoming| (device.serial().to_owned(), shortcoming.to_string()));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(words);
    }

    /// In words, each with its devices.
    pub(super) fn words(&self) -> Vec<String> {
        by_reason(self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned())
    }
}

/// `d1, d2: reason` of pairs of device and reason: what is the same on many devices is told once.
pub(super) fn by_reason(pairs: impl IntoIterator<Item = (String, String)>) -> Vec<String> {
    let mut devices: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (serial, reason) in pairs {
        devices.entry(reason).or_default().push(serial);
    }
    devices.into_iter().map(|(reason, serials)| format!("{}: {reason}", serials.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_on_many_devices_is_told_once() {
        let pairs = [("d1", "no log"), ("d2", "no keyboard"), ("d3", "no log")];
        let pairs = pairs.map(|(serial, reason)| (serial.to_owned(), reason.to_owned()));
        assert_eq!(by_reason(pairs), ["d2: no keyboard", "d1, d3: no log"]);
        assert!(by_reason([]).is_empty());
    }
}
