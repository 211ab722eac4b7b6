//! What a reader suspects, as far as a test can show it again.

use serde::{Deserialize, Serialize};

use super::Harm;

/// Something that a reader takes for a bug, with the part of it that a program can see after the test's last event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspected {
    /// The canonical key of the violation.
    pub key: String,
    /// What was done, in the reader's words.
    pub done: String,
    /// What the screen shows.
    pub shown: String,
    /// What it should show.
    pub expected: String,
    /// What it does to a person.
    pub harm: Harm,
    /// What can be seen on the screen after the last event.
    pub check: ScreenCheck,
    /// The events that the suspicion rests on, numbered from 0: without them the test is another one.
    pub needed: Vec<u16>,
}

/// What a program can see on a screen: lines of its account, whole or a part of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScreenCheck {
    /// All of these lines stand there.
    Present(Vec<String>),
    /// None of these lines stands there.
    Absent(Vec<String>),
    /// A line stands there so many times.
    Count {
        /// The line.
        line: String,
        /// How many times.
        times: u16,
    },
    /// These lines stand there in this order.
    Order(Vec<String>),
    /// Its lines are those of an earlier screen of the same test.
    Same {
        /// The number of events after which that screen was seen: 0 for the first one.
        after: u16,
    },
}

impl ScreenCheck {
    /// In a word, for listings and keys.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Present(_) => "present",
            Self::Absent(_) => "absent",
            Self::Count { .. } => "count",
            Self::Order(_) => "order",
            Self::Same { .. } => "same",
        }
    }

    /// What is to be seen, in a sentence.
    pub fn words(&self) -> String {
        let list = |lines: &[String]| {
            let quoted: Vec<String> = lines.iter().map(|line| format!("'{line}'")).collect();
            quoted.join(", ")
        };
        match self {
            Self::Present(lines) => format!("{} can be seen", list(lines)),
            Self::Absent(lines) => format!("{} cannot be seen", list(lines)),
            Self::Count { line, times } => format!("'{line}' can be seen {times} times"),
            Self::Order(lines) => format!("{} can be seen in this order", list(lines)),
            Self::Same { after: 0 } => "the screen is as it was at the start".to_owned(),
            Self::Same { after } => format!("the screen is as it was after event {after}"),
        }
    }
}
