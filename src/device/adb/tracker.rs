//! The list of devices, followed as it changes.

use tokio::io::AsyncReadExt;

use super::connection::{block_length, lost};
use super::entry::{DeviceEntry, read_entries};
use super::server::Server;
use super::stream::Stream;
use crate::{DeviceError, DeviceErrorKind, Patience};

/// A stream of lists of devices: one at once, then one after every change.
///
/// The server may report a lost device only seconds later; streams to it end at once.
#[derive(Debug)]
pub struct Tracker {
    server: Server,
    stream: Stream,
    /// The part of an incomplete list read so far. Kept here so that a [`Tracker::next`] that ran out of patience loses
    /// nothing.
    pending: Vec<u8>,
}

impl Tracker {
    pub(super) async fn open(server: &Server) -> Result<Self, DeviceErrorKind> {
        let connection = match server.begin("host:track-devices-l").await {
            // A server that predates the long form.
            Err(DeviceErrorKind::Answer(_)) => server.begin("host:track-devices").await?,
            other => other?,
        };
        let (stream, pending) = connection.into_stream();
        Ok(Self { server: server.clone(), stream, pending })
    }

    /// The next list. May be called again after it timed out.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Lost`] when the server went away: track again once it is back.
    pub async fn next(&mut self, patience: &Patience) -> Result<Vec<DeviceEntry>, DeviceError> {
        let Self { server, stream, pending } = self;
        let list = patience.bound(next_list(stream, pending)).await;
        match list {
            Ok(entries) => Ok(server.named(entries)),
            Err(kind) => {
                if kind.is_gone() {
                    server.doubt();
                }
                Err(server.error("host:track-devices-l", kind))
            }
        }
    }
}

async fn next_list(stream: &mut Stream, pending: &mut Vec<u8>) -> Result<Vec<DeviceEntry>, DeviceErrorKind> {
    loop {
        if let Some((&digits, rest)) = pending.split_first_chunk::<4>() {
            let length = block_length(digits)?;
            if let Some(list) = rest.get(..length) {
                let entries = read_entries(&String::from_utf8_lossy(list));
                pending.drain(..4 + length);
                return Ok(entries);
            }
        }
        if stream.read_buf(pending).await.map_err(lost)? == 0 {
            return Err(DeviceErrorKind::Lost("the ADB server closed the list of devices".into()));
        }
    }
}
