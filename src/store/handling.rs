//! How people want sessions handled: kept beside the sessions' records, and only for those that have not ended.

use super::core::Reserve;
use super::engine::Write;
use super::key::Key;
use super::{Store, StoreError};
use droidmux_record::{Handling, SessionId};

impl Store {
    /// People's instructions for a session; the default when there are none.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn handling(&self, id: SessionId) -> Result<Handling, StoreError> {
        Ok(self.get(&Key::Handling(id))?.unwrap_or_default())
    }

    /// Replaces people's instructions for a session that has not ended; possible on a nearly full disk.
    ///
    /// # Errors
    /// `NoSession` when no session has this number.
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
