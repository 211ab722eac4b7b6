//! Publishing: what viewers see of the hub.
//!
//! In: that something changed. Out: snapshots, at most ten times a second, of which viewers get the latest. Invariants: what
//! changes after somebody subscribed is published; while nobody sees them, snapshots cost nothing.

use std::sync::Arc;
use std::time::Duration;

use droidmux_proto::LabView;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Hub;

/// Viewers are told no oftener.
const PUBLISH_EVERY: Duration = Duration::from_millis(100);
/// Ages and rates move without events: while anything runs, viewers are told as often.
const REFRESH_EVERY: Duration = Duration::from_secs(1);
impl Hub {
    /// The state as it is now, and as it changes.
    pub fn subscribe(&self) -> watch::Receiver<Arc<LabView>> {
        // What changes after the snapshot is published, since it has a receiver by then.
        let mut view = self.view.subscribe();
        self.view.send_replace(Arc::new(self.snapshot()));
        view.mark_unchanged();
        self.stir();
        view
    }

    /// Has a snapshot published, if anybody sees it.
    pub(super) fn stir(&self) {
        if self.view.receiver_count() > 0 {
            self.stirred.notify_one();
        }
    }

    fn is_live(&self) -> bool {
        self.lock().sessions.values().any(|feed| !feed.is_over())
    }
}

/// Publishes snapshots until the lab closes. While nobody sees them, this costs nothing.
pub async fn publish(hub: Arc<Hub>, closing: CancellationToken) {
    let mut asked = hub.people.changes();
    while !closing.is_cancelled() {
        let seen = hub.view.receiver_count() > 0;
        tokio::select! {
            () = closing.cancelled() => return,
            () = hub.stirred.notified() => {}
            Ok(()) = asked.changed(), if seen => {}
            () = tokio::time::sleep(REFRESH_EVERY), if seen && hub.is_live() => {}
        }
        hub.view.send_replace(Arc::new(hub.snapshot()));
        tokio::select! {
            () = closing.cancelled() => return,
            () = tokio::time::sleep(PUBLISH_EVERY) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use droidmux_record::{Progress, SessionId};

    use super::super::Gate;
    use super::*;
    use crate::session::first_view;

    /// Longer than viewers wait for what there is to tell, and shorter than until ages are told anew.
    const SOON: Duration = Duration::from_millis(300);

    struct Published {
        hub: Arc<Hub>,
        closing: CancellationToken,
    }

    impl Published {
        fn new() -> Self {
            let published = Self { hub: Arc::new(Hub::new("lab")), closing: CancellationToken::new() };
            tokio::spawn(publish(published.hub.clone(), published.closing.clone()));
            published
        }

        fn begin_session(&self) {
            let definition =
                toml::from_str("technique = \"genie\"\napp = \"org.notes\"").expect("a session file");
            let view = first_view(SessionId(1), &definition, 7, Progress::default());
            self.hub.session_began(view, Gate::new(self.closing.clone()));
        }
    }

    /// How many snapshots come within a time.
    async fn told(view: &mut watch::Receiver<Arc<LabView>>, within: Duration) -> usize {
        let mut count = 0;
        let over = tokio::time::Instant::now() + within;
        while let Ok(changed) = tokio::time::timeout_at(over, view.changed()).await {
            changed.expect("the hub is there");
            count += 1;
        }
        count
    }

    #[tokio::test(start_paused = true)]
    async fn viewers_are_told_what_changed_soon_and_otherwise_nothing() {
        let lab = Published::new();
        let mut view = lab.hub.subscribe();
        told(&mut view, SOON).await;
        assert_eq!(told(&mut view, Duration::from_secs(60)).await, 0, "nothing happened");
        lab.begin_session();
        assert_eq!(told(&mut view, SOON).await, 1);
        assert_eq!(view.borrow().sessions.len(), 1);
        assert!(told(&mut view, Duration::from_secs(10)).await >= 9, "ages and rates of a session that runs");
    }

    #[tokio::test(start_paused = true)]
    async fn a_thousand_changes_are_told_ten_times_a_second() {
        let lab = Published::new();
        let mut view = lab.hub.subscribe();
        let changing = tokio::spawn({
            let hub = lab.hub.clone();
            async move {
                for _ in 0..1_000 {
                    hub.recorder_changed();
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
        });
        let count = told(&mut view, Duration::from_secs(2)).await;
        assert!((9..=12).contains(&count), "{count}");
        changing.await.expect("changes");
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_later_sees_what_nobody_saw() {
        let lab = Published::new();
        lab.begin_session();
        tokio::time::sleep(SOON).await;
        let first = lab.hub.subscribe();
        assert_eq!(first.borrow().sessions.len(), 1);
        drop(first);
        lab.hub.recorder_changed();
        let mut second = lab.hub.subscribe();
        assert_eq!(second.borrow().recorder, 1);
        lab.hub.recorder_changed();
        told(&mut second, SOON).await;
        assert_eq!(second.borrow().recorder, 2);
    }
}
