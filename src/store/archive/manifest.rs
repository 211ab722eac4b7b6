//! The manifest: the list of an archive's contents, which comes first.

use serde::{Deserialize, Serialize};

use super::caps::{MAX_ENTRIES, MAX_ENTRY, MAX_TOTAL, VERSION};
use super::fault::ManifestFault;
use crate::format::{FORMAT, OLDEST};
use crate::screens::Form;
use droidmux_gui::hex;
use droidmux_record::{BlobHash, SessionId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The archive's own version; first, so that a newer one can be recognised.
    pub archive: u32,
    /// The format of the store that wrote its values: it determines their versions.
    pub store_format: u32,
    /// The version of droidmux that wrote it.
    pub droidmux: String,
    /// In ascending order.
    pub sessions: Vec<ArchivedSession>,
    /// In the order they follow.
    pub entries: Vec<Listed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchivedSession {
    pub id: u32,
    pub technique: String,
    pub app: String,
    /// The number of values in its records.
    pub values: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    pub name: String,
    pub bytes: u64,
    pub blake3: BlobHash,
}

/// What an entry's name says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EntryKind {
    Layouts { number: u32 },
    Screenshot(BlobHash, Form),
    Session { id: SessionId, number: u32 },
}

impl EntryKind {
    pub fn name(self) -> String {
        match self {
            Self::Layouts { number } => format!("layouts/{number:05}"),
            Self::Screenshot(hash, form) => format!("screens/{hash}{}", form.suffix()),
            Self::Session { id, number } => format!("sessions/{}/{number:05}", id.0),
        }
    }

    /// Parses exactly the names that [`EntryKind::name`] produces.
    pub fn parse(name: &str) -> Option<Self> {
        let number = |digits: &str| digits.parse::<u32>().ok();
        let kind = match name.split_once('/')? {
            ("layouts", digits) => Self::Layouts { number: number(digits)? },
            ("screens", file) => {
                let (hash, form) = Form::parse(file)?;
                Self::Screenshot(BlobHash(hex::parse(hash)?), form)
            }
            ("sessions", rest) => {
                let (id, digits) = rest.split_once('/')?;
                Self::Session { id: SessionId(number(id)?), number: number(digits)? }
            }
            _ => return None,
        };
        (kind.name() == name).then_some(kind)
    }
}

impl Manifest {
    /// Whether it makes sense, regardless of the entries' content.
    pub fn check(&self) -> Result<(), ManifestFault> {
        if self.archive != VERSION {
            return Err(ManifestFault::Version { found: self.archive });
        }
        if !(OLDEST..=FORMAT).contains(&self.store_format) {
            return Err(ManifestFault::Format { found: self.store_format });
        }
        let ids: Vec<u32> = self.sessions.iter().map(|session| session.id).collect();
        if ids.first() == Some(&0) || !ids.is_sorted_by(|a, b| a < b) {
            return Err(ManifestFault::Sessions);
        }
        if self.entries.len() > MAX_ENTRIES {
            return Err(ManifestFault::TooMany { found: self.entries.len() });
        }
        self.check_entries(&ids)
    }

    fn check_entries(&self, ids: &[u32]) -> Result<(), ManifestFault> {
        let mut total = 0_u64;
        let mut before: Option<EntryKind> = None;
        for Listed { name, bytes, .. } in &self.entries {
            let shown = || name.chars().take(100).filter(|c| !c.is_control()).collect();
            let Some(kind) = EntryKind::parse(name) else {
                return Err(ManifestFault::Name { entry: shown() });
            };
            if let EntryKind::Session { id, .. } = kind
                && !ids.contains(&id.0)
            {
                return Err(ManifestFault::NoSession { entry: shown() });
            }
            if before.is_some_and(|before| before >= kind) {
                return Err(ManifestFault::Order { entry: shown() });
            }
            if *bytes > MAX_ENTRY {
                return Err(ManifestFault::TooLarge { entry: shown(), bytes: *bytes });
            }
            total = total.saturating_add(*bytes);
            before = Some(kind);
        }
        if total > MAX_TOTAL { Err(ManifestFault::Total { bytes: total }) } else { Ok(()) }
    }

    /// Bytes of all entries.
    pub fn total(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_entries_or_none() {
        let screenshot = |form| EntryKind::Screenshot(BlobHash([0xab; 32]), form);
        for kind in [
            EntryKind::Layouts { number: 3 },
            screenshot(Form::Packed),
            screenshot(Form::Png),
            EntryKind::Session { id: SessionId(7), number: 123_456 },
        ] {
            assert_eq!(EntryKind::parse(&kind.name()), Some(kind));
        }
        for name in [
            "",
            "/",
            "layouts",
            "layouts/",
            "layouts/3",
            "layouts/+0003",
            "layouts/00003/",
            "layouts/../00003",
            "/layouts/00003",
            "sessions/7/../00000",
            "sessions/07/00000",
            "screens/../../etc/passwd.png",
            "sessions/7",
            "screens/ab.png",
            "screens/ab.pix",
            "manifest.json",
            "C:\\x",
            "layouts/00003\0",
        ] {
            assert_eq!(EntryKind::parse(name), None, "{name}");
        }
    }
}
