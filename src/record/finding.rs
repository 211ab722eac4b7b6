//! Findings: violations that mean the same, as one suspected bug.

use serde::{Deserialize, Serialize};

use super::{FindingId, Slot, Tier, Verdict};
use droidmux_words::number::share;

/// All verdicts with one canonical key, in one session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The session that found it, with the hash of the key.
    pub id: FindingId,
    /// The technique of that session as session files write it: `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
    /// The first verdict with this key: evidence, hints and title are taken from it.
    pub verdict: Verdict,
    /// Where it was seen: slots and tests of violations with this key, confirmations not counted,
    /// the first 1,000.
    pub seen: Vec<(Slot, u16)>,
    /// How often it was seen, including cases beyond the list.
    pub occurrences: u64,
    /// The results of fresh replays so far.
    pub confirmation: Confirmation,
    /// How far it can be believed, by what was tried and by what people say.
    pub tier: Tier,
    /// Why it is in its tier, in a sentence.
    pub because: String,
    /// The finding that stands for it and others that probably have the same cause; itself if it stands for itself.
    pub cluster: FindingId,
    /// 1 is the first to read; see `technique::findings` for the order.
    pub rank: u32,
    /// What a person says of it.
    pub state: FindingState,
    /// A person's words about it; empty until somebody writes some.
    pub note: String,
}

/// How many findings there are to read in each tier: those that stand for others count once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierCounts {
    /// Of [`Tier::Reported`].
    pub reported: u64,
    /// Of [`Tier::Suspicious`].
    pub suspicious: u64,
    /// Of [`Tier::Explained`].
    pub explained: u64,
}

impl TierCounts {
    /// Counts those that stand for themselves.
    pub fn of<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut counts = Self::default();
        for finding in findings.into_iter().filter(|finding| finding.is_representative()) {
            match finding.tier {
                Tier::Reported => counts.reported += 1,
                Tier::Suspicious => counts.suspicious += 1,
                Tier::Explained => counts.explained += 1,
            }
        }
        counts
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            reported: self.reported + other.reported,
            suspicious: self.suspicious + other.suspicious,
            explained: self.explained + other.explained,
        }
    }

    /// `2 reported, 5 suspicious, 9 explained`.
    pub fn words(self) -> String {
        let Self { reported, suspicious, explained } = self;
        format!("{reported} reported, {suspicious} suspicious, {explained} explained")
    }
}

/// The results of the fresh replays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    /// Replays that showed the same violation.
    pub shown: u32,
    /// Replays that followed the recorded events and did not show it.
    pub absent: u32,
    /// Replays without a result: a receiver was lost or a dump did not settle.
    pub unfaithful: u32,
    /// Showing at least this often confirms the finding.
    pub needed: u32,
    /// The most replays planned.
    pub of: u32,
}

/// A person's word on a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingState {
    /// Nobody has looked at it yet.
    #[default]
    New,
    /// A bug, in this person's word: believed without confirmation.
    True,
    /// Not a bug: the oracle was wrong.
    FalseAlarm,
    /// A bug that another finding stands for.
    Duplicate,
    /// Worth a report, whatever was tried on it.
    Promoted,
    /// Not worth a report as it stands, and not explained either.
    Demoted,
}

impl FindingState {
    /// As written on command lines: `false-alarm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::True => "true",
            Self::FalseAlarm => "false-alarm",
            Self::Duplicate => "duplicate",
            Self::Promoted => "promoted",
            Self::Demoted => "demoted",
        }
    }
}

impl Finding {
    /// True when it stands for itself, and perhaps for others.
    pub fn is_representative(&self) -> bool {
        self.cluster == self.id
    }

    /// Confirmed by fresh replays or a person, and nobody has marked it as anything else.
    pub fn is_believed(&self) -> bool {
        match self.state {
            FindingState::True => true,
            FindingState::New | FindingState::Promoted => self.confirmation.is_confirmed(),
            FindingState::FalseAlarm | FindingState::Duplicate | FindingState::Demoted => false,
        }
    }
}

impl Confirmation {
    /// Enough replays showed it; never if no replays were requested.
    pub fn is_confirmed(&self) -> bool {
        self.needed > 0 && self.shown >= self.needed
    }

    /// No further replay can change whether it is confirmed.
    pub fn is_settled(&self) -> bool {
        let run = self.shown + self.absent + self.unfaithful;
        self.is_confirmed() || run >= self.of
    }

    /// Share of the faithful replays that did not show the violation, 0.0 when none ran.
    pub fn flakiness(&self) -> f64 {
        share(self.absent, u64::from(self.shown) + u64::from(self.absent))
    }
}
