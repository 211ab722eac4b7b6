//! Tracking: keeps the roster at what an ADB server lists, through restarts of the server.
//!
//! A server that is one of several (it was named) is told of through a [`HostDoor`], and asked for a sign of life every few
//! seconds: a network that was cut closes nothing.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{HostDoor, Roster};
use droidmux_device::adb::{AdbDevice, DeviceEntry, Server};
use droidmux_device::{Device, DeviceError, DeviceErrorKind, Patience};

/// The wait between two attempts to reach a server that went away: the first, and the longest.
const FIRST_RETRY: Duration = Duration::from_millis(250);
const LAST_RETRY: Duration = Duration::from_secs(4);
/// How often a host is asked for a sign of life, and how long it may take.
const SIGN_EVERY: Duration = Duration::from_secs(5);
const SIGN_WITHIN: Duration = Duration::from_secs(10);

/// A tracker waits for changes: it ends with its connection or its cancellation, never by time.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Takes in what the server lists.
pub fn take_in(roster: &Roster, server: &Server, entries: &[DeviceEntry]) {
    let listed: Vec<(String, String)> =
        entries.iter().map(|entry| (entry.name.clone(), entry.state.to_string())).collect();
    let connect = |name: &str| -> Arc<dyn Device> { Arc::new(AdbDevice::new(server.clone(), name)) };
    match door(roster, server) {
        Some(door) => {
            door.seen(Duration::ZERO);
            door.lists(&listed, connect);
        }
        None => roster.update(&listed, connect),
    }
}

/// Takes in what the server lists now, before it is tracked. Without an answer it raises the alarm, so that the log has
/// it even if the lab begins before anybody reads the log.
///
/// # Errors
/// When the server does not answer.
pub async fn look(roster: &Roster, server: &Server, patience: &Patience) -> Result<(), DeviceError> {
    roster.comes_from(server);
    match server.devices(patience).await {
        Ok(entries) => {
            take_in(roster, server, &entries);
            Ok(())
        }
        Err(error) => {
            alarm(roster, server, &error);
            Err(error)
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
            if std::mem::take(&mut away) && server.host().is_none() {
                roster.hub().info("adb", "the ADB server answers again");
            }
            retry = FIRST_RETRY;
        };
        let error = follow(&roster, &server, &patience, &mut reached).await;
        if cancel.is_cancelled() {
            return;
        }
        if !std::mem::replace(&mut away, true) || server.host().is_some() {
            alarm(&roster, &server, &error);
        }
        tokio::select! {
            () = cancel.cancelled() => {}
            () = tokio::time::sleep(retry) => {}
        }
        retry = (retry * 2).min(LAST_RETRY);
    }
}

/// Says once that a server does not answer, and takes its devices away.
fn alarm(roster: &Roster, server: &Server, error: &DeviceError) {
    match door(roster, server) {
        Some(door) => door.is_away(&why(error)),
        None => {
            let words = format!("the ADB server does not answer ({error}); trying again until it does");
            roster.hub().error("adb", &words);
            roster.lose_host(None);
        }
    }
}

/// Why a host is away; its name is told beside it.
fn why(error: &DeviceError) -> String {
    match &error.kind {
        DeviceErrorKind::Unreachable { why, .. } => why.to_string(),
        kind => kind.to_string(),
    }
}

/// The door for a server that is one of several.
fn door(roster: &Roster, server: &Server) -> Option<HostDoor> {
    let via = server.address();
    let via = if via.contains("://") { via.to_owned() } else { format!("ADB {via}") };
    server.host().map(|host| HostDoor::open(roster, host, &via))
}

/// Takes in one list after the other; ends with what ended it.
async fn follow(
    roster: &Roster,
    server: &Server,
    patience: &Patience,
    reached: &mut impl FnMut(),
) -> DeviceError {
    let opening = match server.host() {
        // A host that takes connections and says nothing is away.
        Some(_) => Patience { within: SIGN_WITHIN, cancel: patience.cancel.clone() },
        None => patience.clone(),
    };
    let mut tracker = match server.track(&opening).await {
        Ok(tracker) => tracker,
        Err(error) => return error,
    };
    let signs = signs_of_life(roster, server, &patience.cancel);
    tokio::pin!(signs);
    loop {
        let listed = tokio::select! {
            listed = tracker.next(patience) => listed,
            error = &mut signs => Err(error),
        };
        match listed {
            Ok(entries) => {
                reached();
                take_in(roster, server, &entries);
            }
            Err(error) => return error,
        }
    }
}

/// Ends when the host no longer gives any.
async fn signs_of_life(roster: &Roster, server: &Server, cancel: &CancellationToken) -> DeviceError {
    let Some(door) = door(roster, server) else { return pending().await };
    loop {
        tokio::time::sleep_until(Instant::now() + SIGN_EVERY).await;
        let patience = Patience { within: SIGN_WITHIN, cancel: cancel.clone() };
        match server.version(&patience).await {
            Ok(_) => door.seen(Duration::ZERO),
            Err(error) => return error,
        }
    }
}
