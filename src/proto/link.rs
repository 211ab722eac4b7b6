//! The channels between one viewer and the lab, in one process.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::{LabView, Reply, Request};

/// How many requests or replies may wait; nobody waits for a viewer that does not read.
const QUEUE: usize = 256;

/// Both ends of a connection.
pub struct Link {
    /// For the cockpit, or for code that carries its requests over a socket.
    pub viewer: ViewerEnd,
    /// For the lab, or whatever stands in for it.
    pub lab: LabEnd,
}

/// The viewer's end.
pub struct ViewerEnd {
    /// The newest state of the lab; older ones are never seen.
    pub view: watch::Receiver<Arc<LabView>>,
    /// The state of the connection to the lab.
    pub connection: watch::Receiver<Connection>,
    /// To the lab; full when the lab accepts nothing.
    pub requests: mpsc::Sender<Request>,
    /// In the order the lab answered; answers for which there was no room are missing.
    pub replies: mpsc::Receiver<Reply>,
}

/// The lab's end: it answers requests; when the reply queue is full the reply is dropped.
pub struct LabEnd {
    /// From the viewer, in its order.
    pub requests: mpsc::Receiver<Request>,
    /// To the viewer; nothing waits for room in it.
    pub replies: mpsc::Sender<Reply>,
}

/// The state of a viewer's connection to its lab.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// Requests reach the lab.
    #[default]
    Up,
    /// Broken; there will be another attempt.
    Down {
        /// What broke it, in words.
        why: String,
        /// Seconds until the next attempt.
        retry_s: u64,
    },
    /// The lab refuses this viewer: there will be no further attempt.
    Refused(String),
}

impl Link {
    /// A link in this process that shows what is sent on `view`.
    pub fn new(view: watch::Receiver<Arc<LabView>>) -> Self {
        Self::over(view, watch::Sender::new(Connection::Up).subscribe())
    }

    /// A link over a connection that may break.
    pub fn over(view: watch::Receiver<Arc<LabView>>, connection: watch::Receiver<Connection>) -> Self {
        let (request_in, requests) = mpsc::channel(QUEUE);
        let (replies, reply_out) = mpsc::channel(QUEUE);
        Self {
            viewer: ViewerEnd { view, connection, requests: request_in, replies: reply_out },
            lab: LabEnd { requests, replies },
        }
    }
}
