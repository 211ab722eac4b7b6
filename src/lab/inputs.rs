//! Inputs: traces of other sessions, and of other tools' recordings, that a session builds on.
//!
//! What a definition names is looked up once, when the session begins, and written down as ids of
//! jobs; a recording becomes a session of its own in the store first. From then on the ids count,
//! whatever becomes of the folder or is added to the other session.

use std::path::Path;

use super::journal::now_ms;
use super::{Lab, LabError};
use droidmux_import::{self as import, Format, Recording};
use droidmux_record::{
    Act, JobId, JobRun, NoId, RecordedFolder, RecordingFormat, SessionDefinition, SessionId, SessionRecord,
    StepPlace, Turn,
};
use droidmux_store::{Append, Finished, Store};
use droidmux_technique::Planner;

/// Turns written in one go.
const TURNS: usize = 64;

/// The jobs whose traces the planner is to take in, in order.
///
/// # Errors
/// When a session or a folder that the definition names is not there, is of another app or cannot
/// be read.
pub(super) async fn find(lab: &Lab, definition: &SessionDefinition) -> Result<Vec<JobId>, LabError> {
    let mut inputs = Vec::new();
    let wanted = droidmux_technique::inputs(definition);
    for name in &wanted.sessions {
        let (store, name, app) = (lab.store().clone(), name.clone(), definition.app.clone());
        let jobs = tokio::task::spawn_blocking(move || of_session(&store, &name, &app)).await??;
        inputs.extend(jobs);
    }
    for folder in &wanted.folders {
        let (wanted, app) = (folder.clone(), definition.app.clone());
        let recording = tokio::task::spawn_blocking(move || read(&wanted, &app)).await??;
        inputs.extend(keep(lab, definition, folder, recording).await?);
    }
    Ok(inputs)
}

/// Has the planner take in the traces of these jobs.
///
/// # Errors
/// When one of them is no longer in the store.
pub(super) fn take_in(planner: &mut dyn Planner, inputs: &[JobId], store: &Store) -> Result<(), LabError> {
    for input in inputs {
        let run = store.run(input.session, input.slot)?;
        let run = run.ok_or_else(|| LabError::Input(format!("job {} {}", input.session, input.slot)))?;
        planner.take_in(input.session, &run, store);
    }
    Ok(())
}

fn of_session(store: &Store, name: &str, app: &str) -> Result<Vec<JobId>, LabError> {
    let wrong = |why: String| LabError::Input(format!("`from = {name:?}`: {why}"));
    let session: SessionId = name.parse().map_err(|error: NoId| wrong(error.to_string()))?;
    let record = store.session(session)?.ok_or_else(|| {
        wrong(format!("there is no session {session} in this store; `droidmux store stats` lists them"))
    })?;
    if record.definition.app != app {
        return Err(wrong(format!("{session} is of {}, not of {app}", record.definition.app)));
    }
    let jobs = store.runs(session).map(|run| run.map(|run| JobId { session, slot: run.job.slot }));
    Ok(jobs.collect::<Result<_, _>>()?)
}

fn read(folder: &RecordedFolder, app: &str) -> Result<Recording, LabError> {
    let format = match folder.format {
        RecordingFormat::Genie => Format::Genie,
        RecordingFormat::Droidbot => Format::Droidbot,
        RecordingFormat::Uiautomator => Format::Uiautomator,
    };
    let recording = import::read(format, Path::new(&folder.path))
        .map_err(|error| LabError::Input(format!("folder {}: {error}", folder.path)))?;
    if !recording.app.is_empty() && recording.app != app {
        let why = format!("folder {}: it is a recording of {}, not of {app}", folder.path, recording.app);
        return Err(LabError::Input(why));
    }
    Ok(recording)
}

/// Stores a recording as a session that has ended.
async fn keep(
    lab: &Lab,
    definition: &SessionDefinition,
    folder: &RecordedFolder,
    recording: Recording,
) -> Result<Vec<JobId>, LabError> {
    let now = now_ms();
    let record = SessionRecord {
        ended_ms: Some(now),
        ending: Some(format!("imported from {}", folder.path)),
        over: true,
        ..SessionRecord::begun(definition.clone(), 0, SessionRecord::IMPORTED, now)
    };
    let store = lab.store().clone();
    let made = store.clone();
    let session = tokio::task::spawn_blocking(move || made.create_session(&record)).await??;
    for remark in &recording.remarks {
        lab.hub().warn(&session.to_string(), &format!("{}: {remark}", folder.path));
    }
    let layouts: std::collections::BTreeMap<_, _> = recording.layouts.iter().collect();
    let mut inputs = Vec::new();
    for recorded in &recording.runs {
        let run = &recorded.run;
        let (slot, attempt) = (run.job.slot, run.attempt);
        let (job, writer) = (run.job.clone(), store.clone());
        tokio::task::spawn_blocking(move || writer.put_job(session, &job)).await??;
        let mut places = places(run);
        for (number, turns) in run.turns.chunks(TURNS).enumerate() {
            let rest = places.split_off(turns.len().min(places.len()));
            let named = turns.iter().filter_map(|turn| turn.observation.seen());
            let layouts = named.filter_map(|seen| layouts.get(&seen.screen.layout).map(|l| (*l).clone()));
            let append = Append {
                session,
                slot,
                attempt,
                first_turn: u32::try_from(number * TURNS).unwrap_or(u32::MAX),
                turns: turns.to_vec(),
                steps: std::mem::replace(&mut places, rest),
                exchanges: Vec::new(),
                layouts: layouts.collect(),
                screenshots: Vec::new(),
            };
            store.append(append).await?;
        }
        let finished = Finished { slot, attempt, device: run.device.clone(), app: run.app.clone() };
        let writer = store.clone();
        tokio::task::spawn_blocking(move || writer.finish_job(session, &finished)).await??;
        inputs.push(JobId { session, slot });
    }
    Ok(inputs)
}

/// The places of a run's turns in the log; a recording has no turn that ends an episode.
fn places(run: &JobRun) -> Vec<StepPlace> {
    let (mut test, mut event): (Option<u16>, u16) = (None, 0);
    let place = |(turn, number): (&Turn, u32)| {
        if turn.act == Act::Reset {
            (test, event) = (Some(test.map_or(0, |test| test.saturating_add(1))), 0);
        } else {
            event = event.saturating_add(1);
        }
        StepPlace {
            slot: run.job.slot,
            attempt: run.attempt,
            turn: number,
            test: test.unwrap_or(0),
            event,
            device: run.device.serial.clone(),
        }
    };
    run.turns.iter().zip(0..).map(place).collect()
}
