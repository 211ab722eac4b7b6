//! How long to wait, and when to stop immediately.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::DeviceErrorKind;

/// A limit to a wait: the call ends with an error when `within` has passed or `cancel` is set.
#[derive(Clone, Debug)]
pub struct Patience {
    /// From the beginning of the call.
    pub within: Duration,
    /// Ends the wait at once, with [`DeviceErrorKind::Cancelled`].
    pub cancel: CancellationToken,
}

impl Default for Patience {
    /// A minute, longer than anything a healthy device takes, and nothing cancels it.
    fn default() -> Self {
        Self::of(Duration::from_secs(60))
    }
}

impl Patience {
    /// Patience that nothing cancels.
    pub fn of(within: Duration) -> Self {
        Self { within, cancel: CancellationToken::new() }
    }

    /// Waits for `work`, with this limit on the whole of it. When the limit is reached, `work` is dropped, and with it
    /// the sockets it reads from.
    pub(super) async fn bound<T>(
        &self,
        work: impl Future<Output = Result<T, DeviceErrorKind>>,
    ) -> Result<T, DeviceErrorKind> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(DeviceErrorKind::Cancelled),
            done = work => done,
            () = tokio::time::sleep(self.within) => Err(DeviceErrorKind::TimedOut(self.within)),
        }
    }
}
