//! The roster: every device the lab knows, who leases it, and how it does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::Hub;
use super::order::Order;
use crate::device::Device;
use crate::proto::DeviceHealth;
use crate::record::{DeviceInfo, SessionId};

/// Failures in a row after which a device is no longer leased until it has been away.
const TROUBLE_LIMIT: u32 = 3;

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
}

struct Unit {
    device: Arc<dyn Device>,
    /// ADB's state, `device` when it can be used.
    state: String,
    owner: Option<SessionId>,
    trouble: u32,
    sick: Option<String>,
}

/// An exclusive right to a device; dropping it gives the device back.
pub struct Lease {
    pub device: Arc<dyn Device>,
    serial: String,
    session: SessionId,
    roster: Roster,
}

impl Roster {
    pub(super) fn new(hub: Arc<Hub>) -> Self {
        let inner =
            Inner { units: Mutex::default(), order: Mutex::default(), changed: watch::Sender::new(0), hub };
        Self { inner: Arc::new(inner) }
    }

    /// Takes in what the ADB server lists now: (serial, state). Devices not listed are gone;
    /// `connect` makes a device when a serial is met for the first time.
    pub fn update(&self, listed: &[(String, String)], connect: impl Fn(&str) -> Arc<dyn Device>) {
        let mut units = self.units();
        for (serial, state) in listed {
            let unit = units.entry(serial.clone()).or_insert_with(|| Unit {
                device: connect(serial),
                state: String::new(),
                owner: None,
                trouble: 0,
                sick: None,
            });
            if unit.state != *state {
                self.log_state(serial, &unit.state, state);
                unit.state.clone_from(state);
                unit.trouble = 0;
                unit.sick = None;
            }
        }
        for (serial, unit) in units.iter_mut() {
            if !listed.iter().any(|(listed, _)| listed == serial) && unit.state != "gone" {
                self.log_state(serial, &unit.state, "gone");
                unit.state = "gone".into();
            }
        }
        self.show(&units);
        drop(units);
        self.notify();
    }

    /// Leases a free healthy device whose serial `fits`.
    pub fn lease(&self, session: SessionId, fits: impl Fn(&str) -> bool) -> Option<Lease> {
        let mut units = self.units();
        let order = self.order();
        let (serial, unit) = units.iter_mut().find(|(serial, unit)| {
            unit.state == "device"
                && unit.owner.is_none()
                && unit.sick.is_none()
                && fits(serial)
                && !order.outranked(session, serial)
        })?;
        drop(order);
        unit.owner = Some(session);
        let lease =
            Lease { device: unit.device.clone(), serial: serial.clone(), session, roster: self.clone() };
        self.show(&units);
        Some(lease)
    }

    /// Says how urgent a session is; it takes effect where a device is free, and between jobs.
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

    /// Serials and states of all devices met so far.
    pub fn states(&self) -> Vec<(String, String)> {
        let units = self.units();
        units
            .iter()
            .map(|(serial, unit)| {
                let state =
                    unit.sick.as_ref().map_or_else(|| unit.state.clone(), |why| format!("sick: {why}"));
                (serial.clone(), state)
            })
            .collect()
    }

    /// Changes whenever a device comes, goes, is given back or changes its health.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.inner.changed.subscribe()
    }

    fn units(&self) -> MutexGuard<'_, BTreeMap<String, Unit>> {
        self.inner.units.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Taken after `units` where both are.
    fn order(&self) -> MutexGuard<'_, Order> {
        self.inner.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self) {
        self.inner.changed.send_modify(|version| *version += 1);
    }

    fn log_state(&self, serial: &str, before: &str, now: &str) {
        match (before, now) {
            ("", _) => self.inner.hub.info(serial, &format!("found, {now}")),
            (_, "device") => self.inner.hub.info(serial, "back"),
            _ => self.inner.hub.warn(serial, &format!("now {now}, was {before}")),
        }
    }

    fn show(&self, units: &BTreeMap<String, Unit>) {
        let health = units.iter().map(|(serial, unit)| (serial.clone(), unit.health(), unit.owner)).collect();
        self.inner.hub.devices(health);
    }
}

impl Unit {
    fn health(&self) -> DeviceHealth {
        match (&self.sick, self.state.as_str(), self.owner) {
            (_, state, _) if state != "device" => DeviceHealth::Away(state.to_owned()),
            (Some(why), _, _) => DeviceHealth::Sick(why.clone()),
            (None, _, Some(_)) => DeviceHealth::Busy,
            (None, _, None) => DeviceHealth::Idle,
        }
    }
}

impl Lease {
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Whether a more urgent session waits for this device.
    pub fn is_outranked(&self) -> bool {
        self.roster.is_outranked(self.session, &self.serial)
    }

    /// Shows what the device says of itself.
    pub fn describe(&self, info: &DeviceInfo) {
        self.roster.inner.hub.describe(&self.serial, info);
    }

    /// A job went well: earlier trouble is forgotten.
    pub fn went_well(&self) {
        if let Some(unit) = self.roster.units().get_mut(&self.serial) {
            unit.trouble = 0;
        }
    }

    /// A job failed for a reason of the device. After three in a row the device counts as sick.
    /// True when it should be given back.
    pub fn had_trouble(&self, why: &str) -> bool {
        let mut units = self.roster.units();
        let Some(unit) = units.get_mut(&self.serial) else { return true };
        unit.trouble += 1;
        if unit.trouble < TROUBLE_LIMIT {
            return false;
        }
        unit.sick = Some(why.to_owned());
        self.roster.show(&units);
        true
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut units = self.roster.units();
        if let Some(unit) = units.get_mut(&self.serial) {
            unit.owner = None;
        }
        self.roster.show(&units);
        drop(units);
        self.roster.notify();
    }
}
