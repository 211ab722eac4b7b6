//! Rescue in the middle of a job: a screen that fell asleep, a keyguard, an app that froze.
//!
//! Nothing here runs while all is well: what sets it off is an observation that shows no app, or
//! none at all. What was done is told in words that go into the observation.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::device::{DeviceError, DeviceErrorKind, Foreground, Observed};
use crate::lab::episode::{Episode, Interrupted};

/// What an episode went through so far.
#[derive(Debug, Default)]
pub(in crate::lab) struct Strains {
    /// Times the app was started again because nothing could be read.
    restarts: AtomicU32,
    /// Times in a row that the system was told to wait for the app.
    pub(in crate::lab) waits: AtomicU32,
}

/// An app is started again so often in one job; then the job is given up.
const MOST_RESTARTS: u32 = 3;

/// What covers the screen when it sleeps or is locked, on every version.
const COVER: &str = "com.android.systemui";

/// Observes the screen and, where that fails or shows the cover of a sleeping phone, does something
/// about it and observes again. With the observation come words for what was done.
pub(in crate::lab) async fn observe(episode: &Episode<'_>) -> Result<(Observed, Vec<String>), Interrupted> {
    let mut done = Vec::new();
    loop {
        let tries = episode.definition.run.dump_tries;
        match episode.device.observe(tries, &episode.patience()).await {
            Ok(observed) if is_covered(&observed.foreground) && done.is_empty() => {
                match wake(episode).await? {
                    Some(words) => done.push(words),
                    None => return Ok((observed, done)),
                }
            }
            Ok(observed) => return Ok((observed, done)),
            Err(error) if !is_unreadable(&error.kind) => return Err(error.into()),
            Err(error) => match wake(episode).await? {
                Some(words) if done.is_empty() => done.push(words),
                _ => done.push(restart(episode, error).await?),
            },
        }
    }
}

/// Starts the app again, because nothing could be read of its screen.
///
/// # Errors
/// The error that says so, when that was tried often enough.
async fn restart(episode: &Episode<'_>, error: DeviceError) -> Result<String, Interrupted> {
    if episode.strains.restarts.fetch_add(1, Ordering::Relaxed) >= MOST_RESTARTS {
        return Err(error.into());
    }
    thaw(episode, &error.kind.to_string()).await
}

/// Kills the frozen app and starts it again; its data stays.
pub(in crate::lab) async fn thaw(episode: &Episode<'_>, sign: &str) -> Result<String, Interrupted> {
    episode.device.restart(&episode.definition.app, &episode.patience()).await?;
    let words = format!("frozen ({sign}): killed and started again");
    episode.hub.warn(episode.device.serial(), &words);
    Ok(words)
}

/// Wakes and unlocks a device that needs it.
async fn wake(episode: &Episode<'_>) -> Result<Option<String>, Interrupted> {
    let vitals = episode.device.vitals(&episode.patience()).await?;
    let words = match (vitals.awake, vitals.locked) {
        (_, true) => "keyguard dismissed",
        (Some(false), false) => "screen woken",
        _ => return Ok(None),
    };
    episode.device.wake(&episode.patience()).await?;
    episode.hub.info(episode.device.serial(), words);
    Ok(Some(words.to_owned()))
}

fn is_covered(front: &Foreground) -> bool {
    front.package.is_empty() || front.package == COVER
}

/// The device answered, or hung, but gave no layout.
fn is_unreadable(kind: &DeviceErrorKind) -> bool {
    matches!(kind, DeviceErrorKind::Answer(_) | DeviceErrorKind::TimedOut(_))
}
