//! Pages that never come to rest, and how long a look waits for one.
//!
//! In: the pages that looks ended on, and how long they waited. Out: how long a look at a page may wait. Invariants: a
//! page that never rests costs a second once that is known of it; no other page is given less time for that.

use std::collections::BTreeSet;
use std::time::Duration;

/// How long a screen that has never been found restless may keep a look waiting: as long as `uiautomator dump` waits.
const UNKNOWN: Duration = Duration::from_secs(10);

/// How long a screen that is known to be restless may.
const RESTLESS: Duration = Duration::from_secs(1);

/// How long a page may show that it loads before it is taken as it is.
const LOADING: Duration = Duration::from_secs(3);

/// Which pages never rest.
#[derive(Debug, Default)]
pub(super) struct Restless {
    pages: BTreeSet<String>,
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
}
