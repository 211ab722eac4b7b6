//! Tests of properties: data manipulation functions interleaved with random events.

use serde::{Deserialize, Serialize};

use droidmux_record::ErrandContent;

/// One test of properties, from a reset to its limit or the first violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyTest {
    /// The one function under test, by its number in the specification; `None` for all of them.
    pub only: Option<u16>,
    /// Functions left out, by number: findings stand for what they do, and a test ends with the
    /// first violation.
    pub without: Vec<u16>,
    /// Events after the reset.
    pub events: u32,
    /// How many more events may fail; the last of them ends the test.
    pub retries: u32,
}

impl ErrandContent for PropertyTest {
    const NAME: &'static str = "properties";

    fn events(&self) -> u64 {
        u64::from(self.events) + u64::from(self.retries)
    }
}
