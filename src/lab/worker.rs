//! A worker: one leased device running the jobs a session hands it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::builds::Builds;
use super::episode::{Episode, Interrupted};
use super::error::AppBuilds;
use super::room::Room;
use super::{Gate, Hub, LabError, Lease};
use crate::device::{DeviceError, DeviceErrorKind, Patience};
use crate::record::{AppBuild, DeviceInfo, Job, JobRun, SessionDefinition, SessionId, Slot};
use crate::store::{Store, StoreError};
use crate::technique::Driver;

/// What a device may take to be made ready or put back.
const CARE_LIMIT: Duration = Duration::from_secs(30);

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
    },
    Finished {
        serial: String,
        run: Box<JobRun>,
    },
    /// The job must be run again; the device may be used again or not.
    Broken {
        serial: String,
        slot: Slot,
        error: DeviceError,
        leaving: bool,
    },
    /// The device cannot serve this session.
    Unfit {
        serial: String,
        error: DeviceError,
    },
    /// The device was left to a more urgent session.
    Yielded {
        serial: String,
    },
    /// The session was stopped in the middle of a job.
    Stopped {
        serial: String,
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
    pub(super) definition: Arc<SessionDefinition>,
    pub(super) session: SessionId,
    /// What its earlier runs were recorded with.
    pub(super) builds: Arc<Builds>,
    pub(super) reports: mpsc::Sender<Report>,
}

/// Why a device cannot be used.
enum Unready {
    Device(DeviceError),
    /// The session cannot go on at all.
    Session(LabError),
}

/// Prepares the device, does jobs until the session closes the hand or the device fails, and puts
/// the device back as it was.
pub(super) async fn work(site: Site, lease: Lease) {
    let serial = lease.serial().to_owned();
    match prepare(&site, &lease).await {
        Ok((device, app)) => {
            serve(&site, &lease, &device, &app).await;
            restore(&site, &lease).await;
        }
        Err(Unready::Device(error)) => {
            lease.had_trouble(&error.kind.to_string());
            site.hub.error(&serial, &error.to_string());
            site.tell(Report::Unfit { serial, error }).await;
        }
        Err(Unready::Session(error)) => site.tell(Report::Failed { error }).await,
    }
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
        let room = Room {
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
        room.write(attempt).await.map(|_| ())
    }

    async fn tell(&self, report: Report) {
        // Fails only when the session is gone, and then nobody wants to know.
        let _ = self.reports.send(report).await;
    }
}

async fn prepare(site: &Site, lease: &Lease) -> Result<(DeviceInfo, AppBuild), Unready> {
    let patience = Patience { within: CARE_LIMIT, cancel: site.gate.cancelled().clone() };
    let info = lease.device.info(&patience).await?;
    lease.describe(&info);
    site.builds.check_device(&info).map_err(|kind| DeviceError {
        serial: info.serial.clone(),
        what: "going on with the session".into(),
        kind,
    })?;
    let app = lease.device.app(&site.definition.app, &patience).await?;
    if let Some(before) = site.builds.other_app(lease.serial(), &app) {
        let serial = lease.serial().to_owned();
        let builds = AppBuilds { before: before.clone(), now: app };
        return Err(Unready::Session(LabError::OtherApp { serial, builds: Box::new(builds) }));
    }
    lease.device.prepare(&patience).await?;
    Ok((info, app))
}

async fn restore(site: &Site, lease: &Lease) {
    // Not the session's token: a stopped session must still put its devices back.
    let patience = Patience { within: CARE_LIMIT, cancel: CancellationToken::new() };
    if let Err(error) = lease.device.restore(&patience).await {
        let text = format!("settings could not be put back ({error}); the next session on it will");
        site.hub.warn(lease.serial(), &text);
    }
}

async fn serve(site: &Site, lease: &Lease, device: &DeviceInfo, app: &AppBuild) {
    let serial = lease.serial().to_owned();
    let (hand, mut assignments) = mpsc::channel(1);
    site.tell(Report::Ready { serial: serial.clone(), hand: hand.clone() }).await;
    drop(hand);
    while let Some(Assignment { job, attempt, driver }) = assignments.recv().await {
        site.hub.job(&serial, Some((job.slot, job.work.name().into())));
        let episode = Episode {
            device: &*lease.device,
            store: &site.store,
            hub: &site.hub,
            gate: &site.gate,
            definition: &site.definition,
            session: site.session,
            job: &job,
            attempt,
        };
        let ended = episode.run(driver).await;
        site.hub.job(&serial, None);
        match ended {
            Ok(turns) => {
                lease.went_well();
                let run = JobRun {
                    job: Job::clone(&job),
                    attempt,
                    device: device.clone(),
                    app: app.clone(),
                    turns,
                };
                let yields = lease.is_outranked();
                if yields {
                    // Closed before it is told, so that no job is handed over meanwhile.
                    assignments.close();
                }
                site.tell(Report::Finished { serial: serial.clone(), run: Box::new(run) }).await;
                if yields {
                    site.hub.info(&serial, "left to a more urgent session");
                    return site.tell(Report::Yielded { serial }).await;
                }
            }
            Err(Interrupted::Stopped) => return site.tell(Report::Stopped { serial }).await,
            Err(Interrupted::Lab(error)) => return site.tell(Report::Failed { error }).await,
            Err(Interrupted::Device(error)) => {
                let lost = matches!(error.kind, DeviceErrorKind::Lost(_));
                let leaving = lease.had_trouble(&error.kind.to_string()) || lost;
                site.hub.error(&serial, &format!("{} of {}: {error}", job.work.name(), job.slot));
                let slot = job.slot;
                let report = Report::Broken { serial: serial.clone(), slot, error, leaving };
                site.tell(report).await;
                if leaving {
                    return;
                }
            }
        }
    }
}

impl From<DeviceError> for Unready {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}
