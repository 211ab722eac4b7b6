//! Where droidmux keeps its things: the XDG folders.

use std::env;
use std::path::PathBuf;

use super::Usage;

/// `$XDG_DATA_HOME/droidmux/store`: the store unless `--store` names another.
pub(super) fn store() -> Result<PathBuf, Usage> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("store"))
}

/// `$XDG_STATE_HOME/droidmux`: logs.
pub(super) fn state() -> Result<PathBuf, Usage> {
    base("XDG_STATE_HOME", ".local/state")
}

/// `$XDG_CONFIG_HOME/droidmux`: configuration and themes.
pub(super) fn config() -> Result<PathBuf, Usage> {
    base("XDG_CONFIG_HOME", ".config")
}

/// `$XDG_DATA_HOME/droidmux/framework`: the framework lab that `droidmux apk setup` builds.
pub(super) fn framework() -> Result<PathBuf, Usage> {
    Ok(base("XDG_DATA_HOME", ".local/share")?.join("framework"))
}

/// `$XDG_CACHE_HOME/droidmux/apks`: apps that were translated for the framework lab.
pub(super) fn translated_apps() -> Result<PathBuf, Usage> {
    Ok(base("XDG_CACHE_HOME", ".cache")?.join("apks"))
}

fn base(variable: &str, in_home: &str) -> Result<PathBuf, Usage> {
    // The XDG specification: relative values are to be ignored.
    let given = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = given.or_else(|| env::home_dir().map(|home| home.join(in_home)));
    let folder = folder.ok_or_else(|| Usage::new(format!("neither {variable} nor HOME is set")))?;
    Ok(folder.join("droidmux"))
}
