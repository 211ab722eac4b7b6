//! The files with which a session gets into a NATS server.

use std::path::Path;

use super::line::KeyPath;
use super::named_path::PathKey;
use droidmux_record::SessionDefinition;

/// Puts absolute paths into the definition.
pub(super) fn freeze(definition: &mut SessionDefinition, folder: &Path) -> Result<(), (KeyPath, String)> {
    let hosts = &mut definition.lab.hosts;
    let files =
        [("nats-creds", &mut hosts.creds), ("nats-nkey", &mut hosts.nkey), ("nats-ca", &mut hosts.ca)];
    for (key, named) in files {
        let Some(path) = named else { continue };
        let key = PathKey { table: "lab", key };
        let whole = key.whole(folder, &*path)?;
        if !whole.is_file() {
            return Err(key.wrong(format!("{} is no file", whole.display())));
        }
        *path = whole;
    }
    Ok(())
}
