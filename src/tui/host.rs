//! The labs a cockpit is connected to, each with a state of its own; one of them is in front.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;

use super::TuiOptions;
use super::app::App;
use droidmux_proto::{Connection, LabView, Reply, Request, ViewerEnd};

/// News that may wait for the cockpit.
const QUEUE: usize = 64;

/// A lab as the cockpit's loop holds it.
pub(super) struct Host {
    pub(super) app: App,
    pub(super) requests: mpsc::Sender<Request>,
    /// When the oldest requests under way count as lost.
    pub(super) lapses: Option<Instant>,
}

/// What a lab says.
pub(super) enum News {
    View(Arc<LabView>),
    Reply(Reply),
    Connection(Connection),
    Gone,
}

/// News with the number of the host they come from.
pub(super) type Ear = mpsc::Receiver<(usize, News)>;

/// Hosts with empty states, and what they say from now on.
pub(super) fn gather(ends: Vec<ViewerEnd>, options: &TuiOptions) -> (Vec<Host>, Ear) {
    let (mouth, ear) = mpsc::channel(QUEUE);
    let hosts = ends.into_iter().enumerate().map(|(number, end)| {
        let requests = end.requests.clone();
        tokio::spawn(listen(number, end, mouth.clone()));
        Host { app: App::new(options.clone()), requests, lapses: None }
    });
    (hosts.collect(), ear)
}

/// Passes on what a lab says until the cockpit or the lab is gone. Views wait for room while the cockpit is busy; then
/// only the latest one goes.
async fn listen(number: usize, mut end: ViewerEnd, mouth: mpsc::Sender<(usize, News)>) {
    end.view.mark_changed();
    let mut wired = true;
    loop {
        let Ok(place) = mouth.reserve().await else { return };
        let news = tokio::select! {
            () = mouth.closed() => return,
            changed = end.connection.changed(), if wired => match changed {
                Ok(()) => News::Connection(end.connection.borrow_and_update().clone()),
                // A lab in this process has no connection that could break.
                Err(_) => {
                    wired = false;
                    continue;
                }
            },
            reply = end.replies.recv() => reply.map_or(News::Gone, News::Reply),
            changed = end.view.changed() => match changed {
                Ok(()) => News::View(end.view.borrow_and_update().clone()),
                Err(_) => News::Gone,
            },
        };
        let gone = matches!(news, News::Gone);
        place.send((number, news));
        if gone {
            return;
        }
    }
}
