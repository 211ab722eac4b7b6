//! Memory for raw pictures: ten megabytes each on a phone, taken again and again.
//!
//! In: a wish to take a picture. Out: a buffer, which comes back when it is dropped. Invariants: at most
//! [`MOST_AT_ONCE`] buffers exist outside at any time, whatever the number of devices; at most [`MOST_IDLE`] wait here,
//! none larger than [`MOST_KEPT`]. A new one has room for the largest picture so far: one that grew as the picture came in
//! would take three times as much on the way.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Raw pictures on their way at once: two are packed while two come in. Four of a phone's fill the cable of a hub.
const MOST_AT_ONCE: usize = 4;
/// Buffers kept for later.
const MOST_IDLE: usize = 2;
/// Larger ones are given back to the system: bytes, enough for a large phone's screen.
const MOST_KEPT: usize = 32 << 20;

/// The buffers of a lab.
#[derive(Debug)]
pub(crate) struct Buffers {
    idle: Mutex<Vec<Vec<u8>>>,
    room: Arc<Semaphore>,
    /// Of the pictures so far, none above [`MOST_KEPT`].
    largest: AtomicUsize,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            idle: Mutex::default(),
            room: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            largest: AtomicUsize::new(0),
        }
    }
}

impl Buffers {
    /// An empty buffer, as soon as there is room for one.
    pub(crate) async fn take(self: &Arc<Self>) -> Buffer {
        // Nobody closes it; without a permit there is merely no limit.
        let permit = Arc::clone(&self.room).acquire_owned().await.ok();
        let bytes = self.idle().pop();
        let bytes = bytes.unwrap_or_else(|| Vec::with_capacity(self.largest.load(Ordering::Relaxed)));
        Buffer { bytes, home: Some((Arc::clone(self), permit)) }
    }

    fn put_back(&self, mut bytes: Vec<u8>) {
        if bytes.len() <= MOST_KEPT {
            self.largest.fetch_max(bytes.len(), Ordering::Relaxed);
        }
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE && (1..=MOST_KEPT).contains(&bytes.capacity()) {
            bytes.clear();
            idle.push(bytes);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes in memory that may be used again.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    home: Option<(Arc<Buffers>, Option<OwnedSemaphorePermit>)>,
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, home: None }
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some((home, _permit)) = self.home.take() {
            home.put_back(std::mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_is_used_again_and_bounded() {
        let buffers = Arc::new(Buffers::default());
        let mut taken = Vec::new();
        for size in [100, 200, 300, MOST_KEPT + 1] {
            let mut buffer = buffers.take().await;
            buffer.extend(vec![7; size]);
            taken.push(buffer);
        }
        assert_eq!(taken.len(), MOST_AT_ONCE);
        assert_eq!(buffers.room.available_permits(), 0);
        taken.drain(3..);
        assert!(buffers.idle().is_empty(), "a huge one is not kept");
        drop(taken);
        assert_eq!(buffers.idle().len(), MOST_IDLE);
        assert_eq!(buffers.room.available_permits(), MOST_AT_ONCE);
        let again = buffers.take().await;
        assert!(again.is_empty() && again.capacity() >= 100);
        let (_second, new) = (buffers.take().await, buffers.take().await);
        assert!(new.is_empty() && new.capacity() >= 300, "room for the largest picture so far");
    }
}
