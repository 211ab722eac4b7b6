//! What the unit tests of the wire share.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::device::Journal;
use super::{DefectSwitches, Latency, Phone, PhoneOptions, SimDevice};

/// A device without apps, doors or latency.
pub(super) fn device() -> Arc<SimDevice> {
    let shared = (watch::channel(0).0, Arc::new(Journal::default()), CancellationToken::new());
    let phone = Phone::new(PhoneOptions::default(), &[], &DefectSwitches::none());
    Arc::new(SimDevice::new("sim-1".to_owned(), 1, Latency::ZERO, phone, shared))
}
