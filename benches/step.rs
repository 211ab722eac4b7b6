//! What a step costs: event, settled dump, focus, crash check, stored durably, on a simulated
//! device without latency through the ADB server door.
//!
//! The same session runs once through a recording proxy. Then the recorded conversations are
//! replayed by a bare loop that makes the same connections to the same simulated device, sends the
//! same bytes and reads the same answers, and does nothing else. Prints both in steps per second,
//! and the ratio, which must stay below 2; and what a single shell command costs.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Beginning, Device, Gesture, Patience};
use droidmux::gui::{Event, EventKind, Flags, Point};
use droidmux::lab::{Lab, SessionOptions};
use droidmux::record::{FindingId, ReplaySettings, Role, ScreenPolicy, SessionDefinition, SessionId, Test};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::{Store, StoreOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const APP: &str = "org.droidmux.units";
const EVENTS: usize = 25;
const TIMES: u32 = 8;
const ROUNDS: usize = 5;

/// What went over one connection: requests and how long the answers were, in turn.
type Conversation = Vec<(Vec<u8>, usize)>;

#[tokio::main]
async fn main() {
    let options = SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) };
    let sim = SimLab::start(options).await.expect("the simulated lab starts");
    let definition = definition(sim.server_addr()).await;
    let (proxy, recorded) = record(sim.server_addr()).await;
    run(&definition, proxy).await;
    let conversations = std::mem::take(&mut *recorded.lock().expect("no panic while recording"));
    let bytes: usize = conversations.iter().flatten().map(|(sent, read)| sent.len() + read).sum();
    println!("{} connections, {bytes} bytes", conversations.len());

    let (mut full, mut bare) = (Vec::new(), Vec::new());
    let mut steps = 0;
    for _ in 0..ROUNDS {
        let (count, took) = run(&definition, sim.server_addr()).await;
        steps = count;
        full.push(took);
        bare.push(hold(&conversations, sim.server_addr()).await);
    }
    let (full, bare) = (median(full), median(bare));
    let rate = |took: Duration| steps as f64 / took.as_secs_f64();
    println!("full step: {:8.0} steps a second ({steps} steps, median of {ROUNDS})", rate(full));
    println!("bare loop: {:8.0} steps a second", rate(bare));
    println!("ratio: {:.2} (limit 2.0)", full.as_secs_f64() / bare.as_secs_f64());
    println!("shell command: {:?}", command(sim.server_addr()).await);
}

/// What a command without latency takes, connections and all.
async fn command(address: SocketAddr) -> Duration {
    const COMMANDS: u32 = 500;
    let device = AdbDevice::new(Server::at(address), "sim-1");
    let (tap, patience) = (Gesture::Tap(Point { x: 1, y: 1 }), Patience::default());
    let began = Instant::now();
    for _ in 0..COMMANDS {
        device.perform(&tap, &patience).await.expect("a tap");
    }
    began.elapsed() / COMMANDS
}

/// A session that taps the same widget again and again after each reset.
async fn definition(address: SocketAddr) -> SessionDefinition {
    let device = AdbDevice::new(Server::at(address), "sim-1");
    let patience = Patience::default();
    device.prepare(&patience).await.expect("prepared");
    let granted = Beginning { grant: true, ..Beginning::default() };
    device.begin(APP, granted, &patience).await.expect("begun");
    let layout = device.layout(10, &patience).await.expect("a dump").layout;
    let tapped = layout
        .widgets()
        .rfind(|widget| widget.has(Flags::CLICKABLE) && widget.short_class() == "Button")
        .expect("a button");
    let event = Event::on(EventKind::Click, layout.selector(tapped.id()));
    let text = format!("technique = \"genie\"\napp = \"{APP}\"");
    let mut definition: SessionDefinition = toml::from_str(&text).expect("a definition");
    definition.run.screens = ScreenPolicy::Verdicts;
    definition.run.window = 1;
    definition.replay = Some(ReplaySettings {
        finding: FindingId { session: SessionId(1), key: 0 },
        key: String::new(),
        times: TIMES,
        tests: vec![Test { role: Role::Seed, events: vec![event; EVENTS] }],
    });
    definition
}

/// Runs the session on a fresh store; returns the steps recorded and the time the session took.
async fn run(definition: &SessionDefinition, address: SocketAddr) -> (u64, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("store"), StoreOptions::default()).expect("a store");
    let lab = Lab::new("bench", store);
    let server = Server::at(address);
    let listed = [("sim-1".to_owned(), "device".to_owned())];
    lab.roster().update(&listed, |serial| Arc::new(AdbDevice::new(server.clone(), serial)));
    let began = Instant::now();
    let outcome = lab.run(definition.clone(), SessionOptions::default()).await.expect("the session runs");
    let took = began.elapsed();
    lab.close();
    (outcome.steps, took)
}

/// A proxy that records every conversation with the server behind it.
async fn record(behind: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<Conversation>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let recorded: Arc<Mutex<Vec<Conversation>>> = Arc::default();
    let all = recorded.clone();
    tokio::spawn(async move {
        while let Ok((viewer, _)) = listener.accept().await {
            let number = {
                let mut all = all.lock().expect("no panic while recording");
                all.push(Conversation::new());
                all.len() - 1
            };
            tokio::spawn(pass_on(viewer, behind, all.clone(), number));
        }
    });
    (address, recorded)
}

async fn pass_on(
    mut client: TcpStream,
    behind: SocketAddr,
    all: Arc<Mutex<Vec<Conversation>>>,
    number: usize,
) {
    let mut server = TcpStream::connect(behind).await.expect("the server answers");
    let (mut sent, mut read) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            got = client.read(&mut sent) => {
                let got = got.unwrap_or(0);
                if got == 0 || server.write_all(&sent[..got]).await.is_err() {
                    return;
                }
                let mut all = all.lock().expect("no panic while recording");
                match all[number].last_mut() {
                    Some((request, 0)) => request.extend_from_slice(&sent[..got]),
                    _ => all[number].push((sent[..got].to_vec(), 0)),
                }
            }
            got = server.read(&mut read) => {
                let got = got.unwrap_or(0);
                if got == 0 || client.write_all(&read[..got]).await.is_err() {
                    return;
                }
                if let Some((_, answered)) = all.lock().expect("no panic while recording")[number].last_mut() {
                    *answered += got;
                }
            }
        }
    }
}

/// Replays the recorded conversations, one connection after the other.
async fn hold(conversations: &[Conversation], address: SocketAddr) -> Duration {
    let began = Instant::now();
    let mut buffer = vec![0; 1 << 16];
    for conversation in conversations {
        let mut stream = TcpStream::connect(address).await.expect("the server answers");
        stream.set_nodelay(true).expect("a socket option");
        for (request, answer) in conversation {
            stream.write_all(request).await.expect("sent");
            let mut left = *answer;
            while left > 0 {
                let got = stream.read(&mut buffer).await.expect("read");
                if got == 0 {
                    break;
                }
                left = left.saturating_sub(got);
            }
        }
    }
    began.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
