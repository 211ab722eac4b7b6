//! What is wrong with an archive. [`ArchiveError::Broken`](super::ArchiveError::Broken) says in which entry.

use droidmux_gui::LayoutHash;
use droidmux_record::{BlobHash, SessionId};
use thiserror::Error;

use super::caps::{MAX_ENTRIES, MAX_ENTRY, MAX_TOTAL, VERSION};
use crate::format::{FORMAT, OLDEST};
use crate::{Damage, StoreError};

/// What is wrong with an entry of an archive. Keys are given in words, as in [`StoreError::Corrupt`].
#[derive(Clone, Debug, Error)]
pub enum ArchiveFault {
    /// An archive begins with its manifest.
    #[error("it is missing: this is no archive of droidmux")]
    NoManifest,
    /// Another entry stands before the manifest.
    #[error("it comes first instead of the manifest")]
    BeforeManifest,
    /// In the JSON reader's words, with line and column.
    #[error("{0}")]
    Json(String),
    /// The manifest itself makes no sense, or is not for this droidmux.
    #[error(transparent)]
    Manifest(#[from] ManifestFault),
    /// The archive ends before this entry.
    #[error("it is listed and missing")]
    Missing,
    /// Entries come in the order of the manifest.
    #[error("it comes instead of {listed}")]
    Instead {
        /// The entry that the manifest lists there.
        listed: String,
    },
    /// After everything that the manifest lists.
    #[error("the manifest does not list it")]
    Unlisted,
    /// Shorter than the manifest says.
    #[error("it has {found} bytes instead of {listed}")]
    Length {
        /// Bytes it has.
        found: usize,
        /// Bytes that the manifest gives it.
        listed: u64,
    },
    /// Larger than the manifest says, or than any manifest.
    #[error("its header says {told} bytes, expected are at most {limit}")]
    TooLarge {
        /// Bytes that its header gives it.
        told: u64,
        /// Bytes that it may have.
        limit: u64,
    },
    /// The file ends inside it.
    #[error("it is cut off")]
    CutOff,
    /// In the words of tar, zstd or the operating system.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// A link, a folder, a device.
    #[error("it is no plain file (type {0:?})")]
    NoFile(char),
    /// Not the content that was exported.
    #[error("its content has another hash than the manifest says")]
    OtherContent,
    /// A screenshot under the name of another.
    #[error("its content has another hash than its name")]
    OtherName,
    /// A PNG under the name of a packed picture, or the other way round.
    #[error("its content is of another form than its name says")]
    OtherForm,
    /// A layout or a screenshot that no value needs.
    #[error("nothing in the archive names it")]
    Stray,
    /// A chunk ends too early.
    #[error("it ends inside a record")]
    CutRecord,
    /// A value that does not belong into this entry, or into any.
    #[error("it holds {key}")]
    Holds {
        /// The value's key.
        key: String,
    },
    /// A kind of value that came with a later format.
    #[error("it holds {key}, which stores of format {format} do not have")]
    NotOfFormat {
        /// The value's key.
        key: String,
        /// The format that the manifest gives.
        format: u32,
    },
    /// A value of another session.
    #[error("it holds {key}, which is not of {session}")]
    NotOfSession {
        /// The value's key.
        key: String,
        /// The session that the entry's name gives.
        session: SessionId,
    },
    /// A value cannot be brought up to date.
    #[error("{key}: {damage}")]
    Value {
        /// The value's key.
        key: String,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A value cannot be decoded.
    #[error(transparent)]
    Undecoded(StoreError),
    /// Values and layouts come in ascending order, each once.
    #[error("{what} is there twice or out of order")]
    Order {
        /// A value's key, or a layout.
        what: String,
    },
    /// A session's record comes before all its other values.
    #[error("{key} comes before the session's own record")]
    BeforeRecord {
        /// The value's key.
        key: String,
    },
    /// Bytes that are no layout.
    #[error("layout {0} is unsound")]
    Unsound(LayoutHash),
    /// A layout under the name of another.
    #[error("layout {0} has the content of another one")]
    OtherLayout(LayoutHash),
    /// A value names a layout that did not come before it.
    #[error("{key}: layout {layout} is not in the archive")]
    NoLayout {
        /// The value's key.
        key: String,
        /// The layout that it names.
        layout: LayoutHash,
    },
    /// A value names a screenshot that did not come before it.
    #[error("{key}: screenshot {screenshot} is not in the archive")]
    NoScreenshot {
        /// The value's key.
        key: String,
        /// The screenshot that it names.
        screenshot: BlobHash,
    },
    /// An archive holds whole sessions.
    #[error("{0} has not ended")]
    NotEnded(SessionId),
    /// Values of a session are missing, or there are more than were exported.
    #[error("{session} has {found} values instead of {listed}")]
    Values {
        /// The session's number in the archive.
        session: SessionId,
        /// How many came.
        found: u64,
        /// How many the manifest lists.
        listed: u64,
    },
}

/// What is wrong with an archive's manifest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ManifestFault {
    /// Written by a droidmux whose archives have another form.
    #[error("it is an archive of version {found}, this droidmux reads version {VERSION}")]
    Version {
        /// The version that it states.
        found: u32,
    },
    /// Written by a droidmux that knew fewer or more formats.
    #[error(
        "its values are of store format {found}, this droidmux reads formats {OLDEST} to {FORMAT}; {}",
        remedy(*.found)
    )]
    Format {
        /// The format of the store that it came from.
        found: u32,
    },
    /// Sessions are numbered from 1, and listed in that order.
    #[error("its sessions are not in ascending order")]
    Sessions,
    /// More than an archive can hold.
    #[error("it lists {found} entries, the limit is {MAX_ENTRIES}")]
    TooMany {
        /// How many it lists.
        found: usize,
    },
    /// A name that no entry has.
    #[error("it lists `{entry}`, which no archive holds")]
    Name {
        /// The name, shortened.
        entry: String,
    },
    /// An entry with values of an unlisted session.
    #[error("it lists `{entry}` of a session it does not list")]
    NoSession {
        /// The entry's name.
        entry: String,
    },
    /// Entries are listed in the order in which they come, each once.
    #[error("`{entry}` is listed twice or out of order")]
    Order {
        /// The entry's name.
        entry: String,
    },
    /// More than an entry may have.
    #[error("`{entry}` has {bytes} bytes, the limit is {MAX_ENTRY}")]
    TooLarge {
        /// The entry's name.
        entry: String,
        /// Bytes that it is said to have.
        bytes: u64,
    },
    /// More than an archive may have.
    #[error("it lists {bytes} bytes, the limit is {MAX_TOTAL}")]
    Total {
        /// Bytes of all entries.
        bytes: u64,
    },
}

fn remedy(format: u32) -> &'static str {
    if format < OLDEST { "import it with the droidmux that wrote it" } else { "use a newer droidmux" }
}

/// A record whose key or value is too long for an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum TooLong {
    #[error("a key is too long")]
    Key,
    #[error("a value is too long")]
    Value,
}
