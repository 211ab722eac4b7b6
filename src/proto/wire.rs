//! What is sent over a connection after the greeting.

use serde::{Deserialize, Serialize};

use super::{LabView, Reply, Request};
use droidmux_record::SessionId;

/// From a viewer to the lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToLab {
    /// A request for information or for an action.
    Request(Request),
    /// The last view has been processed: the next one may come. So a slow link carries the latest view and no queue of
    /// old ones.
    Seen,
    /// Sent every second or two: a viewer that falls silent is dead.
    Alive,
    /// The person wants the command to end.
    Interrupt,
}

/// From the lab to a viewer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ToViewer {
    /// The current state of the lab; sent once the last one has been seen.
    View(Box<LabView>),
    /// Sent every few seconds: a lab that falls silent is out of reach.
    Alive,
    /// The answer to a request.
    Reply(Reply),
    /// This many replies did not fit into the outbox: ask again for anything still wanted.
    Resync(u64),
    /// What a command wrote.
    Output {
        /// To standard error.
        error: bool,
        /// As written, perhaps in the middle of a line.
        bytes: Vec<u8>,
    },
    /// The command ended with this exit code.
    Exit(u8),
    /// The command began this session.
    Began(SessionId),
}

impl ToViewer {
    /// The view, if it is one.
    pub fn view(&self) -> Option<&LabView> {
        match self {
            Self::View(view) => Some(view),
            _ => None,
        }
    }
}
