//! The store: everything recorded, in sled, with screenshots as files beside it.
//!
//! In: session records, jobs, turns with their layouts and screenshots, judgements, findings,
//! people's marks, and examples. Out: the same, by name or in order, without loading more than a page.
//!
//! # Invariants
//!
//! - **What was acknowledged is on disk**: an append returns after sled's flush *and* an fsync of
//!   sled's own file; one thread commits all that is waiting with one fsync (`writer`).
//! - **Every reference resolves**: turns, their layouts and what names them go into one batch; a
//!   screenshot and its name are durable before the turn that refers to it is written.
//! - **A session's log has no gaps**: a step gets the next number in the batch that stores its turn.
//! - **Recording stops before the disk is full** (`SpaceLow`), and the ballast file is given back
//!   when it is full all the same; after a failed commit the database is opened again.
//! - **Nobody loses a night to an update**: values of every version since format 5 can be read; a store keeps its
//!   format until something is written that it does not have.
//! - **Damage costs no more than what it hits**: a database with damage before its last commits is not opened (sled
//!   would drop everything after it), and everything that is sound can be salvaged (`log_file`).
//! - One process at a time; formats newer than ours and older than 5 are refused; a value that cannot be
//!   read is an error naming its key.
//!
//! # Layout on disk
//!
//! ```text
//! format      one line of text: the format of all the rest
//! lock        held by the process using the store, which it names
//! ballast     room given back when the disk is full
//! db/         sled; its log is db/db; db.new and db.old during compaction
//! screens/    ab/cdef….pix (packed) and ….png by BLAKE3, new/ for unfinished ones
//! ```
//!
//! One sled tree holds everything, so that any commit is one atomic batch. A key is a kind byte
//! and big-endian numbers:
//!
//! | kind | rest of the key | value |
//! |---|---|---|
//! | `c` | – | the last session number given out |
//! | `s` | session u32 | `SessionRecord` |
//! | `b` | session u32, number u64 | the words of a bookmark on that step |
//! | `h` | session u32 | `Handling`: what people said of a session that has not ended |
//! | `j` | session u32, slot u64 | `Job` |
//! | `t` | session u32, slot u64, attempt u32, first turn u32 | `Vec<Turn>`, one append |
//! | `o` | session u32, number u64 | `StepPlace`: the steps of all devices in the order they came |
//! | `d` | session u32, number u64 | `StepPlace`: the exchanges with language models, likewise |
//! | `p` | session u32, layout hash | the hash of the screenshot that the session took of it last |
//! | `a` | session u32, slot u64 | the attempt that finished the job, and its number of turns |
//! | `v` | session u32, slot u64 | `Judgement` |
//! | `f` | session u32, key u32 | `Finding` |
//! | `m` | session u32, key u32 | a person's mark on that finding |
//! | `k` | session u32, hash of the mask | `MaskEdit` |
//! | `r` | session u32, key u32, session u32 | `Shrunk`: what the second session shrank the finding to |
//! | `q` | session u32, oracle u8 | `Recheck` |
//! | `i` | number u64 | `Incident` |
//! | `e` | kind u8, hash of the example | `Example` |
//! | `l` | layout hash | `Layout::encode` |
//! | `n` | session u32 | the mark of an import that has not ended |
//! | `x` | a key, piece u16 | a further piece of that key's value |
//!
//! Values are postcard after the version of their kind (`shape`), compressed with zstd when that helps, and cut into
//! pieces of 4,000 bytes, because sled 0.34 writes pages above 128 KiB to files of their own.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod append;
mod archive;
mod ballast;
mod batched;
mod bookmarks;
mod cache;
mod codec;
mod compaction;
mod core;
mod damage;
mod disk;
mod engine;
mod error;
mod examples;
mod findings;
mod format;
mod gc;
mod handle;
mod handling;
mod holder;
mod incidents;
mod key;
mod log_file;
mod logs;
mod numbering;
mod options;
mod panics;
mod range;
mod rechecks;
mod removal;
mod renumber;
mod runs;
mod salvage;
mod screens;
mod sessions;
mod shape;
mod size;
mod snapshot;
mod stats;
mod value;
mod verify;
mod writer;

pub use append::Append;
pub use archive::{
    ArchiveError, ArchiveFault, Copies, Exported, Imported, ImportedSession, ManifestFault, PresentSession,
};
pub use damage::Damage;
pub use disk::{Disk, RealDisk};
pub use error::StoreError;
pub use gc::{GcPlan, GcRules, GcSession};
pub use handle::Store;
pub use holder::host_name;
pub use options::StoreOptions;
pub use range::Records;
pub use removal::Removed;
pub use runs::Finished;
pub use salvage::{Salvaged, salvage};
pub use screens::{PictureDamage, ScreenPacker, ScreenPixels, unpacked_screenshot};
pub use size::{SizeAlarm, StoreSize};
pub use stats::{Amount, SessionStats, StoreStats};
pub use verify::{Problem, VerifyReport};
