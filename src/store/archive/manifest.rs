//! The manifest: the list of an archive's contents, which comes first.

use serde::{Deserialize, Serialize};

use super::caps::{MAX_ENTRIES, MAX_ENTRY, MAX_TOTAL, VERSION};
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
    /// What is wrong with it, regardless of the entries' content.
    pub fn complaint(&self) -> Option<String> {
        if self.archive != VERSION {
            return Some(format!(
                "it is an archive of version {}, this droidmux reads version {VERSION}",
                self.archive
            ));
        }
        let remedy = match self.store_format {
            OLDEST..=FORMAT => None,
            ..OLDEST => Some("import it with the droidmux that wrote it"),
            _ => Some("use a newer droidmux"),
        };
        if let Some(remedy) = remedy {
            return Some(format!(
                "its values are of store format {}, this droidmux reads formats {OLDEST} to {FORMAT}; {remedy}",
                self.store_format
            ));
        }
        let ids: Vec<u32> = self.sessions.iter().map(|session| session.id).collect();
        if ids.first() == Some(&0) || !ids.is_sorted_by(|a, b| a < b) {
            return Some("its sessions are not in ascending order".to_owned());
        }
        if self.entries.len() > MAX_ENTRIES {
            return Some(format!("it lists {} entries, the limit is {MAX_ENTRIES}", self.entries.len()));
        }
        self.entry_complaint(&ids)
    }

    fn entry_complaint(&self, ids: &[u32]) -> Option<String> {
        let mut total = 0_u64;
        let mut before: Option<EntryKind> = None;
        for Listed { name, bytes, .. } in &self.entries {
            let shown: String = name.chars().take(100).filter(|c| !c.is_control()).collect();
            let Some(kind) = EntryKind::parse(name) else {
                return Some(format!("it lists `{shown}`, which no archive holds"));
            };
            if let EntryKind::Session { id, .. } = kind
                && !ids.contains(&id.0)
            {
                return Some(format!("it lists `{shown}` of a session it does not list"));
            }
            if before.is_some_and(|before| before >= kind) {
                return Some(format!("`{shown}` is listed twice or out of order"));
            }
            if *bytes > MAX_ENTRY {
                return Some(format!("`{shown}` has {bytes} bytes, the limit is {MAX_ENTRY}"));
            }
            total = total.saturating_add(*bytes);
            before = Some(kind);
        }
        (total > MAX_TOTAL).then(|| format!("it lists {total} bytes, the limit is {MAX_TOTAL}"))
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
