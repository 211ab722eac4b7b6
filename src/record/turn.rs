//! Turns: a driver's act and what was observed after it. The store holds nothing else of an
//! episode; traces, steps and summaries are read off its turns.

use serde::{Deserialize, Serialize};

use super::{Answer, BlobHash, Consultation, Screen, Settling, Signal};
use droidmux_gui::{Event, Resolution};

/// One round of an episode. Feeding the observations of an episode's turns, in order, to a fresh driver produces the
/// acts again; [`Observation::Started`] comes before the first turn and is not stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// What the driver wanted.
    pub act: Act,
    /// The result.
    pub observation: Observation,
    /// Milliseconds since the Unix epoch when the act began. Part of no decision but how a session shares its time among
    /// its phases.
    pub at_ms: u64,
    /// How long act and observation took.
    pub took_ms: u32,
}

/// What a driver decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Clear the app's data, grant its permissions, start it and run the session's set-up:
    /// begins the next test of the job.
    Reset,
    /// Resolve the event's receiver on the current layout and perform it.
    Perform(Event),
    /// End the episode. Has the observation [`Observation::Ended`].
    Finish(Ending),
    /// Ask something that is not the device; the screen is as it was. Answered by
    /// [`Observation::Answered`].
    Consult(Box<Consultation>),
}

/// Why a driver ended its episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Everything in the job has been done.
    Complete,
    /// Nothing more could be done on the screens met.
    Stuck,
    /// A language model was needed and did not answer.
    Unanswered,
}

/// What a driver is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// The episode begins; the driver is asked for its first act.
    Started,
    /// The act was done, and this is the screen after it.
    Seen(Box<Seen>),
    /// The act could not be done; the screen is as it was.
    Failed(Failure),
    /// Answers [`Act::Finish`]; no driver sees it.
    Ended,
    /// Answers [`Act::Consult`].
    Answered(Box<Answer>),
}

/// The screen after an act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Taken once it had come to rest, or the tries for that were used up.
    pub screen: Screen,
    /// How it was found to be at rest.
    pub settling: Settling,
    /// Dumps that this took. Not part of any decision.
    pub dumps: u32,
    /// How the receiver was found; `None` for acts without one.
    pub resolution: Option<Resolution>,
    /// Crashes and ANRs logged since the previous screen.
    pub signals: Vec<Signal>,
    /// What a toast said since the previous screen, where the device has a way to tell.
    pub toast: Option<String>,
    /// Whether a toast would have been told. Records of stores up to format 9 do not say so: there, one that was told.
    pub hears_toasts: bool,
    /// What the set-up rules did; only after a reset.
    pub setup: Vec<SetupReport>,
    /// What the episode did to the device before this screen was taken, in words: system dialogs
    /// answered, a screen woken, a keyboard closed, a frozen app started again.
    pub dialogs: Vec<String>,
    /// Present if the session's policy called for one, and it could be taken.
    pub screenshot: Option<BlobHash>,
}

/// What an episode does before an event so that the event can be performed, as [`Seen::dialogs`] tells it.
pub const KEYBOARD_CLOSED: &str = "keyboard closed: it lay over the widget";

/// One set-up rule's outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupReport {
    /// The rule's number in the session file, from 1.
    pub rule: u32,
    /// It was carried out, or is optional and had nothing to act on.
    pub matched: bool,
    /// For a person: on which activity, or what prevented it from being carried out.
    pub detail: String,
}

/// Why an act was not done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// No widget of the current layout matches the selector.
    NotFound,
    /// The widget is there but has no area to touch.
    Untouchable,
    /// The text cannot be typed on this device with the means it has.
    Untypable,
    /// The test ran past its time limit.
    TimedOut,
    /// The device has no way to do it, such as a language set by command before Android 13.
    Unsupported,
}

impl Turn {
    /// The files beside the store that this turn names: its screenshot, or the pictures that were
    /// sent with its question.
    pub fn blobs(&self) -> impl Iterator<Item = BlobHash> {
        let screenshot = self.observation.seen().and_then(|seen| seen.screenshot);
        let sent = match self.observation.answer() {
            Some(Answer::Reply(reply)) => reply.exchange.pictures.as_slice(),
            Some(Answer::None(unanswered)) => unanswered.exchange.pictures.as_slice(),
            Some(
                Answer::Inputs(_)
                | Answer::Foretold(_)
                | Answer::Examples(_)
                | Answer::Order(_)
                | Answer::Differences(_),
            )
            | None => &[],
        };
        screenshot.into_iter().chain(sent.iter().copied())
    }
}

impl Seen {
    /// The screen had come to rest as far as anybody could tell.
    pub fn is_settled(&self) -> bool {
        self.settling.is_settled()
    }

    /// Whether something came up beside what the event did: a system dialog that was answered, a screen that was woken. A
    /// keyboard that lay in the event's way did not come up.
    pub fn was_disturbed(&self) -> bool {
        self.dialogs.iter().any(|done| done != KEYBOARD_CLOSED)
    }

    /// True when a process of this app crashed or stopped answering.
    pub fn crashed(&self, app: &str) -> bool {
        self.signals.iter().any(|signal| signal.is_of(app))
    }
}

impl Act {
    /// True for what is done to the device: the steps of a trace.
    pub fn is_step(&self) -> bool {
        matches!(self, Self::Reset | Self::Perform(_))
    }
}

impl Observation {
    /// The screen, when there is one.
    pub fn seen(&self) -> Option<&Seen> {
        match self {
            Self::Seen(seen) => Some(seen),
            _ => None,
        }
    }

    /// The answer to a consultation.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            _ => None,
        }
    }
}
