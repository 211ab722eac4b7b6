//! What became of the findings on a build, in words and as JSON.

use serde::Serialize;

use super::super::exit;
use super::super::output::json_line;
use droidmux_lab::standing::Standing;
use droidmux_lab::{Installed, named};
use droidmux_record::{AppBuild, Confirmation, Finding, SessionId, Tier};
use droidmux_words::printable;

/// `droidmux replay --all --json`: how each finding stands on the build that was installed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "replay-all"))]
pub(crate) struct ReplayJson<'a> {
    /// Null where findings of all apps were replayed.
    app: Option<&'a str>,
    /// Null where nothing was installed.
    build: Option<BuildJson<'a>>,
    findings: Vec<AnswerJson<'a>>,
    counts: CountsJson,
    device: DevicesJson<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "build"))]
struct BuildJson<'a> {
    package: &'a str,
    version_name: &'a str,
    version_code: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "answer"))]
struct AnswerJson<'a> {
    finding: String,
    /// The same violation, found by other sessions.
    also: Vec<String>,
    app: &'a str,
    technique: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tier>"))]
    tier: Tier,
    title: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = ["fixed", "still there", "undecided"])))]
    standing: &'static str,
    /// Why it is undecided.
    why: Option<&'a str>,
    replays: ReplaysJson,
    t: AnswerVaries,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "replays"))]
struct ReplaysJson {
    shown: u32,
    /// They followed the recorded events and did not show it.
    absent: u32,
    /// They could not follow the recorded events.
    unfaithful: u32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "answer-t"))]
struct AnswerVaries {
    /// The session that replayed it.
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "standings"))]
struct CountsJson {
    fixed: usize,
    still_there: usize,
    undecided: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "devices"))]
struct DevicesJson<'a> {
    installed_on: &'a [String],
    left_out: Vec<LeftOutJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "left-out"))]
struct LeftOutJson<'a> {
    device: &'a str,
    why: &'a str,
}

/// What became of one finding.
pub(super) struct Answer {
    finding: Finding,
    also: Vec<Finding>,
    standing: Standing,
    replays: Confirmation,
    /// The session that replayed it.
    session: Option<SessionId>,
}

impl Answer {
    pub(super) fn new(finding: Finding, also: Vec<Finding>, standing: Standing) -> Self {
        Self { finding, also, standing, replays: Confirmation::default(), session: None }
    }

    /// The answer, according to the replays of this session.
    pub(super) fn by(self, session: SessionId, replays: Confirmation) -> Self {
        Self { session: Some(session), replays, ..self }
    }

    /// The answer as one line for a person.
    pub(super) fn line(&self) -> String {
        let Confirmation { shown, absent, unfaithful, .. } = self.replays;
        let ran = shown + absent + unfaithful;
        let (id, title) = (&self.finding.id, &self.finding.verdict.title);
        let also = match self.also.len() {
            0 => String::new(),
            _ => {
                let ids: Vec<String> = self.also.iter().map(|other| other.id.to_string()).collect();
                format!(" (also {})", ids.join(", "))
            }
        };
        let detail = match &self.standing {
            Standing::Fixed => format!("; not shown by {absent} of {ran} replays"),
            Standing::StillThere => format!("; shown by {shown} of {ran} replays"),
            Standing::Undecided(why) => format!("; {why}"),
        };
        printable(&format!("{:<12} {id}{also}  {title}{detail}", self.standing.name())).into_owned()
    }

    fn json(&self) -> AnswerJson<'_> {
        let Confirmation { shown, absent, unfaithful, .. } = self.replays;
        let why = match &self.standing {
            Standing::Undecided(why) => Some(why.as_str()),
            Standing::Fixed | Standing::StillThere => None,
        };
        AnswerJson {
            finding: self.finding.id.to_string(),
            also: self.also.iter().map(|other| other.id.to_string()).collect(),
            app: &self.finding.app,
            technique: &self.finding.technique,
            tier: self.finding.tier,
            title: &self.finding.verdict.title,
            standing: self.standing.name(),
            why,
            replays: ReplaysJson { shown, absent, unfaithful },
            t: AnswerVaries { session: self.session.map(|session| session.to_string()) },
        }
    }
}

/// What became of all of them.
pub(super) struct Answers {
    build: Option<AppBuild>,
    app: Option<String>,
    pub(super) installed: Option<Installed>,
    pub(super) list: Vec<Answer>,
}

impl Answers {
    pub(super) fn new(build: Option<AppBuild>, app: Option<String>) -> Self {
        Self { build, app, installed: None, list: Vec::new() }
    }

    /// Success only when everything was looked for and nothing was found.
    pub(super) fn exit_code(&self) -> u8 {
        let (fixed, still, undecided) = self.counts();
        match (fixed, still, undecided) {
            (_, 1.., _) => exit::FOUND,
            (1.., 0, 0) => exit::OK,
            _ => exit::UNDECIDED,
        }
    }

    fn counts(&self) -> (usize, usize, usize) {
        let count = |name: &str| self.list.iter().filter(|answer| answer.standing.name() == name).count();
        (count("fixed"), count("still there"), count("undecided"))
    }

    pub(super) fn text(&self, json: bool) -> String {
        if json { json_line(&self.json()) } else { self.words() }
    }

    fn json(&self) -> ReplayJson<'_> {
        let (fixed, still_there, undecided) = self.counts();
        let installed = self.installed.as_ref();
        let left_out = installed.into_iter().flat_map(|installed| &installed.left_out);
        ReplayJson {
            app: self.app.as_deref(),
            build: self.build.as_ref().map(|build| BuildJson {
                package: &build.package,
                version_name: &build.version_name,
                version_code: build.version_code,
            }),
            findings: self.list.iter().map(Answer::json).collect(),
            counts: CountsJson { fixed, still_there, undecided },
            device: DevicesJson {
                installed_on: installed.map(|installed| installed.serials.as_slice()).unwrap_or_default(),
                left_out: left_out.map(|(device, why)| LeftOutJson { device, why }).collect(),
            },
        }
    }

    fn words(&self) -> String {
        let (fixed, still, undecided) = self.counts();
        let on = match (&self.build, &self.app) {
            (Some(build), _) => format!(" on {}", named(build)),
            (None, Some(app)) => format!(" of {app}"),
            (None, None) => String::new(),
        };
        if self.list.is_empty() {
            return printable(&format!("nothing to replay: no reported finding{on} is stored")).into_owned()
                + "\n";
        }
        let mut lines: Vec<String> = self.list.iter().map(Answer::line).collect();
        lines.push(format!("{fixed} fixed, {still} still there, {undecided} undecided{on}"));
        lines.iter().map(|line| printable(line).into_owned() + "\n").collect()
    }
}
