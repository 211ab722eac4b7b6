//! Reading where no device is there: what is suspected is kept, and nothing waits to be replayed.

use super::bring_up::Ground;
use super::caller::Caller;
use droidmux_record::{SessionDefinition, SettingsContent, Technique};
use droidmux_technique::reader::ReaderSettings;

/// Where no device is there, what a reader suspects is kept as it is: nothing waits for one.
///
/// # Errors
/// When that cannot be told.
pub(super) fn read_only(
    definition: &mut SessionDefinition,
    ground: &Ground,
    tells: bool,
    caller: &Caller,
) -> color_eyre::Result<()> {
    if definition.technique != Technique::Reader || ground.require_device().is_ok() {
        return Ok(());
    }
    definition.settings.change(|settings: &mut ReaderSettings| settings.events = 0);
    if tells {
        let name = ReaderSettings::NAME;
        caller.tell(&format!("{name}: no device is there, so what is suspected is not replayed"));
    }
    Ok(())
}
