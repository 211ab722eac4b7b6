//! Appending an episode's turns with the layouts and screenshots they name.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use tokio::sync::oneshot;

use super::core::{Core, Reserve};
use super::engine::Write;
use super::key::{Key, TurnsKey};
use super::numbering::{Log, NewEntries};
use super::writer::{Commit, NewLayout, pack_layout};
use super::{Store, StoreError};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{BlobHash, SessionId, Slot, StepPlace, Turn};

/// Turns of one attempt at a job, with what they refer to. Stored whole or not at all.
#[derive(Clone, Debug)]
pub struct Append {
    /// The session of these turns; it must have been created.
    pub session: SessionId,
    /// The job that was attempted.
    pub slot: Slot,
    /// Counted from 1.
    pub attempt: u32,
    /// The first turn's number in the attempt, from 0; turns are appended without gaps.
    pub first_turn: u32,
    /// In the order they happened, at least one.
    pub turns: Vec<Turn>,
    /// Where the steps among these turns are found: they go to the end of the session's log.
    pub steps: Vec<StepPlace>,
    /// The same for the exchanges with a language model among them.
    pub exchanges: Vec<StepPlace>,
    /// Layouts named by these turns; those stored before may be given again or left out.
    pub layouts: Vec<Arc<Layout>>,
    /// Screenshots named by these turns, packed ([`super::ScreenPacker`]) or as they are.
    pub screenshots: Vec<(BlobHash, Vec<u8>)>,
}

impl Store {
    /// Stores turns and returns when they and everything they name are durable: the number of the first of the steps in
    /// the session's log, or of the exchanges when there are no steps.
    ///
    /// The same append may be made again after an error: it replaces itself. Dropping the future
    /// does not undo it.
    ///
    /// # Errors
    /// `SpaceLow` before anything is written when the disk is nearly full; `DiskFull` when it
    /// filled up meanwhile; `Misuse` when a layout or a screenshot is named that is neither given
    /// nor stored, or a step or exchange that is none of these turns.
    pub async fn append(&self, append: Append) -> Result<u64, StoreError> {
        let closed = |_| StoreError::Closed;
        let place = Arc::clone(&self.inner.appends).acquire_owned().await.map_err(closed)?;
        self.inner.note_waiting();
        let quiet = Arc::clone(&self.inner.cleaning).read_owned().await;
        let (tell, told) = oneshot::channel();
        let inner = Arc::clone(&self.inner);
        let is_light = is_light(&inner.core, &append);
        let send = move || {
            let done: Box<dyn FnOnce(_) + Send> = Box::new(move |result| {
                drop((place, quiet));
                let _ = tell.send(result);
            });
            match prepare(&inner.core, append) {
                Ok(Prepared { writes, layouts, named, entries }) => inner.writer.send(Commit {
                    writes,
                    layouts,
                    named,
                    entries: Some(entries),
                    room: Reserve::Recording,
                    done,
                }),
                Err(error) => done(Err(error)),
            }
        };
        // Compression and the fsyncs of screenshots do not wait for anybody else's; if there are none, handing over to
        // another thread would cost more than the work.
        if is_light {
            send();
        } else {
            tokio::task::spawn_blocking(send);
        }
        told.await.unwrap_or(Err(StoreError::Closed))
    }
}

struct Prepared {
    writes: Vec<Write>,
    layouts: Vec<NewLayout>,
    named: BTreeSet<LayoutHash>,
    entries: NewEntries,
}

fn prepare(core: &Core, append: Append) -> Result<Prepared, StoreError> {
    let Append { session, slot, attempt, first_turn, turns, steps, exchanges, layouts, screenshots } = append;
    let turns_key = TurnsKey { session, slot, attempt, first_turn };
    let key = Key::Turns(turns_key);
    if turns.is_empty() {
        return Err(StoreError::Misuse(format!("{key}: there are none")));
    }
    let is_here = |place: &StepPlace| {
        let ahead = place.turn.checked_sub(first_turn).and_then(|ahead| usize::try_from(ahead).ok());
        (place.slot, place.attempt) == (slot, attempt) && ahead.is_some_and(|ahead| ahead < turns.len())
    };
    if let Some(place) = steps.iter().chain(&exchanges).find(|place| !is_here(place)) {
        let why = format!(
            "{key}: turn {} of {}, attempt {}, is not among them",
            place.turn, place.slot, place.attempt
        );
        return Err(StoreError::Misuse(why));
    }
    let mut writes = vec![Write::of(key.clone(), &turns)?];
    for seen in turns.iter().filter_map(|turn| turn.observation.seen()) {
        if let Some(screenshot) = seen.screenshot {
            writes.push(Write::of(Key::Picture(session, seen.screen.layout), &screenshot)?);
        }
    }
    let pictures: usize = screenshots.iter().map(|(_, content)| content.len()).sum();
    if pictures > 0 {
        // The writer asks for all the others.
        core.room(Reserve::Recording, pictures)?;
    }
    for (hash, content) in &screenshots {
        core.screens.write(*hash, content)?;
    }
    let mut named = BTreeSet::new();
    named.extend(turns.iter().filter_map(|turn| turn.observation.seen()).map(|seen| seen.screen.layout));
    if let Some(hash) = turns.iter().flat_map(Turn::blobs).find(|hash| !core.screens.exists(*hash)) {
        let why = format!("{key}: screenshot {hash} is neither given nor stored");
        return Err(StoreError::Misuse(why));
    }
    let entries =
        NewEntries { turns: turns_key, places: vec![(Log::Steps, steps), (Log::Exchanges, exchanges)] };
    let layouts = layouts.into_iter().map(|layout| new_layout(core, layout)).collect::<Result<_, _>>()?;
    Ok(Prepared { writes, layouts, named, entries })
}

/// True when these turns can be prepared without the disk: no screenshots, and no layouts except recently seen ones.
fn is_light(core: &Core, append: &Append) -> bool {
    append.screenshots.is_empty()
        && append.turns.iter().all(|turn| turn.blobs().next().is_none())
        && append.layouts.iter().all(|layout| is_cached(core, layout.hash()))
}

fn is_cached(core: &Core, hash: LayoutHash) -> bool {
    core.cache.lock().unwrap_or_else(PoisonError::into_inner).get(hash).is_some()
}

fn new_layout(core: &Core, layout: Arc<Layout>) -> Result<NewLayout, StoreError> {
    let hash = layout.hash();
    if is_cached(core, hash) {
        // The layout is probably stored; if not, the writer notices.
        return Ok(NewLayout { hash, layout, packed: None });
    }
    core.cache.lock().unwrap_or_else(PoisonError::into_inner).put(hash, &layout);
    let stored = core.with(|engine| engine.contains(&Key::Layout(hash)))?;
    let packed = if stored { None } else { Some(pack_layout(hash, &layout)?) };
    Ok(NewLayout { hash, layout, packed })
}
