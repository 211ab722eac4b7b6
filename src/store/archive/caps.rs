//! The names of archives, and how large they may be.

/// The version of archives written here, and the only one that is read.
pub(super) const VERSION: u32 = 1;
pub(super) const MANIFEST: &str = "manifest.json";
/// The most bytes of one entry.
pub(super) const MAX_ENTRY: u64 = 64 << 20;
pub(super) const MAX_MANIFEST: u64 = 256 << 20;
pub(super) const MAX_ENTRIES: usize = 2_000_000;
/// The most bytes of all entries, unpacked.
pub(super) const MAX_TOTAL: u64 = 1 << 40;
/// A chunk of records is written when it reaches this many bytes.
pub(super) const CHUNK: usize = 4 << 20;
