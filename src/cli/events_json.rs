//! JSON Lines: what `--json` prints. The schema is `docs/json-lines.schema.json`.
//!
//! Lines come in the order in which jobs are absorbed, so two runs of the same definition and seed on stable devices
//! print the same lines once the keys `t` and `device` are dropped.

use std::io::{self, Write};

use serde::Serialize;

use super::exchange_json::ConsultationJson;
use super::finding_json::{FindingJson, ShrunkJson};
use super::output::json_line;
use super::step_json::{StepJson, VerdictJson};
use droidmux_lab::{SessionEnd, SessionEvent, SessionOutcome};
use droidmux_record::{
    Act, DmfTally, FormTally, Funnel, JobRun, Judgement, LookTally, Phase, SessionId, Tally, TourTally, Use,
};
use droidmux_words::number::real;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "phase"))]
pub(crate) struct PhaseJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "phase")))]
    r#type: &'static str,
    app: &'a str,
    /// As the technique names it: mine, seeds, mutants, calibrate, manifest, properties, forms, tour, shrink; confirm and
    /// done with all.
    #[cfg_attr(test, schemars(regex(pattern = "^[a-z-]+$")))]
    phase: &'a str,
    t: PhaseVaries,
}

/// Times and numbers of this run alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "phase-t"))]
struct PhaseVaries {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "summary"))]
pub(crate) struct SummaryJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "summary")))]
    r#type: &'static str,
    app: &'a str,
    end: EndJson,
    /// Why the session cannot have found anything; its exit code is 3.
    vain: Option<&'a str>,
    /// Jobs cut or left out because the time was over.
    cut: usize,
    seed: u64,
    steps: u64,
    events: u64,
    states: u32,
    transitions: u32,
    /// What the events went into, by the purpose of the jobs.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<Use>>"))]
    uses: &'a [Use],
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Funnel>"))]
    funnel: &'a Funnel,
    /// Odin's counts; all 0 for other techniques.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tally>"))]
    tally: &'a Tally,
    /// PBFDroid's counts; all 0 for other techniques.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<DmfTally>"))]
    dmf: &'a DmfTally,
    /// InputBlaster's counts; all 0 for other techniques.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<FormTally>"))]
    form: &'a FormTally,
    /// VisionDroid's counts; all 0 for other techniques.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<TourTally>"))]
    tour: &'a TourTally,
    findings: Vec<FindingJson<'a>>,
    /// What findings were shrunk to.
    shrunk: Vec<ShrunkJson<'a>>,
    idle_rules: &'a [String],
    t: SummaryVaries<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "end"))]
enum EndJson {
    Complete,
    OutOfTime,
    Stopped,
}

/// Times and numbers of this run alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "summary-t"))]
struct SummaryVaries<'a> {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: String,
    seconds: f64,
    /// What looking at screens cost, and how often a swift look was premature.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<LookTally>"))]
    looks: &'a LookTally,
    /// What it went without on its devices, each once: findings may have been missed for it.
    lacks: &'a [String],
    steps_per_second: f64,
    steps_recorded: u64,
}

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
                let line = json_line(&PhaseJson {
                    r#type: "phase",
                    app: &self.app,
                    phase: &progress.phase.name,
                    t: PhaseVaries { session: self.session.to_string() },
                });
                self.out.write_all(line.as_bytes())
            }
            SessionEvent::Absorbed { run, judgement } => {
                self.run(run)?;
                self.judgement(run, judgement)
            }
            SessionEvent::Finding(finding) => {
                let line = json_line(&FindingJson::of(finding, &self.app));
                self.out.write_all(line.as_bytes())
            }
        }
    }

    /// The last line.
    pub(super) fn summary(&mut self, outcome: &SessionOutcome, rng: u64, seconds: f64) -> io::Result<()> {
        let progress = &outcome.progress;
        let line = json_line(&SummaryJson {
            r#type: "summary",
            app: &self.app,
            end: match outcome.end {
                SessionEnd::Complete => EndJson::Complete,
                SessionEnd::OutOfTime => EndJson::OutOfTime,
                SessionEnd::Stopped => EndJson::Stopped,
            },
            vain: outcome.vain.as_deref(),
            cut: outcome.cut,
            seed: rng,
            steps: self.steps,
            events: progress.events,
            states: progress.states,
            transitions: progress.transitions,
            uses: &progress.uses,
            funnel: &progress.funnel,
            tally: &progress.tally,
            dmf: &progress.dmf,
            form: &progress.form,
            tour: &progress.tour,
            findings: outcome.findings.iter().map(|finding| FindingJson::of(finding, &self.app)).collect(),
            shrunk: outcome.shrunk.iter().map(ShrunkJson::of).collect(),
            idle_rules: &outcome.idle_rules,
            t: SummaryVaries {
                session: self.session.to_string(),
                seconds,
                looks: &outcome.looks,
                lacks: &outcome.lacks,
                steps_per_second: real(outcome.steps) / seconds.max(0.001),
                steps_recorded: outcome.steps,
            },
        });
        self.out.write_all(line.as_bytes())
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
                    if let Some(line) = ConsultationJson::of(run, number, turn, asked) {
                        self.line(&line)?;
                    }
                    continue;
                }
                Act::Finish(_) => continue,
            }
            self.steps += 1;
            self.line(&StepJson::of(run, number, turn, test.unwrap_or(0), event))?;
        }
        Ok(())
    }

    fn judgement(&mut self, run: &JobRun, judgement: &Judgement) -> io::Result<()> {
        for verdict in &judgement.verdicts {
            self.line(&VerdictJson::of(run, verdict))?;
        }
        Ok(())
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.out.write_all(json_line(value).as_bytes())
    }
}
