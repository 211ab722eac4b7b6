//! Archives: whole sessions in one file, to be kept elsewhere or examined on another host; or one finding with the
//! parts of its sessions that show it ([`Store::export_finding`](crate::Store::export_finding)).
//!
//! Exported from a store: the requested sessions and those they build on, with their jobs, turns, judgements, findings,
//! marks, mask edits, shrunk results and rechecks, and every layout and screenshot their turns name. Imported into a
//! store: the same under the same session numbers, or under new ones if those are taken, with every reference adapted.
//!
//! The file is a zstd-compressed tar of plain files:
//!
//! ```text
//! manifest.json          versions, the sessions, then name, size and BLAKE3 of every entry in order
//! layouts/00000          records of layouts, by hash
//! screens/HASH.pix       screenshots, by hash; .png where they are not packed
//! sessions/7/00000       records of a session: its own first, then kind by kind as in its store
//! ```
//!
//! A record is a key (u16 length, bytes) and its decompressed value (u32 length, bytes), big-endian.
//!
//! # Invariants
//!
//! - Nothing in an archive is trusted: its entries are exactly those of the manifest, in that order
//!   and with those hashes, within the caps below; names are compared with a fixed grammar and never
//!   become paths; all of it is read and checked before the first byte is written.
//! - A session is imported whole or not at all: its record, without which nothing finds it, is
//!   written last, together with the end of the import's own mark; what a crash leaves before that
//!   is removed when the store is opened next.
//! - The same sessions give the same bytes.

mod caps;
mod content;
mod error;
mod excerpt;
mod export;
mod fault;
mod import;
mod imported;
mod manifest;
mod reader;
mod records;

pub use error::ArchiveError;
pub use export::Exported;
pub use fault::{ArchiveFault, ManifestFault};
pub use imported::{Copies, Imported, ImportedSession, PresentSession};
