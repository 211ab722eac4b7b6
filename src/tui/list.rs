//! A cursor in a list of any length, and the part of the list that is on screen.

/// Cursor and scroll offset, in rows from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    pub cursor: u64,
    pub offset: u64,
}

impl List {
    /// Moves the cursor, stopping at the ends.
    pub fn move_by(&mut self, delta: i64, len: u64) {
        self.cursor = self.cursor.saturating_add_signed(delta).min(len.saturating_sub(1));
    }

    pub fn move_to(&mut self, row: u64, len: u64) {
        self.cursor = row.min(len.saturating_sub(1));
    }

    /// Brings cursor and offset into bounds, and the cursor into view.
    pub fn settle(&mut self, len: u64, height: u16) {
        let height = u64::from(height.max(1));
        self.cursor = self.cursor.min(len.saturating_sub(1));
        let last_offset = len.saturating_sub(height);
        self.offset = self.offset.min(last_offset).min(self.cursor);
        if self.cursor >= self.offset + height {
            self.offset = self.cursor + 1 - height;
        }
    }

    /// The rows on screen.
    pub fn visible(&self, len: u64, height: u16) -> std::ops::Range<u64> {
        self.offset..(self.offset + u64::from(height)).min(len).max(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stays_in_the_list_and_in_view() {
        // (before, move, length, height) and what follows.
        let cases = [
            ((0, 0), 1, 10, 5, (1, 0)),
            ((0, 0), -1, 10, 5, (0, 0)),
            ((4, 0), 1, 10, 5, (5, 1)),
            ((9, 5), 1, 10, 5, (9, 5)),
            ((5, 5), -3, 10, 5, (2, 2)),
            ((999_999, 999_995), -500_000, 1_000_000, 5, (499_999, 499_999)),
            ((7, 5), 0, 3, 5, (2, 0)),
            ((3, 3), 0, 0, 5, (0, 0)),
        ];
        for ((cursor, offset), delta, len, height, expected) in cases {
            let mut list = List { cursor, offset };
            list.move_by(delta, len);
            list.settle(len, height);
            assert_eq!((list.cursor, list.offset), expected, "{cursor} {offset} by {delta} in {len}");
        }
    }
}
