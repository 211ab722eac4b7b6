//! Opens the cockpit on a lab of this process.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::store::parse_bytes;
use super::{Usage, folders};
use crate::lab::Lab;
use crate::tui::{self, TuiOptions};

/// `$XDG_CONFIG_HOME/droidmux/config.toml`: what a person chose about the cockpit and the store.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    theme: Option<String>,
    ascii: Option<bool>,
    images: Option<bool>,
    mouse: Option<bool>,
    /// Bell and notification on a new finding.
    announce: Option<bool>,
    /// The size from which on the store warns, such as `20GiB`.
    store_alarm: Option<String>,
    /// Keys by command name.
    keys: BTreeMap<String, Vec<String>>,
}

/// Shows the cockpit until the person leaves it; then asks the lab's sessions to stop, since they
/// live in this process.
pub(super) async fn show(lab: &Lab, stop: CancellationToken) -> color_eyre::Result<()> {
    let options = options();
    let shown = match options {
        Ok(options) => tui::run(lab.viewer(), options).await.map_err(Into::into),
        Err(error) => Err(error),
    };
    stop.cancel();
    shown
}

/// Bytes from which on the store warns; `None` when nobody chose.
pub(super) fn store_alarm() -> color_eyre::Result<Option<u64>> {
    let path = folders::config()?.join("config.toml");
    let Some(size) = read(&path)?.store_alarm else { return Ok(None) };
    let wrong = |why: String| Usage(format!("{}: `store-alarm`: {why}", path.display()));
    Ok(Some(parse_bytes(&size).map_err(wrong)?))
}

fn options() -> color_eyre::Result<TuiOptions> {
    let folder = folders::config()?;
    let config = read(&folder.join("config.toml"))?;
    let from_env = TuiOptions::from_env();
    Ok(TuiOptions {
        theme: config.theme,
        theme_folder: Some(folder.join("themes")),
        ascii: config.ascii.unwrap_or(from_env.ascii),
        images: config.images.unwrap_or(from_env.images),
        mouse: config.mouse.unwrap_or(from_env.mouse),
        announce: config.announce.unwrap_or(from_env.announce),
        keys: config.keys,
        ..from_env
    })
}

fn read(path: &Path) -> color_eyre::Result<Config> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(Usage(format!("{}: {error}", path.display())).into()),
    };
    toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(""));
        let line = before.matches('\n').count() + 1;
        Usage(format!("{}:{line}: {}", path.display(), error.message())).into()
    })
}
