//! JSON Lines: what `--json` prints. The schema is `docs/json-lines.schema.json`.
//!
//! Lines come in the order in which jobs are absorbed, so two runs of the same definition and seed on stable devices
//! print the same lines once the keys `t` and `device` are dropped.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::exchange_json::consultation_json;
use super::output::json_line;
use droidmux_gui::number::real;
use droidmux_lab::{SessionEnd, SessionEvent, SessionOutcome};
use droidmux_record::{
    Act, Evidence, Experiment, Failure, Finding, JobRun, Judgement, Observation, Phase, SessionId, Shrunk,
    Turn, Verdict,
};
use droidmux_technique::explanation;

/// Prints events of one session as they come.
pub(super) struct JsonLines<W: Write> {
    out: W,
    session: SessionId,
    app: String,
    phase: Option<Phase>,
    steps: u64,
}

impl<W: Write> JsonLines<W> {
    pub(super) fn new(out: W, app: &str) -> Self {
        Self { out, session: SessionId(0), app: app.into(), phase: None, steps: 0 }
    }

    /// Prints what an event reports; an error means that nobody reads any more.
    pub(super) fn event(&mut self, event: &SessionEvent) -> io::Result<()> {
        match event {
            SessionEvent::Began(session) => {
                self.session = *session;
                Ok(())
            }
            // For people.
            SessionEvent::Said(_) => Ok(()),
            SessionEvent::Progress(progress) if self.phase.as_ref() == Some(&progress.phase) => Ok(()),
            SessionEvent::Progress(progress) => {
                self.phase = Some(progress.phase.clone());
                self.line(&json!({"type": "phase", "app": self.app, "phase": progress.phase.name, "t": {"session": self.session.to_string()}}))
            }
            SessionEvent::Absorbed { run, judgement } => {
                self.run(run)?;
                self.judgement(run, judgement)
            }
            SessionEvent::Finding(finding) => self.line(&finding_json(finding, &self.app)),
        }
    }

    /// The last line.
    pub(super) fn summary(&mut self, outcome: &SessionOutcome, rng: u64, seconds: f64) -> io::Result<()> {
        let findings: Vec<Value> =
            outcome.findings.iter().map(|finding| finding_json(finding, &self.app)).collect();
        let line = json!({
            "type": "summary",
            "app": self.app,
            "end": match outcome.end {
                SessionEnd::Complete => "complete",
                SessionEnd::OutOfTime => "out-of-time",
                SessionEnd::Stopped => "stopped",
            },
            "vain": outcome.vain,
            "cut": outcome.cut,
            "seed": rng,
            "steps": self.steps,
            "events": outcome.progress.events,
            "states": outcome.progress.states,
            "transitions": outcome.progress.transitions,
            "funnel": outcome.progress.funnel,
            "tally": outcome.progress.tally,
            "dmf": outcome.progress.dmf,
            "form": outcome.progress.form,
            "tour": outcome.progress.tour,
            "findings": findings,
            "shrunk": outcome.shrunk.iter().map(shrunk_json).collect::<Vec<_>>(),
            "idle_rules": outcome.idle_rules,
            "t": {
                "session": self.session.to_string(),
                "seconds": seconds,
                "steps_per_second": real(outcome.steps) / seconds.max(0.001),
                "steps_recorded": outcome.steps,
            },
        });
        self.line(&line)
    }

    fn run(&mut self, run: &JobRun) -> io::Result<()> {
        let mut test: Option<u64> = None;
        let mut event = 0;
        for (number, turn) in run.turns.iter().enumerate() {
            match &turn.act {
                Act::Reset => {
                    test = Some(test.map_or(0, |test| test + 1));
                    event = 0;
                }
                Act::Perform(_) => event += 1,
                Act::Consult(asked) => {
                    if let Some(line) = consultation_json(run, number, turn, asked) {
                        self.line(&line)?;
                    }
                    continue;
                }
                Act::Finish(_) => continue,
            }
            self.steps += 1;
            let line = step_json(run, number, turn, test.unwrap_or(0), event);
            self.line(&line)?;
        }
        Ok(())
    }

    fn judgement(&mut self, run: &JobRun, judgement: &Judgement) -> io::Result<()> {
        for verdict in &judgement.verdicts {
            self.line(&verdict_json(run, verdict))?;
        }
        Ok(())
    }

    fn line(&mut self, value: &Value) -> io::Result<()> {
        self.out.write_all(json_line(value).as_bytes())
    }
}

fn step_json(run: &JobRun, number: usize, turn: &Turn, test: u64, event: u64) -> Value {
    let (kind, receiver, data) = match &turn.act {
        Act::Perform(event) => (event.kind.name(), event.receiver.as_ref(), event.data.as_ref()),
        Act::Reset | Act::Consult(_) | Act::Finish(_) => ("reset", None, None),
    };
    let seen = turn.observation.seen();
    let failed = match &turn.observation {
        Observation::Failed(Failure::NotFound) => Some("not-found"),
        Observation::Failed(Failure::Untouchable) => Some("untouchable"),
        Observation::Failed(Failure::Untypable) => Some("untypable"),
        Observation::Failed(Failure::TimedOut) => Some("timed-out"),
        Observation::Failed(Failure::Unsupported) => Some("unsupported"),
        Observation::Started | Observation::Seen(_) | Observation::Ended | Observation::Answered(_) => None,
    };
    json!({
        "type": "step",
        "app": run.app.package,
        "job": run.job.slot.0,
        "work": run.job.work.name(),
        "test": test,
        "turn": number,
        "event_number": event,
        "event": kind,
        "receiver": receiver.map(|r| json!({
            "class": r.class, "resource_id": r.resource_id, "description": r.description, "text": r.text,
        })),
        "data": data,
        "ratio": seen.and_then(|seen| seen.resolution).map(|resolution| resolution.ratio()),
        "failed": failed,
        "layout": seen.map(|seen| seen.screen.layout.to_string()),
        "activity": seen.map(|seen| seen.screen.activity.clone()),
        "in_app": seen.map(|seen| seen.screen.in_app),
        "settled": seen.map(|seen| seen.settled),
        "signals": seen.map_or(0, |seen| seen.signals.len()),
        "t": {
            "at_ms": turn.at_ms,
            "took_ms": turn.took_ms,
            "attempt": run.attempt,
            "screenshot": seen.and_then(|seen| seen.screenshot).map(|hash| hash.to_string()),
        },
        "device": {"serial": run.device.serial, "build": run.device.build, "app_version": run.app.version_name},
    })
}

fn verdict_json(run: &JobRun, verdict: &Verdict) -> Value {
    json!({
        "type": "verdict",
        "app": run.app.package,
        "job": verdict.slot.0,
        "work": run.job.work.name(),
        "test": verdict.test,
        "oracle": verdict.oracle,
        "outcome": verdict.outcome.name(),
        "why": verdict.outcome.why(),
        "title": verdict.title,
        "key": verdict.key,
    })
}

/// What a finding was shrunk to; shared by the listing of findings.
pub(super) fn shrunk_json(shrunk: &Shrunk) -> Value {
    json!({
        "from": shrunk.from,
        "to": shrunk.to,
        "candidates": shrunk.candidates,
        "replays": shrunk.replays,
        "confirmed": shrunk.confirmation.is_confirmed(),
        "confirmation": shrunk.confirmation,
        "ending": shrunk.ending,
        "tests": shrunk.tests,
        "t": {"finding": shrunk.finding.to_string(), "session": shrunk.session.to_string()},
    })
}

/// What was tried on a finding, and the result.
fn experiment_json(experiment: &Experiment) -> Value {
    let places = experiment.places.iter();
    let places: Vec<Value> = places.map(|place| json!({"job": place.slot.0, "turn": place.turn})).collect();
    json!({
        "kind": experiment.kind,
        "bearing": experiment.bearing,
        "words": experiment.words,
        "places": places,
    })
}

/// A finding as JSON; shared by the listing of findings.
pub(super) fn finding_json(finding: &Finding, app: &str) -> Value {
    let key = finding.id.key;
    let effects = match &finding.verdict.evidence {
        Evidence::Effects(effects) => json!(effects),
        Evidence::Signal { turn, signal } => json!({"turn": turn, "signal": signal}),
        Evidence::Deviation(deviation) => json!(deviation),
        Evidence::Breach(breach) => json!(breach),
        Evidence::Mistreated(mistreated) => json!(mistreated),
        Evidence::Mismatch(mismatch) => json!(mismatch),
        Evidence::Broken(broken) => json!(broken),
        Evidence::None => Value::Null,
    };
    let experiments: Vec<Value> = finding.verdict.experiments.iter().map(experiment_json).collect();
    json!({
        "type": "finding",
        "finding": format!("{key:08x}"),
        "app": app,
        "technique": finding.technique,
        "oracle": finding.verdict.oracle,
        "title": finding.verdict.title,
        "key": finding.verdict.key,
        "tier": finding.tier,
        "because": finding.because,
        "explanation": explanation(finding),
        "harm": finding.verdict.harm,
        "cluster": format!("{:08x}", finding.cluster.key),
        "experiments": experiments,
        "rank": finding.rank,
        "state": finding.state,
        "occurrences": finding.occurrences,
        "job": finding.verdict.slot.0,
        "test": finding.verdict.test,
        "confirmed": finding.confirmation.is_confirmed(),
        "confirmation": finding.confirmation,
        "flakiness": finding.confirmation.flakiness(),
        "hints": finding.verdict.hints,
        "evidence": effects,
        "t": {"id": finding.id.to_string()},
    })
}
