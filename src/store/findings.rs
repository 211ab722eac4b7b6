//! Findings, and what people say of them and of masks.

use serde::{Deserialize, Serialize};

use super::core::Reserve;
use super::engine::Write;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_record::{Finding, FindingId, FindingState, Mask, MaskEdit, SessionId};

/// A person's word on a finding; kept apart, so that the planner's next version of the finding
/// does not overwrite it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    pub state: FindingState,
    pub note: String,
}

impl Store {
    /// [`Store::put_findings`] for one.
    ///
    /// # Errors
    /// `SpaceLow` when the disk is nearly full; also when the database fails.
    pub fn put_finding(&self, finding: &Finding) -> Result<(), StoreError> {
        self.put_findings(std::slice::from_ref(finding))
    }

    /// Stores or replaces findings, all or none; people's marks on them stay.
    ///
    /// # Errors
    /// `SpaceLow` when the disk is nearly full; also when the database fails.
    pub fn put_findings(&self, findings: &[Finding]) -> Result<(), StoreError> {
        let pack = |finding: &Finding| Write::of(Key::Finding(finding.id.clone()), finding);
        let writes = findings.iter().map(pack).collect::<Result<Vec<_>, StoreError>>()?;
        if writes.is_empty() { Ok(()) } else { self.write(writes, Reserve::Recording) }
    }

    /// A finding with the mark on it.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn finding(&self, id: &FindingId) -> Result<Option<Finding>, StoreError> {
        match self.get(&Key::Finding(id.clone()))? {
            Some(finding) => self.marked(finding).map(Some),
            None => Ok(None),
        }
    }

    /// The findings of one session, or of all, by session and rank, with the marks on them.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn findings(&self, session: Option<SessionId>) -> Result<Vec<Finding>, StoreError> {
        let all = Records::new(self, key::findings(session), |store, key, head| {
            store.marked(store.record(key, head)?).map(Some)
        });
        let mut all = all.collect::<Result<Vec<Finding>, _>>()?;
        all.sort_by_key(|finding| (finding.id.session, finding.rank, finding.id.key));
        Ok(all)
    }

    /// How many findings of a session people marked true.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn marked_true(&self, session: SessionId) -> Result<u64, StoreError> {
        let findings = self.findings(Some(session))?;
        Ok(findings.iter().filter(|finding| finding.state == FindingState::True).count() as u64)
    }

    /// Stores a person's word on a finding.
    ///
    /// # Errors
    /// `Misuse` when there is no such finding; also when the database cannot be written.
    pub fn mark(&self, finding: &FindingId, state: FindingState, note: &str) -> Result<(), StoreError> {
        self.require_finding(finding)?;
        self.put(Key::Mark(finding.clone()), &Mark { state, note: note.to_owned() }, Reserve::Closing)
    }

    /// Stores a person's change to one mask; the last one counts.
    ///
    /// # Errors
    /// `NoSession` when there is none of this number; also when the database cannot be written.
    pub fn edit_mask(&self, session: SessionId, edit: &MaskEdit) -> Result<(), StoreError> {
        self.require(session)?;
        self.put(Key::MaskEdit(session, edit.mask.id()), edit, Reserve::Closing)
    }

    /// Takes a person's change to this mask back; nothing happens when there is none.
    ///
    /// # Errors
    /// `NoSession` when there is none of this number; also when the database cannot be written.
    pub fn forget_mask_edit(&self, session: SessionId, mask: &Mask) -> Result<(), StoreError> {
        self.require(session)?;
        self.write(vec![Write::Remove(Key::MaskEdit(session, mask.id()))], Reserve::Closing)
    }

    /// People's changes to the masks of a session, in the order of the masks.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn mask_edits(&self, session: SessionId) -> Result<Vec<MaskEdit>, StoreError> {
        let edits = Records::new(self, key::mask_edits(session), |store, key, head| {
            store.record::<MaskEdit>(key, head).map(Some)
        });
        let mut edits = edits.collect::<Result<Vec<_>, _>>()?;
        edits.sort_by(|a, b| a.mask.cmp(&b.mask));
        Ok(edits)
    }

    pub(super) fn require_finding(&self, finding: &FindingId) -> Result<(), StoreError> {
        let key = Key::Finding(finding.clone());
        let known = self.inner.core.with(|engine| engine.contains(&key))?;
        let unknown = || StoreError::Misuse(format!("there is no finding {finding} in this store"));
        known.then_some(()).ok_or_else(unknown)
    }

    fn marked(&self, mut finding: Finding) -> Result<Finding, StoreError> {
        if let Some(Mark { state, note }) = self.get(&Key::Mark(finding.id.clone()))? {
            finding.state = state;
            finding.note = note;
        }
        Ok(finding)
    }
}
