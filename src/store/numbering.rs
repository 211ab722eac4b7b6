//! The numbers in the logs of a session: the order in which the turns of all its devices came. There is one log of
//! steps and one of exchanges with language models.
//!
//! In: the places that go with appended turns. Out: what has to be written along with them. The writer's thread assigns
//! the numbers, so that they follow the order of the commits.

use std::collections::BTreeMap;

use super::StoreError;
use super::core::Core;
use super::engine::{Write, decode};
use super::key::{self, Key, Span, TurnsKey};
use droidmux_record::{SessionId, StepPlace};

/// How many entries are read at once when searching for one.
const LOOK_BACK: u16 = 256;

/// Which log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Log {
    Steps,
    Exchanges,
}

/// The entries of one append, still without numbers.
pub(super) struct NewEntries {
    /// The turns they are stored with.
    pub turns: TurnsKey,
    pub places: Vec<(Log, Vec<StepPlace>)>,
}

/// Assigns the numbers of entries; belongs to the writer's thread.
#[derive(Default)]
pub(super) struct Numbering {
    next: BTreeMap<(Log, SessionId), u64>,
    /// The first numbers of entries that are not committed yet.
    waiting: BTreeMap<(TurnsKey, Log), u64>,
}

impl Numbering {
    /// The number of the first of these entries, and what has to be written along with their turns: nothing for a
    /// repeated append, whose entries are already in the logs.
    pub fn number(&mut self, core: &Core, new: &NewEntries) -> Result<(u64, Vec<Write>), StoreError> {
        let mut first = None;
        let mut writes = Vec::new();
        for (log, places) in new.places.iter().filter(|(_, places)| !places.is_empty()) {
            let (number, mut more) = self.number_in(core, *log, new.turns, places)?;
            first.get_or_insert(number);
            writes.append(&mut more);
        }
        Ok((first.unwrap_or(0), writes))
    }

    /// Reports whether what was numbered since the last call has been committed.
    pub fn settle(&mut self, committed: bool) {
        self.waiting.clear();
        if !committed {
            self.next.clear();
        }
    }

    fn number_in(
        &mut self,
        core: &Core,
        log: Log,
        turns: TurnsKey,
        places: &[StepPlace],
    ) -> Result<(u64, Vec<Write>), StoreError> {
        let session = turns.session;
        let next = match self.next.get(&(log, session)) {
            Some(next) => *next,
            None => log.next_number(core, session)?,
        };
        if let Some(first) = self.number_before(core, log, turns, places, next)? {
            return Ok((first, Vec::new()));
        }
        let mut writes = Vec::with_capacity(places.len());
        let mut number = next;
        for place in places {
            let key = log.key(session, number);
            writes.push(Write::of(key, place)?);
            number = number.saturating_add(1);
        }
        self.next.insert((log, session), number);
        self.waiting.insert((turns, log), next);
        Ok((next, writes))
    }

    /// The number these entries got when they were appended before: a commit that failed after it had been written is
    /// repeated.
    fn number_before(
        &self,
        core: &Core,
        log: Log,
        turns: TurnsKey,
        places: &[StepPlace],
        next: u64,
    ) -> Result<Option<u64>, StoreError> {
        if let Some(number) = self.waiting.get(&(turns, log)) {
            return Ok(Some(*number));
        }
        if !core.with(|engine| engine.contains(&Key::Turns(turns)))? {
            return Ok(None);
        }
        let mut end = next;
        while end > 0 {
            let start = end.saturating_sub(LOOK_BACK.into());
            let span = log.numbers(turns.session, start, end);
            let page = core.with(|engine| engine.page(&span, None, LOOK_BACK.into()))?;
            for (key, head) in page.iter().rev() {
                let bytes = core.with(|engine| engine.unpack(key, head))?;
                let place: StepPlace = decode(key, &bytes)?;
                let Some(Key::Step(_, number) | Key::Exchange(_, number)) = Key::parse(key) else { continue };
                if places.first() == Some(&place) {
                    return Ok(Some(number));
                }
            }
            end = start;
        }
        Ok(None)
    }
}

impl Log {
    fn key(self, session: SessionId, number: u64) -> Key {
        match self {
            Self::Steps => Key::Step(session, number),
            Self::Exchanges => Key::Exchange(session, number),
        }
    }

    /// The number of the next entry of a session.
    pub fn next_number(self, core: &Core, session: SessionId) -> Result<u64, StoreError> {
        let all = match self {
            Self::Steps => key::steps(session),
            Self::Exchanges => key::exchanges(session),
        };
        let last = core.with(|engine| engine.last(&all))?;
        Ok(match last.and_then(|(key, _)| Key::parse(&key)) {
            Some(Key::Step(_, number) | Key::Exchange(_, number)) => number.saturating_add(1),
            _ => 0,
        })
    }

    /// The entries from number `from` up to, but not including, `end`.
    pub fn numbers(self, session: SessionId, from: u64, end: u64) -> Span {
        (self.key(session, from).bytes(), self.key(session, end).bytes())
    }
}
