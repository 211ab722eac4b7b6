//! What a person chose about the cockpit, and what the environment says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::app::Arrangement;
use super::home::Home;
use super::theme::ColourDepth;
use droidmux_record::SessionId;

/// Bytes a second for what moves by itself, if the terminal is at the other end of an SSH connection.
const SSH_BUDGET: u32 = 6_000;

/// Settings of [`super::run`].
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// The theme's name; `None` is the dark one.
    pub theme: Option<String>,
    /// The person's own themes, `NAME.toml`; they win over built-in ones.
    pub theme_folder: Option<PathBuf>,
    /// The names of the themes in that folder.
    pub own_themes: Vec<String>,
    /// Colours are reduced to what the terminal can show.
    pub colours: ColourDepth,
    /// Borders and signs in ASCII only.
    pub ascii: bool,
    /// Screenshots are shown as images; otherwise, layouts are drawn in characters.
    pub images: bool,
    /// Clicks and the wheel are handled; the terminal's own selection then needs a modifier.
    pub mouse: bool,
    /// The labs refuse whatever would change something.
    pub read_only: bool,
    /// How the screens are arranged at first.
    pub arrangement: Arrangement,
    /// Where the arrangement is kept; `None` to forget it.
    pub arrangement_file: Option<PathBuf>,
    /// Where the pictures of a question are written for whoever answers it; `None` for nowhere.
    pub picture_folder: Option<PathBuf>,
    /// The folder that the cockpit was started in: where session files are looked for.
    pub folder: String,
    /// Where the lab lives.
    pub home: Home,
    /// The session to open as soon as the lab shows it.
    pub opens: Option<SessionId>,
    /// Begin with the guided tour.
    pub tour: bool,
    /// Over SSH: at most 12 frames a second instead of 30.
    pub ssh: bool,
    /// Bytes a second for what moves by itself; `None` is no limit. What a person waits for comes on top.
    pub budget: Option<u32>,
    /// Bell and notification (OSC 9) on a new finding.
    pub announce: bool,
    /// Keys by command name, in place of the default ones.
    pub keys: BTreeMap<String, Vec<String>>,
    /// Where in the configuration a setting stands, as `FILE:LINE`: `theme`, `keys.NAME`.
    pub places: BTreeMap<String, String>,
}

impl TuiOptions {
    /// Everything on, with colours and SSH as the environment says (`NO_COLOR`, `COLORTERM`,
    /// `TERM`, `SSH_CONNECTION`), ASCII when the locale is not UTF-8.
    pub fn from_env() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = var("LC_ALL").or_else(|| var("LC_CTYPE")).or_else(|| var("LANG")).unwrap_or_default();
        let locale = locale.to_lowercase();
        Self {
            colours: ColourDepth::from_env(),
            ascii: matches!(locale.as_str(), "c" | "posix") || locale.contains("8859"),
            ssh: set("SSH_CONNECTION"),
            budget: set("SSH_CONNECTION").then_some(SSH_BUDGET),
            ..Self::default()
        }
    }
}

impl Default for TuiOptions {
    fn default() -> Self {
        Self {
            theme: None,
            theme_folder: None,
            own_themes: Vec::new(),
            colours: ColourDepth::True,
            ascii: false,
            images: true,
            mouse: true,
            read_only: false,
            arrangement: Arrangement::default(),
            arrangement_file: None,
            picture_folder: None,
            folder: String::new(),
            home: Home::default(),
            opens: None,
            tour: false,
            ssh: false,
            budget: None,
            announce: true,
            keys: BTreeMap::new(),
            places: BTreeMap::new(),
        }
    }
}
