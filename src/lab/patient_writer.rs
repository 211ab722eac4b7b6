//! Writing when the disk is nearly full: the session waits, says so, and goes on when there is
//! room again.

use std::time::{Duration, Instant};

use super::{Gate, Hub, LabError};
use droidmux_record::SessionId;
use droidmux_store::StoreError;

/// How often a full disk is looked at again.
const AGAIN: Duration = Duration::from_secs(1);

/// Whose writes these are, and how long they may wait.
#[derive(Clone, Copy)]
pub(super) struct PatientWriter<'a> {
    pub(super) hub: &'a Hub,
    pub(super) gate: &'a Gate,
    pub(super) session: SessionId,
    /// In seconds.
    pub(super) patience: u32,
}

impl PatientWriter<'_> {
    /// Repeats a write until there is room for it; `None` when the session stops meanwhile.
    pub(super) async fn write<T, F: Future<Output = Result<T, StoreError>>>(
        self,
        mut write: impl FnMut() -> F,
    ) -> Result<Option<T>, LabError> {
        let began = Instant::now();
        loop {
            let error = match write().await {
                Ok(value) => {
                    self.hub.space(self.session, None);
                    return Ok(Some(value));
                }
                Err(error) if error.is_space() => error,
                Err(error) => return Err(error.into()),
            };
            let waited = began.elapsed().as_secs();
            if waited >= self.patience.into() {
                return Err(LabError::DiskFull { waited, detail: error.to_string() });
            }
            self.hub.space(self.session, Some(&error.to_string()));
            tokio::select! {
                () = self.gate.cancelled().cancelled() => return Ok(None),
                () = tokio::time::sleep(AGAIN) => {}
            }
        }
    }
}
