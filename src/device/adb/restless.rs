//! Pages that never come to rest, and how long a look waits for one.
//!
//! In: the pages that looks ended on, and how long they waited. Out: how long the next may wait. Invariant: a page that
//! never rests costs a second once that is known of it.

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
    /// The page that was shown last.
    page: String,
    pages: BTreeSet<String>,
}

impl Restless {
    /// The most pages that are remembered.
    const MOST: usize = 1_000;

    /// How long a look may wait for rest, starting from the page that was shown last.
    pub(super) fn patience(&self) -> Duration {
        if self.pages.contains(&self.page) { RESTLESS } else { UNKNOWN }
    }

    /// How long a page that loads may be waited for: not at all where that was in vain before.
    pub(super) fn loading(&self) -> Duration {
        if self.pages.contains(&self.page) { Duration::ZERO } else { LOADING }
    }

    /// This page is shown now. With `waited` for as long as an unknown page may take, or one that still loads, it never
    /// rests.
    pub(super) fn shown(&mut self, page: &str, waited: Duration, loads: bool) {
        page.clone_into(&mut self.page);
        let limit = if loads { LOADING } else { UNKNOWN };
        if waited >= limit && self.pages.len() < Self::MOST {
            self.pages.insert(self.page.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_never_rested_is_not_waited_for_again() {
        let mut restless = Restless::default();
        restless.shown("Clock", Duration::from_millis(600), false);
        assert_eq!(restless.patience(), UNKNOWN);
        restless.shown("Clock", UNKNOWN, false);
        assert_eq!(restless.patience(), RESTLESS);
        restless.shown("List", Duration::from_millis(600), true);
        assert_eq!((restless.patience(), restless.loading()), (UNKNOWN, LOADING));
        restless.shown("Clock", Duration::from_millis(600), false);
        assert_eq!(restless.patience(), RESTLESS, "it is remembered");
        restless.shown("Feed", LOADING, true);
        assert_eq!(
            (restless.patience(), restless.loading()),
            (RESTLESS, Duration::ZERO),
            "it loads for ever"
        );
    }
}
