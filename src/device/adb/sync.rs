//! The sync service: files to and from a device.

use super::connection::{Connection, too_long};
use crate::DeviceErrorKind;

/// What a device knows about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Type and permissions as in `st_mode`.
    pub mode: u32,
    /// In bytes, modulo 2³².
    pub size: u32,
    /// Seconds since the Unix epoch.
    pub modified: u32,
}

/// The largest DATA chunk either side may send.
const CHUNK: usize = 64 * 1024;

/// A connection on which the `sync:` service was opened.
pub(super) struct SyncService {
    connection: Connection,
}

impl SyncService {
    pub(super) async fn open(mut connection: Connection) -> Result<Self, DeviceErrorKind> {
        connection.request("sync:").await?;
        Ok(Self { connection })
    }

    /// STAT; `None` when there is no such file.
    pub(super) async fn stat(&mut self, path: &str) -> Result<Option<FileStat>, DeviceErrorKind> {
        self.send(b"STAT", path.as_bytes()).await?;
        let mut id = [0; 4];
        self.connection.read_exact(&mut id).await?;
        if &id != b"STAT" {
            return Err(unexpected(id));
        }
        let (mode, size, modified) = (self.word().await?, self.word().await?, self.word().await?);
        Ok((mode != 0).then_some(FileStat { mode, size, modified }))
    }

    /// RECV: the whole file, at most `cap` bytes.
    pub(super) async fn receive(&mut self, path: &str, cap: usize) -> Result<Vec<u8>, DeviceErrorKind> {
        self.send(b"RECV", path.as_bytes()).await?;
        let mut bytes = Vec::new();
        loop {
            let (id, length) = self.head().await?;
            match &id {
                b"DATA" if length <= CHUNK => {
                    let start = bytes.len();
                    if start + length > cap {
                        return Err(too_long(cap));
                    }
                    bytes.resize(start + length, 0);
                    self.connection.read_exact(bytes.get_mut(start..).unwrap_or_default()).await?;
                }
                b"DONE" => return Ok(bytes),
                b"FAIL" => return Err(self.failure(length).await?),
                _ => return Err(unexpected(id)),
            }
        }
    }

    /// SEND: writes a file with these permissions (e.g. `0o644`).
    pub(super) async fn store(
        &mut self,
        path: &str,
        mode: u32,
        modified: u32,
        bytes: &[u8],
    ) -> Result<(), DeviceErrorKind> {
        self.send(b"SEND", format!("{path},{mode}").as_bytes()).await?;
        for chunk in bytes.chunks(CHUNK) {
            self.send(b"DATA", chunk).await?;
        }
        self.connection.write(&packet(b"DONE", modified)).await?;
        let (id, length) = self.head().await?;
        match &id {
            b"OKAY" => Ok(()),
            b"FAIL" => Err(self.failure(length).await?),
            _ => Err(unexpected(id)),
        }
    }

    async fn send(&mut self, id: &[u8; 4], body: &[u8]) -> Result<(), DeviceErrorKind> {
        let length = u32::try_from(body.len()).map_err(|_| too_long(CHUNK))?;
        let mut whole = packet(id, length).to_vec();
        whole.extend_from_slice(body);
        self.connection.write(&whole).await
    }

    async fn head(&mut self) -> Result<([u8; 4], usize), DeviceErrorKind> {
        let mut id = [0; 4];
        self.connection.read_exact(&mut id).await?;
        let length = self.word().await?;
        Ok((id, usize::try_from(length).map_err(|_| too_long(CHUNK))?))
    }

    async fn word(&mut self) -> Result<u32, DeviceErrorKind> {
        let mut word = [0; 4];
        self.connection.read_exact(&mut word).await?;
        Ok(u32::from_le_bytes(word))
    }

    async fn failure(&mut self, length: usize) -> Result<DeviceErrorKind, DeviceErrorKind> {
        let mut message = vec![0; length.min(CHUNK)];
        self.connection.read_exact(&mut message).await?;
        Ok(DeviceErrorKind::Answer(String::from_utf8_lossy(&message).into_owned()))
    }
}

fn packet(id: &[u8; 4], word: u32) -> [u8; 8] {
    let mut packet = [0; 8];
    let (head, tail) = packet.split_at_mut(4);
    head.copy_from_slice(id);
    tail.copy_from_slice(&word.to_le_bytes());
    packet
}

fn unexpected(id: [u8; 4]) -> DeviceErrorKind {
    DeviceErrorKind::Answer(format!("a sync packet `{}`", id.escape_ascii()))
}
