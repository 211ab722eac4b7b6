//! The log of a session's steps: in which order the turns of all its devices came.
//!
//! In: the places that go with appended turns. Out: the same by number, a page at a time. The
//! writer's thread gives out the numbers, so that they follow the order of the commits.

use std::collections::BTreeMap;

use super::core::Core;
use super::engine::{Write, decode};
use super::key::{self, Key, Span, TurnsKey};
use super::value::Packed;
use super::{Records, Store, StoreError};
use crate::record::{SessionId, StepPlace};

/// Entries looked at at once when a step is searched for.
const LOOK_BACK: u64 = 256;

impl Store {
    /// How many steps a session has.
    pub fn step_count(&self, session: SessionId) -> Result<u64, StoreError> {
        next_number(&self.inner.core, session)
    }

    /// The places of a session's steps from number `from` on, at most `limit`, with their numbers.
    pub fn steps(
        &self,
        session: SessionId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<(u64, StepPlace)>, StoreError> {
        let span = numbers(session, from, from.saturating_add(limit.into()));
        Records::new(self, span, |store, key, head| {
            let Some(Key::Step(_, number)) = Key::parse(key) else { return Ok(None) };
            Ok(Some((number, store.record(key, head)?)))
        })
        .collect()
    }
}

/// The steps of one append, still without numbers.
pub(super) struct NewSteps {
    /// The turns they are stored with.
    pub turns: TurnsKey,
    pub places: Vec<StepPlace>,
}

/// Gives out the numbers of steps; belongs to the writer's thread.
#[derive(Default)]
pub(super) struct Numbering {
    next: BTreeMap<SessionId, u64>,
    /// First numbers of what is not committed yet.
    waiting: BTreeMap<TurnsKey, u64>,
}

impl Numbering {
    /// The number of the first of these steps, and what is to be written with their turns: nothing
    /// for an append made again, whose steps are in the log already.
    pub fn number(&mut self, core: &Core, new: &NewSteps) -> Result<(u64, Vec<Write>), StoreError> {
        let session = new.turns.session;
        let next = match self.next.get(&session) {
            Some(next) => *next,
            None => next_number(core, session)?,
        };
        if let Some(first) = self.number_before(core, new, next)? {
            return Ok((first, Vec::new()));
        }
        let mut writes = Vec::with_capacity(new.places.len());
        let mut number = next;
        for place in &new.places {
            let key = Key::Step(session, number);
            let packed = Packed::of(&key.to_string(), place)?;
            writes.push(Write::Put(key, packed));
            number = number.saturating_add(1);
        }
        self.next.insert(session, number);
        self.waiting.insert(new.turns, next);
        Ok((next, writes))
    }

    /// What was numbered since the last call has been committed, or has not.
    pub fn settle(&mut self, committed: bool) {
        self.waiting.clear();
        if !committed {
            self.next.clear();
        }
    }

    /// The number these steps got when they were appended before: a commit that failed after it
    /// was written is made again.
    fn number_before(&self, core: &Core, new: &NewSteps, next: u64) -> Result<Option<u64>, StoreError> {
        let Some(first) = new.places.first() else { return Ok(Some(next)) };
        if let Some(number) = self.waiting.get(&new.turns) {
            return Ok(Some(*number));
        }
        if !core.with(|engine| engine.contains(&Key::Turns(new.turns)))? {
            return Ok(None);
        }
        let mut end = next;
        while end > 0 {
            let start = end.saturating_sub(LOOK_BACK);
            let span = numbers(new.turns.session, start, end);
            let page = core.with(|engine| engine.page(&span, None, LOOK_BACK as usize))?;
            for (key, head) in page.iter().rev() {
                let bytes = core.with(|engine| engine.unpack(key, head))?;
                let place: StepPlace = decode(key, &bytes)?;
                let Some(Key::Step(_, number)) = Key::parse(key) else { continue };
                if place == *first {
                    return Ok(Some(number));
                }
            }
            end = start;
        }
        Ok(None)
    }
}

/// The number of the next step of a session.
fn next_number(core: &Core, session: SessionId) -> Result<u64, StoreError> {
    let last = core.with(|engine| engine.last(&key::steps(session)))?;
    Ok(match last.and_then(|(key, _)| Key::parse(&key)) {
        Some(Key::Step(_, number)) => number.saturating_add(1),
        _ => 0,
    })
}

/// The steps from number `from` up to but without `end`.
fn numbers(session: SessionId, from: u64, end: u64) -> Span {
    (Key::Step(session, from).bytes(), Key::Step(session, end).bytes())
}
