//! All that the hub knows at one moment, and what viewers see of it.

use std::collections::BTreeMap;
use std::time::Instant;

use super::device::DeviceFeed;
use super::host::HostFeed;
use super::outlines::Outlines;
use super::screenshots::{Looks, Screenshots};
use super::session::SessionFeed;
use crate::journal::Journal;
use droidmux_gui::LayoutHash;
use droidmux_proto::{DoctorView, LabView, LogLens, SessionView};
use droidmux_record::{SessionId, TierCounts};

/// Devices, sessions, log and counters of one lab.
pub(super) struct State {
    pub(super) name: String,
    pub(super) devices: BTreeMap<String, DeviceFeed>,
    pub(super) hosts: BTreeMap<String, HostFeed>,
    pub(super) sessions: BTreeMap<SessionId, SessionFeed>,
    pub(super) screenshots: Screenshots<LayoutHash>,
    /// What any session of this lab photographed, whatever the session.
    pub(super) album: Screenshots<(LayoutHash, Looks)>,
    pub(super) outlines: Outlines,
    pub(super) journal: Journal,
    pub(super) findings_version: u64,
    pub(super) bookmarks_version: u64,
    pub(super) recorder: u64,
    /// What the doctor found last, and how often that changed.
    pub(super) doctor: DoctorView,
    pub(super) doctor_version: u64,
    pub(super) viewers: u32,
}

impl State {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            devices: BTreeMap::new(),
            hosts: BTreeMap::new(),
            sessions: BTreeMap::new(),
            screenshots: Screenshots::default(),
            album: Screenshots::default(),
            outlines: Outlines::default(),
            journal: Journal::default(),
            findings_version: 0,
            bookmarks_version: 0,
            recorder: 0,
            doctor: DoctorView::default(),
            doctor_version: 0,
            viewers: 0,
        }
    }

    /// What is kept of a device; if nothing is kept yet, it begins now.
    pub(super) fn device(&mut self, serial: &str) -> &mut DeviceFeed {
        self.devices.entry(serial.to_owned()).or_insert_with(|| DeviceFeed::new(serial))
    }

    /// What viewers see, but for the questions that wait.
    pub(super) fn view(&mut self) -> LabView {
        let now = Instant::now();
        let devices = self.devices.values_mut().map(|feed| feed.view(now)).collect();
        let hosts = self.hosts.iter().map(|(name, feed)| feed.view(name, now)).collect();
        let sessions: Vec<SessionView> = self.sessions.values_mut().map(|feed| feed.view(now)).collect();
        LabView {
            name: self.name.clone(),
            devices,
            hosts,
            questions: Vec::new(),
            findings: sessions.iter().fold(TierCounts::default(), |sum, one| sum.plus(one.findings)),
            sessions,
            findings_version: self.findings_version,
            bookmarks_version: self.bookmarks_version,
            doctor_version: self.doctor_version,
            log_lines: self.journal.len(),
            log_rows: self.journal.rows().len(&LogLens::default()),
            log_alarms: self.journal.alarms(),
            recorder: self.recorder,
            viewers: self.viewers,
        }
    }
}
