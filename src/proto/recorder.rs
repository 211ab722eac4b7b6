//! A function that a person performs to have its specification, as viewers see it.

use serde::{Deserialize, Serialize};

use crate::gui::{LayoutHash, WidgetId};
use crate::record::{DmfAction, Operation};

/// What is to be recorded, and on what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecorderOpening {
    /// The serial of the device; `None` for any.
    pub serial: Option<String>,
    /// Package of the app; its data on the device is cleared.
    pub app: String,
    /// What kind of function it is.
    pub operation: Operation,
    /// The type of its objects, e.g. `note`.
    pub datatype: String,
}

/// Where a recording stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecorderView {
    /// Serial of the device it is made on.
    pub device: String,
    /// Package of the app.
    pub app: String,
    /// What kind of function it is.
    pub operation: Operation,
    /// The type of its objects.
    pub datatype: String,
    /// What the function is called.
    pub name: String,
    /// Whether it takes orders.
    pub phase: RecorderPhase,
    /// The layout that is there; `None` before the app has started.
    pub live: Option<LayoutHash>,
    /// Full class name of the focused activity.
    pub activity: String,
    /// The app has the focus.
    pub in_app: bool,
    /// What was performed, in words: what leads to the function, then the function.
    pub events: Vec<String>,
    /// How many of the events lead to the function.
    pub begins: u32,
    /// The text of the object that the function takes away; empty when none is marked, or it takes none away.
    pub before: String,
    /// The text of the object that it adds or shows; what was typed last when none is marked.
    pub after: String,
    /// The specification as far as it can be written; empty before the first event.
    pub text: String,
    /// What keeps it from being whole; empty when it is.
    pub lacks: String,
    /// What of it does not hold as it was recorded, and what lint finds at fault.
    pub remarks: Vec<String>,
    /// How it went when it was carried out from its specification; `None` when it was not, or has changed since.
    pub rehearsal: Option<RehearsalView>,
    /// The file that holds it, whole path; empty when it was not written, or has changed since.
    pub saved: String,
    /// What a person should know of the last order; empty when it went well.
    pub trouble: String,
}

/// What the recorder does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecorderPhase {
    /// The device is made ready and the app started.
    Opening,
    /// It waits for an order.
    Ready,
    /// An order is carried out.
    Acting,
    /// The function is carried out from its specification.
    Rehearsing,
    /// There is no device, and why; what was recorded can be kept, or gone on with on a device.
    Lost(String),
}

/// A function carried out from its specification after a fresh start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RehearsalView {
    /// What happened, a line each.
    pub lines: Vec<String>,
    /// Everything was carried out, and all conditions hold.
    pub good: bool,
}

/// What a recorder is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecorderOrder {
    /// Performs an event.
    Do {
        /// What is done.
        action: DmfAction,
        /// On which widget of `seen`; `None` for keys, waiting, and scrolling what is largest.
        widget: Option<WidgetId>,
        /// What is typed, or the seconds to wait; `None` for a text drawn at random, now and every time.
        text: Option<String>,
        /// The layout that the person chose on: nothing is done on another one.
        seen: LayoutHash,
    },
    /// The function begins here: what came before only leads to it.
    Begin,
    /// Takes the last event back, by performing those before it after a fresh start.
    Undo,
    /// Clears the app's data and begins anew.
    Over,
    /// This text is the object that the function adds or shows.
    After(String),
    /// This text is the object that it takes away.
    Before(String),
    /// What the function is called.
    Name(String),
    /// Carries the function out from its specification.
    Rehearse,
    /// Writes the specification into a file of the lab's machine, beside other functions that it holds.
    Save(String),
    /// Goes on with what was recorded on the device of this serial, or on any, when the device was lost.
    Resume(Option<String>),
    /// Ends the recording; the device is given back.
    Leave,
}
