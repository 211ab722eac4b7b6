//! The phones of a host: which there are, what they are, and which lab has them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use droidmux_device::adb::{AdbDevice, DeviceEntry, Server};
use droidmux_device::{Device, DeviceErrorKind, LeaseNote, Patience};
use droidmux_record::DeviceInfo;

use super::Host;
use crate::frame::Id;
use crate::kept::{Kept, SENT};
use crate::packing::{MOST_KNOWN, PackError, body, pack_body};
use crate::wire::{Answer, PhoneWords, Reply, Request, ShortcomingWire};

/// The wait between two attempts to reach an ADB server that went away.
const RETRY: Duration = Duration::from_secs(1);
/// How long the answer to what a phone is may take.
const INFO_WITHIN: Duration = Duration::from_secs(20);
/// The wait before that is asked again.
const INFO_AGAIN: Duration = Duration::from_secs(10);
/// A list comes when it changes.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);
/// The longest that a note on a phone keeps other labs away.
const LONGEST_LEASE: u64 = 600;

pub(super) struct Phones {
    server: Server,
    known: Mutex<Known>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Known {
    phones: BTreeMap<String, Phone>,
    /// As the server lists them.
    order: Vec<String>,
    /// Why there are none.
    trouble: String,
}

struct Phone {
    device: Arc<dyn Device>,
    state: String,
    info: Option<DeviceInfo>,
    holder: Option<Holder>,
    /// Screens that labs have been sent.
    kept: Kept,
}

/// The lab that has a phone, by the note that it wrote through this host.
struct Holder {
    client: String,
    whose: String,
    since: Instant,
    until: Instant,
}

impl Phones {
    pub(super) fn new(server: Server) -> Self {
        Self { server, known: Mutex::default(), changed: watch::Sender::new(()) }
    }

    /// Changes whenever there is something new to say of them.
    pub(super) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Why there are none, and those that there are.
    pub(super) fn words(&self) -> (String, Vec<PhoneWords>) {
        let known = self.known();
        let phone = |serial: &String| {
            known.phones.get(serial).map(|phone| PhoneWords {
                serial: serial.clone(),
                state: phone.state.clone(),
                info: phone.info.clone(),
            })
        };
        (known.trouble.clone(), known.order.iter().filter_map(phone).collect())
    }

    /// A phone that takes commands.
    pub(super) fn phone(&self, serial: &str, host: &str) -> Result<Arc<dyn Device>, DeviceErrorKind> {
        let known = self.known();
        let gone = || DeviceErrorKind::Lost(format!("host {host} has no phone of this name"));
        if !known.trouble.is_empty() {
            return Err(DeviceErrorKind::NoServer(format!("{} of host {host}", self.server.address())));
        }
        let phone = known.phones.get(serial).filter(|_| known.order.iter().any(|listed| listed == serial));
        let phone = phone.ok_or_else(gone)?;
        match phone.state.as_str() {
            "device" => Ok(phone.device.clone()),
            state => Err(DeviceErrorKind::Lost(format!("the ADB server of host {host} says: {state}"))),
        }
    }

    /// What people should know about a phone.
    pub(super) fn remarks(&self, serial: &str) -> (Vec<String>, Vec<ShortcomingWire>) {
        let device = self.known().phones.get(serial).map(|phone| phone.device.clone());
        device.map_or_else(Default::default, |device| {
            let shortcomings = device.shortcomings().into_iter().map(ShortcomingWire::from).collect();
            (device.remarks(), shortcomings)
        })
    }

    /// Packs a reply against what the asker has, and keeps it if it shows a screen.
    ///
    /// # Errors
    /// When it is too large to be sent.
    pub(super) fn pack(
        &self,
        id: Id,
        request: &Request,
        reply: &Reply,
        beside: &[Bytes],
    ) -> Result<Bytes, PackError> {
        let body = body(reply, beside)?;
        let (Ok(Answer::Observed(_) | Answer::Settled(_)), [screen]) = (&reply.done, beside) else {
            return pack_body(&body, &[]);
        };
        let mut known = self.known();
        let Some(phone) = known.phones.get_mut(&request.phone) else { return pack_body(&body, &[]) };
        let before = phone.kept.of(request.knows.get(..MOST_KNOWN).unwrap_or(&request.knows));
        phone.kept.keep(id, body.clone(), screen, SENT);
        drop(known);
        pack_body(&body, &before)
    }

    /// An error when another lab has the phone.
    pub(super) fn check_holder(&self, serial: &str, client: &str) -> Result<(), DeviceErrorKind> {
        let known = self.known();
        let holder = known.phones.get(serial).and_then(|phone| phone.holder.as_ref());
        match holder.filter(|holder| holder.client != client && holder.until > Instant::now()) {
            None => Ok(()),
            Some(holder) => Err(DeviceErrorKind::Leased {
                whose: holder.whose.clone(),
                age_s: holder.since.elapsed().as_secs(),
            }),
        }
    }

    /// A lab has written a note on a phone, or taken it away; `text` is what is there now.
    pub(super) fn note_holder(&self, serial: &str, client: &str, new: &str, clock: u64, text: &str) {
        let mut known = self.known();
        let Some(phone) = known.phones.get_mut(serial) else { return };
        let there = LeaseNote::read(text);
        let ours = LeaseNote::read(new).zip(there.as_ref()).filter(|(new, there)| new.token == there.token);
        match ours {
            Some((note, _)) => {
                let left = note.expires.saturating_sub(clock).min(LONGEST_LEASE);
                let now = Instant::now();
                let since = phone.holder.as_ref().filter(|holder| holder.client == client);
                phone.holder = Some(Holder {
                    client: client.to_owned(),
                    whose: note.whose(),
                    since: since.map_or(now, |holder| holder.since),
                    until: now + Duration::from_secs(left),
                });
            }
            None if there.is_none() => phone.holder = None,
            None => {}
        }
    }

    /// Takes in what the server lists; returns the phones that are to be asked what they are.
    fn take(&self, entries: &[DeviceEntry]) -> Vec<(String, Arc<dyn Device>)> {
        let mut known = self.known();
        known.trouble.clear();
        known.order = entries.iter().map(|entry| entry.name.clone()).collect();
        let mut new = Vec::new();
        for entry in entries {
            let phone = known.phones.entry(entry.name.clone()).or_insert_with(|| Phone {
                device: Arc::new(AdbDevice::new(self.server.clone(), entry.name.as_str())),
                state: String::new(),
                info: None,
                holder: None,
                kept: Kept::default(),
            });
            if phone.state != entry.state && entry.is_ready() && phone.info.is_none() {
                new.push((entry.name.clone(), phone.device.clone()));
            }
            phone.state.clone_from(&entry.state);
        }
        drop(known);
        self.changed.send_replace(());
        new
    }

    fn lose_server(&self, why: String) {
        let mut known = self.known();
        known.trouble = why;
        known.order.clear();
        known.phones.values_mut().for_each(|phone| phone.state.clear());
        drop(known);
        self.changed.send_replace(());
    }

    fn describe(&self, serial: &str, info: DeviceInfo) {
        if let Some(phone) = self.known().phones.get_mut(serial) {
            phone.info = Some(info);
        }
        self.changed.send_replace(());
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host {
    /// Follows the ADB server's list until cancelled, through restarts of the server.
    pub(super) async fn track(self, cancel: CancellationToken) {
        let patience = Patience { within: FOR_EVER, cancel: cancel.clone() };
        while !cancel.is_cancelled() {
            let error = match self.inner.phones.server.track(&patience).await {
                Err(error) => error,
                Ok(mut tracker) => loop {
                    match tracker.next(&patience).await {
                        Err(error) => break error,
                        Ok(entries) => {
                            for (serial, device) in self.inner.phones.take(&entries) {
                                tokio::spawn(self.clone().ask_what(serial, device, cancel.clone()));
                            }
                        }
                    }
                },
            };
            if !cancel.is_cancelled() {
                tracing::warn!("{error}; trying again until it answers");
                self.inner.phones.lose_server(error.kind.to_string());
            }
            tokio::select! {
                () = cancel.cancelled() => {}
                () = tokio::time::sleep(RETRY) => {}
            }
        }
    }

    /// Asks a phone what it is, until it answers or is gone.
    async fn ask_what(self, serial: String, device: Arc<dyn Device>, cancel: CancellationToken) {
        while self.inner.phones.phone(&serial, self.name()).is_ok() && !cancel.is_cancelled() {
            let patience = Patience { within: INFO_WITHIN, cancel: cancel.clone() };
            match device.info(&patience).await {
                Ok(info) => return self.inner.phones.describe(&serial, info),
                Err(error) => tracing::info!("{error}"),
            }
            tokio::select! {
                () = cancel.cancelled() => {}
                () = tokio::time::sleep(INFO_AGAIN) => {}
            }
        }
    }
}
