//! Parts of a session's log of steps, and what is searched for in it.

use serde::{Deserialize, Serialize};

use droidmux_record::Slot;

/// Which steps of a session's log are shown. Rows are counted among them, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lens {
    /// All of them, with the steps of all devices interleaved.
    #[default]
    All,
    /// Those of one test.
    Test {
        /// Its job.
        slot: Slot,
        /// Test of the job, from 0.
        test: u16,
    },
    /// Those of one device, by its serial.
    Device(String),
    /// Those that contain all of these words, anywhere in the fields that [`Sought::Words`] searches.
    Holding {
        /// Separated by spaces.
        words: String,
        /// The steps to search; a lens without words.
        within: Box<Lens>,
    },
}

impl Lens {
    /// The lens without its words.
    pub fn base(&self) -> &Lens {
        match self {
            Self::Holding { within, .. } => within.base(),
            Self::All | Self::Test { .. } | Self::Device(_) => self,
        }
    }

    /// The words that steps must contain; empty for none.
    pub fn words(&self) -> &str {
        match self {
            Self::Holding { words, .. } => words,
            Self::All | Self::Test { .. } | Self::Device(_) => "",
        }
    }

    /// These steps, limited to those that contain the words; all of them if there are no words.
    #[must_use]
    pub fn holding(self, words: &str) -> Lens {
        match words.trim() {
            "" => self.base().clone(),
            words => Self::Holding { words: words.into(), within: Box::new(self.base().clone()) },
        }
    }
}

/// What a step is searched by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sought {
    /// Words in its test, device, event, receiver, outcome, activity or signals, regardless of case.
    Words(String),
    /// It was inserted into a mutant.
    Inserted,
    /// The evidence of a violation names it.
    Violation,
    /// It has this sequence number in the log of all steps, or is the next step within the lens.
    Step(u64),
}
