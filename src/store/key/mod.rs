//! Keys: one kind byte, then big-endian numbers, so that byte order is slot and turn order.

pub(super) mod kind;
mod span;

use std::fmt;

use droidmux_gui::LayoutHash;
use droidmux_record::{ExampleId, ExampleKind, FindingId, MaskId, RecheckOracle, SessionId, Slot};
use kind::*;
pub(super) use span::*;

/// A key, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The last session number given out.
    Counter,
    Session(SessionId),
    /// People's instructions for a session that has not ended.
    Handling(SessionId),
    /// An import of this session that has not ended.
    Import(SessionId),
    Job(SessionId, Slot),
    Finished(SessionId, Slot),
    Turns(TurnsKey),
    /// A step of the session's log, by its number there, from 0.
    Step(SessionId, u64),
    /// An entry of the session's log of exchanges, as above.
    Exchange(SessionId, u64),
    /// The screenshot of a layout that the session took last.
    Picture(SessionId, LayoutHash),
    Judgement(SessionId, Slot),
    Finding(FindingId),
    Mark(FindingId),
    MaskEdit(SessionId, MaskId),
    /// The result of shrinking a finding of another session; it belongs to the finding's session.
    Shrunk(FindingId, SessionId),
    Recheck(SessionId, RecheckOracle),
    /// A person's mark on a step of the session's log, by its number there.
    Bookmark(SessionId, u64),
    /// What happened in the lab, by its number.
    Incident(u64),
    /// An example that language models are shown; it belongs to no session.
    Example(ExampleKind, ExampleId),
    Layout(LayoutHash),
    /// Piece `number` (from 1) of the value whose key is `head`.
    Chunk {
        head: Vec<u8>,
        number: u16,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnsKey {
    pub session: SessionId,
    pub slot: Slot,
    pub attempt: u32,
    pub first_turn: u32,
}

impl Key {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Counter => vec![COUNTER],
            Self::Session(id) => join(SESSION, &[&id.0.to_be_bytes()]),
            Self::Handling(id) => join(HANDLING, &[&id.0.to_be_bytes()]),
            Self::Import(id) => join(IMPORT, &[&id.0.to_be_bytes()]),
            Self::Job(id, slot) => slotted(JOB, *id, *slot),
            Self::Finished(id, slot) => slotted(FINISHED, *id, *slot),
            Self::Turns(key) => {
                let mut bytes = slotted(TURNS, key.session, key.slot);
                bytes.extend(key.attempt.to_be_bytes());
                bytes.extend(key.first_turn.to_be_bytes());
                bytes
            }
            Self::Step(id, number) => join(STEP, &[&id.0.to_be_bytes(), &number.to_be_bytes()]),
            Self::Exchange(id, number) => join(EXCHANGE, &[&id.0.to_be_bytes(), &number.to_be_bytes()]),
            Self::Picture(id, layout) => join(PICTURE, &[&id.0.to_be_bytes(), &layout.0]),
            Self::Judgement(id, slot) => slotted(JUDGEMENT, *id, *slot),
            Self::Finding(id) => join(FINDING, &[&id.session.0.to_be_bytes(), &id.key.to_be_bytes()]),
            Self::Mark(id) => join(MARK, &[&id.session.0.to_be_bytes(), &id.key.to_be_bytes()]),
            Self::MaskEdit(id, mask) => join(MASK_EDIT, &[&id.0.to_be_bytes(), &mask.0]),
            Self::Shrunk(id, by) => {
                join(SHRUNK, &[&id.session.0.to_be_bytes(), &id.key.to_be_bytes(), &by.0.to_be_bytes()])
            }
            Self::Recheck(id, oracle) => join(RECHECK, &[&id.0.to_be_bytes(), &[oracle.number()]]),
            Self::Bookmark(id, number) => join(BOOKMARK, &[&id.0.to_be_bytes(), &number.to_be_bytes()]),
            Self::Incident(number) => join(INCIDENT, &[&number.to_be_bytes()]),
            Self::Example(kind, id) => join(EXAMPLE, &[&[kind_number(*kind)], &id.0]),
            Self::Layout(hash) => join(LAYOUT, &[&hash.0]),
            Self::Chunk { head, number } => join(CHUNK, &[head, &number.to_be_bytes()]),
        }
    }

    /// The meaning of a stored key; `None` if it has none.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (&kind, rest) = bytes.split_first()?;
        let mut rest = Rest(rest);
        let key = match kind {
            COUNTER => Self::Counter,
            SESSION => Self::Session(rest.session()?),
            HANDLING => Self::Handling(rest.session()?),
            IMPORT => Self::Import(rest.session()?),
            JOB => Self::Job(rest.session()?, rest.slot()?),
            FINISHED => Self::Finished(rest.session()?, rest.slot()?),
            TURNS => Self::Turns(TurnsKey {
                session: rest.session()?,
                slot: rest.slot()?,
                attempt: rest.u32()?,
                first_turn: rest.u32()?,
            }),
            STEP => Self::Step(rest.session()?, rest.u64()?),
            EXCHANGE => Self::Exchange(rest.session()?, rest.u64()?),
            PICTURE => Self::Picture(rest.session()?, LayoutHash(rest.take()?)),
            JUDGEMENT => Self::Judgement(rest.session()?, rest.slot()?),
            FINDING => Self::Finding(FindingId { session: rest.session()?, key: rest.u32()? }),
            MARK => Self::Mark(FindingId { session: rest.session()?, key: rest.u32()? }),
            MASK_EDIT => Self::MaskEdit(rest.session()?, MaskId(rest.take()?)),
            SHRUNK => {
                let finding = FindingId { session: rest.session()?, key: rest.u32()? };
                Self::Shrunk(finding, rest.session()?)
            }
            RECHECK => {
                let (session, [oracle]) = (rest.session()?, rest.take()?);
                Self::Recheck(session, RecheckOracle::numbered(oracle)?)
            }
            BOOKMARK => Self::Bookmark(rest.session()?, rest.u64()?),
            INCIDENT => Self::Incident(rest.u64()?),
            EXAMPLE => {
                let [kind] = rest.take()?;
                let kind = ExampleKind::ALL.into_iter().find(|known| kind_number(*known) == kind)?;
                Self::Example(kind, ExampleId(rest.take()?))
            }
            LAYOUT => Self::Layout(LayoutHash(rest.take()?)),
            CHUNK => {
                let (head, number) = rest.0.split_last_chunk::<2>()?;
                return Some(Self::Chunk { head: head.to_vec(), number: u16::from_be_bytes(*number) });
            }
            _ => return None,
        };
        rest.0.is_empty().then_some(key)
    }

    /// The session this belongs to; layouts, chunks, incidents, examples, the counter and marks of
    /// imports belong to none.
    pub fn session(&self) -> Option<SessionId> {
        match self {
            Self::Session(id)
            | Self::Handling(id)
            | Self::Job(id, _)
            | Self::Finished(id, _)
            | Self::Step(id, _)
            | Self::Exchange(id, _)
            | Self::Picture(id, _)
            | Self::Judgement(id, _)
            | Self::MaskEdit(id, _)
            | Self::Recheck(id, _)
            | Self::Bookmark(id, _) => Some(*id),
            Self::Turns(key) => Some(key.session),
            Self::Finding(id) | Self::Mark(id) | Self::Shrunk(id, _) => Some(id.session),
            Self::Counter
            | Self::Import(_)
            | Self::Incident(_)
            | Self::Example(..)
            | Self::Layout(_)
            | Self::Chunk { .. } => None,
        }
    }
}

/// A key in words, for errors: `turns of s1 j3, attempt 1, from turn 0`.
pub(super) fn describe(bytes: &[u8]) -> String {
    match Key::parse(bytes) {
        Some(key) => key.to_string(),
        None => {
            let hex: String = bytes.iter().take(40).map(|byte| format!("{byte:02x}")).collect();
            format!("unknown key {hex}")
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counter => f.write_str("the session counter"),
            Self::Session(id) => write!(f, "session {id}"),
            Self::Handling(id) => write!(f, "the handling of {id}"),
            Self::Import(id) => write!(f, "the mark of the import of {id}"),
            Self::Job(id, slot) => write!(f, "job {id} {slot}"),
            Self::Finished(id, slot) => write!(f, "the finished attempt of {id} {slot}"),
            Self::Turns(TurnsKey { session, slot, attempt, first_turn }) => {
                write!(f, "turns of {session} {slot}, attempt {attempt}, from turn {first_turn}")
            }
            Self::Step(id, number) => write!(f, "step {number} of {id}"),
            Self::Exchange(id, number) => write!(f, "exchange {number} of {id}"),
            Self::Picture(id, layout) => write!(f, "the screenshot of layout {layout} in {id}"),
            Self::Judgement(id, slot) => write!(f, "the judgement of {id} {slot}"),
            Self::Finding(id) => write!(f, "finding {id}"),
            Self::Mark(id) => write!(f, "the mark on finding {id}"),
            Self::MaskEdit(id, _) => write!(f, "a mask edit of {id}"),
            Self::Bookmark(id, number) => write!(f, "the bookmark on step {number} of {id}"),
            Self::Shrunk(id, by) => write!(f, "what {by} shrank {id} to"),
            Self::Recheck(id, oracle) => write!(f, "the recheck of {id} by {}", oracle.name()),
            Self::Incident(number) => write!(f, "incident {number}"),
            Self::Example(kind, id) => write!(f, "{} example {id}", kind.name()),
            Self::Layout(hash) => write!(f, "layout {hash}"),
            Self::Chunk { head, number } => write!(f, "piece {number} of {}", describe(head)),
        }
    }
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_be_bytes)
    }

    fn session(&mut self) -> Option<SessionId> {
        self.u32().map(SessionId)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }

    fn slot(&mut self) -> Option<Slot> {
        self.u64().map(Slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_reads_back_and_is_described() {
        let id = SessionId(7);
        let finding = FindingId { session: id, key: 0x1a2b_3c4d };
        let turns = TurnsKey { session: id, slot: Slot(12), attempt: 2, first_turn: 40 };
        let layout = Key::Layout(LayoutHash([3; 16]));
        let cases = [
            (Key::Counter, "the session counter"),
            (Key::Session(id), "session s7"),
            (Key::Handling(id), "the handling of s7"),
            (Key::Import(id), "the mark of the import of s7"),
            (Key::Job(id, Slot(12)), "job s7 j12"),
            (Key::Finished(id, Slot(12)), "the finished attempt of s7 j12"),
            (Key::Turns(turns), "turns of s7 j12, attempt 2, from turn 40"),
            (Key::Step(id, 3), "step 3 of s7"),
            (Key::Exchange(id, 4), "exchange 4 of s7"),
            (
                Key::Picture(id, LayoutHash([3; 16])),
                "the screenshot of layout 03030303030303030303030303030303 in s7",
            ),
            (Key::Judgement(id, Slot(12)), "the judgement of s7 j12"),
            (Key::Finding(finding.clone()), "finding s7-1a2b3c4d"),
            (Key::Mark(finding.clone()), "the mark on finding s7-1a2b3c4d"),
            (Key::Shrunk(finding, SessionId(9)), "what s9 shrank s7-1a2b3c4d to"),
            (Key::Recheck(id, RecheckOracle::Odin), "the recheck of s7 by odin"),
            (Key::MaskEdit(id, MaskId([9; 16])), "a mask edit of s7"),
            (Key::Bookmark(id, 3), "the bookmark on step 3 of s7"),
            (Key::Incident(5), "incident 5"),
            (Key::Example(ExampleKind::Bug, ExampleId([7; 16])), "bug example e07070707"),
            (layout.clone(), "layout 03030303030303030303030303030303"),
            (
                Key::Chunk { head: layout.bytes(), number: 2 },
                "piece 2 of layout 03030303030303030303030303030303",
            ),
        ];
        for (key, words) in cases {
            assert_eq!(Key::parse(&key.bytes()).as_ref(), Some(&key));
            assert_eq!(describe(&key.bytes()), words);
        }
        assert_eq!(describe(&[SESSION, 1]), "unknown key 7301");
        assert_eq!(Key::parse(&[]), None);
    }

    #[test]
    fn byte_order_is_number_order_and_spans_end_with_their_prefix() {
        let key = |slot, attempt, first_turn| {
            Key::Turns(TurnsKey { session: SessionId(1), slot: Slot(slot), attempt, first_turn }).bytes()
        };
        let ordered =
            [key(0, 1, 0), key(0, 1, 255), key(0, 1, 256), key(0, 2, 0), key(255, 1, 0), key(256, 1, 0)];
        assert!(ordered.is_sorted());
        let (from, to) = turns_of_attempt(SessionId(1), Slot(0), 1);
        let inside = ordered.iter().filter(|key| (&from..&to).contains(key)).count();
        assert_eq!(inside, 3);
        let (from, to) = turns_of_job(SessionId(1), Slot(u64::MAX));
        assert!(from < to && key(u64::MAX, u32::MAX, u32::MAX) < to);
    }
}
