//! A look at a device that nobody leases: whether a session could work on it.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::is_unreadable;
use super::limits::{Limits, Rest};
use crate::{Hub, Roster};
use droidmux_device::{Device, DeviceError, DeviceErrorKind, Gesture, Key, LeaseNote, LeaseState, Patience};

/// The longest a look may take; a device that needs more is sick.
const WITHIN: Duration = Duration::from_secs(30);

/// How many dumps are tried: the first after a start may come too early.
const DUMPS: u32 = 3;

/// What is known of a device before a look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The limits it was sent to rest for.
    pub(crate) limits: Option<Limits>,
    /// The exact text of a lease of others that had run out when it was first seen, and since when it has not changed.
    pub(crate) stale: Option<(String, Instant)>,
    /// It was fit: the look asks only whether it answers and who has leased it, so that it switches on nobody's screen.
    pub(crate) fit: bool,
}

/// What a look found.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// It answers, its screen is on, it can be dumped. `boot` identifies the current run of its system.
    Fit {
        boot: String,
    },
    /// The system is not up yet.
    Starting,
    /// Nothing can be said of the device: the ADB server does not answer.
    NoServer,
    /// Others have the device, by a lease that is good for this many more seconds.
    Held {
        note: LeaseNote,
        left: u64,
    },
    /// Others had the device; their lease, quoted exactly, ran out.
    Stale {
        note: LeaseNote,
        text: String,
    },
    Resting(Rest),
    /// It keeps the shell from what the lab needs; says what to do.
    Refuses(String),
    /// The screen is locked by a secret.
    Locked(String),
    /// The device is reached by ADB, but does not, or no longer, answer what it is asked.
    Sick(String),
}

/// Looks at a device for the lab of this roster; its log says what was done about an app that hangs.
pub(crate) async fn look(
    device: &dyn Device,
    roster: &Roster,
    known: Known,
    cancel: CancellationToken,
) -> Found {
    let patience = Patience { within: WITHIN, cancel };
    match examine(device, roster, known, &patience).await {
        Ok(found) => found,
        Err(error) if error.kind.is_serverless() => Found::NoServer,
        Err(DeviceError { kind: kind @ DeviceErrorKind::Refused { .. }, .. }) => {
            Found::Refuses(kind.to_string())
        }
        Err(error) => Found::Sick(format!("{}: {}", error.what, error.kind)),
    }
}

async fn examine(
    device: &dyn Device,
    roster: &Roster,
    known: Known,
    patience: &Patience,
) -> Result<Found, DeviceError> {
    let vitals = device.vitals(patience).await?;
    if !vitals.booted {
        return Ok(Found::Starting);
    }
    // This comes first: a dump would disturb whoever is working on it.
    let noted = device.noted(patience).await?;
    match noted.standing(&roster.identity().lab) {
        LeaseState::Free | LeaseState::Own(_) => {}
        LeaseState::Held(note) => {
            let left = note.expires.saturating_sub(noted.clock);
            return Ok(Found::Held { note, left });
        }
        LeaseState::Expired(note) => {
            // How long a stale lease of others must stay unchanged before it counts for nothing.
            let watched = roster.terms().renewal * 2;
            let unchanged = known.stale.filter(|(text, _)| *text == noted.text);
            if unchanged.is_none_or(|(_, since)| since.elapsed() < watched) {
                return Ok(Found::Stale { note, text: noted.text });
            }
        }
    }
    if known.fit {
        return Ok(Found::Fit { boot: vitals.boot });
    }
    if let Some(rest) = known.limits.and_then(|limits| limits.still_broken(&vitals)) {
        return Ok(Found::Resting(rest));
    }
    if vitals.awake == Some(false) || vitals.locked {
        match device.wake(patience).await {
            Err(DeviceError { kind: DeviceErrorKind::NotReady(why), .. }) => return Ok(Found::Locked(why)),
            done => done?,
        }
    }
    dumps(device, roster.hub(), patience).await?;
    Ok(Found::Fit { boot: vitals.boot })
}

/// Dumps the screen and, if that fails, the home screen: otherwise an app that hangs or never rests would keep its
/// device from the session that would end it. Nobody has the device, so nobody misses what was in front.
async fn dumps(device: &dyn Device, hub: &Hub, patience: &Patience) -> Result<(), DeviceError> {
    let failed = match device.layout(DUMPS, patience).await {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    if !is_unreadable(&failed.kind) {
        return Err(failed);
    }
    hub.warn(
        device.serial(),
        &format!("nothing can be read of its screen ({}): left for the home screen", failed.kind),
    );
    device.perform(&Gesture::Key(Key::Home), patience).await?;
    device.layout(DUMPS, patience).await.map(drop)
}
