//! A host's words for the registry: what it has, and that it is there.

use tokio_util::sync::CancellationToken;

use super::Host;
use crate::link::Link;
use crate::registry::{HEARTBEAT, Registry, heard_at};

impl Host {
    /// Says what the host has, whenever that changes and every so often, until cancelled. Whatever NATS forgot is told
    /// again by that.
    pub(super) async fn announce(self, link: Link, registry: Registry, cancel: CancellationToken) {
        let (mut changed, mut up) = (self.inner.phones.watch(), link.watch());
        let mut kept = true;
        loop {
            let words = self.words();
            let put = registry.put(&words).await;
            if let Err(error) = &put {
                // Those who listen hear it even where nothing is kept.
                if let Ok(bytes) = serde_json::to_vec(&words) {
                    let _ = link.client().publish(heard_at(self.name()), bytes.into()).await;
                }
                if kept && *up.borrow() {
                    tracing::warn!("{error}; trying again");
                }
            }
            kept = put.is_ok();
            tokio::select! {
                () = cancel.cancelled() => break,
                _ = changed.changed() => {}
                _ = up.changed() => {}
                () = tokio::time::sleep(HEARTBEAT) => {}
            }
        }
        let _ = registry.leave(self.name()).await;
    }
}
