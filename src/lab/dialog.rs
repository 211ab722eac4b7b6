//! System dialogs that stand in the way: permissions are allowed or denied, as the session says, crash dialogs closed.

use super::episode::{Episode, Glimpse, Interrupted};
use droidmux_device::{DialogKind, Gesture, SystemDialog, system_dialog};
use droidmux_record::PermissionAnswer;

/// The most dialogs in a row that are answered; further ones are left standing.
const MOST: usize = 4;

/// Answers system dialogs until none is left; says in words what was answered.
pub(super) async fn answer_dialogs(
    episode: &Episode<'_>,
    look: &mut Glimpse,
) -> Result<Vec<String>, Interrupted> {
    let mut answered = Vec::new();
    while answered.len() < MOST {
        let Some(SystemDialog { kind, message, go_on, decline }) = system_dialog(&look.layout) else { break };
        let denies =
            kind == DialogKind::Permission && episode.definition.permissions == PermissionAnswer::Deny;
        // A dialog without a button to decline is gone through all the same.
        let button = decline.filter(|_| denies).unwrap_or(go_on);
        let Some(widget) = look.layout.get(button) else { break };
        let words = format!("{}: {message:?}, pressed {:?}", kind.name(), widget.text());
        let point = widget.bounds().center();
        episode.device.perform(&Gesture::Tap(point), &episode.patience()).await?;
        answered.push(words);
        episode.look_again(look).await?;
    }
    Ok(answered)
}
