//! Which session gets a device first: the one with the higher priority among those that want it.
//!
//! In: what sessions want and how urgent a person says they are. Out: whether a session must leave
//! a device to another one. Pure bookkeeping; equal priorities leave each other alone.

use std::collections::{BTreeMap, BTreeSet};

use droidmux_record::SessionId;

#[derive(Debug, Default)]
pub(super) struct Order {
    priorities: BTreeMap<SessionId, i32>,
    /// The devices that sessions wait for.
    wanted: BTreeMap<SessionId, BTreeSet<String>>,
    /// The devices that a person waits for, who comes before all sessions.
    by_hand: BTreeSet<String>,
}

impl Order {
    pub(super) fn prefer(&mut self, session: SessionId, priority: i32) {
        self.priorities.insert(session, priority);
    }

    /// The devices a session could use at once if it had them.
    pub(super) fn want(&mut self, session: SessionId, serials: BTreeSet<String>) {
        if serials.is_empty() {
            self.wanted.remove(&session);
        } else {
            self.wanted.insert(session, serials);
        }
    }

    /// The devices any of which a person could use at once; false if that is not news.
    pub(super) fn want_by_hand(&mut self, serials: BTreeSet<String>) -> bool {
        std::mem::replace(&mut self.by_hand, serials) != self.by_hand
    }

    /// A session that has ended wants nothing.
    pub(super) fn forget(&mut self, session: SessionId) {
        self.priorities.remove(&session);
        self.wanted.remove(&session);
    }

    /// Whether a session of a higher priority, or a person, waits for this device.
    pub(super) fn outranked(&self, session: SessionId, serial: &str) -> bool {
        let priority = |session: &SessionId| self.priorities.get(session).copied().unwrap_or(0);
        let ours = priority(&session);
        let others = self
            .wanted
            .iter()
            .any(|(other, serials)| *other != session && serials.contains(serial) && priority(other) > ours);
        others || self.by_hand.contains(serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_urgent_session_comes_first_where_both_want_the_same() {
        let [first, second] = [SessionId(1), SessionId(2)];
        let serials = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let mut order = Order::default();
        order.want(second, serials(&["a"]));
        assert!(!order.outranked(first, "a"), "both are of priority 0");
        order.prefer(second, 5);
        let cases = [(first, "a", true), (first, "b", false), (second, "a", false)];
        for (session, serial, expected) in cases {
            assert_eq!(order.outranked(session, serial), expected, "{session} {serial}");
        }
        order.prefer(first, 5);
        assert!(!order.outranked(first, "a"));
        order.prefer(first, 0);
        order.want(second, BTreeSet::new());
        assert!(!order.outranked(first, "a"), "it wants none any more");
        order.want_by_hand(serials(&["b"]));
        assert!(order.outranked(first, "b") && !order.outranked(first, "a"), "a person waits for it");
        order.want(second, serials(&["a"]));
        order.forget(second);
        assert!(!order.outranked(first, "a"));
    }
}
