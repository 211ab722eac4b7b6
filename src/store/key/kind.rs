//! The kinds of values: the byte that heads every key, and what follows it.

use droidmux_record::{ExampleKind, SessionId, Slot};

pub const COUNTER: u8 = b'c';
pub const SESSION: u8 = b's';
pub const HANDLING: u8 = b'h';
pub const JOB: u8 = b'j';
pub const FINISHED: u8 = b'a';
pub const TURNS: u8 = b't';
pub const STEP: u8 = b'o';
pub const EXCHANGE: u8 = b'd';
pub const JUDGEMENT: u8 = b'v';
pub const FINDING: u8 = b'f';
pub const MARK: u8 = b'm';
pub const MASK_EDIT: u8 = b'k';
pub const SHRUNK: u8 = b'r';
pub const RECHECK: u8 = b'q';
pub const INCIDENT: u8 = b'i';
pub const EXAMPLE: u8 = b'e';
pub const LAYOUT: u8 = b'l';
pub const CHUNK: u8 = b'x';
pub const IMPORT: u8 = b'n';
pub const PICTURE: u8 = b'p';
pub const BOOKMARK: u8 = b'b';

/// The byte for a kind of example; never used for another one.
pub(super) fn kind_number(kind: ExampleKind) -> u8 {
    match kind {
        ExampleKind::Input => 0,
        ExampleKind::Bug => 1,
    }
}

pub(super) fn slotted(kind: u8, id: SessionId, slot: Slot) -> Vec<u8> {
    join(kind, &[&id.0.to_be_bytes(), &slot.0.to_be_bytes()])
}

pub(super) fn join(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![kind];
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}
