//! A device for those who have no lab: taken as a lab's session would take it, and given back.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::device::{Bed, authorised, examine_device};
use crate::care::Terms;
use crate::care::tenure::{Identity, Tenure};
use droidmux_device::{Device, DeviceErrorKind, LeaseState, Patience};
use droidmux_proto::{CheckView, Subject};
use droidmux_record::LabChoice;

/// ADB's state of a device that takes commands.
pub(super) const READY: &str = "device";
/// The longest that reading the note may take.
const WITHIN: Duration = Duration::from_secs(10);

/// Looks at a device that is listed in this state. Its dumps are measured under a lease of the doctor's own, which no lab
/// holds.
pub async fn take_and_examine(device: &dyn Device, state: &str, lab: &LabChoice) -> Vec<CheckView> {
    if state != READY {
        return vec![authorised(&Subject::Device(device.serial().to_owned()), state)];
    }
    let tenure = take(device).await;
    let bed = match &tenure {
        Ok(_) => Bed::Own,
        Err(why) => Bed::Shared(why.to_string()),
    };
    let checks = examine_device(device, &bed, lab).await;
    if let Ok(tenure) = tenure
        && let Err(error) = tenure.withdraw(device).await
    {
        tracing::info!("the doctor's lease runs out by itself: {error}");
    }
    checks
}

/// Why the doctor does not get a device.
#[derive(Debug, Error)]
enum NotFree {
    #[error(transparent)]
    Device(DeviceErrorKind),
    #[error("the lease of {whose} ran out, and may yet be renewed")]
    Expired { whose: String },
}

/// The doctor's right to a device, or who has it.
async fn take(device: &dyn Device) -> Result<Tenure, NotFree> {
    // Not the identity of any lab: even a lab of this user must not mistake the doctor's tenure for its own.
    let name = format!("the doctor, process {}", std::process::id());
    let identity = Identity::of(Path::new(&name));
    let noted = device.noted(&Patience::of(WITHIN)).await.map_err(|error| NotFree::Device(error.kind))?;
    if let LeaseState::Expired(note) = noted.standing(&identity.lab) {
        return Err(NotFree::Expired { whose: note.whose() });
    }
    let cancel = CancellationToken::new();
    let (terms, token) = (Terms::default(), Tenure::new_token());
    let taken = Tenure::take(device, &identity, "doctor", &terms, token, &|_| false, &cancel).await;
    taken.map(|(tenure, _)| tenure).map_err(|error| NotFree::Device(error.kind))
}
