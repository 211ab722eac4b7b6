//! The adbd door: a device as a genuine ADB server sees it after `adb connect`.
//!
//! In: TCP connections with ADB's transport packets. Out: the same services as at the server door,
//! many streams at once on one connection.
//!
//! Invariants: the host speaks first; a stream has one write outstanding until its OKAY; a payload
//! is at most 1 MiB; a connection has a bounded number of streams and a bounded queue of packets to
//! send; anything that is not a packet ends the connection and nothing else.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::service::{FEATURES, Service};
use super::{LinkState, SimDevice};

mod packet;
mod stream;

use packet::{Command, HEADER, MAX_PAYLOAD, Packet, VERSION};
use stream::{Ids, Stream};

/// Connections to one device at once.
const MAX_CONNECTIONS: usize = 16;
/// Streams of one connection at once.
const MAX_STREAMS: usize = 256;
/// Packets waiting to be sent.
const QUEUE: usize = 64;
/// The host must introduce itself within this time.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// What the first protocol version allows in a packet.
const MIN_PAYLOAD: usize = 4_096;

/// Serves one device's door until the lab stops.
pub(super) async fn serve(listener: TcpListener, device: Arc<SimDevice>, stop: CancellationToken) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else { continue };
        let device = Arc::clone(&device);
        let stop = stop.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                // An error is a host that went away or talks nonsense.
                _ = attend(stream, device) => {}
            }
            drop(slot);
        });
    }
}

/// Serves a connection for as long as the device stays in the state it is in.
async fn attend(stream: TcpStream, device: Arc<SimDevice>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match device.state() {
        LinkState::Absent => Ok(()),
        LinkState::Device => {
            let Some(session) = device.session() else { return Ok(()) };
            tokio::select! {
                () = session.cancelled() => Ok(()),
                ended = Connection::serve(stream, Arc::clone(&device)) => ended,
            }
        }
        state => {
            let mut changes = device.changes();
            let waiting = async {
                // Ends with an error only when the lab is gone.
                while device.state() == state && changes.changed().await.is_ok() {}
            };
            tokio::select! {
                () = waiting => Ok(()),
                ended = refuse(stream, state) => ended,
            }
        }
    }
}

/// Asks for a signature that is never good enough, or never answers.
async fn refuse(mut stream: TcpStream, state: LinkState) -> io::Result<()> {
    const TOKEN: u32 = 1;
    while let Some(packet) = Packet::read(&mut stream, false).await? {
        if state == LinkState::Unauthorized && matches!(packet.command, Command::Connect | Command::Auth) {
            let mut bytes = Vec::new();
            Packet::new(Command::Auth, TOKEN, 0, vec![0x5a; 20]).encode(true, &mut bytes);
            stream.write_all(&bytes).await?;
        }
    }
    Ok(())
}

/// One connection after the host has introduced itself.
struct Connection {
    device: Arc<SimDevice>,
    streams: BTreeMap<u32, (u32, Stream)>,
    last_id: u32,
    max_payload: usize,
    out: mpsc::Sender<Packet>,
}

impl Connection {
    async fn serve(stream: TcpStream, device: Arc<SimDevice>) -> io::Result<()> {
        let (read, write) = stream.into_split();
        let mut read = BufReader::with_capacity(64 << 10, read);
        let hello = tokio::time::timeout(CONNECT_WITHIN, Packet::read(&mut read, false));
        let hello = hello.await.map_err(|_| io::ErrorKind::TimedOut)??;
        let Some(hello) = hello.filter(|packet| packet.command == Command::Connect) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let with_checksum = hello.arg0 < VERSION;
        let (out, queue) = mpsc::channel(QUEUE);
        let mut connection =
            Connection { device, streams: BTreeMap::new(), last_id: 0, max_payload: MIN_PAYLOAD, out };
        connection.take(hello).await?;
        let reading = async {
            while let Some(packet) = Packet::read(&mut read, with_checksum).await? {
                connection.take(packet).await?;
            }
            Ok(())
        };
        tokio::select! {
            ended = reading => ended,
            ended = send(write, queue, with_checksum) => ended,
        }
    }

    async fn take(&mut self, packet: Packet) -> io::Result<()> {
        let Packet { command, arg0, arg1, payload } = packet;
        match command {
            Command::Connect => {
                self.streams.clear();
                let agreed = usize::try_from(arg1).unwrap_or(MAX_PAYLOAD);
                self.max_payload = agreed.clamp(MIN_PAYLOAD, MAX_PAYLOAD);
                let [product, model, name] = self.device.identity();
                let banner = format!(
                    "device::ro.product.name={product};ro.product.model={model};ro.product.device={name};features={FEATURES}"
                );
                let payload = u32::try_from(MAX_PAYLOAD).unwrap_or(u32::MAX);
                self.send(Packet::new(Command::Connect, VERSION, payload, banner)).await
            }
            Command::Open => self.open(arg0, &payload).await,
            Command::Write => match self.streams.get(&arg1) {
                Some((remote, stream)) if *remote == arg0 => {
                    if stream.write(payload) {
                        return Ok(());
                    }
                    self.streams.remove(&arg1);
                    Ok(())
                }
                _ => self.send(Packet::new(Command::Close, 0, arg0, Bytes::new())).await,
            },
            Command::Okay => {
                if let Some((_, stream)) = self.streams.get(&arg1) {
                    stream.acknowledge();
                }
                Ok(())
            }
            Command::Close => {
                // Dropping it ends the service's input, and its task answers with a CLSE of its own.
                self.streams.remove(&arg1);
                Ok(())
            }
            // Never asked for, so never an answer to anything.
            Command::Auth | Command::Sync | Command::Tls => Ok(()),
        }
    }

    async fn open(&mut self, remote: u32, name: &[u8]) -> io::Result<()> {
        let name = String::from_utf8_lossy(name);
        let name = name.strip_suffix('\0').unwrap_or(&name);
        let service = Service::parse(name).filter(|service| service.opens_on(&self.device));
        let service = service.filter(|_| self.streams.len() < MAX_STREAMS && remote != 0);
        let Some(service) = service else {
            return self.send(Packet::new(Command::Close, 0, remote, Bytes::new())).await;
        };
        self.last_id = self.last_id.checked_add(1).unwrap_or(1);
        let ids = Ids { local: self.last_id, remote, max_payload: self.max_payload };
        self.send(Packet::new(Command::Okay, ids.local, remote, Bytes::new())).await?;
        let stream = Stream::open(Arc::clone(&self.device), service, ids, self.out.clone());
        self.streams.insert(ids.local, (remote, stream));
        Ok(())
    }

    async fn send(&mut self, packet: Packet) -> io::Result<()> {
        self.out.send(packet).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Sends packets in the order they come, several at once when they have gathered.
async fn send(
    mut write: OwnedWriteHalf,
    mut queue: mpsc::Receiver<Packet>,
    with_checksum: bool,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(64 << 10);
    while let Some(packet) = queue.recv().await {
        let mut next = Some(packet);
        while let Some(packet) = next {
            // A genuine host checks the sum of a CNXN whatever the version.
            packet.encode(with_checksum || packet.command == Command::Connect, &mut bytes);
            next = if bytes.len() < MAX_PAYLOAD - HEADER { queue.try_recv().ok() } else { None };
        }
        write.write_all(&bytes).await?;
        bytes.clear();
    }
    Ok(())
}
