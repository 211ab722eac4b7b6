//! A stored session as rechecks read it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use droidmux_record::{
    Finding, JobRun, Mask, MaskEdit, MaskId, Recheck, RecheckOracle, SessionDefinition, SessionId, Slot,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::Masks;
use droidmux_technique::recheck::{Recorded, Runs, masks, recheck, retiered};

/// A session of the store with what rechecks need of it.
pub struct StoredSession<'s> {
    store: &'s Store,
    id: SessionId,
    definition: SessionDefinition,
    edits: Vec<MaskEdit>,
    volatile: Vec<Mask>,
    slots: Vec<Slot>,
    /// What went wrong first while jobs were read.
    broken: RefCell<Option<StoreError>>,
}

impl<'s> StoredSession<'s> {
    /// A session as it is to be judged: `chosen` may change the settings of the oracles. `None` when there is no
    /// such session.
    ///
    /// # Errors
    /// Those of the store.
    pub fn read(
        store: &'s Store,
        id: SessionId,
        chosen: impl FnOnce(&mut SessionDefinition),
    ) -> Result<Option<Self>, StoreError> {
        let Some(record) = store.session(id)? else { return Ok(None) };
        let mut definition = record.definition;
        chosen(&mut definition);
        let masked = definition.replayed().map_or(id, |finding| finding.session);
        let slots = store.runs(id).map(|run| run.map(|run| run.job.slot)).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Self {
            store,
            id,
            edits: store.mask_edits(masked)?,
            volatile: volatile(store, masked)?,
            definition,
            slots,
            broken: RefCell::new(None),
        }))
    }

    /// What an oracle says of it; the time is left at 0.
    ///
    /// # Errors
    /// When a job cannot be read.
    pub fn recheck(&self, oracle: RecheckOracle) -> Result<Recheck, StoreError> {
        let said = recheck(oracle, &self.recorded());
        self.broken.take().map_or(Ok(said), Err)
    }

    /// The session's findings as they are stored, and as today's rules see them.
    ///
    /// # Errors
    /// When a finding or a job cannot be read.
    pub fn retiered(&self) -> Result<(Vec<Finding>, Vec<Finding>), StoreError> {
        let stored = self.store.findings(Some(self.id))?;
        let now = retiered(&self.recorded(), stored.clone());
        self.broken.take().map_or(Ok((stored, now)), Err)
    }

    /// What is left out when its screens are compared: what people say, and what more than one job found to be volatile.
    pub fn masks(&self) -> Masks {
        masks(&self.recorded())
    }

    fn recorded(&self) -> Recorded<'_> {
        Recorded {
            session: self.id,
            definition: &self.definition,
            edits: &self.edits,
            volatile: &self.volatile,
            runs: self,
            layouts: self.store,
        }
    }
}

impl Runs for StoredSession<'_> {
    fn slots(&self) -> Vec<Slot> {
        self.slots.clone()
    }

    fn run(&self, slot: Slot) -> Option<JobRun> {
        match self.store.run(self.id, slot) {
            Ok(run) => run,
            Err(error) => {
                self.broken.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

/// Masks that more than one job of a session found: volatile by themselves, not because of the bug that one job showed.
fn volatile(store: &Store, session: SessionId) -> Result<Vec<Mask>, StoreError> {
    let mut found: BTreeMap<MaskId, (Mask, u64)> = BTreeMap::new();
    for job in store.jobs(session) {
        let Some(judgement) = store.judgement(session, job?.slot)? else { continue };
        for mask in judgement.masks {
            found.entry(mask.id()).or_insert((mask, 0)).1 += 1;
        }
    }
    let mut often: Vec<Mask> =
        found.into_values().filter(|(_, jobs)| *jobs > 1).map(|(mask, _)| mask).collect();
    often.sort();
    Ok(often)
}
