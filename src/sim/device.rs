//! One simulated device: a phone with its files, its plug and its faults.

use std::collections::BTreeSet;
use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::agent::Running;
use super::command::InstallSessions;
use super::data_files::DataCopies;
use super::fault::{Fault, Faults};
use super::files::{Files, HeldFiles};
use super::framework::{HostStorage, MutantSwitches, names_storage};
use super::hold::{HeldPhone, SharedPhone};
use super::{Latency, Observed, Phone};

/// How the ADB server sees a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// Ready for use; `device` in lists.
    Device,
    /// Plugged in but silent: the server refuses every request with `device offline`.
    Offline,
    /// Has not accepted the host's key: the server refuses, adbd asks for signatures without end.
    Unauthorized,
    /// Unplugged: absent from lists, every stream ended.
    Absent,
}

impl fmt::Display for LinkState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkState::Device => "device",
            LinkState::Offline => "offline",
            LinkState::Unauthorized => "unauthorized",
            LinkState::Absent => "absent",
        })
    }
}

/// A simulated device, shared by both doors and by the test that scripts it.
pub struct SimDevice {
    serial: String,
    /// Counts the devices from 1.
    pub(super) number: u64,
    pub(super) latency: Latency,
    phone: SharedPhone,
    files: Mutex<Files>,
    /// The shared storage of the framework's host, if its app runs there.
    pub(super) storage: Option<HostStorage>,
    /// The mutants of that app, if any were woven in.
    pub(super) mutants: Option<MutantSwitches>,
    install_sessions: Mutex<InstallSessions>,
    faults: Mutex<Faults>,
    link: Mutex<Link>,
    changes: watch::Sender<u64>,
    journal: Arc<Journal>,
    pub(super) adbd_addr: OnceLock<SocketAddr>,
    pub(super) reversed: Mutex<Vec<(String, String)>>,
    dumps: AtomicU64,
    /// Microseconds that commands were made to wait for [`Latency`].
    waited: AtomicU64,
    /// The dump given last.
    pub(super) last_dump: Mutex<Option<bytes::Bytes>>,
    /// Whether `su` makes anybody root.
    pub(super) root: bool,
    data_copies: Mutex<DataCopies>,
    /// Whether its commands may take long; if so, they run outside the async workers.
    pub(super) slow: bool,
    /// The resident agent, which alone may use UiAutomation while it runs.
    pub(super) agent: Mutex<Option<Running>>,
}

/// More than there can be devices.
const NUMBERS: u64 = 1_000;

struct Link {
    state: LinkState,
    /// The number of the present connection: another one each time the device comes back.
    transport_id: u64,
    /// Cancelled when the device is unplugged or stops being ready.
    session: CancellationToken,
    /// Cancelled when the shells that are open now end.
    shells: CancellationToken,
    /// Counts the state changes since the lab began: an ended absence must not end a later one.
    departure: u64,
    stop: CancellationToken,
}

impl SimDevice {
    pub(super) fn new(
        serial: String,
        number: u64,
        latency: Latency,
        phone: Phone,
        faults: Faults,
        shared: (watch::Sender<u64>, Arc<Journal>, CancellationToken),
    ) -> Self {
        let (changes, journal, stop) = shared;
        let session = stop.child_token();
        let shells = session.child_token();
        let link =
            Link { state: LinkState::Device, transport_id: number, session, shells, departure: 0, stop };
        SimDevice {
            serial,
            number,
            latency,
            phone: SharedPhone::new(phone, latency.reaction),
            files: Mutex::default(),
            storage: None,
            mutants: None,
            install_sessions: Mutex::default(),
            faults: Mutex::new(faults),
            link: Mutex::new(link),
            changes,
            journal,
            adbd_addr: OnceLock::new(),
            reversed: Mutex::default(),
            dumps: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            last_dump: Mutex::default(),
            root: false,
            data_copies: Mutex::default(),
            slow: false,
            agent: Mutex::default(),
        }
    }

    /// The switches of the mutants in its app; `None` where the app runs in no host of the framework lab.
    pub fn mutants(&self) -> Option<&MutantSwitches> {
        self.mutants.as_ref()
    }

    /// The serial at the server door; at the adbd door it is the address.
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Where a genuine `adb connect` finds this device; `None` without adbd doors.
    pub fn adbd_addr(&self) -> Option<SocketAddr> {
        self.adbd_addr.get().copied()
    }

    pub(super) fn data_copies(&self) -> MutexGuard<'_, DataCopies> {
        self.data_copies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long commands have been made to wait so far, as [`Latency`] says.
    pub fn waited(&self) -> Duration {
        Duration::from_micros(self.waited.load(Ordering::Relaxed))
    }

    pub(super) fn waits(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.waited.fetch_add(micros, Ordering::Relaxed);
    }

    /// Pulls the cable: lists no longer show the device and every open stream ends at once.
    pub fn unplug(&self) {
        self.set_state(LinkState::Absent);
    }

    /// Puts the cable back; the phone is as it was.
    pub fn replug(&self) {
        self.set_state(LinkState::Device);
    }

    /// Changes how the ADB server sees the device; open streams end.
    pub fn set_state(&self, state: LinkState) {
        self.set_state_counted(state);
    }

    /// As [`SimDevice::set_state`]; the number is for [`SimDevice::replug_after`].
    pub(super) fn set_state_counted(&self, state: LinkState) -> u64 {
        let departure = lock(&self.link).become_state(state);
        tracing::info!(device = self.serial(), ?state, "the connection to the device changes");
        self.changes.send_modify(|version| *version += 1);
        departure
    }

    /// Puts the cable back unless the state has changed since.
    pub(super) fn replug_after(&self, departure: u64) {
        let back = {
            let mut link = lock(&self.link);
            let same = link.departure == departure;
            if same {
                link.become_state(LinkState::Device);
            }
            same
        };
        if back {
            tracing::info!(device = self.serial(), "the device is back");
            self.changes.send_modify(|version| *version += 1);
        }
    }

    /// The number of its connection to the ADB server, which is another one each time it comes back.
    pub fn transport_id(&self) -> u64 {
        lock(&self.link).transport_id
    }

    /// The server counts anew.
    pub(super) fn renumber(&self, transport_id: u64) {
        lock(&self.link).transport_id = transport_id;
    }

    /// How the ADB server sees the device at this moment.
    pub fn state(&self) -> LinkState {
        lock(&self.link).state
    }

    /// Looks at or changes the phone itself; nothing else happens on it meanwhile.
    pub fn with_phone<T>(&self, use_it: impl FnOnce(&mut Phone) -> T) -> T {
        use_it(&mut self.phone())
    }

    /// Whether the screen shows the phone as it is: nothing is scheduled any more. Always so without
    /// [`Latency::reaction`].
    pub fn is_settled(&self) -> bool {
        self.phone().screen().next().is_none()
    }

    /// Ends when nothing is scheduled any more.
    pub async fn settled(&self) {
        let mut changes = self.screen_changes();
        loop {
            let Some(next) = self.phone().screen().next() else { return };
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                _ = changes.changed() => {}
            }
        }
    }

    /// How the dumps so far compare with what the screen came to show. Nothing that talks to the device as to a phone
    /// sees this.
    pub fn observed(&self) -> Observed {
        self.phone().observed()
    }

    /// Notified whenever something is done to the phone. While somebody listens, the screen is compared before and
    /// after.
    pub(super) fn screen_changes(&self) -> watch::Receiver<u64> {
        self.phone.changes()
    }

    /// The bytes of a file on the device.
    pub fn file(&self, path: &str) -> Option<bytes::Bytes> {
        self.files().read(path).ok()
    }

    pub(super) fn phone(&self) -> HeldPhone<'_> {
        self.phone.hold()
    }

    pub(super) fn files(&self) -> HeldFiles<'_> {
        HeldFiles::new(lock(&self.files), self.storage.as_ref())
    }

    /// Before somebody who says this looks at the files: what the app has changed in the shared storage meanwhile.
    pub(super) fn fetch(&self, said: &str) {
        if let Some(storage) = self.storage.as_ref().filter(|_| names_storage(said)) {
            storage.fetch(&mut lock(&self.files));
        }
    }

    pub(super) fn install_sessions(&self) -> MutexGuard<'_, InstallSessions> {
        lock(&self.install_sessions)
    }

    pub(super) fn faults(&self) -> MutexGuard<'_, Faults> {
        lock(&self.faults)
    }

    /// Whether [`Fault::AppMissing`] makes a package appear to be missing.
    pub(super) fn is_hidden(&self, package: &str) -> bool {
        lock(&self.faults).has(&Fault::AppMissing(package.to_owned()))
    }

    /// How many of `wanted` bytes still get out when the device is about to be lost.
    pub(super) fn allowance(&self, wanted: usize) -> Option<usize> {
        lock(&self.faults).allowance(wanted)
    }

    /// Cancelled when the present connection to the device ends; `None` when it is not ready.
    pub(super) fn session(&self) -> Option<CancellationToken> {
        let link = lock(&self.link);
        (link.state == LinkState::Device).then(|| link.session.clone())
    }

    /// Cancelled when the shells that are open now are killed.
    pub(super) fn shells(&self) -> CancellationToken {
        lock(&self.link).shells.clone()
    }

    pub(super) fn end_shells(&self) {
        let mut link = lock(&self.link);
        link.shells.cancel();
        link.shells = link.session.child_token();
    }

    /// Cancelled when the whole lab stops.
    pub(super) fn stopped(&self) -> CancellationToken {
        lock(&self.link).stop.clone()
    }

    /// Notified of every change to any device of the lab.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A different number each time.
    pub(super) fn next_number(&self) -> u64 {
        self.dumps.fetch_add(1, Ordering::Relaxed)
    }

    /// The commands it did not know, in alphabetic order.
    #[cfg(test)]
    pub(super) fn noted(&self) -> Vec<String> {
        self.journal.list()
    }

    pub(super) fn note_unknown(&self, command: &str) {
        self.journal.note(&self.serial, command);
    }

    /// What identifies the phone at both doors: product, model, device.
    pub(super) fn identity(&self) -> [String; 3] {
        let phone = self.phone();
        let properties = phone.properties();
        let get =
            |key: &str, default: &str| properties.get(key).cloned().unwrap_or_else(|| default.to_owned());
        [get("ro.product.name", "sim"), get("ro.product.model", "Sim Phone"), get("ro.product.device", "sim")]
    }
}

impl Link {
    /// Ends whatever is open and returns the number of this change.
    fn become_state(&mut self, state: LinkState) -> u64 {
        self.session.cancel();
        if self.state == LinkState::Absent && state != LinkState::Absent {
            // Unlike that of any other device.
            self.transport_id = self.transport_id.wrapping_add(NUMBERS);
        }
        self.state = state;
        self.session = self.stop.child_token();
        self.shells = self.session.child_token();
        self.departure += 1;
        self.departure
    }
}

impl fmt::Debug for SimDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimDevice").field("serial", &self.serial).field("state", &self.state()).finish()
    }
}

/// The commands no simulated device knew, each once, sorted by device.
#[derive(Debug, Default)]
pub(super) struct Journal {
    unknown: Mutex<BTreeSet<String>>,
}

impl Journal {
    const MAX: usize = 1_000;
    const MAX_LENGTH: usize = 300;

    fn note(&self, serial: &str, command: &str) {
        let mut unknown = lock(&self.unknown);
        if unknown.len() < Self::MAX {
            let command: String = command.chars().take(Self::MAX_LENGTH).collect();
            unknown.insert(format!("{serial}: {command}"));
        }
    }

    pub(super) fn list(&self) -> Vec<String> {
        lock(&self.unknown).iter().cloned().collect()
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.unknown)).into_iter().collect()
    }
}

/// A panic elsewhere must not take the whole lab down: the data is usable all the same.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
