//! Commands of the user that are run when something happens: a message to the phone in the pocket.
//!
//! In: incidents. Out: a shell with what happened in its environment. Texts of apps and devices get
//! there as values of variables, made printable; nothing of them becomes part of the command.
//!
//! Invariants: one command at a time; what a slow command keeps waiting is bounded, the rest is
//! counted and told; a command that does not end in a minute is killed with all it started.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::Hub;
use crate::gui::printable;
use crate::record::{Incident, IncidentKind};
use crate::store::Store;

/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What to run, as lines for `sh -c`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// When a finding is new, and when its confirmation changes.
    pub on_finding: Option<String>,
    /// On every warning and error of the lab's log.
    pub on_trouble: Option<String>,
}

impl Hooks {
    /// True when there is no command to run.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn command(&self, what: &IncidentKind) -> Option<&str> {
        match what {
            IncidentKind::Found(_) => self.on_finding.as_deref(),
            IncidentKind::Warning(_) | IncidentKind::Error(_) => self.on_trouble.as_deref(),
            IncidentKind::Began | IncidentKind::Came | IncidentKind::Left | IncidentKind::Ended(..) => None,
        }
    }
}

/// Runs hooks until the lab is gone.
pub(super) async fn follow(
    hooks: Hooks,
    store: Store,
    hub: std::sync::Arc<Hub>,
    mut incidents: Receiver<Incident>,
) {
    loop {
        let incident = match incidents.recv().await {
            Ok(incident) => incident,
            Err(RecvError::Closed) => return,
            Err(RecvError::Lagged(missed)) => {
                hub.info("", &format!("hooks are too slow: {missed} incidents were left out"));
                continue;
            }
        };
        let Some(command) = hooks.command(&incident.what) else { continue };
        let variables = {
            let store = store.clone();
            tokio::task::spawn_blocking(move || variables(&store, &incident)).await
        };
        let Ok(variables) = variables else { continue };
        if let Err(why) = run(command, variables, LIMIT).await {
            // Not a warning, which would call the hook again.
            hub.info("", &format!("the hook `{command}` failed: {why}"));
        }
    }
}

/// What a hook finds in its environment.
fn variables(store: &Store, incident: &Incident) -> Vec<(&'static str, String)> {
    let mut variables = vec![("DROIDMUX_SOURCE", printable(&incident.source).into_owned())];
    match &incident.what {
        IncidentKind::Found(id) => {
            variables.push(("DROIDMUX_EVENT", "finding".into()));
            variables.push(("DROIDMUX_FINDING", id.to_string()));
            // It is stored before it is told.
            if let Ok(Some(finding)) = store.finding(id) {
                let confirmed = if finding.confirmation.is_confirmed() { "1" } else { "0" };
                variables.push(("DROIDMUX_APP", printable(&finding.app).into_owned()));
                variables.push(("DROIDMUX_TITLE", printable(&finding.verdict.title).into_owned()));
                variables.push(("DROIDMUX_CONFIRMED", confirmed.into()));
            }
        }
        IncidentKind::Warning(text) | IncidentKind::Error(text) => {
            let level = if matches!(incident.what, IncidentKind::Error(_)) { "error" } else { "warning" };
            variables.push(("DROIDMUX_EVENT", level.into()));
            variables.push(("DROIDMUX_TEXT", printable(text).into_owned()));
        }
        IncidentKind::Began | IncidentKind::Came | IncidentKind::Left | IncidentKind::Ended(..) => {}
    }
    variables
}

async fn run(command: &str, variables: Vec<(&'static str, String)>, limit: Duration) -> Result<(), String> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .envs(variables)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| error.to_string())?;
    let group = child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?));
    match tokio::time::timeout(limit, child.wait()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(status.to_string()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => {
            if let Some(group) = group {
                // Whatever of it has ended already needs no killing.
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            Err(format!("it had not ended after {} s", limit.as_secs_f32()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn texts_are_values_and_never_commands() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = folder.path().join("told");
        let command = format!("printf '%s' \"$DROIDMUX_TEXT\" > {}", told.display());
        let hostile = "$(touch broken); `id` '\"";
        run(&command, vec![("DROIDMUX_TEXT", hostile.into())], LIMIT).await.expect("it ran");
        assert_eq!(std::fs::read_to_string(&told).expect("written"), hostile);
    }

    #[tokio::test]
    async fn what_does_not_end_is_killed_with_all_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let alive = folder.path().join("alive");
        let command = format!("(sleep 2; touch {}) & wait", alive.display());
        let why = run(&command, Vec::new(), Duration::from_millis(200)).await.expect_err("too slow");
        assert!(why.contains("not ended after 0.2 s"), "{why}");
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        assert!(!alive.exists());
        assert!(run("exit 3", Vec::new(), LIMIT).await.expect_err("failed").contains('3'));
    }
}
