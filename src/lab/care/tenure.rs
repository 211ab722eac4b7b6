//! A lease as other users and hosts see it: the note on the device, written, renewed and taken away.

use std::path::Path;
use std::time::Duration;

use rand::RngExt;
use tokio_util::sync::CancellationToken;

use droidmux_device::{Device, DeviceError, DeviceErrorKind, LeaseNote, LeaseState, Noted, Patience};
use droidmux_store::host_name;

use super::Terms;

/// The longest a request about the note may take.
const WITHIN: Duration = Duration::from_secs(5);

/// Who leases: this is in every note of this lab.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// `user@host`.
    pub(crate) owner: String,
    /// Stays the same after a restart of the lab; differs for every store.
    pub(crate) lab: String,
}

/// The right to a device, written on it.
#[derive(Clone, Debug)]
pub(crate) struct Tenure {
    note: LeaseNote,
    lease: Duration,
    settle: Duration,
}

/// How a tenure came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Free,
    /// The tenure is this lab's own, of a run that ended without giving the device back.
    Again,
    /// From others, whose lease had run out this many seconds before.
    Over(LeaseNote, u64),
    /// The device keeps no file; the tenure holds among this lab's sessions only.
    Unwritten,
}

/// What became of a tenure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Renewed {
    Held,
    /// The note is another lab's.
    Lost(LeaseNote),
}

impl Identity {
    pub(crate) fn of(store: &Path) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let user = variable("USER")
            .or_else(|| variable("LOGNAME"))
            .unwrap_or_else(|| format!("uid{}", rustix::process::getuid().as_raw()));
        let host = host_name();
        let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
        let place = format!("{host}\n{}\n{}", machine.trim(), store.display());
        let lab = blake3::hash(place.as_bytes()).to_hex().chars().take(16).collect();
        Self { owner: format!("{user}@{host}"), lab }
    }
}

impl Tenure {
    /// What is to tell a tenure from all others.
    pub(crate) fn new_token() -> String {
        format!("{:016x}", rand::rng().random::<u64>())
    }

    /// Takes a device, with this token. A stale lease of others is taken over: the attendant has watched it. `is_live` says
    /// whether a tenure of this lab with that token is in force, or about to be: then it is the same device, reached in two
    /// ways.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Leased`] when others have it, or were quicker just now.
    pub(crate) async fn take(
        device: &dyn Device,
        identity: &Identity,
        session: &str,
        terms: &Terms,
        token: String,
        is_live: &(dyn Fn(&str) -> bool + Sync),
        cancel: &CancellationToken,
    ) -> Result<(Self, Taken), DeviceError> {
        let patience = Patience { within: WITHIN, cancel: cancel.clone() };
        let before = device.noted(&patience).await?;
        let (seen, taken) = match before.standing(&identity.lab) {
            LeaseState::Held(note) => return Err(leased(device, &note, before.clock)),
            LeaseState::Free if before.text.is_empty() => (Some(""), Taken::Free),
            LeaseState::Free => (None, Taken::Free),
            LeaseState::Own(note) if is_live(&note.token) => {
                return Err(leased_by_us(device, &note, before.clock));
            }
            LeaseState::Own(_) => (Some(before.text.as_str()), Taken::Again),
            LeaseState::Expired(note) => {
                let ago = before.clock.saturating_sub(note.expires);
                (Some(before.text.as_str()), Taken::Over(note, ago))
            }
        };
        let note = LeaseNote {
            owner: identity.owner.clone(),
            lab: identity.lab.clone(),
            pid: std::process::id(),
            session: session.to_owned(),
            taken: before.clock,
            expires: before.clock.saturating_add(terms.lease.as_secs()),
            token,
        };
        // Not cancelled halfway: a note that nobody removes would stay on the device.
        let patience = Patience::of(WITHIN);
        let after = device.exchange_note(seen, &note.line(), terms.settle, &patience).await?;
        let tenure = Self { note, lease: terms.lease, settle: terms.settle };
        match after.note() {
            Some(there) if there.token == tenure.note.token => Ok((tenure, taken)),
            Some(there)
                if after.text != before.text && there.lab == identity.lab && is_live(&there.token) =>
            {
                Err(leased_by_us(device, &there, after.clock))
            }
            Some(there) if after.text != before.text && there.lab != identity.lab => {
                Err(leased(device, &there, after.clock))
            }
            _ => Ok((tenure, Taken::Unwritten)),
        }
    }

    /// What tells it from all others.
    pub(crate) fn token(&self) -> &str {
        &self.note.token
    }

    /// Extends the tenure by another term. A note that vanished is written again.
    ///
    /// # Errors
    /// When the device does not answer: nothing is known then.
    pub(crate) async fn renew(&mut self, device: &dyn Device) -> Result<Renewed, DeviceError> {
        let patience = Patience::of(WITHIN);
        let before = device.noted(&patience).await?;
        if let Some(there) = self.rival(&before) {
            return Ok(Renewed::Lost(there));
        }
        self.note.expires = before.clock.saturating_add(self.lease.as_secs());
        let seen = before.note().map(|_| before.text.as_str()).or(before.text.is_empty().then_some(""));
        let after = device.exchange_note(seen, &self.note.line(), self.settle, &patience).await?;
        Ok(self.rival(&after).map_or(Renewed::Held, Renewed::Lost))
    }

    /// Removes the note, if it is still this one.
    pub(crate) async fn withdraw(&self, device: &dyn Device) -> Result<(), DeviceError> {
        let patience = Patience::of(WITHIN);
        let before = device.noted(&patience).await?;
        let ours = before.note().is_some_and(|there| there.token == self.note.token);
        if ours {
            device.exchange_note(Some(&before.text), "", Duration::ZERO, &patience).await?;
        }
        Ok(())
    }

    /// A note of another lab.
    fn rival(&self, noted: &Noted) -> Option<LeaseNote> {
        noted.note().filter(|there| there.token != self.note.token && there.lab != self.note.lab)
    }
}

/// The same where it is this lab that has it, by another name.
fn leased_by_us(device: &dyn Device, note: &LeaseNote, clock: u64) -> DeviceError {
    let whose = format!("this lab under another name, {}", note.session);
    let kind = DeviceErrorKind::Leased { whose, age_s: note.age(clock) };
    DeviceError { serial: device.serial().to_owned(), what: "leasing it".into(), kind }
}

fn leased(device: &dyn Device, note: &LeaseNote, clock: u64) -> DeviceError {
    DeviceError {
        serial: device.serial().to_owned(),
        what: "leasing it".into(),
        kind: DeviceErrorKind::Leased { whose: note.whose(), age_s: note.age(clock) },
    }
}
