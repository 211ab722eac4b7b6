//! `forward`: local ports of the server door that lead to a service of a device.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{Shared, counted, fail};
use crate::SimDevice;
use crate::device::lock;
use crate::service::{Duplex, Service};

/// Most forwards of one server.
const MAX: usize = 256;

/// A port being listened on; dropping it stops that.
pub(super) struct Forward {
    serial: String,
    remote: String,
    _stop: DropGuard,
}

/// The lines of `list-forward`: serial, local, remote.
pub(super) fn list(shared: &Shared) -> String {
    let forwards = lock(&shared.forwards);
    forwards.iter().map(|(local, to)| format!("{} {local} {}\n", to.serial, to.remote)).collect()
}

/// Ends one forward, or all.
pub(super) async fn kill(stream: &mut TcpStream, shared: &Shared, local: Option<&str>) -> io::Result<()> {
    let found = {
        let mut forwards = lock(&shared.forwards);
        match local {
            Some(local) => forwards.remove(local).is_some(),
            None => {
                forwards.clear();
                true
            }
        }
    };
    match local {
        Some(local) if !found => fail(stream, &format!("listener '{local}' not found")).await,
        // Once for the request, once for its outcome.
        _ => stream.write_all(b"OKAYOKAY").await,
    }
}

/// Listens on `tcp:PORT` and answers twice `OKAY`, with the port when 0 was asked for.
pub(super) async fn open(
    stream: &mut TcpStream,
    shared: &Shared,
    device: Arc<SimDevice>,
    rebind: bool,
    (local, remote): (&str, &str),
) -> io::Result<()> {
    let Some(port) = local.strip_prefix("tcp:").and_then(|port| port.parse::<u16>().ok()) else {
        return fail(stream, &format!("cannot listen on {local}: only tcp ports")).await;
    };
    if !rebind && lock(&shared.forwards).contains_key(local) {
        return fail(stream, "cannot rebind existing socket").await;
    }
    let kept = if port == 0 { None } else { lock(&shared.forwards).remove(local) };
    drop(kept);
    let listener = match listen(port).await {
        Ok(listener) => listener,
        Err(error) => return fail(stream, &format!("cannot bind listener: {error}")).await,
    };
    let bound = listener.local_addr()?.port();
    let stop = shared.stop.child_token();
    let serial = device.serial().to_owned();
    let too_many = {
        let mut forwards = lock(&shared.forwards);
        let too_many = forwards.len() >= MAX;
        if !too_many {
            let forward = Forward { serial, remote: remote.to_owned(), _stop: stop.clone().drop_guard() };
            forwards.insert(format!("tcp:{bound}"), forward);
        }
        too_many
    };
    if too_many {
        return fail(stream, "too many forwards").await;
    }
    tokio::spawn(relay(listener, device, remote.to_owned(), stop));
    let mut answer = b"OKAYOKAY".to_vec();
    if port == 0 {
        answer.extend(counted(&bound.to_string()));
    }
    stream.write_all(&answer).await
}

/// A port just given up is free a moment later.
async fn listen(port: u16) -> io::Result<TcpListener> {
    let mut tries = 0;
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && tries < 10 => {
                tries += 1;
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            bound => return bound,
        }
    }
}

async fn relay(listener: TcpListener, device: Arc<SimDevice>, remote: String, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else { continue };
        // A port on which nothing listens closes the connection at once.
        if let Some(service) = Service::parse(&remote) {
            let stream: Box<dyn Duplex> = Box::new(stream);
            tokio::spawn(service.run(Arc::clone(&device), stream));
        }
    }
}
