//! Pages that never come to rest, and how long a look waits for one.
//!
//! In: the pages that looks ended on, how long they waited, whether two dumps were equal, and what turned on them to say
//! that they load. Out: how long a look at a page may wait, and how many dumps it may take. Invariants: a page that never
//! rests costs a second, and few dumps, once that is known of it; no other page is given less for that, and an activity
//! of many pages waits for each of them to load.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use droidmux_gui::Widget;

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
    /// Progress indicators that were waited for in vain.
    endless: BTreeSet<String>,
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

    /// How long a page may be waited for while this [indicator](Self::indicator) turns: not at all where that was in vain
    /// before.
    pub(super) fn loading(&self, indicator: &str) -> Duration {
        if self.endless.contains(indicator) { Duration::ZERO } else { LOADING }
    }

    /// A look ended while this indicator turned.
    pub(super) fn turned(&mut self, indicator: &str, waited: Duration) {
        if waited >= LOADING && self.endless.len() < Self::MOST {
            self.endless.insert(indicator.to_owned());
        }
    }

    /// What tells a progress indicator from others of the same app.
    pub(super) fn indicator(activity: &str, widget: Widget<'_>) -> String {
        format!("{activity} {} {}", widget.resource_id(), widget.bounds())
    }

    /// How many dumps a look at this page may take, of as many as any page is given.
    pub(super) fn tries(&self, page: &str, most: u32) -> u32 {
        let moves = self.moved.get(page).is_some_and(|looks| *looks >= MOVING);
        if moves { most.min(FEW) } else { most }
    }

    /// A look at this page took so many dumps, the last of which could be read, and found two of them equal, or none. Fewer
    /// than [`FEW`] tell of no page that it moves.
    pub(super) fn dumped(&mut self, page: &str, dumps: u32, equal: bool) {
        if equal {
            self.moved.remove(page);
        } else if dumps >= FEW && (self.moved.len() < Self::MOST || self.moved.contains_key(page)) {
            let looks = self.moved.entry(page.to_owned()).or_default();
            *looks = looks.saturating_add(1);
        }
    }

    /// A look ended on this page. With `waited` for as long as an unknown page may take, it never rests.
    pub(super) fn shown(&mut self, page: &str, waited: Duration) {
        if waited >= UNKNOWN && self.pages.len() < Self::MOST {
            self.pages.insert(page.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};

    #[test]
    fn a_page_that_never_rested_is_not_waited_for_again() {
        // What a look ended on, how long it waited, and what that page is given then.
        let short = Duration::from_millis(600);
        let cases = [
            ("Clock", short, UNKNOWN),
            ("Clock", UNKNOWN, RESTLESS),
            ("List", LOADING, UNKNOWN),
            ("Clock", short, RESTLESS),
        ];
        let mut restless = Restless::default();
        assert_eq!(restless.at_first(), UNKNOWN);
        for (page, waited, expected) in cases {
            restless.shown(page, waited);
            assert_eq!(restless.patience(page), expected, "{page} after {waited:?}");
        }
        assert_eq!(restless.at_first(), RESTLESS, "any page may be one of them");
    }

    #[test]
    fn an_indicator_that_turned_in_vain_is_not_waited_for_again() {
        let mut builder = LayoutBuilder::new();
        let class = "android.widget.ProgressBar";
        builder.open(NewWidget { class, bounds: Bounds::new(0, 0, 90, 90), ..NewWidget::default() });
        builder.open(NewWidget { class, bounds: Bounds::new(0, 0, 60, 60), ..NewWidget::default() });
        let layout = builder.finish();
        let [news, list] = [0, 1].map(|at| layout.widgets().nth(at).unwrap());
        let mut restless = Restless::default();
        // The page, what turned on it, how long a look waited, and how long the next one may.
        for (page, widget, waited, expected) in [
            ("Main", news, LOADING / 2, LOADING),
            ("Main", news, LOADING, Duration::ZERO),
            ("Main", list, LOADING / 2, LOADING),
            ("Other", news, LOADING / 2, LOADING),
        ] {
            let indicator = Restless::indicator(page, widget);
            restless.turned(&indicator, waited);
            assert_eq!(restless.loading(&indicator), expected, "{indicator}");
        }
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
