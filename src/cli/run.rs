//! `droidmux run`: one session from a session file, or one that was interrupted.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use jiff::{SignedDuration, Zoned, civil};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::bring_up::Ground;
use super::caller::Caller;
use super::config::Config;
use super::events_json::JsonLines;
use super::headless::{Headless, summary};
use super::relations::{Relations, relations};
use super::servers::ServersOption;
use super::source::source;
use super::{Usage, cockpit, exit, logging, ranges, read_session, specification_file, without_device};
use droidmux_lab::{
    AppPackages, InstallError, Installed, Lab, LabError, SessionEnd, SessionEvent, SessionOptions,
    SessionOutcome, named,
};
use droidmux_record::{
    Finding, LabKind, LlmMode, LlmSettings, Provider, SessionDefinition, SessionId, SimTerms, Technique, Tier,
};
use droidmux_technique::uses;

/// How long a device may stay busy before a build is put on the others only.
const FREE_WITHIN: Duration = Duration::from_secs(120);

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The session file
    #[arg(required_unless_present = "resume")]
    session: Option<PathBuf>,
    /// Go on with this session of the store, e.g. s7, instead of beginning a new one
    #[arg(
        long,
        value_name = "SESSION",
        conflicts_with_all = [
            "session", "seed", "max_events", "lab", "servers", "defects", "steady", "relations", "record", "replay"
        ]
    )]
    resume: Option<SessionId>,
    /// Go on although the app or a device has another build than before
    #[arg(long, requires = "resume")]
    accept_builds: bool,
    /// Progress line and findings instead of the cockpit
    #[arg(long)]
    headless: bool,
    /// JSON Lines on standard output instead of the cockpit
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    talk: TalkOptions,
    #[command(flatten)]
    options: RunOptions,
}

/// What becomes of the exchanges with language models.
#[derive(Debug, Args)]
pub(super) struct TalkOptions {
    /// Write every exchange with a language model into this file
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Take all replies of a language model from this file, without network
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// End where a prompt differs from its recording
    #[arg(long, requires = "replay")]
    strict: bool,
}

impl TalkOptions {
    pub(super) fn apply(&self, definition: &mut SessionDefinition, caller: &Caller) -> Result<(), Usage> {
        let (mode, file) = match (&self.record, &self.replay) {
            (Some(file), _) => (LlmMode::Record, file),
            (None, Some(file)) => (LlmMode::Replay, file),
            (None, None) => return Ok(()),
        };
        if !uses(definition).models {
            let technique = definition.technique.name();
            return Err(Usage::new(format!(
                "a session of {technique} asks no language model: nothing to record"
            )));
        }
        let whole = caller.path(file);
        let text = whole.to_str().ok_or_else(|| Usage::new(format!("{}: no UTF-8 path", whole.display())))?;
        let llm = &mut definition.llm;
        (llm.mode, llm.recording, llm.strict) = (mode, text.to_owned(), self.strict);
        Ok(())
    }
}

/// Options that more than one command takes.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// Seed of everything random; drawn and printed when not given
    #[arg(long)]
    seed: Option<u64>,
    /// Events at most, instead of the session file's limit
    #[arg(long, value_name = "N", value_parser = ranges::events)]
    max_events: Option<u64>,
    /// Stop after this long, e.g. 10h or 30m
    #[arg(long = "for", value_name = "DURATION")]
    for_: Option<SignedDuration>,
    /// Stop at this time of day, e.g. 07:00
    #[arg(long, value_name = "TIME")]
    until: Option<civil::Time>,
    /// Where traces are kept [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
    /// Relations between screens to judge every trace by, instead of the session file's: names with commas
    /// between them, all, or none
    #[arg(long, value_name = "NAMES", value_parser = relations)]
    relations: Option<Relations>,
    /// Use the devices of the ADB server, or a simulated lab, whatever the session file says
    #[arg(long, value_name = "KIND", value_parser = ["adb", "sim"])]
    lab: Option<String>,
    #[command(flatten)]
    servers: ServersOption,
    /// Devices at most
    #[arg(long, value_name = "N", value_parser = ranges::devices)]
    devices: Option<u32>,
    /// Defects of the simulated apps: all, none, or ids
    #[arg(long, value_name = "IDS", default_value = "all")]
    defects: String,
    /// Switch volatile content of the simulated apps off
    #[arg(long)]
    steady: bool,
}

impl RunOptions {
    /// The store named on the command line.
    pub(super) fn store(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    fn until(&self) -> color_eyre::Result<Option<Instant>> {
        let mut ends = Vec::new();
        if let Some(duration) = self.for_ {
            ends.push(Duration::try_from(duration).map_err(|_| Usage::new("--for must be above 0"))?);
        }
        if let Some(time) = self.until {
            let now = Zoned::now();
            let today = now.with().time(time).build()?;
            let end = if today > now { today } else { now.tomorrow()?.with().time(time).build()? };
            ends.push(Duration::try_from(now.duration_until(&end))?);
        }
        Ok(ends.into_iter().min().and_then(|end| Instant::now().checked_add(end)))
    }

    /// Whether the devices of the ADB server are wanted, whatever the session file says.
    pub(super) fn wants_adb(&self) -> bool {
        self.lab.as_deref() == Some("adb")
    }

    pub(super) fn apply(&self, definition: &mut SessionDefinition) {
        definition.run.max_events = self.max_events.unwrap_or(definition.run.max_events);
        if let Some(relations) = &self.relations {
            relations.clone().choose(definition);
        }
        match self.lab.as_deref() {
            Some("sim") => definition.lab.kind = LabKind::Sim,
            Some(_) => definition.lab.kind = LabKind::Adb,
            None => {}
        }
        if let servers @ [_, ..] = self.servers.names() {
            (definition.lab.kind, definition.lab.servers) = (LabKind::Adb, servers.to_vec());
        }
        definition.lab.devices = self.devices.unwrap_or(definition.lab.devices);
    }

    /// The seed of everything random, drawn when not given.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }

    pub(super) fn sim(&self) -> SimTerms {
        SimTerms { steady: self.steady, defects: self.defects.clone() }
    }

    /// What a session is given, whether it is new or continued.
    pub(super) fn session(&self) -> color_eyre::Result<SessionOptions> {
        Ok(SessionOptions {
            most_devices: self.devices.map_or(0, |most| most as usize),
            until: self.until()?,
            ..SessionOptions::default()
        })
    }
}

/// Runs a session from a session file.
pub(super) fn run(args: RunArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let view = args.view(caller);
    let file = args.session.ok_or_else(|| Usage::new("name a session file"))?;
    let mut definition = read_session(&caller.path(&file), &Config::read()?.llm)?;
    args.talk.apply(&mut definition, caller)?;
    tell_unusable(&definition, view, caller)?;
    run_definition(definition, &args.options, view, caller)
}

/// Reports which parts of a specification are left out.
fn tell_unusable(
    definition: &SessionDefinition,
    view: Presentation,
    caller: &Caller,
) -> color_eyre::Result<()> {
    let Some(told) = specification_file::unusable_words(&definition.settings.of()) else { return Ok(()) };
    match view {
        // JSON Lines have standard output to themselves.
        Presentation::Json => eprint!("{told}"),
        Presentation::Headless | Presentation::Cockpit => caller.print(&told)?,
    }
    Ok(())
}

impl RunArgs {
    /// Whether a person watches it in the cockpit.
    pub(super) fn is_watched(&self, caller: &Caller) -> bool {
        self.view(caller) == Presentation::Cockpit
    }

    /// The session of the store to continue, instead of a session file.
    pub(super) fn resumed(&self) -> Option<SessionId> {
        self.resume
    }

    /// Whether to continue with other builds.
    pub(super) fn accepts_builds(&self) -> bool {
        self.accept_builds
    }

    pub(super) fn options(&self) -> &RunOptions {
        &self.options
    }

    pub(super) fn view(&self, caller: &Caller) -> Presentation {
        match (self.json, self.headless || !caller.is_terminal()) {
            (true, _) => Presentation::Json,
            (false, true) => Presentation::Headless,
            (false, false) => Presentation::Cockpit,
        }
    }
}

/// How a run presents itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presentation {
    Json,
    Headless,
    Cockpit,
}

/// What is to be run.
pub(super) enum Task {
    New(Box<SessionDefinition>),
    Resume(SessionId),
}

/// Refuses a session that asks people where nobody could answer: without a cockpit, their questions are reached through a
/// lab server.
///
/// # Errors
/// `Usage`, which says how to have one.
pub(super) fn require_people(
    definition: &SessionDefinition,
    view: Presentation,
    caller: &Caller,
) -> Result<(), Usage> {
    let LlmSettings { provider, mode, .. } = definition.llm;
    let asks = uses(definition).models && provider == Provider::People && mode != LlmMode::Replay;
    if !asks || caller.is_client() || view == Presentation::Cockpit {
        return Ok(());
    }
    let what = "with `provider = \"people\"` questions wait in a lab server or on the Transcripts screen, and here is \
                neither: nobody could answer";
    Err(Usage::new(what)
        .hint("`droidmux lab start` starts a lab server, which then runs sessions like this one"))
}

/// Runs a new session to its end and reports how it went; shared with replays.
pub(super) fn run_definition(
    definition: SessionDefinition,
    options: &RunOptions,
    view: Presentation,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    run_with(definition, None, options, view, caller)
}

/// The same, with a build that is first installed on the devices.
pub(super) fn run_with(
    mut definition: SessionDefinition,
    app: Option<&AppPackages>,
    options: &RunOptions,
    view: Presentation,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    if !caller.is_client() {
        logging::start();
    }
    options.apply(&mut definition);
    let source = source(&definition, &options.sim())?;
    let rng = options.seed();
    let store = caller.store(options.store(), true)?;
    // Where a lab server holds the store, the session runs there.
    require_people(&definition, view, caller)?;
    caller.block_on(async {
        let session = SessionOptions { rng, sim: options.sim(), ..options.session()? };
        let ground = match definition.technique {
            Technique::Reader => caller.patient_ground(store, source).await?,
            _ => caller.ground(store, source).await?,
        };
        without_device::read_only(&mut definition, &ground, view != Presentation::Json, caller)?;
        if let Some(app) = app {
            ground.require_device()?;
            let choice = definition.lab.clone();
            let fits = |serial: &str| choice.fits(serial);
            definition.lab.serials = install(&ground, app, fits, &caller.stop(), caller).await?.serials;
        }
        let app = definition.app.clone();
        watch(&ground, Task::New(Box::new(definition)), &app, session, view, caller).await
    })?
}

/// Installs a build on the devices that fit, and tells where it is now.
///
/// # Errors
/// When no device has it afterwards.
pub(super) async fn install(
    ground: &Ground,
    app: &AppPackages,
    fits: impl Fn(&str) -> bool,
    stop: &CancellationToken,
    caller: &Caller,
) -> Result<Installed, InstallError> {
    let installed = ground.lab.install(app, fits, FREE_WITHIN, stop).await?;
    let serials = installed.serials.join(", ");
    caller.tell(&format!("{} is installed on {serials}", named(&app.build)));
    for (serial, why) in &installed.left_out {
        caller.tell(&format!("{serial} is left out: {why}"));
    }
    Ok(installed)
}

/// Runs a session with the requested presentation and reports how it went.
pub(super) async fn watch(
    ground: &Ground,
    task: Task,
    app: &str,
    options: SessionOptions,
    view: Presentation,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    // What was recorded can be read without one.
    if !matches!(&task, Task::New(definition) if definition.technique == Technique::Reader) {
        ground.require_device()?;
    }
    let (events, listener) = mpsc::channel(64);
    let (rng, stop) = (options.rng, caller.stop());
    let again = matches!(&task, Task::New(definition) if definition.replayed().is_some());
    // A consumer of JSON Lines compares runs, and needs every event of one.
    let retell = view == Presentation::Json;
    let options = SessionOptions { stop: stop.clone(), events: Some(events), retell, ..options };
    let session = async {
        match task {
            Task::New(definition) => ground.lab.run(*definition, options).await,
            Task::Resume(session) => ground.lab.resume(session, options).await,
        }
    };
    let outcome = show(session, ground, listener, (view, app, rng), stop, caller).await;
    ground.finish().await;
    let outcome = outcome?;
    if view != Presentation::Json {
        caller.print(&format!("{}\n", summary(&outcome, rng, outcome.took.as_secs_f64())))?;
    }
    if let Some(why) = &outcome.vain {
        caller.tell(&format!("{} was in vain: {why}", outcome.session));
    }
    tell_how_it_goes_on(&ground.lab, &outcome, caller);
    Ok(exit_code(&outcome, again))
}

/// Reports how to continue a session that was stopped.
fn tell_how_it_goes_on(lab: &Lab, outcome: &SessionOutcome, caller: &Caller) {
    let words = format!("run --resume {}", outcome.session);
    let command = cockpit::home_here(lab.store().folder()).command(&words);
    if let (SessionEnd::Stopped, Some(command)) = (&outcome.end, command) {
        caller.tell(&format!("{} was stopped; `{command}` goes on with it", outcome.session));
    }
}

/// Runs a session to its end while showing it.
async fn show(
    session: impl Future<Output = Result<SessionOutcome, LabError>>,
    ground: &Ground,
    listener: mpsc::Receiver<SessionEvent>,
    (view, app, rng): (Presentation, &str, u64),
    stop: CancellationToken,
    caller: &Caller,
) -> color_eyre::Result<SessionOutcome> {
    Ok(match view {
        Presentation::Json => {
            let lines = JsonLines::new(caller.out(), app);
            let (outcome, lines) = tokio::join!(session, print_json(caller, lines, listener, stop));
            let outcome = outcome?;
            lines?.summary(&outcome, rng, outcome.took.as_secs_f64())?;
            outcome
        }
        Presentation::Headless => {
            let (outcome, shown) = tokio::join!(session, show_progress(caller, listener, stop));
            shown?;
            outcome?
        }
        Presentation::Cockpit => {
            let drain = tokio::spawn(drain(listener));
            let home = cockpit::home_here(ground.lab.store().folder());
            let (outcome, shown) = tokio::join!(session, cockpit::show(ground, home, false, stop));
            drain.abort();
            shown?;
            outcome?
        }
    })
}

/// Prints every event; stops the session when nobody reads any more.
async fn print_json<W: io::Write>(
    caller: &Caller,
    mut lines: JsonLines<W>,
    mut events: mpsc::Receiver<SessionEvent>,
    stop: CancellationToken,
) -> io::Result<JsonLines<W>> {
    while let Some(event) = events.recv().await {
        if let SessionEvent::Said(words) = &event {
            caller.tell(words);
        }
        if let Err(error) = lines.event(&event) {
            stop.cancel();
            return Err(error);
        }
    }
    Ok(lines)
}

async fn show_progress(
    caller: &Caller,
    mut events: mpsc::Receiver<SessionEvent>,
    stop: CancellationToken,
) -> io::Result<()> {
    let mut shown = Headless::new(caller.out());
    let mut result = Ok(());
    while let Some(event) = events.recv().await {
        if let SessionEvent::Began(session) = &event {
            caller.began(*session);
        }
        result = match &event {
            SessionEvent::Said(words) => {
                shown.suspended(|| caller.tell(words));
                Ok(())
            }
            event => shown.event(event),
        };
        if result.is_err() {
            stop.cancel();
            break;
        }
    }
    shown.finish();
    result
}

async fn drain(mut events: mpsc::Receiver<SessionEvent>) {
    while events.recv().await.is_some() {}
}

/// A session that runs a known finding again has found something when replays show it; any other session, when
/// something is reported.
fn exit_code(outcome: &SessionOutcome, again: bool) -> u8 {
    let found = |finding: &Finding| match again {
        true => finding.confirmation.is_confirmed(),
        false => finding.tier == Tier::Reported,
    };
    match outcome.end {
        SessionEnd::Stopped => exit::INTERRUPTED,
        _ if outcome.vain.is_some() => exit::ENVIRONMENT,
        _ if outcome.findings.iter().any(found) => exit::FOUND,
        _ => exit::OK,
    }
}
