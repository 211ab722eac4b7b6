//! `droidmux lab ls`: the sessions of a lab server.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use color_eyre::eyre::eyre;
use serde_json::json;

use super::way::{LabAddress, view};
use crate::output::{json_line, print};
use crate::runtime::runtime;
use droidmux_proto::greeting::Purpose;
use droidmux_proto::{LabView, SessionState, SessionView};
use droidmux_words::printable;

const WITHIN: Duration = Duration::from_secs(20);

pub(super) fn run(
    to: Option<LabAddress>,
    store: Option<PathBuf>,
    json: bool,
) -> color_eyre::Result<ExitCode> {
    let place = to.unwrap_or(LabAddress::Here);
    let lab = runtime()?.block_on(first_view(&place, store))?;
    let mut text: String = lab.sessions.iter().map(|session| line(session, json)).collect();
    if text.is_empty() && !json {
        text = "no session since the server began\n".into();
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What the lab shows now.
///
/// # Errors
/// When it cannot be reached or does not show anything in time.
pub(crate) async fn first_view(place: &LabAddress, store: Option<PathBuf>) -> color_eyre::Result<LabView> {
    let mut end = view(place, store, Purpose::Ask).await?;
    let changed = tokio::time::timeout(WITHIN, end.view.changed()).await;
    changed.map_err(|_| eyre!("the lab shows nothing"))?.map_err(|_| eyre!("the lab is gone"))?;
    Ok(LabView::clone(&end.view.borrow()))
}

fn line(session: &SessionView, json: bool) -> String {
    let SessionView { id, app, steps, findings, priority, .. } = session;
    let technique = session.technique.name();
    let (state, why) = state(&session.state);
    if json {
        let line = json!({
            "session": id.to_string(),
            "technique": technique,
            "app": app,
            "state": state,
            "why": why,
            "priority": priority,
            "steps": steps,
            "events": session.progress.events,
            "max_events": session.progress.max_events,
            "findings": findings,
            "elapsed_s": session.elapsed_s,
        });
        return json_line(&line);
    }
    let why = if why.is_empty() { String::new() } else { format!(" ({})", printable(&why)) };
    format!(
        "{id:<5} {technique:<9} {:<28} {state}{why}, {} of {} events, {steps} steps, {}\n",
        printable(app),
        session.progress.events,
        session.progress.max_events,
        findings.words(),
    )
}

fn state(state: &SessionState) -> (&'static str, String) {
    match state {
        SessionState::Running => ("running", String::new()),
        SessionState::Paused(why) => ("paused", why.clone()),
        SessionState::Stopping => ("stopping", String::new()),
        SessionState::Done => ("done", String::new()),
        SessionState::Stopped => ("stopped", String::new()),
        SessionState::Failed(why) => ("failed", why.clone()),
    }
}
