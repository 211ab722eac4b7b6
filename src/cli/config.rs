//! `$XDG_CONFIG_HOME/droidmux/config.toml`: what a person chose for the cockpit and the lab.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::store::parse_bytes;
use super::{Usage, UsualLlm, folders};
use crate::lab::Hooks;

/// What the file may say; whatever it does not say is as usual.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Config {
    pub(super) theme: Option<String>,
    pub(super) ascii: Option<bool>,
    pub(super) images: Option<bool>,
    pub(super) mouse: Option<bool>,
    /// Bell and notification on a new finding.
    pub(super) announce: Option<bool>,
    /// The size from which on the store warns, such as `20GiB`.
    store_alarm: Option<String>,
    /// Keys by command name.
    pub(super) keys: BTreeMap<String, Vec<String>>,
    hooks: HookLines,
    /// What session files leave out of `[llm]`.
    pub(super) llm: UsualLlm,
}

/// `[hooks]`: lines for `sh -c`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct HookLines {
    on_finding: Option<String>,
    on_trouble: Option<String>,
}

impl Config {
    /// The user's configuration; all usual when there is none.
    ///
    /// # Errors
    /// `Usage` with file and line.
    pub(super) fn read() -> color_eyre::Result<Self> {
        read(&folders::config()?.join("config.toml"))
    }

    /// Bytes from which on the store warns; `None` when nobody chose.
    ///
    /// # Errors
    /// `Usage` when what was chosen is no size.
    pub(super) fn store_alarm(&self) -> Result<Option<u64>, Usage> {
        let size = self.store_alarm.as_deref().map(parse_bytes).transpose();
        size.map_err(|why| Usage(format!("config.toml: `store-alarm`: {why}")))
    }

    pub(super) fn hooks(&self) -> Hooks {
        let HookLines { on_finding, on_trouble } = &self.hooks;
        Hooks { on_finding: on_finding.clone(), on_trouble: on_trouble.clone() }
    }
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
