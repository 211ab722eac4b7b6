//! Ever shorter versions of a finding's tests.
//!
//! In: the tests, and what replays of their versions showed. Out: the version to run next, and the shortest one
//! known to show the violation.
//!
//! Invariant: what is taken does not depend on the order in which replays end.

use std::collections::BTreeMap;

use super::ddmin::{Ddmin, Kept};
use super::units::Parts;
use crate::findings::Replay;
use droidmux_record::{Confirmation, FindingId, SessionId, ShrinkEnding, Shrunk, Test, events_told};

/// Versions of tests, and what is known of each.
#[derive(Clone, Debug)]
pub(super) struct Versions {
    parts: Parts,
    search: Ddmin,
    known: BTreeMap<Kept, Known>,
    /// Replays in a row that must show the violation before events are left out for good.
    confirm: u32,
    replays: u32,
}

/// What is known of a version.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Replays planned, and those that showed the violation.
    pub(super) planned: u32,
    pub(super) shown: u32,
    pub(super) under_way: u32,
    /// Whether it shows, once that is certain enough.
    shows: Option<bool>,
}

/// What is to be done.
pub(super) enum Next {
    Run(Kept),
    /// Nothing before a replay under way is judged.
    Wait,
    Over(ShrinkEnding),
}

impl Versions {
    pub(super) fn of(tests: &[Test], confirm: u32) -> Self {
        let parts = Parts::of(tests);
        let search = Ddmin::new(parts.chunks());
        Self { parts, search, known: BTreeMap::new(), confirm, replays: 0 }
    }

    /// The first version in the order of the search that wants a replay. Those under way are assumed not to show: most
    /// do not. `has_room` says whether these tests may be run once more.
    pub(super) fn next(&mut self, has_room: impl Fn(&[Test]) -> bool) -> Next {
        while let Some(version) = self.search.candidate() {
            match self.shows(&version) {
                Some(true) => self.search.shown(),
                Some(false) => self.search.absent(),
                None => break,
            }
        }
        if self.search.candidate().is_none() {
            return Next::Over(ShrinkEnding::Minimal);
        }
        let mut ahead = self.search.clone();
        while let Some(version) = ahead.candidate() {
            let waits = self.known(&version).under_way > 0;
            match self.shows(&version) {
                Some(true) => ahead.shown(),
                Some(false) => ahead.absent(),
                None if waits => ahead.absent(),
                None if has_room(&self.tests(&version)) => return Next::Run(version),
                None => break,
            }
        }
        if self.known.values().any(|known| known.under_way > 0) {
            return Next::Wait;
        }
        Next::Over(ShrinkEnding::Budget)
    }

    /// Notes that a replay of a version is planned, and gives what it runs.
    pub(super) fn begin(&mut self, version: &Kept) -> Vec<Test> {
        let known = self.known.entry(version.clone()).or_default();
        self.replays += 1;
        known.planned += 1;
        known.under_way += 1;
        self.tests(version)
    }

    /// Takes in what a replay showed; one that `settles` is enough to know that a version does not show.
    pub(super) fn judged(&mut self, version: &Kept, replay: Replay, settles: bool) {
        let Some(known) = self.known.get_mut(version) else { return };
        known.under_way = known.under_way.saturating_sub(1);
        known.shown += u32::from(replay == Replay::Shown);
        if known.shown >= self.confirm {
            known.shows = Some(true);
        } else if replay != Replay::Shown && settles {
            known.shows = Some(false);
        }
    }

    /// The shortest version that shows the violation, as far as known.
    pub(super) fn best(&self) -> Kept {
        self.search.kept()
    }

    /// Its tests.
    pub(super) fn best_tests(&self) -> Vec<Test> {
        self.tests(&self.best())
    }

    /// What the tests of a finding were shrunk to so far.
    pub(super) fn shrunk(
        &self,
        (finding, session): (&FindingId, SessionId),
        confirmation: Confirmation,
        ending: ShrinkEnding,
    ) -> Shrunk {
        let tests = self.best_tests();
        Shrunk {
            finding: finding.clone(),
            session,
            from: events_told(self.parts.whole()),
            to: events_told(&tests),
            tests,
            candidates: self.candidates(),
            replays: self.replays,
            confirmation,
            ending,
        }
    }

    pub(super) fn known(&self, version: &Kept) -> Known {
        self.known.get(version).copied().unwrap_or_default()
    }

    /// Different versions that were run.
    pub(super) fn candidates(&self) -> u32 {
        u32::try_from(self.known.values().filter(|known| known.planned > 0).count()).unwrap_or(u32::MAX)
    }

    /// Replays of all of them.
    pub(super) fn replays(&self) -> u32 {
        self.replays
    }

    fn tests(&self, version: &Kept) -> Vec<Test> {
        self.parts.with(version).unwrap_or_default()
    }

    /// Whether a version shows, as far as known. Those that leave no test of its role never do.
    fn shows(&self, version: &Kept) -> Option<bool> {
        match self.known.get(version) {
            Some(known) => known.shows,
            None => self.parts.with(version).is_none().then_some(false),
        }
    }
}
