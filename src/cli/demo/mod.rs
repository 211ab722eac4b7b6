//! `droidmux demo`: a simulated lab with one session on each device, and the cockpit on top. Usually there are four
//! devices, with three techniques on four apps; with an APK, two devices that hold this app.

mod programme;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::bring_up::{Devices, Ground};
use crate::events_json::JsonLines;
use crate::headless::{Reported, summary};
use crate::output::{json_line, print};
use crate::ready::ReadySession;
use crate::runtime::runtime;
use crate::signals::stop_on_signals;
use crate::{Usage, cockpit, exit, logging, ranges};
use droidmux_file::Temporary;
use droidmux_lab::{Lab, LabError, SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use droidmux_record::{SessionDefinition, Tier};
use droidmux_sim::SimLab;
use droidmux_tui::Home;
use droidmux_words::printable;
use programme::Programme;

/// The sessions that run when none is named.
const USUAL: [&str; 4] = ["diary-genie", "files-neutral", "notes-odin", "units-neutral"];

/// What says how sessions run: of no use where none does.
const OF_RUNS: [&str; 6] = ["tour", "headless", "seed", "max_events", "store", "apk"];

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Ready sessions to run, one device each [default: diary-genie files-neutral notes-odin units-neutral]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List the ready sessions instead: name, app, technique
    #[arg(long, conflicts_with_all = OF_RUNS, conflicts_with_all = ["names", "print", "write"])]
    list: bool,
    /// Print the file of one ready session instead, to keep and change it
    #[arg(long, requires = "names", conflicts_with_all = OF_RUNS, conflicts_with_all = ["json", "write"])]
    print: bool,
    /// Write the files of ready sessions, with the specifications they name, into this folder instead
    #[arg(long, value_name = "FOLDER", requires = "names", conflicts_with_all = OF_RUNS, conflicts_with = "json")]
    write: Option<PathBuf>,
    /// The app in this APK instead, in the framework lab: one file, a base and its splits, or an archive of them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "names")]
    apk: Vec<PathBuf>,
    /// Let the app's code use this computer's network
    #[arg(long, requires = "apk")]
    network: bool,
    /// The folder of the framework lab [default: ./framework, or what `droidmux apk setup` built]
    #[arg(long, value_name = "FOLDER", requires = "apk", env = "DROIDMUX_FRAMEWORK")]
    framework_host: Option<PathBuf>,
    /// A guided tour in the cockpit: from the lab to a bug stepped through and marked
    #[arg(long, conflicts_with_all = ["headless", "json", "names", "apk"])]
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
    if args.list {
        print(&listing(args.json))?;
        return Ok(ExitCode::SUCCESS);
    }
    let sessions = chosen(&args.names)?;
    if args.print {
        print(alone(&sessions)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(folder) = &args.write {
        print(&write(&sessions, folder)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let runtime = runtime()?;
    let stop = runtime.block_on(async { stop_on_signals() });
    let programme = match args.apk.is_empty() {
        true => Programme::of_ready(&sessions, args.tour)?,
        false => Programme::of_apk(&args.apk, args.framework_host.as_deref(), args.network, &stop)?,
    };
    logging::start();
    if let Some(store) = &args.store {
        return runtime.block_on(show(&args, programme, store, stop));
    }
    let temporary = Temporary::new("demo")?;
    runtime.block_on(show(&args, programme, &temporary.path().join("store"), stop))
}

fn listing(json: bool) -> String {
    let row = |session: ReadySession| match json {
        true => json_line(&json!({
            "session": session.name,
            "app": session.package,
            "label": session.label,
            "technique": session.technique,
        })),
        false => format!("{:<22} {:<14} {}\n", session.name, session.label, session.technique),
    };
    ReadySession::all().into_iter().map(row).collect()
}

/// The sessions named, or the usual ones.
fn chosen(names: &[String]) -> Result<Vec<ReadySession>, Usage> {
    if names.is_empty() {
        return USUAL.into_iter().map(ReadySession::find).collect();
    }
    let most = usize::from(SimLab::MAX_DEVICES);
    if names.len() > most {
        return Err(Usage::new(format!(
            "{} sessions: a simulated lab has at most {most} devices",
            names.len()
        )));
    }
    names.iter().map(|name| ReadySession::find(name)).collect()
}

/// The text of the only session, if its file can be used alone.
fn alone(sessions: &[ReadySession]) -> Result<&str, Usage> {
    match sessions {
        [session] if session.named.is_empty() => Ok(&session.text),
        [session] => Err(Usage::new(format!(
            "{}'s file names others, its specification: `droidmux demo {} --write .` writes them all",
            session.name, session.name
        ))),
        _ => Err(Usage::new("--print takes one session; --write FOLDER takes several")),
    }
}

/// Writes the files of these sessions, but replaces none, and says what was written.
fn write(sessions: &[ReadySession], folder: &Path) -> Result<String, Usage> {
    let own = |session: &ReadySession| (session.file_name(), session.text.clone());
    let named = |(path, text): &(String, &'static str)| (path.clone(), (*text).to_owned());
    let files: BTreeMap<_, _> = sessions
        .iter()
        .flat_map(|session| std::iter::once(own(session)).chain(session.named.iter().map(named)))
        .map(|(name, text)| (folder.join(name), text))
        .collect();
    if let Some(there) = files.keys().find(|path| path.exists()) {
        return Err(Usage::new(format!("{} is there already: nothing is written", there.display())));
    }
    let mut said = String::new();
    for (path, text) in &files {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let opened = made.and_then(|()| OpenOptions::new().write(true).create_new(true).open(path));
        let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Usage::new(format!("{}: {error}", path.display())))?;
        said += &format!("{}\n", printable(&path.display().to_string()));
    }
    Ok(said)
}

async fn show(
    args: &DemoArgs,
    programme: Programme,
    store: &Path,
    stop: CancellationToken,
) -> color_eyre::Result<ExitCode> {
    let ground = Ground::new("demo", store, Devices::Sim(Box::new(programme.options)));
    let ground = exit::unless(&stop, ground).await?;
    let view = match (args.json, args.headless || !io::stdout().is_terminal()) {
        (true, _) => Some(Print::Json),
        (false, true) => Some(Print::Text),
        (false, false) => None,
    };
    let sessions = run_all(&ground.lab, args, programme.definitions, view, &stop);
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
    definitions: Vec<SessionDefinition>,
    print: Option<Print>,
    stop: &CancellationToken,
) -> color_eyre::Result<Vec<SessionOutcome>> {
    let rng = args.seed;
    let mut running: JoinSet<Result<SessionOutcome, LabError>> = JoinSet::new();
    for mut definition in definitions {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(names: &[&str]) -> Vec<ReadySession> {
        names.iter().map(|name| ReadySession::find(name).expect(name)).collect()
    }

    #[test]
    fn only_a_file_that_can_be_used_alone_is_printed() {
        let cases: [(&[&str], Result<&str, &str>); 3] = [
            (&["cards-genie"], Ok("# Genie on the simulated app `cards`. Run it with")),
            (&["cards-pbfdroid"], Err("`droidmux demo cards-pbfdroid --write .` writes them all")),
            (&["cards-genie", "cards-odin"], Err("--print takes one session")),
        ];
        for (names, expected) in cases {
            match (alone(&sessions(names)), expected) {
                (Ok(text), Ok(begin)) => assert!(text.starts_with(begin), "{text}"),
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
                (said, _) => panic!("{names:?}: {said:?}"),
            }
        }
    }

    #[test]
    fn written_files_can_be_run_and_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join("kept");
        let sessions = sessions(&["wiki-pbfdroid", "units-visiondroid"]);
        let said = write(&sessions, &kept).expect("written");
        assert_eq!(said.lines().count(), 4, "{said}");
        for session in &sessions {
            let path = kept.join(session.file_name());
            let read = crate::read_session(&path, &Default::default()).expect("a session");
            assert_eq!(read, session.definition().expect("a definition"));
        }
        let said = write(&sessions[1..], &kept).expect_err("there already").to_string();
        assert!(said.ends_with("units-visiondroid.toml is there already: nothing is written"), "{said}");
    }

    #[test]
    fn the_listing_has_a_row_for_each_session_and_json_names_its_fields() {
        assert!(listing(false).lines().any(|line| line == "cards-genie            Cards          genie"));
        for (line, session) in listing(true).lines().zip(ReadySession::all()) {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let told = json!({
                "session": session.name, "app": session.package, "label": session.label, "technique": session.technique
            });
            assert_eq!(value, told);
        }
        assert_eq!(listing(true).lines().count(), ReadySession::all().len());
    }
}
