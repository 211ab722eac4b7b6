//! Commands of the user that are run when something happens: a message to the phone in the pocket.
//!
//! In: incidents. Out: a shell with what happened in its environment. Texts from apps and devices get there as values
//! of variables, made printable and cut; none of them becomes part of the command.
//!
//! Invariants: each hook runs one command at a time, and neither hook waits for the other; what waits behind a slow
//! command is bounded, and the rest is counted and reported; a command that does not end within a minute is killed with
//! everything it started. When the lab closes, what waits is still run for a few seconds; whatever still runs then is
//! killed with everything it started, and what was left out is reported.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use thiserror::Error;
use tokio::process::Command;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Hub, triage};
use droidmux_record::{Incident, IncidentKind};
use droidmux_store::Store;
use droidmux_words::printable;

/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(60);
/// How long all that waits may take when the lab closes.
const LAST_CALL: Duration = Duration::from_secs(5);
/// Incidents that wait for one hook.
const MOST_WAITING: usize = 256;
/// Bytes of a variable: all of them together with the command must fit what the system can pass on.
const MOST_TEXT: usize = 16 << 10;

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
}

/// Which of the hooks an incident is for.
fn is_trouble(what: &IncidentKind) -> Option<bool> {
    match what {
        IncidentKind::Found(_) => Some(false),
        IncidentKind::Warning(_) | IncidentKind::Error(_) => Some(true),
        IncidentKind::Began | IncidentKind::Came | IncidentKind::Left | IncidentKind::Ended(..) => None,
    }
}

/// What running a hook needs.
#[derive(Clone)]
struct Bench {
    store: Store,
    hub: Arc<Hub>,
    closing: CancellationToken,
}

/// Runs hooks until the lab closes, or is gone.
pub(super) async fn follow(
    hooks: Hooks,
    store: Store,
    hub: Arc<Hub>,
    incidents: Receiver<Incident>,
    closing: CancellationToken,
) {
    let bench = Bench { store, hub, closing };
    let (findings, found) = mpsc::channel(MOST_WAITING);
    let (troubles, trouble) = mpsc::channel(MOST_WAITING);
    tokio::join!(
        sort(incidents, findings, troubles, &bench),
        run_all(hooks.on_finding, found, bench.clone()),
        run_all(hooks.on_trouble, trouble, bench.clone()),
    );
}

/// Hands each incident to its hook, without ever waiting for one.
async fn sort(
    mut incidents: Receiver<Incident>,
    findings: mpsc::Sender<Incident>,
    troubles: mpsc::Sender<Incident>,
    bench: &Bench,
) {
    let mut left_out = 0;
    loop {
        let next = match incidents.try_recv() {
            Err(TryRecvError::Empty) => tokio::select! {
                next = incidents.recv() => next,
                () = bench.closing.cancelled() => Err(RecvError::Closed),
            },
            Err(TryRecvError::Closed) => Err(RecvError::Closed),
            Err(TryRecvError::Lagged(missed)) => Err(RecvError::Lagged(missed)),
            Ok(incident) => Ok(incident),
        };
        let incident = match next {
            Ok(incident) => incident,
            Err(RecvError::Closed) => return,
            Err(RecvError::Lagged(missed)) => {
                bench.hub.info("", &format!("hooks are too slow: {missed} incidents were left out"));
                continue;
            }
        };
        let Some(trouble) = is_trouble(&incident.what) else { continue };
        let hook = if trouble { &troubles } else { &findings };
        // Closed where nobody asked for this hook.
        match hook.try_send(incident) {
            Err(mpsc::error::TrySendError::Full(_)) => left_out += 1,
            _ if left_out > 0 => {
                bench.hub.info("", &format!("hooks are too slow: {left_out} incidents were left out"));
                left_out = 0;
            }
            _ => {}
        }
    }
}

/// Runs one hook for one incident after the other.
async fn run_all(command: Option<String>, mut incidents: mpsc::Receiver<Incident>, bench: Bench) {
    let Some(command) = command else { return };
    let mut deadline = None;
    while let Some(incident) = incidents.recv().await {
        if bench.closing.is_cancelled() {
            let end = *deadline.get_or_insert_with(|| Instant::now() + LAST_CALL);
            if Instant::now() >= end {
                let left_out = incidents.len() + 1;
                let words = format!("the lab closes: the hook `{command}` was not run {left_out} more times");
                return bench.hub.info("", &words);
            }
        }
        let variables = {
            let store = bench.store.clone();
            tokio::task::spawn_blocking(move || variables(&store, &incident)).await
        };
        let Ok(variables) = variables else { continue };
        let ended = tokio::select! {
            ended = run(&command, variables, LIMIT) => ended,
            () = last_call(&bench.closing, deadline) => {
                deadline = Some(Instant::now());
                Err(HookError::Closed)
            }
        };
        if let Err(error) = ended {
            // Not a warning, which would call the hook again.
            bench.hub.info("", &format!("the hook `{command}` failed: {error}"));
        }
    }
}

/// Completes when a closing lab stops waiting.
async fn last_call(closing: &CancellationToken, deadline: Option<Instant>) {
    closing.cancelled().await;
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => tokio::time::sleep(LAST_CALL).await,
    }
}

/// A text from outside as a variable can hold it.
fn told(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().map(|(at, _)| at).take_while(|at| *at <= MOST_TEXT).last() {
        Some(end) if text.len() > MOST_TEXT => format!("{}…", text.get(..end).unwrap_or_default()),
        _ => text.into_owned(),
    }
}

/// What a hook finds in its environment.
fn variables(store: &Store, incident: &Incident) -> Vec<(&'static str, String)> {
    let mut variables = vec![("DROIDMUX_SOURCE", told(&incident.source))];
    match &incident.what {
        IncidentKind::Found(id) => {
            variables.push(("DROIDMUX_EVENT", "finding".into()));
            variables.push(("DROIDMUX_FINDING", id.to_string()));
            // A finding is stored before it is reported.
            if let Ok(Some((finding, _))) = triage::finding(store, id) {
                let confirmed = if finding.confirmation.is_confirmed() { "1" } else { "0" };
                variables.push(("DROIDMUX_APP", told(&finding.app)));
                variables.push(("DROIDMUX_TITLE", told(&finding.verdict.title)));
                variables.push(("DROIDMUX_CONFIRMED", confirmed.into()));
                variables.push(("DROIDMUX_TIER", finding.tier.name().into()));
                variables.push(("DROIDMUX_HARM", finding.verdict.harm.words().into()));
            }
        }
        IncidentKind::Warning(text) | IncidentKind::Error(text) => {
            let level = if matches!(incident.what, IncidentKind::Error(_)) { "error" } else { "warning" };
            variables.push(("DROIDMUX_EVENT", level.into()));
            variables.push(("DROIDMUX_TEXT", told(text)));
        }
        IncidentKind::Began | IncidentKind::Came | IncidentKind::Left | IncidentKind::Ended(..) => {}
    }
    variables
}

/// Why a hook was in vain.
#[derive(Debug, Error)]
enum HookError {
    /// The system runs no shell, or does not tell how it ended.
    #[error(transparent)]
    System(#[from] io::Error),
    #[error("{0}")]
    Status(ExitStatus),
    #[error("it had not ended after {} s", .0.as_secs_f32())]
    TooSlow(Duration),
    #[error("it had not ended when the lab closed")]
    Closed,
}

/// All processes of a command; killed with this, unless the command ended by itself.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Whatever of it has ended already needs no killing.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

async fn run(
    command: &str,
    variables: Vec<(&'static str, String)>,
    limit: Duration,
) -> Result<(), HookError> {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .envs(variables)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let mut group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let ended = tokio::time::timeout(limit, child.wait()).await;
    if ended.is_ok() {
        // What it left running on purpose goes on.
        group.0 = None;
    }
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(HookError::Status(status)),
        Ok(Err(error)) => Err(error.into()),
        Err(_) => Err(HookError::TooSlow(limit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lab;
    use droidmux_store::StoreOptions;

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
        let pid = folder.path().join("pid");
        let command = format!("sleep 1000 & echo $! > {}; wait", pid.display());
        let error = run(&command, Vec::new(), Duration::from_secs(2)).await.expect_err("too slow");
        assert!(error.to_string().contains("not ended after 2 s"), "{error}");
        gone(&pid).await;
        assert!(run("exit 3", Vec::new(), LIMIT).await.expect_err("failed").to_string().contains('3'));
    }

    /// Waits until the process whose number is in this file is gone.
    async fn gone(pid: &std::path::Path) {
        let number = std::fs::read_to_string(pid).expect("its number");
        let stat = format!("/proc/{}/stat", number.trim());
        let runs = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
        let waited = async {
            while runs() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waited).await.expect("it ends");
    }

    /// A lab with these hooks, and its store's folder.
    fn lab(hooks: Hooks) -> (Lab, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("store"), StoreOptions::default()).expect("a store");
        let lab = Lab::new("bench", store);
        lab.follow_hooks(hooks);
        (lab, folder)
    }

    async fn appears(path: &std::path::Path, what: &str) {
        let waited = async {
            while !std::fs::read_to_string(path).is_ok_and(|text| text.contains(what)) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waited).await.expect(what);
    }

    #[tokio::test]
    async fn a_slow_hook_holds_up_no_other() {
        let place = tempfile::tempdir().expect("a folder");
        let (begun, found) = (place.path().join("begun"), place.path().join("found"));
        let (lab, _store) = lab(Hooks {
            on_trouble: Some(format!("echo $$ > {}; sleep 1000", begun.display())),
            on_finding: Some(format!("echo $DROIDMUX_FINDING >> {}", found.display())),
        });
        lab.hub().warn("", "a device is hot");
        appears(&begun, "\n").await;
        lab.hub().happened("s1", IncidentKind::Found("s1-00000001".parse().expect("an id")));
        appears(&found, "s1-00000001").await;
        lab.end_hooks().await;
        gone(&begun).await;
    }

    #[tokio::test]
    async fn what_waits_is_run_when_the_lab_closes() {
        let place = tempfile::tempdir().expect("a folder");
        let said = place.path().join("said");
        let (lab, _store) = lab(Hooks {
            on_finding: None,
            on_trouble: Some(format!("echo $DROIDMUX_TEXT >> {}", said.display())),
        });
        for number in 0..5 {
            lab.hub().warn("", &format!("trouble {number}"));
        }
        lab.end_hooks().await;
        let said = std::fs::read_to_string(&said).expect("written");
        assert_eq!(
            said.lines().collect::<Vec<_>>(),
            ["trouble 0", "trouble 1", "trouble 2", "trouble 3", "trouble 4"]
        );
    }

    #[tokio::test]
    async fn what_runs_when_the_lab_closes_ends_with_all_it_started() {
        let place = tempfile::tempdir().expect("a folder");
        let pid = place.path().join("pid");
        let command = format!("sleep 1000 & echo $! > {}; wait", pid.display());
        let (lab, _store) = lab(Hooks { on_finding: None, on_trouble: Some(command) });
        lab.hub().warn("", "one");
        lab.hub().warn("", "two");
        appears(&pid, "\n").await;
        lab.end_hooks().await;
        gone(&pid).await;
    }

    #[tokio::test]
    async fn hostile_titles_reach_the_hook_as_plain_words() {
        let place = tempfile::tempdir().expect("a folder");
        let said = place.path().join("said");
        let command = format!("printf '%s\\n' \"$DROIDMUX_TEXT\" >> {}", said.display());
        let long = "x".repeat(4 << 20);
        let titles = [
            ("$(touch broken) `id` ; rm -rf / | & > x", "$(touch broken) `id` ; rm -rf / | & > x".to_owned()),
            ("' \" \\ %s %n ${IFS} ~ * ?", "' \" \\ %s %n ${IFS} ~ * ?".to_owned()),
            ("two\nlines\r\n\ttab", "two␊lines␍␊␉tab".to_owned()),
            ("\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}", "␛]0;owned␇\u{fffd}2J\u{fffd}".to_owned()),
            ("nothing\0behind", "nothing␀behind".to_owned()),
            ("-n --help", "-n --help".to_owned()),
            ("", String::new()),
            ("größe 😀 \u{feff}", "größe 😀 \u{fffd}".to_owned()),
            (&long, format!("{}…", "x".repeat(MOST_TEXT))),
        ];
        for (title, expected) in titles {
            let shown: String = title.chars().take(40).collect();
            run(&command, vec![("DROIDMUX_TEXT", told(title))], LIMIT).await.expect(&shown);
            let written = std::fs::read_to_string(&said).expect("written");
            assert_eq!(written, format!("{expected}\n"), "{shown}");
            std::fs::remove_file(&said).expect("removed");
        }
        assert!(!std::path::Path::new("broken").exists());
        // Three bytes a character: cut between characters.
        assert!(told(&"€".repeat(MOST_TEXT)).ends_with("€…"));
    }
}
