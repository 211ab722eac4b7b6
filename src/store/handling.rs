//! How people want sessions handled: beside the sessions' records, of those only that have not ended.

use super::core::Reserve;
use super::engine::Write;
use super::key::Key;
use super::{Store, StoreError};
use crate::record::{Handling, SessionId};

impl Store {
    /// What people said of a session; the default when nobody said anything.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn handling(&self, id: SessionId) -> Result<Handling, StoreError> {
        Ok(self.get(&Key::Handling(id))?.unwrap_or_default())
    }

    /// Replaces what people said of a session that has not ended; possible on a nearly full disk.
    ///
    /// # Errors
    /// `NoSession` when there is none of this number.
    pub fn put_handling(&self, id: SessionId, handling: Handling) -> Result<(), StoreError> {
        self.require(id)?;
        let key = Key::Handling(id);
        let write = match handling == Handling::default() {
            true => Write::Remove(key),
            false => Write::of(key, &handling)?,
        };
        self.write(vec![write], Reserve::Closing)
    }
}
