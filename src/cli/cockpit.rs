//! Opens the cockpit, on a lab of this process or on others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::{Usage, folders};
use crate::lab::Lab;
use crate::proto::ViewerEnd;
use crate::tui::{self, TuiOptions};

/// `$XDG_CONFIG_HOME/droidmux/config.toml`: what a person chose about the cockpit.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    theme: Option<String>,
    ascii: Option<bool>,
    images: Option<bool>,
    mouse: Option<bool>,
    /// Bell and notification on a new finding.
    announce: Option<bool>,
    /// Keys by command name.
    keys: BTreeMap<String, Vec<String>>,
}

/// Shows the cockpit until the person leaves it; then asks the lab's sessions to stop, since they
/// live in this process.
pub(super) async fn show(lab: &Lab, stop: CancellationToken) -> color_eyre::Result<()> {
    let shown = watch(vec![lab.viewer()]).await;
    stop.cancel();
    shown
}

/// Shows the cockpit on these labs until the person leaves it.
pub(super) async fn watch(ends: Vec<ViewerEnd>) -> color_eyre::Result<()> {
    Ok(tui::run(ends, options()?).await?)
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
