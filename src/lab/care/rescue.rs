//! Rescue in the middle of a job: a screen that fell asleep, a keyguard, an app that froze.
//!
//! Nothing here runs while all is well: it is triggered by an observation that shows no app, or by none at all. A
//! screen that a test itself switched off is left alone until the test switches it on. What was done is described in
//! words that go into the observation.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::is_unreadable;
use super::limits::Limits;
use crate::episode::{Episode, Interrupted};
use droidmux_device::{DeviceError, DeviceErrorKind, Foreground, Manner, Observed, Settled, Vitals};
use droidmux_gui::LayoutBuilder;
use droidmux_record::Settling;

/// How often an app is restarted in one job before the job is given up.
const MOST_RESTARTS: u32 = 3;

/// What covers the screen when it sleeps or is locked, on every version.
const COVER: &str = "com.android.systemui";

/// Observes the screen. If that fails or shows the cover of a sleeping phone, does something about it and observes
/// again. The observation comes with words for what was done.
///
/// Waking the device and restarting the app are tried once each: if that does not help at once, the trouble is the
/// device's, not the app's.
pub(crate) async fn observe(
    episode: &Episode<'_>,
    manner: &Manner,
) -> Result<(Observed, Vec<String>), Interrupted> {
    if episode.dark.load(Ordering::Relaxed) {
        return Ok((in_the_dark(episode).await?, Vec::new()));
    }
    let tries = episode.definition.run.dump_tries;
    let mut done = Vec::new();
    let (mut looked, mut restarted) = (false, false);
    loop {
        let seen = episode.device.observe(manner, tries, &episode.patience()).await;
        let covered = match &seen {
            Ok(observed) => is_covered(&observed.foreground),
            Err(error) => is_unreadable(&error.kind),
        };
        if covered && !std::mem::replace(&mut looked, true) {
            let vitals = episode.device.vitals(&episode.patience()).await?;
            if let Some(words) = wake(episode, &vitals).await? {
                done.push(words);
                continue;
            }
            // It must rest: the worker sees to that once the job has failed.
            if Limits::of(&episode.definition.lab).broken(&vitals).is_some() {
                return Ok((seen?, done));
            }
        }
        match seen {
            Err(error) if covered && !restarted => done.push(restart(episode, error).await?),
            seen => return Ok((seen?, done)),
        }
        restarted = true;
    }
}

/// What is seen of a screen that a test switched off: nothing, whatever this device would dump, which may
/// be the lock screen, the app, or an error. The log goes on.
async fn in_the_dark(episode: &Episode<'_>) -> Result<Observed, Interrupted> {
    let signals = episode.device.signals(&episode.patience()).await?;
    let layout = Arc::new(LayoutBuilder::new().finish());
    let settled = Settled { layout, notes: Vec::new(), settling: Settling::Strict, dumps: 0 };
    Ok(Observed { settled, foreground: Foreground::default(), signals, toast: None, hears_toasts: false })
}

/// Kills the app, whose screen could not be read, and starts it again; its data stays.
///
/// # Errors
/// The error that was met, when the app was started again often enough.
async fn restart(episode: &Episode<'_>, error: DeviceError) -> Result<String, Interrupted> {
    if episode.restarts.fetch_add(1, Ordering::Relaxed) >= MOST_RESTARTS {
        return Err(error.into());
    }
    episode.device.restart(&episode.definition.app, &episode.patience()).await?;
    let sign = match error.kind {
        DeviceErrorKind::Answer(said) => said,
        kind => kind.to_string(),
    };
    let words = format!("frozen ({sign}): killed and started again");
    episode.hub.warn(episode.device.serial(), &words);
    Ok(words)
}

/// Wakes and unlocks a device that needs it.
async fn wake(episode: &Episode<'_>, vitals: &Vitals) -> Result<Option<String>, Interrupted> {
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
