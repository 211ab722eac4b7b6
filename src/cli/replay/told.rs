//! What became of the findings on a build, in words and as JSON.

use serde_json::{Value, json};

use super::super::exit;
use super::super::output::json_line;
use droidmux_gui::printable;
use droidmux_lab::standing::Standing;
use droidmux_lab::{Installed, named};
use droidmux_record::{AppBuild, Confirmation, Finding, SessionId};

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

    fn json(&self) -> Value {
        let Confirmation { shown, absent, unfaithful, .. } = self.replays;
        let why = match &self.standing {
            Standing::Undecided(why) => Some(why),
            Standing::Fixed | Standing::StillThere => None,
        };
        json!({
            "finding": self.finding.id.to_string(),
            "also": self.also.iter().map(|other| other.id.to_string()).collect::<Vec<_>>(),
            "app": self.finding.app,
            "technique": self.finding.technique,
            "tier": self.finding.tier,
            "title": self.finding.verdict.title,
            "standing": self.standing.name(),
            "why": why,
            "replays": { "shown": shown, "absent": absent, "unfaithful": unfaithful },
            "t": { "session": self.session.map(|session| session.to_string()) },
        })
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

    fn json(&self) -> Value {
        let (fixed, still, undecided) = self.counts();
        let empty = Installed::default();
        let installed = self.installed.as_ref().unwrap_or(&empty);
        let left_out = installed.left_out.iter().map(|(serial, why)| json!({ "device": serial, "why": why }));
        json!({
            "app": self.app,
            "build": self.build.as_ref().map(|build| json!({
                "package": build.package,
                "version_name": build.version_name,
                "version_code": build.version_code,
            })),
            "findings": self.list.iter().map(Answer::json).collect::<Vec<_>>(),
            "counts": { "fixed": fixed, "still_there": still, "undecided": undecided },
            "device": { "installed_on": installed.serials, "left_out": left_out.collect::<Vec<_>>() },
        })
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
