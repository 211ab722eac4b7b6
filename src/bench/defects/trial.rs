//! One trial: the session, then the experiments on its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::record::{Identity, Opinion};
use super::ruling::{Experiment, rule};
use super::stand::Stand;
use super::{BenchError, JudgedFinding, Ruling, Trial, TrialRecord};
use droidmux_lab::SessionEvent;
use droidmux_record::Experiment as TierExperiment;
use droidmux_record::{
    ExperimentKind, Finding, JobRun, Judgement, Outcome, ReplaySettings, SessionDefinition, ShrinkSettings,
    Test,
};
use droidmux_technique::claims::{Kind, claim_of};
use droidmux_technique::findings::Replay;
use droidmux_technique::{held_back, tier_of};

/// The most replays that a test takes to be made shorter.
const SHORTENING: u32 = 60;

/// Runs a trial; with `store`, its sessions stay there.
///
/// # Errors
/// The errors of the lab and of the store; `Interrupted` when `stop` was cancelled.
pub(super) async fn run(
    trial: &Trial,
    store: Option<PathBuf>,
    stop: CancellationToken,
) -> Result<TrialRecord, BenchError> {
    let stand = match store {
        Some(store) => Stand::keeping(store, &trial.app, &trial.definition, stop).await?,
        None => Stand::new(&trial.app, &trial.definition, stop).await?,
    };
    let mut stand = stand.with_latency(trial.latency);
    let present = trial.present.clone();
    let began = Instant::now();
    let mut watch = Watch::default();
    let on: BTreeSet<String> =
        if trial.correct { BTreeSet::new() } else { present.iter().cloned().collect() };
    stand.set_up(&on).await?;
    let outcome = stand.run(trial.definition.clone(), trial.rng, |event| watch.look(&event)).await?;
    let took = millis(began);
    let judging = Instant::now();
    let mut record = TrialRecord {
        identity: Identity::of(trial),
        events: watch.events,
        milliseconds: took,
        replays: 0,
        judging_milliseconds: 0,
        set_off: stand.set_off(),
        findings: Vec::new(),
    };
    let mut findings = outcome.findings;
    findings.sort_by_key(|finding| (finding.tier, finding.rank));
    for finding in &findings {
        let tests = stand.recipe(finding).await?;
        let recipe = fingerprint(&tests);
        let (ruling, replays) = judge(trial, &present, finding, tests, &mut stand).await?;
        record.findings.push(JudgedFinding { recipe, ..judged(finding, &findings, &watch, ruling) });
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
    tests: Vec<Test>,
    stand: &mut Stand,
) -> Result<(Ruling, u64), BenchError> {
    if trial.correct {
        // The session itself was the experiment with all defects off.
        return Ok((Ruling::FalseAlarm, 0));
    }
    if tests.is_empty() {
        return Ok((Ruling::Undecided { why: "nothing is known that could be replayed".into() }, 0));
    }
    let mut replays = Replays { trial, finding, tests, stand, count: 0 };
    let ruling = rule(&mut replays, present).await?;
    Ok((ruling, replays.count))
}

/// Equal for equal tests; `None` without any.
fn fingerprint(tests: &[Test]) -> Option<String> {
    let text = serde_json::to_vec(tests).ok().filter(|_| !tests.is_empty())?;
    Some(blake3::hash(&text).to_hex().to_string())
}

/// What is kept of one finding of its session.
fn judged(finding: &Finding, all: &[Finding], watch: &Watch, ruling: Ruling) -> JudgedFinding {
    let verdict = &finding.verdict;
    let standing = all.iter().find(|other| other.id == finding.cluster).unwrap_or(finding);
    JudgedFinding {
        rank: finding.rank,
        tier: finding.tier,
        because: finding.because.clone(),
        cluster: standing.rank,
        key: verdict.key.clone(),
        recipe: None,
        title: verdict.title.clone(),
        oracle: verdict.oracle.clone(),
        confirmed: finding.confirmation.is_confirmed(),
        hints: verdict.hints.iter().map(|hint| hint.cause.clone()).collect(),
        after: watch.first_seen(&verdict.key),
        tests: finding.seen.iter().map(|(slot, test)| (slot.0, *test)).collect(),
        ruling,
        held_back: held_back(finding).map(str::to_owned),
        opinion: opinion(finding),
    }
}

/// What the reviewer said of a finding, and the tier that it would have without that.
fn opinion(finding: &Finding) -> Option<Opinion> {
    let is_review = |tried: &TierExperiment| tried.kind == ExperimentKind::Review;
    let review = finding.verdict.experiments.iter().find(|tried| is_review(tried))?;
    let mut before = finding.clone();
    before.verdict.experiments.retain(|tried| !is_review(tried));
    Some(Opinion { bearing: review.bearing, before: tier_of(&before).0 })
}

/// What the bench notes about a session while it runs, in slot order.
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

impl Replays<'_> {
    /// A session like that of the trial, to which something is added.
    fn definition(&self) -> SessionDefinition {
        SessionDefinition { llm: self.trial.judge.clone(), ..self.trial.definition.clone() }
    }
}

impl Experiment for Replays<'_> {
    async fn set_up(&mut self, on: &BTreeSet<String>) -> Result<(), BenchError> {
        self.stand.set_up(on).await
    }

    async fn suspects(&mut self, present: &[String]) -> Result<Vec<String>, BenchError> {
        if !self.trial.app.is_real() {
            // A replay on a simulated phone takes less than to find out what can be left out.
            return Ok(present.to_vec());
        }
        self.set_up(&present.iter().cloned().collect()).await?;
        self.replay().await?;
        let set_off = self.stand.set_off();
        Ok(present.iter().filter(|id| set_off.contains_key(*id)).cloned().collect())
    }

    async fn shorten(&mut self, present: &[String]) -> Result<bool, BenchError> {
        self.set_up(&present.iter().cloned().collect()).await?;
        let settings = ShrinkSettings {
            finding: self.finding.id.clone(),
            key: self.finding.verdict.key.clone(),
            tests: self.tests.clone(),
            confirm: 1,
            times: 1,
            rounds: SHORTENING,
        };
        let definition = SessionDefinition { shrink: Some(settings), ..self.definition() };
        let outcome = self.stand.run(definition, self.trial.rng, |_| {}).await?;
        let Some(shrunk) = outcome.shrunk.into_iter().next() else { return Ok(false) };
        self.count += u64::from(shrunk.replays);
        let shorter = shrunk.to < shrunk.from;
        if shorter {
            self.tests = shrunk.tests;
        }
        Ok(shorter)
    }

    fn rests_on_more(&self) -> bool {
        claim_of(&self.finding.verdict).is_some_and(|claim| Kind::of(claim) == Kind::Ability)
    }

    async fn replay(&mut self) -> Result<Replay, BenchError> {
        self.count += 1;
        let key = self.finding.verdict.key.clone();
        let settings = ReplaySettings {
            finding: self.finding.id.clone(),
            key: key.clone(),
            times: 1,
            tests: self.tests.clone(),
        };
        let definition = SessionDefinition { replay: Some(settings), ..self.definition() };
        let mut seen = None;
        let tests = &self.tests;
        let listen = |event: SessionEvent| {
            if let SessionEvent::Absorbed { run, judgement } = event {
                seen = Some(Replay::read(&key, tests, &run, &judgement));
            }
        };
        self.stand.run(definition, self.trial.rng, listen).await?;
        seen.ok_or(BenchError::NoRun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defects::fixture;
    use droidmux_record::Turn;
    use droidmux_store::{Store, StoreOptions};

    /// Judges the findings of one session in both directions, so that each is judged after others.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_finding_is_ruled_on_alike_however_often_and_after_whatever() {
        let trial = &fixture::trial("genie", "notes", 700);
        let mut stand =
            Stand::new(&trial.app, &trial.definition, CancellationToken::new()).await.expect("a stand");
        let present = trial.present.clone();
        stand.set_up(&present.iter().cloned().collect()).await.expect("a phone");
        let outcome = stand.run(trial.definition.clone(), 1, |_| {}).await.expect("a session");
        let findings: Vec<&Finding> = outcome.findings.iter().take(4).collect();
        assert!(!findings.is_empty(), "nothing to judge");
        let mut rulings = BTreeMap::new();
        for finding in findings.iter().chain(findings.iter().rev()) {
            let tests = stand.recipe(finding).await.expect("a recipe");
            let (ruling, _) = judge(trial, &present, finding, tests, &mut stand).await.expect("judged");
            let before = rulings.entry(finding.verdict.key.clone()).or_insert_with(|| ruling.clone());
            assert_eq!(*before, ruling, "{}", finding.verdict.title);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_store_that_is_kept_holds_the_session_and_the_replays_by_which_it_was_judged() {
        let trial = &fixture::trial("monkey", "notes", 1_000);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(trial.file_stem());
        let record = run(trial, Some(path.clone()), CancellationToken::new()).await.expect("a record");
        assert!(record.replays > 0, "nothing was judged: {:?}", record.findings);
        let store =
            Store::open(&path, StoreOptions { ballast: 0, ..StoreOptions::default() }).expect("the store");
        assert_eq!(store.sessions().expect("its sessions").len() as u64, 1 + record.replays);
    }

    /// Two sessions on fresh phones are identical down to the last screen, even though their clocks are not steady and
    /// the app shows days.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_session_is_the_same_twice() {
        let trial = fixture::trial("genie", "todo", 500);
        let mut stand =
            Stand::new(&trial.app, &trial.definition, CancellationToken::new()).await.expect("a stand");
        let on: BTreeSet<String> = trial.present.iter().cloned().collect();
        let mut told = Vec::new();
        for _ in 0..2 {
            stand.set_up(&on).await.expect("a phone");
            let mut turns = Vec::new();
            let listen = |event: SessionEvent| {
                if let SessionEvent::Absorbed { run, .. } = event {
                    let seen = |turn: &Turn| turn.observation.seen().map(|seen| seen.screen.layout);
                    turns.extend(run.turns.iter().map(|turn| (turn.act.clone(), seen(turn))));
                }
            };
            stand.run(trial.definition.clone(), 1, listen).await.expect("a session");
            told.push((turns, stand.set_off()));
        }
        assert!(told[0].0.len() > 400, "{}", told[0].0.len());
        for (number, (one, other)) in told[0].0.iter().zip(&told[1].0).enumerate() {
            assert_eq!(one, other, "turn {number}");
        }
        assert_eq!(told[0], told[1]);
    }
}
