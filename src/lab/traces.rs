//! Sessions' logs seen through a lens: the steps of one test, or of one device.
//!
//! In: the places of steps, as the store holds them in their order. Out: rows counted among those of a lens, and
//! where something is among them.
//!
//! Invariant: a log only grows, so what was looked through once stays as it was. The few lenses used last are
//! remembered as sequence numbers; the steps themselves stay in the store.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use super::step_view::step_view;
use droidmux_proto::{Lens, Sought, StepView};
use droidmux_record::{Evidence, Job, Outcome, SessionId, Slot, StepPlace};
use droidmux_store::{Store, StoreError};

/// Lenses remembered.
const MOST: NonZeroUsize = NonZeroUsize::new(6).unwrap();
/// Steps looked through at a time.
const LOOKED_THROUGH: u32 = 4_096;
/// Steps looked through for words, each of which is read whole, before the search gives up.
const READ: u64 = 100_000;
/// Steps looked through for the words of a lens at a time: a viewer asks again for the rest.
const HELD: u64 = 20_000;
/// Jobs whose particulars a search keeps.
const JOBS: usize = 256;

/// The lenses used last.
pub(super) struct Traces(Mutex<Lately>);

type Lately = LruCache<(SessionId, Lens), Trace>;

/// What was seen through a lens so far.
struct Trace {
    session: SessionId,
    lens: Lens,
    /// The next step of the log to be looked at.
    next: u64,
    /// The sequence numbers of its steps.
    rows: Vec<u64>,
}

/// A part of what a lens shows.
pub(super) struct Page {
    /// Rows so far.
    pub(super) len: u64,
    /// Steps of the log looked through so far.
    pub(super) looked: u64,
    /// Row, sequence number and place of each step.
    pub(super) rows: Vec<(u64, u64, StepPlace)>,
}

/// What a search came to.
pub(super) struct Found {
    pub(super) row: Option<u64>,
    /// The log is longer than was looked through.
    pub(super) gave_up: bool,
}

impl Default for Traces {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MOST)))
    }
}

impl Traces {
    /// How many rows a lens shows, out of how many steps looked through, and the numbered places of those from `from`
    /// on, each with its row.
    pub(super) fn page(
        &self,
        store: &Store,
        session: SessionId,
        lens: &Lens,
        from: u64,
        limit: u32,
    ) -> Result<Page, StoreError> {
        if *lens == Lens::All {
            let places = store.steps(session, from, limit)?;
            let rows = places.into_iter().map(|(seq, place)| (seq, seq, place)).collect();
            let len = store.step_count(session)?;
            return Ok(Page { len, looked: len, rows });
        }
        self.with(store, session, lens, |trace| {
            let first = usize::try_from(from).unwrap_or(usize::MAX);
            let rows = (from..).zip(trace.rows.iter().skip(first).take(limit as usize));
            let mut page = Vec::new();
            for (row, seq) in rows {
                let place = store.steps(session, *seq, 1)?.into_iter().next();
                page.extend(place.map(|(seq, place)| (row, seq, place)));
            }
            Ok(Page { len: trace.rows.len() as u64, looked: trace.next, rows: page })
        })
    }

    /// The nearest row, from `from` on or backwards from it, that has what is sought.
    pub(super) fn seek(
        &self,
        store: &Store,
        session: SessionId,
        lens: &Lens,
        (from, backwards): (u64, bool),
        sought: &Sought,
    ) -> Result<Found, StoreError> {
        if let Sought::Step(wanted) = sought {
            let row = match lens {
                Lens::All => (*wanted < store.step_count(session)?).then_some(*wanted),
                lens => self.with(store, session, lens, |trace| {
                    let row = trace.rows.partition_point(|seq| seq < wanted);
                    Ok((row < trace.rows.len()).then_some(row as u64))
                })?,
            };
            return Ok(Found { row, gave_up: false });
        }
        let mut search = Search::new(store, session, sought);
        let (mut next, mut read) = (Some(from), 0_u64);
        while let Some(row) = next {
            let first = if backwards { row.saturating_sub(u64::from(PAGE) - 1) } else { row };
            let limit = if backwards { u32::try_from(row - first + 1).unwrap_or(PAGE) } else { PAGE };
            let mut page = self.page(store, session, lens, first, limit)?.rows;
            if backwards {
                page.reverse();
            }
            for (row, seq, place) in &page {
                if search.has(*seq, place)? {
                    return Ok(Found { row: Some(*row), gave_up: false });
                }
            }
            read = read.saturating_add(page.len() as u64);
            if matches!(sought, Sought::Words(_)) && read >= READ {
                return Ok(Found { row: None, gave_up: true });
            }
            next = match backwards {
                true => first.checked_sub(1),
                false => page.last().map(|(row, ..)| row.saturating_add(1)),
            };
        }
        Ok(Found { row: None, gave_up: false })
    }

    /// Does something with what a lens shows, brought up to date.
    fn with<T>(
        &self,
        store: &Store,
        session: SessionId,
        lens: &Lens,
        work: impl FnOnce(&Trace) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let key = (session, lens.clone());
        // Taken out, since looking takes long.
        let known = self.lock().pop(&key);
        let mut trace =
            known.unwrap_or_else(|| Trace { session, lens: lens.clone(), next: 0, rows: Vec::new() });
        trace.look(store)?;
        let done = work(&trace);
        self.lock().put(key, trace);
        done
    }

    fn lock(&self) -> MutexGuard<'_, Lately> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rows that a search looks at together.
const PAGE: u32 = 256;

impl Trace {
    /// Looks at the steps that came since.
    fn look(&mut self, store: &Store) -> Result<(), StoreError> {
        let sought = Sought::Words(self.lens.words().to_owned());
        let words = !self.lens.words().is_empty();
        let mut words = words.then(|| Search { apart: true, ..Search::new(store, self.session, &sought) });
        let mut looked = 0_u64;
        loop {
            let steps = store.steps(self.session, self.next, LOOKED_THROUGH)?;
            let Some((last, _)) = steps.last() else { return Ok(()) };
            self.next = last.saturating_add(1);
            let shown = steps.iter().filter(|(_, place)| shows(&self.lens, place));
            match &mut words {
                None => self.rows.extend(shown.map(|(seq, _)| *seq)),
                Some(search) => {
                    for (seq, place) in shown {
                        if search.has(*seq, place)? {
                            self.rows.push(*seq);
                        }
                    }
                    looked = looked.saturating_add(steps.len() as u64);
                    if looked >= HELD {
                        return Ok(());
                    }
                }
            }
        }
    }
}

fn shows(lens: &Lens, place: &StepPlace) -> bool {
    match lens.base() {
        Lens::Test { slot, test } => (place.slot, place.test) == (*slot, *test),
        Lens::Device(serial) => place.device == *serial,
        Lens::All | Lens::Holding { .. } => true,
    }
}

/// A search through steps, with what it read of their jobs.
struct Search<'a> {
    store: &'a Store,
    session: SessionId,
    sought: &'a Sought,
    /// The words may stand anywhere in a step, not only one after the other.
    apart: bool,
    jobs: BTreeMap<Slot, Option<Job>>,
    /// The turns that the evidence of violations names.
    violated: BTreeMap<Slot, BTreeSet<u32>>,
}

impl<'a> Search<'a> {
    fn new(store: &'a Store, session: SessionId, sought: &'a Sought) -> Self {
        Self { store, session, sought, apart: false, jobs: BTreeMap::new(), violated: BTreeMap::new() }
    }

    fn has(&mut self, seq: u64, place: &StepPlace) -> Result<bool, StoreError> {
        match self.sought {
            Sought::Step(wanted) => Ok(seq == *wanted),
            Sought::Violation => Ok(self.violated(place.slot)?.contains(&place.turn)),
            Sought::Inserted => {
                let job = self.job(place.slot)?;
                Ok(job.is_some_and(|job| super::step_view::is_inserted(job, place)))
            }
            Sought::Words(words) => {
                let words = words.to_lowercase();
                let turn = self.store.turn(self.session, place.slot, place.attempt, place.turn)?;
                let job = self.job(place.slot)?;
                let step = job.zip(turn).and_then(|(job, turn)| step_view(job, seq, place, &turn, None));
                let text = step.map(|step| text_of(&step).to_lowercase());
                let holds = |text: String| match self.apart {
                    true => words.split_whitespace().all(|word| text.contains(word)),
                    false => text.contains(&words),
                };
                Ok(text.is_some_and(holds))
            }
        }
    }

    fn job(&mut self, slot: Slot) -> Result<Option<&Job>, StoreError> {
        if !self.jobs.contains_key(&slot) {
            if self.jobs.len() >= JOBS {
                self.jobs.clear();
            }
            self.jobs.insert(slot, self.store.job(self.session, slot)?);
        }
        Ok(self.jobs.get(&slot).and_then(Option::as_ref))
    }

    fn violated(&mut self, slot: Slot) -> Result<&BTreeSet<u32>, StoreError> {
        if !self.violated.contains_key(&slot) && self.violated.len() >= JOBS {
            self.violated.clear();
        }
        if !self.violated.contains_key(&slot) {
            let turns = violated_turns(self.store, self.session, slot)?;
            self.violated.insert(slot, turns);
        }
        Ok(self.violated.entry(slot).or_default())
    }
}

/// The turns of a job at which its violations show.
fn violated_turns(store: &Store, session: SessionId, slot: Slot) -> Result<BTreeSet<u32>, StoreError> {
    let Some(judgement) = store.judgement(session, slot)? else { return Ok(BTreeSet::new()) };
    let violations = judgement.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violation);
    let violations: Vec<_> = violations.collect();
    // Only effects have to be looked up in the run.
    let needs_run = violations.iter().any(|verdict| matches!(verdict.evidence, Evidence::Effects(_)));
    let run = if needs_run { store.run(session, slot)? } else { None };
    let places = violations.iter().filter_map(|verdict| match &run {
        Some(run) => run.places(verdict).into_iter().next(),
        None => verdict.places().into_iter().next(),
    });
    Ok(places.filter(|place| place.slot == slot).map(|place| place.turn).collect())
}

/// What words are looked for in.
fn text_of(step: &StepView) -> String {
    let StepView { slot, test, device, work, event, receiver, outcome, activity, signals, toast, .. } = step;
    let (signals, toast) = (signals.join(" "), toast.as_deref().unwrap_or_default());
    format!("{slot}/{test} {device} {work} {event} {receiver} {outcome} {activity} {signals} {toast}")
}
