//! The ADB server on this or another host: its address and its devices.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::book::{Address, Book, Target};
use super::connection::Connection;
use super::entry::{DeviceEntry, read_entries};
use super::readings::Readings;
use super::tracker::Tracker;
use super::tunnel::Tunnel;
use crate::buffers::Buffers;
use crate::{DeviceError, DeviceErrorKind, Patience};
use droidmux_record::{ADB_PORT, ServerName};

/// An ADB server. Holds no connection: every request makes its own, as the protocol requires. A server is never started
/// or stopped from here, since other tools share it.
///
/// What is read from the dumps of its devices, the memory for their pictures and the names of its devices are kept once for
/// all of them, and shared by clones.
#[derive(Clone, Debug)]
pub struct Server {
    /// `host:port`, or the name of a server behind a tunnel.
    address: String,
    /// What its host is called, if it is one of several.
    host: Option<Arc<str>>,
    tunnel: Option<Arc<Tunnel>>,
    book: Arc<Mutex<Book>>,
    readings: Arc<Readings>,
    buffers: Arc<Buffers>,
}

impl PartialEq for Server {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address && self.host == other.host
    }
}

impl Eq for Server {}

impl Server {
    /// The server that the environment names, as `adb` itself finds it: `ADB_SERVER_SOCKET`
    /// (`tcp:5037`, `tcp:host:5037`), else `ANDROID_ADB_SERVER_ADDRESS` and
    /// `ANDROID_ADB_SERVER_PORT`, else port 5037 of this host.
    ///
    /// # Errors
    /// When a variable cannot be understood.
    pub fn from_env() -> Result<Self, DeviceError> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// The server at this address.
    pub fn at(address: SocketAddr) -> Self {
        Self::with_address(address.to_string())
    }

    /// A server by its name; its devices are called `NAME@LABEL` ([`ServerName::label`]). For one behind `ssh`, a tunnel is
    /// opened, and kept open as long as the server or one of its devices is known; this needs a runtime.
    ///
    /// # Errors
    /// When the environment's variables cannot be understood, or a tunnel can have no socket.
    pub fn called(name: &ServerName) -> Result<Self, DeviceError> {
        let label: Arc<str> = name.label().into();
        let server = match name {
            ServerName::Local => Self::from_env()?,
            ServerName::At { .. } => Self::with_address(name.to_string()),
            ServerName::Ssh { to, adb } => {
                let mut server = Self::with_address(name.to_string());
                let tunnel = Tunnel::open(&label, to, *adb).map_err(|error| {
                    let kind = DeviceErrorKind::Unreachable {
                        host: (&*label).into(),
                        why: error.to_string().into(),
                    };
                    server.error("opening a tunnel", kind)
                })?;
                server.tunnel = Some(Arc::new(tunnel));
                server
            }
        };
        let book = Arc::new(Mutex::new(Book::of(&label)));
        Ok(Self { host: Some(label), book, ..server })
    }

    /// What its host is called, if it was named: it may then be one of several.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Whether it is reached through `ssh`.
    pub fn is_tunnelled(&self) -> bool {
        self.tunnel.is_some()
    }

    /// `host:port`, or `ssh://…` for a server behind a tunnel.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The server's protocol version, e.g. 41: the cheapest question it answers.
    ///
    /// # Errors
    /// When no server answers within the patience, or the answer is not a number.
    pub async fn version(&self, patience: &Patience) -> Result<u32, DeviceError> {
        let answer = self.ask("host:version", patience).await?;
        u32::from_str_radix(answer.trim(), 16)
            .map_err(|_| self.error("host:version", DeviceErrorKind::Answer(answer)))
    }

    /// The devices the server knows, in its order.
    ///
    /// # Errors
    /// When no server answers within the patience, or it refuses.
    pub async fn devices(&self, patience: &Patience) -> Result<Vec<DeviceEntry>, DeviceError> {
        let list = self.ask("host:devices-l", patience).await?;
        Ok(self.named(read_entries(&list)))
    }

    /// Follows the list of devices: [`Tracker::next`] gives it whenever it has changed.
    ///
    /// # Errors
    /// When no server answers within the patience, or it does not know how to track.
    pub async fn track(&self, patience: &Patience) -> Result<Tracker, DeviceError> {
        let first = patience.bound(Tracker::open(self)).await;
        first.map_err(|kind| self.error("host:track-devices-l", kind))
    }

    /// Makes the server connect to a device over the network (`host:port`).
    ///
    /// # Errors
    /// When no server answers within the patience, or it could not connect; the error holds its words.
    pub async fn connect(&self, device: &str, patience: &Patience) -> Result<(), DeviceError> {
        let service = format!("host:connect:{device}");
        let answer = self.ask(&service, patience).await?;
        // OKAY only means that the server tried: the text has the outcome.
        if answer.starts_with("connected to") || answer.starts_with("already connected to") {
            return Ok(());
        }
        Err(self.error(&service, DeviceErrorKind::Answer(answer.trim().to_owned())))
    }

    /// What the device of this name supports, e.g. `shell_v2`.
    pub(super) async fn features(&self, name: &str) -> Result<Vec<String>, DeviceErrorKind> {
        let service = match self.address_of(name).await? {
            Target::Transport(id) => format!("host-transport-id:{id}:features"),
            Target::Serial(serial) => format!("host-serial:{serial}:features"),
        };
        let mut connection = self.begin(&service).await?;
        let list = connection.block().await?;
        Ok(String::from_utf8_lossy(&list).split(',').map(|f| f.trim().to_owned()).collect())
    }

    /// A connection whose next request goes to the device of this name.
    pub(super) async fn transport(&self, name: &str) -> Result<Connection, DeviceErrorKind> {
        let service = match self.address_of(name).await? {
            Target::Transport(id) => format!("host:transport-id:{id}"),
            Target::Serial(serial) => format!("host:transport:{serial}"),
        };
        self.begin(&service).await
    }

    /// Something was lost: the numbers of connections may be those of a server that is gone.
    pub(super) fn doubt(&self) {
        self.book().doubt();
    }

    /// The entries of a list with their names.
    pub(super) fn named(&self, mut entries: Vec<DeviceEntry>) -> Vec<DeviceEntry> {
        self.book().take(&mut entries);
        entries
    }

    /// How a device is reached; the list is asked for where that is not known for sure.
    async fn address_of(&self, name: &str) -> Result<Target, DeviceErrorKind> {
        let known = self.book().address(name);
        let known = match known {
            Address::Unsure => {
                let mut connection = self.begin("host:devices-l").await?;
                let list = connection.block().await?;
                self.named(read_entries(&String::from_utf8_lossy(&list)));
                self.book().address(name)
            }
            known => known,
        };
        match known {
            Address::Of(target) => Ok(target),
            Address::Gone | Address::Unsure => {
                Err(DeviceErrorKind::Lost(format!("device '{name}' not found")))
            }
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection whose first request was answered by OKAY.
    pub(super) async fn begin(&self, service: &str) -> Result<Connection, DeviceErrorKind> {
        let Some(tunnel) = &self.tunnel else {
            let mut connection = Connection::open(&self.address).await?;
            connection.request(service).await?;
            return Ok(connection);
        };
        let began = Instant::now();
        let mut connection = Connection::over(tunnel.connect().await?);
        match connection.request(service).await {
            Ok(()) => Ok(connection),
            // The far end of a tunnel refuses by closing.
            Err(DeviceErrorKind::Lost(why)) => {
                Err(tunnel.reason(began).await.unwrap_or(DeviceErrorKind::Lost(why)))
            }
            Err(kind) => Err(kind),
        }
    }

    pub(super) fn readings(&self) -> &Readings {
        &self.readings
    }

    pub(super) fn buffers(&self) -> &Arc<Buffers> {
        &self.buffers
    }

    pub(super) fn error(&self, what: &str, kind: DeviceErrorKind) -> DeviceError {
        let serial = format!("ADB server {}", self.address);
        DeviceError { serial, what: what.to_owned(), kind }
    }

    async fn ask(&self, service: &str, patience: &Patience) -> Result<String, DeviceError> {
        let answer = async {
            let mut connection = self.begin(service).await?;
            let text = connection.block().await?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        };
        patience.bound(answer).await.map_err(|kind| self.error(service, kind))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, DeviceError> {
        let wrong = |name: &str, value: &str, wanted: &str| DeviceError {
            serial: "ADB server".into(),
            what: format!("{name}={value}"),
            kind: DeviceErrorKind::Answer(format!("{wanted} is wanted")),
        };
        let set = |name| variable(name).filter(|value| !value.is_empty());
        if let Some(socket) = set("ADB_SERVER_SOCKET") {
            let wanted = "tcp:PORT or tcp:HOST:PORT";
            let rest = socket.strip_prefix("tcp:").unwrap_or_default();
            let (host, port) = rest.rsplit_once(':').unwrap_or(("", rest));
            let port = port.parse().map_err(|_| wrong("ADB_SERVER_SOCKET", &socket, wanted))?;
            return Ok(Self::on(host, port));
        }
        let host = set("ANDROID_ADB_SERVER_ADDRESS").unwrap_or_default();
        let port = match set("ANDROID_ADB_SERVER_PORT") {
            Some(port) => {
                port.parse().map_err(|_| wrong("ANDROID_ADB_SERVER_PORT", &port, "a port number"))?
            }
            None => ADB_PORT,
        };
        Ok(Self::on(&host, port))
    }

    fn on(host: &str, port: u16) -> Self {
        let host = if host.is_empty() { "127.0.0.1" } else { host };
        Self::with_address(format!("{host}:{port}"))
    }

    fn with_address(address: String) -> Self {
        Self {
            address,
            host: None,
            tunnel: None,
            book: Arc::default(),
            readings: Arc::default(),
            buffers: Arc::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_server() {
        let cases: [(&[(&str, &str)], Option<&str>); 9] = [
            (&[], Some("127.0.0.1:5037")),
            (&[("ADB_SERVER_SOCKET", "")], Some("127.0.0.1:5037")),
            (&[("ADB_SERVER_SOCKET", "tcp:6000")], Some("127.0.0.1:6000")),
            (&[("ADB_SERVER_SOCKET", "tcp:lab7:6000")], Some("lab7:6000")),
            (&[("ADB_SERVER_SOCKET", "tcp:[::1]:6000")], Some("[::1]:6000")),
            (&[("ADB_SERVER_SOCKET", "localabstract:x")], None),
            (&[("ANDROID_ADB_SERVER_PORT", "7000")], Some("127.0.0.1:7000")),
            (
                &[("ANDROID_ADB_SERVER_PORT", "7000"), ("ANDROID_ADB_SERVER_ADDRESS", "lab7")],
                Some("lab7:7000"),
            ),
            (&[("ANDROID_ADB_SERVER_PORT", "seven")], None),
        ];
        for (variables, expected) in cases {
            let of = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
            let server = Server::from_variables(of).ok().map(|s| s.address);
            assert_eq!(server.as_deref(), expected, "{variables:?}");
        }
    }
}
