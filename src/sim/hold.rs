//! The phone of a device while something uses it, with the dump of its current state.
//!
//! A screen is dumped at least twice to see that it is at rest. A phone answers the same as long as
//! nobody changes it, so the dump is made once and returned again until the phone is borrowed
//! mutably, or until what it draws moves on ([`Screen`]).

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::watch;
use tokio::task::block_in_place;
use tokio::time::Instant;

use super::Phone;
use super::device::lock;
use super::phone::DumpFault;
use super::screen::{Before, Observed, Screen};

/// A phone shared by all that talk to its device.
pub(super) struct SharedPhone {
    kept: Mutex<Kept>,
    /// Tells those who wait for the screen that something may have changed.
    changes: watch::Sender<u64>,
}

struct Kept {
    phone: Phone,
    screen: Screen,
    dump: Option<Result<Bytes, DumpFault>>,
    by_agent: Option<AgentDump>,
}

/// A dump by the resident agent, with what was asked for: the depth, and whether only the active window.
type AgentDump = ((usize, bool), Bytes);

/// A phone to which nothing else happens meanwhile.
pub(super) struct HeldPhone<'a> {
    kept: MutexGuard<'a, Kept>,
    changes: &'a watch::Sender<u64>,
    /// How it was when it was borrowed mutably.
    before: Option<Before>,
}

impl SharedPhone {
    /// A phone whose screen takes up to this long to react; zero: it changes at once.
    pub(super) fn new(phone: Phone, reaction: Duration) -> Self {
        let screen = Screen::new(phone.options().seed, reaction);
        let kept = Kept { phone, screen, dump: None, by_agent: None };
        Self { kept: Mutex::new(kept), changes: watch::channel(0).0 }
    }

    pub(super) fn hold(&self) -> HeldPhone<'_> {
        let mut kept = match self.kept.try_lock() {
            Ok(kept) => kept,
            Err(_) => apart(|| lock(&self.kept)),
        };
        kept.go_on();
        HeldPhone { kept, changes: &self.changes, before: None }
    }

    /// Notified whenever something is done to the phone. While somebody listens, the screen is compared before and
    /// after.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

impl Kept {
    /// Draws what is to be seen by now.
    fn go_on(&mut self) {
        if self.screen.go_on(Instant::now(), &mut self.phone) {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.dump = None;
        self.by_agent = None;
    }
}

/// Does work that may take long while the runtime's other work goes on.
pub(super) fn apart<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current() {
        Ok(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => block_in_place(work),
        _ => work(),
    }
}

impl HeldPhone<'_> {
    /// As [`Phone::dump`], but made once for each state of the phone.
    pub(super) fn dumped(&mut self) -> Result<Bytes, DumpFault> {
        let Kept { phone, dump, screen, .. } = &mut *self.kept;
        let dump = dump.get_or_insert_with(|| phone.dump().map(Bytes::from)).clone();
        if dump.is_ok() {
            screen.observe();
        }
        dump
    }

    /// As [`Phone::dump_by_agent`], but made again only for a different state or a different request.
    pub(super) fn dumped_by_agent(&mut self, depth: usize, only_active: bool) -> Bytes {
        let Kept { phone, by_agent, screen, .. } = &mut *self.kept;
        screen.observe();
        let asked = (depth, only_active);
        if let Some((_, known)) = by_agent.as_ref().filter(|(known, _)| *known == asked) {
            return known.clone();
        }
        let xml = Bytes::from(phone.dump_by_agent(depth, only_active));
        *by_agent = Some((asked, xml.clone()));
        xml
    }

    /// What the last toast said that was heard since [`HeldPhone::forget_toast`].
    pub(super) fn last_toast(&self) -> Option<String> {
        self.kept.screen.toast(&self.kept.phone)
    }

    /// A toast that the screen has yet to show is heard all the same.
    pub(super) fn forget_toast(&mut self) {
        let Kept { phone, screen, .. } = &mut *self.kept;
        screen.forget_toast(phone);
    }

    pub(super) fn screen(&self) -> &Screen {
        &self.kept.screen
    }

    /// How the observations so far compare with what was to be seen.
    pub(super) fn observed(&self) -> Observed {
        self.kept.screen.observed()
    }
}

impl Deref for HeldPhone<'_> {
    type Target = Phone;

    fn deref(&self) -> &Phone {
        &self.kept.phone
    }
}

impl DerefMut for HeldPhone<'_> {
    fn deref_mut(&mut self) -> &mut Phone {
        if self.before.is_none() {
            let looks = self.kept.screen.moves() || self.changes.receiver_count() > 0;
            self.before = Some(Before::new(&self.kept.phone, looks));
        }
        self.kept.forget();
        &mut self.kept.phone
    }
}

impl Drop for HeldPhone<'_> {
    fn drop(&mut self) {
        // After a panic the phone is as it is.
        let Some(before) = self.before.take().filter(|_| !std::thread::panicking()) else { return };
        let Kept { phone, screen, .. } = &mut *self.kept;
        screen.changed(before, Instant::now(), phone);
        self.changes.send_modify(|version| *version += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DefectSwitches, PhoneOptions};
    use droidmux_sim_apps as apps;

    #[test]
    fn a_dump_lasts_until_the_phone_changes() {
        let phone = Phone::new(PhoneOptions::default(), &apps::all(), &DefectSwitches::all());
        let shared = SharedPhone::new(phone, Duration::ZERO);
        let home = shared.hold().dumped().expect("a dump");
        assert_eq!(shared.hold().dumped().expect("a dump").as_ptr(), home.as_ptr(), "not made again");
        assert_eq!(shared.hold().dump().expect("a dump").as_bytes(), home);
        shared.hold().set_rotation(1);
        let turned = shared.hold().dumped().expect("a dump");
        assert_eq!(shared.hold().dump().expect("a dump").as_bytes(), turned);
        assert_ne!(turned, home);
        let by_agent = shared.hold().dumped_by_agent(255, true);
        assert_eq!(shared.hold().dumped_by_agent(255, true).as_ptr(), by_agent.as_ptr(), "not made again");
        assert_ne!(shared.hold().dumped_by_agent(1, true), by_agent, "another question");
        shared.hold().set_rotation(0);
        assert_ne!(shared.hold().dumped_by_agent(255, true), by_agent);
    }
}
