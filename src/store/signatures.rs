//! Signatures; the bodies follow.
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Append, Finished, StoreError};
use crate::gui::{Layout, LayoutHash};
use crate::record::*;

/// An open store. Clones share it.
#[derive(Clone)]
pub struct Store {}

#[derive(Clone, Debug, Default)]
pub struct StoreOptions {}

/// A person's change to the masks of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaskEdit {
    pub mask: Mask,
    /// False takes a mask away that the oracle found; true adds one.
    pub masked: bool,
}

type Records<T> = Box<dyn Iterator<Item = Result<T, StoreError>> + Send>;

impl Store {
    /// Opens the store in this folder, creating it when it is missing.
    pub fn open(_path: &Path, _options: StoreOptions) -> Result<Self, StoreError> {
        todo!()
    }
    pub fn path(&self) -> PathBuf {
        todo!()
    }
    pub fn create_session(&self, _record: &SessionRecord) -> Result<SessionId, StoreError> {
        todo!()
    }
    pub fn session(&self, _id: SessionId) -> Result<Option<SessionRecord>, StoreError> {
        todo!()
    }
    pub fn sessions(&self) -> Result<Vec<(SessionId, SessionRecord)>, StoreError> {
        todo!()
    }
    pub fn update_session(&self, _id: SessionId, _record: &SessionRecord) -> Result<(), StoreError> {
        todo!()
    }
    pub fn put_job(&self, _session: SessionId, _job: &Job) -> Result<(), StoreError> {
        todo!()
    }
    pub fn job(&self, _session: SessionId, _slot: Slot) -> Result<Option<Job>, StoreError> {
        todo!()
    }
    /// Jobs in slot order.
    pub fn jobs(&self, _session: SessionId) -> Records<Job> {
        todo!()
    }
    /// Returns when the turns and all they name are durable.
    pub async fn append(&self, _append: Append) -> Result<(), StoreError> {
        todo!()
    }
    /// Names the attempt that finished its job; durable on return.
    pub fn finish_job(&self, _session: SessionId, _finished: &Finished) -> Result<(), StoreError> {
        todo!()
    }
    /// The finished run of a job.
    pub fn run(&self, _session: SessionId, _slot: Slot) -> Result<Option<JobRun>, StoreError> {
        todo!()
    }
    /// Finished runs in slot order.
    pub fn runs(&self, _session: SessionId) -> Records<JobRun> {
        todo!()
    }
    /// The attempts of a job that have turns, finished or not.
    pub fn attempts(&self, _session: SessionId, _slot: Slot) -> Result<Vec<u32>, StoreError> {
        todo!()
    }
    pub fn turns(&self, _session: SessionId, _slot: Slot, _attempt: u32) -> Result<Vec<Turn>, StoreError> {
        todo!()
    }
    pub fn put_judgement(
        &self,
        _session: SessionId,
        _slot: Slot,
        _judgement: &Judgement,
    ) -> Result<(), StoreError> {
        todo!()
    }
    pub fn judgement(&self, _session: SessionId, _slot: Slot) -> Result<Option<Judgement>, StoreError> {
        todo!()
    }
    /// Stores or replaces findings; a person's mark on one stays.
    pub fn put_findings(&self, _findings: &[Finding]) -> Result<(), StoreError> {
        todo!()
    }
    pub fn put_finding(&self, finding: &Finding) -> Result<(), StoreError> {
        self.put_findings(std::slice::from_ref(finding))
    }
    pub fn finding(&self, _id: &FindingId) -> Result<Option<Finding>, StoreError> {
        todo!()
    }
    /// Findings of one session or all, by session and rank, marks applied.
    pub fn findings(&self, _session: Option<SessionId>) -> Result<Vec<Finding>, StoreError> {
        todo!()
    }
    /// A person's word on a finding.
    pub fn mark(&self, _finding: &FindingId, _state: FindingState, _note: &str) -> Result<(), StoreError> {
        todo!()
    }
    pub fn edit_mask(&self, _session: SessionId, _edit: &MaskEdit) -> Result<(), StoreError> {
        todo!()
    }
    pub fn mask_edits(&self, _session: SessionId) -> Result<Vec<MaskEdit>, StoreError> {
        todo!()
    }
    pub fn screenshot(&self, _hash: BlobHash) -> Result<Option<Vec<u8>>, StoreError> {
        todo!()
    }
}

impl Layouts for Store {
    fn layout(&self, _hash: LayoutHash) -> Option<Arc<Layout>> {
        todo!()
    }
}
