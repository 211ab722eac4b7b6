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
    pages: BTreeMap<u64, Vec<T>>,
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
        self.pages.get(&(row / PAGE))?.get(usize::try_from(row % PAGE).ok()?)
    }

    /// Everything fetched, in order.
    pub fn fetched(&self) -> impl Iterator<Item = &T> {
        self.pages.values().flatten()
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

    /// Takes in rows of the log from `from`; those already held or not connecting to what is held
    /// of their page are passed over.
    pub fn insert(&mut self, from: u64, rows: Vec<T>) {
        if rows.is_empty() && from < self.len {
            self.nothing_at = Some(from);
        }
        let mut row = from;
        for item in rows {
            let page = self.pages.entry(row / PAGE).or_default();
            if page.len() as u64 == row % PAGE {
                page.push(item);
            }
            row += 1;
        }
        self.pages.retain(|_, page| !page.is_empty());
        self.grow(row);
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

    #[test]
    fn only_gaps_are_asked_for() {
        let mut pages: Pages<u64> = Pages::default();
        pages.grow(1_000_000);
        assert_eq!(pages.missing(500_000..500_040), Some((499_968, 128)));
        pages.insert(499_968, (499_968..500_096).collect());
        assert_eq!(pages.missing(500_000..500_040), None);
        assert_eq!(pages.get(500_001), Some(&500_001));
        assert_eq!(pages.missing(500_090..500_130), Some((500_096, 128)));
        assert_eq!(pages.missing(999_990..1_000_050), Some((999_936, 64)));
    }

    #[test]
    fn a_growing_tail_is_completed() {
        let mut pages: Pages<u64> = Pages::default();
        pages.insert(0, (0..10).collect());
        assert_eq!((pages.len(), pages.missing(0..50)), (10, None));
        pages.grow(12);
        assert_eq!(pages.missing(0..50), Some((10, 2)));
        pages.insert(10, vec![10, 11]);
        pages.insert(8, vec![99, 99, 99, 99, 12]);
        assert_eq!(pages.fetched().copied().collect::<Vec<_>>(), (0..13).collect::<Vec<_>>());
    }

    #[test]
    fn a_log_shorter_than_announced_is_not_asked_for_ever() {
        let mut pages: Pages<u64> = Pages::default();
        pages.grow(20);
        pages.insert(0, (0..5).collect());
        assert_eq!(pages.missing(0..20), Some((5, 15)));
        pages.insert(5, vec![]);
        assert_eq!(pages.missing(0..20), None);
        pages.grow(21);
        assert_eq!(pages.missing(0..20), Some((5, 16)));
    }

    #[test]
    fn memory_is_bounded() {
        let mut pages: Pages<u64> = Pages::default();
        for page in 0..1_000 {
            pages.insert(page * PAGE, (0..PAGE).collect());
            pages.trim(page * PAGE);
        }
        assert_eq!(pages.fetched().count(), KEPT * PAGE as usize);
        assert!(pages.get(999 * PAGE).is_some() && pages.get(0).is_none());
    }
}
