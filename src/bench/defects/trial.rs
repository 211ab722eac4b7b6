//! One trial: the session, then the experiments on its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::record::Identity;
use super::ruling::{Experiment, Question, rule};
use super::stand::Stand;
use super::{BenchError, JudgedFinding, Ruling, Trial, TrialRecord};
use crate::lab::SessionEvent;
use crate::record::{Finding, JobRun, Judgement, Outcome, ReplaySettings, SessionDefinition, Test};
use crate::technique::findings::Replay;

/// Which defect a finding of an app with a certain key was last named for: tried first when the key
/// comes again, in another trial for one.
#[derive(Debug, Default)]
pub(super) struct Likely(Mutex<BTreeMap<(String, String), String>>);

/// Runs a trial.
///
/// # Errors
/// Those of the lab; `Interrupted` when `stop` was cancelled.
pub(super) async fn run(
    trial: &Trial,
    likely: &Likely,
    stop: CancellationToken,
) -> Result<TrialRecord, BenchError> {
    let mut stand = Stand::new(&trial.app, &trial.definition, stop).await?;
    let present = trial.present();
    let began = Instant::now();
    let mut watch = Watch::default();
    let all: BTreeSet<String> = present.iter().cloned().collect();
    let outcome = stand.run(&all, trial.definition.clone(), trial.rng, |event| watch.look(&event)).await?;
    let took = millis(began);
    let judging = Instant::now();
    let mut record = TrialRecord {
        identity: Identity::of(trial),
        events: watch.events,
        milliseconds: took,
        replays: 0,
        judging_milliseconds: 0,
        findings: Vec::new(),
    };
    for finding in &outcome.findings {
        let (judged, replays) = judge(trial, &present, finding, &watch, &mut stand, likely).await?;
        record.findings.push(judged);
        record.replays += replays;
    }
    record.judging_milliseconds = millis(judging);
    Ok(record)
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The ruling on a finding, and how many replays it took.
async fn judge(
    trial: &Trial,
    present: &[String],
    finding: &Finding,
    watch: &Watch,
    stand: &mut Stand,
    likely: &Likely,
) -> Result<(JudgedFinding, u64), BenchError> {
    let verdict = &finding.verdict;
    let (app, key) = (trial.app.package(), verdict.key.as_str());
    let confirmed = finding.confirmation.is_confirmed();
    let tests = stand.recipe(finding).await?;
    let mut replays = Replays { trial, finding, tests, stand, count: 0 };
    let ruling = if replays.tests.is_empty() {
        Ruling::Undecided { why: "nothing is known that could be replayed".into() }
    } else {
        let first = likely.of(app, key);
        rule(&mut replays, Question { present, confirmed, likely: first.as_deref() }).await?
    };
    if let Ruling::True { defects, .. } = &ruling
        && let [defect] = defects.as_slice()
    {
        likely.note(app, key, defect);
    }
    let judged = JudgedFinding {
        key: verdict.key.clone(),
        title: verdict.title.clone(),
        oracle: verdict.oracle.clone(),
        confirmed,
        hints: verdict.hints.iter().map(|hint| hint.cause.clone()).collect(),
        after: watch.first_seen(key),
        ruling,
    };
    Ok((judged, replays.count))
}

/// What the bench notes of a session while it runs, in slot order.
#[derive(Default)]
struct Watch {
    /// Events performed so far.
    events: u64,
    /// Events performed when a violation of this key first came up.
    seen: BTreeMap<String, u64>,
}

impl Watch {
    fn look(&mut self, event: &SessionEvent) {
        if let SessionEvent::Absorbed { run, judgement } = event {
            self.absorb(run, judgement);
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement) {
        self.events += run.events();
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            self.seen.entry(verdict.key.clone()).or_insert(self.events);
        }
    }

    fn first_seen(&self, key: &str) -> u64 {
        self.seen.get(key).copied().unwrap_or(self.events)
    }
}

/// Replays of one finding on the stand.
struct Replays<'t> {
    trial: &'t Trial,
    finding: &'t Finding,
    tests: Vec<Test>,
    stand: &'t mut Stand,
    count: u64,
}

impl Experiment for Replays<'_> {
    async fn replay(&mut self, on: &BTreeSet<String>) -> Result<Replay, BenchError> {
        self.count += 1;
        let key = self.finding.verdict.key.clone();
        let settings = ReplaySettings {
            finding: self.finding.id.clone(),
            key: key.clone(),
            times: 1,
            tests: self.tests.clone(),
        };
        let definition = SessionDefinition { replay: Some(settings), ..self.trial.definition.clone() };
        let mut seen = None;
        let tests = &self.tests;
        let listen = |event: SessionEvent| {
            if let SessionEvent::Absorbed { run, judgement } = event {
                seen = Some(Replay::read(&key, tests, &run, &judgement));
            }
        };
        self.stand.run(on, definition, self.trial.rng, listen).await?;
        seen.ok_or(BenchError::NoRun)
    }
}

impl Likely {
    fn of(&self, app: &str, key: &str) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(app.to_owned(), key.to_owned())).cloned()
    }

    fn note(&self, app: &str, key: &str, defect: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert((app.to_owned(), key.to_owned()), defect.to_owned());
    }
}
