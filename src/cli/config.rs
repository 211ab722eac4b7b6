//! `$XDG_CONFIG_HOME/droidmux/config.toml`: what a person chose for the cockpit and the lab.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use toml::de::Error;

use super::session_file::{line_at, line_of, usual_complaint};
use super::sizes::parse_bytes;
use super::{Usage, UsualLlm, folders};
use droidmux_file as file;
use droidmux_lab::Hooks;
use droidmux_record::LlmSettings;

/// Larger files cannot be a configuration.
const MOST_BYTES: u64 = 1 << 20;

/// What the file may set; anything it does not set keeps its usual value.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Config {
    pub(super) theme: Option<String>,
    pub(super) ascii: Option<bool>,
    pub(super) images: Option<bool>,
    pub(super) mouse: Option<bool>,
    /// Kilobytes per second for animations; 0 for no limit. The usual value is 6 over SSH, no limit elsewhere.
    link_budget: Option<u16>,
    /// Bell and notification on a new finding.
    pub(super) announce: Option<bool>,
    /// The size beyond which the store warns, such as `20GiB`.
    store_alarm: Option<String>,
    /// Keys by command name.
    pub(super) keys: BTreeMap<String, Vec<String>>,
    hooks: HookLines,
    /// Defaults for what session files leave out of `[llm]`.
    pub(super) llm: UsualLlm,
    /// Where settings stand that are judged later: `theme`, `keys.NAME`.
    #[serde(skip)]
    pub(super) places: BTreeMap<String, String>,
}

/// `[hooks]`: lines for `sh -c`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct HookLines {
    on_finding: Option<String>,
    on_trouble: Option<String>,
}

impl Config {
    /// The user's configuration; the usual values throughout when there is none.
    ///
    /// # Errors
    /// `Usage` with file and line.
    pub(super) fn read() -> color_eyre::Result<Self> {
        read(&folders::config()?.join("config.toml"))
    }

    /// The size in bytes beyond which the store warns; `None` when nobody chose one.
    ///
    /// # Errors
    /// `Usage` when the chosen value is not a size.
    pub(super) fn store_alarm(&self) -> Result<Option<u64>, Usage> {
        let size = self.store_alarm.as_deref().map(parse_bytes).transpose();
        size.map_err(|why| Usage::new(format!("config.toml: `store-alarm`: {why}")))
    }

    /// Bytes per second for animations in the cockpit; `usual` when nobody chose a value.
    pub(super) fn budget(&self, usual: Option<u32>) -> Option<u32> {
        match self.link_budget {
            Some(0) => None,
            Some(kilobytes) => Some(u32::from(kilobytes) * 1_000),
            None => usual,
        }
    }

    pub(super) fn hooks(&self) -> Hooks {
        let HookLines { on_finding, on_trouble } = &self.hooks;
        Hooks { on_finding: on_finding.clone(), on_trouble: on_trouble.clone() }
    }
}

/// The part of the file that uses the same wording as session files.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LlmPart {
    llm: LlmSettings,
}

fn read(path: &Path) -> color_eyre::Result<Config> {
    let wrong = |line: usize, what: &str| Usage::new(format!("{}:{line}: {what}", path.display()));
    let bytes = match file::read(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(Usage::new(format!("{}: {error}", path.display())).into()),
    };
    let text = file::text(bytes).map_err(|error| wrong(error.line, &error.what()))?;
    let misread =
        |error: Error| wrong(error.span().map_or(1, |span| line_at(&text, span.start)), error.message());
    // Read on its own: an error in a part that is only kept for later would not know its line.
    let LlmPart { llm } = toml::from_str(&text).map_err(misread)?;
    let mut config: Config = toml::from_str(&text).map_err(misread)?;
    config.places = places(&config, &text, path);
    match usual_complaint(&llm) {
        Some((place, what)) => Err(wrong(line_of(&text, &place), &what).into()),
        None => Ok(config),
    }
}

/// The location of the cockpit's settings; the cockpit reports what is wrong with them.
fn places(config: &Config, text: &str, path: &Path) -> BTreeMap<String, String> {
    let place = |at: &[String]| format!("{}:{}", path.display(), line_of(text, at));
    let keys = config.keys.keys().map(|name| vec!["keys".to_owned(), name.clone()]);
    let settings = keys.chain(config.theme.is_some().then(|| vec!["theme".to_owned()]));
    settings.map(|at| (at.join("."), place(&at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a table may hold, as its reader lists it when it meets an unknown field.
    fn settings(table: &str) -> Vec<String> {
        let error =
            toml::from_str::<Config>(&format!("{table}\nunheard-of = 1\n")).expect_err("no such setting");
        let words =
            error.message().split_once("expected").map(|(_, words)| words.to_owned()).unwrap_or_default();
        words.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_setting_is_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let documented = std::fs::read_to_string(path).expect("docs/configuration.md");
        for (table, least) in [("", 8), ("[hooks]", 2), ("[llm]", 18), ("[llm.budget]", 3)] {
            let settings = settings(table);
            assert!(settings.len() >= least, "{table}: {settings:?}");
            for setting in settings {
                let named = [format!("`{setting}`"), format!("`[{setting}]`")];
                assert!(named.iter().any(|name| documented.contains(name)), "`{setting}` of {table}");
            }
        }
        let themes = droidmux_tui::Theme::built_in().chain(droidmux_tui::Theme::styles());
        for name in themes {
            assert!(documented.contains(&format!("`{name}`")), "the theme or style `{name}`");
        }
    }

    #[test]
    fn a_budget_is_as_chosen_or_as_usual() {
        for (text, expected) in
            [("", Some(6_000)), ("link-budget = 0", None), ("link-budget = 20", Some(20_000))]
        {
            let config: Config = toml::from_str(text).expect("a configuration");
            assert_eq!(config.budget(Some(6_000)), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        let cases: [(&[u8], &str); 9] = [
            (b"theme = \"dark\"\n[llm]\nretries = 3\n", ""),
            (b"theme = 3\n", "config.toml:1: invalid type: integer"),
            (b"\n[hooks]\non-findings = \"x\"\n", "config.toml:3: unknown field `on-findings`"),
            (b"# caf\xc3\xa9\ntheme = \"caf\xe9\"\n", "config.toml:2: is no UTF-8: it holds the byte 0xe9"),
            (
                b"ascii = true\n[llm]\nmodel = \"m\"\nretries = \"many\"\n",
                "config.toml:4: invalid type: string",
            ),
            (b"ascii = true\n[llm]\n\nretry = 3\n", "config.toml:4: unknown field `retry`"),
            (b"[llm]\nmodel = \"m\"\nretries = 21\n", "config.toml:3: `retries` goes from 0 to 20, not 21"),
            (b"[llm]\nkey-env = \"sk-1\"\n", "config.toml:2: `key-env` is the name of"),
            (b"[llm.budget]\nmoney = -1.0\n", "config.toml:2: `money` is an amount"),
        ];
        for (text, expected) in cases {
            std::fs::write(&path, text).expect("written");
            let said = read(&path).err().map(|error| error.to_string()).unwrap_or_default();
            let fits = if expected.is_empty() { said.is_empty() } else { said.contains(expected) };
            assert!(fits, "{}: {said}", String::from_utf8_lossy(text));
        }
    }
}
