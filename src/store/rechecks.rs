//! What was learnt about findings later: shorter recipes, and the verdicts of other oracles.

use super::core::Reserve;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_record::{FindingId, Recheck, SessionId, Shrunk};

impl Store {
    /// Stores the result of shrinking a finding in a session; the finding itself stays as it is.
    ///
    /// # Errors
    /// `Misuse` when the finding does not exist.
    pub fn put_shrunk(&self, shrunk: &Shrunk) -> Result<(), StoreError> {
        self.require_finding(&shrunk.finding)?;
        self.put(Key::Shrunk(shrunk.finding.clone(), shrunk.session), shrunk, Reserve::Recording)
    }

    /// The best result of shrinking a finding.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn shrunk(&self, finding: &FindingId) -> Result<Option<Shrunk>, StoreError> {
        let all = Records::new(self, key::shrunk(finding), |store, key, head| {
            store.record::<Shrunk>(key, head).map(Some)
        });
        let all = all.collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().min_by_key(Shrunk::merit))
    }

    /// Stores what an oracle says about a session, replacing what it said before.
    ///
    /// # Errors
    /// `NoSession` when no session has this number; also when the database cannot be written.
    pub fn put_recheck(&self, session: SessionId, recheck: &Recheck) -> Result<(), StoreError> {
        self.require(session)?;
        self.put(Key::Recheck(session, recheck.oracle), recheck, Reserve::Closing)
    }

    /// What oracles said about a session later.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn rechecks(&self, session: SessionId) -> Result<Vec<Recheck>, StoreError> {
        let all = Records::new(self, key::rechecks(session), |store, key, head| {
            store.record::<Recheck>(key, head).map(Some)
        });
        all.collect()
    }
}
