//! `droidmux demo`: a simulated lab of four devices, with one session on each, covering three techniques and four apps,
//! and the cockpit on top.

use droidmux_sim_apps as apps;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::bring_up::{Devices, Ground, runtime};
use super::events_json::JsonLines;
use super::headless::{Reported, summary};
use super::session_file::parse_session;
use super::signals::stop_on_signals;
use super::{cockpit, exit, logging, ranges};
use droidmux_file::Temporary;
use droidmux_lab::{Lab, LabError, SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use droidmux_record::{SessionDefinition, Tier};
use droidmux_sim::SimOptions;
use droidmux_tui::Home;

/// The ready-made sessions, the same files that a person finds in the repository.
const SESSIONS: [(&str, &str); 4] = [
    ("sessions/diary-genie.toml", include_str!("../../sessions/diary-genie.toml")),
    ("sessions/files-neutral.toml", include_str!("../../sessions/files-neutral.toml")),
    ("sessions/notes-odin.toml", include_str!("../../sessions/notes-odin.toml")),
    ("sessions/units-neutral.toml", include_str!("../../sessions/units-neutral.toml")),
];

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// A guided tour in the cockpit: from the lab to a bug stepped through and marked
    #[arg(long, conflicts_with_all = ["headless", "json"])]
    tour: bool,
    /// Findings on standard output instead of the cockpit
    #[arg(long)]
    headless: bool,
    /// JSON Lines on standard output instead of the cockpit
    #[arg(long)]
    json: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Events of each session
    #[arg(long, value_name = "N", default_value_t = 6_000, value_parser = clap::value_parser!(u64).range(100..=*ranges::EVENTS.end()))]
    max_events: u64,
    /// Keep the store here instead of in a temporary folder
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

pub fn run(args: DemoArgs) -> color_eyre::Result<ExitCode> {
    logging::start();
    if let Some(store) = &args.store {
        return runtime()?.block_on(show(&args, store));
    }
    let temporary = Temporary::new("demo")?;
    runtime()?.block_on(show(&args, &temporary.path().join("store")))
}

async fn show(args: &DemoArgs, store: &Path) -> color_eyre::Result<ExitCode> {
    // On the tour there is a device for stepping through a finding, however busy the others are.
    let devices = SESSIONS.len() + usize::from(args.tour);
    let options = SimOptions { devices: u16::try_from(devices)?, ..SimOptions::with_apps(apps::all()) };
    let ground = Ground::new("demo", store, Devices::Sim(Box::new(options))).await?;
    let stop = stop_on_signals();
    let view = match (args.json, args.headless || !io::stdout().is_terminal()) {
        (true, _) => Some(Print::Json),
        (false, true) => Some(Print::Text),
        (false, false) => None,
    };
    let sessions = run_all(&ground.lab, args, view, &stop);
    let home = args.store.as_deref().map_or(Home::Passing, cockpit::home_here);
    let outcomes = if view.is_some() {
        sessions.await?
    } else {
        let (outcomes, shown) = tokio::join!(sessions, cockpit::show(&ground, home, args.tour, stop.clone()));
        shown?;
        outcomes?
    };
    let found = outcomes.iter().flat_map(|o| &o.findings).any(|finding| finding.tier == Tier::Reported);
    // Leaving the cockpit is how the demo is meant to end; only Ctrl-C interrupts it.
    let interrupted = view.is_some() && outcomes.iter().any(|outcome| outcome.end == SessionEnd::Stopped);
    let vain = outcomes.iter().any(|outcome| outcome.end != SessionEnd::Stopped && outcome.vain.is_some());
    Ok(match (interrupted, vain, found) {
        (true, ..) => ExitCode::from(exit::INTERRUPTED),
        (false, true, _) => ExitCode::from(exit::ENVIRONMENT),
        (false, false, true) => ExitCode::from(exit::FOUND),
        (false, false, false) => ExitCode::SUCCESS,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    Json,
    Text,
}

/// Runs the sessions side by side, one device each.
async fn run_all(
    lab: &Lab,
    args: &DemoArgs,
    print: Option<Print>,
    stop: &CancellationToken,
) -> color_eyre::Result<Vec<SessionOutcome>> {
    let rng = args.seed;
    let mut running: JoinSet<Result<SessionOutcome, LabError>> = JoinSet::new();
    for (name, text) in SESSIONS {
        let mut definition = parse_session(Path::new(name), text, &Default::default(), &bundled)?;
        definition.run.max_events = args.max_events;
        let (lab, stop) = (lab.clone(), stop.clone());
        let (begun, begins) = oneshot::channel();
        running.spawn(async move { run_one(&lab, definition, rng, (print, begun), stop).await });
        // Started one after the other, so that they get the same ids each time. One that could not begin sends no
        // message.
        let _ = begins.await;
    }
    let mut outcomes = Vec::new();
    while let Some(outcome) = running.join_next().await {
        outcomes.push(outcome??);
    }
    Ok(outcomes)
}

/// The ready-made sessions name no other files.
fn bundled(_: &Path) -> io::Result<String> {
    Err(io::ErrorKind::NotFound.into())
}

async fn run_one(
    lab: &Lab,
    definition: SessionDefinition,
    rng: u64,
    (print, begun): (Option<Print>, oneshot::Sender<()>),
    stop: CancellationToken,
) -> Result<SessionOutcome, LabError> {
    let began = Instant::now();
    let app = definition.app.clone();
    let (events, listener) = mpsc::channel(64);
    let options =
        SessionOptions { rng, most_devices: 1, stop, events: Some(events), ..SessionOptions::default() };
    let (outcome, mut lines) =
        tokio::join!(lab.run(definition, options), listen(listener, &app, (print, begun)));
    let outcome = outcome?;
    let seconds = began.elapsed().as_secs_f64();
    // A reader that is gone has seen enough.
    let _ = match print {
        Some(Print::Json) => lines.summary(&outcome, rng, seconds),
        Some(Print::Text) => writeln!(io::stdout(), "{app}: {}", summary(&outcome, rng, seconds)),
        None => Ok(()),
    };
    Ok(outcome)
}

/// Prints a session's events, and reports when it has begun. The lines of several sessions are interleaved, each naming
/// its app.
async fn listen(
    mut events: mpsc::Receiver<SessionEvent>,
    app: &str,
    (print, begun): (Option<Print>, oneshot::Sender<()>),
) -> JsonLines<io::Stdout> {
    let mut lines = JsonLines::new(io::stdout(), app);
    let mut reported = Reported::default();
    let mut begun = Some(begun);
    while let Some(event) = events.recv().await {
        if let (SessionEvent::Began(_), Some(begun)) = (&event, begun.take()) {
            // The task waiting for it may have been stopped.
            let _ = begun.send(());
        }
        let _ = match (print, &event) {
            (Some(Print::Json), event) => lines.event(event),
            (Some(Print::Text), SessionEvent::Finding(finding)) => match reported.line(finding) {
                Some(line) => writeln!(io::stdout(), "{app}: {line}"),
                None => Ok(()),
            },
            _ => Ok(()),
        };
    }
    lines
}
