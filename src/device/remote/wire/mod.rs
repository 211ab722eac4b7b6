//! What a lab and a host say to each other: one request is one act of [`droidmux_device::Device`], one reply is what came
//! of it.
//!
//! In: the values of `device`. Out: types of their own that are written as JSON. Invariant: these types are frozen with
//! [`crate::frame::VERSION`]; the test pins what each of them looks like.

mod error;
mod mirror;
mod values;

use serde::{Deserialize, Serialize};

use droidmux_device::{Beginning, Condition, Gesture, Power, Vitals};
use droidmux_record::{AppBuild, AppPlace, DeviceInfo, DumpChoice, Signal, StartAt};

pub use error::Fault;
pub use mirror::{BeginningWire, ConditionWire, GestureWire, VitalsWire};
pub use values::{
    EquippedWire, ForegroundWire, HostWords, LookWire, ObservedWire, PersonWire, PhoneWords, SettledWire,
    ShortcomingWire, TimesWire, TrialWire,
};

/// A request.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    /// The run of the host that is meant; 0 for any.
    pub run: u64,
    /// Not begun after this time of the host's clock, in milliseconds since its run began; 0 for any time.
    pub begin_by: u64,
    /// The longest the work may take, in milliseconds.
    pub within: u64,
    /// Who asks: drawn anew for each run of a lab.
    pub client: String,
    /// The phone as its host names it; empty for the host itself.
    pub phone: String,
    /// Replies about this phone that the asker still has: this one may be packed against them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knows: Vec<u64>,
    /// What is wanted.
    pub ask: Ask,
}

/// What is wanted of a host or a phone. Fields as in the methods of `Device` that they are named after.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum Ask {
    /// Who are you, and which phones are there? Asked of the host.
    Hello,
    /// Which of these contents, by their blake3, do you have? Asked of the host.
    Holds {
        blobs: Vec<String>,
    },
    /// A part of a content, which lies beside it. Asked of the host.
    Blob {
        hash: String,
        of: u64,
        at: u64,
    },
    Info,
    ChoosePlace {
        package: String,
        place: AppPlace,
    },
    App {
        package: String,
    },
    Install {
        packages: Vec<BlobFile>,
    },
    Layout {
        tries: u32,
    },
    Foreground,
    Perform {
        #[serde(with = "GestureWire")]
        gesture: Gesture,
        /// The look that follows it, so that both are one request.
        look: Option<LookWire>,
    },
    Signals,
    Observe {
        look: LookWire,
    },
    Screenshot,
    Begin {
        package: String,
        #[serde(with = "BeginningWire")]
        beginning: Beginning,
    },
    Keep {
        package: String,
    },
    Start {
        package: String,
    },
    Equip {
        agent: bool,
        dumps: DumpChoice,
        pictures: bool,
    },
    Restart {
        package: String,
    },
    TryTools,
    Vitals,
    Condition,
    TimeDumps {
        agent: bool,
    },
    Wake,
    Noted,
    ExchangeNote {
        seen: Option<String>,
        new: String,
        settle: u64,
    },
    Prepare,
    Furnish {
        files: Vec<BlobFile>,
        people: Vec<PersonWire>,
    },
    SetClock {
        at: StartAt,
    },
    Restore,
}

/// A file whose content was sent before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobFile {
    /// Its name, or its place.
    pub name: String,
    /// The blake3 of its content.
    pub hash: String,
    /// Its length.
    pub of: u64,
}

/// A reply.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The run of the host that answers.
    pub run: u64,
    /// Milliseconds since that run began.
    pub clock: u64,
    /// What came of it.
    pub done: Result<Answer, Fault>,
    /// What a person should know about the phone, as of [`droidmux_device::Device::remarks`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// As of [`droidmux_device::Device::shortcomings`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shortcomings: Vec<ShortcomingWire>,
}

/// What came of a request. Layouts and pictures lie beside it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Done,
    Host(HostWords),
    /// Those that are there.
    Holds(Vec<String>),
    Info(DeviceInfo),
    App(AppBuild),
    Settled(SettledWire),
    Foreground(ForegroundWire),
    Signals(Vec<Signal>),
    Observed(ObservedWire),
    /// It was performed; the look after it failed.
    Unseen(Fault),
    /// A PNG lies beside it.
    Picture,
    /// With the data that was asked for, or with none.
    Began(bool),
    Kept(bool),
    Equipped(EquippedWire),
    Trials(Vec<TrialWire>),
    Vitals(#[serde(with = "VitalsWire")] Vitals),
    Condition(#[serde(with = "ConditionWire")] Condition),
    Times(TimesWire),
    Noted {
        clock: u64,
        text: String,
    },
}

impl Ask {
    /// The package that it starts, ends, clears or changes.
    pub fn package(&self) -> Option<&str> {
        match self {
            Self::ChoosePlace { package, .. }
            | Self::App { package }
            | Self::Begin { package, .. }
            | Self::Keep { package }
            | Self::Start { package }
            | Self::Restart { package }
            | Self::Perform {
                gesture:
                    Gesture::Launch(package)
                    | Gesture::Kill(package)
                    | Gesture::Relaunch(package)
                    | Gesture::Set(package, ..),
                ..
            } => Some(package),
            _ => None,
        }
    }

    /// Whether it changes nothing but what is known: anybody may ask it of a phone that others have.
    pub fn only_looks(&self) -> bool {
        matches!(
            self,
            Self::Hello
                | Self::Holds { .. }
                | Self::Blob { .. }
                | Self::Info
                | Self::App { .. }
                | Self::Vitals
                | Self::Condition
                | Self::Noted
        )
    }

    /// Whether the answer shows a screen.
    pub fn shows_screen(&self) -> bool {
        matches!(self, Self::Layout { .. } | Self::Observe { .. } | Self::Perform { look: Some(_), .. })
    }

    /// What is being done, for errors.
    pub fn words(&self) -> String {
        let of = |what: &str, package: &str| format!("{what} {package}");
        match self {
            Self::Hello => "asking who it is".into(),
            Self::Holds { .. } | Self::Blob { .. } => "sending files".into(),
            Self::Info => "reading the properties".into(),
            Self::ChoosePlace { .. } => "choosing where the app is run".into(),
            Self::App { package } => of("asking for", package),
            Self::Install { .. } => "installing".into(),
            Self::Layout { .. } => "dumping the layout".into(),
            Self::Foreground => "reading the focus".into(),
            Self::Perform { gesture, .. } => gesture_words(gesture).into(),
            Self::Signals => "reading the log".into(),
            Self::Observe { .. } => "observing the screen".into(),
            Self::Screenshot => "taking a picture".into(),
            Self::Begin { package, .. } => of("making ready", package),
            Self::Keep { package } => of("copying the data of", package),
            Self::Start { package } => of("starting", package),
            Self::Equip { .. } => "choosing how it is read".into(),
            Self::Restart { package } => of("starting again", package),
            Self::TryTools => "trying its tools".into(),
            Self::Vitals => "asking how it is".into(),
            Self::Condition => "reading its settings".into(),
            Self::TimeDumps { .. } => "timing dumps".into(),
            Self::Wake => "waking it".into(),
            Self::Noted | Self::ExchangeNote { .. } => "its lease".into(),
            Self::Prepare => "preparing it".into(),
            Self::Furnish { .. } => "putting files on it".into(),
            Self::SetClock { .. } => "setting its clock".into(),
            Self::Restore => "putting its settings back".into(),
        }
    }
}

fn gesture_words(gesture: &Gesture) -> &'static str {
    match gesture {
        Gesture::Tap(_) => "a tap",
        Gesture::LongPress(_) => "a long press",
        Gesture::Swipe(..) => "a swipe",
        Gesture::Type(..) => "typing",
        Gesture::Key(_) => "a key",
        Gesture::Rotate => "turning the screen",
        Gesture::Launch(_) => "launching the app",
        Gesture::Wait(_) => "waiting",
        Gesture::Kill(_) => "killing the app",
        Gesture::Relaunch(_) => "relaunching the app",
        Gesture::Power(Power::Sleep | Power::Lock) => "switching the screen off",
        Gesture::Power(Power::Wake | Power::Unlock) => "switching the screen on",
        Gesture::Set(..) => "changing a setting",
    }
}

#[cfg(test)]
mod tests;
