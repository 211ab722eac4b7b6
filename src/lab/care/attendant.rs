//! The attendant: looks at every device when it is found, after trouble, and when its rest or
//! quarantine ends, for as long as the lab lives.

use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::look::{Known, look};
use crate::Roster;
use droidmux_device::Device;

/// A device to be looked at now.
pub(crate) struct Visit {
    pub(crate) serial: String,
    pub(crate) device: Arc<dyn Device>,
    pub(crate) known: Known,
}

/// Makes the visits that are due, until the lab closes or nobody holds the roster any more.
pub(crate) async fn attend(roster: Roster, closing: CancellationToken) {
    let (mut changes, kept) = (roster.watch(), roster.weak());
    drop(roster);
    loop {
        let Some(roster) = kept() else { return };
        changes.mark_unchanged();
        for visit in roster.due(Instant::now()) {
            tokio::spawn(make(visit, roster.clone(), closing.clone()));
        }
        let next = roster.next_visit();
        drop(roster);
        tokio::select! {
            () = closing.cancelled() => return,
            changed = changes.changed() => if changed.is_err() { return },
            () = until(next) => {}
        }
    }
}

async fn make(visit: Visit, roster: Roster, closing: CancellationToken) {
    let Visit { serial, device, known } = visit;
    let found = look(&*device, &roster, known, closing).await;
    roster.hub().lacks(&serial, &device.shortcomings());
    roster.found(&serial, found);
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}
