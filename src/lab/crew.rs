//! The crew of a session: its workers and the devices they lease. What workers report becomes events
//! for the session's core; which job goes where is decided there.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;

use super::lacking::by_reason;
use super::roster::Prospect;
use super::session::{Cause, Event, Outlook, has_timed_out};
use super::worker::{Assignment, Report, Site, work};
use super::{LabError, Mode, Roster, at_desk};
use droidmux_device::DeviceErrorKind;
use droidmux_device::adb::agent::AgentError;
use droidmux_record::{JobRun, is_called};

/// How long workers may take to put their devices back when the session ends: a stop must be over within 10 s, whatever
/// a device does.
const FAREWELL: Duration = Duration::from_secs(9);

/// After so many in a row a device is out of the question for a session: what it refuses, and commands that fail while it
/// is made ready. Once is not enough, since a system that has just started refuses things, too.
const MOST_REFUSALS: u32 = 2;
const MOST_FAILURES: u32 = 3;

pub(super) struct Crew {
    site: Site,
    roster: Roster,
    /// The most devices at a time.
    most: usize,
    reports: mpsc::Receiver<Report>,
    /// Leased devices.
    staff: BTreeSet<String>,
    /// How jobs reach the devices that have been ready; a worker ends when its hand is dropped.
    hands: BTreeMap<String, mpsc::Sender<Assignment>>,
    idle: BTreeSet<String>,
    tasks: TaskTracker,
    /// Devices without the app, with another system than before, or that refuse what is needed.
    unfit: BTreeMap<String, DeviceErrorKind>,
    /// How often devices refused something, or could not be made ready, since their last job.
    cannot: BTreeMap<String, u32>,
    /// The last error of a device.
    trouble: String,
    /// The resident agent was on a device, or is not wanted.
    has_agent: bool,
    /// Where it was missing last.
    lacks_agent: Option<LacksAgent>,
}

/// A device without the resident agent that its session wants.
#[derive(Clone, Debug, Error)]
#[error("{serial}: {error}")]
pub(super) struct LacksAgent {
    serial: String,
    error: AgentError,
}

/// What a worker's report means for the session.
pub(super) struct News {
    pub(super) event: Event,
    /// Comes with [`Event::Finished`].
    pub(super) run: Option<Box<JobRun>>,
}

impl From<Event> for News {
    fn from(event: Event) -> Self {
        Self { event, run: None }
    }
}

impl Crew {
    /// `most` devices at the same time, 0 for all there are.
    pub(super) fn new(site: Site, roster: Roster, most: usize, reports: mpsc::Receiver<Report>) -> Self {
        Self {
            site,
            roster,
            most: if most == 0 { usize::MAX } else { most },
            reports,
            staff: BTreeSet::new(),
            hands: BTreeMap::new(),
            idle: BTreeSet::new(),
            tasks: TaskTracker::new(),
            unfit: BTreeMap::new(),
            cannot: BTreeMap::new(),
            trouble: String::new(),
            has_agent: false,
            lacks_agent: None,
        }
    }

    /// Leases free devices for this many waiting jobs; returns their serials.
    pub(super) fn hire(&mut self, waiting: usize) -> Vec<String> {
        let session = self.site.session;
        let mut hired = Vec::new();
        while hired.len() < waiting && self.staff.len() < self.most {
            let Some(lease) = self.roster.lease(session, |serial| self.fits(serial)) else { break };
            hired.push(lease.serial().to_owned());
            self.staff.insert(lease.serial().to_owned());
            self.tasks.spawn(work(self.site.clone(), lease));
        }
        let lacking = hired.len() < waiting && self.staff.len() < self.most;
        let wants = lacking && self.site.gate.mode() != Mode::Pause;
        self.roster.want(session, wants.then_some(|serial: &str| self.fits(serial)));
        hired
    }

    /// Leaves idle devices to more urgent sessions that wait for them; returns their serials.
    pub(super) fn yield_idle(&mut self) -> Vec<String> {
        let (roster, session) = (&self.roster, self.site.session);
        let wanted: Vec<String> =
            self.idle.iter().filter(|serial| roster.is_outranked(session, serial)).cloned().collect();
        for serial in &wanted {
            self.site.hub.info(serial, "left to a more urgent session");
            self.leave(serial);
        }
        wanted
    }

    /// Gives a job to the worker of this device; false when it is gone.
    pub(super) fn hand(&mut self, serial: &str, assignment: Assignment) -> bool {
        self.idle.remove(serial);
        let handed = self.hands.get(serial).is_some_and(|hand| hand.try_send(assignment).is_ok());
        if !handed {
            self.leave(serial);
        }
        handed
    }

    /// Does a job that needs no device.
    pub(super) fn ask(&mut self, assignment: Assignment) {
        self.tasks.spawn(at_desk::work(self.site.clone(), assignment));
    }

    /// The next thing a worker has to say.
    ///
    /// # Errors
    /// An error after which the session cannot go on.
    pub(super) async fn next(&mut self) -> Result<News, LabError> {
        let report = match self.reports.recv().await {
            Some(report) => report,
            // The channel cannot close while the crew lives: its site holds a sender.
            None => std::future::pending().await,
        };
        self.site.hub.queues.reports.saw(self.reports.len().saturating_add(1));
        Ok(match report {
            Report::Ready { serial, hand, lacks_agent } => {
                match lacks_agent {
                    None => self.has_agent = true,
                    Some(error) => {
                        self.lacks_agent = Some(LacksAgent { serial: serial.clone(), error });
                    }
                }
                self.hands.insert(serial.clone(), hand);
                self.idle.insert(serial.clone());
                Event::Ready { serial }.into()
            }
            Report::Finished { serial, run, leaving } => {
                self.cannot.remove(&serial);
                if leaving {
                    self.leave(&serial);
                } else {
                    self.idle.insert(serial.clone());
                }
                let (slot, timed_out) = (run.job.slot, has_timed_out(&run.turns));
                News { event: Event::Finished { serial, slot, timed_out, leaving }, run: Some(run) }
            }
            Report::Broken { serial, slot, error } => {
                self.trouble = error.to_string();
                if matches!(error.kind, DeviceErrorKind::Refused { .. }) {
                    self.cannot(&serial, &error.kind);
                }
                if matches!(error.kind, DeviceErrorKind::Misplaced(_)) {
                    self.unfit.insert(serial.clone(), error.kind.clone());
                }
                self.leave(&serial);
                let words = self.trouble.clone();
                Event::Broken { serial, slot, cause: cause(&error.kind), words }.into()
            }
            Report::Panicked { serial, slot, words } => {
                self.leave(&serial);
                Event::Broken { serial, slot, cause: Cause::Panic, words }.into()
            }
            Report::Cut { serial, slot } => {
                self.leave(&serial);
                Event::Cut { serial, slot }.into()
            }
            Report::Unfit { serial, error } => {
                self.trouble = error.to_string();
                if let DeviceErrorKind::NotInstalled(_)
                | DeviceErrorKind::OtherBuild { .. }
                | DeviceErrorKind::Misplaced(_) = error.kind
                {
                    self.unfit.insert(serial.clone(), error.kind.clone());
                }
                self.cannot(&serial, &error.kind);
                self.leave(&serial);
                Event::Left { serial }.into()
            }
            Report::Leaving { serial } => {
                self.leave(&serial);
                Event::Left { serial }.into()
            }
            Report::Vanished { serial, words } => {
                self.trouble.clone_from(&words);
                self.leave(&serial);
                Event::Vanished { serial, words }.into()
            }
            Report::Failed { error } => return Err(error),
        })
    }

    /// What the session may hope for while it has no device.
    pub(super) fn outlook(&self) -> Outlook {
        let states = self.roster.states();
        let choice = &self.site.definition.lab;
        let others = states.iter().any(|(serial, _)| self.fits(serial));
        let absent: Vec<String> = choice
            .servers
            .iter()
            .filter_map(|server| self.roster.hub().host_trouble(&server.label()))
            .collect();
        // A device that is named, or whose host is away, may yet come.
        let is_listed = |serial: &String| states.iter().any(|(known, _)| is_called(known, serial));
        let awaited = !absent.is_empty() || !choice.serials.iter().all(is_listed);
        if !self.unfit.is_empty() && !others && !awaited {
            return Outlook::None;
        }
        match self.roster.prospect(self.site.session, |serial| self.fits(serial)) {
            Prospect::Soon => Outlook::Soon,
            Prospect::Passing(why) => Outlook::Passing(why),
            Prospect::Open(why) => {
                let told: Vec<String> = absent.into_iter().filter(|host| !why.contains(host)).collect();
                let whys = Some(why).filter(|why| !why.is_empty()).into_iter().chain(told);
                Outlook::Open(whys.collect::<Vec<_>>().join(", "))
            }
            Prospect::Hopeless(_) => Outlook::None,
        }
    }

    /// Why there was no device for so long; `why` says why none can be used, as far as the roster knows.
    pub(super) fn no_device(&self, waited: Duration, why: &str) -> LabError {
        let said = |words: &str| why.contains(words) || words.is_empty();
        let mut reasons = if why.is_empty() { String::new() } else { format!(": {why}") };
        if !said(&self.trouble) {
            reasons.push_str(&format!("; the last trouble was: {}", self.trouble));
        }
        LabError::NoDevice { waited: waited.as_secs(), why: reasons }
    }

    /// Why no device can ever be used.
    pub(super) fn none_fits(&self) -> LabError {
        let hopeless = match self.roster.prospect(self.site.session, |serial| self.fits(serial)) {
            Prospect::Hopeless(why) => Some(why),
            _ => None,
        };
        let installed = |kind: &DeviceErrorKind| !matches!(kind, DeviceErrorKind::NotInstalled(_));
        if self.unfit.values().any(installed) {
            let reasons = self.unfit.iter().map(|(serial, kind)| (serial.clone(), kind.to_string()));
            let reasons = by_reason(reasons).into_iter().chain(hopeless);
            return LabError::NoneFits(reasons.collect::<Vec<_>>().join("; "));
        }
        if let Some(why) = hopeless {
            return LabError::NoneFits(why);
        }
        let serials: Vec<&str> = self.unfit.keys().map(String::as_str).collect();
        LabError::NotInstalled { app: self.site.definition.app.clone(), serials: serials.join(", ") }
    }

    /// Why none of the session's devices had the resident agent that it wants; `None` if one had it, if none is wanted,
    /// and without devices.
    pub(super) fn lacks_agent(&self) -> Option<&LacksAgent> {
        self.lacks_agent.as_ref().filter(|_| !self.has_agent)
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
        let lab = &self.site.definition.lab;
        !self.unfit.contains_key(serial) && lab.fits(serial) && self.roster.is_chosen(serial, &lab.hosts)
    }

    /// Counts what a device refuses, and commands that fail before its first job: it can serve no longer once that came
    /// again without a job done in between.
    fn cannot(&mut self, serial: &str, kind: &DeviceErrorKind) {
        let most = match kind {
            DeviceErrorKind::Refused { .. } => MOST_REFUSALS,
            DeviceErrorKind::Command { .. } => MOST_FAILURES,
            _ => return,
        };
        let count = self.cannot.entry(serial.to_owned()).or_insert(0);
        *count += 1;
        if *count >= most {
            self.unfit.insert(serial.to_owned(), kind.clone());
        }
    }

    fn leave(&mut self, serial: &str) {
        self.idle.remove(serial);
        self.hands.remove(serial);
        self.staff.remove(serial);
    }
}

/// Whether a job failed for want of its device or of the ADB server.
fn cause(kind: &DeviceErrorKind) -> Cause {
    match kind {
        DeviceErrorKind::NoServer(_) | DeviceErrorKind::Unreachable { .. } => Cause::Server,
        DeviceErrorKind::Lost(_)
        | DeviceErrorKind::NotReady(_)
        | DeviceErrorKind::Leased { .. }
        | DeviceErrorKind::Refused { .. } => Cause::Device,
        DeviceErrorKind::TimedOut(_)
        | DeviceErrorKind::Cancelled
        | DeviceErrorKind::NotInstalled(_)
        | DeviceErrorKind::Misplaced(_)
        | DeviceErrorKind::Uninstallable(_)
        | DeviceErrorKind::Command { .. }
        | DeviceErrorKind::Answer(_)
        | DeviceErrorKind::Untypable(_)
        | DeviceErrorKind::Unsupported(_)
        | DeviceErrorKind::OtherBuild { .. } => Cause::Other,
    }
}
