//! Readers of recordings made by other tools.
//!
//! In: a folder that Genie, DroidBot or Kea2 left behind, or a folder of plain UI dumps. Out: a [`Recording`]: traces in our
//! own record types (so that oracles and the model miner treat them as if we had run them), their layouts, and what
//! could not be imported and why.
//!
//! Invariants: everything in the folder is hostile: files, counts and nesting are capped, no path in a file leads out
//! of the folder, and an error names the file and, if there is one, the line or the field. Nothing is skipped without a
//! remark. Reading is deterministic: files are taken in the order of their names and numbers, never in directory order.

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

mod clock;
mod droidbot;
mod error;
mod event;
mod folder;
mod genie;
mod kea2;
mod published;
mod recording;
mod state;
mod tape;
mod uiautomator;

use std::path::Path;
use std::sync::Arc;

use droidmux_gui::Layout;

pub use error::ImportError;
pub use published::{Published, PublishedEffect};
pub use recording::{Counts, Recorded, Recording, RecordingLayouts};

/// Which tool made the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Genie's output folder: `utg.json`, `states/`, `events/`, `seed-tests/*/mutant-*/`.
    Genie,
    /// DroidBot's output folder, or Kea's: `utg.js`, `states/` or `all_states/`, `events/`.
    Droidbot,
    /// UI dumps (`*.xml`, or `*.json` of Maestro) in numerical order, alone or in the sub-folders `seed` and `mutant*`,
    /// with `events.json` beside them.
    Uiautomator,
    /// Kea2's result folder: `res_*/output_*/steps.log` with what lies around it.
    Kea2,
}

/// The screen that DroidBot or Genie wrote as `states/state_TAG.json`; errors name it `file`.
///
/// # Errors
///
/// When it is malformed or exceeds a cap.
pub fn read_state(file: &str, json: &[u8]) -> Result<Arc<Layout>, ImportError> {
    folder::parse::<state::StateFile>(file, json)?.state(file).map(|state| state.layout)
}

/// Reads a recording.
///
/// # Errors
///
/// When the folder or a file that everything depends on cannot be read, is malformed or exceeds a cap. Single steps
/// that cannot be imported become remarks instead.
pub fn read(format: Format, folder: &Path) -> Result<Recording, ImportError> {
    let folder = folder::Folder::open(folder)?;
    match format {
        Format::Genie => genie::read(&folder),
        Format::Droidbot => droidbot::read(&folder),
        Format::Uiautomator => uiautomator::read(&folder),
        Format::Kea2 => kea2::read(&folder),
    }
}
