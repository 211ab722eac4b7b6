//! The roster: every device the lab knows, who leases it, and how it is doing.

mod lease;
mod tenant;
mod unit;
mod visits;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

pub use lease::Lease;
pub(crate) use tenant::Tenant;
use unit::{Fitness, Out, Unit};

use super::Hub;
use super::care::Terms;
use super::care::tenure::Identity;
use super::lacking::by_reason;
use super::order::Order;
use droidmux_device::Device;
use droidmux_device::adb::{Server, remedy};
use droidmux_record::{HostsChoice, SessionId, split_name};

/// The word for a device that nobody has.
pub(crate) const FREE: &str = "free";
/// A device as the doctor meets it.
pub(crate) struct Patient {
    pub(crate) serial: String,
    /// ADB's state.
    pub(crate) state: String,
    pub(crate) device: Arc<dyn Device>,
    /// Why it cannot be leased, where that is known.
    pub(crate) why: Option<String>,
}

/// Devices by serial; clones share it.
#[derive(Clone)]
pub struct Roster {
    inner: Arc<Inner>,
}

struct Inner {
    units: Mutex<BTreeMap<String, Unit>>,
    order: Mutex<Order>,
    changed: watch::Sender<u64>,
    hub: Arc<Hub>,
    identity: Identity,
    terms: Terms,
    /// Where its devices come from.
    servers: Mutex<Vec<Server>>,
    /// The tokens of the leases that are noted on devices.
    tokens: Mutex<BTreeSet<String>>,
    /// The pools of the hosts that they come from.
    pools: Mutex<BTreeMap<String, String>>,
}

impl Roster {
    pub(super) fn new(hub: Arc<Hub>, identity: Identity, terms: Terms) -> Self {
        let inner = Inner {
            units: Mutex::default(),
            order: Mutex::default(),
            changed: watch::Sender::new(0),
            hub,
            identity,
            terms,
            servers: Mutex::default(),
            tokens: Mutex::default(),
            pools: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Takes in what the ADB server lists now: (serial, state). Devices not listed are gone; `connect` makes a device
    /// the first time a serial is met. A device that appears is looked at before it is leased.
    pub fn update(&self, listed: &[(String, String)], connect: impl Fn(&str) -> Arc<dyn Device>) {
        self.update_host(None, listed, connect);
    }

    /// The same for the devices of one host: those of others stay as they are.
    pub(crate) fn update_host(
        &self,
        host: Option<&str>,
        listed: &[(String, String)],
        connect: impl Fn(&str) -> Arc<dyn Device>,
    ) {
        let mut units = self.units();
        for (serial, state) in listed {
            let unit = units.entry(serial.clone()).or_insert_with(|| Unit::new(connect(serial)));
            if unit.state != *state {
                // That a host is back was told for all of its devices.
                if unit.has_server() || host.is_none() || state != unit::READY {
                    self.log_state(serial, &unit.state, state);
                }
                let why = if unit.state.is_empty() { "found" } else { "back" };
                unit.state.clone_from(state);
                // A quarantine is served in full: devices that come and go are the reason for it.
                if !matches!(unit.fitness, Fitness::Out(Out::Quarantined { .. })) {
                    unit.unproven(why, Duration::ZERO);
                }
            }
        }
        for (serial, unit) in units.iter_mut() {
            let ours = unit.device.host() == host;
            if ours && !listed.iter().any(|(listed, _)| listed == serial) && unit.state != "gone" {
                self.log_state(serial, &unit.state, "gone");
                unit.state = "gone".into();
            }
        }
        self.show(&units);
        drop(units);
        self.notify();
    }

    /// Forgets the devices that are gone and that nobody leases, as if they had never been listed.
    pub fn forget_gone(&self) {
        let mut units = self.units();
        units.retain(|_, unit| unit.state != "gone" || unit.owner.is_some() || unit.visit.is_some());
        self.show(&units);
        drop(units);
        self.notify();
    }

    /// A host, or the ADB server of the only one, went away, and every device with it; says how many those are.
    pub(crate) fn lose_host(&self, host: Option<&str>) -> usize {
        let mut units = self.units();
        let theirs = units.values_mut().filter(|unit| unit.device.host() == host);
        let lost = theirs.map(Unit::lose_server).filter(|lost| *lost).count();
        self.show(&units);
        drop(units);
        self.notify();
        lost
    }

    /// Leases a free healthy device whose serial `fits`.
    pub fn lease(&self, session: SessionId, fits: impl Fn(&str) -> bool) -> Option<Lease> {
        self.lend(Tenant::Session(session), fits)
    }

    /// Leases a free healthy device whose serial `fits` to a session or to a person.
    pub(super) fn lend(&self, tenant: Tenant, fits: impl Fn(&str) -> bool) -> Option<Lease> {
        let mut units = self.units();
        let order = self.order();
        let outranked = |serial: &str| tenant.session().is_some_and(|id| order.outranked(id, serial));
        let (serial, unit) =
            units.iter_mut().find(|(serial, unit)| unit.is_free() && fits(serial) && !outranked(serial))?;
        drop(order);
        (unit.owner, unit.visit) = (Some(tenant), None);
        let lease = Lease::new(unit.device.clone(), serial, tenant, self.clone());
        self.show(&units);
        Some(lease)
    }

    /// Leases a device whose serial fits to a person, who waits until one is free: sessions give theirs up between
    /// jobs.
    pub(super) async fn lend_by_hand(&self, tenant: Tenant, fits: impl Fn(&str) -> bool) -> Lease {
        let mut changes = self.watch();
        let _wish = Wish(self);
        loop {
            if let Some(lease) = self.lend(tenant, &fits) {
                return lease;
            }
            let wanted: BTreeSet<String> =
                self.units().keys().filter(|serial| fits(serial)).cloned().collect();
            let is_news = self.order().want_by_hand(wanted);
            if is_news {
                self.notify();
            }
            // The sender lives as long as the roster.
            let _ = changes.changed().await;
        }
    }

    /// Says how urgent a session is; it takes effect when a device is free, and between jobs.
    pub fn prefer(&self, session: SessionId, priority: i32) {
        self.order().prefer(session, priority);
        self.notify();
    }

    /// Says that a session waits for devices whose serials fit, or for none.
    pub fn want(&self, session: SessionId, fits: Option<impl Fn(&str) -> bool>) {
        let units = self.units();
        let serials: BTreeSet<String> = match fits {
            Some(fits) => units.keys().filter(|serial| fits(serial)).cloned().collect(),
            None => BTreeSet::new(),
        };
        self.order().want(session, serials);
    }

    /// Whether a more urgent session waits for this device.
    pub fn is_outranked(&self, session: SessionId, serial: &str) -> bool {
        self.order().outranked(session, serial)
    }

    /// A session has ended.
    pub fn forget(&self, session: SessionId) {
        self.order().forget(session);
        self.notify();
    }

    /// Serials of all devices met so far with ADB's state, or why they are kept out.
    pub fn states(&self) -> Vec<(String, String)> {
        self.units().iter().map(|(serial, unit)| (serial.clone(), unit.words())).collect()
    }

    /// Serials of all devices met so far with who has them, else as [`Roster::states`].
    pub(super) fn holders(&self) -> Vec<(String, String)> {
        let units = self.units();
        let words = |unit: &Unit| match unit.owner {
            Some(tenant) if unit.is_ready() => format!("leased by {tenant}"),
            _ if unit.is_ready() && matches!(unit.fitness, Fitness::Unproven(_)) => {
                "not yet looked at".into()
            }
            _ if unit.is_free() => FREE.into(),
            _ => unit.words(),
        };
        units.iter().map(|(serial, unit)| (serial.clone(), words(unit))).collect()
    }

    /// Every device that is listed, for the doctor.
    pub(crate) fn patients(&self) -> Vec<Patient> {
        let units = self.units();
        let listed = units.iter().filter(|(_, unit)| unit.state != "gone");
        let patient = |(serial, unit): (&String, &Unit)| Patient {
            serial: serial.clone(),
            state: unit.state.clone(),
            device: unit.device.clone(),
            why: match (unit.owner, &unit.fitness) {
                (Some(owner), _) => Some(format!("{owner} works on it")),
                (None, Fitness::Fit) => None,
                (None, Fitness::Unproven(_)) => Some("the lab has not looked at it yet".into()),
                (None, Fitness::Out(_)) => Some(unit.words()),
            },
        };
        listed.map(patient).collect()
    }

    /// The servers that its devices come from, once they were looked at.
    pub(crate) fn servers(&self) -> Vec<Server> {
        self.inner.servers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// This roster's devices come from this server, too; false if that is known, by its host's name.
    pub fn comes_from(&self, server: &Server) -> bool {
        let mut servers = self.inner.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let new = !servers.iter().any(|known| known.host() == server.host());
        if new {
            servers.push(server.clone());
        }
        new
    }

    /// The hosts that its devices come from, with their pools.
    pub(crate) fn comes_from_hosts(&self, pools: BTreeMap<String, String>) {
        *self.inner.pools.lock().unwrap_or_else(PoisonError::into_inner) = pools;
    }

    /// Whether a device is of a host that a session chooses; all devices of this host are.
    pub(crate) fn is_chosen(&self, serial: &str, choice: &HostsChoice) -> bool {
        let (_, Some(host)) = split_name(serial) else { return true };
        if !choice.is_made() {
            return true;
        }
        let pools = self.inner.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let in_pool = choice.pool.is_empty() || pools.get(host) == Some(&choice.pool);
        in_pool && (choice.hosts.is_empty() || choice.hosts.iter().any(|chosen| chosen == host))
    }

    /// Changes whenever a device comes, goes, is given back or changes its health.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.inner.changed.subscribe()
    }

    /// What a session that finds no device waits for, among those that fit.
    pub(super) fn prospect(&self, session: SessionId, fits: impl Fn(&str) -> bool) -> Prospect {
        let units = self.units();
        let mut reasons = Vec::new();
        let (mut passing, mut refuses) = (Vec::new(), Vec::new());
        let (mut unproven, mut serverless) = (false, BTreeSet::new());
        for (serial, unit) in units.iter().filter(|(serial, _)| fits(serial)) {
            match (&unit.fitness, unit.owner) {
                (Fitness::Out(Out::Resting { why, passes: true, .. }), _) if unit.is_ready() => {
                    passing.push(format!("{serial} rests ({why})"));
                }
                (Fitness::Out(Out::Refuses(why)), _) if unit.is_ready() => {
                    refuses.push((serial.clone(), why.clone()))
                }
                (Fitness::Fit, Some(other)) if unit.is_ready() && other != Tenant::Session(session) => {
                    passing.push(format!("{serial} works for {other}"));
                }
                (Fitness::Unproven(_) | Fitness::Fit, _) if unit.is_ready() => unproven = true,
                _ if !unit.has_server() => {
                    serverless.insert(match unit.device.host() {
                        Some(host) => {
                            self.hub().host_trouble(host).unwrap_or_else(|| format!("{host} is away"))
                        }
                        None => "the ADB server does not answer".into(),
                    });
                }
                _ => reasons.push(format!("{serial} is {}", unit.words())),
            }
        }
        reasons.extend(serverless);
        if !refuses.is_empty() && reasons.is_empty() && passing.is_empty() && !unproven {
            return Prospect::Hopeless(by_reason(refuses).join("; "));
        }
        reasons.extend(by_reason(refuses));
        match (passing.as_slice(), unproven) {
            (_, true) => Prospect::Soon,
            ([], false) => Prospect::Open(reasons.join(", ")),
            (passing, false) => Prospect::Passing(passing.join(", ")),
        }
    }

    /// This roster, as long as somebody else keeps it.
    pub(super) fn weak(&self) -> impl Fn() -> Option<Self> + Send + use<> {
        let inner = Arc::downgrade(&self.inner);
        move || inner.upgrade().map(|inner| Self { inner })
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.inner.terms
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.inner.identity
    }

    pub(super) fn hub(&self) -> &Arc<Hub> {
        &self.inner.hub
    }

    fn tokens(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.inner.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn units(&self) -> MutexGuard<'_, BTreeMap<String, Unit>> {
        self.inner.units.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Taken after `units` if both are.
    fn order(&self) -> MutexGuard<'_, Order> {
        self.inner.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// ADB's word for a device; empty when it is not known.
    fn state_of(&self, serial: &str) -> String {
        self.units().get(serial).map(|unit| unit.state.clone()).unwrap_or_default()
    }

    /// Changes a unit, and notifies those who watch.
    fn change<T>(&self, serial: &str, change: impl FnOnce(&mut Unit) -> T) -> Option<T> {
        let mut units = self.units();
        let done = units.get_mut(serial).map(change);
        self.show(&units);
        drop(units);
        self.notify();
        done
    }

    fn notify(&self) {
        self.inner.changed.send_modify(|version| *version += 1);
    }

    fn log_state(&self, serial: &str, before: &str, now: &str) {
        let hub = self.hub();
        match (before, now) {
            ("", unit::READY) => hub.info(serial, "found"),
            (_, unit::READY) => hub.info(serial, "back"),
            ("", _) => hub.warn(serial, &format!("found, {now}: {}", remedy(now))),
            (_, "gone") => hub.warn(serial, &format!("now gone, was {before}")),
            _ => hub.warn(serial, &format!("now {now}, was {before}: {}", remedy(now))),
        }
    }

    fn show(&self, units: &BTreeMap<String, Unit>) {
        let shown = |(serial, unit): (&String, &Unit)| {
            (serial.clone(), unit.device.host().map(str::to_owned), unit.health(), unit.owner)
        };
        self.hub().devices(units.iter().map(shown).collect());
    }
}

/// Marks that a person waits for a device, until dropped.
struct Wish<'r>(&'r Roster);

impl Drop for Wish<'_> {
    fn drop(&mut self) {
        self.0.order().want_by_hand(BTreeSet::new());
        self.0.notify();
    }
}

/// What a session without a device may hope for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prospect {
    /// A device is being looked at this moment.
    Soon,
    /// What keeps the devices away passes by itself: it is worth any wait.
    Passing(String),
    /// Whether a device will come cannot be told; says why each device cannot be used now.
    Open(String),
    /// Each device refuses what is needed, until a person moves a switch on it; says which.
    Hopeless(String),
}
