//! Running a plan: trials side by side, finished ones kept.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::folder::Kept;
use super::trial::{self, Likely};
use super::{BenchError, Folder, Plan, Trial, TrialRecord};

/// How a plan is run.
#[derive(Debug)]
pub struct RunOptions {
    /// Trials side by side, at least 1.
    pub jobs: usize,
    /// Where finished trials are kept and looked for; without it nothing is kept.
    pub folder: Option<Folder>,
    /// Ends it, keeping the finished trials.
    pub stop: CancellationToken,
    /// Told what happens; a receiver that is gone does not matter.
    pub events: mpsc::UnboundedSender<RunEvent>,
}

/// What happens while a plan runs.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// So many trials were found in the folder, of so many.
    Found {
        found: usize,
        of: usize,
    },
    /// A file in the folder is of no use, and why.
    Useless {
        path: PathBuf,
        why: String,
    },
    Finished {
        trial: String,
        record: Box<TrialRecord>,
    },
    Failed {
        trial: String,
        why: String,
    },
}

/// What became of a plan.
#[derive(Debug, Default)]
pub struct Done {
    /// In the order of the plan.
    pub records: Vec<TrialRecord>,
    /// Trials that failed, with why.
    pub failed: Vec<(String, String)>,
    pub interrupted: bool,
}

/// Runs what the folder does not have yet. A trial that fails does not end the others.
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
        if records.last().is_some_and(Option::is_none) {
            missing.push_back((number, trial.clone()));
        }
    }
    tell(RunEvent::Found { found: records.iter().flatten().count(), of: records.len() });
    let mut done = Done::default();
    let likely = Arc::new(Likely::default());
    let mut running = JoinSet::new();
    loop {
        while running.len() < options.jobs.max(1)
            && !options.stop.is_cancelled()
            && let Some((number, trial)) = missing.pop_front()
        {
            running.spawn(run_one(number, trial, likely.clone(), options.stop.clone()));
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
            Err(BenchError::Interrupted) => {}
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
    likely: Arc<Likely>,
    stop: CancellationToken,
) -> (usize, Trial, Result<TrialRecord, BenchError>) {
    let result = trial::run(&trial, &likely, stop).await;
    (number, trial, result)
}
