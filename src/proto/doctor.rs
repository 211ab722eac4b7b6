//! What the doctor found: whether everything that a night's run depends on is in order.

use serde::{Deserialize, Serialize};

/// The doctor's results so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DoctorView {
    /// When the examination began, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// There is more to come.
    pub running: bool,
    /// Subject by subject.
    pub checks: Vec<CheckView>,
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckView {
    /// What it belongs to.
    pub subject: Subject,
    /// In a word or two: `server`, `display`.
    pub name: String,
    /// Its condition.
    pub verdict: CheckVerdict,
    /// What was seen. Contains texts from devices and servers: made printable only where it is drawn.
    pub said: String,
    /// What a person should do; empty when there is nothing to do.
    pub remedy: String,
    /// What was measured, in milliseconds.
    pub ms: Option<u64>,
}

/// What a check belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Subject {
    /// The ADB server, and the program of that name.
    Adb,
    /// The device of this serial.
    Device(String),
    /// Where everything is recorded.
    Store,
    /// The terminal that the doctor, or the cockpit, is shown in.
    Terminal,
    /// The endpoint of the language model.
    Model,
    /// The framework lab, which runs apps without a device.
    Framework,
    /// The NATS server between labs and hosts.
    Nats,
    /// The host of this name, which offers its devices through NATS.
    Host(String),
}

/// The condition of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// As it should be.
    Good,
    /// Not checked, and why.
    Skipped,
    /// Sessions run, but not as well as they could.
    Doubtful,
    /// Sessions fail.
    Bad,
}

impl CheckVerdict {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Skipped => "skipped",
            Self::Doubtful => "doubtful",
            Self::Bad => "bad",
        }
    }
}

impl Subject {
    /// One word: the serial of a device and the name of a host are shown beside it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Adb => "adb",
            Self::Device(_) => "device",
            Self::Store => "store",
            Self::Terminal => "terminal",
            Self::Model => "model",
            Self::Framework => "framework",
            Self::Nats => "nats",
            Self::Host(_) => "host",
        }
    }

    /// Its heading.
    pub fn heading(&self) -> String {
        match self {
            Self::Device(serial) => format!("device {serial}"),
            Self::Host(name) => format!("host {name}"),
            Self::Adb => "ADB".into(),
            Self::Nats => "NATS".into(),
            Self::Framework => "framework lab".into(),
            other => other.kind().to_owned(),
        }
    }
}

impl CheckView {
    /// As it should be.
    pub fn good(subject: &Subject, name: &str, said: impl Into<String>) -> Self {
        Self::of(subject, name, CheckVerdict::Good, said, "")
    }

    /// Not checked, and why.
    pub fn skipped(subject: &Subject, name: &str, said: impl Into<String>) -> Self {
        Self::of(subject, name, CheckVerdict::Skipped, said, "")
    }

    /// Worse than it could be, with what to do.
    pub fn doubtful(
        subject: &Subject,
        name: &str,
        said: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::of(subject, name, CheckVerdict::Doubtful, said, remedy)
    }

    /// Makes sessions fail, with what to do.
    pub fn bad(subject: &Subject, name: &str, said: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::of(subject, name, CheckVerdict::Bad, said, remedy)
    }

    /// The same, with what was measured.
    #[must_use]
    pub fn took(self, ms: u64) -> Self {
        Self { ms: Some(ms), ..self }
    }

    fn of(
        subject: &Subject,
        name: &str,
        verdict: CheckVerdict,
        said: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            subject: subject.clone(),
            name: name.to_owned(),
            verdict,
            said: said.into(),
            remedy: remedy.into(),
            ms: None,
        }
    }
}

impl DoctorView {
    /// The worst verdict; `Good` when nothing was checked.
    pub fn worst(&self) -> CheckVerdict {
        self.checks.iter().map(|check| check.verdict).max().unwrap_or(CheckVerdict::Good)
    }

    /// How many checks had this result.
    pub fn count(&self, verdict: CheckVerdict) -> usize {
        self.checks.iter().filter(|check| check.verdict == verdict).count()
    }
}
