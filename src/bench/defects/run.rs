//! Running a plan: trials side by side, finished ones kept.

use std::collections::VecDeque;
use std::path::PathBuf;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::folder::Kept;
use super::trial;
use super::{BenchError, Folder, Plan, Trial, TrialRecord};

/// How a plan is run.
#[derive(Debug)]
pub struct RunOptions {
    /// Trials side by side, at least 1.
    pub jobs: usize,
    /// Where finished trials are kept and looked up; without it nothing is kept.
    pub folder: Option<Folder>,
    /// The folder in which the store of each trial stays, to be looked at; without it they go with their trials.
    pub stores: Option<PathBuf>,
    /// Ends the run, keeping the finished trials.
    pub stop: CancellationToken,
    /// Receives the events; it does not matter if the receiver is gone.
    pub events: mpsc::UnboundedSender<RunEvent>,
}

impl Default for RunOptions {
    /// One trial after the other, nothing kept, no events sent.
    fn default() -> Self {
        let (events, _) = mpsc::unbounded_channel();
        Self { jobs: 1, folder: None, stores: None, stop: CancellationToken::new(), events }
    }
}

/// What happens while a plan runs.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// Sent once, at the beginning.
    Found {
        /// Trials whose records are in the folder already.
        found: usize,
        /// All trials of the plan.
        of: usize,
    },
    /// A file in the folder is unusable, and why.
    Useless {
        /// The file, which is left as it is.
        path: PathBuf,
        /// In words: of another version, damaged, unreadable.
        why: String,
    },
    /// A trial was run and judged.
    Finished {
        /// App, contender and seed: `notes genie 3`, `notes genie 3 off`.
        trial: String,
        /// As it goes into the folder.
        record: Box<TrialRecord>,
    },
    /// A trial could not be run or judged; the others continue.
    Failed {
        /// App, contender and seed: `notes genie 3`.
        trial: String,
        /// The error, in words.
        why: String,
    },
}

/// The outcome of a plan.
#[derive(Debug, Default)]
pub struct Done {
    /// In the order of the plan.
    pub records: Vec<TrialRecord>,
    /// Trials that failed, with why.
    pub failed: Vec<(String, String)>,
    /// A person ended it before all trials were run.
    pub interrupted: bool,
}

/// Runs what the folder does not contain yet. A failing trial does not end the others.
///
/// # Errors
/// When the folder cannot be written.
pub async fn run(plan: &Plan, options: RunOptions) -> Result<Done, BenchError> {
    let mut records: Vec<Option<TrialRecord>> = Vec::new();
    let mut missing = VecDeque::new();
    let tell = |event| drop(options.events.send(event));
    for (number, trial) in plan.trials.iter().enumerate() {
        let kept = options.folder.as_ref().map_or(Kept::Nothing, |folder| folder.read(trial));
        records.push(match kept {
            Kept::Record(record) => Some(*record),
            Kept::Nothing => None,
            Kept::Useless { path, why } => {
                tell(RunEvent::Useless { path, why });
                None
            }
        });
        let past = options.folder.as_ref().is_some_and(Folder::is_past);
        if !past && records.last().is_some_and(Option::is_none) {
            missing.push_back((number, trial.clone()));
        }
    }
    tell(RunEvent::Found { found: records.iter().flatten().count(), of: records.len() });
    let mut done = Done::default();
    let mut running = JoinSet::new();
    loop {
        while running.len() < options.jobs.max(1)
            && !options.stop.is_cancelled()
            && let Some((number, trial)) = missing.pop_front()
        {
            let store = options.stores.as_ref().map(|folder| folder.join(trial.file_stem()));
            running.spawn(run_one(number, trial, store, options.stop.clone()));
        }
        let Some(joined) = running.join_next().await else { break };
        let (number, trial, result) = joined.map_err(|error| BenchError::Task(error.to_string()))?;
        match result {
            Ok(record) => {
                if let Some(folder) = &options.folder {
                    folder.write(&trial, &record)?;
                }
                tell(RunEvent::Finished { trial: trial.name(), record: Box::new(record.clone()) });
                if let Some(place) = records.get_mut(number) {
                    *place = Some(record);
                }
            }
            // A trial that was under way when the run was stopped has not failed.
            Err(_) if options.stop.is_cancelled() => {}
            Err(error) => {
                tell(RunEvent::Failed { trial: trial.name(), why: error.to_string() });
                done.failed.push((trial.name(), error.to_string()));
            }
        }
    }
    done.records = records.into_iter().flatten().collect();
    done.interrupted = options.stop.is_cancelled();
    Ok(done)
}

async fn run_one(
    number: usize,
    trial: Trial,
    store: Option<PathBuf>,
    stop: CancellationToken,
) -> (usize, Trial, Result<TrialRecord, BenchError>) {
    let own = trial.clone();
    // A separate task, so that even a panic is an error of this trial alone.
    let result = tokio::spawn(async move { trial::run(&own, store, stop).await }).await;
    (number, trial, result.unwrap_or_else(|error| Err(BenchError::Task(error.to_string()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defects::fixture::{plan, records};

    /// Runs the plan with what the folder holds, already interrupted: no session is begun.
    async fn interrupted(plan: &Plan, folder: Folder) -> (Done, Vec<String>) {
        let (events, mut listener) = mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        stop.cancel();
        let options = RunOptions { jobs: 2, folder: Some(folder), stores: None, stop, events };
        let done = run(plan, options).await.expect("nothing fails");
        let mut told = Vec::new();
        while let Some(event) = listener.recv().await {
            told.push(match event {
                RunEvent::Found { found, of } => format!("found {found} of {of}"),
                RunEvent::Useless { why, .. } => why,
                RunEvent::Finished { trial, .. } | RunEvent::Failed { trial, .. } => trial,
            });
        }
        (done, told)
    }

    #[tokio::test]
    async fn what_is_in_the_folder_is_kept_and_only_the_rest_is_run() {
        let path = tempfile::tempdir().expect("a folder");
        let folder = || Folder::open(path.path()).expect("a folder");
        let plan = plan();
        let mut records = records(&plan);
        for (trial, record) in plan.trials.iter().zip(&records).take(3) {
            folder().write(trial, record).expect("written");
        }
        let (done, told) = interrupted(&plan, folder()).await;
        assert_eq!(done.records, records[..3]);
        assert!(done.interrupted && done.failed.is_empty());
        assert_eq!(told, ["found 3 of 36"]);

        records[1].identity.planner += 1;
        folder().write(&plan.trials[1], &records[1]).expect("written");
        let (done, told) = interrupted(&plan, folder()).await;
        assert_eq!(done.records.len(), 2);
        let version = plan.trials[1].planner;
        let why = format!("it is of planner version {}, not {version}", version + 1);
        assert_eq!(told, [why.as_str(), "found 2 of 36"]);

        // As it was recorded, by whichever version; the rest is left out without anybody having stopped it.
        let options = RunOptions { folder: Some(folder().of_any_version()), ..RunOptions::default() };
        let done = run(&plan, options).await.expect("nothing fails");
        assert_eq!(done.records, records[..3]);
        assert!(!done.interrupted && done.failed.is_empty());
    }
}
