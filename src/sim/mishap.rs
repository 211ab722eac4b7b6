//! Faults as they strike a device.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::fault::{Fault, FaultRule, Occasion, Struck, Trouble, garbage};
use super::hold::HeldPhone;
use super::phone::{Condition, DumpFault};
use super::text::cut;
use super::{LinkState, SimDevice};

/// A phone is away at least this long, so that a tracker can see it go.
const SHORTEST_AWAY: Duration = Duration::from_millis(50);
/// How long a killed adbd takes to be back.
const ADBD_RESTART: Duration = Duration::from_millis(300);

/// The outcome of dumping the screen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Dumping {
    /// The dump; without `written` no file holds it, whatever the tool says.
    Done {
        xml: Bytes,
        written: bool,
    },
    Failed(DumpFault),
    /// The tool was killed.
    Killed,
}

impl SimDevice {
    /// From now on things go wrong this way: `times` times, or as [`FaultRule::new`] says, until
    /// [`SimDevice::heal`].
    pub fn inject(&self, fault: Fault, times: Option<u32>) {
        let rule = FaultRule::new(fault);
        let times = times.or(rule.times);
        self.inject_rule(FaultRule { times, ..rule });
    }

    /// As [`SimDevice::inject`], with everything a rule can say; the devices it names are ignored.
    pub fn inject_rule(&self, rule: FaultRule) {
        self.faults().add(rule);
    }

    /// This happens now, whatever the rules say. Faults of single requests and dumps do nothing here.
    pub fn befall(self: &Arc<Self>, fault: &Fault) {
        match fault {
            Fault::DiskFull => self.files().set_full(true),
            Fault::KillShell => self.end_shells(),
            Fault::KillAdbd => self.away(LinkState::Absent, Some(ADBD_RESTART)),
            Fault::Reboot { away, boot } => self.reboot(*away, *boot),
            Fault::Link { state, back_after } => self.away(*state, *back_after),
            Fault::Phone(condition) => self.with_phone(|phone| phone.suffer(condition)),
            _ => {}
        }
    }

    /// The phone gets into this condition.
    pub fn suffer(&self, condition: &Condition) {
        self.with_phone(|phone| phone.suffer(condition));
    }

    /// Ends all faults and conditions; an unplugged device stays unplugged.
    pub fn heal(&self) {
        self.faults().clear();
        self.files().set_full(false);
        self.with_phone(super::Phone::recover);
    }

    /// Counts a request: faults of the device take effect at once, and what is wrong with the
    /// request is returned.
    pub(super) fn request(self: &Arc<Self>) -> Trouble {
        let struck = self.faults().at(Occasion::Request);
        let mut trouble = Trouble::default();
        for one in &struck {
            self.befall(&one.fault);
            trouble.add(one);
        }
        trouble
    }

    /// Counts the start of an app that had no process; its process may end at once.
    pub(super) fn began_app(&self) {
        for struck in self.faults().at(Occasion::Start) {
            if let Fault::EndsAtStart(end) = struck.fault {
                self.suffer(&Condition::AppEnds(end));
            }
        }
    }

    /// Dumps the screen as `uiautomator` does.
    pub(super) fn dump(&self) -> Dumping {
        self.dump_as(|phone| phone.dumped())
    }

    /// Dumps the screen as the resident agent does.
    pub(super) fn dump_by_agent(&self, depth: usize, only_active: bool) -> Dumping {
        self.dump_as(|phone| Ok(phone.dumped_by_agent(depth, only_active)))
    }

    fn dump_as(&self, make: impl FnOnce(&mut HeldPhone<'_>) -> Result<Bytes, DumpFault>) -> Dumping {
        let struck = self.faults().at(Occasion::Dump).into_iter().next();
        match struck.as_ref().map(|struck| &struck.fault) {
            Some(Fault::DumpKilled) => return Dumping::Killed,
            Some(Fault::DumpNullRoot) => return Dumping::Failed(DumpFault::NoRoot),
            Some(Fault::DumpNoIdle) => return Dumping::Failed(DumpFault::NotIdle),
            _ => {}
        }
        let dumped = make(&mut self.phone());
        let xml = match dumped {
            Ok(xml) => xml,
            Err(fault) => return Dumping::Failed(fault),
        };
        let before = super::device::lock(&self.last_dump).replace(xml.clone());
        let Some(Struck { fault, draw }) = struck else { return Dumping::Done { xml, written: true } };
        let written = fault != Fault::DumpWithoutFile;
        let xml = match fault {
            Fault::DumpNeverSettles => unsettled(&xml, self.next_number()),
            Fault::DumpCut(at) => Bytes::from(cut(&String::from_utf8_lossy(&xml), at).to_owned()),
            Fault::DumpGarbled(bytes) => garbled(&xml, bytes, draw),
            Fault::DumpStale => before.unwrap_or(xml),
            _ => xml,
        };
        Dumping::Done { xml, written }
    }

    /// Ends the phone's processes and takes the device away for this long; for `boot` more it shows
    /// nothing.
    pub(super) fn reboot(self: &Arc<Self>, away: Duration, boot: Duration) {
        self.with_phone(super::Phone::boot);
        let device = Arc::clone(self);
        self.away(LinkState::Absent, Some(away));
        self.later(away.max(SHORTEST_AWAY) + boot, move || device.with_phone(super::Phone::booted));
    }

    fn away(self: &Arc<Self>, state: LinkState, back_after: Option<Duration>) {
        let departure = self.set_state_counted(state);
        if let Some(time) = back_after {
            let device = Arc::clone(self);
            self.later(time.max(SHORTEST_AWAY), move || device.replug_after(departure));
        }
    }

    /// Does this after a while, unless the lab stops first.
    fn later(&self, time: Duration, work: impl FnOnce() + Send + 'static) {
        let stopped = self.stopped();
        tokio::spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(time) => work(),
                () = stopped.cancelled() => {}
            }
        });
    }
}

/// The dump with one more root, which is different in every dump.
fn unsettled(xml: &[u8], number: u64) -> Bytes {
    let mut xml = String::from_utf8_lossy(xml).into_owned();
    if let Some(end) = xml.rfind("</hierarchy>") {
        let node = format!(
            "<node index=\"99\" text=\"{number}\" resource-id=\"\" class=\"android.widget.TextView\" package=\"\" \
             content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" \
             focusable=\"false\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" \
             selected=\"false\" bounds=\"[0,0][10,10]\" />"
        );
        xml.insert_str(end, &node);
    }
    xml.into()
}

/// The dump with some of its bytes changed, never to what they were.
fn garbled(xml: &[u8], count: usize, draw: u64) -> Bytes {
    let mut bytes = xml.to_vec();
    let drawn = garbage(count.min(bytes.len()).saturating_mul(8), draw);
    for place in drawn.chunks_exact(8) {
        let number = place.iter().fold(0_usize, |number, byte| number.wrapping_mul(257) ^ usize::from(*byte));
        let at = number % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(at) {
            // Never the same value as before.
            *byte = byte.wrapping_add(128 | place.first().copied().unwrap_or(1));
        }
    }
    bytes.into()
}
