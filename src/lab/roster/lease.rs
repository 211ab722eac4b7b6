//! Leases: exclusive among the sessions of this lab by the roster, and among labs by the note on the
//! device.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::unit::{Out, READY};
use super::{Roster, Tenant};
use crate::care::limits::{Limits, Rest};
use crate::care::tenure::{Renewed, Taken, Tenure};
use crate::journal::now_ms;
use droidmux_device::{Device, DeviceError, DeviceErrorKind};
use droidmux_record::DeviceInfo;

/// An exclusive right to a device; dropping it gives the device back.
pub struct Lease {
    /// The device that nobody else may act on meanwhile.
    pub device: Arc<dyn Device>,
    serial: String,
    tenant: Tenant,
    roster: Roster,
    /// The lease as it is noted on the device, once it is.
    tenure: Arc<Mutex<Option<Tenure>>>,
    /// Another lab took the device.
    lost: CancellationToken,
    over: CancellationToken,
}

impl Lease {
    pub(super) fn new(device: Arc<dyn Device>, serial: &str, tenant: Tenant, roster: Roster) -> Self {
        let (lost, over) = (CancellationToken::new(), CancellationToken::new());
        Self { device, serial: serial.to_owned(), tenant, roster, tenure: Arc::default(), lost, over }
    }

    /// The serial that ADB gives the device.
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Whether a more urgent session waits for this device.
    pub fn is_outranked(&self) -> bool {
        self.tenant.session().is_some_and(|session| self.roster.is_outranked(session, &self.serial))
    }

    /// Writes the lease on the device, for other users and hosts to see, and keeps it good until it
    /// is given back.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Leased`] when another lab has the device.
    pub(crate) async fn sign(&self, cancel: &CancellationToken) -> Result<(), DeviceError> {
        let session = self.tenant.to_string();
        let (identity, terms) = (self.roster.identity(), self.roster.terms());
        let is_live = |token: &str| self.roster.tokens().contains(token);
        // Known before it is written: the device may be reached in another way at this moment.
        let token = Tenure::new_token();
        self.roster.tokens().insert(token.clone());
        let taken =
            Tenure::take(&*self.device, identity, &session, terms, token.clone(), &is_live, cancel).await;
        if taken.is_err() {
            self.roster.tokens().remove(&token);
        }
        let (tenure, taken) = taken?;
        let hub = self.roster.hub();
        match taken {
            Taken::Free => {}
            Taken::Again => {
                hub.info(&self.serial, "taken up again: its lease was left by an earlier run of this lab")
            }
            Taken::Over(note, ago) => {
                let words = format!("taken over from {}, whose lease ran out {ago} s ago", note.whose());
                hub.warn(&self.serial, &words);
            }
            Taken::Unwritten => {
                hub.warn(
                    &self.serial,
                    "its lease cannot be written: other labs will not see that it is in use",
                );
            }
        }
        *self.tenure.lock().unwrap_or_else(PoisonError::into_inner) = Some(tenure.clone());
        tokio::spawn(self.keeper().keep(tenure));
        Ok(())
    }

    /// Ends when another lab has taken the device.
    pub(crate) async fn lost(&self) -> DeviceError {
        self.lost.cancelled().await;
        DeviceError {
            serial: self.serial.clone(),
            what: "holding its lease".into(),
            kind: DeviceErrorKind::Leased { whose: "another lab, which took it over".into(), age_s: 0 },
        }
    }

    /// Ends when the ADB server no longer lists the device as ready.
    pub(crate) async fn gone(&self) -> DeviceError {
        let mut changes = self.roster.watch();
        loop {
            let state = self.roster.state_of(&self.serial);
            if state != READY {
                let why = if state.is_empty() { "gone" } else { state.as_str() };
                let kind = DeviceErrorKind::Lost(format!("ADB says: {why}"));
                return DeviceError { serial: self.serial.clone(), what: "waiting".into(), kind };
            }
            if changes.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Whether another lab has taken the device.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.is_cancelled()
    }

    /// Takes the lease off the device; the roster has it back when the lease is dropped.
    pub(crate) async fn give_back(&self) {
        self.over.cancel();
        self.device.let_go();
        if let Some(tenure) = self.end_tenure()
            && let Err(error) = tenure.withdraw(&*self.device).await
        {
            tracing::info!("the lease on {} runs out by itself: {error}", self.serial);
        }
    }

    /// How often the device is checked between jobs.
    pub(crate) fn checkup_every(&self) -> Duration {
        self.roster.terms().checkup
    }

    /// Shows what the device says of itself.
    pub fn describe(&self, info: &DeviceInfo) {
        self.roster.hub().describe(&self.serial, info);
    }

    /// A job went well: earlier trouble is forgotten.
    pub fn went_well(&self) {
        self.roster.change(&self.serial, |unit| unit.trouble.forget());
    }

    /// A job failed because of the device: the device must be given back, and is looked at before anybody leases it
    /// again; after repeated trouble, only once a quarantine is over.
    pub fn had_trouble(&self, error: &DeviceError) {
        let (why, soon) = (error.kind.to_string(), self.roster.terms().soon);
        self.roster.change(&self.serial, |unit| match &error.kind {
            // These failures are not the device's fault.
            DeviceErrorKind::Cancelled
            | DeviceErrorKind::NotInstalled(_)
            | DeviceErrorKind::Misplaced(_)
            | DeviceErrorKind::Refused { .. } => {}
            kind if kind.is_serverless() => unit.unproven("no ADB server", soon),
            // The next look will show whether the device or the server went away.
            DeviceErrorKind::Lost(_) => {
                unit.unproven("lost", soon);
                unit.suspected = unit.has_server().then_some(why);
            }
            DeviceErrorKind::Leased { whose, age_s } => {
                let since_ms = now_ms().saturating_sub(age_s.saturating_mul(1_000));
                let elsewhere = Out::Elsewhere { whose: whose.clone(), since_ms };
                unit.out(elsewhere, self.roster.terms().rest);
            }
            DeviceErrorKind::NotReady(_) => unit.out(Out::Sick(why), soon),
            _ => self.roster.trouble(&self.serial, unit, &why),
        });
    }

    /// The device must rest before it works on.
    pub(crate) fn rests(&self, rest: Rest, limits: Limits) {
        let Rest { why, passes } = rest;
        self.roster.hub().warn(&self.serial, &format!("resting: {why}"));
        let out = Out::Resting { why, limits, passes };
        self.roster.change(&self.serial, |unit| unit.out(out, self.roster.terms().rest));
    }

    /// What was noted on the device, which is to be withdrawn.
    fn end_tenure(&self) -> Option<Tenure> {
        let tenure = self.tenure.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        self.roster.tokens().remove(tenure.token());
        Some(tenure)
    }

    fn keeper(&self) -> Keeper {
        Keeper {
            device: self.device.clone(),
            serial: self.serial.clone(),
            roster: self.roster.clone(),
            lost: self.lost.clone(),
            over: self.over.clone(),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.over.cancel();
        self.device.let_go();
        let idle = self.roster.terms().idle;
        self.roster.change(&self.serial, |unit| {
            unit.owner = None;
            unit.visit.get_or_insert_with(|| Instant::now() + idle);
        });
        // A lease dropped in the middle of something still removes its note.
        if let (Some(tenure), Ok(runtime)) = (self.end_tenure(), tokio::runtime::Handle::try_current()) {
            let device = self.device.clone();
            runtime.spawn(async move { tenure.withdraw(&*device).await });
        }
    }
}

/// Renews a tenure while its lease lasts.
struct Keeper {
    device: Arc<dyn Device>,
    serial: String,
    roster: Roster,
    lost: CancellationToken,
    over: CancellationToken,
}

impl Keeper {
    async fn keep(self, mut tenure: Tenure) {
        loop {
            tokio::select! {
                () = self.over.cancelled() => return,
                () = tokio::time::sleep(self.roster.terms().renewal) => {}
            }
            let renewed = tokio::select! {
                () = self.over.cancelled() => return,
                renewed = tenure.renew(&*self.device) => renewed,
            };
            match renewed {
                Ok(Renewed::Held) => {}
                Ok(Renewed::Lost(note)) => {
                    let words = format!("taken over by {}, which found the lease expired", note.whose());
                    self.roster.hub().error(&self.serial, &words);
                    return self.lost.cancel();
                }
                // Whoever works on the device learns it as well.
                Err(error) => tracing::info!("a lease was not renewed: {error}"),
            }
        }
    }
}
