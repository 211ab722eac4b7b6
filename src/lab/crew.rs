//! The crew of a session: its workers and the devices they lease.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use super::roster::Prospect;
use super::worker::{Assignment, Report, Site, work};
use super::{LabError, Mode, Roster};
use crate::device::DeviceErrorKind;
use crate::record::{JobRun, Slot};

/// How long workers may take to put their devices back when the session ends: a stop shall be over
/// within 10 s, whatever a device does.
const FAREWELL: Duration = Duration::from_secs(9);

pub(super) struct Crew {
    site: Site,
    roster: Roster,
    /// Devices at most.
    most: usize,
    reports: mpsc::Receiver<Report>,
    /// Workers by serial, idle or not; a worker ends when its hand is dropped.
    hands: BTreeMap<String, mpsc::Sender<Assignment>>,
    idle: BTreeSet<String>,
    /// Workers that are leased and not yet ready, or working, or idle.
    staffed: usize,
    tasks: TaskTracker,
    /// Devices without the app, or with another system than before.
    unfit: BTreeMap<String, DeviceErrorKind>,
    trouble: String,
    alone_since: Option<Instant>,
}

/// What a worker's report means for the session.
pub(super) enum Change {
    Nothing,
    Finished(Box<JobRun>),
    /// The job must be run again.
    Broken {
        slot: Slot,
        last: String,
    },
}

impl Crew {
    /// `most` devices at the same time, 0 for all there are.
    pub(super) fn new(site: Site, roster: Roster, most: usize, reports: mpsc::Receiver<Report>) -> Self {
        Self {
            site,
            roster,
            most: if most == 0 { usize::MAX } else { most },
            reports,
            hands: BTreeMap::new(),
            idle: BTreeSet::new(),
            staffed: 0,
            tasks: TaskTracker::new(),
            unfit: BTreeMap::new(),
            trouble: String::new(),
            alone_since: None,
        }
    }

    /// Leases free devices while more jobs wait than there are idle workers.
    pub(super) fn staff(&mut self, waiting: usize) {
        self.yield_idle();
        let session = self.site.session;
        let mut lacking = waiting.saturating_sub(self.idle.len());
        while lacking > 0 && self.staffed < self.most {
            let Some(lease) = self.roster.lease(session, |serial| self.fits(serial)) else { break };
            lacking -= 1;
            self.staffed += 1;
            self.tasks.spawn(work(self.site.clone(), lease));
        }
        let wants = lacking > 0 && self.staffed < self.most && self.site.gate.mode() != Mode::Pause;
        self.roster.want(session, wants.then_some(|serial: &str| self.fits(serial)));
    }

    /// Gives a job to an idle worker; false when there is none.
    pub(super) fn hand(&mut self, assignment: Assignment) -> bool {
        let Some(serial) = self.idle.pop_first() else { return false };
        self.hands.get(&serial).is_some_and(|hand| hand.try_send(assignment).is_ok())
    }

    /// The next thing a worker has to say.
    pub(super) async fn next(&mut self) -> Result<Change, LabError> {
        let report = match self.reports.recv().await {
            Some(report) => report,
            // Not while the crew lives: its site holds a sender.
            None => std::future::pending().await,
        };
        self.site.hub.queues.reports.saw(self.reports.len().saturating_add(1));
        Ok(match report {
            Report::Ready { serial, hand } => {
                self.hands.insert(serial.clone(), hand);
                self.idle.insert(serial);
                Change::Nothing
            }
            Report::Finished { serial, run, leaving } => {
                if leaving {
                    self.leave(&serial);
                } else {
                    self.idle.insert(serial);
                }
                Change::Finished(run)
            }
            Report::Broken { serial, slot, error } => {
                self.trouble = error.to_string();
                self.leave(&serial);
                Change::Broken { slot, last: self.trouble.clone() }
            }
            Report::Unfit { serial, error } => {
                self.trouble = error.to_string();
                if let DeviceErrorKind::NotInstalled(_) | DeviceErrorKind::OtherBuild { .. } = error.kind {
                    self.unfit.insert(serial.clone(), error.kind);
                }
                self.leave(&serial);
                Change::Nothing
            }
            Report::Leaving { serial } => {
                self.leave(&serial);
                Change::Nothing
            }
            Report::Failed { error } => return Err(error),
        })
    }

    /// Until when work may wait for a device, `None` while a person's pause holds; an error when that
    /// has passed, or when no device of this session has the app.
    pub(super) fn limit(&mut self, has_work: bool) -> Result<Option<Instant>, LabError> {
        let (hub, session) = (&self.site.hub, self.site.session);
        if self.staffed > 0 || !has_work {
            self.alone_since = None;
            hub.alone(session, None);
            return Ok(None);
        }
        if self.site.gate.mode() == Mode::Pause {
            // It needs none now: who pauses may take the devices away, or start the host again.
            self.alone_since = None;
            return Ok(None);
        }
        let others = self.roster.states().into_iter().any(|(serial, _)| !self.unfit.contains_key(&serial));
        if !self.unfit.is_empty() && !others {
            return Err(self.none_fits());
        }
        let open = match self.roster.prospect(session, |serial| self.fits(serial)) {
            Prospect::Passing(why) => {
                hub.alone(session, Some(&why));
                self.alone_since = None;
                return Ok(None);
            }
            Prospect::Open(why) => Some(why),
            Prospect::Soon => None,
        };
        if let Some(why) = open {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            hub.alone(session, Some(&format!("waiting for a device{why}")));
        }
        let patience = Duration::from_secs(self.site.definition.run.patience.into());
        let since = *self.alone_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= patience {
            let last = match self.trouble.as_str() {
                "" => String::new(),
                trouble => format!("; the last trouble was: {trouble}"),
            };
            return Err(LabError::NoDevice { waited: patience.as_secs(), last });
        }
        Ok(Some(since + patience))
    }

    /// Lets every worker put its device back and leave.
    pub(super) async fn disband(&mut self) {
        self.hands.clear();
        self.reports.close();
        self.tasks.close();
        if tokio::time::timeout(FAREWELL, self.tasks.wait()).await.is_err() {
            self.site.hub.warn(&self.site.session.to_string(), "a device could not be put back in time");
        }
    }

    /// Whether this session may use a device.
    fn fits(&self, serial: &str) -> bool {
        let serials = &self.site.definition.lab.serials;
        !self.unfit.contains_key(serial) && (serials.is_empty() || serials.iter().any(|s| s == serial))
    }

    /// Leaves idle devices to more urgent sessions that wait for them.
    fn yield_idle(&mut self) {
        let (roster, session) = (&self.roster, self.site.session);
        let wanted: Vec<String> =
            self.idle.iter().filter(|serial| roster.is_outranked(session, serial)).cloned().collect();
        for serial in wanted {
            self.site.hub.info(&serial, "left to a more urgent session");
            self.leave(&serial);
        }
    }

    /// Why no device can be used.
    fn none_fits(&self) -> LabError {
        let installed = |kind: &DeviceErrorKind| !matches!(kind, DeviceErrorKind::NotInstalled(_));
        if self.unfit.values().any(installed) {
            let reasons = self.unfit.iter().map(|(serial, kind)| format!("{serial}: {kind}"));
            return LabError::NoneFits(reasons.collect::<Vec<_>>().join("; "));
        }
        let serials: Vec<&str> = self.unfit.keys().map(String::as_str).collect();
        LabError::NotInstalled { app: self.site.definition.app.clone(), serials: serials.join(", ") }
    }

    fn leave(&mut self, serial: &str) {
        self.idle.remove(serial);
        self.hands.remove(serial);
        self.staffed = self.staffed.saturating_sub(1);
    }
}
