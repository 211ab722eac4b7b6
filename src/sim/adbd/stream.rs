//! One stream of an adbd connection: a service on one side, packets on the other.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use super::packet::{Command, Packet};
use crate::SimDevice;
use crate::service::Service;

/// Bytes between service and packets, in each direction.
const BUFFER: usize = 256 << 10;

/// How long a service may go on after the host closed its stream.
const LINGER: Duration = Duration::from_secs(5);

/// What the connection's reader holds of a stream.
pub(super) struct Stream {
    /// Room for one write more than a host that waits for its OKAY ever sends.
    inbound: mpsc::Sender<Bytes>,
    acknowledged: mpsc::Sender<()>,
}

/// The numbers of a stream on both sides, and what its packets may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    pub(super) local: u32,
    pub(super) remote: u32,
    pub(super) max_payload: usize,
}

impl Stream {
    /// Starts the service; its packets go to `out`, the last being CLSE.
    pub(super) fn open(
        device: Arc<SimDevice>,
        service: Service,
        ids: Ids,
        out: mpsc::Sender<Packet>,
    ) -> Stream {
        let (inbound, received) = mpsc::channel(2);
        let (acknowledged, acks) = mpsc::channel(2);
        tokio::spawn(async move {
            let (near, far) = tokio::io::duplex(BUFFER);
            tokio::select! {
                biased;
                () = pump(near, ids, received, acks, out.clone()) => {}
                // Dropped when the pump ends; if the service ends first, the pump still sends what is left.
                () = async {
                    service.run(device, Box::new(far)).await;
                    std::future::pending::<()>().await;
                } => {}
            }
            // The connection may be gone; then nobody waits for this.
            let _ = out.send(Packet::new(Command::Close, ids.local, ids.remote, Bytes::new())).await;
        });
        Stream { inbound, acknowledged }
    }

    /// Hands over a write; false when the host did not wait for the last one's OKAY.
    pub(super) fn write(&self, bytes: Bytes) -> bool {
        !matches!(self.inbound.try_send(bytes), Err(mpsc::error::TrySendError::Full(_)))
    }

    /// The host has taken our last write.
    pub(super) fn acknowledge(&self) {
        // More OKAYs than writes are harmless and forgotten.
        let _ = self.acknowledged.try_send(());
    }
}

/// Moves bytes both ways until the service ends. When the host closes the stream, the service still gets
/// what was sent before, then the end of its input, and some time to act on it.
async fn pump(
    near: tokio::io::DuplexStream,
    ids: Ids,
    mut received: mpsc::Receiver<Bytes>,
    mut acks: mpsc::Receiver<()>,
    out: mpsc::Sender<Packet>,
) {
    let (mut from_service, mut to_service) = tokio::io::split(near);
    let inward = async {
        while let Some(bytes) = received.recv().await {
            // If the service no longer reads, the host may still go on; if it does read, it gets
            // everything even after the host is gone.
            let _ = to_service.write_all(&bytes).await;
            let _ = out.send(Packet::new(Command::Okay, ids.local, ids.remote, Bytes::new())).await;
        }
        let _ = to_service.shutdown().await;
        tokio::time::sleep(LINGER).await;
    };
    let outward = async {
        let mut buffer = vec![0; ids.max_payload.min(BUFFER)];
        let mut heard = true;
        loop {
            let read = match from_service.read(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(read) => read,
            };
            // Nobody waits for the output of a stream that is closed.
            if heard {
                let bytes = Bytes::copy_from_slice(buffer.get(..read).unwrap_or_default());
                let write = Packet::new(Command::Write, ids.local, ids.remote, bytes);
                heard = out.send(write).await.is_ok() && acks.recv().await.is_some();
            }
        }
    };
    tokio::select! {
        () = inward => {}
        () = outward => {}
    }
}
