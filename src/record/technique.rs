//! Techniques, as session files and stores name them. What each one does is described in `technique`.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text that cannot name a technique.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no name of a technique: up to {LONGEST} of a-z, 0-9 and `-`")]
pub struct NoTechniqueName {
    /// As it was given.
    pub name: String,
}

/// How a session looks for bugs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Independent-view fuzzing.
    Genie,
    /// Deviant behaviour by clustering.
    Odin,
    /// Properties of data manipulation functions.
    Pbfdroid,
    /// The baseline: random events, crashes and ANRs.
    Monkey,
    /// Unusual text by a language model's generators.
    Inputblaster,
    /// The baseline of InputBlaster: random text in the same forms, no model.
    Randomtext,
    /// Three agents that look at screenshots.
    Visiondroid,
    /// One that is not part of this crate, by its name.
    Outside(String),
    /// Insertions that, the platform promises, are neutral.
    Neutral,
    /// A language model reads what other sessions did.
    Reader,
}

/// The most characters of a name.
const LONGEST: usize = 40;

impl Technique {
    /// All that have a name of their own.
    const INSIDE: [Self; 9] = [
        Self::Genie,
        Self::Odin,
        Self::Pbfdroid,
        Self::Monkey,
        Self::Inputblaster,
        Self::Randomtext,
        Self::Visiondroid,
        Self::Neutral,
        Self::Reader,
    ];

    /// As session files name it.
    pub fn name(&self) -> &str {
        match self {
            Self::Genie => "genie",
            Self::Odin => "odin",
            Self::Pbfdroid => "pbfdroid",
            Self::Monkey => "monkey",
            Self::Inputblaster => "inputblaster",
            Self::Randomtext => "randomtext",
            Self::Visiondroid => "visiondroid",
            Self::Outside(name) => name,
            Self::Neutral => "neutral",
            Self::Reader => "reader",
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technique {
    type Err = NoTechniqueName;

    /// Any name of lower-case letters, digits and hyphens; whether such a technique exists is another question.
    fn from_str(name: &str) -> Result<Self, NoTechniqueName> {
        if let Some(inside) = Self::INSIDE.into_iter().find(|technique| technique.name() == name) {
            return Ok(inside);
        }
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        match !name.is_empty() && name.len() <= LONGEST && name.chars().all(fits) {
            true => Ok(Self::Outside(name.to_owned())),
            false => Err(NoTechniqueName { name: name.to_owned() }),
        }
    }
}

/// A name in formats for people, a number in the store.
impl Serialize for Technique {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.serialize_str(self.name());
        }
        Stored::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Technique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let name = String::deserialize(deserializer)?;
            return name.parse().map_err(D::Error::custom);
        }
        Stored::deserialize(deserializer).map(Self::from)
    }
}

/// A technique in the store.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Technique", rename_all = "kebab-case")]
enum Stored {
    Genie,
    Odin,
    Pbfdroid,
    Monkey,
    Inputblaster,
    Randomtext,
    Visiondroid,
    Outside(String),
    Neutral,
    Reader,
}

impl From<&Technique> for Stored {
    fn from(technique: &Technique) -> Self {
        match technique {
            Technique::Genie => Self::Genie,
            Technique::Odin => Self::Odin,
            Technique::Pbfdroid => Self::Pbfdroid,
            Technique::Monkey => Self::Monkey,
            Technique::Inputblaster => Self::Inputblaster,
            Technique::Randomtext => Self::Randomtext,
            Technique::Visiondroid => Self::Visiondroid,
            Technique::Outside(name) => Self::Outside(name.clone()),
            Technique::Neutral => Self::Neutral,
            Technique::Reader => Self::Reader,
        }
    }
}

impl From<Stored> for Technique {
    /// An invalid name, which only a forged archive contains, becomes that of no technique.
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Genie => Self::Genie,
            Stored::Odin => Self::Odin,
            Stored::Pbfdroid => Self::Pbfdroid,
            Stored::Monkey => Self::Monkey,
            Stored::Inputblaster => Self::Inputblaster,
            Stored::Randomtext => Self::Randomtext,
            Stored::Visiondroid => Self::Visiondroid,
            Stored::Neutral => Self::Neutral,
            Stored::Reader => Self::Reader,
            Stored::Outside(name) => name.parse().unwrap_or_else(|_| Self::Outside("unnamed".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people_and_numbers_in_the_store() {
        // 7 is an external one.
        for (number, technique) in (0..7).chain([8, 9]).zip(Technique::INSIDE) {
            let stored = postcard::to_stdvec(&technique).expect("bytes");
            assert_eq!(stored, [number], "{technique}");
            assert_eq!(postcard::from_bytes::<Technique>(&stored), Ok(technique.clone()));
            assert_eq!(technique.name().parse(), Ok(technique));
        }
        let outside = Technique::Outside("turns-2".into());
        let stored = postcard::to_stdvec(&outside).expect("bytes");
        assert_eq!(postcard::from_bytes::<Technique>(&stored), Ok(outside.clone()));
        let json = serde_json::to_string(&outside).expect("JSON");
        assert_eq!((json.as_str(), serde_json::from_str(&json).ok()), ("\"turns-2\"", Some(outside)));
    }

    #[test]
    fn names_that_are_none() {
        for name in ["", "Genie", "a b", "\u{1b}[2J", "ä", &"x".repeat(41)] {
            assert!(name.parse::<Technique>().is_err(), "{name:?}");
            let bytes = postcard::to_stdvec(&Stored::Outside(name.into())).expect("bytes");
            let read = postcard::from_bytes::<Technique>(&bytes).expect("a technique");
            assert_eq!(read.name(), "unnamed", "{name:?}");
        }
    }
}
