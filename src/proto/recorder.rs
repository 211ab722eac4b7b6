//! The recording of a function's specification while a person performs it, as viewers see it.

use serde::{Deserialize, Serialize};

use droidmux_gui::{LayoutHash, WidgetId};
use droidmux_record::{DmfAction, Operation};

/// What is to be recorded, and on which device.
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

/// The state of a recording.
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
    /// The function's name.
    pub name: String,
    /// Whether it accepts orders.
    pub phase: RecorderPhase,
    /// The current layout; `None` before the app has started.
    pub live: Option<LayoutHash>,
    /// Full class name of the focused activity.
    pub activity: String,
    /// The app has the focus.
    pub in_app: bool,
    /// What was performed, in words: first what leads to the function, then the function.
    pub events: Vec<String>,
    /// How many of the events only lead to the function.
    pub begins: u32,
    /// The text of the object that the function removes; empty when none is marked, or it removes none.
    pub before: String,
    /// The text of the object that it adds or shows; the last text typed if none is marked.
    pub after: String,
    /// The specification as far as it can be written; empty before the first event.
    pub text: String,
    /// What it still lacks to be complete; empty when it is complete.
    pub lacks: String,
    /// What did not hold during the recording, and what lint finds at fault.
    pub remarks: Vec<String>,
    /// The result of carrying it out from its specification; `None` if this has not been done, or it has changed since.
    pub rehearsal: Option<RehearsalView>,
    /// The file that contains it, as an absolute path; empty if it was not written, or has changed since.
    pub saved: String,
    /// What a person should know about the last order; empty when it went well.
    pub trouble: String,
}

/// What the recorder is doing.
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
    /// There is no device, and why; what was recorded can be kept, or continued on a device.
    Lost(String),
}

/// A function carried out from its specification after a fresh start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RehearsalView {
    /// What happened, one line each.
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
        /// On which widget of `seen`; `None` for keys, waiting, and scrolling the largest scrollable part.
        widget: Option<WidgetId>,
        /// What is typed, or the seconds to wait; `None` for a text drawn at random, now and each time.
        text: Option<String>,
        /// The layout that the person chose on: nothing is done on any other.
        seen: LayoutHash,
    },
    /// The function begins here: what came before only leads up to it.
    Begin,
    /// Undoes the last event, by performing those before it after a fresh start.
    Undo,
    /// Clears the app's data and begins anew.
    Over,
    /// This text is the object that the function adds or shows.
    After(String),
    /// This text is the object that it removes.
    Before(String),
    /// The function's name.
    Name(String),
    /// Carries the function out from its specification.
    Rehearse,
    /// Writes the specification into a file on the lab's machine, beside the other functions in it.
    Save(String),
    /// Continues with what was recorded, on the device with this serial, or on any, when the device was lost.
    Resume(Option<String>),
    /// Ends the recording; the device is given back.
    Leave,
}
