//! Windows onto a log of any length that lives in the lab: only what is visible is fetched, and
//! only a little of what was seen is kept.

use std::collections::BTreeMap;
use std::ops::Range;

/// Rows of a page.
pub const PAGE: u64 = 128;
/// Pages kept.
const KEPT: usize = 32;

/// The fetched parts of an append-only log.
#[derive(Clone, Debug)]
pub struct Pages<T> {
    /// By number; a row that the lab could not supply is `None`.
    pages: BTreeMap<u64, Vec<Option<T>>>,
    /// How long the log is, as far as known.
    len: u64,
    /// The lab had nothing at this row although the log should be longer; asked again when the
    /// log has grown.
    nothing_at: Option<u64>,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { pages: BTreeMap::new(), len: 0, nothing_at: None }
    }
}

impl<T> Pages<T> {
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Notes that the log is at least this long.
    pub fn grow(&mut self, len: u64) {
        if len > self.len {
            self.len = len;
            self.nothing_at = None;
        }
    }

    pub fn get(&self, row: u64) -> Option<&T> {
        self.pages.get(&(row / PAGE))?.get(usize::try_from(row % PAGE).ok()?)?.as_ref()
    }

    /// The first gap in `rows`, as (from, limit): what to ask the lab for.
    pub fn missing(&self, rows: Range<u64>) -> Option<(u64, u32)> {
        let end = rows.end.min(self.len);
        let mut row = rows.start;
        while row < end {
            let page = row / PAGE;
            let held = self.pages.get(&page).map_or(0, |page| page.len() as u64);
            let first_missing = page * PAGE + held;
            if first_missing < ((page + 1) * PAGE).min(end) {
                let limit = ((page + 1) * PAGE).min(self.len) - first_missing;
                let known_absent = self.nothing_at == Some(first_missing);
                return (!known_absent).then(|| (first_missing, u32::try_from(limit).unwrap_or(u32::MAX)));
            }
            row = (page + 1) * PAGE;
        }
        None
    }

    /// Takes in the answer to a request for rows from `from`: rows with their numbers, ascending. Numbers left out are
    /// rows that the lab cannot supply. Rows already held, or not adjoining what is held of their page, are passed
    /// over.
    pub fn insert(&mut self, from: u64, rows: impl IntoIterator<Item = (u64, T)>) {
        let mut next = from;
        for (row, item) in rows.into_iter().filter(|(row, _)| *row >= from) {
            // Old rows may be gone from the lab: the page asked for is empty then, not asked again.
            let gap = next..row.min(next.saturating_add(PAGE));
            gap.for_each(|row| self.put(row, None));
            self.put(row, Some(item));
            next = row.saturating_add(1);
        }
        if next == from && from < self.len {
            self.nothing_at = Some(from);
        }
        self.grow(next);
    }

    /// Puts rows that have changed in the place of those held; others are passed over.
    pub fn renew(&mut self, rows: &[(u64, T)])
    where
        T: Clone,
    {
        for (row, item) in rows {
            let place = usize::try_from(row % PAGE).ok();
            let held = self.pages.get_mut(&(row / PAGE)).zip(place).and_then(|(page, at)| page.get_mut(at));
            if let Some(held) = held {
                *held = Some(item.clone());
            }
        }
    }

    fn put(&mut self, row: u64, item: Option<T>) {
        let held = self.pages.get(&(row / PAGE)).map_or(0, Vec::len);
        if held as u64 == row % PAGE {
            self.pages.entry(row / PAGE).or_default().push(item);
        }
    }

    /// Forgets the pages farthest from `row` when there are too many.
    pub fn trim(&mut self, row: u64) {
        let here = row / PAGE;
        while self.pages.len() > KEPT {
            let ends = [self.pages.keys().next().copied(), self.pages.keys().next_back().copied()];
            let farthest = ends.into_iter().flatten().max_by_key(|page| page.abs_diff(here));
            match farthest {
                Some(page) => drop(self.pages.remove(&page)),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetched(pages: &Pages<u64>) -> Vec<u64> {
        pages.pages.values().flatten().flatten().copied().collect()
    }

    fn numbered(rows: std::ops::Range<u64>) -> impl Iterator<Item = (u64, u64)> {
        rows.map(|row| (row, row))
    }

    #[test]
    fn only_gaps_are_asked_for() {
        let mut pages: Pages<u64> = Pages::default();
        pages.grow(1_000_000);
        assert_eq!(pages.missing(500_000..500_040), Some((499_968, 128)));
        pages.insert(499_968, numbered(499_968..500_096));
        assert_eq!(pages.missing(500_000..500_040), None);
        assert_eq!(pages.get(500_001), Some(&500_001));
        assert_eq!(pages.missing(500_090..500_130), Some((500_096, 128)));
        assert_eq!(pages.missing(999_990..1_000_050), Some((999_936, 64)));
    }

    #[test]
    fn rows_that_changed_take_the_place_of_those_held() {
        let mut pages: Pages<u64> = Pages::default();
        pages.insert(0, numbered(0..10));
        pages.renew(&[(3, 33), (9, 99), (10, 7), (500, 7)]);
        assert_eq!(fetched(&pages), [0, 1, 2, 33, 4, 5, 6, 7, 8, 99]);
        assert_eq!(pages.len(), 10);
    }

    #[test]
    fn a_growing_tail_is_completed() {
        let mut pages: Pages<u64> = Pages::default();
        pages.insert(0, numbered(0..10));
        assert_eq!((pages.len(), pages.missing(0..50)), (10, None));
        pages.grow(12);
        assert_eq!(pages.missing(0..50), Some((10, 2)));
        pages.insert(10, numbered(10..12));
        pages.insert(8, numbered(8..13));
        assert_eq!(fetched(&pages), (0..13).collect::<Vec<_>>());
    }

    #[test]
    fn rows_the_lab_leaves_out_stay_empty_and_shift_nothing() {
        let mut pages: Pages<u64> = Pages::default();
        pages.grow(5);
        pages.insert(0, [(0, 0), (3, 3), (4, 4)]);
        assert_eq!((pages.get(1), pages.get(3), pages.missing(0..5)), (None, Some(&3), None));
    }

    #[test]
    fn a_log_without_its_beginning_is_not_asked_for_ever() {
        let mut pages: Pages<u64> = Pages::default();
        pages.grow(100_000);
        assert_eq!(pages.missing(0..40), Some((0, 128)));
        pages.insert(0, numbered(95_000..95_128));
        assert_eq!(pages.missing(0..40), None);
    }

    #[test]
    fn a_log_shorter_than_announced_is_not_asked_for_ever() {
        let mut pages: Pages<u64> = Pages::default();
        pages.grow(20);
        pages.insert(0, numbered(0..5));
        assert_eq!(pages.missing(0..20), Some((5, 15)));
        pages.insert(5, []);
        assert_eq!(pages.missing(0..20), None);
        pages.grow(21);
        assert_eq!(pages.missing(0..20), Some((5, 16)));
    }

    #[test]
    fn memory_is_bounded() {
        let mut pages: Pages<u64> = Pages::default();
        for page in 0..1_000 {
            pages.insert(page * PAGE, numbered(page * PAGE..(page + 1) * PAGE));
            pages.trim(page * PAGE);
        }
        assert_eq!(fetched(&pages).len(), KEPT * PAGE as usize);
        assert!(pages.get(999 * PAGE).is_some() && pages.get(0).is_none());
    }
}
