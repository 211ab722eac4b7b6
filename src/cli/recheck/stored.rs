//! A stored session as rechecks read it.

use std::cell::RefCell;

use crate::cli::Usage;
use crate::cli::masks::volatile;
use crate::cli::relations::Relations;
use crate::record::{
    Finding, JobRun, Mask, MaskEdit, Recheck, RecheckOracle, SessionDefinition, SessionId, Slot,
};
use crate::store::{Store, StoreError};
use crate::technique::recheck::{Recorded, Runs, recheck, retiered};

pub(super) struct StoredSession<'s> {
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
    /// # Errors
    /// `Usage` when there is no such session.
    pub(super) fn read(store: &'s Store, id: SessionId, relations: Relations) -> color_eyre::Result<Self> {
        let unknown =
            || Usage(format!("there is no session {id} in this store; `droidmux store stats` lists them"));
        let mut definition = store.session(id)?.ok_or_else(unknown)?.definition;
        relations.choose(&mut definition);
        let masked = definition.replayed().map_or(id, |finding| finding.session);
        let slots = store.runs(id).map(|run| run.map(|run| run.job.slot)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            store,
            id,
            edits: store.mask_edits(masked)?,
            volatile: volatile(store, masked)?,
            definition,
            slots,
            broken: RefCell::new(None),
        })
    }

    /// # Errors
    /// When a job cannot be read.
    pub(super) fn recheck(&self, oracle: RecheckOracle) -> Result<Recheck, StoreError> {
        let said = recheck(oracle, &self.recorded());
        self.broken.take().map_or(Ok(said), Err)
    }
}

impl StoredSession<'_> {
    /// The session's findings as they are stored, and as today's rules see them.
    ///
    /// # Errors
    /// When a finding or a job cannot be read.
    pub(super) fn retiered(&self) -> Result<(Vec<Finding>, Vec<Finding>), StoreError> {
        let stored = self.store.findings(Some(self.id))?;
        let now = retiered(&self.recorded(), stored.clone());
        self.broken.take().map_or(Ok((stored, now)), Err)
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
