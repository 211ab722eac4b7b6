//! The strings of one layout, each stored once.

use serde::{Deserialize, Serialize};

/// A string of a layout: a number into its table. `Str::EMPTY` is the empty string in every table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Str(u32);

impl Str {
    /// The string of no characters; entry 0 of every table.
    pub const EMPTY: Str = Str(0);

    /// True for the empty string.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

/// All strings of a layout in one buffer; string `n` ends at `ends[n - 1]`.
///
/// One allocation for the text and one for the ends keep a 100-widget layout small.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Strings {
    buffer: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn get(&self, str: Str) -> &str {
        let index = str.0 as usize;
        if index == 0 {
            return "";
        }
        let end = self.ends.get(index - 1).copied().unwrap_or(0) as usize;
        let start = match index {
            1 => 0,
            _ => self.ends.get(index - 2).copied().unwrap_or(0) as usize,
        };
        self.buffer.get(start..end).unwrap_or("")
    }

    /// Adds a string without looking whether it is there already: the builder interns.
    pub(crate) fn push(&mut self, text: &str) -> Str {
        self.buffer.push_str(text);
        self.ends.push(u32::try_from(self.buffer.len()).unwrap_or(u32::MAX));
        Str(u32::try_from(self.ends.len()).unwrap_or(u32::MAX))
    }

    pub(crate) fn shrink(&mut self) {
        self.buffer.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Bytes on the heap.
    pub(crate) fn heap(&self) -> usize {
        self.buffer.capacity() + self.ends.capacity() * size_of::<u32>()
    }

    /// True when every end is in order, inside the buffer and between characters: what a table
    /// read back from disk must fulfil before it is used.
    pub(crate) fn is_sound(&self) -> bool {
        let mut last = 0;
        self.ends.iter().all(|&end| {
            let end = end as usize;
            let ordered = end >= last && self.buffer.is_char_boundary(end);
            last = end;
            ordered
        })
    }

    /// How many strings there are, the empty one not counted.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

impl Str {
    pub(crate) fn is_in(self, strings: &Strings) -> bool {
        self.0 as usize <= strings.len()
    }
}
