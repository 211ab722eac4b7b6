//! What the hub keeps of a host.

use std::time::{Duration, Instant};

use droidmux_proto::{HostState, HostView};

#[derive(Clone, Debug)]
pub(crate) struct HostFeed {
    pub(crate) via: String,
    state: HostState,
    since: Instant,
    seen: Option<Instant>,
}

impl HostFeed {
    pub(super) fn new() -> Self {
        Self { via: String::new(), state: HostState::default(), since: Instant::now(), seen: None }
    }

    /// A sign of life so long ago; an older one than is known changes nothing.
    pub(crate) fn seen(&mut self, ago: Duration) {
        self.seen = self.seen.max(Instant::now().checked_sub(ago));
    }

    /// Notes the state; gives the one before and how long that lasted, if it was of another kind. A new reason for the
    /// same state takes the place of the old one.
    pub(crate) fn turn(&mut self, state: HostState) -> Option<(HostState, Duration)> {
        let same = std::mem::discriminant(&self.state) == std::mem::discriminant(&state);
        let before = std::mem::replace(&mut self.state, state);
        if same {
            return None;
        }
        let since = std::mem::replace(&mut self.since, Instant::now());
        Some((before, since.elapsed()))
    }

    pub(crate) fn state(&self) -> &HostState {
        &self.state
    }

    pub(super) fn view(&self, name: &str, now: Instant) -> HostView {
        HostView {
            name: name.to_owned(),
            via: self.via.clone(),
            state: self.state.clone(),
            for_s: now.duration_since(self.since).as_secs(),
            seen_s: self.seen.map(|then| now.duration_since(then).as_secs()),
        }
    }
}
