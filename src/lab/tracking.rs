//! Tracking: keeps the roster at what an ADB server lists, through restarts of the server.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Roster;
use crate::device::adb::{AdbDevice, DeviceEntry, Server};
use crate::device::{Device, DeviceError, Patience};

/// Between two attempts to reach a server that went away: at first, and at most.
const FIRST_RETRY: Duration = Duration::from_millis(250);
const LAST_RETRY: Duration = Duration::from_secs(4);

/// A tracker waits for changes: it ends by its connection or the cancellation, never by time.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Takes in what the server lists.
pub fn take_in(roster: &Roster, server: &Server, entries: &[DeviceEntry]) {
    let listed: Vec<(String, String)> =
        entries.iter().map(|entry| (entry.serial.clone(), entry.state.to_string())).collect();
    roster.update(&listed, |serial| -> Arc<dyn Device> { Arc::new(AdbDevice::new(server.clone(), serial)) });
}

/// Follows the server's list until cancelled. A server that goes away takes its devices along; when
/// one answers again they are back.
pub async fn track(roster: Roster, server: Server, cancel: CancellationToken) {
    let mut retry = FIRST_RETRY;
    let mut away = false;
    while !cancel.is_cancelled() {
        let patience = Patience { within: FOR_EVER, cancel: cancel.clone() };
        let mut reached = || {
            if std::mem::take(&mut away) {
                roster.hub().info("adb", "the ADB server answers again");
            }
            retry = FIRST_RETRY;
        };
        let error = follow(&roster, &server, &patience, &mut reached).await;
        if cancel.is_cancelled() {
            return;
        }
        if !std::mem::replace(&mut away, true) {
            roster.hub().error(
                "adb",
                &format!("the ADB server does not answer ({error}); trying again until it does"),
            );
            roster.lose_server();
        }
        tokio::select! {
            () = cancel.cancelled() => {}
            () = tokio::time::sleep(retry) => {}
        }
        retry = (retry * 2).min(LAST_RETRY);
    }
}

/// Takes in one list after the other; ends with what ended it.
async fn follow(
    roster: &Roster,
    server: &Server,
    patience: &Patience,
    reached: &mut impl FnMut(),
) -> DeviceError {
    let mut tracker = match server.track(patience).await {
        Ok(tracker) => tracker,
        Err(error) => return error,
    };
    loop {
        match tracker.next(patience).await {
            Ok(entries) => {
                reached();
                take_in(roster, server, &entries);
            }
            Err(error) => return error,
        }
    }
}
