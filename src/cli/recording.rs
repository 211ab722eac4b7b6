//! Folders that other tools recorded, as commands name them.

use std::path::Path;

use clap::ValueEnum;

use super::Usage;
use droidmux_import::{self as import, Format, Recording};
use droidmux_record::RecordingFormat;

/// Which tool made a recording.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatName {
    /// utg.json, states/, events/ and seed-tests/*/mutant-*/
    Genie,
    /// utg.js, states/ (of Kea: all_states/) and events/
    Droidbot,
    /// Numbered *.xml dumps with an events.json, alone or in seed/ and mutant*/
    Uiautomator,
    /// The same of `maestro hierarchy`: numbered *.json with an events.json
    Maestro,
    /// res_*/ with output_*/steps.log: crashes, ANRs and properties; it keeps no screens
    Kea2,
}

impl FormatName {
    /// Reads a folder of this format.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(self, folder: &Path) -> Result<Recording, Usage> {
        let format = match self {
            Self::Genie => Format::Genie,
            Self::Droidbot => Format::Droidbot,
            Self::Uiautomator | Self::Maestro => Format::Uiautomator,
            Self::Kea2 => Format::Kea2,
        };
        import::read(format, folder).map_err(|error| Usage::new(error.to_string()))
    }

    /// As sessions name it.
    ///
    /// # Errors
    /// For a tool whose recordings hold no screens that a session could take in.
    pub(super) fn of_record(self) -> Result<RecordingFormat, Usage> {
        Ok(match self {
            Self::Genie => RecordingFormat::Genie,
            Self::Droidbot => RecordingFormat::Droidbot,
            Self::Uiautomator | Self::Maestro => RecordingFormat::Uiautomator,
            Self::Kea2 => {
                let why = "Kea2 keeps no screens, so there is nothing to read; `droidmux check --format kea2` \
                           tells its crashes and properties";
                return Err(Usage::new(why));
            }
        })
    }
}
