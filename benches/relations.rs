//! What relations cost: the processor time that judging a step by all of them takes, as a share of what the step
//! itself takes.
//!
//! Sessions of random events run on simulated phones without latency, through the ADB server door, with no relation
//! chosen; what they recorded is then judged by all relations on one thread. A step's processor time is that of the
//! whole process without the threads of the simulated lab, which stands for phones: that is what a step costs the
//! host. Prints both, and the share, which must stay below 15 %; exits with code 1 if it does not. Times are read
//! from `/proc`, so this works on Linux only.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::gui::{Layout, LayoutHash};
use droidmux::lab::{Lab, SessionOptions};
use droidmux::record::{JobRun, Layouts, ScreenPolicy, SessionDefinition};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::{Store, StoreOptions};
use droidmux::technique::Oracle;
use droidmux::technique::relation::RelationOracle;

/// The share of a step's processor time that relations may take.
const LIMIT: f64 = 0.15;
const APPS: [&str; 4] =
    ["org.droidmux.notes", "org.droidmux.files", "org.droidmux.diary", "org.droidmux.omni"];
const EVENTS: u64 = 1_500;
const ROUNDS: u32 = 3;

/// A session's jobs with their layouts.
struct Recorded {
    runs: Vec<JobRun>,
    layouts: Album,
}

struct Album(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

fn main() {
    let (told, sims) = mpsc::channel();
    // The phones have a thread of their own, so that their time can be told from the rest.
    std::thread::spawn(move || simulate(&told));
    let (address, sim_thread) = sims.recv().expect("the simulated lab starts");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (mut steps, mut spent, mut judged) = (0, Duration::ZERO, Duration::ZERO);
    for app in APPS {
        let definition = definition(app);
        let (whole, phones) = (process_time(), thread_time(&sim_thread));
        let (count, recorded) = runtime.block_on(run(&definition, address));
        let own = (process_time() - whole).saturating_sub(thread_time(&sim_thread) - phones);
        let judging = judging(&definition, &recorded);
        println!("{app}: {count} steps, {own:.2?} of processor time, {judging:.2?} of relations");
        (steps, spent, judged) = (steps + count, spent + own, judged + judging);
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / steps as f64;
    let share = judged.as_secs_f64() / spent.as_secs_f64();
    println!("a step: {:.0} µs, its relations: {:.0} µs", micros(spent), micros(judged));
    println!("share: {:.1} % (limit {:.0} %)", share * 100.0, LIMIT * 100.0);
    if share > LIMIT {
        std::process::exit(1);
    }
}

/// Runs the simulated lab on this thread alone, for ever.
fn simulate(told: &mpsc::Sender<(SocketAddr, String)>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let options = SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) };
        let sim = SimLab::start(options).await.expect("the simulated lab starts");
        let thread = std::fs::read_link("/proc/thread-self").expect("Linux tells the thread");
        told.send((sim.server_addr(), format!("/proc/{}", thread.display()))).expect("somebody waits");
        std::future::pending::<()>().await;
    });
}

fn definition(app: &str) -> SessionDefinition {
    let text = format!("technique = \"monkey\"\napp = \"{app}\"");
    let mut definition: SessionDefinition = toml::from_str(&text).expect("a definition");
    definition.run.screens = ScreenPolicy::Verdicts;
    definition.run.max_events = EVENTS;
    definition.run.relations = Some(Vec::new());
    definition
}

/// Runs the session on a fresh store.
async fn run(definition: &SessionDefinition, address: SocketAddr) -> (u64, Recorded) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store"), StoreOptions::default()).expect("a store");
    let lab = Lab::new("bench", store);
    let server = Server::at(address);
    let listed = [("sim-1".to_owned(), "device".to_owned())];
    lab.roster().update(&listed, |serial| Arc::new(AdbDevice::new(server.clone(), serial)));
    let outcome = lab.run(definition.clone(), SessionOptions::default()).await.expect("the session runs");
    let runs = lab.store().runs(outcome.session).collect::<Result<Vec<JobRun>, _>>().expect("jobs");
    let seen = runs.iter().flat_map(|run| &run.turns).filter_map(|turn| turn.observation.seen());
    let hashes = seen.map(|seen| seen.screen.layout);
    let layouts = hashes.filter_map(|hash| Some((hash, lab.store().layout(hash)?))).collect();
    lab.close();
    (outcome.steps, Recorded { runs, layouts: Album(layouts) })
}

/// What judging all jobs by all relations takes, the quickest of some rounds.
fn judging(definition: &SessionDefinition, recorded: &Recorded) -> Duration {
    let mut definition = definition.clone();
    definition.run.relations = None;
    let oracle = RelationOracle::new(&definition);
    let round = |_| {
        let before = thread_time("/proc/thread-self");
        for run in &recorded.runs {
            std::hint::black_box(oracle.judge(run, &recorded.layouts));
        }
        thread_time("/proc/thread-self") - before
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}

/// The time a thread has spent on a processor.
fn thread_time(folder: &str) -> Duration {
    let text = std::fs::read_to_string(format!("{folder}/schedstat")).expect("Linux tells the time");
    let nanos = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanos.expect("nanoseconds first"))
}

/// The time the process has spent on processors, in hundredths of a second.
fn process_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux tells the time");
    // What stands before the last bracket is the name, which may have blanks in it.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).expect("a number");
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}
