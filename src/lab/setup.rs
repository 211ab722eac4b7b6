//! Set-up rules: what the session file asks for after every reset (login, first-run dialogs).

use super::episode::{Episode, Glimpse, Interrupted};
use droidmux_device::{Gesture, Key};
use droidmux_record::{SetupAction, SetupReport, SetupRule};

/// Carries out the rules in order; every rule reports whether it matched.
pub(super) async fn run_setup(
    episode: &Episode<'_>,
    look: &mut Glimpse,
) -> Result<Vec<SetupReport>, Interrupted> {
    let mut reports = Vec::new();
    for (number, rule) in (1..).zip(&episode.definition.setup) {
        reports.push(run_rule(episode, look, number, rule).await?);
    }
    Ok(reports)
}

async fn run_rule(
    episode: &Episode<'_>,
    look: &mut Glimpse,
    number: u32,
    rule: &SetupRule,
) -> Result<SetupReport, Interrupted> {
    let activity = look.screen.activity.clone();
    let found = look
        .layout
        .widgets()
        .find(|widget| !widget.bounds().is_empty() && rule.find.matches(&activity, *widget));
    let Some(widget) = found else {
        let detail = format!("no widget matched on {activity}");
        return Ok(SetupReport { rule: number, matched: rule.optional, detail });
    };
    let point = widget.bounds().center();
    let text = match rule.text_env.as_str() {
        "" => rule.text.clone(),
        name => match std::env::var(name) {
            Ok(text) => text,
            Err(_) => {
                let detail = format!("the environment variable `{name}` is not set where the lab runs");
                return Ok(SetupReport { rule: number, matched: false, detail });
            }
        },
    };
    let gesture = match rule.action {
        SetupAction::Click => Gesture::Tap(point),
        SetupAction::LongClick => Gesture::LongPress(point),
        SetupAction::Edit => Gesture::Type(point, text),
        SetupAction::Back => Gesture::Key(Key::Back),
    };
    episode.device.perform(&gesture, &episode.patience()).await?;
    episode.look_again(look).await?;
    Ok(SetupReport { rule: number, matched: true, detail: format!("done on {activity}") })
}
