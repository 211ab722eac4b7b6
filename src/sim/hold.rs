//! The phone of a device while something uses it, with the dump of its current state.
//!
//! A screen is dumped at least twice to see that it is at rest. A phone answers the same as long as
//! nobody changes it, so the dump is made once and returned again until the phone is borrowed
//! mutably.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};

use bytes::Bytes;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use super::Phone;
use super::device::lock;
use super::phone::DumpFault;

/// A phone shared by all that talk to its device.
pub(super) struct SharedPhone(Mutex<Kept>);

struct Kept {
    phone: Phone,
    dump: Option<Result<Bytes, DumpFault>>,
    by_agent: Option<AgentDump>,
}

/// A dump by the resident agent, with what was asked for: the depth, and whether only the active window.
type AgentDump = ((usize, bool), Bytes);

/// A phone to which nothing else happens meanwhile.
pub(super) struct HeldPhone<'a>(MutexGuard<'a, Kept>);

impl SharedPhone {
    pub(super) fn new(phone: Phone) -> Self {
        Self(Mutex::new(Kept { phone, dump: None, by_agent: None }))
    }

    pub(super) fn hold(&self) -> HeldPhone<'_> {
        match self.0.try_lock() {
            Ok(kept) => HeldPhone(kept),
            Err(_) => HeldPhone(apart(|| lock(&self.0))),
        }
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
        let Kept { phone, dump, .. } = &mut *self.0;
        dump.get_or_insert_with(|| phone.dump().map(Bytes::from)).clone()
    }

    /// As [`Phone::dump_by_agent`], but made again only for a different state or a different request.
    pub(super) fn dumped_by_agent(&mut self, depth: usize, only_active: bool) -> Bytes {
        let Kept { phone, by_agent, .. } = &mut *self.0;
        let asked = (depth, only_active);
        if let Some((_, known)) = by_agent.as_ref().filter(|(known, _)| *known == asked) {
            return known.clone();
        }
        let xml = Bytes::from(phone.dump_by_agent(depth, only_active));
        *by_agent = Some((asked, xml.clone()));
        xml
    }
}

impl Deref for HeldPhone<'_> {
    type Target = Phone;

    fn deref(&self) -> &Phone {
        &self.0.phone
    }
}

impl DerefMut for HeldPhone<'_> {
    fn deref_mut(&mut self) -> &mut Phone {
        self.0.dump = None;
        self.0.by_agent = None;
        &mut self.0.phone
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
        let shared = SharedPhone::new(phone);
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
