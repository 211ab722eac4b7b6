//! Why the recorder does not do what a person wants.

use thiserror::Error;

use super::keeping::KeepError;
use super::sheet::Lacking;

/// Why a recording cannot begin, or takes no order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecorderError {
    /// The form was left empty.
    #[error("it needs an app and a type of objects")]
    Nameless,
    /// The lab takes on nothing more.
    #[error("the lab ends")]
    Ending,
    /// A lab records one function at a time.
    #[error("`{name}` of {app} is being recorded: leave it first")]
    Taken {
        /// The function.
        name: String,
        /// The package of its app.
        app: String,
    },
    /// The lab does not have the device that was named.
    #[error("there is no device {serial}")]
    NoDevice {
        /// The device's serial.
        serial: String,
    },
    /// The lab has no device at all.
    #[error("there is no device")]
    NoDevices,
    /// There is nothing to give an order to.
    #[error("nothing is recorded")]
    Idle,
    /// The order was meant for a screen that is gone.
    #[error("the screen has changed since: choose again")]
    Changed,
    /// Another order is being carried out.
    #[error("the recorder is under way: it takes no order")]
    Busy,
    /// What was recorded can still be seen.
    #[error("the recording is over: leave it")]
    Over,
}

/// Why a recorded function is not saved.
#[derive(Debug, Error)]
pub(super) enum SaveError {
    #[error("nothing was done yet")]
    Nothing,
    #[error("it is not whole: {0}")]
    Lacking(#[from] Lacking),
    #[error("the file needs a name")]
    NoName,
    /// The folder of this process is gone.
    #[error(transparent)]
    Folder(#[from] std::io::Error),
    #[error(transparent)]
    Keep(#[from] KeepError),
    #[error(transparent)]
    Task(#[from] tokio::task::JoinError),
}
