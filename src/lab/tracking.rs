//! Tracking: keeps the roster at what an ADB server lists, through restarts of the server.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Roster;
use droidmux_device::adb::{AdbDevice, DeviceEntry, Server};
use droidmux_device::{Device, DeviceError, Patience};

/// The wait between two attempts to reach a server that went away: the first, and the longest.
const FIRST_RETRY: Duration = Duration::from_millis(250);
const LAST_RETRY: Duration = Duration::from_secs(4);

/// A tracker waits for changes: it ends with its connection or its cancellation, never by time.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Takes in what the server lists.
pub fn take_in(roster: &Roster, server: &Server, entries: &[DeviceEntry]) {
    let listed: Vec<(String, String)> =
        entries.iter().map(|entry| (entry.name.clone(), entry.state.to_string())).collect();
    roster.update(&listed, |name| -> Arc<dyn Device> { Arc::new(AdbDevice::new(server.clone(), name)) });
}

/// Takes in what the server lists now, before it is tracked. Without an answer it raises the alarm, so that the log has
/// it even if the lab begins before anybody reads the log. True if the server answered.
pub async fn look(roster: &Roster, server: &Server, patience: &Patience) -> bool {
    roster.comes_from(server);
    match server.devices(patience).await {
        Ok(entries) => {
            take_in(roster, server, &entries);
            true
        }
        Err(error) => {
            alarm(roster, &error);
            false
        }
    }
}

/// Follows the server's list until cancelled. A server that goes away takes its devices along; when one answers again
/// they are back. If it does not answer at first (`answers`), which was said already, it is waited for.
pub async fn track(roster: Roster, server: Server, answers: bool, cancel: CancellationToken) {
    roster.comes_from(&server);
    let mut retry = FIRST_RETRY;
    let mut away = !answers;
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
            alarm(&roster, &error);
            roster.lose_server();
        }
        tokio::select! {
            () = cancel.cancelled() => {}
            () = tokio::time::sleep(retry) => {}
        }
        retry = (retry * 2).min(LAST_RETRY);
    }
}

fn alarm(roster: &Roster, error: &DeviceError) {
    let words = format!("the ADB server does not answer ({error}); trying again until it does");
    roster.hub().error("adb", &words);
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
