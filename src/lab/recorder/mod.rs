//! The recorder: a person performs a function of an app once, on a device, and gets its specification.
//!
//! In: what is to be recorded, then orders. Out: the specification as it grows, what its rehearsal showed, a file.
//! Stage, take, rehearsal and keeping serve `droidmux dmf record`, too; in a lab the recording lies in the studio,
//! where viewers see it, and a task (`performance`) holds the device.
//!
//! Invariants: one recording at a time; the device is leased during the performance, and is put right and given back
//! whatever happens; losing a device loses nothing of what was recorded.

mod error;
mod keeping;
mod performance;
mod rehearsal;
mod sheet;
mod stage;
mod studio;
mod take;

pub use error::RecorderError;
pub use keeping::{KeepError, keep, kept, remarks, with};
pub use rehearsal::{Rehearsal, rehearse};
pub use stage::{Performed, Shown, Stage};
pub use take::{Deed, Take};

pub(crate) use studio::Studio;

use std::sync::Arc;

use performance::Performance;

use super::Lab;
use super::roster::{FREE, Lease, Tenant};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_proto::{RecorderOpening, RecorderOrder, RecorderPhase, RecorderView};

impl Lab {
    /// Begins a recording, as soon as a device is free; otherwise says why it cannot. Must be called within the
    /// runtime.
    ///
    /// # Errors
    /// When one is under way, or there is no such device.
    pub fn open_recorder(&self, opening: RecorderOpening) -> Result<(), RecorderError> {
        let nameless = [&opening.app, &opening.datatype].into_iter().any(|text| text.trim().is_empty());
        if nameless {
            return Err(RecorderError::Nameless);
        }
        if self.halting.is_cancelled() || self.closing.is_cancelled() {
            return Err(RecorderError::Ending);
        }
        let serial = opening.serial.clone();
        let performance = Performance::new(self.clone(), opening);
        self.known(serial.as_deref())?;
        let orders = self.studio.open(performance.view(RecorderPhase::Opening))?;
        self.sessions.spawn(performance.run(serial, orders));
        Ok(())
    }

    /// Gives the recorder an order; otherwise says why it takes none.
    ///
    /// # Errors
    /// When nothing is recorded, or an order is being carried out.
    pub fn record(&self, order: RecorderOrder) -> Result<(), RecorderError> {
        self.studio.order(order)
    }

    /// Where the recording stands; `None` while nothing is recorded.
    pub fn recorder(&self) -> Option<RecorderView> {
        self.studio.view()
    }

    /// A layout of the recording, which no session has.
    pub(crate) fn recorded_layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.studio.layout(hash)
    }

    /// Whether there is the device that a person wants.
    fn known(&self, serial: Option<&str>) -> Result<(), RecorderError> {
        let known = self.roster.states();
        match serial {
            Some(serial) if !known.iter().any(|(other, _)| other == serial) => {
                Err(RecorderError::NoDevice { serial: serial.to_owned() })
            }
            None if known.is_empty() => Err(RecorderError::NoDevices),
            _ => Ok(()),
        }
    }

    /// Leases the device of this serial, or any, for a person, once it is free.
    async fn borrow(&self, serial: Option<&str>) -> Lease {
        self.roster.lend_by_hand(Tenant::Recorder, |other| serial.is_none_or(|serial| serial == other)).await
    }

    /// Why a person must wait for a device; empty when one is free.
    fn waits_for(&self, serial: Option<&str>) -> String {
        let fits = |other: &str| serial.is_none_or(|serial| serial == other);
        let states: Vec<_> = self.roster.holders().into_iter().filter(|(serial, _)| fits(serial)).collect();
        if states.iter().any(|(_, state)| state == FREE) {
            return String::new();
        }
        let words: Vec<_> = states.iter().map(|(serial, state)| format!("{serial} is {state}")).collect();
        format!("waiting for a device; sessions leave theirs between jobs: {}", words.join(", "))
    }
}
