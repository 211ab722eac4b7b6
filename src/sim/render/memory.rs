//! Memory of pictures: eight megabytes that a phone needs with every picture, used again.
//!
//! In: pictures that were sent. Out: their memory. Invariants: at most [`MOST_IDLE`] wait, none larger than
//! [`MOST_KEPT`]; nothing depends on what was in it; at most [`MOST_AT_ONCE`] pictures are drawn and sent at once while
//! their readers read, whatever the number of phones.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// As many as `store` packs at once: more would wait there.
const MOST_AT_ONCE: usize = 2;
/// A reader that does not read holds up the others for this long, and no longer.
const PATIENCE: Duration = Duration::from_millis(500);

const MOST_IDLE: usize = 2;
/// In bytes; a large phone's screen.
const MOST_KEPT: usize = 32 << 20;
/// In bytes; less is not worth keeping.
const LEAST_KEPT: usize = 1 << 20;

static ROOM: Semaphore = Semaphore::const_new(MOST_AT_ONCE);
static IDLE: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// Waits until there is room for one more picture; to be dropped once it is sent. `None` after [`PATIENCE`].
pub(crate) async fn room() -> Option<SemaphorePermit<'static>> {
    timeout(PATIENCE, ROOM.acquire()).await.ok()?.ok()
}

/// Memory for a picture; empty if none waits.
pub(super) fn take() -> Vec<u8> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

/// Keeps the memory of what was sent if a picture fits in.
pub(crate) fn give_back(bytes: Vec<u8>) {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if idle.len() < MOST_IDLE && (LEAST_KEPT..=MOST_KEPT).contains(&bytes.capacity()) {
        idle.push(bytes);
    }
}
