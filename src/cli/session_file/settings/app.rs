//! `[app]`: what is tested, and where it is run.

use super::group::Group;
use droidmux_record::{AppPlace, SettingsContent};

pub(super) const APP: Group = Group { table: AppPlace::NAME, settings: AppPlace::ROWS };
