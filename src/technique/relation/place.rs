//! When two shots show the same page, in the same mode, at the same place.

use super::trail::Shot;

impl Shot<'_> {
    /// The same activity and the same page of it.
    pub fn is_same_page(&self, other: &Self) -> bool {
        self.is_same_activity(other) && self.place().is_page_of(other.place())
    }

    /// The same page in the same mode.
    pub fn is_same_mode(&self, other: &Self) -> bool {
        self.is_same_activity(other) && self.place().is_mode_of(other.place())
    }

    /// The phone is turned the same way.
    pub fn is_held_as(&self, other: &Self) -> bool {
        self.seen.screen.rotation == other.seen.screen.rotation
    }

    /// The same mode, and no text beside the rows that says otherwise: a path, a date, a heading. Texts that only
    /// one of them has do not count, nor does the number of rows in a text.
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.is_same_activity(other) && self.place().is_place_of(other.place())
    }

    /// The same place without any row.
    pub fn is_emptied(&self, after: &Self) -> bool {
        self.is_same_activity(after) && self.place().is_emptied(after.place())
    }

    fn is_same_activity(&self, other: &Self) -> bool {
        let (own, others) = (&self.seen.screen, &other.seen.screen);
        (&own.activity, own.in_app) == (&others.activity, others.in_app)
    }
}
