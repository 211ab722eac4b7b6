//! Deviations: how one behaviour of an app in a state on an event differs from the others (Odin).

use serde::{Deserialize, Serialize};

use super::{Handled, Role, SessionId, Slot, Test, UnmatchedEffect};
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, Selector, StateId, WidgetId};

/// A layout with the context that ignore rules and abstraction need.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FrontLayout {
    /// When `in_app` is false, the layout of whatever was in front.
    pub layout: LayoutHash,
    /// Full class name of the focused activity, as in [`Screen::activity`](super::Screen::activity).
    pub activity: String,
    /// False is l = ⊥: the app was not in the foreground.
    pub in_app: bool,
}

/// Where a step was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source {
    /// The session of the store that recorded it, perhaps an imported one.
    pub session: SessionId,
    /// The job of that session.
    pub slot: Slot,
    /// The test's number in its job, from 0.
    pub test: u16,
    /// The step's number in its test, from 1.
    pub step: u16,
}

/// One way to ignore parts of a layout (Odin).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Abstraction {
    /// All attribute values are dropped; the class stays.
    Values,
    /// Widgets that take no event are removed; their children move up.
    Eventless,
    /// Of equal subtrees next to each other, one stays.
    Duplicates,
}

/// The hash of an edit script in canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint(pub [u8; 16]);

/// What the replay of a behaviour must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// The state before the last step, at the `events` level.
    pub state: StateId,
    /// The abstractions under which scripts are compared, as [`Abstraction::bit`]s.
    pub rules: u8,
    /// The edit script from the layout before the last step to the one after it, under `rules`.
    pub script: Fingerprint,
}

/// A behaviour that hardly any other input shows, and the behaviour that most of them show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// The state that both behaviours begin in, at the `events` level.
    pub state: StateId,
    /// The event on which they differ.
    pub event: Handled,
    /// The sizes of all clusters, largest first; empty in a replay, which does no statistics.
    pub sizes: Vec<u32>,
    /// How many of the largest clusters were used for μ and s.
    pub majority: u32,
    /// μ, the mean size of the majority's clusters.
    pub mean: f64,
    /// s, the deviation after its floor.
    pub deviation: f64,
    /// (size of the deviant cluster − μ) / s; `None` when s is 0.
    pub z: Option<f64>,
    /// In the order they were applied.
    pub rules: Vec<Abstraction>,
    /// The largest cluster.
    pub usual: Conduct,
    /// The anomalous cluster.
    pub deviant: Conduct,
    /// What the usual behaviour does and the deviant one does not, then the other way round. In
    /// [`UnmatchedEffect`]'s terms the usual behaviour is the seed, the deviant one the mutant.
    pub effects: Vec<UnmatchedEffect>,
    /// How many of `effects` are the deviant's own: the last ones.
    pub surplus: u32,
}

/// A cluster by its representative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conduct {
    /// Behaviours in it; 1 in a replay.
    pub size: u32,
    /// The events, the one in question last.
    pub input: Vec<Event>,
    /// The screen on which the last event of `input` acts.
    pub before: FrontLayout,
    /// The screen that it led to.
    pub after: FrontLayout,
    /// The step that showed the representative.
    pub source: Source,
    /// What a replay of `input` must show to count as this behaviour.
    pub expected: Expected,
}

impl Deviation {
    /// Why the behaviour counts as deviant, in sentences for a person.
    pub fn reasons(&self) -> Vec<String> {
        let mut reasons = vec![format!("on {}, in state {:016x}", self.event.words(), self.state.0)];
        let (usual, deviant) = (self.usual.size, self.deviant.size);
        if self.sizes.is_empty() {
            reasons.push("replayed: one input shows the usual behaviour, the other one deviates".into());
        } else {
            let all: u64 = self.sizes.iter().copied().map(u64::from).sum();
            let count = self.sizes.len();
            let sizes: Vec<String> = self.sizes.iter().take(Self::MOST_SIZES).map(u32::to_string).collect();
            let more = if count > sizes.len() { ", …" } else { "" };
            reasons.push(format!("{all} behaviours in {count} clusters of {}{more}", sizes.join(", ")));
            reasons.push(format!(
                "the {} largest hold the majority: mean {:.2}, deviation {:.2}",
                self.majority, self.mean, self.deviation
            ));
            let z = self.z.map_or_else(|| "far".to_owned(), |z| format!("{:.1} deviations", z.abs()));
            reasons.push(format!("this one holds {deviant}, {z} below; the usual one {usual}"));
        }
        let rules: Vec<&str> = self.rules.iter().map(|rule| rule.words()).collect();
        reasons.push(format!("compared with {}", rules.join(", then ")));
        if !self.deviant.after.in_app {
            reasons.push("the deviant behaviour leaves the app".into());
        }
        if !self.usual.after.in_app {
            reasons.push("the usual behaviour leaves the app".into());
        }
        reasons
    }

    /// How many sizes are listed individually.
    pub const MOST_SIZES: usize = 20;

    /// True for the effect of this number if only the deviant behaviour has it.
    pub fn is_surplus(&self, effect: usize) -> bool {
        effect + self.surplus as usize >= self.effects.len()
    }

    /// What to run to see it again: the usual input and the deviant one.
    pub fn tests(&self) -> Vec<Test> {
        vec![
            Test { role: Role::Usual(self.usual.expected), events: self.usual.input.clone() },
            Test { role: Role::Deviant(self.deviant.expected), events: self.deviant.input.clone() },
        ]
    }
}

impl Abstraction {
    /// In the order of their bits.
    pub const ALL: [Self; 3] = [Self::Values, Self::Eventless, Self::Duplicates];

    /// Its bit in a set of abstractions.
    pub fn bit(self) -> u8 {
        match self {
            Self::Values => 1,
            Self::Eventless => 2,
            Self::Duplicates => 4,
        }
    }

    /// For a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::Values => "attribute values dropped",
            Self::Eventless => "widgets without events removed",
            Self::Duplicates => "equal siblings taken once",
        }
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl Handled {
    /// Describes an event the way a state handles it.
    pub fn of(event: &Event) -> Self {
        let of = |field: fn(&Selector) -> &String| {
            event.receiver.as_ref().map_or_else(String::new, |r| field(r).clone())
        };
        Self {
            kind: event.kind,
            class: of(|r| &r.class),
            resource_id: of(|r| &r.resource_id),
            description: of(|r| &r.description),
            data: event.data.clone(),
        }
    }

    /// The event on the first widget of a layout that takes it; `None` when none does.
    pub fn on(&self, layout: &Layout) -> Option<Event> {
        let takes = |&(kind, id): &(EventKind, WidgetId)| {
            kind == self.kind
                && layout.get(id).is_some_and(|widget| {
                    widget.class() == self.class
                        && widget.resource_id() == self.resource_id
                        && widget.description() == self.description
                })
        };
        let (_, widget) = layout.events().into_iter().find(takes)?;
        Some(Event { kind: self.kind, receiver: Some(layout.selector(widget)), data: self.data.clone() })
    }

    /// For a person: `click ImageButton save "Save"`.
    pub fn words(&self) -> String {
        let class = self.class.rsplit('.').next().unwrap_or_default();
        let id = self.resource_id.rsplit_once(":id/").map_or(self.resource_id.as_str(), |(_, id)| id);
        let mut words = format!("{} {class}", self.kind.name());
        if !id.is_empty() {
            words.push(' ');
            words.push_str(id);
        }
        if !self.description.is_empty() {
            words.push_str(&format!(" {:?}", self.description));
        }
        words
    }
}
