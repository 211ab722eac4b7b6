//! What phones and hosts answer.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use droidmux_device::adb::agent::AgentError;
use droidmux_device::{
    DumpTimes, Equipped, Expectation, Foreground, Manner, NoDumps, Observed, Person, Settled, Shortcoming,
    Trial,
};
use droidmux_gui::{Layout, LayoutHash, Note};
use droidmux_record::{DeviceInfo, Settling, Signal};

use super::Fault;

/// A host: what it says of itself when it is asked, and in the registry all the time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostWords {
    /// The version of its wire.
    pub wire: u16,
    /// The version of droidmux.
    pub version: String,
    /// Its name, unique among the hosts of a NATS account.
    pub name: String,
    /// The pool that its phones are in; empty for none.
    pub pool: String,
    /// Drawn anew whenever it is started.
    pub run: u64,
    /// Milliseconds since then.
    pub clock: u64,
    /// Why it has no phones to offer, if it knows.
    pub trouble: String,
    /// The packages that it allows, as in [`Policy`](crate::Policy); all when there are none.
    pub allows: Vec<String>,
    /// Its phones, in the order of its ADB server.
    pub phones: Vec<PhoneWords>,
}

/// A phone of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhoneWords {
    /// As its host names it.
    pub serial: String,
    /// ADB's state.
    pub state: String,
    /// What it is, once that is known.
    pub info: Option<DeviceInfo>,
}

/// How a screen is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookWire {
    /// `None` for strictly.
    pub swift: Option<ExpectationWire>,
    /// The most dumps.
    pub tries: u32,
}

/// See [`Expectation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectationWire {
    before: Option<LayoutHash>,
    after: Vec<LayoutHash>,
}

impl LookWire {
    /// A look in this manner.
    pub fn of(manner: &Manner, tries: u32) -> Self {
        let swift = match manner {
            Manner::Strict => None,
            Manner::Swift(expected) => {
                Some(ExpectationWire { before: expected.before, after: expected.after.to_vec() })
            }
        };
        Self { swift, tries }
    }

    /// The manner of it.
    pub fn manner(self) -> Manner {
        match self.swift {
            None => Manner::Strict,
            Some(ExpectationWire { before, after }) => {
                Manner::Swift(Expectation { before, after: after.into() })
            }
        }
    }
}

/// See [`Settled`]; the layout lies beside it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SettledWire {
    notes: Vec<Note>,
    settling: Settling,
    dumps: u32,
}

impl SettledWire {
    /// With the layout, as it is written beside it.
    pub fn of(settled: Settled) -> (Self, Vec<u8>) {
        let Settled { layout, notes, settling, dumps } = settled;
        (Self { notes, settling, dumps }, layout.encode())
    }

    /// `None` when the layout is none.
    pub fn with(self, layout: &[u8]) -> Option<Settled> {
        let layout = Arc::new(Layout::decode(layout)?);
        Some(Settled { layout, notes: self.notes, settling: self.settling, dumps: self.dumps })
    }
}

/// See [`Foreground`].
#[derive(Debug, Serialize, Deserialize)]
pub struct ForegroundWire {
    package: String,
    activity: String,
    keyboard: bool,
    rotation: u8,
}

impl From<Foreground> for ForegroundWire {
    fn from(front: Foreground) -> Self {
        let Foreground { package, activity, keyboard, rotation } = front;
        Self { package, activity, keyboard, rotation }
    }
}

impl From<ForegroundWire> for Foreground {
    fn from(front: ForegroundWire) -> Self {
        let ForegroundWire { package, activity, keyboard, rotation } = front;
        Self { package, activity, keyboard, rotation: rotation % 4 }
    }
}

/// See [`Observed`]; the layout lies beside it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObservedWire {
    settled: SettledWire,
    front: ForegroundWire,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signals: Vec<Signal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    toast: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hears_toasts: bool,
}

impl ObservedWire {
    /// With the layout, as it is written beside it.
    pub fn of(observed: Observed) -> (Self, Vec<u8>) {
        let Observed { settled, foreground, signals, toast, hears_toasts } = observed;
        let (settled, layout) = SettledWire::of(settled);
        (Self { settled, front: foreground.into(), signals, toast, hears_toasts }, layout)
    }

    /// `None` when the layout is none.
    pub fn with(self, layout: &[u8]) -> Option<Observed> {
        let settled = self.settled.with(layout)?;
        let Self { front, signals, toast, hears_toasts, .. } = self;
        Some(Observed { settled, foreground: front.into(), signals, toast, hears_toasts })
    }
}

/// See [`Person`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PersonWire {
    name: String,
    phones: Vec<String>,
    emails: Vec<String>,
}

impl From<&Person> for PersonWire {
    fn from(person: &Person) -> Self {
        let Person { name, phones, emails } = person.clone();
        Self { name, phones, emails }
    }
}

impl From<PersonWire> for Person {
    fn from(person: PersonWire) -> Self {
        let PersonWire { name, phones, emails } = person;
        Self { name, phones, emails }
    }
}

/// See [`Shortcoming`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShortcomingWire {
    /// Its log.
    Log {
        /// In the device's words.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// Its keyboard.
    Keyboard,
    /// Its battery.
    Battery(String),
}

impl From<Shortcoming> for ShortcomingWire {
    fn from(lack: Shortcoming) -> Self {
        match lack {
            Shortcoming::Log { why, remedy } => Self::Log { why, remedy },
            Shortcoming::Keyboard => Self::Keyboard,
            Shortcoming::Battery(why) => Self::Battery(why),
        }
    }
}

impl From<ShortcomingWire> for Shortcoming {
    fn from(lack: ShortcomingWire) -> Self {
        match lack {
            ShortcomingWire::Log { why, remedy } => Self::Log { why, remedy },
            ShortcomingWire::Keyboard => Self::Keyboard,
            ShortcomingWire::Battery(why) => Self::Battery(why),
        }
    }
}

/// Why there is no agent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentWire {
    NotNamed,
    Missing(String),
    Start(String),
}

impl From<AgentError> for AgentWire {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::NotNamed => Self::NotNamed,
            AgentError::Jar(error) => Self::Missing(error.to_string()),
            AgentError::Search(words) => Self::Missing(words),
            AgentError::Start(words) => Self::Start(words),
        }
    }
}

impl From<AgentWire> for AgentError {
    fn from(error: AgentWire) -> Self {
        match error {
            AgentWire::NotNamed => Self::NotNamed,
            AgentWire::Missing(words) => Self::Search(words),
            AgentWire::Start(words) => Self::Start(words),
        }
    }
}

/// See [`Equipped`].
#[derive(Debug, Serialize, Deserialize)]
pub struct EquippedWire {
    said: Vec<String>,
    lacks_agent: Option<AgentWire>,
}

impl From<Equipped> for EquippedWire {
    fn from(equipped: Equipped) -> Self {
        Self { said: equipped.said, lacks_agent: equipped.lacks_agent.map(AgentWire::from) }
    }
}

impl From<EquippedWire> for Equipped {
    fn from(equipped: EquippedWire) -> Self {
        Self { said: equipped.said, lacks_agent: equipped.lacks_agent.map(AgentError::from) }
    }
}

/// See [`Trial`].
#[derive(Debug, Serialize, Deserialize)]
pub struct TrialWire {
    command: String,
    tried: String,
    needed: bool,
    outcome: Result<(), Fault>,
}

impl From<Trial> for TrialWire {
    fn from(trial: Trial) -> Self {
        let Trial { command, tried, needed, outcome } = trial;
        let outcome = outcome.map_err(|kind| Fault { what: String::new(), kind });
        Self { command: command.into_owned(), tried: tried.into_owned(), needed, outcome }
    }
}

impl From<TrialWire> for Trial {
    fn from(trial: TrialWire) -> Self {
        let TrialWire { command, tried, needed, outcome } = trial;
        Self {
            command: command.into(),
            tried: tried.into(),
            needed,
            outcome: outcome.map_err(|fault| fault.kind),
        }
    }
}

/// See [`DumpTimes`].
#[derive(Debug, Serialize, Deserialize)]
pub struct TimesWire {
    uiautomator: Result<Duration, String>,
    agent: Option<Result<(), AgentWire>>,
    by_agent: Option<Result<Duration, String>>,
    differ: bool,
}

impl From<DumpTimes> for TimesWire {
    fn from(times: DumpTimes) -> Self {
        let why = |no: NoDumps| no.why;
        Self {
            uiautomator: times.uiautomator.map_err(why),
            agent: times.agent.map(|started| started.map_err(AgentWire::from)),
            by_agent: times.by_agent.map(|time| time.map_err(why)),
            differ: times.differ,
        }
    }
}

impl From<TimesWire> for DumpTimes {
    fn from(times: TimesWire) -> Self {
        let none = |why| NoDumps { why };
        Self {
            uiautomator: times.uiautomator.map_err(none),
            agent: times.agent.map(|started| started.map_err(AgentError::from)),
            by_agent: times.by_agent.map(|time| time.map_err(none)),
            differ: times.differ,
        }
    }
}
