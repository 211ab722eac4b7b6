//! How people want sessions handled: written down whenever that changes and until they end, so that
//! pauses and priorities outlive the lab.

use std::sync::PoisonError;

use super::Lab;
use droidmux_record::{SessionId, SessionRecord};
use droidmux_store::StoreError;

impl Lab {
    /// Writes down how a session is to be handled from now on, unless it is ending. Must be called off the async
    /// workers, after the change.
    ///
    /// # Errors
    /// When the store cannot take it: then the change holds, but only as long as this lab does.
    pub(super) fn keep_handling(&self, session: SessionId) -> Result<(), StoreError> {
        // What is written last is what holds, whatever comes in between.
        let _one_at_a_time = self.handling.lock().unwrap_or_else(PoisonError::into_inner);
        match self.hub.handling(session) {
            Some(handling) => self.store.put_handling(session, handling),
            None => Ok(()),
        }
    }

    /// Writes down the end of a session whose gate is stopped, and with it removes what people said of it.
    pub(super) fn keep_end(&self, session: SessionId, record: &SessionRecord) -> Result<(), StoreError> {
        let _one_at_a_time = self.handling.lock().unwrap_or_else(PoisonError::into_inner);
        self.store.update_session(session, record)
    }
}
