//! A TOML table of a session file, whose settings every technique has.

use droidmux_record::Setting;

/// A table with its rows.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) table: &'static str,
    pub(super) settings: &'static [Setting],
}
