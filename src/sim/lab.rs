//! The simulated lab: phones behind both ADB doors.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::device::Journal;
use super::fault::{FaultLog, FaultPlan, Faults, Injected};
use super::framework::{FrameworkOptions, Host, HostStorage, MutantSwitches};
use super::server::Shared;
use super::{
    DefectSwitches, Latency, Oddity, Phone, PhoneOptions, SimApp, SimBuild, SimDevice, SimError, adbd, server,
};

/// What a simulated lab is made of.
#[derive(Clone)]
pub struct SimOptions {
    /// 1 to 64; serials are `sim-1`, `sim-2`, …
    pub devices: u16,
    /// What the first devices are called instead; several may have the same serial.
    pub serials: Vec<String>,
    /// What makes each of them unlike the usual phone.
    pub oddities: BTreeSet<Oddity>,
    /// Seed of everything volatile; each device derives its own from it.
    pub seed: u64,
    /// Nothing volatile: no clock, no random content.
    pub steady: bool,
    /// The apps installed on every device.
    pub apps: Vec<SimApp>,
    /// Which of their defects are on.
    pub defects: DefectSwitches,
    /// Builds of the apps, with defects of their own, that clients may install in place of these.
    pub builds: Vec<SimBuild>,
    /// How long the devices take for what they do.
    pub latency: Latency,
    /// What goes wrong.
    pub faults: FaultPlan,
    /// Port of the ADB server door on 127.0.0.1; 0 for a free one.
    pub server_port: u16,
    /// Whether each device also has an adbd door for a genuine adb.
    pub adbd: bool,
    /// Port of the first adbd door, the others following; 0 for free ones.
    pub adbd_port: u16,
    /// API level of every device, 28 to 36: devices lack whatever Android added later.
    pub sdk: u32,
    /// An app on Android's own classes instead of `apps`, `defects` and `sdk`: a host for each device.
    pub framework: Option<FrameworkOptions>,
    /// Whether `su` makes anybody root on every device.
    pub root: bool,
    /// Whether ADBKeyBoard is installed on every device.
    pub adb_keyboard: bool,
    /// Dropping the lab panics if a device was given a command it does not know: for tests.
    pub strict: bool,
}

impl SimOptions {
    /// As the default, with these apps.
    pub fn with_apps(apps: Vec<SimApp>) -> Self {
        SimOptions { apps, ..SimOptions::default() }
    }

    fn serials(&self) -> Vec<String> {
        let usual = (1..=self.devices).map(|number| format!("sim-{number}"));
        let named = self.serials.iter().cloned().chain(usual.skip(self.serials.len()));
        named.take(usize::from(self.devices)).collect()
    }

    /// Whether there can be such a lab.
    fn check(&self) -> Result<(), SimError> {
        let complain = |what| Err(SimError::Option(what));
        let (devices, most) = (self.devices, SimLab::MAX_DEVICES);
        if !(1..=most).contains(&devices) {
            return complain(format!("{devices} devices: a simulated lab has 1 to {most}"));
        }
        let sound = |serial: &String| !serial.trim().is_empty() && !serial.contains(char::is_control);
        if let Some(serial) = self.serials.iter().find(|serial| !sound(serial)) {
            return complain(format!("{serial:?} is no serial"));
        }
        if self.serials.len() > usize::from(devices) {
            return complain(format!("{} serials for {devices} devices", self.serials.len()));
        }
        if release(self.sdk).is_empty() {
            return complain(format!("API level {}: there are 28 to 36", self.sdk));
        }
        let known = |package: &str| self.apps.iter().any(|app| app.package() == package);
        if let Some(build) = self.builds.iter().find(|build| !known(&build.package)) {
            return complain(format!("a build of {}: no simulated app is called so", build.package));
        }
        match self.faults.complaint(&self.serials()) {
            Some(complaint) => complain(complaint),
            None => Ok(()),
        }
    }
}

impl Default for SimOptions {
    /// One device without apps, for apps with every defect, without latency, on free ports.
    fn default() -> Self {
        SimOptions {
            devices: 1,
            serials: Vec::new(),
            oddities: BTreeSet::new(),
            seed: 1,
            steady: false,
            root: false,
            apps: Vec::new(),
            defects: DefectSwitches::all(),
            builds: Vec::new(),
            latency: Latency::ZERO,
            faults: FaultPlan::default(),
            server_port: 0,
            adbd: false,
            adbd_port: 0,
            sdk: 33,
            framework: None,
            adb_keyboard: false,
            strict: false,
        }
    }
}

/// A running simulated lab; dropping it closes both doors and ends every stream.
pub struct SimLab {
    devices: Vec<Arc<SimDevice>>,
    server_addr: SocketAddr,
    journal: Arc<Journal>,
    server: Arc<Shared>,
    fault_log: Arc<FaultLog>,
    stop: CancellationToken,
    strict: bool,
}

impl SimLab {
    /// Most devices of one lab.
    pub const MAX_DEVICES: u16 = 64;

    /// Opens the doors on 127.0.0.1 and serves until dropped, on the runtime this is called on.
    ///
    /// # Errors
    /// A port is taken, or an option is out of range.
    pub async fn start(options: SimOptions) -> Result<SimLab, SimError> {
        options.check()?;
        let stop = CancellationToken::new();
        // If a later door cannot be opened, the guard ends what has been started.
        let guard = stop.clone().drop_guard();
        let (changes, _) = watch::channel(0);
        let journal = Arc::new(Journal::default());
        let fault_log = Arc::new(FaultLog::default());
        let mut devices = Vec::new();
        for (serial, number) in options.serials().into_iter().zip(1_u64..) {
            let shared = (changes.clone(), Arc::clone(&journal), stop.clone());
            let faults = Faults::new(&options.faults, &serial, number, Arc::clone(&fault_log));
            devices.push(device(&options, (serial, number), faults, shared).await?);
        }
        let listener = bind("the ADB server door", options.server_port).await?;
        let server_addr = address(&listener)?;
        if options.adbd {
            open_adbd_doors(&devices, options.adbd_port, server_addr, &stop).await?;
        }
        let faults = Faults::new(&options.faults, "server", 0, Arc::clone(&fault_log));
        let shared = Arc::new(Shared::new(devices.clone(), changes, faults, stop.clone()));
        tokio::spawn(server::serve(listener, server_addr, Arc::clone(&shared)));
        guard.disarm();
        let (server, strict) = (shared, options.strict);
        Ok(SimLab { devices, server_addr, journal, server, fault_log, stop, strict })
    }

    /// Where the ADB server door is: `adb -P PORT` or `ADB_SERVER_SOCKET`.
    pub fn server_addr(&self) -> SocketAddr {
        self.server_addr
    }

    /// Where `adb connect` finds each device; empty without adbd doors.
    pub fn adbd_addrs(&self) -> Vec<SocketAddr> {
        self.devices.iter().filter_map(|device| device.adbd_addr()).collect()
    }

    /// In the order of their serials' numbers.
    pub fn devices(&self) -> &[Arc<SimDevice>] {
        &self.devices
    }

    /// The first device of this serial.
    pub fn device(&self, serial: &str) -> Option<&Arc<SimDevice>> {
        self.devices.iter().find(|device| device.serial() == serial)
    }

    /// `SERIAL: COMMAND` for each command that no simulated device knew.
    pub fn unknown_commands(&self) -> Vec<String> {
        self.journal.list()
    }

    /// Like [`SimLab::unknown_commands`], but also forgets them: for a test that expects one.
    pub fn take_unknown_commands(&self) -> Vec<String> {
        self.journal.take()
    }

    /// The faults that struck so far, after the first `from`, in the order they did.
    pub fn struck(&self, from: usize) -> Vec<Injected> {
        self.fault_log.since(from)
    }

    /// Notified of how many faults have struck.
    pub fn striking(&self) -> watch::Receiver<usize> {
        self.fault_log.count()
    }

    /// Ends the ADB server and all its connections; it listens again after this time.
    pub fn restart_server(&self, away: Duration) {
        self.server.restart(away);
    }

    /// Pulls every plug and closes the doors.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for SimLab {
    fn drop(&mut self) {
        self.stop.cancel();
        let unknown = self.journal.list();
        if self.strict && !std::thread::panicking() {
            assert!(unknown.is_empty(), "commands no simulated device knows: {unknown:#?}");
        }
    }
}

impl fmt::Debug for SimLab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimLab").field("devices", &self.devices).field("server", &self.server_addr).finish()
    }
}

/// The model of what runs an app on Android's own classes.
const FRAMEWORK_LAB: &str = "Framework lab";

/// A device of the lab, with an app on Android's own classes where the options say so.
async fn device(
    options: &SimOptions,
    (serial, number): (String, u64),
    faults: Faults,
    shared: (watch::Sender<u64>, Arc<Journal>, CancellationToken),
) -> Result<Arc<SimDevice>, SimError> {
    let stop = shared.2.clone();
    let usual = PhoneOptions::default();
    let (apps, host, sdk) = match options.framework.clone() {
        None => (options.apps.clone(), None, options.sdk),
        Some(framework) => {
            let (size, density) = (usual.size, usual.density);
            let starting = stop.child_token();
            let started =
                tokio::task::spawn_blocking(move || Host::start(framework, size, density, starting));
            let (host, app, sdk) =
                started.await.map_err(|error| SimError::Framework(error.to_string()))??;
            (vec![app], Some(host), sdk)
        }
    };
    // Never called a device: whatever names it says what it is.
    let model = if host.is_some() { FRAMEWORK_LAB.to_owned() } else { usual.model.clone() };
    let phone = PhoneOptions {
        serial: serial.clone(),
        model,
        // Distinct from each other, also for adjacent seeds.
        seed: options.seed.wrapping_mul(1_000).wrapping_add(number),
        steady: options.steady,
        release: release(sdk).to_owned(),
        sdk,
        adb_keyboard: options.adb_keyboard,
        builds: options.builds.clone(),
        oddities: options.oddities.clone(),
        ..usual
    };
    let phone = Phone::new(phone, &apps, &options.defects);
    let mut latency = options.latency;
    if host.is_some() {
        // Such an app moves by itself.
        latency.reaction = Duration::ZERO;
    }
    let mut device = SimDevice::new(serial, number, latency, phone, faults, shared);
    device.slow = host.is_some();
    device.root = options.root;
    device.storage = host.clone().map(HostStorage::new);
    device.mutants = host.clone().map(MutantSwitches::of);
    let device = Arc::new(device);
    if let Some(host) = host {
        tokio::spawn(attend(host, Arc::clone(&device), stop));
    }
    Ok(device)
}

/// Opens a door for a genuine adb at each device: at free ports, or at those from `first` on.
async fn open_adbd_doors(
    devices: &[Arc<SimDevice>],
    first: u16,
    server_addr: SocketAddr,
    stop: &CancellationToken,
) -> Result<(), SimError> {
    for (device, offset) in devices.iter().zip(0..) {
        let port = match first {
            0 => 0,
            first => first
                .checked_add(offset)
                .ok_or_else(|| SimError::Option(format!("{first} is too high for the first adbd port")))?,
        };
        let listener = bind(&format!("the adbd door of {}", device.serial()), port).await?;
        device.adbd_addr.get_or_init(|| listener.local_addr().unwrap_or(server_addr));
        tokio::spawn(adbd::serve(listener, Arc::clone(device), stop.clone()));
    }
    Ok(())
}

/// A host that ends counts as a device that went away; it comes back with another host and its app
/// freshly installed.
async fn attend(host: Arc<Host>, device: Arc<SimDevice>, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return host.stop(),
            () = host.ended() => {}
        }
        device.unplug();
        tracing::warn!(device = device.serial(), "the framework's host ended; it is started again");
        let (starting, back) = (Arc::clone(&host), Arc::clone(&device));
        let started = tokio::task::spawn_blocking(move || {
            let outcome = starting.restart();
            back.with_phone(|phone| {
                phone.boot();
                phone.booted();
            });
            outcome
        });
        match started.await {
            Ok(Ok(())) => device.replug(),
            Ok(Err(error)) => {
                tracing::error!(device = device.serial(), %error, "the device stays away");
                return host.stop();
            }
            // The runtime ends.
            Err(_) => return host.stop(),
        }
    }
}

async fn bind(what: &str, port: u16) -> Result<TcpListener, SimError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|source| SimError::Bind {
        what: what.to_owned(),
        port,
        source,
    })
}

fn address(listener: &TcpListener) -> Result<SocketAddr, SimError> {
    let what = || "the ADB server door".to_owned();
    listener.local_addr().map_err(|source| SimError::Bind { what: what(), port: 0, source })
}

/// The version of Android as people write it; empty for a level that is not simulated.
fn release(sdk: u32) -> &'static str {
    match sdk {
        28 => "9",
        29 => "10",
        30 => "11",
        31 | 32 => "12",
        33 => "13",
        34 => "14",
        35 => "15",
        36 => "16",
        _ => "",
    }
}
