//! Verdicts: an oracle's judgement on one trace, with its evidence.

use serde::{Deserialize, Serialize};

use super::{
    Breach, Broken, Deviation, Experiment, Harm, Held, MaskId, Mismatch, Mistreated, Signal, Slot, TurnPlace,
};
use droidmux_gui::{Bounds, Flags, LayoutHash, Widget};

/// Everything an oracle says about one job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// One for each test that was judged; for Odin, one for each deviation.
    pub verdicts: Vec<Verdict>,
    /// The volatile widgets found by comparing the runs of the seed.
    pub masks: Vec<Mask>,
    /// Mutants that would be violations if no volatile widget were masked.
    pub unmasked: u32,
    /// Cases in which the regularities that relations rest on held.
    pub held: Vec<Held>,
}

impl Judgement {
    /// The violations with this key, then those that agree with it.
    pub fn violations_of<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a Verdict> {
        let violations = || self.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violation);
        let exact = violations().filter(move |verdict| verdict.key == key);
        exact.chain(violations().filter(move |verdict| verdict.key != key && verdict.agrees_with(key)))
    }
}

/// A person's change to the masks of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaskEdit {
    /// What it fits; its example is ignored.
    pub mask: Mask,
    /// False takes a mask away that the oracle found; true adds one.
    pub masked: bool,
}

/// One oracle's judgement on one test of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The job that was judged.
    pub slot: Slot,
    /// The test's number in its job, from 0.
    pub test: u16,
    /// Which oracle spoke: `genie`, `odin`, `pbfdroid`, `inputblaster`, `visiondroid`, `relations`, `crash`.
    pub oracle: String,
    /// The judgement itself.
    pub outcome: Outcome,
    /// The canonical string of the violation: equal for the same bug. Empty unless a violation.
    pub key: String,
    /// A sentence for a person: what was done, what was expected, what happened instead.
    pub title: String,
    /// How far the trace can be trusted.
    pub fidelity: Fidelity,
    /// The evidence; `None` unless a violation.
    pub evidence: Evidence,
    /// What a person should check before believing it; empty when nothing speaks against it.
    pub hints: Vec<Hint>,
    /// What was tried on the trace itself to explain it; empty unless a violation.
    pub experiments: Vec<Experiment>,
    /// What it does to a person who encounters it.
    pub harm: Harm,
    /// Equal for violations that probably have one cause: relation or kind of loss, page, list, kind of event. Empty
    /// when the key stands for itself.
    pub cluster: String,
}

/// The most turns of a finding that are looked at.
const MOST_PLACES: usize = 100;

impl Verdict {
    /// The turns to look at, those of the evidence first, each once.
    pub fn places(&self) -> Vec<TurnPlace> {
        let turns = match &self.evidence {
            Evidence::Signal { turn, .. } => vec![*turn],
            Evidence::Breach(breach) => vec![breach.turn],
            Evidence::Mistreated(mistreated) => vec![mistreated.turn],
            Evidence::Mismatch(mismatch) => vec![mismatch.turn],
            Evidence::Broken(broken) => vec![broken.turns.0, broken.turns.1],
            Evidence::None | Evidence::Effects(_) | Evidence::Deviation(_) => Vec::new(),
        };
        let own = turns.into_iter().map(|turn| TurnPlace { slot: self.slot, turn });
        let tried = self.experiments.iter().flat_map(|experiment| experiment.places.iter().copied());
        let mut places = Vec::new();
        for place in own.chain(tried) {
            if !places.contains(&place) && places.len() < MOST_PLACES {
                places.push(place);
            }
        }
        places
    }
}

/// What an oracle can say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Judged, and nothing was wrong.
    Pass,
    /// Something was wrong; the verdict's key says what.
    Violation,
    /// Could not be judged, and why.
    Inconclusive(String),
}

impl Outcome {
    /// `pass`, `violation` or `inconclusive`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Violation => "violation",
            Self::Inconclusive(_) => "inconclusive",
        }
    }

    /// Why it could not be judged.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Inconclusive(why) => Some(why),
            Self::Pass | Self::Violation => None,
        }
    }
}

/// How faithfully a trace did what its job specified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fidelity {
    /// Steps that were taken, including failed ones.
    pub events: u16,
    /// Receivers found exactly, including events without a receiver.
    pub exact: u16,
    /// Receivers found by similarity.
    pub similar: u16,
    /// Events that could not be performed.
    pub failed: u16,
    /// Steps whose dump never settled.
    pub unsettled: u16,
    /// The lowest similarity of a receiver, 1.0 when all were exact.
    pub lowest_ratio: f32,
}

impl Fidelity {
    /// For a test that never began, and for anything that is not a test.
    pub const NOT_RUN: Self =
        Self { events: 0, exact: 0, similar: 0, failed: 0, unsettled: 0, lowest_ratio: 1.0 };
}

impl Verdict {
    /// Whether it may be the same bug as the one with this key. Only a model's word can be: it calls the widget, or the
    /// step, that shows a bug now this and now that.
    pub fn agrees_with(&self, key: &str) -> bool {
        matches!(self.evidence, Evidence::Mismatch(_)) && Mismatch::agree(&self.key, key)
    }

    /// A judgement without any details: no key, no title, no evidence, on a test that never began.
    pub fn new(slot: Slot, test: u16, oracle: &str, outcome: Outcome) -> Self {
        Self {
            slot,
            test,
            oracle: oracle.to_owned(),
            outcome,
            key: String::new(),
            title: String::new(),
            fidelity: Fidelity::NOT_RUN,
            evidence: Evidence::None,
            hints: Vec::new(),
            experiments: Vec::new(),
            harm: Harm::default(),
            cluster: String::new(),
        }
    }
}

/// The evidence for a verdict, in the terms of its oracle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Nothing to show: a pass, or no judgement.
    None,
    /// Effects of the seed that the mutant lacks.
    Effects(Vec<UnmatchedEffect>),
    /// A crash or an ANR at a step.
    Signal {
        /// The number of the turn in the job.
        turn: u32,
        /// What the log said.
        signal: Signal,
    },
    /// A behaviour that deviates from what the app usually does.
    Deviation(Box<Deviation>),
    /// A postcondition of a data manipulation function that does not hold.
    Breach(Box<Breach>),
    /// An unusual text that a form does not treat as it treats a valid one.
    Mistreated(Box<Mistreated>),
    /// A function that did not do what it is for, as the Detector sees it.
    Mismatch(Box<Mismatch>),
    /// A relation between screens that does not hold.
    Broken(Box<Broken>),
}

impl Evidence {
    /// Effects of the seed that the mutant lacks.
    pub fn is_of_effects(&self) -> bool {
        matches!(self, Self::Effects(_))
    }

    /// The effects that can be looked at one by one.
    pub fn effects(&self) -> &[UnmatchedEffect] {
        match self {
            Self::Effects(effects) => effects,
            Self::Deviation(deviation) => &deviation.effects,
            Self::None
            | Self::Signal { .. }
            | Self::Breach(_)
            | Self::Mistreated(_)
            | Self::Mismatch(_)
            | Self::Broken(_) => &[],
        }
    }
}

/// An effect of the seed between its layouts i and j that the mutant lacks between i′ and j′.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnmatchedEffect {
    /// What the seed's effect does to the widget.
    pub kind: EffectKind,
    /// The widget on the earlier layout; absent for an addition.
    pub before: Option<WidgetNote>,
    /// The widget on the later layout; absent for a deletion.
    pub after: Option<WidgetNote>,
    /// The context (nearest ancestor with more than one child) in canonical form.
    pub context: String,
    /// The pair of the seed, layout numbers from 1.
    pub seed: (u16, u16),
    /// The pair of the mutant, layout numbers from 1.
    pub mutant: (u16, u16),
    /// The four layouts: seed i and j, mutant i′ and j′.
    pub layouts: [LayoutHash; 4],
    /// The mutant's pair was not comparable, though the seed's was.
    pub diverged: bool,
}

/// What an effect does to a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// It is on the earlier layout only.
    Deleted,
    /// It is on the later layout only.
    Added,
    /// It is on both, with other attributes.
    Changed,
}

/// A widget described as far as a person needs to recognise it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WidgetNote {
    /// Full class name.
    pub class: String,
    /// As in the dump, with its package; empty when it has none.
    pub resource_id: String,
    /// Its content description; empty when it has none.
    pub description: String,
    /// What it shows; empty for a password field.
    pub text: String,
    /// In pixels of the device.
    pub bounds: Bounds,
}

/// A volatile widget: one of its attributes differs between two runs of the same events. If a person writes a mask, an
/// empty field fits anything.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mask {
    /// Full class name of the activity or window it is on.
    pub activity: String,
    /// Full class name of the widget.
    pub class: String,
    /// As in the dump, with its package.
    pub resource_id: String,
    /// The content description, whole.
    pub description: String,
    /// The classes and ids from the root down to the widget, with positions among equal
    /// siblings, so that one unnamed row does not mask every other.
    pub path: String,
    /// The two values that were seen.
    pub example: (String, String),
}

impl Mask {
    /// The same for masks that fit the same widgets, whatever their examples.
    pub fn id(&self) -> MaskId {
        let mut digest = blake3::Hasher::new();
        for part in [&self.activity, &self.class, &self.resource_id, &self.description, &self.path] {
            digest.update(&(part.len() as u64).to_be_bytes()).update(part.as_bytes());
        }
        let mut id = [0; 16];
        digest.finalize_xof().fill(&mut id);
        MaskId(id)
    }
}

/// Why a violation may be a false alarm (the causes from Genie's evaluation), or what to look at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hint {
    /// A stable word: `not-independent`, `shared-activity`, `coarse-state`, `volatile`, `flaky`, `unfaithful`,
    /// `scattered`, `by-rules`, `unfound`, `unfounded`.
    pub cause: String,
    /// The particulars of this case, in a sentence; may be empty.
    pub detail: String,
}

impl WidgetNote {
    /// What a person needs to recognise a widget, without any part of a password.
    pub fn of(widget: Widget<'_>) -> Self {
        let text = if widget.has(Flags::PASSWORD) { "" } else { widget.text() };
        Self {
            class: widget.class().to_owned(),
            resource_id: widget.resource_id().to_owned(),
            description: widget.description().to_owned(),
            text: text.to_owned(),
            bounds: widget.bounds(),
        }
    }
}
