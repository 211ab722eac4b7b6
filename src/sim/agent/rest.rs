//! Waiting for the screen: until it moves, and until it rests.
//!
//! After `UiDevice` and `QueryController` of the genuine jar and `UiAutomation` of Android: an update is a change of a
//! window's content that comes after the call; idle is a screen on which nothing has happened for half a second, also
//! before the call. So a screen that has yet to react counts as idle.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::methods::MAX_WAIT_MS;
use super::rpc::Fault;
use crate::SimDevice;

/// A screen that never rests changes with each frame.
const FRAME: Duration = Duration::from_millis(16);

/// Whether the content of a window changes within this many milliseconds: of any, or of this package's, which must be in
/// front at the time of the call.
pub(super) async fn window_update(
    device: &SimDevice,
    package: Option<&str>,
    limit: u32,
) -> Result<Value, Fault> {
    let mut changes = device.screen_changes();
    let called = Instant::now();
    let deadline = called + Duration::from_millis(limit.min(MAX_WAIT_MS).into());
    let in_front = || package.is_none_or(|package| device.phone().focus().package == package);
    if !in_front() {
        return Ok(json!(false));
    }
    if device.phone().is_restless() {
        let comes = called + FRAME <= deadline;
        sleep_until(deadline.min(called + FRAME)).await;
        device.waits(called.elapsed());
        return Ok(json!(comes));
    }
    let mut known = device.phone().screen().events();
    let updated = loop {
        let (events, next) = {
            let phone = device.phone();
            (phone.screen().events(), phone.screen().next())
        };
        if events != known && in_front() {
            break true;
        }
        known = events;
        if Instant::now() >= deadline {
            break false;
        }
        // Whichever comes first; both are looked at again.
        let _ = timeout_at(next.map_or(deadline, |next| next.min(deadline)), changes.changed()).await;
    };
    device.waits(called.elapsed());
    Ok(json!(updated))
}

/// Waits until nothing has happened for a quiet time; gives up silently after this many milliseconds.
pub(super) async fn idle(device: &SimDevice, limit: u32) -> Result<Value, Fault> {
    let quiet = device.latency.idle;
    if !quiet.is_zero() {
        device.rests(quiet, Duration::from_millis(limit.into())).await;
    }
    Ok(Value::Null)
}

/// What `uiautomator dump` waits for, and for how long at most, in reactions of the screen: on a mid-range phone a second
/// without an event, within ten.
const QUIET_REACTIONS: u32 = 4;
const MOST_REACTIONS: u32 = 40;

impl SimDevice {
    /// Waits for rest as `uiautomator dump` does, on a phone that moves. Whether a screen never rests is for the dump
    /// to say.
    pub(crate) async fn idle_for_dump(&self) {
        let reaction = self.latency.reaction;
        if !reaction.is_zero() && !self.phone().is_restless() && !self.has_agent() {
            self.rests(reaction * QUIET_REACTIONS, reaction * MOST_REACTIONS).await;
        }
    }

    /// Ends when nothing has happened on the screen for this long, or after `limit`.
    pub(crate) async fn rests(&self, quiet: Duration, limit: Duration) {
        let mut changes = self.screen_changes();
        let called = Instant::now();
        let deadline = called + limit;
        loop {
            let (rested, next) = {
                let phone = self.phone();
                let screen = phone.screen();
                let rested = if phone.is_restless() { deadline } else { screen.last_event() + quiet };
                (rested.min(deadline), screen.next())
            };
            if Instant::now() >= rested {
                break;
            }
            // Whichever comes first; all are looked at again.
            let _ = timeout_at(next.map_or(rested, |next| next.min(rested)), changes.changed()).await;
        }
        self.waits(called.elapsed());
    }
}
