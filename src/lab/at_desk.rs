//! Jobs that only ask: they need no device, and take none.
//!
//! In: a job with its driver. Out: its run, as from a device; every turn is stored before the next act begins. What
//! such a driver wants done to a device fails.

use std::collections::BTreeMap;
use std::time::Instant;

use super::LabError;
use super::desk::{Answered, Asking};
use super::episode::Interrupted;
use super::exchange_view::exchange_of;
use super::journal::now_ms;
use super::panics::guarded;
use super::patient_writer::PatientWriter;
use super::worker::{Assignment, Report, Site};
use droidmux_record::{
    Act, Agent, AppBuild, BlobHash, Consultation, DeviceInfo, Failure, Job, JobRun, Observation, Slot,
    StepPlace, Turn,
};
use droidmux_store::Append;

/// What stands in the place of a device's serial.
pub(super) const DESK: &str = "desk";

/// The name under which a job at the desk is known to its session.
pub(super) fn serial_of(slot: Slot) -> String {
    format!("{DESK} {}", slot.0)
}

/// What stands in the place of the device and the build that a run was recorded with.
pub(super) fn place_of(app: &str) -> (DeviceInfo, AppBuild) {
    let device = DeviceInfo { serial: DESK.to_owned(), ..DeviceInfo::default() };
    (device, AppBuild { package: app.to_owned(), ..AppBuild::default() })
}

/// Does a job; whatever happens, the session hears of it.
pub(super) async fn work(site: Site, assignment: Assignment) {
    let slot = assignment.job.slot;
    let serial = serial_of(slot);
    let report = match ask(&site, &serial, assignment).await {
        Ok(run) => Report::Finished { serial, run: Box::new(run), leaving: true },
        Err(Interrupted::Stopped) => Report::Leaving { serial },
        Err(Interrupted::NoTime) => Report::Cut { serial, slot },
        Err(Interrupted::Panicked(what)) => {
            let words = format!("the driver panicked: {what}; this is a bug in droidmux");
            site.hub.error(&site.session.to_string(), &words);
            Report::Panicked { serial, slot, words }
        }
        Err(Interrupted::Lab(error)) => Report::Failed { error },
        Err(Interrupted::Device(error)) => Report::Broken { serial, slot, error },
    };
    site.tell(report).await;
}

async fn ask(site: &Site, serial: &str, assignment: Assignment) -> Result<JobRun, Interrupted> {
    let Assignment { job, attempt, mut driver } = assignment;
    let mut asked: BTreeMap<Agent, u32> = BTreeMap::new();
    let mut turns: Vec<Turn> = Vec::new();
    let mut observation = Observation::Started;
    loop {
        let store = site.store.clone();
        let decided = tokio::task::spawn_blocking(move || {
            let act = guarded(|| driver.next(&observation, &store))?;
            Ok((driver, act))
        });
        let act;
        (driver, act) = decided.await.map_err(LabError::from)?.map_err(Interrupted::Panicked)?;
        if !site.gate.pass().await {
            return Err(Interrupted::Stopped);
        }
        let (began, at_ms) = (Instant::now(), now_ms());
        let mut pictures = Vec::new();
        observation = match &act {
            Act::Consult(consultation) => {
                let ordinal = ordinal(&mut asked, consultation);
                let place = Asking { device: serial, slot: job.slot, ordinal };
                match site.desk.consult(&place, consultation, site.gate.cancelled()).await? {
                    Some(Answered { answer, pictures: sent }) => {
                        pictures = sent;
                        Observation::Answered(Box::new(answer))
                    }
                    None => return Err(Interrupted::Stopped),
                }
            }
            Act::Finish(_) => Observation::Ended,
            Act::Reset | Act::Perform(_) => Observation::Failed(Failure::Unsupported),
        };
        let took_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let turn = Turn { act, observation: observation.clone(), at_ms, took_ms };
        let first_turn = u32::try_from(turns.len()).unwrap_or(u32::MAX);
        let number = keep(site, (&job, attempt, first_turn), &turn, pictures).await?;
        if let Some((question, _)) = exchange_of(&turn) {
            site.hub.exchanged(site.session, number, question.agent, site.desk.spent());
        }
        let finished = matches!(turn.act, Act::Finish(_));
        turns.push(turn);
        if finished {
            let (device, app) = place_of(&site.definition.app);
            return Ok(JobRun { job: Job::clone(&job), attempt, device, app, turns });
        }
    }
}

/// How many questions the same agent asked before this one.
fn ordinal(asked: &mut BTreeMap<Agent, u32>, consultation: &Consultation) -> u32 {
    let Some(question) = consultation.question() else { return 0 };
    let times = asked.entry(question.agent).or_default();
    *times += 1;
    *times - 1
}

/// Stores a turn and gives its number in the log that it belongs to.
async fn keep(
    site: &Site,
    (job, attempt, turn_number): (&Job, u32, u32),
    turn: &Turn,
    screenshots: Vec<(BlobHash, Vec<u8>)>,
) -> Result<u64, Interrupted> {
    let place =
        StepPlace { slot: job.slot, attempt, turn: turn_number, test: 0, event: 0, device: DESK.to_owned() };
    let append = Append {
        session: site.session,
        slot: job.slot,
        attempt,
        first_turn: turn_number,
        turns: vec![turn.clone()],
        steps: Vec::new(),
        exchanges: exchange_of(turn).map(|_| place).into_iter().collect(),
        layouts: Vec::new(),
        screenshots,
    };
    let writer = PatientWriter {
        hub: &site.hub,
        gate: &site.gate,
        session: site.session,
        patience: site.definition.run.patience,
    };
    writer.write(|| site.store.append(append.clone())).await?.ok_or(Interrupted::Stopped)
}
