//! The packets of ADB's transport protocol.
//!
//! Six u32 LE (command, two arguments, length, checksum, command ^ 0xffffffff), then the payload.
//! Source: AOSP `packages/modules/adb/protocol.txt`.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest payload, as announced in our CNXN.
pub(super) const MAX_PAYLOAD: usize = 1 << 20;
/// A CNXN carries no more, whatever was agreed.
const MAX_CONNECT_PAYLOAD: usize = 4_096;
/// The version from which checksums are no longer needed.
pub(super) const VERSION: u32 = 0x0100_0001;
pub(super) const HEADER: usize = 24;
/// A packet that has begun must be whole within this time.
const PACKET_WITHIN: Duration = Duration::from_secs(30);

/// What a packet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Sync,
    Connect,
    Auth,
    Open,
    Okay,
    Close,
    Write,
    Tls,
}

impl Command {
    const ALL: [(Command, [u8; 4]); 8] = [
        (Command::Sync, *b"SYNC"),
        (Command::Connect, *b"CNXN"),
        (Command::Auth, *b"AUTH"),
        (Command::Open, *b"OPEN"),
        (Command::Okay, *b"OKAY"),
        (Command::Close, *b"CLSE"),
        (Command::Write, *b"WRTE"),
        (Command::Tls, *b"STLS"),
    ];

    fn word(self) -> u32 {
        let found = Self::ALL.iter().find(|(command, _)| *command == self);
        found.map_or(0, |(_, name)| u32::from_le_bytes(*name))
    }

    fn from_word(word: u32) -> Option<Command> {
        Self::ALL.iter().find(|(_, name)| u32::from_le_bytes(*name) == word).map(|(command, _)| *command)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) command: Command,
    pub(super) arg0: u32,
    pub(super) arg1: u32,
    pub(super) payload: Bytes,
}

impl Packet {
    pub(super) fn new(command: Command, arg0: u32, arg1: u32, payload: impl Into<Bytes>) -> Self {
        Packet { command, arg0, arg1, payload: payload.into() }
    }

    /// Appends the header, and the payload after it.
    pub(super) fn encode(&self, with_checksum: bool, into: &mut Vec<u8>) {
        let command = self.command.word();
        let length = u32::try_from(self.payload.len()).unwrap_or(u32::MAX);
        let checksum = if with_checksum { checksum(&self.payload) } else { 0 };
        let words = [command, self.arg0, self.arg1, length, checksum, command ^ u32::MAX];
        into.extend(words.into_iter().flat_map(u32::to_le_bytes));
        into.extend_from_slice(&self.payload);
    }

    /// Reads a packet, however long it takes to begin; `None` at the end of the stream.
    ///
    /// # Errors
    /// The stream ends or stalls inside a packet, or the packet is not a valid one.
    pub(super) async fn read(
        stream: &mut (impl AsyncRead + Unpin),
        with_checksum: bool,
    ) -> io::Result<Option<Packet>> {
        let mut header = [0; HEADER];
        if stream.read(&mut header[..1]).await? == 0 {
            return Ok(None);
        }
        let rest = async {
            stream.read_exact(&mut header[1..]).await?;
            let head = Head::decode(&header)?;
            let mut payload = vec![0; head.length];
            stream.read_exact(&mut payload).await?;
            if with_checksum && head.command != Command::Connect && checksum(&payload) != head.checksum {
                return Err(io::ErrorKind::InvalidData.into());
            }
            Ok(Packet::new(head.command, head.arg0, head.arg1, payload))
        };
        tokio::time::timeout(PACKET_WITHIN, rest).await.map_err(|_| io::ErrorKind::TimedOut)?.map(Some)
    }
}

struct Head {
    command: Command,
    arg0: u32,
    arg1: u32,
    length: usize,
    checksum: u32,
}

impl Head {
    fn decode(header: &[u8; HEADER]) -> io::Result<Head> {
        let mut words = header.chunks_exact(4).map(|word| match *word {
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        });
        let mut next = || words.next().unwrap_or_default();
        let [word, arg0, arg1, length, checksum, magic] = [next(), next(), next(), next(), next(), next()];
        let command = Command::from_word(word).filter(|_| magic == word ^ u32::MAX);
        let command = command.ok_or(io::ErrorKind::InvalidData)?;
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::InvalidData)?;
        let most = if command == Command::Connect { MAX_CONNECT_PAYLOAD } else { MAX_PAYLOAD };
        if length > most {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Head { command, arg0, arg1, length, checksum })
    }
}

/// The sum of all bytes.
fn checksum(payload: &[u8]) -> u32 {
    payload.iter().fold(0, |sum: u32, byte| sum.wrapping_add(u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8], with_checksum: bool) -> io::Result<Option<Packet>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let mut bytes = bytes;
        runtime.and_then(|runtime| runtime.block_on(Packet::read(&mut bytes, with_checksum)))
    }

    #[test]
    fn a_packet_comes_back() {
        let packet = Packet::new(Command::Write, 7, 9, &b"payload"[..]);
        for with_checksum in [false, true] {
            let mut bytes = Vec::new();
            packet.encode(with_checksum, &mut bytes);
            assert_eq!(read(&bytes, with_checksum).ok().flatten().as_ref(), Some(&packet));
        }
        let mut bytes = Vec::new();
        packet.encode(false, &mut bytes);
        assert!(read(&bytes, true).is_err(), "a missing checksum is seen");
    }

    #[test]
    fn no_packet() {
        let mut good = Vec::new();
        Packet::new(Command::Open, 1, 0, &b"shell:\0"[..]).encode(false, &mut good);
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            if let Some(old) = bytes.get_mut(at) {
                *old = byte;
            }
            bytes
        };
        assert!(matches!(read(&[], false), Ok(None)));
        for (why, bytes) in [
            ("cut header", good[..10].to_vec()),
            ("cut payload", good[..HEADER + 2].to_vec()),
            ("wrong command", changed(0, b'X')),
            ("wrong magic", changed(20, 0)),
            ("too long", changed(14, 0xff)),
        ] {
            assert!(read(&bytes, false).is_err(), "{why}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = read(&bytes, true);
        }
    }
}
