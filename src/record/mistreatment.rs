//! Unusual texts that a form does not treat like valid ones (InputBlaster's oracle).

use serde::{Deserialize, Serialize};

use super::{Test, WidgetNote};
use droidmux_gui::LayoutHash;

/// What went wrong with an unusual text, besides crashes and ANRs, which are reported separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mistreatment {
    /// The page keeps loading, or never settles, whereas it settles with the valid text.
    Hang,
    /// The valid text shows on the page reached; the unusual one was accepted and shows nowhere.
    Lost,
    /// The unusual text denotes the same value as the valid one, and gives another result.
    WrongResult,
    /// The unusual text was accepted like the valid one, though the form should refuse it.
    WronglyAccepted,
}

/// An unusual text with what the app made of it, and of a valid text in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mistreated {
    /// Which of the ways of going wrong it is.
    pub how: Mistreatment,
    /// The field the text was entered into, as it was before.
    pub field: WidgetNote,
    /// The name of the field on its page: its hint, else its id.
    pub name: String,
    /// The text that passed the form in its place.
    pub valid: String,
    /// UTF-16 as in events: see `gui::text_of_units`.
    pub unusual: String,
    /// The text on the page reached with the valid text that shows this; empty for a hang, and for a text that should
    /// have been refused.
    pub expected: String,
    /// What appears there with the unusual text; empty when nothing does.
    pub found: String,
    /// The page reached with the valid text, and the one with the unusual text.
    pub layouts: (LayoutHash, LayoutHash),
    /// The turn of the job after which it shows.
    pub turn: u32,
    /// The valid text twice, then the unusual one: what to run to see it again.
    pub tests: Vec<Test>,
}

impl Mistreatment {
    /// One word for keys and listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hang => "hang",
            Self::Lost => "lost",
            Self::WrongResult => "wrong-result",
            Self::WronglyAccepted => "wrongly-accepted",
        }
    }

    /// What the app does, for a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::Hang => "the page never stops loading",
            Self::Lost => "the text was accepted and is lost",
            Self::WrongResult => "the same value gives another result",
            Self::WronglyAccepted => "a text was accepted that the form should refuse",
        }
    }
}

impl Mistreated {
    /// Why it counts as wrong, in sentences for a person.
    pub fn reasons(&self) -> Vec<String> {
        let (name, valid, unusual) = (&self.name, told(&self.valid), told(&self.unusual));
        let (expected, found) = (told(&self.expected), told(&self.found));
        let with = |text: &str| format!("with {text} in the field {name:?}");
        match self.how {
            Mistreatment::Hang => vec![
                format!("{}, the page settles twice", with(&valid)),
                format!("{}, it still loads after waiting", with(&unusual)),
            ],
            Mistreatment::Lost => vec![
                format!("{}, the page reached shows {expected}, twice", with(&valid)),
                match self.found.is_empty() {
                    true => format!("{}, the same page shows it nowhere and says nothing", with(&unusual)),
                    false => format!("{}, it shows {found} and says nothing", with(&unusual)),
                },
            ],
            Mistreatment::WrongResult => vec![
                format!("{}, the page reached shows {expected}, twice", with(&valid)),
                match self.found.is_empty() {
                    true => format!("{}, which is the same value, that is missing", with(&unusual)),
                    false => format!("{}, which is the same value, it shows {found}", with(&unusual)),
                },
            ],
            Mistreatment::WronglyAccepted => vec![
                format!("{}, the form is accepted, twice", with(&valid)),
                format!("{}, it is accepted, too, and says nothing", with(&unusual)),
            ],
        }
    }
}

/// The most characters of a text shown to people.
const MOST_TOLD: usize = 60;

/// A text in quotation marks, with unprintable characters as escapes, cut when it is long.
pub fn told(text: &str) -> String {
    let head: String = text.chars().take(MOST_TOLD).collect();
    match text.chars().count() {
        count if count > MOST_TOLD => format!("{head:?}… ({count} characters)"),
        _ => format!("{head:?}"),
    }
}
