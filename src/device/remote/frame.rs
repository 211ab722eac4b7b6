//! Messages on the wire: a head that no version changes, and a part of a body.
//!
//! ```text
//! "DMXN" │ version u16 │ kind u8 │ id 16 bytes │ part u32 │ parts u32 │ bytes      (numbers little-endian)
//! ```
//!
//! In: bytes of a body, or messages as they came. Out: messages that fit into the server's limit, or the body again.
//! Invariants: what is no message is told from what is one of another version; sizes are checked before anything is kept.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;
use rand::RngExt;
use thiserror::Error;

/// The version of bodies. Raised whenever a type in `wire` changes: its test pins every one of them.
pub const VERSION: u16 = 1;
/// The most bytes of a body, as it is sent. A picture of a screen is the longest.
pub const MOST_BODY: usize = 32 << 20;

const MAGIC: &[u8; 4] = b"DMXN";
const HEAD: usize = 31;
/// Room for the subject and what else NATS counts as part of a message.
const MARGIN: usize = 4 << 10;
/// No server takes less in a message.
const LEAST_PART: usize = 4 << 10;

/// Names a request and all that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub [u8; 16]);

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request, for the first time or again.
    Ask,
    /// A reply.
    Answer,
    /// The host has the request and works on it.
    Working,
    /// Nobody waits for the reply any more.
    Cancel,
    /// The host cannot read requests of this version; the body is text.
    Refused,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What its body can be read with.
    pub version: u16,
    /// What it is.
    pub kind: Kind,
    /// The request it belongs to.
    pub id: Id,
    /// From 0.
    pub part: u32,
    /// At least 1.
    pub parts: u32,
    /// This part of the body.
    pub bytes: Bytes,
}

/// Why bytes are of no use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// They do not begin as messages do.
    #[error("no message of droidmux")]
    Foreign,
    /// More than any body may have.
    #[error("a reply of more than {} MB, which is not taken", MOST_BODY >> 20)]
    TooLarge,
    /// Parts of one body that do not belong together.
    #[error("parts of a reply that do not fit together")]
    Mixed,
}

impl Id {
    /// One that nobody else draws.
    pub fn random() -> Self {
        Self(rand::rng().random())
    }

    /// The id in the last token of a subject.
    pub fn of_subject(subject: &str) -> Option<Self> {
        let text = subject.rsplit('.').next()?;
        let number = u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32)?;
        Some(Self(number.to_be_bytes()))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl Message {
    /// A message of this version with a whole body.
    pub fn of(kind: Kind, id: Id, bytes: Bytes) -> Self {
        Self { version: VERSION, kind, id, part: 0, parts: 1, bytes }
    }

    /// Its bytes on the wire.
    pub fn write(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(HEAD + self.bytes.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.push(match self.kind {
            Kind::Ask => 0,
            Kind::Answer => 1,
            Kind::Working => 2,
            Kind::Cancel => 3,
            Kind::Refused => 4,
        });
        bytes.extend_from_slice(&self.id.0);
        bytes.extend_from_slice(&self.part.to_le_bytes());
        bytes.extend_from_slice(&self.parts.to_le_bytes());
        bytes.extend_from_slice(&self.bytes);
        bytes.into()
    }

    /// Reads a message of any version.
    ///
    /// # Errors
    /// [`FrameError::Foreign`] for anything else, [`FrameError::TooLarge`] for a part of too large a body.
    pub fn read(bytes: &Bytes) -> Result<Self, FrameError> {
        let take = |from: usize, to: usize| bytes.get(from..to).ok_or(FrameError::Foreign);
        let number = |from: usize| {
            let four = take(from, from + 4)?;
            <[u8; 4]>::try_from(four).map(u32::from_le_bytes).map_err(|_| FrameError::Foreign)
        };
        if take(0, 4)? != MAGIC {
            return Err(FrameError::Foreign);
        }
        let version = <[u8; 2]>::try_from(take(4, 6)?).map_err(|_| FrameError::Foreign)?;
        let kind = match take(6, 7)? {
            [0] => Kind::Ask,
            [1] => Kind::Answer,
            [2] => Kind::Working,
            [3] => Kind::Cancel,
            [4] => Kind::Refused,
            _ => return Err(FrameError::Foreign),
        };
        let id = Id(<[u8; 16]>::try_from(take(7, 23)?).map_err(|_| FrameError::Foreign)?);
        let (part, parts) = (number(23)?, number(27)?);
        if parts == 0 || part >= parts {
            return Err(FrameError::Foreign);
        }
        if usize::try_from(parts).unwrap_or(usize::MAX).saturating_sub(1) > MOST_BODY / LEAST_PART {
            return Err(FrameError::TooLarge);
        }
        let version = u16::from_le_bytes(version);
        Ok(Self { version, kind, id, part, parts, bytes: bytes.slice(HEAD..) })
    }
}

/// Cuts a body into messages for a server that takes `most` bytes in each.
pub fn cut(kind: Kind, id: Id, body: &Bytes, most: usize) -> Vec<Message> {
    let size = most.saturating_sub(HEAD + MARGIN).max(LEAST_PART);
    let parts = body.len().div_ceil(size).max(1);
    (0..parts)
        .map(|part| {
            let (from, to) = (part * size, ((part + 1) * size).min(body.len()));
            let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            Message {
                version: VERSION,
                kind,
                id,
                part: number(part),
                parts: number(parts),
                bytes: body.slice(from..to),
            }
        })
        .collect()
}

/// The parts of a body that have come.
#[derive(Debug, Default)]
pub struct Parts {
    parts: u32,
    size: usize,
    come: BTreeMap<u32, Bytes>,
}

impl Parts {
    /// Takes in a part; gives the body once it is whole. A part that comes twice counts once.
    ///
    /// # Errors
    /// When the body gets too large, or the part is of another one.
    pub fn take(&mut self, message: Message) -> Result<Option<Bytes>, FrameError> {
        if self.parts != 0 && self.parts != message.parts {
            return Err(FrameError::Mixed);
        }
        self.parts = message.parts;
        if !self.come.contains_key(&message.part) {
            self.size = self.size.saturating_add(message.bytes.len());
            if self.size > MOST_BODY {
                return Err(FrameError::TooLarge);
            }
            self.come.insert(message.part, message.bytes);
        }
        if self.come.len() < usize::try_from(self.parts).unwrap_or(usize::MAX) {
            return Ok(None);
        }
        let mut come = std::mem::take(self).come.into_values();
        let first = come.next().unwrap_or_default();
        if come.len() == 0 {
            return Ok(Some(first));
        }
        let mut whole = first.to_vec();
        come.for_each(|part| whole.extend_from_slice(&part));
        Ok(Some(whole.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_come_back_whatever_the_order_of_their_parts() {
        for (length, most, parts) in [(0, 1 << 20, 1), (5, 1 << 20, 1), (20_000, 0, 5), (3 << 20, 1 << 20, 4)]
        {
            let body: Bytes = (0..length).map(|n: usize| u8::try_from(n % 251).unwrap()).collect();
            let mut messages = cut(Kind::Answer, Id::random(), &body, most);
            assert_eq!(messages.len(), parts, "{length} bytes");
            messages.reverse();
            let doubled = messages.first().cloned().filter(|_| parts > 1);
            let mut come = Parts::default();
            let mut whole = None;
            for message in doubled.into_iter().chain(messages) {
                let written = message.write();
                let read = Message::read(&written).expect("a message");
                assert_eq!(read, message);
                whole = come.take(read).expect("a part");
            }
            assert_eq!(whole, Some(body));
        }
    }

    #[test]
    fn what_is_no_message_is_told() {
        let sound = Message::of(Kind::Ask, Id([7; 16]), Bytes::from_static(b"x")).write();
        let with = |at: usize, byte: u8| {
            let mut bytes = sound.to_vec();
            bytes[at] = byte;
            Bytes::from(bytes)
        };
        let cases = [
            ("nothing", Bytes::new(), Err(FrameError::Foreign)),
            ("a head cut short", sound.slice(..20), Err(FrameError::Foreign)),
            ("another beginning", with(0, b'X'), Err(FrameError::Foreign)),
            ("a later version", with(4, 9), Ok(9)),
            ("no kind", with(6, 77), Err(FrameError::Foreign)),
            ("beyond its last part", with(23, 1), Err(FrameError::Foreign)),
            ("no parts", with(27, 0), Err(FrameError::Foreign)),
            ("too many parts", with(29, 1), Err(FrameError::TooLarge)),
        ];
        for (name, bytes, expected) in cases {
            assert_eq!(Message::read(&bytes).map(|message| message.version), expected, "{name}");
        }
    }

    #[test]
    fn a_body_stays_within_its_limit() {
        let part: Bytes = vec![0; 1 << 20].into();
        let message =
            |n| Message { part: n, parts: 64, ..Message::of(Kind::Answer, Id([0; 16]), part.clone()) };
        let mut come = Parts::default();
        let refused = (0..64).find_map(|n| come.take(message(n)).err());
        assert_eq!(refused, Some(FrameError::TooLarge));
        assert_eq!(come.take(Message { parts: 3, ..message(1) }), Err(FrameError::Mixed));
        let id = Id::random();
        assert_eq!(Id::of_subject(&format!("droidmux.reply.x.{id}")), Some(id));
        assert_eq!(Id::of_subject("droidmux.reply.x.12"), None);
    }
}
