//! A stored session as rechecks read it.

use std::cell::RefCell;

use crate::cli::Usage;
use crate::cli::masks::volatile;
use crate::cli::relations::Relations;
use crate::record::{JobRun, Mask, MaskEdit, Recheck, RecheckOracle, SessionDefinition, SessionId, Slot};
use crate::store::{Store, StoreError};
use crate::technique::recheck::{Recorded, Runs, recheck};

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
        let recorded = Recorded {
            session: self.id,
            definition: &self.definition,
            edits: &self.edits,
            volatile: &self.volatile,
            runs: self,
            layouts: self.store,
        };
        let said = recheck(oracle, &recorded);
        self.broken.take().map_or(Ok(said), Err)
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
