//! The attendant: looks at every device when it is found, after trouble, and when its rest or
//! quarantine ends, for as long as the lab lives.

use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::look::{Known, look};
use crate::device::Device;
use crate::lab::Roster;

/// A device to be looked at now.
pub(in crate::lab) struct Visit {
    pub(in crate::lab) serial: String,
    pub(in crate::lab) device: Arc<dyn Device>,
    pub(in crate::lab) known: Known,
}

/// Makes the visits that are due until the lab closes.
pub(in crate::lab) async fn attend(roster: Roster, closing: CancellationToken) {
    let mut changes = roster.watch();
    loop {
        changes.mark_unchanged();
        for visit in roster.due(Instant::now()) {
            let (roster, closing) = (roster.clone(), closing.clone());
            tokio::spawn(async move {
                let Visit { serial, device, known } = visit;
                let watched = roster.terms().renewal * 2;
                let found = look(&*device, &roster.identity().lab, known, watched, closing).await;
                roster.found(&serial, found);
            });
        }
        tokio::select! {
            () = closing.cancelled() => return,
            _ = changes.changed() => {}
            () = until(roster.next_visit()) => {}
        }
    }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}
