//! Tours: the tests that three agents lead.

use serde::{Deserialize, Serialize};

use droidmux_record::ErrandContent;

/// One test that three agents lead, from a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tour {
    /// Events after the reset.
    pub events: u32,
    /// The most questions to a model.
    pub calls: u32,
    /// Which test of its session it is, from 1.
    #[serde(default)]
    pub number: u64,
}

impl ErrandContent for Tour {
    const NAME: &'static str = "tour";

    fn events(&self) -> u64 {
        self.events.into()
    }

    fn calls(&self) -> u64 {
        self.calls.into()
    }
}
