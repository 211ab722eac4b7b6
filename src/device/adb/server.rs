//! The ADB server on this or another host: its address and its devices.

use std::net::SocketAddr;
use std::sync::Arc;

use super::connection::Connection;
use super::readings::Readings;
use super::tracker::Tracker;
use crate::buffers::Buffers;
use crate::{DeviceError, DeviceErrorKind, Patience};

/// The port an ADB server listens on by default.
const DEFAULT_PORT: u16 = 5037;

/// An ADB server. Holds no connection: every request makes its own, as the protocol requires. A server is never started
/// or stopped from here, since other tools share it.
///
/// What is read from the dumps of its devices, and the memory for their pictures, is kept once for all of them, and
/// shared by clones.
#[derive(Clone, Debug)]
pub struct Server {
    /// `host:port`.
    address: String,
    readings: Arc<Readings>,
    buffers: Arc<Buffers>,
}

impl PartialEq for Server {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

impl Eq for Server {}

/// One line of the server's list of devices.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceEntry {
    /// Names the device in all further requests: `emulator-5554`, `10.0.0.5:5555`.
    pub serial: String,
    /// `device` when it can be used; else `offline`, `unauthorized`, `authorizing`, `recovery`,
    /// `no permissions (…)` and so on.
    pub state: String,
    /// `ro.product.name`; empty where the server does not tell it.
    pub product: String,
    /// `ro.product.model` with underscores for blanks; empty where the server does not tell it.
    pub model: String,
    /// `ro.product.device`; empty where the server does not tell it.
    pub device: String,
    /// Counts connections: a device that reconnects gets a new number.
    pub transport_id: Option<u64>,
}

impl DeviceEntry {
    /// True when the device takes commands.
    pub fn is_ready(&self) -> bool {
        self.state == "device"
    }
}

/// What to do about a device in this state, which takes no commands.
pub fn remedy(state: &str) -> &'static str {
    match state.split_whitespace().next().unwrap_or_default() {
        "unauthorized" => "accept this computer's key on the device's screen",
        "authorizing" | "connecting" => "wait a moment",
        "offline" => "reconnect the cable, or switch USB debugging off and on",
        "no" => "this user may not open the USB device: check the udev rules",
        "recovery" | "sideload" | "bootloader" | "rescue" => "boot the device into Android",
        _ => "not ready",
    }
}

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

    /// `host:port`.
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
        Ok(read_entries(&self.ask("host:devices-l", patience).await?))
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

    /// What the device of this serial supports, e.g. `shell_v2`.
    pub(super) async fn features(&self, serial: &str) -> Result<Vec<String>, DeviceErrorKind> {
        let mut connection = self.open().await?;
        connection.request(&format!("host-serial:{serial}:features")).await?;
        let list = connection.block().await?;
        Ok(String::from_utf8_lossy(&list).split(',').map(|f| f.trim().to_owned()).collect())
    }

    /// A connection whose next request goes to the device of this serial.
    pub(super) async fn transport(&self, serial: &str) -> Result<Connection, DeviceErrorKind> {
        let mut connection = self.open().await?;
        connection.request(&format!("host:transport:{serial}")).await?;
        Ok(connection)
    }

    pub(super) async fn open(&self) -> Result<Connection, DeviceErrorKind> {
        Connection::open(&self.address).await
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
            let mut connection = self.open().await?;
            connection.request(service).await?;
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
            None => DEFAULT_PORT,
        };
        Ok(Self::on(&host, port))
    }

    fn on(host: &str, port: u16) -> Self {
        let host = if host.is_empty() { "127.0.0.1" } else { host };
        Self::with_address(format!("{host}:{port}"))
    }

    fn with_address(address: String) -> Self {
        Self { address, readings: Arc::default(), buffers: Arc::default() }
    }
}

/// Reads `SERIAL  STATE product:… model:… device:… transport_id:…` lines, and the short form
/// `SERIAL\tSTATE`. The state may have spaces (`no permissions (…)`).
pub(super) fn read_entries(list: &str) -> Vec<DeviceEntry> {
    list.lines().filter_map(read_entry).collect()
}

fn read_entry(line: &str) -> Option<DeviceEntry> {
    let (serial, rest) = line.trim().split_once(char::is_whitespace)?;
    let mut entry = DeviceEntry { serial: serial.to_owned(), ..DeviceEntry::default() };
    let mut state: Vec<&str> = Vec::new();
    for word in rest.split_whitespace() {
        match word.split_once(':') {
            Some(("product", value)) => entry.product = value.to_owned(),
            Some(("model", value)) => entry.model = value.to_owned(),
            Some(("device", value)) => entry.device = value.to_owned(),
            Some(("transport_id", value)) => entry.transport_id = value.parse().ok(),
            Some(("usb", _)) => {}
            _ => state.push(word),
        }
    }
    entry.state = state.join(" ");
    (!entry.state.is_empty()).then_some(entry)
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

    #[test]
    fn lists_of_devices_are_read() {
        let list = "emulator-5554          device product:sdk model:Pixel_7 device:emu64 transport_id:3\n\
            R58M\toffline\n\
            0a38               no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:1-1 transport_id:9\n\
            \n\
            broken\n\
            HT6 unauthorized usb:3-4 transport_id:x\n";
        let read: Vec<_> = read_entries(list)
            .into_iter()
            .map(|e| (e.serial.clone(), e.state.clone(), e.model.clone(), e.transport_id, e.is_ready()))
            .collect();
        let permissions = "no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]";
        let expected = [
            ("emulator-5554", "device", "Pixel_7", Some(3), true),
            ("R58M", "offline", "", None, false),
            ("0a38", permissions, "", Some(9), false),
            ("HT6", "unauthorized", "", None, false),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(s, st, m, t, r)| (s.to_owned(), st.to_owned(), m.to_owned(), t, r))
            .collect();
        assert_eq!(read, expected);
    }
}
