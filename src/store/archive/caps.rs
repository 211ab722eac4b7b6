//! What archives are called and how large they may be.

/// The version of archives written here, and the only one read.
pub(super) const VERSION: u32 = 1;
pub(super) const MANIFEST: &str = "manifest.json";
/// Bytes of one entry at most.
pub(super) const MAX_ENTRY: u64 = 64 << 20;
pub(super) const MAX_MANIFEST: u64 = 256 << 20;
pub(super) const MAX_ENTRIES: usize = 2_000_000;
/// Bytes of all entries at most, unpacked.
pub(super) const MAX_TOTAL: u64 = 1 << 40;
/// A chunk of records is written when it has this many bytes.
pub(super) const CHUNK: usize = 4 << 20;
