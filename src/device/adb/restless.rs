//! Pages that never come to rest, and how long a look waits for one.
//!
//! In: the pages that looks ended on, how long they waited, and whether two dumps were equal. Out: how long a look at a
//! page may wait, and how many dumps it may take. Invariants: a page that never rests costs a second, and few dumps, once
//! that is known of it; no other page is given less for that.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long a screen that has never been found restless may keep a look waiting: as long as `uiautomator dump` waits.
const UNKNOWN: Duration = Duration::from_secs(10);

/// How long a screen that is known to be restless may.
const RESTLESS: Duration = Duration::from_secs(1);

/// How long a page may show that it loads before it is taken as it is.
const LOADING: Duration = Duration::from_secs(3);

/// As many looks in a row at a page, of which each dump was another one, tell that the next will be, too: it plays or
/// counts.
const MOVING: u32 = 2;

/// Dumps of a page that is known to move: what loads for a moment has two equal ones among them.
const FEW: u32 = 3;

/// Which pages never rest.
#[derive(Debug, Default)]
pub(super) struct Restless {
    pages: BTreeSet<String>,
    /// How many looks in a row found no two equal dumps of a page.
    moved: BTreeMap<String, u32>,
}

impl Restless {
    /// The most pages that are remembered.
    const MOST: usize = 1_000;

    /// Some page never rests.
    pub(super) fn is_any(&self) -> bool {
        !self.pages.is_empty()
    }

    /// How long a look may wait for rest before it is known which page is shown.
    pub(super) fn at_first(&self) -> Duration {
        if self.is_any() { RESTLESS } else { UNKNOWN }
    }

    /// How long a look at this page may wait for rest.
    pub(super) fn patience(&self, page: &str) -> Duration {
        if self.pages.contains(page) { RESTLESS } else { UNKNOWN }
    }

    /// How long this page may be waited for while it loads: not at all where that was in vain before.
    pub(super) fn loading(&self, page: &str) -> Duration {
        if self.pages.contains(page) { Duration::ZERO } else { LOADING }
    }

    /// How many dumps a look at this page may take, of as many as any page is given.
    pub(super) fn tries(&self, page: &str, most: u32) -> u32 {
        let moves = self.moved.get(page).is_some_and(|looks| *looks >= MOVING);
        if moves { most.min(FEW) } else { most }
    }

    /// A look at this page took so many dumps, the last of which could be read, and found two of them equal, or none.
    pub(super) fn dumped(&mut self, page: &str, dumps: u32, equal: bool) {
        if equal {
            self.moved.remove(page);
        } else if dumps < FEW {
            // So few tell of no page that it moves.
        } else if let Some(looks) = self.moved.get_mut(page) {
            *looks = looks.saturating_add(1);
        } else if self.moved.len() < Self::MOST {
            self.moved.insert(page.to_owned(), 1);
        }
    }

    /// A look ended on this page. With `waited` for as long as an unknown page may take, or one that still loads, it
    /// never rests.
    pub(super) fn shown(&mut self, page: &str, waited: Duration, loads: bool) {
        let limit = if loads { LOADING } else { UNKNOWN };
        if waited >= limit && self.pages.len() < Self::MOST {
            self.pages.insert(page.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_never_rested_is_not_waited_for_again() {
        // What a look ended on: the page, how long it waited, whether the page was loading; then what that page is
        // given, for rest and for loading.
        let short = Duration::from_millis(600);
        let cases = [
            ("Clock", short, false, (UNKNOWN, LOADING)),
            ("Clock", UNKNOWN, false, (RESTLESS, Duration::ZERO)),
            ("List", short, true, (UNKNOWN, LOADING)),
            ("Clock", short, false, (RESTLESS, Duration::ZERO)),
            ("Feed", LOADING, true, (RESTLESS, Duration::ZERO)),
            ("List", LOADING, false, (UNKNOWN, LOADING)),
        ];
        let mut restless = Restless::default();
        assert_eq!(restless.at_first(), UNKNOWN);
        for (page, waited, loads, expected) in cases {
            restless.shown(page, waited, loads);
            assert_eq!(
                (restless.patience(page), restless.loading(page)),
                expected,
                "{page} after {waited:?}"
            );
        }
        assert_eq!(restless.at_first(), RESTLESS, "any page may be one of them");
    }

    #[test]
    fn a_page_of_which_each_dump_is_another_one_is_dumped_less_often() {
        // What was dumped, how often, whether two dumps were equal, and how many dumps that page is given afterwards.
        let cases = [
            ("Player", 10, false, 10),
            ("List", 10, false, 10),
            ("Player", 10, false, FEW),
            ("List", 4, true, 10),
            ("List", 10, false, 10),
            ("Player", 3, false, FEW),
            ("Player", 3, true, 10),
            ("Feed", 2, false, 10),
            ("Feed", 2, false, 10),
        ];
        let mut restless = Restless::default();
        for (page, dumps, equal, expected) in cases {
            restless.dumped(page, dumps, equal);
            assert_eq!(restless.tries(page, 10), expected, "{page}, {dumps} dumps, equal: {equal}");
        }
        restless.dumped("Player", 10, false);
        restless.dumped("Player", 10, false);
        assert_eq!(restless.tries("Player", 2), 2, "never more than any page is given");
    }
}
