//! A worker: one leased device running the jobs a session hands it.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::builds::Builds;
use super::care::checkup::Checkup;
use super::care::limits::Limits;
use super::desk::Desk;
use super::episode::{Episode, Interrupted, Occasion};
use super::hub::Looks;
use super::lacking::Lacking;
use super::pace::Pace;
use super::patient_writer::PatientWriter;
use super::{Craft, Gate, Hub, LabError, Lease, Panic};
use droidmux_device::adb::agent::AgentError;
use droidmux_device::{DeviceError, DeviceErrorKind, Equipment, Fixtures, Patience};
use droidmux_record::{
    AppBuild, DeviceInfo, Job, JobRun, LabChoice, ScreenPolicy, SessionDefinition, SessionId, Slot,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::Driver;
use droidmux_words::figure;

/// How long making a device ready may take.
const CARE_LIMIT: Duration = Duration::from_secs(30);
/// How long putting the session's files on it may take.
const FURNISH_LIMIT: Duration = Duration::from_secs(300);
/// How long putting it back may take; the next session on it puts back the rest.
const RESTORE_LIMIT: Duration = Duration::from_secs(6);

/// How long measuring a slow device's ways of dumping may take, including the start of an agent.
const CHOICE_LIMIT: Duration = Duration::from_secs(120);

/// A job to do, with a driver of its own.
pub(super) struct Assignment {
    pub(super) job: Arc<Job>,
    pub(super) attempt: u32,
    pub(super) driver: Box<dyn Driver>,
}

/// What a worker tells its session.
pub(super) enum Report {
    /// Ready for a job; the sender takes it.
    Ready {
        serial: String,
        hand: mpsc::Sender<Assignment>,
        /// Why the resident agent that the session wants is not there.
        lacks_agent: Option<AgentError>,
    },
    /// A job is done; the device is given back now when it is `leaving`.
    Finished {
        serial: String,
        run: Box<JobRun>,
        leaving: bool,
    },
    /// The job must be run again; the device is given back.
    Broken {
        serial: String,
        slot: Slot,
        error: DeviceError,
    },
    /// The driver panicked with this message; the device is given back.
    Panicked {
        serial: String,
        slot: Slot,
        words: String,
    },
    /// No test may begin any more, so the job was left; the device is given back.
    Cut {
        serial: String,
        slot: Slot,
    },
    /// The device cannot serve this session.
    Unfit {
        serial: String,
        error: DeviceError,
    },
    /// The device is given back with no job done: it must rest, or the session stops.
    Leaving {
        serial: String,
    },
    /// The worker itself panicked with this message.
    Vanished {
        serial: String,
        words: String,
    },
    Failed {
        error: LabError,
    },
}

/// What all workers of a session share.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) store: Store,
    pub(super) hub: Arc<Hub>,
    pub(super) gate: Gate,
    pub(super) desk: Arc<Desk>,
    pub(super) pace: Arc<Pace>,
    pub(super) craft: Arc<dyn Craft>,
    pub(super) definition: Arc<SessionDefinition>,
    pub(super) session: SessionId,
    /// What its earlier runs were recorded with.
    pub(super) builds: Arc<Builds>,
    pub(super) lacking: Lacking,
    pub(super) reports: mpsc::Sender<Report>,
}

/// Why a device cannot be used.
enum Unready {
    Device(DeviceError),
    /// The session cannot go on at all.
    Session(LabError),
}

/// Works on a leased device as long as the session wants; whatever happens, the session hears of it.
pub(super) async fn work(site: Site, lease: Lease) {
    let serial = lease.serial().to_owned();
    let worked = AssertUnwindSafe(work_on(site.clone(), lease)).catch_unwind().await;
    if let Err(panic) = worked {
        let words = format!("its worker panicked: {}", Panic::of(&*panic));
        site.hub.error(&serial, &words);
        site.tell(Report::Vanished { serial, words }).await;
    }
}

/// Prepares the device, does jobs until the session closes the hand or the device fails, and puts
/// the device back as it was.
async fn work_on(site: Site, lease: Lease) {
    let serial = lease.serial().to_owned();
    let mut checkup = Checkup::new(Limits::of(&site.definition.lab), lease.checkup_every());
    match examine(&site, &lease, &mut checkup).await {
        Ok(Some((device, app))) => {
            match prepare(&site, &lease).await {
                Ok(lacks_agent) => {
                    site.note_lacks(&lease);
                    serve(&site, &lease, Tools { device, app, lacks_agent }, &mut checkup).await;
                }
                Err(error) => refuse(&site, &lease, error).await,
            }
            // What another lab works on is no longer ours to put back.
            if !lease.is_lost() {
                restore(&site, &lease).await;
            }
        }
        Ok(None) => site.tell(Report::Leaving { serial }).await,
        Err(Unready::Device(error)) => refuse(&site, &lease, error).await,
        Err(Unready::Session(error)) => site.tell(Report::Failed { error }).await,
    }
    lease.give_back().await;
}

/// Tells that a device cannot be used, unless the session only stopped meanwhile.
async fn refuse(site: &Site, lease: &Lease, error: DeviceError) {
    let serial = lease.serial().to_owned();
    if error.kind == DeviceErrorKind::Cancelled {
        return site.tell(Report::Leaving { serial }).await;
    }
    // An updated device is not a sick one, nor is one with other displays and users.
    if !matches!(error.kind, DeviceErrorKind::OtherBuild { .. } | DeviceErrorKind::Misplaced(_)) {
        lease.had_trouble(&error);
    }
    site.hub.error(&serial, &error.to_string());
    site.tell(Report::Unfit { serial, error }).await;
}

impl Site {
    /// Writes to the store off the async workers, waiting for room where the disk is full.
    ///
    /// # Errors
    /// What the store says; nothing was written then. A session that stops while it waits gives
    /// up the write: what it would have said can be derived again from the turns.
    pub(super) async fn keep(
        &self,
        write: impl Fn(&Store) -> Result<(), StoreError> + Send + Sync + 'static,
    ) -> Result<(), LabError> {
        let writer = PatientWriter {
            hub: &self.hub,
            gate: &self.gate,
            session: self.session,
            patience: self.definition.run.patience,
        };
        let write = Arc::new(write);
        let attempt = || {
            let (store, write) = (self.store.clone(), write.clone());
            async move {
                let written = tokio::task::spawn_blocking(move || write(&store)).await;
                written.unwrap_or_else(|error| Err(StoreError::Misuse(error.to_string())))
            }
        };
        writer.write(attempt).await.map(|_| ())
    }

    /// Shows what the session goes without on a device, and remembers it for the summary.
    fn note_lacks(&self, lease: &Lease) {
        self.hub.lacks(lease.serial(), &lease.device.shortcomings());
        self.lacking.note(&*lease.device);
    }

    pub(super) async fn tell(&self, report: Report) {
        // Fails only when the session is gone, and then nobody wants to know.
        let _ = self.reports.send(report).await;
    }
}

/// What is known of a device that is ready.
struct Tools {
    device: DeviceInfo,
    app: AppBuild,
    /// Why there is no resident agent though the session wants one.
    lacks_agent: Option<AgentError>,
}

/// Takes the device and checks whether it can serve the session; `None` if it must rest. None of its settings are
/// changed.
async fn examine(
    site: &Site,
    lease: &Lease,
    checkup: &mut Checkup,
) -> Result<Option<(DeviceInfo, AppBuild)>, Unready> {
    let patience = Patience { within: CARE_LIMIT, cancel: site.gate.cancelled().clone() };
    lease.sign(site.gate.cancelled()).await?;
    let info = lease.device.info(&patience).await?;
    lease.describe(&info);
    site.builds.check_device(&info).map_err(|kind| DeviceError {
        serial: info.serial.clone(),
        what: "going on with the session".into(),
        kind,
    })?;
    let SessionDefinition { app, place, .. } = &*site.definition;
    lease.device.choose_place(app, place, &patience).await?;
    let app = lease.device.app(app, &patience).await?;
    if let Some(before) = site.builds.other_app(lease.serial(), &app) {
        let serial = lease.serial().to_owned();
        let (before, now) = (Box::new(before.clone()), Box::new(app));
        return Err(Unready::Session(LabError::OtherApp { serial, before, now }));
    }
    if !checkup.passes(lease, &site.hub, &patience).await? {
        return Ok(None);
    }
    Ok(Some((info, app)))
}

/// Changes the device's settings to those of a session and chooses how it is read; returns why there is no resident
/// agent, if the session wants one.
async fn prepare(site: &Site, lease: &Lease) -> Result<Option<AgentError>, DeviceError> {
    let patience = Patience { within: CARE_LIMIT, cancel: site.gate.cancelled().clone() };
    lease.device.prepare(&patience).await?;
    if let Some(folder) = &site.definition.lab.fixtures {
        let fixtures = fixtures(lease, folder.clone()).await?;
        let patience = Patience { within: FURNISH_LIMIT, ..patience.clone() };
        lease.device.furnish(&fixtures, &patience).await?;
        let (files, people) =
            (figure::count(fixtures.files.len(), "file"), figure::count(fixtures.people.len(), "contact"));
        site.hub.info(lease.serial(), &format!("has the session's {files} and {people}"));
    }
    if let Some(at) = site.definition.lab.start_at {
        lease.device.set_clock(at, &patience).await?;
        site.hub.info(lease.serial(), &format!("has its clock set to {at}"));
    }
    let patience = Patience { within: CHOICE_LIMIT, ..patience };
    let equipped = lease.device.equip(&equipment(&site.definition), &patience).await?;
    for said in equipped.said {
        site.hub.info(lease.serial(), &said);
    }
    Ok(equipped.lacks_agent)
}

/// Reads what the session puts on its devices; it may have changed since the session was checked.
async fn fixtures(lease: &Lease, folder: PathBuf) -> Result<Fixtures, DeviceError> {
    let read =
        tokio::task::spawn_blocking(move || Fixtures::read(&folder).map_err(|error| error.to_string()));
    read.await.unwrap_or_else(|error| Err(error.to_string())).map_err(|error| DeviceError {
        serial: lease.serial().to_owned(),
        what: "reading `[lab] fixtures`".into(),
        kind: DeviceErrorKind::Unsupported(error),
    })
}

/// How the session wants its devices read.
fn equipment(definition: &SessionDefinition) -> Equipment {
    let LabChoice { agent, dumps, .. } = &definition.lab;
    let pictures = definition.run.screens != ScreenPolicy::Never;
    Equipment { agent: agent.clone(), dumps: *dumps, pictures }
}

async fn restore(site: &Site, lease: &Lease) {
    // Not the session's token: a stopped session must still put its devices back.
    let patience = Patience { within: RESTORE_LIMIT, cancel: CancellationToken::new() };
    if let Err(error) = lease.device.restore(&patience).await {
        let text = format!("settings could not be put back ({error}); the next session on it will");
        site.hub.warn(lease.serial(), &text);
    }
}

/// Does jobs until the session wants no more, or the device can do no more.
async fn serve(site: &Site, lease: &Lease, tools: Tools, checkup: &mut Checkup) {
    let Tools { device, app, lacks_agent } = tools;
    let serial = lease.serial().to_owned();
    let (hand, mut assignments) = mpsc::channel(1);
    site.tell(Report::Ready { serial: serial.clone(), hand, lacks_agent }).await;
    while let Some(Assignment { job, attempt, driver }) = assignments.recv().await {
        site.hub.job(&serial, Some((job.slot, job.work.name().into())));
        let episode = Episode {
            device: &*lease.device,
            store: &site.store,
            hub: &site.hub,
            gate: &site.gate,
            desk: &site.desk,
            pace: &site.pace,
            definition: &site.definition,
            session: site.session,
            job: &job,
            attempt,
            looks: Looks::of(&device, &app),
            occasion: Occasion::of(&site.store, site.definition.run.screens, &job.work).await,
            restarts: AtomicU32::new(0),
            dark: AtomicBool::new(false),
        };
        let ended = tokio::select! {
            ended = episode.run(driver) => ended,
            error = lease.lost() => Err(Interrupted::Device(error)),
        };
        site.hub.job(&serial, None);
        site.note_lacks(lease);
        match ended {
            Ok(turns) => {
                lease.went_well();
                let (job, device, app) = (Job::clone(&job), device.clone(), app.clone());
                let run = Box::new(JobRun { job, attempt, device, app, turns });
                let outranked = lease.is_outranked();
                if outranked {
                    site.hub.info(&serial, "left to a more urgent session");
                }
                let leaving = outranked || !is_well(site, lease, checkup).await;
                site.tell(Report::Finished { serial: serial.clone(), run, leaving }).await;
                if leaving {
                    return;
                }
            }
            Err(Interrupted::Stopped) => return site.tell(Report::Leaving { serial }).await,
            Err(Interrupted::NoTime) => return site.tell(Report::Cut { serial, slot: job.slot }).await,
            Err(Interrupted::Panicked(what)) => {
                let words = format!("the driver panicked: {what}; this is a bug in droidmux");
                site.hub.error(&serial, &format!("{} of {}: {words}", job.work.name(), job.slot));
                return site.tell(Report::Panicked { serial, slot: job.slot, words }).await;
            }
            Err(Interrupted::Lab(error)) => return site.tell(Report::Failed { error }).await,
            Err(Interrupted::Device(error)) => {
                site.hub.error(&serial, &format!("{} of {}: {error}", job.work.name(), job.slot));
                blame(site, lease, checkup, &error).await;
                return site.tell(Report::Broken { serial, slot: job.slot, error }).await;
            }
        }
    }
}

/// A job failed on the device: it was for want of charge or space, or else it is trouble.
async fn blame(site: &Site, lease: &Lease, checkup: &mut Checkup, error: &DeviceError) {
    let patience = Patience { within: CARE_LIMIT, cancel: site.gate.cancelled().clone() };
    let answers = matches!(error.kind, DeviceErrorKind::Answer(_) | DeviceErrorKind::Command { .. });
    let rests = answers && matches!(checkup.again(lease, &site.hub, &patience).await, Ok(false));
    if !rests {
        lease.had_trouble(error);
    }
}

/// Whether the device can take another job.
async fn is_well(site: &Site, lease: &Lease, checkup: &mut Checkup) -> bool {
    let patience = Patience { within: CARE_LIMIT, cancel: site.gate.cancelled().clone() };
    match checkup.passes(lease, &site.hub, &patience).await {
        Ok(well) => well,
        Err(error) => {
            if error.kind != DeviceErrorKind::Cancelled {
                site.hub.error(lease.serial(), &error.to_string());
            }
            lease.had_trouble(&error);
            false
        }
    }
}

impl From<DeviceError> for Unready {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}
