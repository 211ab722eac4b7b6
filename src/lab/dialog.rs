//! System dialogs that stand in the way: permissions are allowed, crash dialogs closed; an app that
//! does not respond is given time, and then started again.

use std::sync::atomic::Ordering;

use super::care::rescue::thaw;
use super::episode::{Episode, Interrupted, Look};
use crate::device::{DialogKind, Gesture, SystemDialog, system_dialog};
use crate::record::SignalKind;

/// More dialogs in a row than this are left standing.
const MOST: usize = 4;

/// Times in a row that an app which does not respond is waited for, within a step or from step to
/// step.
const MOST_WAITS: u32 = 2;

/// The title of the system's window behind which the package follows.
const NOT_RESPONDING: &str = "Application Not Responding: ";

/// Answers system dialogs until none is left; says in words what was done.
pub(super) async fn answer_dialogs(
    episode: &Episode<'_>,
    look: &mut Look,
) -> Result<Vec<String>, Interrupted> {
    let mut answered = Vec::new();
    let mut hung = false;
    while answered.len() < MOST {
        let Some(dialog) = system_dialog(&look.layout) else { break };
        let SystemDialog { kind, message, go_on, decline } = dialog;
        let hangs = kind == DialogKind::NotResponding && is_about_app(episode, look);
        hung |= hangs;
        let frozen = hangs && episode.strains.waits.fetch_add(1, Ordering::Relaxed) >= MOST_WAITS;
        let button = if frozen { decline.unwrap_or(go_on) } else { go_on };
        let Some(widget) = look.layout.get(button) else { break };
        let words = format!("{}: {message:?}, pressed {:?}", kind.name(), widget.text());
        let point = widget.bounds().center();
        episode.device.perform(&Gesture::Tap(point), &episode.patience()).await?;
        answered.push(words);
        if frozen {
            answered.push(thaw(episode, &format!("it did not respond {} times", MOST_WAITS + 1)).await?);
            hung = false;
        }
        episode.look_again(look).await?;
    }
    if !hung {
        episode.strains.waits.store(0, Ordering::Relaxed);
    }
    Ok(answered)
}

/// Whether the dialog speaks of the app under test, and not of another one or of the system.
fn is_about_app(episode: &Episode<'_>, look: &Look) -> bool {
    let app = episode.definition.app.as_str();
    let named = look.screen.activity.strip_prefix(NOT_RESPONDING).is_some_and(|named| named == app);
    named || look.signals.iter().any(|signal| signal.kind == SignalKind::Anr && signal.process == app)
}
