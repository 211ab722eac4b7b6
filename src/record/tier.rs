//! Tiers: how far a finding can be believed, and the experiments that say so.

use serde::{Deserialize, Serialize};

use super::Slot;

/// How far a finding can be believed: the order in which people read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// A crash, a broken relation, a broken property, or a violation for which no innocent explanation
    /// was found though something speaks for a defect.
    Reported,
    /// No innocent explanation was found, and nothing speaks for a defect but the violation itself.
    Suspicious,
    /// An innocent explanation was found.
    Explained,
}

impl Tier {
    /// In the order in which people read.
    pub const ALL: [Self; 3] = [Self::Reported, Self::Suspicious, Self::Explained];

    /// `reported`, `suspicious` or `explained`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Suspicious => "suspicious",
            Self::Explained => "explained",
        }
    }
}

impl ExperimentKind {
    /// As documents and tables name it: `page-identity`.
    pub fn name(self) -> &'static str {
        match self {
            Self::PageIdentity => "page-identity",
            Self::OwnObject => "own-object",
            Self::Placeholder => "placeholder",
            Self::Stack => "stack",
            Self::RemoteSwitch => "remote-switch",
            Self::ObjectPermutation => "object-permutation",
            Self::Swap => "swap",
            Self::Ablation => "ablation",
            Self::UsualPage => "usual-page",
            Self::Replay => "replay",
            Self::Rejudged => "rejudged",
            Self::OutOfView => "out-of-view",
            Self::LabFault => "lab-fault",
            Self::Review => "review",
            Self::Support => "support",
            Self::Pause => "pause",
            Self::Reentry => "reentry",
            Self::Restart => "restart",
        }
    }

    /// What was tried, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::PageIdentity => "same page?",
            Self::OwnObject => "own object?",
            Self::Placeholder => "only a placeholder?",
            Self::Stack => "where going back leads",
            Self::RemoteSwitch => "switch on another page?",
            Self::ObjectPermutation => "on another object",
            Self::Swap => "another object struck?",
            Self::Ablation => "which events matter",
            Self::UsualPage => "usual page?",
            Self::Replay => "fresh replays",
            Self::Rejudged => "judged again",
            Self::OutOfView => "out of view?",
            Self::LabFault => "the lab's own fault?",
            Self::Review => "second opinion",
            Self::Support => "how often it held",
            Self::Pause => "time alone?",
            Self::Reentry => "entered again",
            Self::Restart => "started again",
        }
    }

    /// What explains a finding that this experiment excuses: the name of a group of findings.
    pub fn excuse(self) -> &'static str {
        match self {
            Self::PageIdentity => "it happened on another page or in another mode",
            Self::OwnObject => "the events in between had changed the object itself",
            Self::Placeholder => "only the placeholder of an empty list is gone",
            Self::Stack => "going back leads to what the events in between opened",
            Self::RemoteSwitch => "the events in between changed a setting",
            Self::ObjectPermutation => "with another object it does not happen",
            Self::Swap => "the object that was meant is the one that was struck",
            Self::Ablation => "with the events that matter alone it is as it should be",
            Self::UsualPage => "no usual behaviour begins on a page of equal content",
            Self::Replay => "fresh replays did not show it",
            Self::Rejudged => "its oracle objects to it no longer",
            Self::OutOfView => "the row may just be out of view",
            Self::LabFault => "the fault is the framework lab's own",
            Self::Review => "the reviewer takes it for what the app is meant to do",
            Self::Support => "the app does so as a habit",
            Self::Pause => "time alone does it",
            Self::Reentry => "it is there when the app is entered again",
            Self::Restart => "it is there when the app is started again",
        }
    }

    /// True if a device has to do something for it, or a model: recorded traces are not enough.
    pub fn needs_device(self) -> bool {
        match self {
            Self::ObjectPermutation
            | Self::Swap
            | Self::Ablation
            | Self::Replay
            | Self::Review
            | Self::Pause
            | Self::Reentry
            | Self::Restart => true,
            Self::PageIdentity
            | Self::OwnObject
            | Self::Placeholder
            | Self::Stack
            | Self::RemoteSwitch
            | Self::UsualPage
            | Self::Rejudged
            | Self::OutOfView
            | Self::LabFault
            | Self::Support => false,
        }
    }
}

impl Bearing {
    /// What it means for the finding, in a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Self::Excuses => "explains it",
            Self::Accuses => "speaks for a bug",
            Self::Doubts => "leaves a doubt",
            Self::Silent => "says nothing",
        }
    }
}

impl Harm {
    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::LostData => "loss of data",
            Self::WrongObject => "wrong object",
            Self::LostFunction => "lost function",
            Self::WrongDisplay => "wrong display",
        }
    }
}

/// An attempt to explain a violation, or to find what speaks for a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiment {
    /// What was tried.
    pub kind: ExperimentKind,
    /// What it means for the finding.
    pub bearing: Bearing,
    /// What was tried and the result, in a sentence for a person.
    pub words: String,
    /// The turns to look at.
    pub places: Vec<TurnPlace>,
}

impl Experiment {
    /// True when it explains the finding.
    pub fn excuses(&self) -> bool {
        self.bearing == Bearing::Excuses
    }
}

/// What an experiment asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExperimentKind {
    /// Was the event done on another page or in another mode?
    PageIdentity,
    /// Had the inserted trace changed the object that the effect is about?
    OwnObject,
    /// Is what is lost only the placeholder of an empty list?
    Placeholder,
    /// Does going back lead to a page that the inserted trace opened?
    Stack,
    /// Did the inserted trace change a switch on another page?
    RemoteSwitch,
    /// Does the violation stay when the inserted trace acts on another row?
    ObjectPermutation,
    /// Does the effect hit an object other than the one the event names?
    Swap,
    /// Which events of the inserted trace matter?
    Ablation,
    /// Is there a usual behaviour from a page of equal content?
    UsualPage,
    /// Do fresh replays show it?
    Replay,
    /// Does its oracle object to the same trace when it examines it again later?
    Rejudged,
    /// Might a row just be in a part of its list that is not visible?
    OutOfView,
    /// Is it the framework lab that did it, and not the app?
    LabFault,
    /// Does a language model that sees the evidence call it a bug?
    Review,
    /// How often, and in how many situations, did that hold what is said to be broken?
    Support,
    /// Does it happen, too, when time passes and nothing is done?
    Pause,
    /// Is what a relation misses there again when the app was left and entered again?
    Reentry,
    /// Is it there again when the app was ended and started again?
    Restart,
}

/// What an experiment means for a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bearing {
    /// It explains the finding: no defect is needed for it.
    Excuses,
    /// It speaks for a defect.
    Accuses,
    /// It leaves a doubt but does not explain the finding.
    Doubts,
    /// It says nothing about the finding.
    Silent,
}

/// A turn of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TurnPlace {
    /// The job it belongs to.
    pub slot: Slot,
    /// Turn of the job, from 0.
    pub turn: u32,
}

/// What a defect does to a person who encounters it; the worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harm {
    /// The app ends or hangs.
    Crash,
    /// What a person entered is gone.
    LostData,
    /// Another object is affected than the one that was meant.
    WrongObject,
    /// Something cannot be done any more.
    LostFunction,
    /// What is shown is wrong.
    #[default]
    WrongDisplay,
}
