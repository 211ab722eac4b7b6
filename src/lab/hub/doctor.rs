//! What the doctor has found so far, while it runs.

use super::Hub;
use crate::journal::now_ms;
use droidmux_proto::{CheckView, DoctorView};

impl Hub {
    /// What the doctor found so far.
    pub fn doctor(&self) -> DoctorView {
        self.lock().doctor.clone()
    }

    /// The doctor starts afresh; returns false, and does nothing, while it is already under way.
    pub(crate) fn doctor_begins(&self) -> bool {
        let mut begins = false;
        self.change(|state| {
            begins = !state.doctor.running;
            if begins {
                state.doctor = DoctorView { at_ms: now_ms(), running: true, checks: Vec::new() };
                state.doctor_version += 1;
            }
        });
        begins
    }

    /// The doctor found more; this is the last of it when it is `done`.
    pub(crate) fn doctor_found(&self, checks: Vec<CheckView>, done: bool) {
        self.change(|state| {
            state.doctor.checks.extend(checks);
            state.doctor.checks.sort_by(|one, other| one.subject.cmp(&other.subject));
            state.doctor.running = !done;
            state.doctor_version += 1;
        });
    }
}
