//! The parts that a report is made of.

use droidmux_gui::LayoutHash;
use droidmux_proto::{FindingDetail, MapView};
use droidmux_record::{
    AppBuild, BlobHash, DeviceInfo, Evidence, Finding, FindingId, JobRun, Layouts, Progress, SessionId,
    SessionRecord, Tier, TierCounts, Verdict,
};

/// The part that comes before all sessions.
#[derive(Clone, Debug)]
pub struct Head {
    /// The version of droidmux that writes it.
    pub version: String,
    /// How many sessions follow.
    pub sessions: usize,
    /// The number of findings to read in all of them.
    pub counts: TierCounts,
    /// The sessions in the order they come.
    pub contents: Vec<HeadSession>,
}

/// A session as listed in a table of contents.
#[derive(Clone, Debug)]
pub struct HeadSession {
    /// Its number in the store.
    pub id: SessionId,
    /// By its name in session files, e.g. `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
    /// The number of findings to read in it.
    pub counts: TierCounts,
    /// Its reported findings that stand for themselves, with their sentences, in the order people read.
    pub reported: Vec<(FindingId, String)>,
}

/// What a report says about one session.
#[derive(Clone, Debug)]
pub struct SessionPart {
    /// Its number in the store.
    pub id: SessionId,
    /// How it was started and how it ended.
    pub record: SessionRecord,
    /// All its findings in the order people read, including those that others stand for.
    pub findings: Vec<Finding>,
    /// Its counts; `None` when this version cannot count them again; the reason is in the next field.
    pub progress: Option<Progress>,
    /// Why there are no counts; empty if there are.
    pub uncounted: String,
    /// What it mined of the app.
    pub map: MapView,
    /// The devices it ran on, each once.
    pub devices: Vec<DeviceInfo>,
    /// The builds of the app that it met, each once.
    pub builds: Vec<AppBuild>,
    /// When it last recorded something, in milliseconds since the Unix epoch.
    pub last_ms: u64,
}

/// A finding in full.
#[derive(Clone, Debug)]
pub struct FindingPart {
    /// The finding and what happened to it.
    pub detail: FindingDetail,
    /// The run that shows it best: the shrunk one if there is one. `None` when it is no longer stored.
    pub shown: Option<Shown>,
    /// For a deviation: the runs that showed the usual behaviour and the deviant one.
    pub conducts: Option<(Shown, Shown)>,
}

/// A run that shows a violation.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The session that ran it.
    pub session: SessionId,
    /// Everything that was done and seen.
    pub run: JobRun,
    /// What an oracle said about it.
    pub verdict: Verdict,
    /// It is the run of a shrunk recipe.
    pub shrunk: bool,
}

/// A screen as a picture.
#[derive(Clone, Debug)]
pub struct Shot {
    /// PNG, smaller than the device's screen, with the content of password fields painted over.
    pub png: Vec<u8>,
    /// The size of the device's screen in pixels, which bounds refer to.
    pub size: (u32, u32),
}

/// The source of layouts and pictures.
pub trait Shots: Layouts {
    /// The picture of a screen of a session: the screenshot taken at that moment, or else another one of the same
    /// layout. `None` if there is none.
    fn shot(&self, session: SessionId, layout: LayoutHash, taken: Option<BlobHash>) -> Option<Shot>;
}

impl HeadSession {
    /// Of a session with all its findings in the order people read.
    pub fn of(id: SessionId, record: &SessionRecord, findings: &[Finding]) -> Self {
        let reported =
            findings.iter().filter(|finding| finding.is_representative() && finding.tier == Tier::Reported);
        Self {
            id,
            technique: record.definition.technique.name().to_owned(),
            app: record.definition.app.clone(),
            counts: TierCounts::of(findings),
            reported: reported.map(|finding| (finding.id.clone(), finding.verdict.title.clone())).collect(),
        }
    }
}

impl SessionPart {
    /// What it ran in, where that was no device.
    pub fn lab(&self) -> Option<&'static str> {
        self.devices.iter().any(DeviceInfo::is_framework_lab).then_some("framework lab")
    }

    /// How many findings there are to read in each tier.
    pub fn counts(&self) -> TierCounts {
        TierCounts::of(&self.findings)
    }

    /// Those that stand for themselves, in the order people read.
    pub fn told(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_representative())
    }

    /// For how long it was under way, in milliseconds.
    pub fn took_ms(&self) -> u64 {
        self.record.under_way_ms(self.last_ms.max(self.record.started_ms))
    }
}

impl FindingPart {
    /// The finding itself.
    pub fn finding(&self) -> &Finding {
        &self.detail.finding
    }

    /// The command that reproduces it.
    pub fn replay_command(&self) -> String {
        let id = &self.finding().id;
        match self.is_shrunk() {
            true => format!("droidmux replay {id} --shrunk --times 3"),
            false => format!("droidmux replay {id} --times 3"),
        }
    }

    /// Shrunk to a recipe that showed it.
    pub fn is_shrunk(&self) -> bool {
        self.detail.shrunk.as_ref().is_some_and(|shrunk| shrunk.confirmation.is_confirmed())
    }

    /// Where it was first seen, or shows best: the run's device and build, unless nothing was performed there.
    pub fn facts(&self) -> Option<(&DeviceInfo, &AppBuild)> {
        // A deviation is weighed in a job that performs nothing.
        let deviant = self.conducts.as_ref().map(|(_, deviant)| deviant);
        let shown = deviant.or(self.shown.as_ref()).map(|shown| &shown.run);
        let run = shown.or(self.detail.run.as_ref())?;
        (run.events() > 0).then_some((&run.device, &run.app))
    }

    /// The evidence of the run that is shown.
    pub fn evidence(&self) -> &Evidence {
        let shown = self.shown.as_ref().map(|shown| &shown.verdict.evidence);
        shown.unwrap_or(&self.finding().verdict.evidence)
    }
}
