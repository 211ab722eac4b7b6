//! Parts of a session's log of steps, and what is looked for in it.

use serde::{Deserialize, Serialize};

use crate::record::Slot;

/// Which steps of a session's log are looked at. Rows are counted among them, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lens {
    /// All of them, those of all devices between one another.
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
    /// Those that hold all of these words, wherever in what [`Sought::Words`] are looked for in.
    Holding {
        /// With spaces between them.
        words: String,
        /// Among these steps; a lens without words.
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

    /// The words that steps must hold; empty for none.
    pub fn words(&self) -> &str {
        match self {
            Self::Holding { words, .. } => words,
            Self::All | Self::Test { .. } | Self::Device(_) => "",
        }
    }

    /// These steps, as far as they hold the words; all of them without a word.
    #[must_use]
    pub fn holding(self, words: &str) -> Lens {
        match words.trim() {
            "" => self.base().clone(),
            words => Self::Holding { words: words.into(), within: Box::new(self.base().clone()) },
        }
    }
}

/// What a step is looked for by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sought {
    /// Words that its test, device, event, receiver, outcome, activity or signals hold, in upper or lower case.
    Words(String),
    /// It was inserted into a mutant.
    Inserted,
    /// The evidence of a violation names it.
    Violation,
    /// It has this sequence number in the log of all steps, or the next one that is looked at.
    Step(u64),
}
