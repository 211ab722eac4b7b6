//! A viewer's connection: views as it takes them, replies as they come.

use std::sync::Arc;

use futures_util::StreamExt;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;

use super::outbox::{DEAD, Ended, Outbox};
use crate::Lab;
use droidmux_proto::{LabView, MOST_FROM_VIEWER, Reply, Request, ToLab, ToViewer, ViewerEnd, codec, decode};

/// Serves a viewer until it leaves, is dead or the server stops.
pub(super) async fn attend(
    lab: &Lab,
    stream: UnixStream,
    read_only: bool,
    stop: &CancellationToken,
) -> Ended {
    let ViewerEnd { view, requests, replies, .. } = lab.viewer();
    let (read, write) = stream.into_split();
    // Views seen and refusals, from the reading side to the writing one.
    let (seen_in, seen) = watch::channel(0);
    let (refused_in, refused) = mpsc::channel(16);
    let hear = Ears { read, read_only, requests, seen: seen_in, refused: refused_in };
    let speak = Mouth { outbox: Outbox::new(write), view, seen, replies, refused };
    tokio::select! {
        ended = hear.listen() => ended,
        ended = speak.talk() => ended,
        () = stop.cancelled() => Ended::Stopping,
    }
}

struct Ears {
    read: OwnedReadHalf,
    read_only: bool,
    requests: mpsc::Sender<Request>,
    seen: watch::Sender<u64>,
    refused: mpsc::Sender<Reply>,
}

impl Ears {
    /// Takes in what the viewer says; one that says nothing for 5 s is dead, since viewers say that
    /// they are alive.
    async fn listen(self) -> Ended {
        let mut frames = FramedRead::new(self.read, codec(MOST_FROM_VIEWER));
        let mut last = Instant::now();
        loop {
            let message = tokio::select! {
                message = frames.next() => message,
                () = tokio::time::sleep_until(last + DEAD) => return Ended::Dead,
            };
            last = Instant::now();
            let message = match message {
                Some(Ok(content)) => decode::<ToLab>(&content),
                Some(Err(error)) => return Ended::Broke(error.to_string()),
                None => return Ended::Left,
            };
            match message {
                Ok(ToLab::Request(request)) if self.read_only && request.changes() => {
                    let why = "this viewer may only look".to_owned();
                    // A viewer that does not take its refusals gets none.
                    let _ = self.refused.try_send(Reply::Refused { request, why });
                }
                Ok(ToLab::Request(request)) => {
                    // Answered in turn; a lab that is closing answers nobody.
                    if self.requests.send(request).await.is_err() {
                        return Ended::Stopping;
                    }
                }
                Ok(ToLab::Seen) => self.seen.send_modify(|seen| *seen += 1),
                Ok(ToLab::Alive | ToLab::Interrupt) => {}
                Err(error) => return Ended::Broke(error.to_string()),
            }
        }
    }
}

struct Mouth {
    outbox: Outbox,
    view: watch::Receiver<Arc<LabView>>,
    seen: watch::Receiver<u64>,
    replies: mpsc::Receiver<Reply>,
    refused: mpsc::Receiver<Reply>,
}

impl Mouth {
    async fn talk(mut self) -> Ended {
        let mut sent = 0;
        let mut alive = tokio::time::interval(DEAD / 2);
        // The first view at once.
        self.view.mark_changed();
        loop {
            let may_show = *self.seen.borrow_and_update() >= sent;
            let message = tokio::select! {
                biased;
                Some(refused) = self.refused.recv() => ToViewer::Reply(refused),
                reply = self.replies.recv() => match reply {
                    Some(Reply::Resync(lost)) => ToViewer::Resync(lost),
                    Some(reply) => ToViewer::Reply(reply),
                    None => return Ended::Stopping,
                },
                changed = self.view.changed(), if may_show => {
                    if changed.is_err() {
                        return Ended::Stopping;
                    }
                    sent += 1;
                    ToViewer::View(Box::new(LabView::clone(&self.view.borrow_and_update())))
                }
                _ = self.seen.changed(), if !may_show => continue,
                _ = alive.tick() => ToViewer::Alive,
            };
            if let Err(ended) = self.outbox.put(&message).await {
                return ended;
            }
        }
    }
}
