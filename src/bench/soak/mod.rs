//! The soak bench: many slow devices for a long time, and what the tool itself costs meanwhile.
//!
//! In: how many devices, for how long. Out: [`Soaked`]: steps per second compared with the limit that the devices'
//! latency allows, the tool's own time and processor time per step, the growth of memory and disk, how full the queues
//! were. One viewer watches.
//!
//! The simulated devices run in a process of their own, whose processor time is accounted separately. It reports how
//! long it made commands wait: that time over all devices is the limit, since a tool that costs nothing would keep
//! every device waiting all the time.

mod process;
mod report;
mod simulator;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use droidmux_device::adb::{DeviceEntry, Server};
use droidmux_device::{DeviceError, Patience};
use droidmux_lab::{Lab, LabError, SessionOptions, take_in};
use droidmux_proto::{LogLens, Request, ViewerEnd};
use droidmux_record::{SessionDefinition, SessionId};
use droidmux_store::{Store, StoreError, StoreOptions};
use process::{Reading, Samples};
pub use report::{Soaked, words};
use simulator::Simulator;

/// Devices of one session.
const BY_SESSION: usize = 8;
/// Between two samples.
const SAMPLE: Duration = Duration::from_secs(2);
/// Lines or steps that the viewer asks for at once.
const NEWS: u32 = 100;
/// From the first step until measuring begins: connections are made, caches fill.
const WARM_UP: Duration = Duration::from_secs(10);
const FIRST_ANSWER: Duration = Duration::from_secs(30);

/// What a soak bench is to run.
#[derive(Clone, Debug)]
pub struct SoakOptions {
    /// 1 to 64.
    pub devices: u16,
    /// From the end of the warm-up on.
    pub duration: Duration,
    /// As `droidmux sim --latency` takes it.
    pub latency: String,
    /// Definitions that the sessions take in turn.
    pub sessions: Vec<SessionDefinition>,
    /// The program whose `sim` command is started.
    pub program: PathBuf,
    /// An empty folder for the store.
    pub folder: PathBuf,
    /// Cancelled by a person: what was measured until then is reported.
    pub stop: CancellationToken,
}

/// Why nothing can be said about a lab under load.
#[derive(Debug, Error)]
pub enum SoakError {
    /// It did not start, ended, or does not answer what is asked of it, in words.
    #[error("the simulated lab of the soak bench: {0}")]
    Simulator(String),
    /// A session could not be run.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The store in the folder failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A simulated device did not do what it was told.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// `/proc` cannot be read.
    #[error("the system does not tell what this process uses: {0}")]
    Process(std::io::Error),
    /// A task panicked, with its message.
    #[error("a task of the soak bench ended unexpectedly: {0}; this is a bug in droidmux")]
    Task(String),
    /// Not a single step fell into the measuring time.
    #[error("nothing was measured: the bench was interrupted or shorter than its warm-up")]
    Nothing,
}

/// Runs sessions on all devices for the given time and measures.
///
/// # Errors
/// When the simulated lab or a session fails.
pub async fn soak(options: SoakOptions) -> Result<Soaked, SoakError> {
    let mut simulator = Simulator::start(&options).await?;
    let path = options.folder.join("store");
    let opened = tokio::task::spawn_blocking(move || {
        Store::open(&path, StoreOptions { ballast: 0, ..StoreOptions::default() })
    });
    let store = opened.await.map_err(|error| SoakError::Task(error.to_string()))??;
    let lab = Lab::new("soak", store.clone());
    let server = Server::at(simulator.server);
    let listed = server.devices(&Patience::of(FIRST_ANSWER)).await?;
    take_in(lab.roster(), &server, &listed);
    let stop = options.stop.child_token();
    let sessions = start(&lab, &options, &listed, &stop);
    let viewer = tokio::spawn(look_on(lab.viewer()));
    let measured = measure(&lab, &options, &mut simulator).await;
    viewer.abort();
    stop.cancel();
    let ids = end(sessions).await?;
    let samples = measured?;
    let own = {
        let (store, window) = (store.clone(), samples.window_ms());
        let read = tokio::task::spawn_blocking(move || own_times(&store, &ids, window)).await;
        read.map_err(|error| SoakError::Task(error.to_string()))??
    };
    let (most, queues) = (store.most_waiting(), lab.hub().queue_marks());
    lab.close();
    simulator.end().await;
    Soaked::of(&options, &samples, own, most, queues).ok_or(SoakError::Nothing)
}

type Running = JoinSet<Result<SessionId, LabError>>;

/// Sessions of eight devices each, without a limit of events.
fn start(lab: &Lab, options: &SoakOptions, listed: &[DeviceEntry], stop: &CancellationToken) -> Running {
    let mut running = JoinSet::new();
    for (number, devices) in listed.chunks(BY_SESSION).enumerate() {
        let Some(definition) = options.sessions.get(number % options.sessions.len().max(1)) else { break };
        let mut definition = definition.clone();
        definition.run.max_events = u64::MAX / 2;
        definition.run.window = u32::try_from(4 * devices.len()).unwrap_or(u32::MAX);
        definition.lab.serials = devices.iter().map(|entry| entry.name.clone()).collect();
        let given =
            SessionOptions { rng: number as u64 + 1, stop: stop.child_token(), ..SessionOptions::default() };
        let lab = lab.clone();
        running.spawn(async move { Ok(lab.run(definition, given).await?.session) });
    }
    running
}

/// A viewer like a cockpit that stays open all night: it asks for what is new in the log and in the first session
/// whenever the lab shows news, and reads what it is sent.
async fn look_on(mut viewer: ViewerEnd) {
    let (mut steps, mut lines) = (0, 0);
    while viewer.view.changed().await.is_ok() {
        let view = viewer.view.borrow_and_update().clone();
        let mut news = vec![Request::Log { lens: LogLens::default(), from: lines, limit: NEWS }];
        lines = view.log_rows;
        if let Some(session) = view.sessions.first() {
            news.push(Request::Steps { session: session.id, from: steps, limit: NEWS });
            steps = session.steps;
        }
        // What does not fit is not requested: a cockpit never waits either.
        news.into_iter().for_each(|request| drop(viewer.requests.try_send(request)));
        while viewer.replies.try_recv().is_ok() {}
    }
}

async fn end(mut running: Running) -> Result<Vec<SessionId>, SoakError> {
    let mut ids = Vec::new();
    while let Some(done) = running.join_next().await {
        ids.push(done.map_err(|error| SoakError::Task(error.to_string()))??);
    }
    Ok(ids)
}

/// Takes samples from the end of the warm-up to the end of the time.
async fn measure(lab: &Lab, options: &SoakOptions, simulator: &mut Simulator) -> Result<Samples, SoakError> {
    let began = Instant::now();
    let mut samples = Samples::default();
    loop {
        tokio::select! {
            () = options.stop.cancelled() => break,
            () = tokio::time::sleep(SAMPLE) => {}
        }
        if began.elapsed() < WARM_UP {
            continue;
        }
        let steps = lab.hub().snapshot().sessions.iter().map(|session| session.steps).sum();
        let waited = simulator.waited().await?;
        let folder = options.folder.clone();
        let of_simulator = simulator.process();
        let read = tokio::task::spawn_blocking(move || Reading::take(steps, waited, of_simulator, &folder));
        samples.push(
            read.await.map_err(|error| SoakError::Task(error.to_string()))?.map_err(SoakError::Process)?,
        );
        if began.elapsed() >= options.duration + WARM_UP {
            break;
        }
    }
    Ok(samples)
}

/// The tool's own milliseconds between the end of each act and the beginning of the next one of the same job: the
/// driver's decision, the store's fsync, the waiting for a turn. Ascending.
fn own_times(store: &Store, sessions: &[SessionId], window: (u64, u64)) -> Result<Vec<u64>, StoreError> {
    let mut own = Vec::new();
    for session in sessions {
        for run in store.runs(*session) {
            let run = run?;
            own.extend(run.turns.windows(2).filter_map(|pair| {
                let ended = pair[0].at_ms.saturating_add(pair[0].took_ms.into());
                let inside = (window.0..=window.1).contains(&pair[1].at_ms);
                inside.then(|| pair[1].at_ms.saturating_sub(ended))
            }));
        }
    }
    own.sort_unstable();
    Ok(own)
}
