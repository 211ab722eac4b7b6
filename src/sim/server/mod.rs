//! The ADB server door: what a client of `adb`'s server talks to, without any adb installed.
//!
//! In: TCP connections with requests of four hex digits of length and a service name. Out: `OKAY`
//! or `FAIL` with a message, then what the service sends. Several simulated devices are behind one
//! port.
//!
//! A restart, as a fault or from a test, ends every connection and opens the port again.
//!
//! Invariants: a request must be whole within a deadline and its length is capped by its four
//! digits; one connection is one task; the server cannot be stopped from outside (`host:kill` is
//! answered and nothing more); nothing from a client can panic.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::device::lock;
use super::fault::{Fault, Faults, Occasion};
use super::service::{self, Duplex, Service};
use super::text::cut;
use super::{LinkState, SimDevice};

mod forward;
mod list;
mod request;
mod wait;

use forward::Forward;
use request::{HostQuery, Request, Target};

/// A request must arrive within this time.
const REQUEST_WITHIN: Duration = Duration::from_secs(30);
/// Connections served at once; more wait.
const MAX_CONNECTIONS: usize = 512;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1_024;
/// The protocol version of adb 1.0.41; a genuine client refuses any other.
const VERSION: &str = "0029";

/// What all connections share.
pub(super) struct Shared {
    devices: Vec<Arc<SimDevice>>,
    /// Held so that trackers can always subscribe.
    changes: watch::Sender<u64>,
    stop: CancellationToken,
    forwards: Mutex<BTreeMap<String, Forward>>,
    faults: Mutex<Faults>,
    run: Mutex<Run>,
}

/// The server's process: from one restart to the next.
struct Run {
    /// Cancelled when it ends, with all its connections.
    end: CancellationToken,
    /// How long it is away then.
    away: Duration,
}

impl Shared {
    pub(super) fn new(
        devices: Vec<Arc<SimDevice>>,
        changes: watch::Sender<u64>,
        faults: Faults,
        stop: CancellationToken,
    ) -> Self {
        let run = Mutex::new(Run { end: stop.child_token(), away: Duration::ZERO });
        Shared { devices, changes, stop, forwards: Mutex::default(), faults: Mutex::new(faults), run }
    }

    /// Ends every connection and forward, and listens again after this time.
    pub(super) fn restart(&self, away: Duration) {
        let mut run = lock(&self.run);
        run.away = away;
        run.end.cancel();
    }

    /// Counts a connection and returns whether to leave it unanswered.
    fn connection(&self) -> bool {
        let mut mute = false;
        for struck in lock(&self.faults).at(Occasion::Connection) {
            match struck.fault {
                Fault::ServerRestart { away } => self.restart(away),
                Fault::ServerHalfOpen => mute = true,
                _ => {}
            }
        }
        mute
    }

    /// The device a request is meant for, or a genuine server's message saying why there is none.
    fn choose(&self, target: &Target) -> Result<Arc<SimDevice>, String> {
        let present: Vec<_> =
            self.devices.iter().filter(|device| device.state() != LinkState::Absent).collect();
        let found = match target {
            Target::Serial(serial) => {
                // An adbd address names the device too, as it would at a genuine server.
                let by_address = |d: &SimDevice| d.adbd_addr().is_some_and(|a| a.to_string() == *serial);
                let mut found = present.iter().filter(|d| d.serial() == serial || by_address(d));
                match (found.next(), found.next()) {
                    (Some(found), None) => found,
                    (None, _) => return Err(format!("device '{serial}' not found")),
                    (Some(_), Some(_)) => return Err("more than one device".to_owned()),
                }
            }
            Target::Id(id) => {
                let found = present.iter().find(|device| device.transport_id() == *id);
                found.ok_or_else(|| format!("no device with transport id '{id}'"))?
            }
            Target::Any => match present.as_slice() {
                [] => return Err("no devices/emulators found".to_owned()),
                [one] => one,
                _ => return Err("more than one device/emulator".to_owned()),
            },
            Target::Usb => return Err("no devices found".to_owned()),
            Target::Local => return Err("no emulators found".to_owned()),
        };
        Ok(Arc::clone(found))
    }

    /// As [`Shared::choose`], but the device must also be ready.
    fn ready(&self, target: &Target) -> Result<Arc<SimDevice>, String> {
        let device = self.choose(target)?;
        match device.state() {
            LinkState::Device => Ok(device),
            LinkState::Unauthorized => {
                Err("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\n\
                Try 'adb kill-server' if that seems wrong.\n\
                Otherwise check for a confirmation dialog on your device."
                    .to_owned())
            }
            state => Err(format!("device {state}")),
        }
    }
}

/// Serves until the lab stops, at the same address after every restart.
pub(super) async fn serve(mut listener: TcpListener, address: SocketAddr, shared: Arc<Shared>) {
    loop {
        let end = lock(&shared.run).end.clone();
        listen(listener, &shared, &end).await;
        if shared.stop.is_cancelled() {
            return;
        }
        lock(&shared.forwards).clear();
        // It finds them in another order than before.
        let mut devices: Vec<_> = shared.devices.iter().collect();
        devices.sort_by_key(|device| std::cmp::Reverse(device.transport_id()));
        for (device, number) in devices.into_iter().zip(1..) {
            device.renumber(number);
        }
        // Something else has taken the port in the meantime: the server stays away.
        let Ok(port) = keep(address).await else { return };
        let away = std::mem::take(&mut lock(&shared.run).away);
        tokio::select! {
            () = tokio::time::sleep(away) => {}
            () = shared.stop.cancelled() => return,
        }
        lock(&shared.run).end = shared.stop.child_token();
        let Ok(listening) = port.listen(BACKLOG) else { return };
        listener = listening;
    }
}

/// The port with nobody listening on it: clients are refused, and nobody else can have it.
async fn keep(address: SocketAddr) -> io::Result<TcpSocket> {
    let mut tries = 0;
    loop {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.set_reuseaddr(true)?;
        match socket.bind(address) {
            Ok(()) => return Ok(socket),
            // The port is free a moment after its listener is gone.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && tries < 100 => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Serves connections until the server's process ends.
async fn listen(listener: TcpListener, shared: &Arc<Shared>, end: &CancellationToken) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = end.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Usually out of file descriptors: other connections must end first.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let mute = shared.connection();
        let (shared, end) = (Arc::clone(shared), end.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = end.cancelled() => {}
                // An error is a client that went away or talks nonsense.
                _ = async {
                    if mute { ignore(stream).await } else { converse(stream, shared).await }
                } => {}
            }
            drop(slot);
        });
    }
}

/// Reads whatever comes and says nothing.
async fn ignore(mut stream: TcpStream) -> io::Result<()> {
    let mut ignored = [0; 4_096];
    while stream.read(&mut ignored).await? > 0 {}
    Ok(())
}

/// Answers requests on one connection until one of them takes it over or ends it.
async fn converse(mut stream: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut chosen: Option<Arc<SimDevice>> = None;
    loop {
        let Some(name) = read_request(&mut stream).await? else { return Ok(()) };
        let known: Vec<&str> = shared.devices.iter().map(|device| device.serial()).collect();
        match Request::parse(&name, &known) {
            Request::Transport { target, tell_id } => match shared.ready(&target) {
                Ok(device) => {
                    let mut answer = b"OKAY".to_vec();
                    if tell_id {
                        answer.extend(device.transport_id().to_le_bytes());
                    }
                    stream.write_all(&answer).await?;
                    chosen = Some(device);
                }
                Err(message) => return fail(&mut stream, &message).await,
            },
            Request::Host(target, query) => {
                // A client that chose a device before asks about that one.
                let target = match (target, &chosen) {
                    (Target::Any, Some(device)) => Target::Id(device.transport_id()),
                    (target, _) => target,
                };
                return host(stream, &shared, &target, query).await;
            }
            Request::Device(name) => {
                let Some(device) = chosen else {
                    return fail(&mut stream, "device offline (no transport)").await;
                };
                if device.session().is_none() {
                    return fail(&mut stream, "device offline (transport offline)").await;
                }
                let service = Service::parse(&name).filter(|service| service.opens_on(&device));
                let Some(service) = service else { return fail(&mut stream, "closed").await };
                stream.write_all(b"OKAY").await?;
                let stream: Box<dyn Duplex> = Box::new(stream);
                service.run(device, stream).await;
                return Ok(());
            }
        }
    }
}

/// Answers a question about the server or about a device without opening a service on it.
async fn host(
    mut stream: TcpStream,
    shared: &Arc<Shared>,
    target: &Target,
    query: HostQuery,
) -> io::Result<()> {
    match query {
        HostQuery::Version => okay(&mut stream, VERSION).await,
        HostQuery::Kill => stream.write_all(b"OKAY").await,
        HostQuery::HostFeatures => okay(&mut stream, service::FEATURES).await,
        HostQuery::Devices { long } => okay(&mut stream, &list::devices(shared, long)).await,
        HostQuery::Track { long } => list::track(stream, shared, long).await,
        HostQuery::Connect(address) => okay(&mut stream, &connect(shared, &address)).await,
        HostQuery::Disconnect(address) => {
            let message = format!("no such device '{address}'");
            if address.is_empty() {
                okay(&mut stream, "disconnected everything").await
            } else {
                fail(&mut stream, &message).await
            }
        }
        HostQuery::Wait(wanted) => wait::serve(stream, shared, target, &wanted).await,
        HostQuery::ListForward => okay(&mut stream, &forward::list(shared)).await,
        HostQuery::KillForward(local) => forward::kill(&mut stream, shared, local.as_deref()).await,
        HostQuery::Forward { rebind, local, remote } => match shared.ready(target) {
            Ok(device) => forward::open(&mut stream, shared, device, rebind, (&local, &remote)).await,
            Err(message) => fail(&mut stream, &message).await,
        },
        HostQuery::State | HostQuery::SerialNumber | HostQuery::DevicePath | HostQuery::Features => {
            match shared.choose(target) {
                Ok(device) if query == HostQuery::State => {
                    okay(&mut stream, &device.state().to_string()).await
                }
                Ok(device) if query == HostQuery::SerialNumber => okay(&mut stream, device.serial()).await,
                Ok(_) if query == HostQuery::DevicePath => okay(&mut stream, "unknown").await,
                Ok(_) => okay(&mut stream, service::FEATURES).await,
                Err(message) => fail(&mut stream, &message).await,
            }
        }
        HostQuery::Unknown => fail(&mut stream, "unknown host service").await,
    }
}

/// The text a server gives for `connect`: success or not, the answer is `OKAY`.
fn connect(shared: &Shared, address: &str) -> String {
    let ours = shared.devices.iter().any(|d| d.adbd_addr().is_some_and(|a| a.to_string() == address));
    if ours { format!("already connected to {address}") } else { format!("failed to connect to {address}") }
}

async fn okay(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    let mut answer = b"OKAY".to_vec();
    answer.extend(counted(text));
    stream.write_all(&answer).await
}

async fn fail(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    let mut answer = b"FAIL".to_vec();
    answer.extend(counted(text));
    stream.write_all(&answer).await
}

/// Four hex digits of length, then the text, cut where the digits end.
fn counted(text: &str) -> Vec<u8> {
    let text = cut(text, 0xffff);
    format!("{:04x}{text}", text.len()).into_bytes()
}

/// A whole request; `None` when the client closes between requests.
async fn read_request(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let read = async {
        let mut digits = [0; 4];
        if stream.read(&mut digits[..1]).await? == 0 {
            return Ok(None);
        }
        stream.read_exact(&mut digits[1..]).await?;
        let length =
            std::str::from_utf8(&digits).ok().filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let length = length.and_then(|hex| usize::from_str_radix(hex, 16).ok());
        let Some(length) = length else {
            fail(stream, "protocol fault (couldn't parse the length)").await?;
            return Ok(None);
        };
        let mut name = vec![0; length];
        stream.read_exact(&mut name).await?;
        Ok(Some(String::from_utf8_lossy(&name).into_owned()))
    };
    tokio::time::timeout(REQUEST_WITHIN, read).await.map_err(|_| io::ErrorKind::TimedOut)?
}
